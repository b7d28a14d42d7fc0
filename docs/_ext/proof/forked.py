"""Runs pages in forked processes: one process imports torch, and forks a child for each page."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from proof.standby import reach

Job = dict[str, Any]
"""What is to be run: `{"page": name, "cells": [source, …], "limit": seconds}`."""

Answer = dict[str, Any]
"""What came of it: for each cell `{"page": name, "cell": number, "count": n, "outputs": […]}`, and at the end of each
page `{"page": name, "end": reason}`, the reason being empty if all cells ran."""

EXTENSIONS = Path(__file__).parents[1]
"""The folder that has to be importable in the process that runs pages."""


def environment(examples: Path) -> dict[str, str]:
    """Returns the environment of a process that runs pages: what they can import, and nothing that varies."""
    return os.environ | {
        "PYTHONPATH": os.pathsep.join([str(EXTENSIONS), str(examples)]),
        "PYTHONHASHSEED": "0",
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "COLUMNS": "80",
    }


def fork_is_safe() -> bool:
    """Whether a process that has imported torch can be forked. macOS's own libraries forbid it, Windows has no fork."""
    return sys.platform == "linux"


def run_forked(jobs: list[Job], examples: Path, forbidden: list[Path]) -> Iterator[Answer]:
    """Runs the jobs, as many at a time as there are cores, and yields the answers as they come."""
    arguments = [str(os.cpu_count() or 1), *map(str, forbidden)]
    env = environment(examples)
    if standing := reach(arguments, env):
        return standing.answers(jobs)
    return answers_of([sys.executable, "-m", "proof.child", *arguments], jobs, env)


def answers_of(command: list[str], jobs: list[Job], env: Mapping[str, str]) -> Iterator[Answer]:
    """Hands the jobs to a command that runs pages, and yields its answers as they come."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, env=env, **pipes) as child:  # type: ignore[call-overload]
        try:
            for job in jobs:
                child.stdin.write(json.dumps(job).encode() + b"\n")
            child.stdin.close()
            for line in child.stdout:
                yield json.loads(line)
        finally:
            child.kill()  # nothing is left running when the caller stops listening
