"""`sitemap.xml` and `robots.txt`, where the site's address is known.

sphinx-sitemap lists pages in the order in which its processes end; two builds of this site are the same,
byte for byte.
"""

from html import escape
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder

from render.heads import address_of

SITEMAP, ROBOTS = "sitemap.xml", "robots.txt"


def _write(app: Sphinx, exception: Exception | None) -> None:
    if exception is not None or not app.config.html_baseurl or not isinstance(app.builder, StandaloneHTMLBuilder):
        return
    names = sorted(name for name in app.env.found_docs if "orphan" not in app.env.metadata[name])
    addresses = [escape(address_of(app, app.builder.get_target_uri(name))) for name in names]
    lines = [f"<url><loc>{address}</loc></url>" for address in addresses]
    head = '<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    Path(app.outdir, SITEMAP).write_text("\n".join([head, *lines, "</urlset>\n"]), "utf-8")
    Path(app.outdir, ROBOTS).write_text(f"User-agent: *\nSitemap: {address_of(app, SITEMAP)}\n", "utf-8")


def setup_sitemap(app: Sphinx) -> None:
    app.connect("build-finished", _write)
