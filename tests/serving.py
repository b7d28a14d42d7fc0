"""The server of `nox -s live`, on pages that a test or a measurement may change."""

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

EXTENSIONS = Path(__file__).parents[1] / "docs" / "_ext"


@dataclass(frozen=True)
class Served:
    """A site that is built anew on saving."""

    folder: Path
    """Where its `docs` and `examples` are."""
    address: str

    @property
    def log(self) -> str:
        """What the server and its builds have printed."""
        return (self.folder / "log").read_text("utf-8")

    def rest(self) -> None:
        """Waits until all that follows from a save is written: it is when what shows the saved is, and nothing came."""
        quiet = 0
        while quiet < 5:
            time.sleep(0.1)
            quiet = quiet + 1 if self.log.splitlines()[-1].startswith("what shows it") else 0

    def save(self, name: str, text: str) -> None:
        """Writes a file of the site."""
        (self.folder / name).write_text(text, "utf-8")


@contextlib.contextmanager
def live(folder: Path) -> Iterator[Served]:
    """Serves `folder` when its first build is over."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    served = Served(folder, f"http://127.0.0.1:{port}/")
    command = [sys.executable, "-m", "live", "--port", str(port)]
    environment = os.environ | {"PYTHONPATH": str(EXTENSIONS)}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT)
    try:
        while not _answers(port):
            assert process.poll() is None, served.log
            time.sleep(0.1)
        yield served
    finally:
        process.terminate()
        process.wait()


def _answers(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False
