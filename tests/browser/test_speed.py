"""A megabyte is matched at once, and no text can make the box hang."""

import pytest
from mutilate import copies
from playwright.sync_api import Page
from test_explain_errors import ROOT

from proof.book import names_of, read_book

BOOK = read_book(ROOT / "docs", names_of(ROOT / "docs"))
SIZE = 1_000_000
LIMIT = 50
"""Milliseconds for `SIZE` characters; the best of several tries, since the machine may be busy with something else."""

LOG = "2026-03-01 09:12:44,113 INFO trainer: epoch 3 step 200 of the run, loss 0.123, learning rate 0.001, took 3 s\n"
LEAF = "RuntimeError: a leaf Variable that requires grad is being used in an in-place operation."

TIMED = """async (text) => {
    await autogradInPlace.ask("");
    const { index } = await autogradInPlace.ready();
    const times = [];
    let found;
    for (let i = 0; i < 7; i++) {
        const start = performance.now();
        found = autogradInPlace.find(text, index);
        times.push(performance.now() - start);
    }
    return { best: Math.min(...times), worst: Math.max(...times), found: found.map(({ message }) => message.id) };
}"""


def long(text: str) -> str:
    """The text again and again, as long as what the box looks at."""
    return (text * (SIZE // len(text) + 1))[:SIZE]


@pytest.fixture
def front(page: Page) -> Page:
    page.goto("index.html")
    return page


def test_a_megabyte_of_log(front: Page) -> None:
    """The message at the end of a long log is found at once."""
    timed = front.evaluate(TIMED, long(LOG)[: -len(LEAF)] + LEAF)

    print(timed)
    assert timed["found"] == ["leaf-in-place"]
    assert timed["best"] < LIMIT


HOSTILE = {
    "all messages": "\n".join(copy.text for copy in copies(BOOK.errors.values(), len(BOOK.errors))),
    "one message": LEAF,
    "words that many messages share": "This view is the output of a function that returns multiple views. Such ",
    "the beginning of a message": "Output 0 of ",
    "short words": "a b ",
    "one word": "a",
    "colours that do not end": "\x1b[",
    "links that do not end": "\x1b]" + "a" * 299,
    "entities that do not end": "&a",
    "backslashes": "\\",
    "line breaks": "\n",
    "brackets": "\n[[[[ ",
    "braces": "{}{",
    "words cut by lines": "vari\nable ",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_hangs(front: Page, name: str) -> None:
    """The time grows with the text alone: nothing takes five times as long as a log of the same length."""
    log = front.evaluate(TIMED, long(LOG))
    timed = front.evaluate(TIMED, long(HOSTILE[name]))

    print(timed, log["best"])
    assert timed["best"] < 5 * max(log["best"], 10)
