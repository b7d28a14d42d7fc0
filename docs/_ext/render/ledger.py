"""`{claim-ledger}`: every claim of a folder, or of all pages, with its link."""

from collections.abc import Iterator

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from render.places import Place, page_link, put
from render.site import site_of
from render.summaries import summaries_of


def group_id(name: str) -> str:
    """Returns the anchor of a page's claims in the ledger."""
    return nodes.make_id(f"claims-{name}")


class ledger(Place):
    """Where the claims will stand."""

    def lists(self, name: str) -> bool:
        """Whether the claims of a page will stand there."""
        return name.startswith(self["folder"])

    def shows(self, env: BuildEnvironment) -> object:
        summaries = summaries_of(env)
        return [(name, env.titles[name].astext(), summaries[name].digest) for name in self._pages(env)]

    def parts(self, env: BuildEnvironment) -> list[nodes.Node]:
        return [part for name in self._pages(env) for part in self._page(env, name)]

    def _pages(self, env: BuildEnvironment) -> list[str]:
        return sorted(filter(self.lists, set(site_of(env).claims.values())))

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
    """The claims of a folder, or of all pages where none is named."""

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        return put(self.env, ledger("", folder="".join(self.arguments)))


def setup_ledger(app: Sphinx) -> None:
    app.add_directive("claim-ledger", LedgerDirective)
