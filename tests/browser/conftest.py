"""The built site in a real browser: served on loopback, every request and every complaint of the browser watched."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from browser.chromium import chromium
from browser.server import serve
from browser.walk import Seen, Walk
from playwright.sync_api import Browser, Page

SITE = Path(__file__).parents[2] / "build" / "html"
PAGES = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html"))

MISSING = "status of 404"
"""What a browser says of an address that is not there, which some tests ask for."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds `--pictures`."""
    parser.addoption("--pictures", action="store_true", help="write the pictures of the README anew")


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Where the site is served."""
    assert (SITE / "index.html").exists(), f"{SITE} is empty: build the site first, with 'nox -s docs'"
    with serve(SITE) as address:
        yield address


@pytest.fixture(scope="session")
def walked(address: str) -> dict[str, Seen]:
    """What came of each page of the site."""
    start = time.monotonic()
    seen = Walk(address, PAGES).walk()
    print(f"{len(seen)} pages in {time.monotonic() - start:.0f} seconds")
    return seen


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A Chromium of the system."""
    with chromium() as browser:
        yield browser


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """An empty page, which is watched."""
    with watched(browser, address) as page:
        yield page


@contextmanager
def watched(browser: Browser, address: str) -> Iterator[Page]:
    """Gives an empty page; nothing of it may go to another host, and the browser may not complain."""
    page = browser.new_page(base_url=address)
    foreign: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: foreign.append(request.url) if not _own(request.url, address) else None)

    def complain(text: str) -> None:
        if MISSING not in text:
            complaints.append(text)

    page.on("console", lambda message: complain(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complain(str(error)))
    yield page
    page.close()
    assert foreign == []
    assert complaints == []


def _own(url: str, address: str) -> bool:
    return url.startswith((address, "data:", "blob:", "file:"))
