"""Keeps executed notebooks, in the jupyter-cache from which MyST-NB takes them."""

import hashlib
import platform
import sys
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from nbformat import NotebookNode

from proof.page import Page
from proof.run import STOPPED, run_pages, torch_version

_RUNNER = ("child.py", "run.py", "shell.py")


def cache_folder(parent: Path, examples: Path) -> Path:
    """Returns the cache's folder under `parent`, named by all that can change an output besides a page's cells.

    jupyter-cache compares the cells alone, so another torch or an edited example must mean another folder.
    """
    versions = [platform.platform(), sys.version, *(metadata.version(name) for name in ("torch", "numpy", "ipython"))]
    digest = hashlib.sha256("\n".join(versions).encode())
    for path in [*(Path(__file__).with_name(name) for name in _RUNNER), *sorted(examples.rglob("*.py"))]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return parent / f"torch-{torch_version()}-{digest.hexdigest()[:12]}"


def executed(pages: Mapping[str, Page], folder: Path, examples: Path) -> dict[str, NotebookNode]:
    """Returns the executed notebook of each page that has one; what is not in the cache is run and put there.

    Raises RunError where pages cannot be run.
    """
    cache = get_cache(str(folder))
    found: dict[str, NotebookNode] = {}
    for name, page in pages.items():
        if page.notebook is not None and page.readable:
            try:
                found[name] = cache.merge_match_into_notebook(page.notebook)[1]
            except KeyError:
                continue
    missing = {name: page for name, page in pages.items() if page.readable and name not in found}
    for name, notebook in run_pages(missing, examples):
        found[name] = notebook
        if not _was_stopped(notebook):
            bundle = CacheBundleIn(notebook, pages[name].place)
            cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
    return found


def _was_stopped(notebook: NotebookNode) -> bool:
    """Whether the notebook is half run, and so must not be kept."""
    outputs = (output for cell in notebook.cells for output in cell.get("outputs", []))
    return any(output.get("ename") == STOPPED for output in outputs)
