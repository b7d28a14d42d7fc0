"""`{claim-ledger}`: every claim of a folder, of the pages in the `toctree` of a page, or of all, with its link."""

from collections.abc import Iterator

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from render.places import Place, page_link, put
from render.site import site_of
from render.summaries import summaries_of

_LOGGER = logging.getLogger(__name__)


def group_id(name: str) -> str:
    """Returns the anchor of a page's claims in the ledger."""
    return nodes.make_id(f"claims-{name}")


class ledger(Place):
    """Where the claims will stand."""

    def lists(self, env: BuildEnvironment, name: str) -> bool:
        """Whether the claims of a page will stand there."""
        of = self["of"]
        return name in env.toctree_includes[of] if of in env.toctree_includes else name.startswith(of)

    def shows(self, env: BuildEnvironment) -> object:
        summaries = summaries_of(env)
        return [(name, env.titles[name].astext(), summaries[name].digest) for name in self._pages(env)]

    def parts(self, env: BuildEnvironment) -> list[nodes.Node]:
        pages = self._pages(env)
        if not pages:
            _LOGGER.warning("claim-ledger: no page of %r has a claim", self["of"], location=env.docname)
        return [part for name in pages for part in self._page(env, name)]

    def _pages(self, env: BuildEnvironment) -> list[str]:
        """The pages with claims, in the order of the `toctree`, else by their names."""
        names = sorted(name for name in set(site_of(env).claims.values()) if self.lists(env, name))
        return sorted(names, key=env.toctree_includes.get(self["of"], names).index)

    def _page(self, env: BuildEnvironment, name: str) -> Iterator[nodes.Node]:
        strong = nodes.strong("", "", page_link(env, name))
        yield nodes.paragraph("", "", strong, classes=["ledger-page"], ids=[group_id(name)])
        sentences = summaries_of(env)[name].claims
        yield nodes.bullet_list(
            "", *(self._item(env, name, id_, sentences[id_]) for id_ in sentences), classes=["ledger"]
        )

    def _item(self, env: BuildEnvironment, name: str, id_: str, sentence: nodes.Element) -> nodes.list_item:
        sentence = sentence.deepcopy()
        for reference in sentence.findall(pending_xref):
            reference["refdoc"] = env.docname  # or its link would be made for the page it comes from
        link = page_link(env, name, f"claim-{id_}")
        link[:] = [nodes.literal("", id_)]
        return nodes.list_item("", nodes.paragraph("", "", *sentence.children, nodes.Text(" "), link))


class LedgerDirective(SphinxDirective):
    """The claims of a folder, as in `guide/`, of the pages in the `toctree` of a page, or of all pages."""

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        return put(self.env, ledger("", of="".join(self.arguments)))


def setup_ledger(app: Sphinx) -> None:
    app.add_directive("claim-ledger", LedgerDirective)
