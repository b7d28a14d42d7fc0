"""The parts that read and judge, each alone."""

import re

import pytest

from proof.can_fail import why_it_cannot_fail
from proof.front_matter import FrontMatterError, read_front_matter
from proof.message import Message
from render.outputs import parted, short_traceback
from render.source import SourceError, find_source


@pytest.mark.parametrize(
    "source",
    [
        "x = 1",
        "print('assert x')",
        "def check():\n    assert x",
        "if False:\n    assert x",
        "try:\n    assert x\nexcept AssertionError:\n    pass",
        "try:\n    assert x\nexcept Exception:\n    print('no')",
        "try:\n    assert x\nexcept:\n    pass",
    ],
)
def test_nothing_asserted(source: str) -> None:
    """No assertion runs, or its failure is swallowed."""
    assert why_it_cannot_fail(source) == "its proof asserts nothing that runs"


@pytest.mark.parametrize(
    "source",
    [
        "assert True",
        "assert 1 + 1 == 2",
        "assert (x == 1, 'always true')",
        "assert x or True",
        "assert not False",
        "assert x == x",
        "assert x.grad is x.grad",
        "assert [x]",
        "assert 'text'",
        "torch.testing.assert_close(1.0, 1.0)",
    ],
)
def test_always_true(source: str) -> None:
    """The assertion has the same outcome whatever ran before."""
    assert why_it_cannot_fail(source) == "its proof asserts only what is always true"


@pytest.mark.parametrize(
    "source",
    [
        "assert x",
        "assert x.is_leaf and True",
        "assert f() == f()",
        "def check():\n    assert x\ncheck()",
        "for y in ys:\n    assert y",
        "with torch.no_grad():\n    assert x",
        "try:\n    assert x\nexcept ValueError:\n    pass",
        "try:\n    assert x\nexcept AssertionError:\n    raise",
        "assert True\nassert x",
        "torch.testing.assert_close(x, y)",
        "%time\nassert x",
        "this is no Python",
    ],
)
def test_can_fail(source: str) -> None:
    """The assertion depends on what ran; what is no Python is left to the run."""
    assert why_it_cannot_fail(source) is None


@pytest.mark.parametrize(
    ("template", "text", "holes"),
    [
        ("Output {index:d} of {node} is a view", "Output 0 of Unbind is a view", {"index": "0", "node": "Unbind"}),
        ("Output {index:d} of {node} is a view", "Output zero of Unbind is a view", None),
        ("[{type} {shape}] is", "[torch.FloatTensor [2, 3]] is", {"type": "torch.FloatTensor", "shape": "[2, 3]"}),
        ("{a} and {a}", "x and x", {"a": "x"}),
        ("{a} and {a}", "x and y", None),
        ("a {{brace}}", "a {brace}", {}),
        ("one line", "one line and more", None),
        ("a (b) [c] .*", "a (b) [c] .*", {}),
        ("two\nlines {x}", "two\nlines a\nb", {"x": "a\nb"}),
    ],
)
def test_message(template: str, text: str, holes: dict[str, str] | None) -> None:
    """A text is compared as a whole, and what stands in the holes is given back."""
    assert Message("RuntimeError", template).holes("RuntimeError", text) == holes


def test_portable_pattern() -> None:
    """The pattern without names matches what the message matches, and nothing in it is special to one language."""
    message = Message("RuntimeError", "[{type} {shape}] at a/b (version {v:d}; {v:d}) {{x}}?")

    assert message.portable_pattern == r"\[(.+?) (.+?)\] at a\/b \(version (\d+); (?:\3)\) \{x\}\?"
    found = re.fullmatch(message.portable_pattern, "[T [2, 3]] at a/b (version 4; 4) {x}?")
    assert found is not None
    assert found.groups() == ("T", "[2, 3]", "4")


def test_message_of_another_type() -> None:
    """The same text under another class is another message."""
    assert Message("RuntimeError", "text").holes("ValueError", "text") is None


@pytest.mark.parametrize("template", ["{}", "{0}", "{a.b}", "{a!r}", "{a:x}", "{a", "a}"])
def test_bad_template(template: str) -> None:
    """A template that is not well formed is refused."""
    with pytest.raises(ValueError, match=r"hole is written|brace|end of string|expected|encountered"):
        Message("RuntimeError", template).pattern  # noqa: B018 - compiling is what is tested


def test_front_matter_line() -> None:
    """The line of an error in the front matter is the line in the page."""
    with pytest.raises(FrontMatterError) as caught:
        read_front_matter("---\na: 1\nb: [\n---\n")

    assert caught.value.line == 3


def test_short_traceback() -> None:
    """Of a traceback the page's own frames and the message stay, and a mark where frames are left out."""
    whole = (
        "Traceback (most recent call last):\n\n  Cell In[1], line 7\n    l.backward()\n\n"
        "  File /lib/torch/_tensor.py:623 in backward\n    torch.autograd.backward(\n\n"
        "  File /lib/torch/autograd/graph.py:979 in _run\n    return run_backward(\n\nRuntimeError: two\nlines\n"
    )

    assert short_traceback(whole) == (
        "Traceback (most recent call last):\n  Cell In[1], line 7\n    l.backward()\n  …\nRuntimeError: two\nlines"
    )


def test_parted_traceback() -> None:
    """The message is all that stands behind the last frame, indented lines too; that of a cause is not it."""
    way = "Traceback (most recent call last):\n  Cell In[1], line 1\n    f()\n"
    cause = "KeyError: 1\n\nThe above exception was the direct cause of the following exception:\n"
    message = "RuntimeError: these do not fit:\n  one\n    two"

    assert parted(way + message) == (way, message)
    assert parted(f"{way}{cause}{way}  …\n{message}") == (f"{way}{cause}{way}  …\n", message)
    assert parted("SyntaxError: no frame") == ("", "SyntaxError: no frame")


def test_find_source() -> None:
    """A method is found with its decorators, by its dotted name, and lines of it by what they contain."""
    whole = find_source("torch.optim.sgd.SGD.step")
    part = find_source("torch.optim.sgd.SGD.step", "def step", "def step")

    assert whole.text.startswith("    @_use_grad_for_differentiable")
    assert part.text.strip() == "def step(self, closure=None):"
    assert (part.first, part.last) == (whole.first + 1, whole.first + 1)


@pytest.mark.parametrize("name", ["torch.optim.sgd.SGD.no_such_method", "torch.no_such_module.f", "numpy.array"])
def test_find_no_source(name: str) -> None:
    """A name that torch does not define is an error."""
    with pytest.raises(SourceError):
        find_source(name)
