"""`{history}`: what became of a claim or a message in other releases, where a page tells of it."""

from typing import cast

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from record.history import Line
from render.said import said
from render.site import site_of


def ranges_of(line: Line) -> nodes.bullet_list | None:
    """Returns what came in each range of releases, the newest first, or None where nothing was recorded."""
    items = [
        nodes.list_item("", nodes.paragraph("", "", nodes.Text(f"torch {range_}: "), *said(range_.outcome)))
        for range_ in line.ranges[::-1]
    ]
    return nodes.bullet_list("", *items, classes=["history"]) if items else None


class HistoryDirective(SphinxDirective):
    """The ranges of releases in which the same came."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        cast(set[str], self.env.domaindata["err"]["histories"]).add(self.env.docname)
        site, (id_,) = site_of(self.env), self.arguments
        if id_ not in site.claims and id_ not in site.errors:
            raise self.error(f"no page has a claim or a message with the id '{id_}'")
        line = site.history.claim(id_) if id_ in site.claims else site.history.error(id_)
        return [
            ranges_of(line) or nodes.paragraph("", "This page has changed since it was replayed on other releases.")
        ]


def setup_history(app: Sphinx) -> None:
    app.add_directive("history", HistoryDirective)
