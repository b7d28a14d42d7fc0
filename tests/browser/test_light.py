"""What a page costs: bytes, files that hold it up, and text that jumps while it loads."""

import gzip
import re
import time
from functools import cache
from urllib.parse import urlsplit

import pytest
from browser.conftest import PAGES, SITE
from browser.walk import Seen
from playwright.sync_api import Browser, Route

FRONT = "index.html"
FIRST, NEXT = 60_000, 20_000
"""Bytes of all that a page asks for, as a host compresses it: for who comes first, and for who comes from the front."""

LISTS = {
    "reference/claims/": (35_000, "every claim of a folder with its words"),
    "reference/versions.html": (25_000, "every page in every release"),
    "records/": (35_000, "all that one release did otherwise, with its words"),
    "search.html": (220_000, "Sphinx's index of every word"),
}
"""How the addresses of pages begin that hold all of something, and what they may cost who comes from the front."""

SAMPLE = [
    FRONT,
    "404.html",
    "search.html",
    "guide/leaf.html",
    "errors/leaf-in-place.html",
    "silent/writes-past-the-counter.html",
    "howto/fill-a-buffer.html",
    "questions/why-step-may-write-to-a-leaf.html",
    "reference/what-is-a-leaf.html",
    "reference/versions.html",
    "records/torch-2.1.2.html",
]

HOLDS_UP = re.compile(r"<script(?![^>]*\bdefer\b)[^>]*\bsrc=")

SHIFTS = """new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
        shifts.push(`${value}: ${sources.map(({ node }) => node?.outerHTML?.slice(0, 100))}`);
    }
}).observe({ type: "layout-shift", buffered: true });
globalThis.shifts = [];"""
"""Writes down each shift of the layout, and of what."""


@cache
def size(path: str) -> int:
    """How many bytes of a file go over the wire."""
    return len(gzip.compress((SITE / path.lstrip("/")).read_bytes(), 6))


def cost(seen: Seen, known: frozenset[str] = frozenset()) -> int:
    """How many bytes a page asks for, without files that are known; pictures stand in the pages themselves."""
    return sum(map(size, {urlsplit(url).path for url in seen.requests if url.startswith("http")} - known))


def limit_of(name: str) -> int:
    """How many bytes a page may cost who comes from the front."""
    return next((limit for start, (limit, _) in LISTS.items() if name.startswith(start)), NEXT)


def test_first_view(walked: dict[str, Seen]) -> None:
    """Who comes from a search engine loads at most 60 KB."""
    costs = {name: cost(seen) for name, seen in walked.items() if limit_of(name) == NEXT}

    print(f"first view: the front page {costs[FRONT]}, the dearest {max(costs.values())}")
    assert {name: found for name, found in costs.items() if found > FIRST} == {}


def test_next_view(walked: dict[str, Seen]) -> None:
    """Who goes on from the front page loads at most 20 KB."""
    known = frozenset(urlsplit(url).path for url in walked[FRONT].requests)
    costs = {name: cost(seen, known) for name, seen in walked.items() if name != FRONT}
    over = {name: found for name, found in costs.items() if found > limit_of(name)}

    print(f"next view: the median {sorted(costs.values())[len(costs) // 2]}")
    assert over == {}


def test_lists_need_their_limit(walked: dict[str, Seen]) -> None:
    """Of the pages with a limit of their own some would be over the common one."""
    known = frozenset(urlsplit(url).path for url in walked[FRONT].requests)
    over = [name for name, seen in walked.items() if cost(seen, known) > NEXT]

    assert [start for start in LISTS if not any(name.startswith(start) for name in over)] == []


def test_nothing_holds_it_up() -> None:
    """One stylesheet is waited for, and no script: each is deferred or stands behind the text."""
    texts = {name: (SITE / name).read_text("utf-8").partition("</article>")[0] for name in PAGES}

    assert [name for name, text in texts.items() if text.count('rel="stylesheet"') != 1] == []
    assert [name for name, text in texts.items() if HOLDS_UP.search(text)] == []


@pytest.mark.parametrize("width", [360, 1440])
@pytest.mark.parametrize("name", SAMPLE)
def test_nothing_jumps(browser: Browser, address: str, name: str, width: int) -> None:
    """No text moves while a page loads, however late its scripts come."""
    page = browser.new_page(base_url=address, viewport={"width": width, "height": 900})

    def late(route: Route) -> None:
        time.sleep(0.1)
        route.continue_()

    page.route("**/*.js*", late)
    page.add_init_script(SHIFTS)
    page.goto(name)
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    shifts = page.evaluate("shifts")
    page.close()

    assert shifts == []
