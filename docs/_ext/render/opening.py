"""What a page says of itself, in one sentence: the line beside its title on the path through the guide."""

import re
from collections.abc import Iterator

from docutils import nodes

_SAYS = re.compile(r"\bthis page (?:says|shows) ", re.IGNORECASE)
_END = re.compile(r"\.(?=\s|$)")


def opening_of(document: nodes.document) -> list[nodes.Node]:
    """Returns what a page says of itself: its first sentence, or what follows "this page says" there.

    Code stays code; a link is its text.
    """
    paragraphs = (p for p in document.findall(nodes.paragraph) if not isinstance(p.parent, nodes.field_body))
    parts = list(_first_sentence(next(paragraphs, nodes.paragraph())))  # the front matter is a list of fields
    for number, part in enumerate(parts):
        if found := _SAYS.search(part.astext()):
            return [nodes.Text(part.astext()[found.end() :]), *parts[number + 1 :]]
    return parts


def _first_sentence(paragraph: nodes.paragraph) -> Iterator[nodes.Node]:
    for part in _flat(paragraph):
        if isinstance(part, nodes.Text) and (end := _END.search(part.astext())):
            yield nodes.Text(part.astext()[: end.start()])
            return
        yield part


def _flat(element: nodes.Element) -> Iterator[nodes.Node]:
    for child in element.children:
        if isinstance(child, nodes.literal):
            yield child.deepcopy()
        elif isinstance(child, nodes.Element):
            yield from _flat(child)
        else:
            yield nodes.Text(child.astext())
