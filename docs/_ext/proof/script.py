"""A page's cells as a script that runs from top to bottom where there is torch and nothing of this site."""

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Mapping
from pathlib import Path

from proof.page import Cell, Page

_FIRST = """\
import torch

if (here := torch.__version__.partition("+")[0]) != "{torch}":
    print(f"This page was checked on torch {torch}; here is {{here}}. An assertion that fails tells where they differ.")
"""

_EXPECTED = """\
try:
{code}
except Exception as error:
    assert type(error).__name__ == "{type}"
    sys.last_value = error
    print(f"{{type(error).__name__}}: {{error}}")
else:
    raise AssertionError("torch did not raise {type} here")"""

_FOUND = """
import sys

sys.path.insert(0, "")
"""

_MODULE = """
with open("{name}.py", "w", encoding="utf-8") as file:  # a module that this page imports
    file.write({text!r})
"""


def imported(page: Page, examples: Path) -> dict[str, str]:
    """Returns the examples that a page's cells import, and those that these import in turn: names and texts."""
    waiting, found = ["\n".join(cell.source for cell in page.cells)], dict[str, str]()
    while waiting:
        for name in re.findall(r"^\s*(?:from|import) (\w+)", waiting.pop(), re.MULTILINE):
            path = examples / f"{name}.py"
            if name not in found and path.is_file():
                found[name] = path.read_text("utf-8")
                waiting.append(found[name])
    return found


def first_cell(torch: str, modules: Mapping[str, str]) -> str:
    """Returns the cell that compares the reader's torch with the page's, and writes the modules that it imports."""
    written = "".join(_MODULE.format(name=name, text=text) for name, text in sorted(modules.items()))
    return (_FIRST.format(torch=torch) + (_FOUND + written if modules else "")).rstrip()


def as_script(first: str, parts: Iterable[str | Cell], errors: Mapping[str, str]) -> str:
    """Returns a script of texts, as comments, and cells. `errors` has the exception's name for each id."""
    pieces = ["import sys", first]
    for part in parts:
        if isinstance(part, str):
            pieces.append("\n".join(f"# {line}".rstrip() for line in part.splitlines()))
        elif part.raises:
            pieces.append(_EXPECTED.format(code=_indented(part.source), type=errors[part.raises]))
        else:
            pieces.append(_printing(part.source))
    return "\n\n".join(filter(None, pieces)) + "\n"


def _printing(source: str) -> str:
    """The cell, its last expression printed, which a notebook shows by itself."""
    last = ast.parse(source).body[-1:]
    if not last or not isinstance(last[0], ast.Expr) or ast.unparse(last[0]).startswith("print("):
        return source
    lines = source.splitlines()
    end = last[0].end_lineno or len(lines)
    code = "\n".join(lines[last[0].lineno - 1 : end])
    return "\n".join([*lines[: last[0].lineno - 1], f"print({code})", *lines[end:]])


def _indented(source: str) -> str:
    """The code four spaces to the right; what lies inside a text of several lines stays where it is."""
    inside = set[int]()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in (tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", -1)):
            inside |= set(range(token.start[0] + 1, token.end[0] + 1))
    lines = enumerate(source.splitlines(), 1)
    return "\n".join(line if number in inside or not line else f"    {line}" for number, line in lines)
