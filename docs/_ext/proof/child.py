"""The process that runs pages: imports torch once, then forks one child a page.

Started by `run` as `python -m proof.child`. Reads jobs as lines of JSON from standard input until it closes:
`{"page": name, "cells": [source, …], "limit": seconds}`. Writes lines of JSON to the file descriptor it was started
with as standard output: `{"page": name, "cell": number, "count": n, "outputs": […]}` for each cell,
and `{"page": name, "end": reason}` when the page's child has ended; the reason is empty when all cells ran.
"""

import json
import os
import random
import selectors
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

Job = dict[str, Any]


@dataclass
class _Running:
    """A page that is being run."""

    job: Job
    pid: int
    pipe: int
    deadline: float
    rest: bytes = field(default=b"")
    """What came through the pipe and is not a whole line yet."""
    hung: bool = False

    @property
    def seconds_left(self) -> float:
        return max(0.0, self.deadline - time.monotonic())


def main() -> None:
    """Runs every job on standard input, as many at a time as the first argument says."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what torch or a page prints past Python must not stand between the answers
    jobs = [json.loads(line) for line in sys.stdin]
    _warm_up("\n".join(source for job in jobs for source in job["cells"]))
    waiting, running = iter(jobs), dict[int, _Running]()
    with selectors.DefaultSelector() as selector:
        while True:
            for job in _take(waiting, int(sys.argv[1]) - len(running)):
                started = _start(job)
                running[started.pipe] = started
                selector.register(started.pipe, selectors.EVENT_READ)
            if not running:
                return
            ready = [key.fd for key, _ in selector.select(min(page.seconds_left for page in running.values()))]
            for pipe in ready:
                if not _read(running[pipe], answers):
                    selector.unregister(pipe)
                    _end(running.pop(pipe), answers)
            for page in running.values():
                if page.seconds_left == 0.0 and not page.hung:
                    page.hung = True
                    os.killpg(page.pid, signal.SIGKILL)


def _warm_up(sources: str) -> None:
    """Imports what many pages import, before the first fork."""
    import proof.shell  # noqa: F401

    if "torch" in sources:
        import torch

        torch.set_num_threads(1)
    if "optim" in sources:
        import torch._dynamo


def _take(jobs: Iterator[Job], number: int) -> Iterator[Job]:
    for _, job in zip(range(number), jobs, strict=False):
        yield job


def _start(job: Job) -> _Running:
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        try:
            os.setsid()
            _run_page(job, os.fdopen(writing, "wb", buffering=0))
        finally:
            os._exit(0)
    os.close(writing)
    return _Running(job, pid, reading, time.monotonic() + job["limit"])


def _run_page(job: Job, answers: BinaryIO) -> None:
    from proof.shell import PageShell

    random.seed(0)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        shell = PageShell.instance()
        for number, source in enumerate(job["cells"]):
            count, outputs = shell.run(source)
            _answer(answers, {"page": job["page"], "cell": number, "count": count, "outputs": outputs})


def _read(page: _Running, answers: BinaryIO) -> bool:
    """Hands on the whole lines that a child has written. Returns False when it has closed its pipe."""
    chunk = os.read(page.pipe, 1 << 16)
    *lines, page.rest = (page.rest + chunk).split(b"\n")
    for line in lines:
        answers.write(line + b"\n")
    return bool(chunk)


def _end(page: _Running, answers: BinaryIO) -> None:
    os.close(page.pipe)
    status = os.waitpid(page.pid, 0)[1]
    _answer(answers, {"page": page.job["page"], "end": _reason(page, os.waitstatus_to_exitcode(status))})


def _reason(page: _Running, code: int) -> str:
    if page.hung:
        return f"it ran longer than {page.job['limit']} s and was stopped"
    if code < 0:
        return f"it ended its process: {signal.Signals(-code).name}"
    return f"it ended its process with code {code}" if code else ""


def _answer(answers: BinaryIO, value: dict[str, Any]) -> None:
    answers.write(json.dumps(value).encode() + b"\n")


if __name__ == "__main__":
    main()
