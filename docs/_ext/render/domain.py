"""The `err` domain: error messages and claims as things that can be linked, on this site and from others."""

from collections.abc import Iterable, Set
from typing import ClassVar

from docutils import nodes
from docutils.nodes import Element
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.domains import Domain, ObjType
from sphinx.environment import BuildEnvironment
from sphinx.roles import XRefRole
from sphinx.util.nodes import make_refnode

from render.claims import ClaimDirective
from render.data import data_of
from render.errors import ErrorIndex
from render.site import site_of
from render.summaries import summary_of

_KINDS = {"err": "error", "claim": "claim"}
"""What each role links to; the first word of the anchor."""


class ErrDomain(Domain):
    """Error messages and claims. Both are known from the pages, which were read before Sphinx reads them."""

    name = "err"
    label = "Autograd errors and claims"
    object_types: ClassVar = {"error": ObjType("error message", "err"), "claim": ObjType("claim", "claim")}
    directives: ClassVar = {"claim": ClaimDirective, "error-index": ErrorIndex}
    roles: ClassVar = {
        "err": XRefRole(warn_dangling=True, innernodeclass=nodes.inline),
        "claim": XRefRole(warn_dangling=True, innernodeclass=nodes.inline),
    }
    initial_data: ClassVar = {"places": {}, "shown": {}, "left": {}, "summaries": {}}
    dangling_warnings: ClassVar = {
        "err": "no page states an error message with the id '%(target)s'",
        "claim": "no page has a claim with the id '%(target)s'",
    }

    def process_doc(self, env: BuildEnvironment, docname: str, document: nodes.document) -> None:
        if page := site_of(env).pages.get(docname):
            data_of(env)["summaries"][docname] = summary_of(page, document)

    def clear_doc(self, docname: str) -> None:
        for kind in self.initial_data:
            self.data[kind].pop(docname, None)

    def merge_domaindata(self, docnames: Set[str], otherdata: dict[str, dict[str, object]]) -> None:
        for kind in self.initial_data:
            self.data[kind] |= {name: known for name, known in otherdata[kind].items() if name in docnames}

    def get_objects(self) -> Iterable[tuple[str, str, str, str, str, int]]:
        site = site_of(self.env)
        for id_, page in site.claims.items():
            yield id_, id_, "claim", page, f"claim-{id_}", 1
        for id_, page in site.error_pages.items():
            yield id_, str(site.errors[id_].message), "error", page, f"error-{id_}", 1

    def resolve_xref(
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        typ: str,
        target: str,
        node: pending_xref,
        contnode: Element,
    ) -> nodes.reference | None:
        site = site_of(env)
        page = (site.claims if typ == "claim" else site.error_pages).get(target)
        if page is None:
            return None
        text: Element = contnode
        title = None
        if not node["refexplicit"] and typ == "claim":
            text, title = nodes.inline("", "✓", classes=["claim-ref"]), f"Claim: {target}"
        elif not node["refexplicit"]:
            text = nodes.inline("", env.titles[page].astext(), classes=["err"])
        return make_refnode(builder, fromdocname, page, f"{_KINDS[typ]}-{target}", text, title)

    def resolve_any_xref(
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        target: str,
        node: pending_xref,
        contnode: Element,
    ) -> list[tuple[str, nodes.reference]]:
        found = (
            (role, self.resolve_xref(env, fromdocname, builder, role, target, node, contnode)) for role in self.roles
        )
        return [(f"err:{role}", reference) for role, reference in found if reference is not None]


def setup_domain(app: Sphinx) -> None:
    app.add_domain(ErrDomain)
