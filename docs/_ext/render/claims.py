"""`{claim}`: a sentence as running text, a tick beside it, its proof folded below; and the ledger of all claims."""

from typing import ClassVar, cast

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator

from render.folds import left_out, unfolded
from render.history import ranges_of
from render.site import site_of

LEDGER = "ledger"
"""Where the domain keeps the names of the pages that have the ledger."""


def group_id(name: str) -> str:
    """Returns the anchor of a page's claims in the ledger."""
    return nodes.make_id(f"claims-{name}")


class claim(nodes.General, nodes.Element):
    """A claim: its paragraphs, with a tick at the end of the last one."""


class tick(nodes.Inline, nodes.Element):
    """The mark beside a claim: names the torch it was checked on, and is its permanent link."""


class proof(nodes.General, nodes.Element):
    """The cell that proves a claim."""


class ledger(nodes.General, nodes.Element):
    """Where the table of all claims will stand."""


class ClaimDirective(SphinxDirective):
    """A sentence that the code cell after it proves."""

    optional_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar = {"open": directives.flag}
    has_content = True

    def run(self) -> list[nodes.Node]:
        id_ = "".join(self.arguments)
        page = site_of(self.env).pages.get(self.env.docname)
        if page is None or id_ not in (claim.id for claim in page.claims):
            return self.parse_content_to_nodes()  # what is wrong with it was reported when the page was judged
        node = claim("", *self.parse_content_to_nodes(), ids=[f"claim-{id_}"], claim=id_, open="open" in self.options)
        self.set_source_info(node)
        self.state.document.note_explicit_target(node)
        return [node]


class FoldProofs(SphinxTransform):
    """Puts the cell after a claim under it, and the tick at the claim's end."""

    default_priority = 500

    def apply(self, **kwargs: object) -> None:
        site = site_of(self.env)
        verdict = site.verdicts.get(self.env.docname)
        failed = (
            {check.cell.claim.id for check in verdict.checks if check.problems and check.cell.claim} if verdict else ()
        )
        for node in list(self.document.findall(claim)):
            last = node.children[-1] if node.children else None
            line = site.history.claim(node["claim"])
            mark = tick("", claim=node["claim"], torch=site.torch, holds=node["claim"] not in failed)
            mark["short"], mark["long"] = line.short, line.long
            (last if isinstance(last, nodes.paragraph) else node).append(mark)
            cell = node.next_node(nodes.container, descend=False, siblings=True)
            if cell is not None and cell.get("nb_element") == "cell_code":
                ranges = ranges_of(line) if line.otherwise else None
                parts = [cell.deepcopy(), *([ranges] if ranges else [])]
                cell.replace_self(proof("", *parts, open=node["open"], claim=node["claim"]))


class ClaimLedger(SphinxDirective):
    """A table of every claim, where it stands and the torch it was checked on."""

    def run(self) -> list[nodes.Node]:
        for kind in ("tables", LEDGER):
            cast(set[str], self.env.domaindata["err"][kind]).add(self.env.docname)
        return [ledger("")]


class FillLedger(SphinxPostTransform):
    """Replaces the ledger's place by the claims as they stand on their pages."""

    default_priority = 5  # before references are resolved: the sentences hold some

    def run(self, **kwargs: object) -> None:
        for place in list(self.document.findall(ledger)):
            site = site_of(self.env)
            parts: list[nodes.Node] = [
                nodes.paragraph("", f"{len(site.claims)} claims, checked on torch {site.torch}.")
            ]
            for name in sorted(set(site.claims.values())):
                parts += self._page(name)
            place.replace_self(parts)

    def _page(self, name: str) -> list[nodes.Node]:
        heading = nodes.paragraph(
            "", "", nodes.strong("", self.env.titles[name].astext()), classes=["ledger-page"], ids=[group_id(name)]
        )
        items = [self._item(name, node) for node in self.env.get_doctree(name).findall(claim)]
        return [heading, nodes.bullet_list("", *items, classes=["ledger"])]

    def _item(self, name: str, node: claim) -> nodes.list_item:
        builder = self.env._app.builder
        uri = builder.get_relative_uri(self.env.docname, name) + f"#claim-{node['claim']}"
        sentence = nodes.paragraph(
            "", "", *(child.deepcopy() for child in node.children[0].children if not isinstance(child, tick))
        )
        link = nodes.reference("", "", nodes.literal("", node["claim"]), internal=True, refuri=uri)
        sentence += [nodes.Text(" "), link]
        return nodes.list_item("", sentence)


def _visit_claim(self: HTML5Translator, node: claim) -> None:
    self.body.append(self.starttag(node, "div", CLASS="claim"))


def _depart_claim(self: HTML5Translator, node: claim) -> None:
    self.body.append("</div>\n")


def _visit_tick(self: HTML5Translator, node: tick) -> None:
    said = f"checked on torch {node['torch']}" if node["holds"] else f"does not hold on torch {node['torch']}"
    label = self.attval(f"Link to this claim, {said}; {node['long']}")
    mark, kind = ("✓", "tick") if node["holds"] else ("✗", "tick failed")
    link = f'<a class="{kind}" href="#claim-{node["claim"]}" title="{label}" aria-label="{label}">{mark}</a>'
    self.body.append(link + (f' <small class="since">{node["short"]}</small>' if node["short"] else ""))
    raise nodes.SkipNode


def _visit_proof(self: HTML5Translator, node: proof) -> None:
    state = " open" if node["open"] else ""
    self.body.append(f'<details class="proof"{state}><summary>proof</summary>\n')


def _depart_proof(self: HTML5Translator, node: proof) -> None:
    self.body.append("</details>\n")


def setup_claims(app: Sphinx) -> None:
    app.add_node(claim, html=(_visit_claim, _depart_claim), **unfolded())
    app.add_node(proof, html=(_visit_proof, _depart_proof), **unfolded())
    app.add_node(tick, html=(_visit_tick, None), **left_out())
    app.add_transform(FoldProofs)
    app.add_post_transform(FillLedger)
