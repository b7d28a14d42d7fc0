"""The notebook and the script of each page run from top to bottom without this site and without what draws pictures."""

from pathlib import Path

import nbformat
import pytest
from browser.conftest import SITE
from nbformat.v4 import new_code_cell, new_notebook
from test_site import BOOK

from proof.page import Cell, Page
from proof.run import run_pages
from proof.verdict import raised_in

NAMES = sorted(name for name, page in BOOK.pages.items() if page.cells)
ALONE = "import sys; sys.modules['pygraphviz'] = None\n"
"""Makes an import of what the pictures need fail, as where it is not installed."""


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What each script ended with: nothing, or its exception."""
    scripts = {name: ALONE + (SITE / f"{name}.py").read_text("utf-8") for name in NAMES}
    pages = {
        name: Page(name, new_notebook(cells=[new_code_cell(text)]), (Cell(0, 1, 1, text),))
        for name, text in scripts.items()
    }
    empty = tmp_path_factory.mktemp("empty")
    executed = run_pages(pages, empty, empty)
    return {name: str(raised_in(notebook.cells[0].outputs) or "") for name, notebook in executed}


@pytest.mark.parametrize("name", NAMES)
def test_script_runs(name: str, ended: dict[str, str]) -> None:
    """A script runs to its end, every assertion of its page included."""
    assert ended[name] == ""


@pytest.mark.parametrize("name", NAMES)
def test_notebook_has_the_page(name: str) -> None:
    """A notebook is valid, begins with the comparison of torch, and has the page's cells in their order."""
    notebook = nbformat.read(SITE / f"{name}.ipynb", as_version=4)
    nbformat.validate(notebook)
    first, *code = [cell for cell in notebook.cells if cell.cell_type == "code"]

    assert "torch.__version__" in first.source
    assert [cell.source for cell in code] == [cell.source for cell in BOOK.pages[name].cells]
    assert ["raises-exception" in cell.metadata.get("tags", []) for cell in code] == [
        bool(cell.raises) for cell in BOOK.pages[name].cells
    ]
    assert "cell-of-the-page" not in (SITE / f"{name}.ipynb").read_text("utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_page_names_them(name: str) -> None:
    """The page links both, and they lie beside it."""
    html, last = (SITE / f"{name}.html").read_text("utf-8"), Path(name).name

    assert f'href="{last}.ipynb" download' in html
    assert f'href="{last}.py" download' in html
