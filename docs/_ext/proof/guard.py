"""Keeps a page from what a page has no business with: the network, the repository's files, processes without end.

Installed in each process that runs a page, before its first cell; what it refuses raises in the cell, with the reason.
It hears Python's audit events. What a library does past Python it does not hear; `landlock` is for that.
"""

import ipaddress
import mmap
import os
import sys
import threading
from pathlib import Path
from typing import Any

MOST_FORKS = 32
"""How many processes a page may start, those that its processes start counted in."""

MOST_THREADS = 100
"""How many threads a page may have at a time."""

_WRITES = {
    "os.chmod": 1,
    "os.link": 2,
    "os.mkdir": 1,
    "os.remove": 1,
    "os.rename": 2,
    "os.rmdir": 1,
    "os.symlink": 2,
    "os.truncate": 1,
    "os.utime": 1,
    "shutil.rmtree": 1,
}
"""The audit events that change files, each with how many of its first arguments are paths."""

_STARTS_A_PROCESS = {"os.fork", "os.forkpty", "os.posix_spawn", "subprocess.Popen"}


class Refused(PermissionError):
    """A page did what no page may."""


class Guard:
    """What one page may not do."""

    def __init__(self, forbidden: list[str]) -> None:
        """`forbidden` are the folders in which nothing may be written."""
        self.forbidden = [os.path.realpath(folder) for folder in forbidden]
        self.forks = mmap.mmap(-1, 8)  # shared with all processes that the page starts
        sys.addaudithook(self._hear)
        self._limit_threads()

    def _limit_threads(self) -> None:
        """Makes a thread too many an error of the cell. Python 3.11 has no audit event for it."""
        start = threading.Thread.start

        def checked(thread: threading.Thread) -> None:
            if threading.active_count() >= MOST_THREADS:
                raise Refused(f"a page may have {MOST_THREADS} threads at a time")
            start(thread)

        threading.Thread.start = checked  # type: ignore[assignment, method-assign]

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, mode, flags = arguments
            if isinstance(path, str | bytes | Path) and _is_write(mode, flags):
                self._check_path(path)
        elif event in _WRITES:
            for path in arguments[: _WRITES[event]]:
                if isinstance(path, str | bytes | Path):
                    self._check_path(path)
        elif event in ("socket.connect", "socket.sendto") and isinstance(arguments[1], tuple):
            _check_address(str(arguments[1][0]))
        elif event == "socket.getaddrinfo" and arguments[0] is not None:
            _check_address(os.fsdecode(arguments[0]))
        elif event in _STARTS_A_PROCESS:
            self._count_fork()

    def _check_path(self, path: str | bytes | Path) -> None:
        real = os.path.realpath(os.fsdecode(path))
        if "__pycache__" not in real and any(real == base or real.startswith(base + os.sep) for base in self.forbidden):
            raise Refused(f"a page may not write into the repository: {real}")

    def _count_fork(self) -> None:
        count = int.from_bytes(self.forks[:8], "little") + 1
        self.forks[:8] = count.to_bytes(8, "little")
        if count > MOST_FORKS:
            raise Refused(f"a page may start {MOST_FORKS} processes")


def _is_write(mode: object, flags: object) -> bool:
    if isinstance(mode, str):
        return any(letter in mode for letter in "wax+")
    return isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC))


def _check_address(host: str) -> None:
    try:
        allowed = ipaddress.ip_address(host).is_loopback
    except ValueError:
        allowed = host in ("localhost", "localhost.localdomain", "")
    if not allowed:
        raise Refused(f"a page may not use the network: {host} is not this machine")
