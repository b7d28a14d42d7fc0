"""A process that has imported torch and waits: who saves a page again and again need not wait for that import.

`python -m proof.standby SOCKET EXAMPLES` listens on a Unix socket, and forks a process for each build that asks it to
run pages; that one then does what `proof.child` does. It ends when its standard input does, so with whoever started it.
`reach` is the other side: a build finds the socket's name in its environment.
"""

import contextlib
import json
import os
import selectors
import signal
import socket
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from proof.identity import identity

SOCKET = "PROOF_STANDBY"
"""The variable of the environment that names the socket."""


@dataclass(frozen=True)
class Standing:
    """A process that has been forked for this build, and waits for its jobs."""

    connection: socket.socket
    lines: BinaryIO
    pid: int

    def answers(self, jobs: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Hands over the jobs and yields the answers as they come."""
        try:
            for job in jobs:
                self.connection.sendall(json.dumps(job).encode() + b"\n")
            self.connection.shutdown(socket.SHUT_WR)
            for line in self.lines:
                yield json.loads(line)
        finally:
            self.connection.close()
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)  # nothing is left running when the caller stops listening


def reach(arguments: list[str], env: Mapping[str, str]) -> Standing | None:
    """Returns a process that would run pages as a new one with these arguments and this environment, or None."""
    if not os.environ.get(SOCKET):
        return None
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(os.environ[SOCKET])
        hello = {"identity": identity(), "path": env["PYTHONPATH"], "arguments": arguments}
        connection.sendall(json.dumps(hello).encode() + b"\n")
        lines = connection.makefile("rb")
        pid = lines.readline()
    except OSError:  # it is not there yet, or not any more
        pid = b""
    if not pid:
        connection.close()
        return None
    return Standing(connection, lines, int(pid))


def main() -> None:
    """Waits for builds until standard input ends."""
    from proof.child import warm_up
    from proof.forked import environment

    path, examples = sys.argv[1:]
    env = environment(Path(examples).resolve())
    if env != os.environ:
        os.execve(sys.executable, [sys.executable, "-m", "proof.standby", path, examples], env)
    own = {"identity": identity(), "path": env["PYTHONPATH"]}
    os.dup2(2, 1)
    warm_up("torch.compile torch.optim")
    with socket.socket(socket.AF_UNIX) as listener, selectors.DefaultSelector() as selector:
        listener.bind(path)
        listener.listen()
        selector.register(listener, selectors.EVENT_READ)
        selector.register(sys.stdin, selectors.EVENT_READ)
        while all(key.fileobj is listener for key, _ in selector.select()):
            connection, _ = listener.accept()
            if os.fork() == 0:
                try:
                    listener.close()
                    _serve(connection, own)
                finally:
                    os._exit(0)
            connection.close()
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG) != (0, 0):
                    pass  # those that have ended are laid to rest


def _serve(connection: socket.socket, own: dict[str, str]) -> None:
    """Runs the jobs of one build, unless that one needs another torch, other modules or other examples."""
    from proof.child import run_jobs

    lines = connection.makefile("rb")
    hello = json.loads(lines.readline())
    number, *forbidden = hello.pop("arguments")
    if hello == own:
        connection.sendall(f"{os.getpid()}\n".encode())
        jobs = [json.loads(line) for line in lines]
        run_jobs(jobs, os.fdopen(connection.detach(), "wb", buffering=0), int(number), forbidden)


if __name__ == "__main__":
    main()
