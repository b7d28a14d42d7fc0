"""Real situations people were in: each has its page, and the installed torch still does what was observed.

`cases/public.jsonl` has one a line, with the `program` that shows it, what was `observed` and a `fix`;
`cases/pages.toml` says which page answers it, and where one sentence is the answer, which claim or error there.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from nbformat import from_dict

from proof.book import names_of, read_book
from proof.forked import run_forked
from proof.verdict import warnings_in

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "tests" / "cases"
BOOK = read_book(ROOT / "docs", names_of(ROOT / "docs"))

CASES = {case["id"]: case for case in map(json.loads, (FOLDER / "public.jsonl").read_text("utf-8").splitlines())}
PAGES = tomllib.loads((FOLDER / "pages.toml").read_text("utf-8"))
NOT_COMPARED = tomllib.loads((FOLDER / "not-compared.toml").read_text("utf-8"))
"""The reason, by case, for each program that prints something else in every run."""
FIXED = [id_ for id_, case in CASES.items() if case["fix"]]
"""The cases that have a fix; the others are a question, and their program does what it should."""

LIMIT = 60
"""How many seconds a program may run."""

Substitution = tuple[str, str | Callable[[re.Match[str]], str]]

SAME: tuple[Substitution, ...] = (
    # How an observation was written down: what was printed, a warning, the exception at the end.
    (r"^(?:printed:\n|raised: |\[raised\] )", ""),
    (r"^\[(\w+Warning)\] ", r"\1: "),
    # What differs from run to run, from processor to processor, from one build of torch to another, and by who runs it.
    (r"\b0x[0-9a-f]+\b", "0x…"),
    (r"\d+\.\d{5,}", lambda found: f"{float(found[0]):.4g}"),
    (r"\(Triggered internally at .*?\)", "(Triggered internally at …)"),
    (r'^  File ".*\n(?:    .*\n)*', ""),
)
"""What makes an observation comparable with what a program says now. Nothing else is changed."""

Said = dict[str, tuple[str, str]]
"""By case and field, `c001 program` say: all that it printed and raised, and why it ended too early if it did."""


@pytest.fixture(scope="module")
def said() -> Said:
    """Runs the program and the fix of every case, each in a fork of one process that has imported torch."""
    sources = {f"{id_} program": case["program"] for id_, case in CASES.items()}
    sources |= {f"{id_} fix": CASES[id_]["fix"] for id_ in FIXED}
    jobs = [{"page": name, "cells": [source], "limit": LIMIT} for name, source in sources.items()]
    outputs, found = {}, {}
    for answer in run_forked(jobs, ROOT / "examples", [ROOT]):
        name = answer["page"]
        if "end" in answer:
            found[name] = "\n".join(_lines(outputs.get(name, []))), answer["end"]
        else:
            outputs[name] = answer["outputs"]
    return found


def _lines(outputs: list[dict[str, Any]]) -> Iterator[str]:
    """What a program prints, warns of and raises, in this order as it came, as a terminal has it."""
    for output in outputs:
        if output["output_type"] == "error":
            yield f"{output['ename']}: {output['evalue']}"
        elif output.get("name") == "stdout":
            yield output["text"].rstrip("\n")
        elif output.get("name") == "stderr":
            yield from (f"{name}: {text}" for name, text in warnings_in([from_dict(output)]))


def comparable(text: str) -> str:
    """Returns a text without what may differ between an observation and a run."""
    for pattern, rest in SAME:
        text = re.sub(pattern, rest, text, flags=re.MULTILINE)
    return text.rstrip()


@pytest.mark.parametrize("id_", CASES)
def test_program(id_: str, said: Said) -> None:
    """The program does on the installed torch what was observed."""
    text, end = said[f"{id_} program"]

    assert end == ""
    if id_ in NOT_COMPARED:
        assert comparable(text) != comparable(CASES[id_]["observed"]), "it can be compared after all"
    else:
        assert comparable(text) == comparable(CASES[id_]["observed"])


@pytest.mark.parametrize("id_", FIXED)
def test_fix(id_: str, said: Said) -> None:
    """The fix runs: whoever copies it meets neither an error nor a warning."""
    text, end = said[f"{id_} fix"]

    assert end == ""
    assert re.findall(r"^\w*(?:Error|Warning): .*", text, re.MULTILINE) == []


@pytest.mark.parametrize("id_", CASES)
def test_page(id_: str) -> None:
    """The page that answers the case is there, and the claim or the error that is the answer stands on it."""
    entry = PAGES[id_] if isinstance(PAGES[id_], dict) else {"page": PAGES[id_]}
    page = BOOK.pages[entry["page"]]

    assert set(entry) in ({"page"}, {"page", "claim"}, {"page", "error"})
    assert entry.get("claim") in {None, *(claim.id for claim in page.claims)}
    assert entry.get("error") in {None, *(error.id for error in page.errors)}


def test_every_case_has_a_page() -> None:
    """Every case stands in the list of pages, and nothing else does, in the order of the ids."""
    assert list(PAGES) == sorted(CASES)
    assert set(NOT_COMPARED) <= set(CASES)


def test_counts(said: Said, capsys: pytest.CaptureFixture[str]) -> None:
    """How many cases were run, compared and answered; if they were none, all other tests here would pass."""
    programs = sum(name.endswith("program") for name in said)
    pages = {entry["page"] if isinstance(entry, dict) else entry for entry in PAGES.values()}
    with capsys.disabled():
        compared = f"{programs - len(NOT_COMPARED)} of {programs} programs compared"
        print(f"\n{len(CASES)} cases: {compared}, {len(said) - programs} fixes run, {len(pages)} pages answer them")

    assert programs == len(CASES) >= 108
    assert len(said) - programs == len(FIXED) >= 107
    assert len(pages) >= 30
