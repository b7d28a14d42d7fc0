"""A process that has imported torch and waits gives what a new one would give, and leaves nothing behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import page_of

from proof import standby
from proof.forked import EXTENSIONS, environment
from proof.run import run_pages

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="nothing can be forked safely here")

CELLS = (
    "import torch, random, os, sys\ntorch.rand(2), random.random(), hash('a'), torch.get_num_threads()",
    "os.environ['COLUMNS'], sys.flags.hash_randomization, 'helper' in sys.modules",
    "import warnings\nwarnings.warn('one')\nos.write(1, b'past Python')",
    "x = torch.ones(2, requires_grad=True)\nx.add_(1)",
    "sys.stdin.read()",
)


Waiting = subprocess.Popen[bytes]


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Waiting, Path]]:
    """A process that waits, and the folder in which its socket and its examples are."""
    folder = tmp_path_factory.mktemp("standby")
    (folder / "examples").mkdir()
    command = [sys.executable, "-m", "proof.standby", str(folder / "socket"), str(folder / "examples")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, env=os.environ | {"PYTHONPATH": str(EXTENSIONS)}) as waiting:
        while not (folder / "socket").exists():
            assert waiting.poll() is None
            time.sleep(0.05)
        yield waiting, folder
        waiting.kill()


@pytest.fixture
def folder(process: tuple[Waiting, Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """That folder, whose process is found as a build finds it."""
    monkeypatch.setenv(standby.SOCKET, str(process[1] / "socket"))
    return process[1]


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[1])


def outputs(folder: Path, *cells: str, limit: int = 60) -> list[object]:
    page = page_of(folder, *cells, limit=limit)
    ((_, notebook),) = run_pages({"page": page}, folder / "docs", folder / "examples", "fork")
    return [notebook.cells[cell.index].outputs for cell in page.cells]


def test_same_outputs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page cannot tell who runs it, neither the first nor the second time."""
    waited = [outputs(folder, *CELLS) for _ in range(2)]
    monkeypatch.delenv(standby.SOCKET)

    assert waited == [outputs(folder, *CELLS)] * 2


def test_is_used(process: tuple[Waiting, Path], folder: Path) -> None:
    """The process that runs a page is forked from the one that waits."""
    reached = standby.reach(["1"], environment(folder / "examples"))
    assert reached is not None
    assert parent_of(reached.pid) == process[0].pid
    assert list(reached.answers([])) == []


def test_changed_example_is_seen(folder: Path) -> None:
    """Nothing that a page imports from the examples is in its memory."""
    for value in ("1", "2"):
        (folder / "examples" / "helper.py").write_text(f"value = {value}\n")
        ((result,),) = outputs(folder, "from helper import value\nvalue")

        assert result.data["text/plain"] == value


@pytest.mark.parametrize("what", ["identity", "examples", "socket", "variable"])
def test_another_one_is_not_used(what: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not with another torch, other modules or other examples, nor where nobody waits: there a new process is made."""
    if what == "identity":
        monkeypatch.setattr(standby, "identity", lambda: "another")
    elif what == "socket":
        monkeypatch.setenv(standby.SOCKET, str(folder / "nobody"))
    elif what == "variable":
        monkeypatch.delenv(standby.SOCKET)
    examples = folder if what == "examples" else folder / "examples"

    assert standby.reach(["1"], environment(examples)) is None
    ((result,),) = outputs(folder, "1 + 1")
    assert result.data["text/plain"] == "2"


def test_nothing_is_left(process: tuple[Waiting, Path], folder: Path) -> None:
    """Who stops listening ends what runs for him, and who ends leaves nobody waiting."""
    reached = standby.reach(["1"], environment(folder / "examples"))
    assert reached is not None
    answers = reached.answers([{"page": "page", "cells": ["1", "while True: pass"], "limit": 60}])
    next(answers)
    answers.close()
    ended_before(5, reached.pid)
    assert process[0].stdin is not None
    process[0].stdin.close()

    assert process[0].wait(timeout=5) == 0


def ended_before(seconds: float, pid: int) -> None:
    """Waits until a process has ended, or is only still to be laid to rest."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].startswith("Z"):
                return
        except FileNotFoundError:
            return
        time.sleep(0.05)
    os.kill(pid, signal.SIGKILL)
    raise AssertionError(f"process {pid} runs on")
