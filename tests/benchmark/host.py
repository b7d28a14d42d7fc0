"""Serves a folder as a host of static pages does: compressed, and to be kept for ten minutes."""

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles


class _Kept(StaticFiles):
    """Files that a browser may keep for as long as GitHub Pages lets it."""

    def file_response(self, *arguments: Any, **named: Any) -> Response:
        response = super().file_response(*arguments, **named)
        response.headers["Cache-Control"] = "max-age=600"
        return response


@contextlib.contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Serves a folder on loopback, and gives its address."""
    app = Starlette(routes=[Mount("/", _Kept(directory=folder))], middleware=[Middleware(GZipMiddleware)])
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/"
    server.should_exit = True
    thread.join()
