"""A page's cells as a script: what is printed, what is expected to raise, what is written beside it."""

from pathlib import Path

import pytest

from proof.page import Cell, Page
from proof.script import as_script, first_cell, imported


def cell(source: str, raises: str = "") -> Cell:
    return Cell(0, 1, 1, source, raises=raises)


def test_last_expression_is_printed() -> None:
    """What a notebook would show is printed, once, also over several lines; a statement stays as it is."""
    cells = [cell("x = 1\nx"), cell("print(2)"), cell("[\n    3,\n]"), cell("y = 4")]

    assert as_script("import torch", cells, {}) == (
        "import sys\n\nimport torch\n\nx = 1\nprint(x)\n\nprint(2)\n\nprint([\n    3,\n])\n\ny = 4\n"
    )


def test_text_is_comments() -> None:
    """Text stands between the cells as comments, its empty lines without a space at the end."""
    assert "\n\n# One.\n#\n# Two.\n\n" in as_script("import torch", ["One.\n\nTwo.", cell("y = 4")], {})


def test_expected_error_is_caught(capsys: pytest.CaptureFixture[str]) -> None:
    """A cell that raises is caught and its message printed; texts of several lines inside it keep their lines."""
    source = 'text = """a\n  b"""\nraise ValueError(text)'
    names: dict[str, object] = {}

    exec(as_script("", [cell(source, "some-error")], {"some-error": "ValueError"}), names)

    assert names["text"] == "a\n  b"
    assert capsys.readouterr().out == "ValueError: a\n  b\n"


def test_missing_error_is_told() -> None:
    """A cell that does not raise what it should ends the script."""
    script = as_script("", [cell("x = 1", "some-error")], {"some-error": "ValueError"})

    with pytest.raises(AssertionError, match=r"^torch did not raise ValueError here$"):
        exec(script, {})


def test_imports_travel_along(tmp_path: Path) -> None:
    """The examples that a page imports, and those that these import, are written by the first cell."""
    (tmp_path / "outer.py").write_text("from inner import value\n")
    (tmp_path / "inner.py").write_text("value = 1\n")
    (tmp_path / "other.py").write_text("value = 2\n")
    found = imported(Page("page", cells=(cell("import math\nfrom outer import value"),)), tmp_path)

    first = first_cell("2.13.0", found)

    assert list(found) == ["outer", "inner"]
    assert first.index("inner.py") < first.index("outer.py")
    assert "other.py" not in first
    assert "from inner import value" in first
