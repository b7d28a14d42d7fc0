"""The front matter of a page, and the error messages that it states."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from proof.message import Message
from proof.saying import check_saying

SLUG = r"[a-z0-9]+(?:-[a-z0-9]+)*"
"""What an id looks like: words of small letters and digits, joined by hyphens."""

KEYS: dict[str, type | tuple[type, ...]] = {
    "asked": list,
    "error": (dict, list),
    "file_format": str,
    "kernelspec": dict,
    "orphan": bool,
    "time_limit": int,
}
"""What may stand in a page's head, and of which type; MyST-NB and Sphinx break on some other values."""

TIME_LIMIT = 60
"""How many seconds a page may run if its front matter does not say otherwise."""


class FrontMatterError(Exception):
    """The front matter cannot be read. `line` counts from 1 in the page."""

    def __init__(self, text: str, line: int) -> None:
        super().__init__(text)
        self.line = line


@dataclass(frozen=True)
class ErrorEntry:
    """One message of the catalogue, as its page's front matter states it."""

    id: str
    """The name it is called by in `:raises:`, `:warns:` and the `err` role."""
    message: Message
    """Its text on the torch that the site is built with."""
    earlier: tuple[tuple[str, Message], ...] = ()
    """Earlier wordings, each with the last release that used it."""
    says: str = ""
    """The message in plain words, to be filled from its holes; see `proof.saying`."""


def read_front_matter(text: str) -> dict[str, Any]:
    """Returns the mapping at the head of a page, empty where there is none. Raises FrontMatterError."""
    lines = text.splitlines()
    if not lines or lines[0].rstrip() != "---":
        return {}
    ends = (number for number, line in enumerate(lines[1:], 1) if line.rstrip() in ("---", "..."))
    end = next(ends, None)
    if end is None:
        raise FrontMatterError("the front matter is not closed: a line with '---' is missing", 1)
    try:
        value = yaml.safe_load("\n".join(lines[1:end]))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or str(error)
        raise FrontMatterError(f"the front matter is not YAML: {reason}", mark.line + 2 if mark else 1) from error
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise FrontMatterError(f"the front matter must be a mapping, not a {type(value).__name__}", 2)
    _check_keys(value, lines)
    return value


def _check_keys(front: dict[str, Any], lines: list[str]) -> None:
    for key, value in front.items():
        line = next((number for number, text in enumerate(lines, 1) if text.startswith(f"{key}:")), 1)
        if key not in KEYS:
            raise FrontMatterError(f"the head of a page has no {key!r}, only {', '.join(KEYS)}", line)
        if not isinstance(value, KEYS[key]):
            raise FrontMatterError(f"{key!r} in the head of a page cannot be {value!r}", line)


def read_time_limit(front: dict[str, Any]) -> int:
    """Returns the seconds under `time_limit:`, or the default. Raises FrontMatterError."""
    value = front.get("time_limit", TIME_LIMIT)
    if not 1 <= value <= 600:
        raise FrontMatterError(f"'time_limit:' must be a whole number of seconds from 1 to 600, not {value!r}", 1)
    return int(value)


def read_asked(front: dict[str, Any]) -> tuple[str, ...]:
    """Returns the questions under `asked:`, as people ask them. Raises FrontMatterError."""
    asked = front.get("asked", [])
    if not all(isinstance(question, str) and question.strip() for question in asked):
        raise FrontMatterError(f"'asked:' must be a list of questions, not {asked!r}", 1)
    return tuple(asked)


def read_errors(front: dict[str, Any], stem: str) -> Iterator[ErrorEntry]:
    """Yields the messages under `error:`, one mapping or a list of them; the id defaults to the page's `stem`.

    Raises FrontMatterError where an entry is incomplete.
    """
    value = front.get("error")
    if value is None:
        return
    entries = value if isinstance(value, list) else [value]
    for number, entry in enumerate(entries):
        yield _read_error(entry, stem if number == 0 else None)


def _read_error(entry: object, default_id: str | None) -> ErrorEntry:
    if not isinstance(entry, dict):
        raise FrontMatterError("'error:' must be a mapping with 'type' and 'message', or a list of such", 1)
    unknown = set(entry) - {"id", "type", "message", "earlier", "says"}
    if unknown:
        raise FrontMatterError(f"'error:' has no key {', '.join(map(repr, sorted(map(str, unknown))))}", 1)
    id_ = entry.get("id", default_id)
    if not isinstance(id_, str):
        raise FrontMatterError("every message after a page's first needs an 'id'", 1)
    if not re.fullmatch(SLUG, id_):
        raise FrontMatterError(f"an id has small letters, digits and hyphens, unlike {id_!r}", 1)
    message = _read_message(entry, entry.get("type"), id_)
    earlier = entry.get("earlier") or []
    if not isinstance(earlier, list) or not all(isinstance(old, dict) and "until" in old for old in earlier):
        raise FrontMatterError(f"'{id_}': 'earlier' must be a list of mappings with 'until' and 'message'", 1)
    wordings = tuple((str(old["until"]), _read_message(old, message.type, id_)) for old in earlier)
    return ErrorEntry(id_, message, wordings, _read_saying(entry, message, id_))


def _read_saying(entry: dict[str, Any], message: Message, id_: str) -> str:
    says = entry.get("says", "")
    if not isinstance(says, str):
        raise FrontMatterError(f"'{id_}': 'says' must be text, not {says!r}", 1)
    try:
        check_saying(says, message)
    except ValueError as error:
        raise FrontMatterError(f"'{id_}': 'says' is no template of its message: {error}", 1) from error
    return says.strip()


def _read_message(entry: dict[str, Any], type_name: object, id_: str) -> Message:
    template = entry.get("message")
    if not isinstance(type_name, str) or not isinstance(template, str) or not template.strip():
        raise FrontMatterError(f"'{id_}': 'type' and 'message' are needed, both as text", 1)
    message = Message(type_name, template.strip())
    try:
        message.pattern  # noqa: B018 - compiling is the check
    except ValueError as error:
        raise FrontMatterError(f"'{id_}': the message is no template: {error}", 1) from error
    return message
