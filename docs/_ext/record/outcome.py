"""What became of a claim or a message under another torch: a verdict of `proof`, in the words of a record."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from proof.front_matter import ErrorEntry
from proof.page import Cell
from proof.problem import Kind, Problem
from proof.verdict import Check, Verdict
from record.missing import because, missing, undefined

Word = Literal["holds", "other text", "other value", "no error", "raised", "cannot run"]
"""What can become of it.

`holds`: all is as the page says. `other text`: another exception or warning came. `other value`: an assertion failed.
`no error`: neither came. `raised`: an exception came where the page names none.
`cannot run`: something that the code needs is missing.
"""

WORDS: tuple[Word, ...] = get_args(Word)

_ERROR = (Kind.NOT_RAISED, Kind.OTHER_ERROR, Kind.UNEXPECTED_ERROR, Kind.FALSE, Kind.NOT_RUN)
_WARNING = (Kind.NOT_WARNED, Kind.OTHER_WARNING)
_PLAIN: dict[Kind, Word] = {
    Kind.NOT_RAISED: "no error",
    Kind.NOT_WARNED: "no error",
    Kind.OTHER_ERROR: "other text",
    Kind.OTHER_WARNING: "other text",
    Kind.FALSE: "other value",
}


@dataclass(frozen=True)
class Outcome:
    """What became of one claim or one message."""

    word: Word
    got: str = ""
    """What came instead, or what is missing."""
    warned: str = ""
    """A warning that came beside, and that the page does not name."""
    elsewhere: Mapping[str, Word] = field(default_factory=dict)
    """Of a message: the cells that expect it and where something else became of it, as `guide/leaf 3`."""

    def as_json(self) -> Any:
        """The outcome as it stands in a record."""
        if not (self.got or self.warned or self.elsewhere):
            return self.word
        value: dict[str, Any] = {self.word: self.got}
        value |= {"warned": self.warned} if self.warned else {}
        return value | ({"elsewhere": dict(sorted(self.elsewhere.items()))} if self.elsewhere else {})

    @classmethod
    def from_json(cls, value: Any) -> "Outcome":
        """Reads what `as_json` gave. Raises ValueError where it is something else."""
        if isinstance(value, str) and value in _BARE:
            return _BARE[value]
        entry: Any = value
        words = [word for word in WORDS if isinstance(entry, dict) and word in entry]
        if len(words) != 1:
            raise ValueError(f"an outcome has one of {', '.join(WORDS)}, unlike {value!r}")
        return cls(words[0], entry[words[0]], entry.get("warned", ""), entry.get("elsewhere", {}))


_BARE: dict[str, Outcome] = {word: Outcome(word) for word in WORDS}
"""The outcomes that are only a word, most of all: the same one is read each time, which compares fast."""


def outcomes(
    verdicts: Mapping[str, Verdict], errors: Mapping[str, ErrorEntry]
) -> tuple[dict[str, Outcome], dict[str, Outcome]]:
    """Returns what became of every claim, and of every message, by their ids; `verdicts` by the names of the pages."""
    claims: dict[str, Outcome] = {}
    cells: dict[str, dict[str, Outcome]] = {}
    for name, verdict in verdicts.items():
        for number, check, lack in _with_lack(verdict):
            if check.cell.claim:
                claims[check.cell.claim.id] = _outcome(check.problems, lack)
            for id_, problems in _expected(check, errors):
                cells.setdefault(id_, {})[f"{name} {number}"] = _outcome(problems, lack)
    return claims, {id_: _message_outcome(found) for id_, found in cells.items()}


def _with_lack(verdict: Verdict) -> Iterator[tuple[int, Check, str]]:
    """Yields each cell's number, its check, and what is missing where it could not run."""
    failed: list[tuple[str, str]] = []
    for number, check in enumerate(verdict.checks, 1):
        problem = next((problem for problem in check.problems if problem.kind in _ERROR), None)
        got = problem.got if problem else ""
        lack = problem.text if problem and problem.kind is Kind.NOT_RUN else missing(got)
        if name := undefined(got):
            lack = because(name, failed)
        if problem:
            failed.append((check.cell.source, lack))
        yield number, check, lack


def _expected(check: Check, errors: Mapping[str, ErrorEntry]) -> Iterator[tuple[str, list[Problem]]]:
    """Yields the id of each exception and warning that a cell expects, with what is wrong with it."""
    cell: Cell = check.cell
    raised = [problem for problem in check.problems if problem.kind in _ERROR]
    if cell.raises:
        yield cell.raises, raised
    for id_ in cell.warns:
        own = [p for p in check.problems if p.kind in _WARNING and p.expected == str(errors[id_].message)]
        yield id_, (raised if own and not cell.raises else []) + own


def _outcome(problems: tuple[Problem, ...] | list[Problem], lack: str) -> Outcome:
    warned = "; ".join(problem.got for problem in problems if problem.kind is Kind.UNEXPECTED_WARNING)
    problem = next((problem for problem in problems if problem.kind is not Kind.UNEXPECTED_WARNING), None)
    if problem is None:
        return Outcome("holds", warned=warned)
    if lack:
        return Outcome("cannot run", lack, warned)
    word = _PLAIN.get(problem.kind, "raised")
    return Outcome(word, "" if word == "no error" else problem.got, warned)


def _message_outcome(cells: Mapping[str, Outcome]) -> Outcome:
    """What became of a message: the nearest to its own words that came in any cell; the cells that differ beside it."""
    best = min(cells.values(), key=lambda outcome: WORDS.index(outcome.word))
    elsewhere = {place: outcome.word for place, outcome in cells.items() if outcome.word != best.word}
    return Outcome(best.word, best.got, best.warned, elsewhere)
