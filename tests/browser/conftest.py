"""The built site in a real browser: served on loopback, every request and every complaint of the browser watched."""

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from chromium import chromium
from playwright.sync_api import Browser, Page

SITE = Path(__file__).parents[2] / "build" / "html"

MISSING = "status of 404"
"""What a browser says of an address that is not there, which some tests ask for."""


class Handler(SimpleHTTPRequestHandler):
    """Serves the site as a host does: an address that is not there gets the page `404.html`."""

    error_message_format = "%(explain)s"

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        page = (SITE / "404.html").read_bytes()
        self.send_response(code, message)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *arguments: object) -> None:
        """Says nothing."""


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Where the site is served."""
    assert (SITE / "index.html").exists(), f"{SITE} is empty: build the site first, with 'nox -s docs'"
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(SITE)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A Chromium of the system."""
    with chromium() as browser:
        yield browser


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """An empty page. After the test, nothing may have gone to another host, and the browser may not have complained."""
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
