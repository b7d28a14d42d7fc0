"""`python -m live`: serves the site, builds it anew on saving, and lets the browser load the page again.

It is made of sphinx-autobuild's parts. That one's own command starts Python and imports Sphinx for each build, a third
of the time from saving to seeing, and its script stands in the pages, whose policy may forbid that.

Beside it stands a process that has imported torch. A build after a save writes the saved pages, and leaves those that
show something of them to a second one, which begins when the browser has been told of the first.
"""

import argparse
import contextlib
import importlib
import multiprocessing
import os
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
from starlette.types import ASGIApp

HOST = "127.0.0.1"
DOCS, EXAMPLES, HTML, DOCTREES = "docs", "examples", "build/html", "build/doctrees"

LATER = Path("build", "later", "pages").absolute()
"""The file that names pages which a build has left to the next one. It is watched as the pages are."""

IMPORTED = (*builtin_extensions, "furo", "myst_nb.sphinx_ext", "sphinx_markdown_builder")
"""What a build finds imported already. Nothing of this folder is among it, since a save may change that."""

PASSING = (r"/__pycache__(/|$)", r"~$", r"\.sw[a-z]$", r"/\.#", r"/4913$")
"""Files that Python and editors write beside what is saved."""

SOCKET, SCRIPT = "/live", "/live.js"
_RELOAD = f"new WebSocket(`ws://${{location.host}}{SOCKET}`).onmessage = () => location.reload();\n"


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
    server = RebuildServer([Path(DOCS), Path(EXAMPLES), LATER.parent], IgnoreFilter([], PASSING), build)
    with standby() if sys.platform == "linux" else contextlib.nullcontext():
        print(f"serving http://{HOST}:{port}", flush=True)
        uvicorn.run(site(server), host=HOST, port=port, log_level="warning")


@contextlib.contextmanager
def standby() -> Iterator[None]:
    """Keeps a process that has imported torch, where builds find it; it ends when this one does, however that ends."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PROOF_STANDBY"] = str(Path(folder, "socket"))
        command = [sys.executable, "-m", "proof.standby", os.environ["PROOF_STANDBY"], EXAMPLES]
        path = [str(Path(DOCS, "_ext").absolute()), *filter(None, [os.environ.get("PYTHONPATH")])]  # as conf.py says
        env = os.environ | {"PYTHONPATH": os.pathsep.join(path)}
        with subprocess.Popen(command, stdin=subprocess.PIPE, env=env) as process:
            yield
            process.kill()


def build(*, changed_paths: Sequence[Path]) -> None:
    """Builds in a process of its own, which takes along all that a build leaves in memory."""
    begin = time.monotonic()
    command = ["-q", "-j", "auto", "-d", DOCTREES, DOCS, HTML]
    if any(path != LATER for path in changed_paths):
        command += ["-D", f"proof_later={LATER}"]
    process = multiprocessing.Process(target=sphinx_build, args=(command,))
    process.start()
    process.join()
    saved = ", ".join(sorted(path.name for path in changed_paths if path != LATER))
    what = saved or ("what shows it" if changed_paths else "the site")
    print(f"{what}: built in {time.monotonic() - begin:.1f} s", flush=True)


def site(server: RebuildServer) -> Starlette:
    """Returns the pages, with a script in each that waits for builds."""
    routes = [
        WebSocketRoute(SOCKET, server),
        Route(SCRIPT, _script),
        Mount("/", StaticFiles(directory=HTML, html=True)),
    ]
    return Starlette(routes=routes, middleware=[Middleware(_with_script)], lifespan=server.lifespan)


def _script(request: Request) -> Response:
    return Response(_RELOAD, media_type="text/javascript")


def _with_script(app: ASGIApp) -> ASGIApp:
    injector = JavascriptInjectorMiddleware(app, ws_url="")
    injector.script = f'<script src="{SCRIPT}"></script>'.encode()
    return injector  # type: ignore[no-any-return]


if __name__ == "__main__":
    main()
