"""`nox -s bench -- views`: what a first and a next view of a page cost here, and of the same page in other themes.

Options: `--rounds 5`, `--note TEXT` for what else is to be known of the run.
"""

import argparse
import statistics
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import astuple
from pathlib import Path

from browser.chromium import chromium
from playwright.sync_api import Browser

from benchmark.host import serve
from benchmark.machine import where_and_when
from benchmark.parts import write_part
from benchmark.themes import THEMES, write_plain
from benchmark.visit import ALONE, View, Visitor

TITLE = "How heavy a page is"
SITE, DOCS = Path("build/html"), Path("docs")

JOURNEYS = (("errors/leaf-in-place.html", "guide/leaf.html"), ("index.html", "errors/index.html"))
"""The page that somebody comes to, and the one that is opened next."""

# What Lighthouse takes for a phone on a slow line; 150 milliseconds and 1.6 megabits a second.
LINE = {"latency": 150, "downloadThroughput": 1_638_400 / 8, "uploadThroughput": 750_000 / 8}
WINDOW = {"width": 412, "height": 823}

Views = dict[tuple[str, str], list[View]]
"""What was measured, by the name of the site and that of the page."""


def main(file: Path, arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="benchmark FILE views")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--note", default="", help="what else is to be known of the run, such as what else was running")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder, chromium(ALONE) as browser:
        sites = {"this site": SITE} | dict(_built(Path(folder)))
        views = measure(browser, sites, options.rounds)
        text = report(views, list(sites), options.rounds, browser.version)
    print(text)
    write_part(file, TITLE, f"{text}\n{options.note}")


def _built(folder: Path) -> Iterator[tuple[str, Path]]:
    """Builds the same pages with each theme."""
    pages = folder / "pages"
    write_plain(SITE, DOCS, pages)
    for theme in THEMES:
        print(f"building the pages with {theme}", file=sys.stderr)
        yield str(theme), theme.build(pages, folder)


def measure(browser: Browser, sites: dict[str, Path], rounds: int) -> Views:
    """Opens the pages of all sites in turn, so that what else the machine does falls on all alike."""
    views: Views = {}
    for number in range(rounds):
        for name, folder in sites.items():
            print(f"round {number + 1} of {rounds}: {name}", file=sys.stderr)
            for journey in JOURNEYS:
                with serve(folder) as address, browser.new_context(viewport=WINDOW) as context:
                    visitor = Visitor(context.new_page(), address, LINE)
                    for page in journey:
                        views.setdefault((name, page), []).append(visitor.view(page))
    return views


def report(views: Views, sites: list[str], rounds: int, version: str) -> str:
    """Returns the part of the page: a table for each view, and the machine."""
    lines = [_HEAD.format(rounds=rounds, version=version)]
    for journey in JOURNEYS:
        for page, before in zip(journey, ("", journey[0]), strict=True):
            lines.append(f"### `{page}`, {f'opened after `{before}`' if before else 'opened first'}\n")
            lines += ["| pages in | KB | requests | to other hosts | largest paint, s | layout shift |"]
            lines += ["| --- | --: | --: | --: | --: | --: |"]
            lines += [_row(name, views[name, page]) for name in sites]
            lines.append("")
    return "\n".join([*lines, "### The machine of the views\n", where_and_when("sphinx", "furo")])


def _row(name: str, views: list[View]) -> str:
    size, requests, foreign, paint, shift = map(statistics.median, zip(*map(astuple, views), strict=True))
    return f"| {name} | {size / 1000:.0f} | {requests:.0f} | {foreign:.0f} | {paint / 1000:.2f} | {shift:.3f} |"


_HEAD = """\
`python3 -m nox -s bench -- views` wrote this part: a record of one run on one machine.
The themes built this site's pages from the Markdown that it offers of each, with Sphinx and MyST-Parser alone.
That has the text, the code, what the code gave and the pictures.
It has no claims to unfold, no box, no tables to sort and no marks of releases: these weigh on this site alone.
All took turns in one Chromium {version}, in a window of 412 × 823 pixels.
A simulated line gave 1.6 Mbit/s, with 150 ms to the server.
The server compresses with gzip and lets files be kept for ten minutes; a first view found nothing kept.
A request to another host is counted but fails at once, so what such hosts send and how long they take is in no number.
KB is what came over the wire, with headers; all numbers are medians of {rounds} rounds.
"""
