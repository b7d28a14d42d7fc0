"""What an error page answers, taken from the page itself: the cause, the fix, and its causes as programs with fixes.

The page's first paragraphs are the cause; what follows the bold word *Fix:* in them is the fix.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise, takewhile

from docutils import nodes

from proof.page import Cell, Page


@dataclass(frozen=True)
class Case:
    """One cause of a message: a program that gives it, and the program that does not."""

    when: str
    program: str
    fix: str


@dataclass(frozen=True)
class Answer:
    """What one page answers."""

    cause: str
    """Why torch says so, as text with Markdown's marks for code."""
    fix: str
    """What to do, as text with Markdown's marks for code; empty where the page does not say."""
    cases: tuple[Case, ...]
    """The causes that the page shows, those with a program and a fix."""


def answer_of(page: Page, document: nodes.document) -> Answer:
    """Returns what a page answers from its document, as it was read."""
    section = next(iter(document.findall(nodes.section)), document)
    opening = _opening(section)
    places = (n for n, node in enumerate(opening) if isinstance(node, nodes.strong) and node.astext() == "Fix:")
    fix = next(places, len(opening))
    cells = {cell.index: cell for cell in page.cells}
    return Answer(_text(opening[:fix]), _text(opening[fix + 1 :]), tuple(_cases(section, cells)))


def _opening(section: nodes.Element) -> list[nodes.Node]:
    """The inline nodes of the paragraphs before the first section, the message left out."""
    opening: list[nodes.Node] = []
    for node in takewhile(lambda node: not isinstance(node, nodes.section), section.children):
        if isinstance(node, nodes.paragraph) and "message" not in node["classes"]:
            opening += [*node.children, nodes.Text("\n")]
    return opening


def _cases(section: nodes.Element, cells: Mapping[int, Cell]) -> Iterator[Case]:
    """Yields the first program with a fix of each part of a page."""
    for part in section.findall(nodes.section):
        title = part.next_node(nodes.title)
        if title is None or part is section or part.parent is section:
            continue
        places = (node["cell_index"] for node in part.findall(nodes.container) if "cell_index" in node)
        for cell, after in pairwise(cells[place] for place in places if place in cells):
            if (cell.raises or cell.warns) and not (after.raises or after.warns):
                yield Case(title.astext(), cell.source, after.source)
                break


def _text(parts: list[nodes.Node]) -> str:
    """Returns inline nodes as text, code between backticks."""
    return " ".join("".join(map(_inline, parts)).split())


def _inline(part: nodes.Node) -> str:
    if isinstance(part, nodes.literal):
        return f"`{part.astext()}`"
    return "".join(map(_inline, part.children)) if part.children else part.astext()
