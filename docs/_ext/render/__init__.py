"""The Sphinx side: what the words that an author types become on a page.

Nothing here imports torch; what it knows of it comes from `proof`, or from the files of the installed package.
"""

import zlib
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from render.asked import setup_asked
from render.box import setup_box
from render.checks import setup_checks
from render.claims import setup_claims
from render.domain import setup_domain
from render.downloads import setup_downloads
from render.errors import setup_errors
from render.examples import setup_examples
from render.export import setup_export
from render.history import setup_history
from render.markdown import setup_markdown
from render.matrix import setup_matrix
from render.outputs import setup_outputs
from render.releases import setup_releases
from render.source import setup_source
from render.tables import setup_tables
from render.theme import setup_theme
from render.versions import setup_versions


def setup(app: Sphinx) -> ExtensionMetadata:
    """Sets up every part of the site."""
    setup_versions(app)
    setup_checks(app)
    setup_domain(app)
    setup_asked(app)
    setup_box(app)
    setup_claims(app)
    setup_downloads(app)
    setup_errors(app)
    setup_examples(app)
    setup_export(app)
    setup_history(app)
    setup_markdown(app)
    setup_matrix(app)
    setup_outputs(app)
    setup_releases(app)
    setup_source(app)
    setup_tables(app)
    setup_theme(app)
    return {"version": "1", "env_version": _version(), "parallel_read_safe": True, "parallel_write_safe": True}


def _version() -> int:
    """A number that changes with these modules, so that Sphinx reads all pages anew with other ones."""
    modules = sorted(Path(__file__).parents[1].rglob("*.py"))
    return zlib.crc32(b"\0".join(path.read_bytes() for path in modules))
