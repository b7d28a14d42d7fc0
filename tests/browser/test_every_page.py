"""Every page, in a real browser, in both themes: nothing to complain of."""

from pathlib import Path

import pytest
from browser.conftest import PAGES
from browser.server import serve
from browser.walk import Seen, Walk


def test_all_pages(walked: dict[str, Seen]) -> None:
    """Every page was looked at."""
    assert len(PAGES) > 250
    assert sorted(walked) == PAGES


def test_browser_is_content(walked: dict[str, Seen]) -> None:
    """No error or warning in the console, and no request that failed."""
    found = [f"{name}: {what}" for name, seen in walked.items() for what in seen.complaints]

    assert not found, "\n".join(found)


def test_nothing_from_elsewhere(walked: dict[str, Seen], address: str) -> None:
    """A page asks for nothing from another host."""
    own = (address, "data:")
    foreign = [f"{name}: {url}" for name, seen in walked.items() for url in seen.requests if not url.startswith(own)]

    assert all(seen.requests for seen in walked.values())
    assert not foreign, "\n".join(foreign)


@pytest.mark.parametrize("by", ["rules", "light", "dark"])
def test_axe(by: str, walked: dict[str, Seen]) -> None:
    """axe finds nothing against WCAG 2.2 at A and AA, nor against good practice, in the colours of either theme."""
    found = [f"{name}: {what}" for name, seen in walked.items() for what in getattr(seen, by)]

    assert not found, "\n".join(found)


def test_phone(walked: dict[str, Seen]) -> None:
    """At 360 pixels no page scrolls sideways: what is wide scrolls inside itself."""
    found = [f"{name}: {what}" for name, seen in walked.items() for what in seen.wide]

    assert not found, "\n".join(found)


BAD = """<!doctype html><html lang="en"><head><title>Bad</title><style>
body { margin: 0; background: white } p { color: black } a { color: #111; text-decoration: none }
@media (prefers-color-scheme: dark) { body { background: black } p { color: #111 } a { color: #ddd } }
</style></head><body class="content"><main><h1>Bad</h1><img src="missing.png">
<p>Some words around <a href="#">a link</a> of their colour.</p>
<div style="width: 400px; height: 1px"></div><script src="http://elsewhere.invalid/"></script>
<script>console.warn("warned"); throw new Error("thrown");</script></main></body></html>"""


def test_walk_sees(tmp_path: Path) -> None:
    """All that the walk looks for is found on a page that has it."""
    (tmp_path / "bad.html").write_text(BAD, "utf-8")
    with serve(tmp_path) as address:
        seen = Walk(address, ["bad.html"]).walk()["bad.html"]
    complaints = "\n".join(seen.complaints)

    assert all(word in complaints for word in ("missing.png", "elsewhere.invalid", "warned", "thrown"))
    assert "http://elsewhere.invalid/" in seen.requests
    assert [found.partition(":")[0] for found in seen.rules] == ["image-alt"]
    assert [found.partition(":")[0] for found in seen.light] == ["link-in-text-block"]
    assert [found.partition(":")[0] for found in seen.dark] == ["color-contrast"]
    assert [found.partition(":")[0] for found in seen.wide] == ["400 pixels wide at 360"]
