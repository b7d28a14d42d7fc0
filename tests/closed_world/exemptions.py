"""The texts of torch that need no page, and what is wrong with them or without them."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from closed_world.said import Said

WHAT_TO_DO = "give it a page in docs/errors, or an exemption with its reason in tests/closed_world/exemptions.toml"


@dataclass(frozen=True)
class Exemption:
    """A family of texts that need no page."""

    kind: str
    """`library` or `source`."""
    reason: str
    texts: tuple[re.Pattern[str], ...] = ()
    """The expressions, one of which is found in a text of the family; none where all texts of some files are."""
    files: re.Pattern[str] | None = None
    """What is found in the place of each."""

    def has(self, said: Said) -> bool:
        """Whether a text is of this family."""
        return self.is_about(said) and (not self.texts or any(text.search(said.text) for text in self.texts))

    def is_about(self, said: Said) -> bool:
        """Whether a text stands where the family's texts stand."""
        kind = "library" if said.place.endswith(".so") else "source"
        return kind == self.kind and (self.files is None or bool(self.files.search(said.place)))

    def __str__(self) -> str:
        return f"[[{self.kind}]] {self.reason!r}"


def read(path: Path) -> list[Exemption]:
    """Returns the exemptions of a file. Raises KeyError or ValueError where one is not complete."""
    document = tomllib.loads(path.read_text("utf-8"))
    return [_exemption(kind, entry) for kind in ("library", "source") for entry in document.get(kind, [])]


def _exemption(kind: str, entry: dict[str, Any]) -> Exemption:
    texts, files = tuple(map(re.compile, entry.get("texts", []))), entry.get("files")
    if not (texts or files) or entry.keys() - {"texts", "files", "reason"} or not str(entry["reason"]).endswith("."):
        raise ValueError(f"[[{kind}]] {entry}: needs texts or files, and a sentence as its reason")
    return Exemption(kind, entry["reason"], texts, re.compile(files) if files else None)


def missing(unanswered: Iterable[Said], exemptions: Iterable[Exemption]) -> list[str]:
    """Returns a line for each text without a page that is of no family."""
    exemptions = list(exemptions)
    return [f"{said}\n    {WHAT_TO_DO}" for said in unanswered if not any(one.has(said) for one in exemptions)]


def unneeded(unanswered: Iterable[Said], exemptions: Iterable[Exemption]) -> Iterator[str]:
    """Yields a line for each expression, or family of files, that no text without a page is of."""
    unanswered = list(unanswered)
    for one in exemptions:
        own = [said for said in unanswered if one.is_about(said)]
        idle = [text.pattern for text in one.texts if not any(text.search(said.text) for said in own)]
        yield from (f"{one}: nothing without a page matches {pattern!r}; take it out" for pattern in idle)
        if not own:
            yield f"{one}: nothing without a page stands there; take it out"


def too_wide(answered: Iterable[Said], exemptions: Iterable[Exemption]) -> list[str]:
    """Returns a line for each message with a page that an expression matches as well."""
    by_text = [one for one in exemptions if one.texts]
    return [f"{one}: {said} has a page; make it narrower" for said in answered for one in by_text if one.has(said)]
