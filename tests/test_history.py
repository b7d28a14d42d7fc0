"""What became of claims and messages from release to release."""

import re
from collections.abc import Callable
from pathlib import Path

from running import page_of
from tiny_site import Built, record

from proof.front_matter import ErrorEntry
from proof.message import Message
from record.__main__ import PAGE
from record.changes import told
from record.history import History, Line, changes, history_of
from record.outcome import Outcome
from record.record import Record
from record.state import state_of
from record.wordings import template_of, with_earlier

LINE = Line(
    (
        ("1.4.0", Outcome("cannot run", "torch.new")),
        ("1.8.1", Outcome("holds")),
        ("1.10.2", Outcome("holds")),
        ("2.0.1", Outcome("other text", "RuntimeError: x (Triggered internally at a.cpp:1.)")),
        ("2.4.1", Outcome("other text", "RuntimeError: x (Triggered internally at a.cpp:2.)")),
        ("2.13.0", Outcome("holds")),
        ("2.14.1", Outcome("holds")),
    )
)


def test_ranges() -> None:
    """Neighbours in which the same came are one range; a line of torch's source is no difference."""
    assert [str(range_) for range_ in LINE.ranges] == ["1.4.0", "1.8.1 to 1.10.2", "2.0.1 to 2.4.1", "2.13.0 to 2.14.1"]
    assert LINE.short == "from 1.8.1 to 1.10.2, since 2.13.0"
    assert Line(LINE.outcomes[:3]).short == "since 1.8.1"
    assert Line(LINE.outcomes[1:3]).long == "holds in all 2 releases that were recorded, 1.8.1 to 1.10.2"
    assert Line(LINE.outcomes[:1]).long == "holds in no release that was recorded"
    assert Line().short == ""


def test_changes() -> None:
    """What changed between two releases, and nothing where one has no entry."""
    lines = {"a": LINE, "b": Line(LINE.outcomes[:2])}

    assert [change.id for change in changes(lines, "1.4.0", "1.8.1")] == ["a", "b"]
    assert [change.id for change in changes(lines, "1.10.2", "2.0.1")] == ["a"]
    assert list(changes(lines, "2.0.1", "2.4.1")) == []


def test_changed_page_has_no_history(tmp_path: Path) -> None:
    """A record of other cells says nothing of those of today; another text around them is no difference."""
    page = page_of(tmp_path, "1 + 1")
    other = page_of(tmp_path, "1 + 2")
    record = Record("1.8.1", {}, {"page": state_of(page, {}, {})}, {"a": Outcome("holds")}, {})

    def history(state: str) -> History:
        return history_of([record], {"page": state}, {"a": "page"}, {})

    assert history(state_of(page, {}, {})).claim("a").holding == ("1.8.1",)
    assert history(state_of(other, {}, {})).claim("a").outcomes == ()


def test_earlier_wordings_go_into_the_catalogue() -> None:
    """What a message said in earlier releases becomes a template, once; another error does not."""
    entry = ErrorEntry(
        "written", Message("RuntimeError", "a leaf that requires grad is being written at version {n:d}")
    )
    old = "RuntimeError: a leaf that requires grad has been written {} times"
    line = Line(
        (
            ("1.1.0", Outcome("other text", "RuntimeError: something else altogether")),
            ("1.2.0", Outcome("other text", "TypeError: a leaf that requires grad is being written")),
            ("1.3.0", Outcome("other text", old.format(2))),
            ("1.4.0", Outcome("other text", old.format(3))),
            ("1.5.0", Outcome("holds")),
        )
    )

    found = with_earlier({"written": entry}, History(errors={"written": line}))["written"].earlier

    assert [(until, str(message)) for until, message in found] == [("1.4.0", old.format("{number:d}"))]


def test_template_of_a_text() -> None:
    """Numbers, shapes, types and nodes become holes, the same one for the same text."""
    text = "[torch.FloatTensor [2, 3]], output 0 of ExpBackward0, is at version 1, not 0 or {1.5}; 1) this"

    assert template_of(text) == (
        "[{type} [{sizes}]], output {number:d} of {node}, is at version {number2:d}, not {number:d} or {{1.5}}; 1) this"
    )


def test_on_the_pages(build: Callable[..., Built]) -> None:
    """A claim says since when it holds, a message what came before, a release what changed, the table what holds."""
    docs = build("good").source
    old = {
        "one-letter": Outcome("other value", "AssertionError: assert len('a') == 1; 2"),
        "zero-divides-nothing": Outcome("holds"),
    }
    before = Outcome("other text", "ZeroDivisionError: dividing by zero")
    for release, claims, error in (
        ("1.8.1", old, before),
        ("1.10.2", dict.fromkeys(old, Outcome("holds")), Outcome("holds")),
    ):
        record(docs, release, claims, {"division": error})
        (docs / "records" / f"torch-{release}.md").write_text(PAGE.format(release=release))
    (docs / "versions.md").write_text("# Versions\n\n:::{versions}\n:::\n\n:::{history} one-letter\n:::\n")
    text = (docs / "index.md").read_text()
    (docs / "index.md").write_text(
        text.replace("\nledger\n", "\nledger\nversions\nrecords/torch-1.8.1\nrecords/torch-1.10.2\n")
    )

    built = build("good")

    assert built.warnings == ""
    assert '<small class="since">since 1.10.2</small>' in built.html("index")
    assert "; holds in all 2 releases that were recorded, 1.8.1 to 1.10.2" in built.html("index")
    assert "<summary>the message in these words: since 1.10.2</summary>" in built.html("division")
    assert [text for text in _texts(built.html("division"), "li") if re.match(r"torch [\d.]+: ", text)] == [
        "torch 1.10.2: as on the page",
        "torch 1.8.1: ZeroDivisionError: dividing by zero",
    ]
    assert "1 claim changed since torch 1.8.1" in built.html("records/torch-1.10.2")
    assert 'href="torch-1.10.2.json"' in built.html("records/torch-1.10.2")
    assert (built.out / "records" / "torch-1.10.2.json").is_file()
    assert "It is the oldest release that was recorded." in built.html("records/torch-1.8.1")
    cells = [cell.strip() for cell in _texts(built.html("versions"), "td")]
    assert cells == ["Division by zero", "changed in 1.10.2", "✓", "0/1", "Sums", "changed in 1.10.2", "✓", "1/2"]


def test_changes_as_text() -> None:
    """The text of a change that brings a new record: what is otherwise than in the release before it."""
    records = tuple(
        Record(torch, {}, {}, {"a": a, "b": Outcome("holds")}, {"c": c})
        for torch, a, c in (
            ("2.13.0", Outcome("holds"), Outcome("other text", "RuntimeError: old")),
            ("2.14.1", Outcome("other value", "AssertionError: assert x == 1; 2"), Outcome("holds")),
        )
    )

    assert told(records) == (
        "torch 2.14.1 against 2.13.0\n\n"
        "- claim `a`: holds → other value, `AssertionError: assert x == 1; 2`\n"
        "- message `c`: other text, `RuntimeError: old` → holds\n"
    )
    assert told(records[:1]) == "Only torch 2.13.0 is recorded.\n"
    assert told((records[0], Record("2.15.0", {}, {}, records[0].claims, records[0].errors))) == (
        "torch 2.15.0 against 2.13.0\n\nEverything is the same.\n"
    )


def _texts(html: str, tag: str) -> list[str]:
    found = re.findall(rf"<{tag}(?: [^>]*)?>(.*?)</{tag}>", html, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", "", text).split()) for text in found]
