"""`{torch-source}`: lines of the installed torch, shown as they are and linked to the same lines on GitHub."""

import ast
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from proof.run import torch_version

_GITHUB = "https://github.com/pytorch/pytorch/blob"


class SourceError(Exception):
    """The source asked for is not there; the text says what is."""


@dataclass(frozen=True)
class Excerpt:
    """Lines of one file of torch."""

    path: Path
    """The file."""
    name: str
    """The file's path as GitHub has it, `torch/optim/sgd.py`."""
    first: int
    """The first line, counted from 1."""
    text: str

    @property
    def last(self) -> int:
        """The last line."""
        return self.first + self.text.count("\n")


def find_source(dotted: str, start: str | None = None, end: str | None = None) -> Excerpt:
    """Returns the source of `torch.optim.sgd.SGD.step`, found without importing torch.

    With `start` and `end` only the lines from the first that contains `start` to the next that contains `end`.
    Raises SourceError.
    """
    spec = find_spec("torch")
    if spec is None or spec.origin is None:
        raise SourceError("torch is not installed here")
    folder = Path(spec.origin).parents[1]
    names = dotted.split(".")
    for length in range(len(names) - 1, 0, -1):
        path = folder.joinpath(*names[:length]).with_suffix(".py")
        if path.is_file():
            first, text = _definition(path, names[length:], dotted)
            return _between(Excerpt(path, path.relative_to(folder).as_posix(), first, text), start, end)
    raise SourceError(f"{dotted}: no file of torch {torch_version()} has this name")


def _definition(path: Path, names: list[str], dotted: str) -> tuple[int, str]:
    text = path.read_text("utf-8")
    node: ast.AST = ast.parse(text)
    for name in names:
        found = [child for child in getattr(node, "body", []) if getattr(child, "name", None) == name]
        if not found:
            raise SourceError(f"{dotted}: {path.name} of torch {torch_version()} defines no {name!r} there")
        node = found[0]
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return first, "\n".join(text.splitlines()[first - 1 : node.end_lineno])


def _between(whole: Excerpt, start: str | None, end: str | None) -> Excerpt:
    lines = whole.text.splitlines()
    first = _line_with(start, lines, 0, whole) if start else 0
    last = _line_with(end, lines, first, whole) if end else len(lines) - 1
    return Excerpt(whole.path, whole.name, whole.first + first, "\n".join(lines[first : last + 1]))


def _line_with(text: str, lines: list[str], begin: int, whole: Excerpt) -> int:
    for number, line in enumerate(lines[begin:], begin):
        if text in line:
            return number
    raise SourceError(f"{whole.name} of torch {torch_version()} has no line with {text!r} there")


class TorchSource(SphinxDirective):
    """Shows a function or a class of torch, or some of its lines."""

    required_arguments = 1
    option_spec: ClassVar = {"from": directives.unchanged_required, "to": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        try:
            excerpt = find_source(self.arguments[0], self.options.get("from"), self.options.get("to"))
        except SourceError as error:
            raise self.error(str(error)) from error
        self.env.note_dependency(str(excerpt.path))
        text = dedent(excerpt.text)
        block = nodes.literal_block(text, text, language="python", linenos=True)
        block["highlight_args"] = {"linenostart": excerpt.first}
        self.set_source_info(block)
        link = f"{_GITHUB}/v{torch_version()}/{excerpt.name}#L{excerpt.first}-L{excerpt.last}"
        where = f"{excerpt.name}, torch {torch_version()}"
        caption = nodes.paragraph("", "", nodes.reference("", where, refuri=link), classes=["torch-source"])
        return [nodes.container("", block, caption, classes=["torch-source"])]


def setup_source(app: Sphinx) -> None:
    app.add_directive("torch-source", TorchSource)
