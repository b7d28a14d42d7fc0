"""The foot of a page with cells: what it was checked on, since when all of it holds, and its files to take along."""

from collections.abc import Iterator
from html import escape

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder

from proof.page import Page
from record.history import Line
from render.downloads import files_of, has_files
from render.ledger import group_id, ledger
from render.matrix import matrix, row_id
from render.places import page_with
from render.site import site_of


def _add_foot(
    app: Sphinx, name: str, template: str, context: dict[str, object], doctree: nodes.document | None
) -> None:
    """Puts the foot below a page when its HTML is written. A page that does not hold has none."""
    if doctree is not None and has_files(site_of(app.env), name) and isinstance(app.builder, StandaloneHTMLBuilder):
        context["body"] = f'{context["body"]}<p class="foot">{" · ".join(_parts(app, name))}</p>\n'


def _parts(app: Sphinx, name: str) -> Iterator[str]:
    site = site_of(app.env)
    page, line = site.pages[name], site.line(name)
    yield f"Checked on torch {escape(site.torch)}"
    if page.claims:
        listed = page_with(app.env, lambda place: isinstance(place, ledger) and place.lists(app.env, name))
        yield _link(app, name, listed, group_id(name), _number(page))
    if site.lines(name):
        table = page_with(app.env, lambda place: isinstance(place, matrix)) if line.outcomes else None
        yield _link(app, name, table, row_id(name), said_of(line))
    yield f"this page as {_links(files_of(app, name))}"


def said_of(line: Line) -> str:
    """Returns in a few words on which releases all of a page holds."""
    if line.always:
        return f"all of it holds on {line.outcomes[0][0]} to {line.outcomes[-1][0]}"
    return f"all of it holds {line.short}" if line.short else line.long


def _number(page: Page) -> str:
    return "1 claim" if len(page.claims) == 1 else f"{len(page.claims)} claims"


def _link(app: Sphinx, name: str, page: str | None, anchor: str, text: str) -> str:
    """The text as a link to a place on another page, if there is one."""
    if page is None:
        return escape(text)
    return f'<a href="{escape(app.builder.get_relative_uri(name, page))}#{anchor}">{escape(text)}</a>'


def _links(files: list[tuple[str, str]]) -> str:
    return ", ".join(
        f'<a href="{escape(address)}"{"" if ":" in address else " download"}>{text}</a>' for text, address in files
    )


def setup_foot(app: Sphinx) -> None:
    app.connect("html-page-context", _add_foot)
