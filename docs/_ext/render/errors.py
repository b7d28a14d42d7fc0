"""The page of an error message shows the message below its title; `{error-index}` lists those of several pages."""

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform
from sphinx.writers.html5 import HTML5Translator

from proof.front_matter import ErrorEntry
from proof.message import Message
from render.folds import unfolded
from render.places import Place, PlaceOfPages, page_link
from render.said import ranges_of
from render.site import site_of


class index(Place):
    """Where the messages of some pages will stand."""

    def shows(self, env: BuildEnvironment) -> object:
        return [(env.titles[name].astext(), [entry.message for entry in entries]) for name, entries in self._pages(env)]

    def parts(self, env: BuildEnvironment) -> list[nodes.Node]:
        items = [self._item(env, name, entries) for name, entries in self._pages(env)]
        return [nodes.bullet_list("", *items, classes=["error-index"])]

    def _pages(self, env: BuildEnvironment) -> list[tuple[str, tuple[ErrorEntry, ...]]]:
        pages = site_of(env).pages
        return [(name, pages[name].errors) for name in self["pages"] if name in pages]

    def _item(self, env: BuildEnvironment, name: str, entries: tuple[ErrorEntry, ...]) -> nodes.list_item:
        title = nodes.paragraph("", "", page_link(env, name))
        messages = (nodes.paragraph("", "", *message_nodes(entry.message), classes=["message"]) for entry in entries)
        return nodes.list_item("", title, *messages)


class faces(nodes.General, nodes.Element):
    """The messages of a page after its first, folded: a reader in trouble wants the cause next."""


def message_nodes(message: Message) -> list[nodes.Node]:
    """Returns the message as inline nodes, its holes emphasised."""
    parts: list[nodes.Node] = [nodes.strong("", message.type), nodes.Text(": ")]
    for literal, name, _ in message.parts:
        parts.append(nodes.Text(literal))
        if name is not None:
            parts.append(nodes.emphasis("", name))
    return parts


def error_link(id_: str, text: str | None = None) -> pending_xref:
    """Returns a link to the page of a message, to be resolved like the `err` role's."""
    inner = nodes.inline("", text or id_)
    return pending_xref(
        "", inner, refdomain="err", reftype="err", reftarget=id_, refexplicit=text is not None, refwarn=True
    )


class releases(nodes.General, nodes.Element):
    """What came instead of a page's messages in other releases, folded."""


class ShowMessage(SphinxTransform):
    """Puts the messages that a page states below its title."""

    default_priority = 410

    def apply(self, **kwargs: object) -> None:
        page = site_of(self.env).pages.get(self.env.docname)
        title = next(iter(self.document.findall(nodes.title)), None)
        if page and page.errors and title is not None:
            first, *others = [self._block(entry) for entry in page.errors]
            history = [part for entry in page.errors for part in self._history(entry, len(page.errors))]
            folded = [releases("", *history, summary=self._summary(page.errors))] if history else []
            section = title.parent
            section[1:1] = [first, *([faces("", *others)] if others else [])]
            # Behind the cause and the fix, for which most have come.
            parts = (n for n, child in enumerate(section.children) if isinstance(child, nodes.section))
            end = next(parts, len(section.children))
            section[end:end] = folded

    def _block(self, entry: ErrorEntry) -> nodes.paragraph:
        block = nodes.paragraph("", "", *message_nodes(entry.message), classes=["message"], ids=[f"error-{entry.id}"])
        self.document.note_explicit_target(block)
        return block

    def _summary(self, entries: tuple[ErrorEntry, ...]) -> str:
        """In which releases the first message comes in these words."""
        line = site_of(self.env).history.error(entries[0].id)
        when = "in all releases recorded" if line.always else line.short or "in none recorded"
        return f"the message in these words: {when}"

    def _history(self, entry: ErrorEntry, among: int) -> list[nodes.Node]:
        """What came in each range of releases, the newest first."""
        ranges = ranges_of(site_of(self.env).history.error(entry.id))
        head = [nodes.paragraph("", "", nodes.literal("", entry.id))] if among > 1 and ranges else []
        return [*head, ranges] if ranges else []


class ErrorIndex(PlaceOfPages):
    """A table of contents with the messages of each page."""

    place = index


def _visit_faces(self: HTML5Translator, node: faces) -> None:
    number = len(node.children)
    summary = "one more message" if number == 1 else f"{number} more messages"
    self.body.append(f'<details class="faces"><summary>and {summary} of the same cause</summary>\n')


def _depart_faces(self: HTML5Translator, node: faces) -> None:
    self.body.append("</details>\n")


def _visit_releases(self: HTML5Translator, node: releases) -> None:
    self.body.append(f'<details class="releases"><summary>{self.encode(node["summary"])}</summary>\n')


def _depart_releases(self: HTML5Translator, node: releases) -> None:
    self.body.append("</details>\n")


def setup_errors(app: Sphinx) -> None:
    app.add_node(releases, html=(_visit_releases, _depart_releases), **unfolded())
    app.add_node(faces, html=(_visit_faces, _depart_faces), **unfolded())
    app.add_transform(ShowMessage)
