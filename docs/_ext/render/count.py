"""`` {count}`claims` ``: a number that the build knows, so that no page has one typed by hand."""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxRole

from render.places import Place, put
from render.site import Site, site_of


def counts_of(site: Site) -> dict[str, str]:
    """Returns all that can be counted, and the torch that it was checked on."""
    return {
        "claims": f"{len(site.claims):,}",
        "messages": f"{len(site.errors):,}",
        "releases": f"{len(site.history.releases):,}",
        "torch": site.torch,
    }


class count(Place):
    """Where one of these numbers will stand."""

    def shows(self, env: BuildEnvironment) -> object:
        return counts_of(site_of(env))[self["of"]]

    def parts(self, env: BuildEnvironment) -> list[nodes.Node]:
        return [nodes.Text(counts_of(site_of(env))[self["of"]])]


class CountRole(SphinxRole):
    """One of these numbers."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        known = counts_of(site_of(self.env))
        if self.text not in known:
            problem = f"{self.text!r} is not counted; known are {', '.join(known)}"
            return [], [self.inliner.reporter.error(problem, line=self.lineno)]
        return put(self.env, count("", of=self.text)), []


def setup_count(app: Sphinx) -> None:
    app.add_role("count", CountRole())
