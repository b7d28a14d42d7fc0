"""`redirects` in conf.py: where a page that has moved is found now.

sphinx-reredirects writes a page in its old place.
"""

from pathlib import Path
from posixpath import dirname, join, normpath

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

_LOGGER = logging.getLogger(__name__)


def _check(app: Sphinx, env: BuildEnvironment) -> None:
    """Warns of a page that leads nowhere, and of one that stands in the place of another."""
    for old, new in app.config.redirects.items():
        target = normpath(join(dirname(old), new.partition("#")[0]))
        if target not in {app.builder.get_target_uri(name) for name in env.found_docs}:
            _LOGGER.warning("redirects: %r leads to %r, and there is no such page", old, target, type="redirects")
        if old in env.found_docs:
            _LOGGER.warning("redirects: there is a page %r, so nothing can lead from it", old, type="redirects")


def setup_redirects(app: Sphinx) -> None:
    app.setup_extension("sphinx_reredirects")
    if not app.config.redirect_html_template_file:  # its own page needs a script within the page
        app.config.redirect_html_template_file = str(Path(__file__).with_name("redirect.html"))
    app.connect("env-check-consistency", _check)
