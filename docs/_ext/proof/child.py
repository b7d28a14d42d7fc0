"""The process that runs pages: imports torch once, then forks one child a page.

Started by `forked` as `python -m proof.child`, with the number of pages to run at a time, and the folders in which
nothing may be written. Reads jobs as lines of JSON from standard input until it closes, and writes answers as lines
of JSON to what was its standard output; `forked` says what they hold.
"""

import contextlib
import gc
import json
import os
import random
import resource
import selectors
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from proof.guard import Guard
from proof.landlock import write_only_in

Job = dict[str, Any]

LARGEST_FILE = 256 * 1024 * 1024
"""How many bytes a page may write to one file."""


@dataclass
class _Running:
    """A page that is being run."""

    job: Job
    pid: int
    pipe: int
    folder: str
    """The folder it is run in."""
    deadline: float
    rest: bytes = b""
    """What came through the pipe and is not a whole line yet."""
    said_end: bool = False
    """Whether it has come to its end and said so."""
    closed: bool = False
    """Whether nothing will come through the pipe any more."""

    @property
    def seconds_left(self) -> float:
        return max(0.0, self.deadline - time.monotonic())

    @property
    def over(self) -> bool:
        return self.said_end or self.closed or self.seconds_left == 0.0


def main() -> None:
    """Runs every job on standard input."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what torch prints past Python must not stand between the answers
    number, *forbidden = sys.argv[1:]
    jobs = [json.loads(line) for line in sys.stdin]
    warm_up("\n".join(source for job in jobs for source in job["cells"]))
    run_jobs(jobs, answers, int(number), forbidden)


def run_jobs(jobs: list[Job], answers: BinaryIO, number: int, forbidden: list[str]) -> None:
    """Runs jobs, `number` at a time, and writes the answers as they come."""
    waiting, running = iter(jobs), dict[int, _Running]()
    with selectors.DefaultSelector() as selector:
        while True:
            for job in _take(waiting, number - len(running)):
                started = _start(job, forbidden)
                running[started.pipe] = started
                selector.register(started.pipe, selectors.EVENT_READ)
            if not running:
                return
            for key, _ in selector.select(min(page.seconds_left for page in running.values())):
                _read(running[key.fd], answers)
            for page in [page for page in running.values() if page.over]:
                selector.unregister(page.pipe)
                _end(running.pop(page.pipe), answers)


def warm_up(sources: str) -> None:
    """Imports what many pages import and these speak of, before the first fork."""
    import proof.shell  # noqa: F401

    if "torch" in sources:
        import torch

        torch.set_num_threads(1)
    if "optim" in sources:
        import torch._dynamo
    if "torch.compile" in sources:
        import torch._inductor.compile_fx  # which every backend but "eager" imports when it compiles for the first time
    gc.collect()
    gc.freeze()  # or the collector of each child would touch, and so copy, the memory that it shares


def _take(jobs: Iterator[Job], number: int) -> Iterator[Job]:
    for _, job in zip(range(number), jobs, strict=False):
        yield job


def _start(job: Job, forbidden: list[str]) -> _Running:
    reading, writing = os.pipe()
    folder = tempfile.mkdtemp()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        try:
            os.setsid()  # a group of its own, which ends with the page
            signal.alarm(job["limit"] + 5)  # and ends by itself where nobody is left who would end it
            _enter(Path(folder), forbidden)
            _run_page(job, os.fdopen(writing, "wb", buffering=0))
        finally:
            os._exit(0)
    os.close(writing)
    return _Running(job, pid, reading, folder, time.monotonic() + job["limit"])


def _enter(folder: Path, forbidden: list[str]) -> None:
    """Makes this process one that runs a page: alone in its folder, and kept from the rest."""
    random.seed(0)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # so that a file that grows too large is an error of its cell
    os.chdir(folder)
    home = folder.with_name(folder.name + "-home")
    home.mkdir()
    os.environ |= {"TMPDIR": str(home), "IPYTHONDIR": str(home)}
    tempfile.tempdir = None
    Guard(forbidden)
    write_only_in([folder, home, Path("/dev")])


def _run_page(job: Job, answers: BinaryIO) -> None:
    from proof.shell import PageShell

    shell, own = PageShell.instance(), os.getpid()
    for number, source in enumerate(job["cells"]):
        count, outputs = shell.run(source)
        if os.getpid() != own:
            return  # a process that the page has started does not answer for it
        _answer(answers, {"page": job["page"], "cell": number, "count": count, "outputs": outputs})
    _answer(answers, {"page": job["page"], "end": ""})


def _read(page: _Running, answers: BinaryIO) -> None:
    """Hands on the whole lines that a child has written, and sees whether it has come to its end."""
    chunk = os.read(page.pipe, 1 << 16)
    *lines, page.rest = (page.rest + chunk).split(b"\n")
    for line in lines:
        answers.write(line + b"\n")
    page.closed = not chunk
    page.said_end = any(b'"end":' in line[:200] for line in lines)  # quotes inside a text are escaped


def _end(page: _Running, answers: BinaryIO) -> None:
    """Ends all processes of a page, and says why it ended if it has not said so itself."""
    os.close(page.pipe)
    hung = not page.said_end and not page.closed
    if not hung:
        code = os.waitstatus_to_exitcode(os.waitpid(page.pid, 0)[1])
    with contextlib.suppress(ProcessLookupError):
        os.killpg(page.pid, signal.SIGKILL)
    if hung:
        os.waitpid(page.pid, 0)
        reason = f"it ran longer than {page.job['limit']} s and was stopped"
    else:
        how = f": {signal.Signals(-code).name}" if code < 0 else f" with code {code}"
        reason = f"it ended its process{how}"
    for folder in (page.folder, f"{page.folder}-home"):
        shutil.rmtree(folder, ignore_errors=True)
    if not page.said_end:
        _answer(answers, {"page": page.job["page"], "end": reason})


def _answer(answers: BinaryIO, value: dict[str, Any]) -> None:
    answers.write(json.dumps(value).encode() + b"\n")


if __name__ == "__main__":
    main()
