"""Pages with code or with a message have buttons that copy it: `_static/copy.js`, which also copies a claim's link."""

from docutils import nodes
from sphinx.application import Sphinx

SCRIPT = "copy.js"


def _add_script(
    app: Sphinx, name: str, template: str, context: dict[str, object], doctree: nodes.document | None
) -> None:
    """Only the pages that have something to copy load the script."""
    if doctree is not None and next(iter(doctree.findall(_is_copied)), None) is not None:
        app.add_js_file(SCRIPT, loading_method="defer")


def _is_copied(node: nodes.Node) -> bool:
    return isinstance(node, nodes.literal_block) or (isinstance(node, nodes.paragraph) and "message" in node["classes"])


def setup_copying(app: Sphinx) -> None:
    app.connect("html-page-context", _add_script)
