"""The pages as Sphinx has read them, for what is made from all of them when they are written: each is loaded once."""

from collections.abc import Mapping
from typing import cast

from docutils import nodes
from sphinx.application import Sphinx

from render.site import site_of

KEPT = "proof_documents"


def documents_of(app: Sphinx) -> Mapping[str, nodes.document]:
    """Returns every page's document by its name, as it was read; to look at, not to change."""
    if not hasattr(app, KEPT):
        names = [name for name in site_of(app.env).pages if name in app.env.all_docs]
        setattr(app, KEPT, {name: app.env.get_doctree(name) for name in names})
    return cast(Mapping[str, nodes.document], getattr(app, KEPT))
