"""`nox -s bench -- saves`: how long it takes from saving a page of this site to seeing it in the browser.

Options: `--rounds 5`, `--note TEXT` for what else is to be known of the run.
"""

import argparse
import re
import shutil
import statistics
import tempfile
import time
from pathlib import Path

from browser.chromium import chromium
from playwright.sync_api import Page
from serving import Served, live

from benchmark.machine import where_and_when
from benchmark.parts import write_part

TITLE = "How long until a save is shown"
FOLDERS = ("docs", "examples", "build/cache")
PAGE = "guide/leaf"

_TITLE = re.compile(r"^# .*$", re.MULTILINE)
_CELL = re.compile(r"^```\{code-cell\} python$", re.MULTILINE)

SENTENCE, FIRST, CELL = "a sentence", "a cell, for the first time", "a cell, again"

Seconds = dict[str, list[tuple[float, float]]]
"""By what was changed: from saving to seeing, and how much of it the build took."""


def main(file: Path, arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="benchmark FILE saves")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--note", default="", help="what else is to be known of the run, such as what else was running")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        for folder in FOLDERS:
            shutil.copytree(folder, Path(name, folder))
        with live(Path(name)) as served, chromium() as browser:
            page = browser.new_page(base_url=served.address)
            page.goto(f"{PAGE}.html")
            seconds = measure(served, page, options.rounds)
    text = report(seconds, options.rounds)
    print(text)
    write_part(file, TITLE, f"{text}\n{options.note}")


def measure(served: Served, page: Page, rounds: int) -> Seconds:
    """Changes one page again and again; a round begins and ends with the page as it is."""
    seconds: Seconds = {}
    name = f"docs/{PAGE}.md"
    text = (served.folder / name).read_text("utf-8")
    for number in range(rounds):
        for what, change, seen in _changes(text, number):
            begin = time.monotonic()
            served.save(name, change)
            page.get_by_text(seen, exact=True).first.wait_for()
            built = float(re.findall(r"built in ([\d.]+) s", served.log)[-1])
            seconds.setdefault(what, []).append((time.monotonic() - begin, built))
            served.rest()
        served.save(name, text)
        page.get_by_text(seen, exact=True).first.wait_for(state="detached")
        served.rest()
    return seconds


def _changes(text: str, number: int) -> list[tuple[str, str, str]]:
    """Returns what is changed, the page that is saved, and the text by which it is known in the browser."""
    sentence, first, again = (f"{kind} of round {number}" for kind in ("Sentence", "First", "Again"))
    said = _TITLE.sub(rf"\g<0>\n\n{sentence}", text, count=1)
    cells = (
        (what, _CELL.sub(rf"\g<0>\nprint({seen!r})", said, count=1), seen)
        for what, seen in ((FIRST, first), (CELL, again))
    )
    return [(SENTENCE, said, sentence), *cells]


def report(seconds: Seconds, rounds: int) -> str:
    """Returns the part of the page: a line for each kind of change, and the machine."""
    lines = [_HEAD.format(page=PAGE, rounds=rounds)]
    lines += ["| changed | until it is shown, s | of it the build, s |", "| --- | --: | --: |"]
    for what, measured in seconds.items():
        shown, built = map(statistics.median, zip(*measured, strict=True))
        lines.append(f"| {what} | {shown:.1f} | {built:.1f} |")
    return "\n".join([*lines, "", where_and_when("torch", "sphinx", "sphinx-autobuild")])


_HEAD = """\
`python3 -m nox -s bench -- saves` wrote this part: a record of one run on one machine.
`{page}.md` was changed in a copy of this site, as `nox -s live` serves it, while Chromium had the page open.
The seconds run from writing the file until the browser shows what was changed; they are medians of {rounds} rounds.
After each, a second build writes what shows something of the page, other pages and the box say; it is not in the table.
"""
