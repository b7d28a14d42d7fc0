"""A page's cells are run as a Jupyter kernel would run them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from nbformat import NotebookNode

from proof.page import read_page
from proof.run import run_pages
from proof.verdict import raised_in, warnings_in

Run = Callable[..., list[list[NotebookNode]]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs cells as one page and returns the outputs of each."""

    def run_cells(*cells: str, limit: int = 60) -> list[list[NotebookNode]]:
        path = tmp_path / "page.md"
        blocks = "\n".join(f"```{{code-cell}} python\n{cell}\n```\n" for cell in cells)
        path.write_text(f"---\nfile_format: mystnb\n---\n\n# Page\n\n{blocks}")
        page = read_page(path, "docs/page.md")
        (executed,) = run_pages({"page": page}, tmp_path, limit=limit)
        return [executed[1].cells[cell.index].outputs for cell in page.cells]

    return run_cells


def test_outputs_in_order(run: Run) -> None:
    """Streams, displays and the result stand in the order in which they came."""
    (outputs,) = run("import sys\nprint('a')\nprint('b', file=sys.stderr)\nprint('c')\ndisplay(1)\n2")

    kinds = [(output.output_type, output.get("text") or output.data["text/plain"]) for output in outputs]
    assert kinds == [
        ("stream", "a\n"),
        ("stream", "b\n"),
        ("stream", "c\n"),
        ("display_data", "1"),
        ("execute_result", "2"),
    ]


def test_rich_display(run: Run) -> None:
    """A picture comes as a picture, with its text beside it."""
    (outputs,) = run("class Picture:\n    def _repr_svg_(self):\n        return '<svg/>'\nPicture()")

    assert outputs[0].data["image/svg+xml"] == "<svg/>"
    assert "text/plain" in outputs[0].data


def test_semicolon_hides_the_result(run: Run) -> None:
    """As in a notebook."""
    assert run("1;") == [[]]


def test_error_stays_in_its_cell(run: Run) -> None:
    """A cell that raises does not keep the next from running."""
    first, second = run("x = 1\nx / 0", "x")

    assert raised_in(first) == ("ZeroDivisionError", "division by zero")
    assert "  Cell In[1], line 2\n    x / 0\n" in first[0].traceback
    assert second[0].data["text/plain"] == "1"


def test_warnings_are_told_apart(run: Run) -> None:
    """Each warning of a cell is found with its class and its whole text, also over several lines."""
    code = (
        "import warnings\nwarnings.warn('one')\nwarnings.warn('two\\nlines', FutureWarning)\nprint('no: Warning: this')"
    )

    assert warnings_in(run(code)[0]) == [("UserWarning", "one"), ("FutureWarning", "two\nlines")]


def test_assertion_shows_values(run: Run) -> None:
    """A failed assertion shows the values it compared, each under the code that gave it."""
    (outputs,) = run("a, b = [1, 2], [1, 3]\nassert len(a) == len(b) and a == b")

    assert raised_in(outputs) == (
        "AssertionError",
        "len(a) == len(b) and a == b; len(a) is 2; len(b) is 2; a is [1, 2]; b is [1, 3]",
    )


def test_assertion_keeps_its_own_message(run: Run) -> None:
    """What an author says of a failed assertion is not replaced."""
    assert raised_in(run("assert 1 > 2, 'my words'")[0]) == ("AssertionError", "my words")


def test_addresses_are_masked(run: Run) -> None:
    """What differs from run to run does not show."""
    assert run("object()")[0][0].data["text/plain"] == "<object at 0x…>"
    assert run("print('/home/me/env/lib/site-packages/torch/x.py')")[0][0].text == "…/site-packages/torch/x.py\n"


def test_examples_can_be_imported(run: Run, tmp_path: Path) -> None:
    """A page imports the examples by name."""
    (tmp_path / "helper.py").write_text("value = 7\n")

    assert run("import helper\nhelper.value")[0][0].data["text/plain"] == "7"


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("while True:\n    pass", "it ran longer than 1 s and was stopped"),
        ("import os\nos._exit(3)", "it ended its process with code 3"),
        ("import os\nos.kill(os.getpid(), 11)", "it ended its process: SIGSEGV"),
        ("import os\nos._exit(0)", "it ended its process"),
    ],
)
def test_stopped(run: Run, cell: str, reason: str) -> None:
    """A cell that never comes back has an error that says why, and so has each after it."""
    first, second, third = run("1", cell, "3", limit=1)

    assert first[0].data["text/plain"] == "1"
    assert raised_in(second) == ("PageStopped", reason)
    assert raised_in(third) == ("PageStopped", f"not run: a cell before it did not end, because {reason}")


def test_keyboard(run: Run) -> None:
    """A page cannot ask its reader at build time."""
    (outputs,) = run("input('name?')")

    assert raised_in(outputs)[0] == "StdinNotImplementedError"
