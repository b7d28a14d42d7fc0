"""All pages of a site, and what only shows when they are read together."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from proof.front_matter import ErrorEntry
from proof.page import Page
from proof.problem import Kind, Problem
from proof.reader import read_page

CONFIGURATION = "conf.py"
"""The file that marks the root of the pages."""


@dataclass(frozen=True)
class Book:
    """The pages by name (`guide/leaf`), and the catalogue of messages that they state."""

    pages: Mapping[str, Page]
    errors: Mapping[str, ErrorEntry]


def root_of(path: Path) -> Path:
    """Returns the folder of the pages that `path` belongs to. Raises LookupError where no parent is one."""
    for parent in path.resolve().parents:
        if (parent / CONFIGURATION).is_file():
            return parent
    raise LookupError(f"{path}: no folder above it has a {CONFIGURATION}, so it is no page of a site")


def names_of(root: Path) -> list[str]:
    """Returns the names of all pages under `root`; folders that begin with '_' or '.' hold none."""
    paths = (path.relative_to(root) for path in root.rglob("*.md"))
    return sorted(path.with_suffix("").as_posix() for path in paths if not any(p[0] in "_." for p in path.parts))


def read_book(root: Path, names: Iterable[str], known: Mapping[str, Page] | None = None) -> Book:
    """Reads the pages `names` under `root` and checks their ids against each other.

    `known` are pages as they were read before; a page whose file has not changed since is not read again.
    """
    known = known or {}
    pages = {name: read_page(root / f"{name}.md", f"{root.name}/{name}.md", known.get(name)) for name in sorted(names)}
    errors: dict[str, ErrorEntry] = {}
    for page in pages.values():
        for entry in page.errors:
            errors.setdefault(entry.id, entry)
    seen: dict[str, str] = {}
    for name, page in pages.items():
        pages[name] = replace(page, shared_problems=(*_doubles(page, seen), *_unknown(page, errors)))
    return Book(pages, errors)


def _doubles(page: Page, seen: dict[str, str]) -> Iterable[Problem]:
    """Yields a problem for every id of the page that stands in `seen`, and adds the others to it."""
    claims = [(f"claim {claim.id}", claim.line) for claim in page.claims]
    errors = [(f"error {entry.id}", 1) for entry in page.errors]
    for label, line in claims + errors:
        if label in seen:
            yield Problem(page.place, line, Kind.DUPLICATE, f"the id stands at {seen[label]} already", label)
        else:
            seen[label] = f"{page.place}:{line}"


def _unknown(page: Page, errors: Mapping[str, ErrorEntry]) -> Iterable[Problem]:
    for cell in page.cells:
        for option, ids in (("raises", [cell.raises] if cell.raises else []), ("warns", cell.warns)):
            for id_ in ids:
                if id_ not in errors:
                    text = f"no page states a message with this id, so ':{option}:' can't be checked"
                    yield Problem(page.place, cell.line, Kind.UNKNOWN_ID, text, id_)
