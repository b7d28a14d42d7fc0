"""The Sphinx side: what the words that an author types become on a page.

Nothing here imports torch; what it knows of it comes from `proof`, or from the files of the installed package.
"""

import gc
import zlib
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from render.asked import setup_asked
from render.box import setup_box
from render.checks import setup_checks
from render.claims import setup_claims
from render.code import setup_code
from render.copying import setup_copying
from render.count import setup_count
from render.domain import setup_domain
from render.downloads import setup_downloads
from render.errors import setup_errors
from render.examples import setup_examples
from render.export import setup_export
from render.foot import setup_foot
from render.heads import setup_heads
from render.history import setup_history
from render.later import setup_later
from render.ledger import setup_ledger
from render.markdown import setup_markdown
from render.matrix import setup_matrix
from render.names import setup_names
from render.outputs import setup_outputs
from render.path import setup_path
from render.places import setup_places
from render.redirects import setup_redirects
from render.releases import setup_releases
from render.search import setup_search
from render.sidebar import setup_sidebar
from render.sitemap import setup_sitemap
from render.source import setup_source
from render.tables import setup_tables
from render.theme import setup_theme
from render.versions import setup_versions

_GARBAGE = 200_000
"""After how many new objects Python looks for cycles among them. A build makes millions that live until its end: with
Python's own number, 700, a quarter of a build that changes one page goes into looking at them again and again."""


def setup(app: Sphinx) -> ExtensionMetadata:
    """Sets up every part of the site."""
    gc.set_threshold(_GARBAGE)
    setup_versions(app)
    setup_checks(app)
    setup_code(app)
    setup_copying(app)
    setup_count(app)
    setup_domain(app)
    setup_asked(app)
    setup_box(app)
    setup_claims(app)
    setup_downloads(app)
    setup_errors(app)
    setup_examples(app)
    setup_export(app)
    setup_heads(app)
    setup_foot(app)
    setup_history(app)
    setup_later(app)
    setup_ledger(app)
    setup_markdown(app)
    setup_matrix(app)
    setup_names(app)
    setup_outputs(app)
    setup_places(app)
    setup_redirects(app)
    setup_path(app)
    setup_releases(app)
    setup_search(app)
    setup_sidebar(app)
    setup_sitemap(app)
    setup_source(app)
    setup_tables(app)
    setup_theme(app)
    return {"version": "1", "env_version": _version(), "parallel_read_safe": True, "parallel_write_safe": True}


def _version() -> int:
    """A number that changes with these modules, so that Sphinx reads all pages anew with other ones."""
    modules = sorted(Path(__file__).parents[1].rglob("*.py"))
    return zlib.crc32(b"\0".join(path.read_bytes() for path in modules))
