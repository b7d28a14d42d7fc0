"""What came in another release, in words: the outcomes of a record as nodes of a page."""

from docutils import nodes
from sphinx.addnodes import pending_xref

from record.history import Line
from record.outcome import Outcome, Word

_WORDS: dict[Word, str] = {
    "holds": "as on the page",
    "no error": "nothing is raised",
    "other text": "",
    "other value": "another value: ",
    "raised": "raises ",
    "cannot run": "not there: ",
}


def said(outcome: Outcome) -> list[nodes.Node]:
    """Returns what came, as inline nodes."""
    parts: list[nodes.Node] = [nodes.Text(_WORDS[outcome.word])] if _WORDS[outcome.word] else []
    if outcome.word == "other value":
        test, _, values = outcome.got.partition(": ")[2].partition("; ")
        return [
            *parts,
            nodes.literal("", values or test),
            *([nodes.Text(" in "), nodes.literal("", test)] if values else []),
        ]
    return [*parts, nodes.literal("", outcome.got)] if outcome.got else parts


def ranges_of(line: Line) -> nodes.bullet_list | None:
    """Returns what came in each range of releases, the newest first, or None where nothing was recorded."""
    items = [
        nodes.list_item("", nodes.paragraph("", "", nodes.Text(f"torch {range_}: "), *said(range_.outcome)))
        for range_ in line.ranges[::-1]
    ]
    return nodes.bullet_list("", *items, classes=["history"]) if items else None


def claim_link(id_: str) -> pending_xref:
    """Returns a link to a claim, to be resolved like the `claim` role's."""
    inner = nodes.inline("", id_)
    return pending_xref("", inner, refdomain="err", reftype="claim", reftarget=id_, refexplicit=True, refwarn=True)
