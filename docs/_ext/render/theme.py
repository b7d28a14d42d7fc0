"""What the site changes of its theme, furo: some templates, which scripts a page loads, its styles and its policy."""

import os
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config

from render.policy import state_policy, write_headers
from render.stylesheet import FILE, join, remove_joined

_OF_THE_SEARCH = {"_static/doctools.js", "_static/documentation_options.js", "_static/sphinx_highlight.js"}
"""Scripts that only Sphinx's search needs.

On other pages they would mark each word that was searched for, which is a whole traceback here, and take the key `/`
for themselves, which WCAG 2.1.4 does not allow.
"""

_AFTER_FURO = 900
"""The priority of what needs furo to have done its part: naming the colours of code, writing `pygments.css` anew."""


def _change(app: Sphinx, config: Config) -> None:
    """Other themes stay as they are: a comparison with them would not be one."""
    if config.html_theme == "furo":
        # Relative, since Sphinx writes a digest of the settings into the site, which is the same wherever it is built.
        templates = os.path.relpath(Path(__file__).parent / "templates", app.confdir)
        config.templates_path = [*config.templates_path, templates]
        app.add_css_file(FILE)
        app.add_js_file("scroll.js", loading_method="defer")
        app.connect("html-page-context", _leave_out_scripts)
        app.connect("html-page-context", state_policy)
        app.connect("html-page-context", join, _AFTER_FURO)
        app.connect("build-finished", write_headers)
        app.connect("build-finished", remove_joined, _AFTER_FURO)


def _leave_out_scripts(
    app: Sphinx, name: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    if name != "search":
        context["script_files"] = [file for file in context["script_files"] if file.filename not in _OF_THE_SEARCH]


def setup_theme(app: Sphinx) -> None:
    app.connect("config-inited", _change)
