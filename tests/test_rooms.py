"""The architecture, as the contributing pages tell it."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXTENSIONS = ROOT / "docs" / "_ext"
MODULES = sorted(EXTENSIONS.rglob("*.py"))
IN_THE_CHILD = {"child.py", "listing.py", "runner.py", "shell.py"}
"""The modules that are run in a process of their own; all others know torch by its version, or what one has told."""


def _imports(path: Path) -> set[str]:
    """The top-level names of all that a module imports, also inside its functions."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0])
    return names


@pytest.mark.parametrize("path", MODULES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_imports(path: Path) -> None:
    """`proof` knows nothing of Sphinx, `render` nothing of torch, and only the child imports torch at all."""
    forbidden = {"render"} if path.parent.name == "proof" else set()
    forbidden |= {"sphinx", "docutils"} if path.parent.name == "proof" else set()
    forbidden |= set() if path.name in IN_THE_CHILD else {"torch"}

    assert _imports(path) & forbidden == set()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_size(path: Path) -> None:
    """A module is one idea: under 250 lines, its functions under 40."""
    text = path.read_text("utf-8")
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]

    assert text.count("\n") < 250
    assert [node.name for node in functions if (node.end_lineno or 0) - node.lineno >= 40] == []
    assert path.stem != "utils"


def test_settings_are_data() -> None:
    """conf.py holds settings only."""
    text = (ROOT / "docs" / "conf.py").read_text("utf-8")

    assert text.count("\n") < 60
    assert not any(isinstance(node, ast.FunctionDef | ast.ClassDef) for node in ast.walk(ast.parse(text)))
    assert _imports(ROOT / "docs" / "conf.py") <= {"sys", "pathlib"}


def test_every_module_is_told_of() -> None:
    """The page on where things are names every module."""
    page = (ROOT / "docs" / "contributing" / "where-things-are.md").read_text("utf-8")
    names = [f"{path.parent.name}/{path.name}" for path in MODULES]

    assert [name for name in names if f"`{name}`" not in page and not name.endswith("__init__.py")] == []
