"""Seconds and memory of one command, with all processes that it starts."""

import contextlib
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import psutil

_BETWEEN_SAMPLES = 0.1


@dataclass(frozen=True)
class Cost:
    """What one run took."""

    seconds: float
    megabytes: float
    """The most memory that all processes together had at a time; what they share is counted once."""


class Failed(Exception):
    """The command did not do its work; the text is what it printed."""


def measure(command: list[str], folder: Path, environment: Mapping[str, str]) -> Cost:
    """Runs a command in `folder`. Raises Failed."""
    begin, most, log = time.monotonic(), 0.0, folder / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT)
        while process.poll() is None:
            most = max(most, _memory(process.pid))
            time.sleep(_BETWEEN_SAMPLES)
    if process.returncode:
        raise Failed(log.read_text("utf-8", "replace")[-2000:])
    return Cost(time.monotonic() - begin, most)


def _memory(pid: int) -> float:
    total = 0
    with contextlib.suppress(psutil.Error):
        parent = psutil.Process(pid)
        for process in (parent, *parent.children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                total += process.memory_full_info().pss
    return total / 1e6
