"""What is measured of a view: bytes as they come over the wire, requests, paint and shift."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmark.host import serve
from benchmark.visit import Visitor, layout_shift
from PIL import Image
from playwright.sync_api import Browser

SIDE = 128
NOISE = 3 * SIDE**2
"""Bytes of a picture that no compression makes smaller."""
TEXT = 100_000
HEADERS = 500
"""More than the headers of one answer have, in bytes."""

PAGE = """<!doctype html><title>{title}</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="style.css"><script src="script.js"></script>
<p>Some text, which is painted. <img src="noise.png" width="10" height="10" alt="">"""
FOREIGN = '<script src="http://elsewhere.invalid/script.js"></script>'
LATE = """<!doctype html><title>Shift</title><link rel="icon" href="data:,"><div id="late" {style}></div><p>{text}</p>
<script>setTimeout(() => late.style.height = "300px", 200)</script>"""


@pytest.fixture
def visitor(tmp_path: Path, browser: Browser) -> Iterator[Visitor]:
    """Visits a tiny site: two pages that share three files, and two on which something comes late."""
    (tmp_path / "first.html").write_text(PAGE.format(title="First") + FOREIGN)
    (tmp_path / "next.html").write_text(PAGE.format(title="Next"))
    (tmp_path / "style.css").write_text("p { color: blue } " * (TEXT // 18))
    (tmp_path / "script.js").write_text("let x = 1;")
    # A picture, and not bytes called one: the browser fetches no further what it cannot decode.
    Image.frombytes("RGB", (SIDE, SIDE), os.urandom(NOISE)).save(tmp_path / "noise.png")
    (tmp_path / "moves.html").write_text(LATE.format(style="", text="text " * 200))
    (tmp_path / "stays.html").write_text(LATE.format(style='style="height: 300px"', text="text " * 200))
    with serve(tmp_path) as address, browser.new_context() as context:
        yield Visitor(context.new_page(), address)


def test_first_view(visitor: Visitor) -> None:
    """A first view fetches the page and its files, text compressed; a request to another host is counted apart."""
    view = visitor.view("first.html")

    print(view)
    assert (view.requests, view.foreign) == (4, 1)
    assert NOISE < view.bytes < NOISE + TEXT / 10 + 4 * HEADERS


def test_next_view(visitor: Visitor) -> None:
    """A next view fetches the page alone; what the first has fetched is not counted again."""
    visitor.view("first.html")
    view = visitor.view("next.html")

    print(view)
    assert (view.requests, view.foreign) == (1, 0)
    assert 0 < view.bytes < len(PAGE) + HEADERS


def test_line(tmp_path: Path, browser: Browser) -> None:
    """A slow line makes a view slow, and changes nothing of what is fetched."""
    (tmp_path / "first.html").write_text("<!doctype html><p>Some text, which is painted.")
    views = []
    for line in (None, {"latency": 400, "downloadThroughput": 100_000, "uploadThroughput": 100_000}):
        with serve(tmp_path) as address, browser.new_context() as context:
            views.append(Visitor(context.new_page(), address, line).view("first.html"))
    fast, slow = views

    print(fast, slow)
    assert 0 < fast.paint < 400 < slow.paint
    assert (fast.bytes, fast.requests) == (slow.bytes, slow.requests)


def test_shift(visitor: Visitor) -> None:
    """A page on which something late moves the text has a layout shift; one that keeps a place for it has none."""
    moves, stays = visitor.view("moves.html"), visitor.view("stays.html")

    print(moves, stays)
    assert moves.shift > 0.1
    assert stays.shift == 0


def shift(second: float, value: float, *, caused: bool = False) -> dict[str, object]:
    """A shift as the browser tells it."""
    return {"startTime": second * 1000, "value": value, "hadRecentInput": caused}


@pytest.mark.parametrize(
    ("shifts", "expected"),
    [
        ([], 0),
        ([shift(0.1, 1), shift(0.9, 2)], 3),
        ([shift(0.1, 1), shift(1.2, 2)], 2),
        ([shift(0.1, 4), shift(2, 1), shift(2.5, 2)], 4),
        ([shift(0.9 * number, 1) for number in range(9)], 6),
        ([shift(0.1, 1), shift(0.5, 2, caused=True)], 1),
    ],
    ids=["none", "one session", "a second apart", "the largest", "five seconds", "the reader's own"],
)
def test_layout_shift(shifts: list[dict[str, object]], expected: float) -> None:
    """The cumulative layout shift is that of the worst session."""
    assert layout_shift(shifts) == expected
