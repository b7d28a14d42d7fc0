"""Runs pages in Jupyter kernels, one after the other: slower than forking, and possible everywhere."""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import v4

from proof.forked import Answer, Job, environment

_PREPARE = """
import random as _random, sys as _sys
from proof.guard import Guard as _Guard
from proof.shell import no_input as _no_input, prepare as _prepare
_prepare(get_ipython())
get_ipython().kernel.raw_input = _no_input
_random.seed(0)
try:
    import torch as _torch
    _torch.manual_seed(0)
    _torch.set_num_threads(1)
except ModuleNotFoundError:
    pass
_Guard({forbidden})
"""
"""What a kernel has to be told before the first cell."""


def run_in_kernels(jobs: list[Job], examples: Path, forbidden: list[Path]) -> Iterator[Answer]:
    """Runs the jobs and yields the same answers as `run_forked`."""
    for job in jobs:
        with tempfile.TemporaryDirectory() as folder:
            yield from _run(job, examples, forbidden, folder)


def _run(job: Job, examples: Path, forbidden: list[Path], folder: str) -> Iterator[Answer]:
    prepare = _PREPARE.format(forbidden=[str(path) for path in forbidden])
    notebook = v4.new_notebook(cells=[v4.new_code_cell(source) for source in (prepare, *job["cells"])])
    client = NotebookClient(notebook, allow_errors=True)
    with client.setup_kernel(env=environment(examples), cwd=folder):
        client.execute_cell(notebook.cells[0], 0, store_history=False)
        deadline = time.monotonic() + job["limit"]
        for number, cell in enumerate(notebook.cells[1:]):
            client.timeout = max(1, round(deadline - time.monotonic()))
            try:
                client.execute_cell(cell, number + 1)
            except CellTimeoutError:
                yield {"page": job["page"], "end": f"it ran longer than {job['limit']} s and was stopped"}
                return
            except DeadKernelError:
                yield {"page": job["page"], "end": "it ended its process"}
                return
            outputs = {"count": cell.execution_count, "outputs": cell.outputs}
            yield {"page": job["page"], "cell": number, **outputs}
    yield {"page": job["page"], "end": ""}
