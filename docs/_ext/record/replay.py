"""Replays all pages under another torch, and makes the record of it."""

import json
import os
import platform
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from proof.book import Book
from proof.forked import Answer, Job, answers_of, environment
from proof.imports import read_examples
from proof.run import run_with
from proof.verdict import judge
from record.install import Installed
from record.outcome import outcomes
from record.record import Record
from record.state import state_of

RUNNER = Path(__file__).with_name("runner.py")

_ABOUT = """
import json, os, platform, sys
import torch
try:
    import numpy
    numpy = numpy.__version__
except ImportError:
    numpy = "none"
print(json.dumps({"torch": torch.__version__, "python": platform.python_version(), "numpy": numpy}), flush=True)
os._exit(0)
"""


class ReplayError(Exception):
    """The environment does not run pages; the text says why."""


def replay(book: Book, examples: Path, installed: Installed) -> Record:
    """Runs every page of `book` in the environment and returns the record. Raises ReplayError, RunError."""
    about = _about(installed.python)
    env = environment(examples.resolve()) | {"PYTHONPATH": str(examples.resolve())}
    command = [str(installed.python), str(RUNNER), str(os.cpu_count() or 1)]

    def run(jobs: list[Job]) -> Iterator[Answer]:
        return answers_of(command, jobs, env)

    pages = {name: page for name, page in book.pages.items() if page.cells}
    verdicts = {name: judge(pages[name], notebook, book.errors) for name, notebook in run_with(pages, run)}
    claims, errors = outcomes(verdicts, book.errors)
    torch = about.pop("torch").partition("+")[0]
    about |= {
        "platform": f"{platform.system()} {platform.machine()}",
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "installed": installed.how,
    }
    texts = read_examples(examples)
    states = {name: state_of(page, book.errors, texts) for name, page in pages.items()}
    return Record(torch, about, states, claims, errors)


def _about(python: Path) -> dict[str, str]:
    done = subprocess.run([python, "-c", _ABOUT], capture_output=True, text=True, check=False)
    if done.returncode:
        raise ReplayError(f"torch cannot be imported by {python}:\n{done.stderr.strip()}")
    about: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return about
