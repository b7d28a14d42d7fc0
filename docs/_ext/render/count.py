"""`` {count}`claims` ``: a number that the build knows, so that no page has one typed by hand."""

from typing import cast

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxRole

from render.site import Site, site_of


def counts_of(site: Site) -> dict[str, str]:
    """Returns all that can be counted, and the torch that it was checked on."""
    return {
        "claims": f"{len(site.claims):,}",
        "messages": f"{len(site.errors):,}",
        "releases": f"{len(site.history.releases):,}",
        "torch": site.torch,
    }


class CountRole(SphinxRole):
    """One of these numbers."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        cast(set[str], self.env.domaindata["err"]["tables"]).add(self.env.docname)
        counts = counts_of(site_of(self.env))
        if self.text not in counts:
            known = ", ".join(counts)
            return [], [
                self.inliner.reporter.error(f"{self.text!r} is not counted; known are {known}", line=self.lineno)
            ]
        return [nodes.Text(counts[self.text])], []


def setup_count(app: Sphinx) -> None:
    app.add_role("count", CountRole())
