"""A page's cells are run as a Jupyter kernel would run them."""

from pathlib import Path

from nbformat import NotebookNode
from running import Run

from proof.verdict import raised_in, warnings_in


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


def test_frames_and_times_are_masked(run: Run) -> None:
    """A text with the whole stack shows the cell's frames alone; a line of torch's log has no time."""
    ((stack,), (log,)) = run(
        "import traceback\nprint(''.join(traceback.format_stack()))",
        "print('[W1130 21:53:56.2778 reducer.cpp:9] Warning')",
    )

    assert stack.text.startswith("  …\n  Cell In[1], line 2, in <module>\n")
    assert "proof" not in stack.text
    assert log.text == "[W reducer.cpp:9] Warning\n"


def test_addresses_are_masked(run: Run) -> None:
    """What differs from run to run does not show."""
    assert run("object()")[0][0].data["text/plain"] == "<object at 0x…>"
    assert run("print('/home/me/env/lib/site-packages/torch/x.py')")[0][0].text == "…/site-packages/torch/x.py\n"
    assert run("print('/usr/lib/python3.9/functools.py')")[0][0].text == "…/python3.9/functools.py\n"
    assert run("print('At:\\n  …/x.py(3): f\\n  /home/me/run.py(7): main\\n')")[0][0].text == "At:\n  …/x.py(3): f\n\n"


def test_examples_can_be_imported(run: Run, tmp_path: Path) -> None:
    """A page imports the examples by name."""
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "helper.py").write_text("value = 7\n")

    assert run("import helper\nhelper.value")[0][0].data["text/plain"] == "7"


BOTH = (
    "import sys, warnings\nprint('out')",
    "print('err', file=sys.stderr)",
    "warnings.warn('look out')",
    "class Picture:\n    def _repr_svg_(self):\n        return '<svg/>'\nPicture()",
    "display([1, 2])\n{'a': 1}",
    "x = 0\ndef divide():\n    return 1 / x\ndivide()",
    "assert x == 1",
    "input('name?')",
    "object()",
    "= syntax",
    "import random\nrandom.random()",
    "import torch\ntorch.rand(2), torch.get_num_threads()",
    "y = torch.ones(2, requires_grad=True).exp()\ny.add_(1)\ny.sum().backward()",
)


def test_kernel_gives_the_same(run: Run) -> None:
    """Where a process cannot be forked, a Jupyter kernel runs the page, and the same outputs come."""
    forked, kernel = run(*BOTH, runner="fork"), run(*BOTH, runner="kernel")

    assert [map_frames(cell) for cell in kernel] == [map_frames(cell) for cell in forked]


def map_frames(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Outputs without the frames of a traceback that lie in the runner."""
    return [
        output | {"traceback": [part for part in output.traceback if "  Cell In" in part or "  File" not in part]}
        if output.output_type == "error"
        else output
        for output in outputs
    ]
