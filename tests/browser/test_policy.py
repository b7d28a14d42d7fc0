"""The Content-Security-Policy: one for all pages, strict, and one that bites."""

import re

import pytest
from browser.conftest import PAGES, SITE
from browser.server import headers
from playwright.sync_api import Browser

POLICY = dict(headers(SITE))["Content-Security-Policy"]
META = re.compile(r'<meta http-equiv="Content-Security-Policy" content="(.*?)">')


def test_strict() -> None:
    """Only the site's own files, and no style or script within a page but the one whose hash is given."""
    sources = {
        name: rest.split() for name, *rest in (part.split(None, 1) for part in POLICY.split("; ")) for rest in rest
    }

    assert sources["default-src"] == ["'self'"]
    assert "style-src" not in sources
    assert [source.partition("-")[0] for source in sources["script-src"]] == ["'self'", "'sha256"]
    assert sources["object-src"] == ["'none'"]
    assert "unsafe" not in POLICY


def test_stated_in_each_page() -> None:
    """Where no host sends it, a browser reads the same from the page, before anything it speaks of."""
    heads = {name: (SITE / name).read_text("utf-8").partition("<link")[0] for name in PAGES}

    assert [name for name, head in heads.items() if META.findall(head) != [POLICY]] == []


@pytest.mark.parametrize("where", ["server", "files"])
@pytest.mark.parametrize("markup", ["<style>h1 { color: red }</style>", "<img src=x onerror='document.title = 1'>"])
def test_bites(browser: Browser, address: str, where: str, markup: str) -> None:
    """What gets into a page from elsewhere neither runs nor shows."""
    page = browser.new_page()
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text))
    page.goto((address if where == "server" else f"{SITE.as_uri()}/") + "index.html")
    page.evaluate("markup => document.body.insertAdjacentHTML('beforeend', markup)", markup)
    page.wait_for_timeout(100)
    title = page.title()
    page.close()

    assert title != "1"
    assert any("Content Security Policy" in text for text in refused)
