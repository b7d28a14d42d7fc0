"""What the newest release does otherwise than the one before it, as the text of a change to the repository."""

from collections.abc import Mapping, Sequence

from record.history import same
from record.outcome import Outcome
from record.record import Record


def told(records: Sequence[Record]) -> str:
    """Returns the differences between the last two records, in Markdown."""
    if len(records) < 2:
        return f"Only torch {records[0].torch} is recorded.\n" if records else "No release is recorded.\n"
    before, after = records[-2:]
    lines = [
        *_lines("claim", before.claims, after.claims),
        *_lines("message", before.errors, after.errors),
    ]
    return f"torch {after.torch} against {before.torch}\n\n" + ("".join(lines) or "Everything is the same.\n")


def _lines(kind: str, before: Mapping[str, Outcome], after: Mapping[str, Outcome]) -> list[str]:
    both = sorted(before.keys() & after.keys())
    return [
        f"- {kind} `{id_}`: {_outcome(before[id_])} → {_outcome(after[id_])}\n"
        for id_ in both
        if not same(before[id_], after[id_])
    ]


def _outcome(outcome: Outcome) -> str:
    return f"{outcome.word}, `{' '.join(outcome.got.split())}`" if outcome.got else outcome.word
