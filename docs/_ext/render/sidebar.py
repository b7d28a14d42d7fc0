"""The sidebar lists the pages of the first level, and below them only what leads to the page that is read.

Furo asks for all pages, on each of them: half of what such a page weighs, and of the time that writing it takes.
"""

from collections.abc import Callable
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx


def _cut(app: Sphinx, name: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    if "toctree" in context:
        whole: Callable[..., str] = context["toctree"]
        context["toctree"] = lambda **wanted: whole(**{**wanted, "collapse": True, "maxdepth": 1})


def setup_sidebar(app: Sphinx) -> None:
    app.connect("html-page-context", _cut, priority=400)  # before furo asks
