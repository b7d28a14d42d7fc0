"""Whatever is pasted, the right page comes first: by the box, by the search field, and by the terminal's script."""

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from browser.conftest import SITE, watched
from mutilate import copies
from playwright.sync_api import Browser, Page
from test_cases import CASES, PAGES

from explain_errors import Finder
from proof.book import names_of, read_book

ROOT = Path(__file__).parents[2]
BOOK = read_book(ROOT / "docs", names_of(ROOT / "docs"))
PAGE_OF = {entry.id: name for name, page in BOOK.pages.items() for entry in page.errors}

ANSWER = {id_: entry["page"] if isinstance(entry, dict) else entry for id_, entry in PAGES.items()}
"""The page that answers each case."""

NUMBER = 1200
FIRST = 0.99

ASK = """async (texts) => {
    const said = [];
    for (const text of texts) {
        const { found, guesses, pages } = await autogradInPlace.ask(text);
        const numbers = [...found.map(({ message }) => message.page), ...guesses];
        const named = found.map(({ message, holes }) => [message.id, holes]);
        said.push({ pages: numbers.map((page) => pages[page][0]), found: named });
    }
    return said;
}"""


@pytest.fixture
def front(page: Page) -> Page:
    page.goto("index.html")
    return page


def test_mutilated_copies(front: Page) -> None:
    """Of the copies of all messages 99 in 100 find their page first."""
    tried = copies(BOOK.errors.values(), NUMBER)
    answers = front.evaluate(ASK, [copy.text for copy in tried])
    missed = [
        copy for copy, answer in zip(tried, answers, strict=True) if [f"{PAGE_OF[copy.id]}.html"] != answer["pages"][:1]
    ]
    lost = [
        copy for copy, answer in zip(tried, answers, strict=True) if f"{PAGE_OF[copy.id]}.html" not in answer["pages"]
    ]

    print(f"{len(tried)} copies of {len(BOOK.errors)} messages, {len(missed)} not first, {len(lost)} not offered")
    assert len(missed) <= NUMBER * (1 - FIRST), Counter((copy.how, copy.id) for copy in missed)


def test_terminal_agrees(front: Page) -> None:
    """`explain_errors.py` finds in the same texts the same messages, with the same in their holes."""
    tried = [copy.text for copy in copies(BOOK.errors.values(), NUMBER)] + [case["query"] for case in CASES.values()]
    finder = Finder(json.loads((SITE / "errors.json").read_text("utf-8")))
    answers: list[Any] = front.evaluate(ASK, tried)
    terminal = [[[entry["id"], holes] for entry, holes in finder.find(text)] for text in tried]

    assert len(terminal) > NUMBER
    assert [answer["found"] for answer in answers] == terminal


def test_cases_by_the_box(front: Page) -> None:
    """What people searched for leads to the page that answers them."""
    answers = front.evaluate(ASK, [case["query"] for case in CASES.values()])
    first = {id_: answer["pages"][:1] for id_, answer in zip(CASES, answers, strict=True)}

    assert len(first) > 100
    assert {id_: pages for id_, pages in first.items() if pages != [f"{ANSWER[id_]}.html"]} == {}


@pytest.fixture(scope="module")
def searching(browser: Browser, address: str) -> Iterator[Page]:
    """One page for all searches: what the browser has fetched once it keeps, as a reader's does."""
    with watched(browser, address) as page:
        yield page


@pytest.mark.parametrize("id_", CASES)
def test_case_by_the_search_field(searching: Page, address: str, id_: str) -> None:
    """The same words in the ordinary search field: the page comes before what Sphinx finds."""
    searching.goto(f"search.html?q={quote(CASES[id_]['query'])}", wait_until="commit")

    searching.locator(".box-answer > *").first.wait_for()
    first = searching.locator("article a:not(.headerlink)").first.get_attribute("href") or ""
    assert first.removeprefix(address).partition("#")[0] == f"{ANSWER[id_]}.html"


def test_size() -> None:
    """What the box fetches, in all, is at most 40 KB as a host compresses it."""
    files = [SITE / "box" / "messages.js", SITE / "box" / "pages.js", SITE / "box" / "0.js"]
    sizes = {file.name: len(gzip.compress(file.read_bytes())) for file in files}

    print(sizes)
    assert sum(sizes.values()) <= 40_000
