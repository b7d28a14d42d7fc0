"""Keeps executed notebooks, in the jupyter-cache from which MyST-NB takes them.

Whatever happens to the cache, a page is at worst run again: what is in it counts only if it has the digest that was
written with it, and one process at a time uses it.
"""

import copy
import hashlib
import json
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import nbformat
from filelock import BaseFileLock, FileLock, Timeout
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn, JupyterCacheAbstract
from nbformat import NotebookNode
from sqlalchemy.exc import SQLAlchemyError

from proof.identity import identity
from proof.imports import imports_of, read_examples
from proof.page import Page
from proof.run import Runner, run_pages, torch_version
from proof.verdict import STOPPED


class CacheError(Exception):
    """The cache cannot be written; the text says why."""


def cache_folder(parent: Path) -> Path:
    """Returns the cache's folder under `parent`, named by all that can change an output besides a page and its imports.

    jupyter-cache compares cells alone, so another torch must mean another folder.
    """
    return parent / f"torch-{torch_version()}-{identity()[:12]}"


def hold(folder: Path) -> BaseFileLock:
    """Waits until no other process uses the cache in `folder`, and returns its lock, held until it is released."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder.with_suffix(".lock"))
    try:
        lock.acquire(timeout=0)
    except Timeout:
        print(f"another build uses {folder}; waiting until it is over", file=sys.stderr)
        lock.acquire()
    return lock


def digest_of(notebook: NotebookNode) -> str:
    """Returns what tells one executed notebook from another: its code, its outputs, its counts."""
    cells = [(c.source, c.outputs, c.execution_count) for c in notebook.cells if c.cell_type == "code"]
    return hashlib.sha256(json.dumps(cells, sort_keys=True).encode()).hexdigest()


class Cache:
    """The executed notebooks in one folder. The lock of the folder must be held."""

    def __init__(self, folder: Path, root: Path, examples: Path, runner: Runner = "auto") -> None:
        self.folder, self.root, self.examples, self.runner = folder, root, examples, runner
        self._texts = read_examples(examples)
        self._cache = self._open()

    def _open(self) -> JupyterCacheAbstract:
        cache = get_cache(str(self.folder))
        try:
            cache.list_cache_records()
        except Exception:  # a damaged database raises whatever it likes; it is made anew
            shutil.rmtree(self.folder, ignore_errors=True)
            cache = get_cache(str(self.folder))
        return cache

    def executed(self, pages: Mapping[str, Page]) -> Iterator[tuple[str, NotebookNode]]:
        """Yields each page that has cells with its executed notebook; what is not kept is run and kept.

        Raises RunError where pages cannot be run, CacheError where what was run cannot be kept.
        """
        missing = {}
        for name, page in pages.items():
            if page.notebook is not None and page.readable:
                notebook = self._get(page)
                if notebook is None:
                    missing[name] = page
                else:
                    yield name, notebook
        for name, notebook in run_pages(missing, self.root, self.examples, self.runner):
            if not _was_stopped(notebook):
                self._put(pages[name], notebook)
            yield name, notebook

    def _get(self, page: Page) -> NotebookNode | None:
        try:
            record = self._cache.match_cache_notebook(page.notebook)
            # Not by the cache's own function, which writes down for each page that it was asked for.
            kept = nbformat.read(self.folder / "executed" / record.hashkey / "base.ipynb", nbformat.NO_CONVERT)
            return _merged(page, kept) if record.data == self._mark(page, kept) else None
        except Exception:  # no such notebook, or a damaged one, which can raise anything: it is run again
            return None

    def _put(self, page: Page, notebook: NotebookNode) -> None:
        bundle = CacheBundleIn(notebook, page.place, data=self._mark(page, notebook))
        _, key = self._cache.create_hashed_notebook(notebook)
        try:
            shutil.rmtree(self.folder / "executed" / key, ignore_errors=True)  # jupyter-cache trips over half a folder
            self._cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
        except (OSError, SQLAlchemyError) as error:
            raise CacheError(f"{page.place} has run, but it cannot be kept in {self.folder}: {error}") from error

    def _mark(self, page: Page, notebook: NotebookNode) -> dict[str, Any]:
        """What is kept beside a notebook, and must be the same when it is taken out again."""
        return {"notebook": digest_of(notebook), "imports": imports_of(page, self._texts)}


def _merged(page: Page, kept: NotebookNode) -> NotebookNode:
    """The page's notebook with the outputs of the one that was kept, which has only the code cells."""
    notebook = copy.copy(page.notebook)
    assert notebook is not None
    code = iter(kept.cells)
    notebook.cells = [next(code) if cell.cell_type == "code" else cell for cell in notebook.cells]
    return notebook


def _was_stopped(notebook: NotebookNode) -> bool:
    """Whether the notebook is half run, and so must not be kept."""
    outputs = (output for cell in notebook.cells for output in cell.get("outputs", []))
    return any(output.get("ename") == STOPPED for output in outputs)
