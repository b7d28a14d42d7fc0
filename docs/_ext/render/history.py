"""`{history}`: what became of a claim or a message in other releases, where a page tells of it."""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from record.history import Line
from render.places import Place, put
from render.said import ranges_of
from render.site import site_of


class history(Place):
    """Where the ranges of releases will stand in which the same came."""

    def shows(self, env: BuildEnvironment) -> object:
        return self._line(env).ranges

    def parts(self, env: BuildEnvironment) -> list[nodes.Node]:
        none = nodes.paragraph("", "This page has changed since it was replayed on other releases.")
        return [ranges_of(self._line(env)) or none]

    def _line(self, env: BuildEnvironment) -> Line:
        site, id_ = site_of(env), self["of"]
        return site.history.claim(id_) if id_ in site.claims else site.history.error(id_)


class HistoryDirective(SphinxDirective):
    """The ranges of releases in which the same came."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        site, (id_,) = site_of(self.env), self.arguments
        if id_ not in site.claims and id_ not in site.errors:
            raise self.error(f"no page has a claim or a message with the id '{id_}'")
        return put(self.env, history("", of=id_))


def setup_history(app: Sphinx) -> None:
    app.add_directive("history", HistoryDirective)
