"""What becomes of the site's own nodes where nothing can be folded or linked: in a printed copy, say."""

from typing import Any

from docutils import nodes

_OTHER = ("latex", "text", "man", "texinfo", "markdown")


def unfolded() -> dict[str, Any]:
    """Returns the visitors of a node of which other formats show what is inside."""
    return dict.fromkeys(_OTHER, (_pass, _pass))


def left_out() -> dict[str, Any]:
    """Returns the visitors of a node that other formats leave out."""
    return dict.fromkeys(_OTHER, (_skip, None))


def _pass(self: nodes.NodeVisitor, node: nodes.Element) -> None:
    """Shows only what is inside."""


def _skip(self: nodes.NodeVisitor, node: nodes.Element) -> None:
    raise nodes.SkipNode
