"""The records in the repository: what each torch did with the pages there are."""

import re
import sys
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import pytest
from packaging.version import Version

from proof.book import names_of, read_book
from proof.imports import read_examples
from proof.run import torch_version
from record.history import history_of, same
from record.install import Installed
from record.outcome import Outcome
from record.record import FOLDER, Record, read_records
from record.replay import replay
from record.state import state_of

ROOT = Path(__file__).parents[1]
DOCS, EXAMPLES = ROOT / "docs", ROOT / "examples"
BOOK = read_book(DOCS, names_of(DOCS))
RECORDS = read_records(DOCS)
STATES = {name: state_of(page, BOOK.errors, read_examples(EXAMPLES)) for name, page in BOOK.pages.items()}
HISTORY = history_of(
    RECORDS,
    STATES,
    {claim.id: name for name, page in BOOK.pages.items() for claim in page.claims},
    {entry.id: name for name, page in BOOK.pages.items() for entry in page.errors},
)
PAIRS = [pytest.param(one, other, id=f"{one.torch}-{other.torch}") for one, other in pairwise(RECORDS)]

ASKED_FOR = "1.0.1 1.4.0 1.5.1 1.6.0 1.8.1 1.10.2 1.13.1 2.0.1 2.2.2 2.4.1 2.6.0 2.9.1 2.13.0 2.14.1 2.15.0"
"""One a year or more, from the oldest that installs to the newest there is."""
ALMOST_ALL_SINCE = "2.3.1"
"""From here on almost all that the pages are about is there; torch.func, torch.compile and others came before it."""


def test_releases() -> None:
    """The releases that there have to be, each with a page."""
    recorded = {record.torch for record in RECORDS}

    assert set(ASKED_FOR.split()) <= recorded
    assert {path.stem for path in (DOCS / FOLDER).glob("*.json")} == {
        path.stem for path in (DOCS / FOLDER).glob("*.md")
    }


def test_fresh_run() -> None:
    """The record of the installed torch is what a fresh run gives, and there everything holds."""
    kept = next(record for record in RECORDS if record.torch == torch_version())

    fresh = replay(BOOK, EXAMPLES, Installed(Path(sys.executable), kept.about["installed"]))

    again = f"run 'nox -s record -- {kept.torch}'"
    assert dict(fresh.pages) == dict(kept.pages), again
    assert _differences(kept.claims, fresh.claims) == {}, again
    assert _differences(kept.errors, fresh.errors) == {}, again
    assert {outcome.word for outcome in (*fresh.claims.values(), *fresh.errors.values())} == {"holds"}
    assert len(fresh.claims) == sum(len(page.claims) for page in BOOK.pages.values())
    assert len(fresh.errors) == len(BOOK.errors)


def _differences(one: Mapping[str, Outcome], other: Mapping[str, Outcome]) -> dict[str, tuple[object, object]]:
    ids = sorted(one.keys() | other.keys())
    return {id_: (one.get(id_), other.get(id_)) for id_ in ids if one.get(id_) != other.get(id_)}


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.torch)
def test_what_cannot_run_has_a_reason(record: Record) -> None:
    """Where something could not run, the record names what is missing."""
    outcomes = {**record.claims, **record.errors}

    assert [id_ for id_, outcome in outcomes.items() if outcome.word == "cannot run" and not outcome.got] == []


@pytest.mark.parametrize("path", sorted((DOCS / FOLDER).glob("*.json")), ids=lambda path: path.stem)
def test_record_speaks_of_no_machine(path: Path) -> None:
    """No record says where on the disk of the recording machine a file was."""
    assert re.findall(r"(?<![\w….])/(?:[\w.+-]+/)+[\w.+-]+\.py", path.read_text("utf-8")) == []


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.torch)
def test_most_can_run(record: Record) -> None:
    """At least 95 % can be replayed since what they are about is there; before, there is less to replay."""
    words = [outcome.word for outcome in (*record.claims.values(), *record.errors.values())]
    cannot, holds = words.count("cannot run") / len(words), words.count("holds") / len(words)
    print(f"\n{record.torch:>8}: {holds:6.1%} hold, {cannot:6.1%} cannot run")

    assert cannot <= (0.05 if record.version >= Version(ALMOST_ALL_SINCE) else 0.5)


@pytest.mark.parametrize(("before", "after"), PAIRS)
def test_difference_is_mentioned(before: Record, after: Record) -> None:
    """Whatever two neighbours do differently ends a range of the claim or the message, so its page tells of it."""
    for lines, one, other in (
        (HISTORY.claims, before.claims, after.claims),
        (HISTORY.errors, before.errors, after.errors),
    ):
        both = {id_: line for id_, line in lines.items() if {before.torch, after.torch} <= dict(line.outcomes).keys()}
        differing = {id_ for id_ in both if not same(one[id_], other[id_])}
        starting = {id_ for id_, line in both.items() if after.torch in [part.first for part in line.ranges[1:]]}

        assert differing == starting


def test_earlier_wordings_are_dated_right() -> None:
    """What a page says of an older wording is what the records say: the last release that had it."""
    wrong = {}
    for entry in BOOK.errors.values():
        for until, message in entry.earlier:
            texts = {
                record.torch: record.errors[entry.id].got.partition(": ")
                for record in RECORDS
                if entry.id in record.errors
            }
            having = [torch for torch, (type_, _, text) in texts.items() if message.holes(type_, text) is not None]
            if having[-1:] != [until]:
                wrong[entry.id] = (until, having)

    assert wrong == {}
