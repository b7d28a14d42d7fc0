"""Buttons that copy code and messages: `_static/copy.js`, which also copies a claim's link.

Every page loads it, so that who comes to a second one has it.
"""

from sphinx.application import Sphinx

SCRIPT = "copy.js"


def setup_copying(app: Sphinx) -> None:
    app.add_js_file(SCRIPT, loading_method="defer")
