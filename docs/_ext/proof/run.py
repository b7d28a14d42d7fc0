"""Runs pages: a page with its cells goes in, an executed notebook comes out, whoever ran it."""

import copy
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

from nbformat import NotebookNode, from_dict

from proof.page import Page

TIME_LIMIT = 60
"""How many seconds a page may run."""

STOPPED = "PageStopped"
"""The name of the error that stands in the cell in which a page was stopped, and in every cell after it."""

_EXTENSIONS = Path(__file__).parents[1]
# What differs from run to run or from machine to machine: memory addresses, and where packages are installed.
_MASKED = (
    (re.compile(r"\b0x[0-9a-f]{6,}\b"), "0x…"),
    (re.compile(r"(?:/[\w.~+-]+)+/site-packages/"), "…/site-packages/"),
)
_LANGUAGE = {"name": "python", "file_extension": ".py", "mimetype": "text/x-python", "pygments_lexer": "ipython3"}


class RunError(Exception):
    """Pages cannot be run at all; the text says why and what to do."""


def torch_version() -> str:
    """Returns the installed torch's version without its build tag. Raises RunError where there is none."""
    try:
        return metadata.version("torch").partition("+")[0]
    except metadata.PackageNotFoundError:
        raise RunError("torch is not installed here, so no page can be run: install it, or use 'nox -s docs'") from None


def run_pages(pages: Mapping[str, Page], examples: Path, limit: int = TIME_LIMIT) -> Iterator[tuple[str, NotebookNode]]:
    """Runs the cells of each page in a process of its own and yields its name with the executed notebook.

    `examples` is the folder that pages can import from; `limit` is in seconds a page. Raises RunError.
    """
    runnable = {name: page for name, page in pages.items() if page.notebook is not None}
    if not runnable:
        return
    torch_version()
    jobs = [
        {"page": name, "cells": [cell.source for cell in page.cells], "limit": limit} for name, page in runnable.items()
    ]
    answers: dict[str, list[dict[str, Any]]] = {name: [] for name in runnable}
    for answer in _ask(jobs, examples):
        name = answer["page"]
        if "end" in answer:
            yield name, _executed(runnable.pop(name), answers[name], answer["end"])
        else:
            answers[name].append(answer)
    if runnable:
        raise RunError(f"the process that runs pages ended before {', '.join(runnable)} had run")


def _ask(jobs: list[dict[str, Any]], examples: Path) -> Iterator[dict[str, Any]]:
    """Starts the process that runs pages and yields its answers."""
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(_EXTENSIONS), str(examples.resolve())]),
        "PYTHONHASHSEED": "0",
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }
    command = [sys.executable, "-m", "proof.child", str(os.cpu_count() or 1)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        for job in jobs:
            child.stdin.write(json.dumps(job).encode() + b"\n")
        child.stdin.close()
        for line in child.stdout:
            yield json.loads(line)


def _executed(page: Page, answers: list[dict[str, Any]], end: str) -> NotebookNode:
    """Returns the page's notebook with the outputs in its cells."""
    notebook = copy.deepcopy(page.notebook)
    assert notebook is not None
    notebook.metadata["language_info"] = from_dict(_LANGUAGE)
    for number, cell in enumerate(page.cells):
        target = notebook.cells[cell.index]
        if number < len(answers):
            target.execution_count = answers[number]["count"]
            target.outputs = from_dict(_masked(answers[number]["outputs"]))
        else:
            reason = end or "it ended its process"
            text = reason if number == len(answers) else f"not run: a cell before it did not end, because {reason}"
            target.outputs = [
                from_dict({"output_type": "error", "ename": STOPPED, "evalue": text, "traceback": [text]})
            ]
    return notebook


def _masked(value: Any) -> Any:
    """Replaces in every text what is not the page's doing."""
    if isinstance(value, str):
        for pattern, mask in _MASKED:
            value = pattern.sub(mask, value)
        return value
    if isinstance(value, list):
        return [_masked(item) for item in value]
    return {key: _masked(item) for key, item in value.items()} if isinstance(value, dict) else value
