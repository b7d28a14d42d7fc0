"""Cells run as one page: what the tests of the runner look at."""

from collections.abc import Callable
from pathlib import Path

import pytest
from nbformat import NotebookNode

from proof.page import Page
from proof.reader import read_page
from proof.run import Runner, run_pages

Run = Callable[..., list[list[NotebookNode]]]


def page_of(folder: Path, *cells: str, name: str = "page", limit: int = 60) -> Page:
    """Writes `docs/<name>.md` with these cells into `folder`, beside an empty folder of examples, and reads it."""
    path = folder / "docs" / f"{name}.md"
    path.parent.mkdir(exist_ok=True)
    (folder / "examples").mkdir(exist_ok=True)
    blocks = "\n".join(f"```{{code-cell}} python\n{cell}\n```\n" for cell in cells)
    path.write_text(f"---\nfile_format: mystnb\ntime_limit: {limit}\n---\n\n# Page\n\n{blocks}")
    return read_page(path, f"docs/{name}.md")


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs cells as one page and returns the outputs of each."""

    def run_cells(*cells: str, limit: int = 60, runner: Runner = "fork") -> list[list[NotebookNode]]:
        page = page_of(tmp_path, *cells, limit=limit)
        (executed,) = run_pages({"page": page}, tmp_path / "docs", tmp_path / "examples", runner)
        return [executed[1].cells[cell.index].outputs for cell in page.cells]

    return run_cells
