"""What other pages and files show of each page, taken from it when Sphinx reads it.

A build that changes one page so needs no other page's document.
"""

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from proof.page import Page
from render.answers import Answer, answer_of
from render.claims import claim, tick
from render.data import data_of
from render.opening import opening_of
from render.site import site_of
from render.words import Words, words_of


@dataclass(frozen=True)
class Summary:
    """What is shown of a page elsewhere."""

    claims: Mapping[str, nodes.Element]
    """Each claim's sentence."""
    digest: str
    """What tells these sentences from others."""
    links: frozenset[str]
    """The ids of the messages that it links."""
    answer: Answer
    opening: nodes.Element
    """What it says of itself."""
    words: Words


def summary_of(page: Page, document: nodes.document) -> Summary:
    """Returns the summary of a page from its document, as it was read."""
    links = (link for link in document.findall(pending_xref) if link["reftype"] == "err")
    claims = {node["claim"]: _sentence(node) for node in document.findall(claim)}
    told = "".join(f"{id_}\n{sentence.pformat()}" for id_, sentence in claims.items())
    return Summary(
        claims=claims,
        digest=hashlib.sha256(told.encode()).hexdigest()[:12],
        links=frozenset(link["reftarget"] for link in links),
        answer=answer_of(page, document),
        opening=_alone(nodes.inline("", "", *opening_of(document), classes=["says"])),
        words=words_of(document),
    )


def _sentence(node: claim) -> nodes.Element:
    """The claim's first paragraph without its tick."""
    children = node.children[0].children if node.children else []
    return _alone(nodes.inline("", "", *(child.deepcopy() for child in children if not isinstance(child, tick))))


def _alone(element: nodes.Element) -> nodes.Element:
    """The element without its document, which would be kept with it."""
    for part in element.findall():
        part.document = None  # type: ignore[assignment]
    return element


def summaries_of(env: BuildEnvironment) -> Mapping[str, Summary]:
    """Returns the summary of every page, by its name."""
    return data_of(env)["summaries"]


def most_linked(app: Sphinx) -> list[tuple[str, str]]:
    """Returns the id and the page of every message, those first whose pages most others link.

    Of messages that fit a text alike, the one that is met more often is so offered first.
    """
    pages = site_of(app.env).error_pages
    linked = Counter(
        page
        for name, summary in summaries_of(app.env).items()
        for page in {pages.get(id_) for id_ in summary.links} - {name, None}
    )
    return sorted(pages.items(), key=lambda item: (-linked[item[1]], item[0]))
