"""What a message said in earlier releases goes into the catalogue, from the records."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from difflib import SequenceMatcher

from proof.front_matter import ErrorEntry
from proof.message import Message
from proof.page import Page
from record.history import History, Line

LEAST_LIKENESS = 0.5
"""How alike, in words, a text and today's must be to be one message: what came may be another error."""

MUCH_ALIKE = 0.55
"""How alike an earlier wording and today's are where a search for today's finds both."""

_VARYING = (
    # what differs from program to program in a text, and the name of the hole that stands for it
    (r"(?<=\[)\d+(?:, \d+)*(?=\])", "sizes"),
    (r"\btorch\.(?:cuda\.)?\w+Tensor\b", "type"),
    (r"\b[A-Z]\w*Backward\d*\b", "node"),
    (r"\b(?<![.\w])\d+(?![.\w)])", "number"),
)
_SPLIT = re.compile("|".join(f"({pattern})" for pattern, _ in _VARYING))


def with_earlier(errors: Mapping[str, ErrorEntry], history: History) -> dict[str, ErrorEntry]:
    """Returns the catalogue with all wordings that were recorded, each with the last release that used it."""
    today: dict[str, list[Message]] = {}
    for entry in errors.values():
        today.setdefault(entry.message.type, []).append(entry.message)
    return {
        id_: replace(entry, earlier=(*entry.earlier, *_found(entry, history.error(id_), today)))
        for id_, entry in errors.items()
    }


def _found(entry: ErrorEntry, line: Line, today: Mapping[str, list[Message]]) -> Iterator[tuple[str, Message]]:
    """Yields wordings that no message of `today`, by type, has, nor an earlier one of this entry."""
    earlier = [message for _, message in entry.earlier]
    for range_ in line.ranges[::-1]:
        type_, _, text = range_.outcome.got.partition(": ")
        known = (*today.get(type_, ()), *earlier)
        if range_.outcome.word != "other text" or any(message.holes(type_, text) is not None for message in known):
            continue
        message = Message(type_, template_of(text))
        if likeness(message, entry.message) >= LEAST_LIKENESS:
            earlier.append(message)
            yield range_.last, message


def likeness(one: Message, other: Message) -> float:
    """How alike two messages are in their words, from 0, another type too, to 1."""
    if one.type != other.type:
        return 0.0
    return SequenceMatcher(None, one.template.split(), other.template.split(), autojunk=False).ratio()


def to_search_for(entry: ErrorEntry, page: Page) -> list[tuple[str, Message]]:
    """Returns the earlier wordings that have to be searched for: those its page states, and those unlike today's."""
    stated = [message for other in page.errors for _, message in other.earlier]
    return [(until, m) for until, m in entry.earlier if m in stated or likeness(m, entry.message) < MUCH_ALIKE]


def template_of(text: str) -> str:
    """Returns a template that stands for `text` and for the same message about other tensors."""
    names: dict[str, str] = {}

    def hole(found: re.Match[str]) -> str:
        value, kind = found[0], _VARYING[(found.lastindex or 1) - 1][1]
        if value not in names:
            used = sum(name.startswith(kind) for name in names.values())
            names[value] = f"{kind}{used + 1 if used else ''}"
        return f"{{{names[value]}{':d' if kind == 'number' else ''}}}"

    return _SPLIT.sub(hole, text.replace("{", "{{").replace("}", "}}"))
