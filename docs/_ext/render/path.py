"""`{path}`: a table of contents as the way through it, with what each page says of itself beside its title."""

import re
from collections.abc import Iterator

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.directives.other import TocTree
from sphinx.transforms.post_transforms import SphinxPostTransform

_SAYS = re.compile(r"\bthis page (?:says|shows) ", re.IGNORECASE)
_END = re.compile(r"\.(?=\s|$)")


class path(nodes.General, nodes.Element):
    """Where the way will stand."""


class PathDirective(TocTree):
    """A hidden `toctree`, with its options, and in its place the way through its pages."""

    def run(self) -> list[nodes.Node]:
        self.options["hidden"] = None
        wrapper, *others = super().run()
        pages = [name for toctree in wrapper.findall(addnodes.toctree) for _, name in toctree["entries"]]
        return [wrapper, *others, path("", pages=pages)]


class FillPath(SphinxPostTransform):
    """Puts in the titles and what the pages say.

    Sphinx writes a page with a `toctree` anew when one of the pages in it has changed.
    """

    default_priority = 5  # beside the other lists that are made from pages

    def run(self, **kwargs: object) -> None:
        for place in list(self.document.findall(path)):
            steps = [self._step(name) for name in place["pages"] if name in self.env.titles]
            place.replace_self(
                nodes.enumerated_list("", *steps, enumtype="arabic", prefix="", suffix=".", classes=["path"])
            )

    def _step(self, name: str) -> nodes.list_item:
        uri = self.env._app.builder.get_relative_uri(self.env.docname, name)
        title = [child.deepcopy() for child in self.env.titles[name].children]
        link = nodes.reference("", "", *title, internal=True, refuri=uri)
        said = nodes.inline("", "", *opening_of(self.env.get_doctree(name)), classes=["says"])
        return nodes.list_item("", nodes.paragraph("", "", link, nodes.Text(" "), said))


def opening_of(document: nodes.document) -> list[nodes.Node]:
    """Returns what a page says of itself: its first sentence, or what follows "this page says" there.

    Code stays code; a link is its text.
    """
    first = next(document.findall(nodes.paragraph), nodes.paragraph())
    parts = list(_first_sentence(first))
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


def setup_path(app: Sphinx) -> None:
    app.add_node(path)
    app.add_directive("path", PathDirective)
    app.add_post_transform(FillPath)
