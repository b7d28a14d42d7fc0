"""`{versions}`: all pages in all releases, from the records alone."""

from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from record.history import Line
from render.places import Place, page_link, put
from render.site import Site, site_of
from render.tables import entry_of, measured

_CAPTION = "How many of a page's claims and messages hold; ✓ where all do"


def row_id(name: str) -> str:
    """Returns the anchor of a page's row in the table."""
    return nodes.make_id(f"versions-{name}")


class matrix(Place):
    """Where the table of all pages in all releases will stand."""

    def shows(self, env: BuildEnvironment) -> object:
        site = site_of(env)
        return [(name, env.titles[name].astext(), past) for name, past in site.past.items()]

    def parts(self, env: BuildEnvironment) -> list[nodes.Node]:
        site = site_of(env)
        rows = list(self._rows(env, site))
        if not rows:
            return [nodes.paragraph("", "No release is recorded; `nox -s record -- 1.8.1` records one.")]
        return [*measured(["page", "changed", *site.history.releases[::-1]], rows, _CAPTION, "matrix")]

    def _rows(self, env: BuildEnvironment, site: Site) -> Iterator[list[nodes.entry]]:
        order = site.history.releases.index
        for name in site.pages:
            lines = [line for line in site.lines(name) if line.outcomes]
            if lines:
                changed = sorted({range_.first for line in lines for range_ in line.ranges[1:]}, key=order)
                said = f"changed in {', '.join(changed)}" if changed else "never"
                cells = [entry_of([nodes.Text(_share(lines, torch))]) for torch in site.history.releases[::-1]]
                head = entry_of([page_link(env, name)])
                head["ids"].append(row_id(name))
                yield [head, entry_of([nodes.Text(said)]), *cells]


class VersionsDirective(SphinxDirective):
    """A table with a row a page and a column a release, the newest first."""

    def run(self) -> list[nodes.Node]:
        return put(self.env, matrix(""))


def _share(lines: list[Line], torch: str) -> str:
    """How many hold in a release, of how many that were recorded in it."""
    words = [outcome.word for line in lines for release, outcome in line.outcomes if release == torch]
    holding = words.count("holds")
    return "–" if not words else "✓" if holding == len(words) else f"{holding}/{len(words)}"


def setup_matrix(app: Sphinx) -> None:
    app.add_directive("versions", VersionsDirective)
