"""Every error that a page raises is told from all other messages of the catalogue, by its text alone."""

from pathlib import Path

from proof.book import names_of, read_book
from proof.run import run_pages
from proof.verdict import raised_in

ROOT = Path(__file__).parents[1]
BOOK = read_book(ROOT / "docs", names_of(ROOT / "docs"))


def test_raised_errors_are_told_apart() -> None:
    """What torch really says, holes filled, matches the entry that the cell names and no other one."""
    pages = {name: page for name, page in BOOK.pages.items() if any(cell.raises for cell in page.cells)}
    matches = []
    for name, notebook in run_pages(pages, ROOT / "docs", ROOT / "examples"):
        for cell in filter(lambda cell: cell.raises, pages[name].cells):
            raised = raised_in(notebook.cells[cell.index].outputs)
            assert raised is not None, f"{name}: {cell.line}"
            found = [e.id for e in BOOK.errors.values() if e.message.holes(*raised) is not None]
            matches.append((name, cell.line, [cell.raises], found))

    print(f"{len(matches)} errors raised on {len(pages)} pages")
    assert len(matches) > 500
    assert [match for match in matches if match[2] != match[3]] == []
