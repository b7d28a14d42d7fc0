"""`{versions}`: all pages in all releases, from the records alone."""

from collections.abc import Iterator
from typing import cast

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

from record.history import Line
from render.site import Site, site_of
from render.tables import entry_of, measured

_CAPTION = "How many of a page's claims and messages hold; ✓ where all do"


class matrix(nodes.General, nodes.Element):
    """Where the table of all pages in all releases will stand."""


class VersionsDirective(SphinxDirective):
    """A table with a row a page and a column a release, the newest first."""

    def run(self) -> list[nodes.Node]:
        cast(set[str], self.env.domaindata["err"]["histories"]).add(self.env.docname)
        return [matrix("")]


class FillMatrix(SphinxPostTransform):
    """Puts in what the records say."""

    default_priority = 5  # beside the other lists that are made from all pages

    def run(self, **kwargs: object) -> None:
        site = site_of(self.env)
        for place in list(self.document.findall(matrix)):
            rows = list(self._rows(site))
            names = ["page", "changed", *site.history.releases[::-1]]
            none = nodes.paragraph("", "No release is recorded; `nox -s record -- 1.8.1` records one.")
            place.replace_self(measured(self.document, names, rows, _CAPTION, "matrix") if rows else none)

    def _rows(self, site: Site) -> Iterator[list[nodes.entry]]:
        order = site.history.releases.index
        for name in site.pages:
            lines = [line for line in site.lines(name) if line.outcomes]
            if lines:
                changed = sorted({range_.first for line in lines for range_ in line.ranges[1:]}, key=order)
                said = f"changed in {', '.join(changed)}" if changed else "never"
                cells = [entry_of([nodes.Text(_share(lines, torch))]) for torch in site.history.releases[::-1]]
                yield [entry_of([self._link(name)]), entry_of([nodes.Text(said)]), *cells]

    def _link(self, name: str) -> nodes.reference:
        uri = self.env._app.builder.get_relative_uri(self.env.docname, name)
        return nodes.reference("", self.env.titles[name].astext(), internal=True, refuri=uri)


def _share(lines: list[Line], torch: str) -> str:
    """How many hold in a release, of how many that were recorded in it."""
    words = [outcome.word for line in lines for release, outcome in line.outcomes if release == torch]
    holding = words.count("holds")
    return "–" if not words else "✓" if holding == len(words) else f"{holding}/{len(words)}"


def setup_matrix(app: Sphinx) -> None:
    app.add_node(matrix)
    app.add_directive("versions", VersionsDirective)
    app.add_post_transform(FillMatrix)
