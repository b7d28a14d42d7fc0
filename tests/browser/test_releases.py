"""What the pages say of other releases is what the records say, derived here a second time."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from proof.book import names_of, read_book
from proof.run import torch_version

DOCS = Path(__file__).parents[2] / "docs"
CELLS = (
    "[...document.querySelectorAll('table.matrix tr')].map(row => [...row.cells].map(cell => cell.innerText.trim()))"
)
LINKS = "[...document.querySelectorAll('article a')].map(link => link.hash).filter(Boolean)"


def _number(torch: str) -> list[int]:
    return [int(part) for part in torch.split(".")[:3]]


READ = [json.loads(path.read_text("utf-8")) for path in (DOCS / "records").glob("torch-*.json")]
ALL = sorted(READ, key=lambda record: _number(record["torch"]))

NOW = next(record for record in ALL if record["torch"] == torch_version())
BOOK = read_book(DOCS, names_of(DOCS))
PAGES = {
    "claim": {claim.id: name for name, page in BOOK.pages.items() for claim in page.claims},
    "error": {entry.id: name for name, page in BOOK.pages.items() for entry in page.errors},
}


def _word(outcome: Any) -> str:
    return outcome if isinstance(outcome, str) else next(iter(outcome))


def _is_current(record: dict[str, Any], kind: str, id_: str) -> bool:
    """Whether the page on which it stands is as it was recorded."""
    name = PAGES[kind].get(id_, "")
    return name in NOW["pages"] and record["pages"].get(name) == NOW["pages"][name]


def test_matrix(page: Page) -> None:
    """The table has a column a release, the newest first, and a page on which all holds has a tick in it."""
    page.goto("reference/versions.html")

    head, *rows = page.evaluate(CELLS)

    assert head[2:] == [record["torch"] for record in ALL[::-1]]
    assert len(rows) > 200
    for row in rows:
        shares = [cell.partition("/") for cell in row[2:] if "/" in cell]
        assert all(int(holding) < int(number) for holding, _, number in shares)
        assert row[1] == "never" or row[1].startswith("changed in ")


def test_matrix_counts_as_the_records_do(page: Page, address: str) -> None:
    """What holds of one page, counted from the records by the ids that stand on it."""
    page.goto("guide/leaf.html")
    ids = page.evaluate("[...document.querySelectorAll('.claim')].map(claim => claim.id.replace('claim-', ''))")
    title = page.evaluate("document.querySelector('h1').firstChild.textContent")
    page.goto("reference/versions.html")

    row = next(row for row in page.evaluate(CELLS) if row[0] == title)

    for record, cell in zip(ALL[::-1], row[2:], strict=True):
        words = [_word(record["claims"][id_]) for id_ in ids if _is_current(record, "claim", id_)]
        holding = words.count("holds")
        share = "✓" if holding == len(words) else f"{holding}/{len(words)}"
        assert cell == (share if words else "–"), record["torch"]


@pytest.mark.parametrize(("before", "after"), list(pairwise(ALL)), ids=lambda record: record["torch"])
def test_release_says_what_changed(page: Page, before: dict[str, Any], after: dict[str, Any]) -> None:
    """The page of a release links each claim and each message of which something else became than in the one before."""
    page.goto(f"records/torch-{after['torch']}.html")
    linked = set(page.evaluate(LINKS))

    for kind in ("claim", "error"):
        one, other = before[f"{kind}s"], after[f"{kind}s"]
        both = {
            id_ for id_ in one.keys() & other.keys() if _is_current(before, kind, id_) and _is_current(after, kind, id_)
        }
        changed = {id_ for id_ in both if _word(one[id_]) != _word(other[id_])}
        assert {f"#{kind}-{id_}" for id_ in changed} <= linked
        assert {link for link in linked if link.startswith(f"#{kind}-")} <= {f"#{kind}-{id_}" for id_ in one}


def test_readable_on_a_phone(page: Page) -> None:
    """The table scrolls inside itself, and the name of the page stays in sight."""
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto("reference/versions.html")

    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    first = page.locator("table.matrix tbody td").first
    before = first.bounding_box()
    page.evaluate("document.querySelector('table.matrix').parentElement.scrollLeft = 400")
    assert before
    assert first.bounding_box() == before


def test_shows_what_changed_in_a_release(page: Page) -> None:
    """A release in the field shows the pages on which something changed in it."""
    page.goto("reference/versions.html")

    page.get_by_label("Show rows with").fill("changed in 2.13.0")

    shown = page.locator("table.matrix tbody tr:visible td:nth-child(2)").all_inner_texts()
    assert shown
    assert all("2.13.0" in text for text in shown)
