"""`python -m live`: serves the site, builds it anew on saving, and lets the browser load the page again.

It is made of sphinx-autobuild's parts. That one's own command starts Python and imports Sphinx for each build, a third
of the time from saving to seeing, and its script stands in the pages, whose policy may forbid that.

Beside it stands a process that has imported torch. A build after a save writes the saved pages, and leaves what shows
something of them, other pages and the box say, to a second one, which begins when the browser has been told.
"""

import argparse
import asyncio
import contextlib
import importlib
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import uvicorn
from sphinx.application import builtin_extensions
from sphinx.cmd.build import main as sphinx_build
from sphinx_autobuild.filter import IgnoreFilter
from sphinx_autobuild.middleware import JavascriptInjectorMiddleware
from sphinx_autobuild.server import RebuildServer
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

HOST = "127.0.0.1"
DOCS, EXAMPLES, HTML, DOCTREES = "docs", "examples", "build/html", "build/doctrees"

LATER = Path("build", "later", "rest").absolute()
"""The file that is written when a build has left something to the next one. It is watched as the pages are."""

IMPORTED = (*builtin_extensions, "furo", "myst_nb.sphinx_ext", "sphinx_markdown_builder")
"""What a build finds imported already. Nothing of this folder is among it, since a save may change that."""

LEAVE_REST = ("-D", "proof_later=1")

PASSING = (r"/__pycache__(/|$)", r"~$", r"\.sw[a-z]$", r"/\.#", r"/4913$")
"""Files that Python and editors write beside what is saved."""

SOCKET, SCRIPT = "/live", "/live.js"
_RELOAD = f"""const seen = new URL(document.currentScript.src).search;
new WebSocket(`ws://${{location.host}}{SOCKET}${{seen}}`).onmessage = () => location.reload();
"""


class Builds:
    """Counts builds, in place of sphinx-autobuild's flag.

    A flag is taken down by the first who sees it: by one page of several, or by one that the browser has just left.
    """

    def __init__(self) -> None:
        self.number = 0
        self._next = asyncio.Event()

    def set(self) -> None:
        """Says that a build is over."""
        self.number += 1
        self._next.set()
        self._next = asyncio.Event()

    async def after(self, number: int) -> None:
        """Waits for a build after the one with this number."""
        while self.number <= number:
            await self._next.wait()


class Server(RebuildServer):  # type: ignore[misc]
    """Builds on saving, and tells each page in a browser that is older than the last build."""

    def __init__(self) -> None:
        super().__init__([Path(DOCS), Path(EXAMPLES), LATER.parent], IgnoreFilter([], PASSING), build)
        self.flag = Builds()

    async def watch_reloads(self, ws: WebSocket) -> None:
        await self.flag.after(int(ws.query_params["seen"]))
        await ws.send_text("refresh")


def main() -> None:
    """Builds, and serves until it is interrupted."""
    parser = argparse.ArgumentParser(prog="live")
    parser.add_argument("--port", type=int, default=8000)
    port = parser.parse_args().port
    for name in IMPORTED:
        importlib.import_module(name)
    if sys.platform == "linux":  # macOS's own libraries forbid a fork, Windows has none: there a build imports anew
        multiprocessing.set_start_method("fork")
    build(changed_paths=[])
    Path(HTML).mkdir(parents=True, exist_ok=True)  # which a build that fails at once does not
    LATER.parent.mkdir(parents=True, exist_ok=True)
    server = Server()
    with standby() if sys.platform == "linux" else contextlib.nullcontext():
        print(f"serving http://{HOST}:{port}", flush=True)
        uvicorn.run(site(server), host=HOST, port=port, log_level="warning")


@contextlib.contextmanager
def standby() -> Iterator[None]:
    """Keeps a process that has imported torch, where builds find it; it ends when this one does, however that ends."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # uvicorn raises it again, which would end all at once
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PROOF_STANDBY"] = str(Path(folder, "socket"))
        command = [sys.executable, "-m", "proof.standby", os.environ["PROOF_STANDBY"], EXAMPLES]
        path = [str(Path(DOCS, "_ext").absolute()), *filter(None, [os.environ.get("PYTHONPATH")])]  # as conf.py says
        env = os.environ | {"PYTHONPATH": os.pathsep.join(path)}
        with subprocess.Popen(command, stdin=subprocess.PIPE, env=env) as process:
            assert process.stdin
            os.register_at_fork(after_in_child=process.stdin.close)  # or a build that outlives this would hold it open
            try:
                yield
            finally:
                process.kill()


def build(*, changed_paths: Sequence[Path]) -> None:
    """Builds in a process of its own, which takes along all that a build leaves in memory."""
    begin = time.monotonic()
    saved = ", ".join(sorted(path.name for path in changed_paths if path != LATER))
    command = ["-q", "-j", "auto", "-d", DOCTREES, *(LEAVE_REST if saved else ()), DOCS, HTML]
    process = multiprocessing.Process(target=sphinx_build, args=(command,))
    process.start()
    process.join()
    what = saved or ("what shows it" if changed_paths else "the site")
    print(f"{what}: built in {time.monotonic() - begin:.1f} s", flush=True)
    if saved:
        LATER.write_text(saved)


def site(server: Server) -> Starlette:
    """Returns the pages, with a script in each that waits for builds."""
    routes = [
        WebSocketRoute(SOCKET, server),
        Route(SCRIPT, _script),
        Mount("/", StaticFiles(directory=HTML, html=True)),
    ]
    return Starlette(routes=routes, middleware=[Middleware(_WithScript, server.flag)], lifespan=server.lifespan)


def _script(request: Request) -> Response:
    return Response(_RELOAD, media_type="text/javascript")


class _WithScript:
    """Puts the script into each page, with the number of the last build that was over before.

    The browser gets each page whole: in one that it has kept the number would be an old one.
    """

    def __init__(self, app: ASGIApp, builds: Builds) -> None:
        self.app, self.builds = app, builds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        injector = JavascriptInjectorMiddleware(self.app, ws_url="")
        injector.script = f'<script src="{SCRIPT}?seen={self.builds.number}"></script>'.encode()
        headers = [(name, value) for name, value in scope.get("headers", ()) if not name.startswith(b"if-")]
        await injector({**scope, "headers": headers}, receive, send)


if __name__ == "__main__":
    main()
