"""A record: what every claim and every message did under one release. One file a release, one line an id."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.version import Version

from record.outcome import Outcome

FOLDER = "records"
"""The folder of all records, among the pages."""


class RecordError(Exception):
    """A file is no record; the text says which, and what is wrong with it."""


@dataclass(frozen=True)
class Record:
    """What every claim and every message did under one release."""

    torch: str
    about: Mapping[str, str]
    """python, numpy, platform, date, and what was installed."""
    pages: Mapping[str, str]
    """A digest of each page's cells and what they expect: where it is another one today, the page has changed since."""
    claims: Mapping[str, Outcome]
    errors: Mapping[str, Outcome]

    @property
    def version(self) -> Version:
        """The release, as releases are ordered."""
        return Version(self.torch)

    def as_text(self) -> str:
        """The file: sorted, one line an id."""
        parts = [_entry("torch", self.torch), *(_entry(key, self.about[key]) for key in sorted(self.about))]
        parts.append(_block("pages", self.pages))
        parts.append(_block("claims", {id_: outcome.as_json() for id_, outcome in self.claims.items()}))
        parts.append(_block("errors", {id_: outcome.as_json() for id_, outcome in self.errors.items()}))
        return "{\n" + ",\n".join(parts) + "\n}\n"


def _entry(key: str, value: Any) -> str:
    return f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"


def _block(key: str, entries: Mapping[str, Any]) -> str:
    lines = ",\n".join(_entry(id_, entries[id_]) for id_ in sorted(entries))
    return f"{json.dumps(key)}: {{\n{lines}\n}}"


def read_record(path: Path) -> Record:
    """Reads a record. Raises RecordError."""
    try:
        value = json.loads(path.read_text("utf-8"))
        torch, pages = value.pop("torch"), value.pop("pages")
        Version(torch)
        claims, errors = (
            {id_: Outcome.from_json(outcome) for id_, outcome in value.pop(kind).items()}
            for kind in ("claims", "errors")
        )
    except (OSError, ValueError, KeyError, AttributeError, TypeError) as error:
        raise RecordError(f"{path} is no record, so record that torch anew: {type(error).__name__}: {error}") from error
    return Record(torch, value, pages, claims, errors)


def read_records(root: Path) -> list[Record]:
    """Reads all records of the pages under `root`, the oldest release first. Raises RecordError."""
    return sorted(map(read_record, (root / FOLDER).glob("torch-*.json")), key=lambda record: record.version)
