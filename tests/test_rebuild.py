"""What a build does after one page has changed: it reads that page, and writes what shows something of it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from docutils import nodes
from sphinx.builders import Builder
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment import BuildEnvironment
from tiny_site import Built


@dataclass
class Done:
    """The pages that a build read and wrote, and those of which it loaded the document."""

    read: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)
    loaded: set[str] = field(default_factory=set)


@pytest.fixture
def after(build: Callable[..., Built], monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str, str], Done]:
    """Builds a site, replaces a text on one of its pages, and says what the next build did."""
    done = Done()
    read, write, load = Builder.read_doc, StandaloneHTMLBuilder.write_doc, BuildEnvironment.get_doctree

    def read_doc(self: Builder, name: str, *, _cache: bool = True) -> None:
        done.read.add(name)
        read(self, name, _cache=_cache)

    def write_doc(self: StandaloneHTMLBuilder, name: str, document: nodes.document) -> None:
        done.written.add(name)
        write(self, name, document)

    def get_doctree(self: BuildEnvironment, name: str) -> nodes.document:
        done.loaded.add(name)
        return load(self, name)

    monkeypatch.setattr(Builder, "read_doc", read_doc)
    monkeypatch.setattr(StandaloneHTMLBuilder, "write_doc", write_doc)
    monkeypatch.setattr(BuildEnvironment, "get_doctree", get_doctree)

    def run(name: str, old: str, new: str) -> Done:
        built = build("good")
        assert done.read == done.written == {"index", "division", "odd", "ledger"}
        page = built.source / f"{name}.md"
        text = page.read_text("utf-8")
        assert old in text
        page.write_text(text.replace(old, new), "utf-8")
        for pages in (done.read, done.written, done.loaded):
            pages.clear()
        build("good")
        return done

    return run


def test_prose(after: Callable[[str, str, str], Done]) -> None:
    """After a change of prose the page is read, it and the pages that list it are written, no other one is loaded."""
    done = after("division", "# Division by zero\n", "# Division by zero\n\nOne more sentence.\n")

    assert (done.read, done.written) == ({"division"}, {"division", "index", "ledger"})
    assert done.loaded <= done.written


def test_lists_are_left(after: Callable[[str, str, str], Done], build: Callable[..., Built], tmp_path: Path) -> None:
    """Where the rest is left to the next build, that one writes the pages that list what was saved, once."""
    build("good")
    conf = tmp_path / "docs" / "conf.py"
    settings = conf.read_text("utf-8")
    conf.write_text(f"{settings}proof_later = True\n", "utf-8")
    done = after("division", "# Division by zero\n", "# Division by nothing\n")
    saved = set(done.written)
    conf.write_text(settings, "utf-8")
    rest = []
    for _ in range(2):
        done.written.clear()
        build("good")
        rest.append(set(done.written))

    assert saved == {"division"}
    assert rest == [{"index", "ledger"}, set()]


def test_search_forgets_nothing(build: Callable[..., Built]) -> None:
    """A build that writes another page, or none, leaves the words of the glossary in the index of the search."""
    source = build("good").source
    with (source / "ledger.md").open("a", encoding="utf-8") as page:
        page.write("\n:::{glossary}\nodd one\n  A number.\n:::\n")
    indices = []
    for change in ("", "\nOne more sentence.\n", ""):
        with (source / "odd.md").open("a", encoding="utf-8") as page:
            page.write(change)
        indices.append((build("good").out / "searchindex.js").read_text("utf-8"))

    assert all('"indexentries":{"odd one":[[' in index for index in indices)
    assert indices[1] == indices[2]


@pytest.mark.parametrize(
    ("page", "old", "new"),
    [
        ("index", "A letter is *one* letter", "One letter is *one* letter"),
        ("index", "# Sums", "# Totals"),
        ("division", "{kind} by zero", "{kind} by {number}"),
        ("odd", "# ", "# Most "),
    ],
)
def test_what_is_shown_elsewhere(after: Callable[[str, str, str], Done], page: str, old: str, new: str) -> None:
    """A claim's sentence, a title, a message stand on the ledger or in the index: these are written, not read, anew."""
    done = after(page, old, new)

    assert "ledger" not in done.read
    assert {page, "ledger"} <= done.written
