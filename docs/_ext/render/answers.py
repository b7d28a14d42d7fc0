"""What an error page answers, taken from the page itself: the cause, the fix, and its causes as programs with fixes.

The page's first paragraphs are the cause; what follows the bold word *Fix:* in them is the fix.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, takewhile

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx

from proof.page import Page
from render.documents import documents_of
from render.site import site_of


@dataclass(frozen=True)
class Case:
    """One cause of a message: a program that gives it, and the program that does not."""

    when: str
    program: str
    fix: str


class Answer:
    """What one error page answers."""

    def __init__(self, page: Page, document: nodes.document) -> None:
        self._cells = {cell.index: cell for cell in page.cells}
        self._section = next(iter(document.findall(nodes.section)), document)

    @property
    def cause(self) -> str:
        """Why torch says so, as text with Markdown's marks for code."""
        return _text(self._opening[: self._place_of_fix])

    @property
    def fix(self) -> str:
        """What to do, as text with Markdown's marks for code; empty where the page does not say."""
        return _text(self._opening[self._place_of_fix + 1 :])

    @property
    def cases(self) -> list[Case]:
        """The causes that the page shows, those with a program and a fix."""
        found: list[Case] = []
        for part in self._section.findall(nodes.section):
            title = part.next_node(nodes.title)
            if title is not None and part.parent is not self._section and part is not self._section:
                found += self._cases(title.astext(), part)
        return found

    def _cases(self, when: str, part: nodes.section) -> Iterator[Case]:
        places = (node["cell_index"] for node in part.findall(nodes.container) if "cell_index" in node)
        cells = [self._cells[place] for place in places if place in self._cells]
        for cell, after in pairwise(cells):
            if (cell.raises or cell.warns) and not (after.raises or after.warns):
                yield Case(when, cell.source, after.source)
                return

    @cached_property
    def _opening(self) -> list[nodes.Node]:
        """The inline nodes of the paragraphs before the first section, the message left out."""
        opening: list[nodes.Node] = []
        for node in takewhile(lambda node: not isinstance(node, nodes.section), self._section.children):
            if isinstance(node, nodes.paragraph) and "message" not in node["classes"]:
                opening += [*node.children, nodes.Text("\n")]
        return opening

    @property
    def _place_of_fix(self) -> int:
        places = (
            n for n, node in enumerate(self._opening) if isinstance(node, nodes.strong) and node.astext() == "Fix:"
        )
        return next(places, len(self._opening))


def _text(parts: list[nodes.Node]) -> str:
    """Returns inline nodes as text, code between backticks."""
    return " ".join("".join(map(_inline, parts)).split())


def _inline(part: nodes.Node) -> str:
    if isinstance(part, nodes.literal):
        return f"`{part.astext()}`"
    return "".join(map(_inline, part.children)) if part.children else part.astext()


def most_linked(app: Sphinx) -> list[tuple[str, str]]:
    """Returns the id and the page of every message, those first whose pages most others link.

    Of messages that fit a text alike, the one that is met more often is so offered first.
    """
    pages = site_of(app.env).error_pages
    links = Counter(
        (name, pages.get(link["reftarget"]))
        for name, document in documents_of(app).items()
        for link in document.findall(pending_xref)
        if link["reftype"] == "err"
    )
    linked = Counter(page for (name, page), _ in links.items() if page != name)
    return sorted(pages.items(), key=lambda item: (-linked[item[1]], item[0]))
