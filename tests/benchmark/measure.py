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
    started: float
    """The same of the processes that the command started: those that run cells."""


class Failed(Exception):
    """The command did not do its work; the text is what it printed."""


def measure(command: list[str], folder: Path, environment: Mapping[str, str]) -> Cost:
    """Runs a command in `folder`. Raises Failed."""
    begin, log = time.monotonic(), folder / "log"
    most, most_started = 0.0, 0.0
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT)
        while process.poll() is None:
            own, started = _memory(process.pid)
            most, most_started = max(most, own + started), max(most_started, started)
            time.sleep(_BETWEEN_SAMPLES)
    if process.returncode:
        raise Failed(log.read_text("utf-8", "replace")[-2000:])
    return Cost(time.monotonic() - begin, most, most_started)


def _memory(pid: int) -> tuple[float, float]:
    """Returns the megabytes of a process, and those of all that it has started."""
    own, started = 0.0, 0.0
    with contextlib.suppress(psutil.Error):
        parent = psutil.Process(pid)
        own = parent.memory_full_info().pss / 1e6
        for process in parent.children(recursive=True):
            with contextlib.suppress(psutil.Error):
                started += process.memory_full_info().pss / 1e6
    return own, started
