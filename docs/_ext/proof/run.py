"""Runs pages: a page with its cells goes in, an executed notebook comes out, whoever ran it."""

import copy
import re
from collections.abc import Callable, Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

from nbformat import NotebookNode, from_dict

from proof.forked import Answer, Job, fork_is_safe, run_forked
from proof.kernel import run_in_kernels
from proof.page import Page
from proof.verdict import STOPPED

Runner = Literal["auto", "fork", "kernel"]
"""Who runs pages; `auto` forks where that is safe."""

_LANGUAGE = {"name": "python", "file_extension": ".py", "mimetype": "text/x-python", "pygments_lexer": "ipython3"}

# A cell in a warning, a syntax error or a traceback, as IPython and as a Jupyter kernel name it.
_NAME = r"(?:<ipython-input-\d+-\w+>|(?:\S*/ipykernel_\d+/)?\d{6,}\.py)"

# What differs from run to run or from machine to machine: memory addresses, the time in a line of torch's C++ log,
# where Python and packages are installed, and the frames of whoever runs the cell.
_MASKED = (
    (re.compile(r"\b0x[0-9a-f]{6,}\b"), "0x…"),
    (re.compile(r"(\[[VIWEF])\d{4} \d\d:\d\d:\d\d\.\d+ "), r"\1 "),
    (re.compile(r"(?:/[\w.~+-]+)+/site-packages/"), "…/site-packages/"),
    (re.compile(r"(?:/[\w.~+-]+)+/lib/(python3\.\d+/)"), r"…/\1"),
    (re.compile(rf'(?:  File "(?!{_NAME})[^\n]*\n(?:    [^\n]*\n)*)+(?=  File "{_NAME})'), "  …\n"),
    (re.compile(r"  /[\w./~+-]+\.py\(\d+\): [\w<>.]+\n?"), ""),  # a frame as torch's C++ tells it
)

# Where the cell is named: before a warning, in a syntax error, in a traceback.
_CELL = (
    (re.compile(rf"^{_NAME}:(\d+): ", re.MULTILINE), r", line \1: "),
    (re.compile(rf"(?<=\(){_NAME}(?=, line)"), ""),
    (re.compile(rf'File "{_NAME}"(?=, line)'), ""),
)


class RunError(Exception):
    """Pages cannot be run at all; the text says why and what to do."""


def torch_version() -> str:
    """Returns the installed torch's version without its build tag. Raises RunError where there is none."""
    try:
        return metadata.version("torch").partition("+")[0]
    except metadata.PackageNotFoundError:
        raise RunError("torch is not installed here, so no page can be run: install it, or use 'nox -s docs'") from None


def run_pages(
    pages: Mapping[str, Page], root: Path, examples: Path, runner: Runner = "auto"
) -> Iterator[tuple[str, NotebookNode]]:
    """Runs the cells of each page in a process of its own and yields its name with the executed notebook.

    Pages can import from `examples`; they may write neither there nor into `root`, the folder of the pages.
    Raises RunError.
    """
    if any(page.notebook is not None for page in pages.values()):
        torch_version()
    run = run_forked if runner == "fork" or (runner == "auto" and fork_is_safe()) else run_in_kernels
    forbidden = [root.resolve(), examples.resolve()]
    return run_with(pages, lambda jobs: run(jobs, examples.resolve(), forbidden))


def run_with(
    pages: Mapping[str, Page], run: Callable[[list[Job]], Iterator[Answer]]
) -> Iterator[tuple[str, NotebookNode]]:
    """Hands the cells of each page to `run`, and yields the page's name with the executed notebook. Raises RunError."""
    runnable = {name: page for name, page in pages.items() if page.notebook is not None}
    if not runnable:
        return
    jobs: list[Job] = [
        {"page": name, "cells": [cell.source for cell in page.cells], "limit": page.time_limit}
        for name, page in runnable.items()
    ]
    answers: dict[str, list[Answer]] = {name: [] for name in runnable}
    for answer in run(jobs):
        name = answer["page"]
        if "end" in answer:
            yield name, _executed(runnable.pop(name), answers[name], answer["end"])
        else:
            answers[name].append(answer)
    if runnable:
        raise RunError(f"the process that runs pages ended before {', '.join(runnable)} had run")


def _executed(page: Page, answers: list[Answer], end: str) -> NotebookNode:
    """Returns the page's notebook with the outputs in its cells."""
    notebook = copy.deepcopy(page.notebook)
    assert notebook is not None
    notebook.metadata["language_info"] = from_dict(_LANGUAGE)
    for number, cell in enumerate(page.cells):
        target = notebook.cells[cell.index]
        if number < len(answers):
            count = target.execution_count = answers[number]["count"]
            target.outputs = from_dict(_masked(answers[number]["outputs"], count))
        else:
            text = end if number == len(answers) else f"not run: a cell before it did not end, because {end}"
            target.outputs = [
                from_dict({"output_type": "error", "ename": STOPPED, "evalue": text, "traceback": [text]})
            ]
    return notebook


def _masked(value: Any, count: int) -> Any:
    """Replaces in every text what is not the page's doing; `count` is the number of the cell as a notebook has it."""
    if isinstance(value, str):
        for pattern, mask in _MASKED:
            value = pattern.sub(mask, value)
        for pattern, rest in _CELL:
            value = pattern.sub(f"Cell In[{count}]{rest}", value)
        return value
    if isinstance(value, list):
        return [_masked(item, count) for item in value]
    return {key: _masked(item, count) for key, item in value.items()} if isinstance(value, dict) else value
