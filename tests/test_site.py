"""The site as a whole: what has to be there, and that nothing is left over."""

import re
import tomllib
from pathlib import Path

import pytest

from proof.book import names_of, read_book
from render.examples import first_line_of, users_of

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
BOOK = read_book(DOCS, names_of(DOCS))
TEXTS = {name: (DOCS / f"{name}.md").read_text("utf-8") for name in BOOK.pages}

ERROR_PAGES = sorted(name for name, page in BOOK.pages.items() if page.errors)
FINDINGS = tomllib.loads((ROOT / "tests" / "findings.toml").read_text("utf-8"))
SECTIONS = ["Is this you?", "Why torch refuses", "Related"]
"""What every error page has, in this order. A warning is no refusal, so its second section says "warns"."""
INDEX = re.compile(r"^:::{error-index}\n(.*?)^:::$", re.MULTILINE | re.DOTALL)
SUBJECTS = sorted(name for name, text in TEXTS.items() if INDEX.search(text))
SILENT = ["The program", "How to notice", "How to be safe", "Why torch says nothing", "Related"]
"""What every page on a silent failure has, in this order."""


def test_size() -> None:
    """The pages there have to be, by folder, and the claims on them."""
    folders = [name.partition("/")[0] for name in BOOK.pages]
    claims = [claim.id for page in BOOK.pages.values() for claim in page.claims]

    tables = [name for name, page in BOOK.pages.items() if any(cell.table for cell in page.cells)]

    assert folders.count("guide") >= 20
    assert folders.count("howto") >= 20
    assert folders.count("questions") >= 2
    assert folders.count("silent") >= 25
    assert len([name for name in tables if name.startswith("reference/")]) >= 5
    assert len(ERROR_PAGES) >= 160
    assert len(claims) >= 1700


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name)
def test_example_is_used(path: Path) -> None:
    """A page runs each example, and its first line says what it does."""
    assert list(users_of(path.stem, BOOK.pages)) != []
    assert first_line_of(path).endswith(".")


@pytest.mark.parametrize("finding", FINDINGS["shown"])
def test_finding_is_shown(finding: str) -> None:
    """What was found out about torch is a claim or a message of some page."""
    known = {claim.id for page in BOOK.pages.values() for claim in page.claims} | set(BOOK.errors)

    assert set(FINDINGS["shown"][finding]) - known == set()


@pytest.mark.parametrize("name", ERROR_PAGES)
def test_error_page_raises_its_messages(name: str) -> None:
    """Each message that a page states comes from a cell of that page."""
    page = BOOK.pages[name]
    expected = {id_ for cell in page.cells for id_ in (cell.raises, *cell.warns)}

    assert {entry.id for entry in page.errors} <= expected


@pytest.mark.parametrize("id_", sorted(BOOK.errors))
def test_message_is_told_from_all_others(id_: str) -> None:
    """A message matches its own template and no other one of the catalogue."""
    message = BOOK.errors[id_].message
    filled = "".join(
        literal + {"": "x", "d": "1", "w": "x"}[kind] * (name is not None) for literal, name, kind in message.parts
    )

    found = [other.id for other in BOOK.errors.values() if other.message.holes(message.type, filled) is not None]

    assert found == [id_]


@pytest.mark.parametrize("name", ERROR_PAGES)
def test_error_page_has_its_order(name: str) -> None:
    """The reader finds the same sections in the same order on every error page."""
    headings = re.findall(r"^## (.+)$", TEXTS[name], re.MULTILINE)
    found = [heading.replace("torch warns", "torch refuses") for heading in headings]

    assert [heading for heading in found if heading in SECTIONS] == SECTIONS


@pytest.mark.parametrize("name", ERROR_PAGES)
def test_error_page_begins_with_its_answer(name: str) -> None:
    """Before its first section an error page says the cause, and then, in a line of its own, the fix."""
    opening = TEXTS[name].partition("\n# ")[2].partition("\n## ")[0]

    assert len(re.findall(r"^\*\*Fix:\*\* \S", opening, re.MULTILINE)) == 1
    assert opening.partition("\n")[2].strip().partition("**Fix:**")[0]


@pytest.mark.parametrize("name", sorted(name for name in BOOK.pages if name.startswith("silent/")))
def test_silent_page_has_its_order(name: str) -> None:
    """The pages where torch says nothing go in one order, too."""
    headings = re.findall(r"^## (.+)$", TEXTS[name], re.MULTILINE)

    assert [heading for heading in headings if heading in SILENT] == SILENT


@pytest.mark.parametrize("name", sorted(name for name in BOOK.pages if name.startswith("guide/")))
def test_guide_ends_in_one_breath(name: str) -> None:
    """Every page of the guide ends in its summary."""
    assert re.findall(r"^## (.+)$", TEXTS[name], re.MULTILINE)[-1] == "In one breath"


def test_every_message_has_one_subject() -> None:
    """Every error page stands under one subject, and every subject in the list of messages."""
    listed = [name for text in TEXTS.values() for block in INDEX.findall(text) for name in block.split()]
    subjects = [f"subjects/{name.rpartition('/')[2]}" for name in SUBJECTS]

    assert sorted(f"errors/{name.removeprefix('../')}" for name in listed) == ERROR_PAGES
    assert sorted(re.findall(r"^subjects/.+$", TEXTS["errors/index"], re.MULTILINE)) == subjects


def test_every_claim_has_one_ledger() -> None:
    """There is a page with the claims of each folder, and one with those of each subject of messages."""
    folders = {f"{name.partition('/')[0]}/" for name, page in BOOK.pages.items() if page.claims}
    ledgers = [name for text in TEXTS.values() for name in re.findall(r"{claim-ledger} (\S+)", text)]

    assert sorted(ledgers) == sorted((folders - {"errors/"}) | set(SUBJECTS))


def test_readme_blocks_are_doctests() -> None:
    """Every Python block of the README is a doctest, so that pytest runs it."""
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)

    assert blocks
    assert all(block.startswith(">>> ") for block in blocks)


def test_one_sentence_a_line() -> None:
    """The prose has semantic newlines: no line goes on after a full stop with a second sentence."""
    again = re.compile(r"[a-z`)]\. [A-Z]\w+ \w+ \w+")
    lines = [f"{name}: {line}" for name, text in TEXTS.items() for line in _prose(text) if again.search(line)]

    assert lines == []


def _prose(text: str) -> list[str]:
    """The lines outside code, tables and front matter."""
    outside = re.sub(r"^(`{3,}).*?^\1$|\A---.*?^---$", "", text, flags=re.MULTILINE | re.DOTALL)
    return [line for line in outside.splitlines() if not line.startswith("|")]
