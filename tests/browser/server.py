"""Serves a built site on loopback as a host does: with its headers, and its page for an address that is not there."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread


def headers(folder: Path) -> list[tuple[str, str]]:
    """Returns what `_headers` of a site says for all pages, as names and values; nothing where there is none."""
    path = folder / "_headers"
    text = path.read_text("utf-8") if path.exists() else ""
    return [(name.strip(), value) for name, _, value in (line.partition(": ") for line in text.splitlines()) if value]


class Handler(SimpleHTTPRequestHandler):
    """Answers with a file, its headers, or the page for what is missing."""

    error_message_format = "%(explain)s"

    def end_headers(self) -> None:
        for name, value in headers(Path(self.directory)):
            self.send_header(name, value)
        super().end_headers()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        page = Path(self.directory, "404.html")
        text = page.read_bytes() if page.exists() else b""
        self.send_response(code, message)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *arguments: object) -> None:
        """Says nothing."""


class Server(ThreadingHTTPServer):
    """Says nothing of a browser that leaves before an answer is complete."""

    def handle_error(self, *arguments: object) -> None: ...


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Serves a folder, and gives the address."""
    server = Server(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
