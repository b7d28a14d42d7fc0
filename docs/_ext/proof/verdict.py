"""Compares an executed notebook with what its page expects. A pure function: nothing is run, read or written."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nbformat import NotebookNode

from proof.front_matter import ErrorEntry
from proof.page import Cell, Page
from proof.problem import Kind, Problem
from proof.table import TableError, rows_of

STOPPED = "PageStopped"
"""The name of the error that stands in the cell in which a page was stopped, and in every cell after it."""

Raised = tuple[str, str]
"""The name of an exception's or a warning's class, and its text."""

# How Python prints a warning: where, the class and the text, then the line of code, indented by two spaces.
_WARNING = re.compile(r"^(?:Cell In\[\d+\], line |\S.*?:)\d+: (?P<type>\w+): ", re.MULTILINE)
_CODE = re.compile(r"\n  [^\n]*\n?\Z")


@dataclass(frozen=True)
class Check:
    """One cell, judged."""

    cell: Cell
    problems: tuple[Problem, ...]
    """What is wrong with it; empty if it did what its page says."""


@dataclass(frozen=True)
class Verdict:
    """One page, judged."""

    place: str
    checks: tuple[Check, ...]
    before: tuple[Problem, ...] = ()
    """What was wrong before anything ran."""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All that is wrong with the page, in the order of its lines."""
        found = [*self.before, *(problem for check in self.checks for problem in check.problems)]
        return tuple(sorted(found, key=lambda problem: problem.line))

    @property
    def claims(self) -> int:
        """How many claims were proved or disproved."""
        return sum(check.cell.claim is not None for check in self.checks)

    @property
    def expected(self) -> int:
        """How many exceptions and warnings were expected."""
        return sum(bool(check.cell.raises) + len(check.cell.warns) for check in self.checks)


def judge(page: Page, notebook: NotebookNode | None, errors: Mapping[str, ErrorEntry]) -> Verdict:
    """Judges each cell of `page` by its outputs in the executed `notebook`.

    `errors` is the catalogue. Where `notebook` is None the page could not be run, and only `page.problems` count.
    """
    if notebook is None:
        return Verdict(page.place, (), page.problems)
    checks = []
    for cell in page.cells:
        outputs = notebook.cells[cell.index].get("outputs", [])
        problems = [*_judge_error(page, cell, outputs, errors), *_judge_warnings(page, cell, outputs, errors)]
        problems += _judge_table(page, cell, outputs) if cell.table and not problems else []
        checks.append(Check(cell, tuple(problems)))
    return Verdict(page.place, tuple(checks), page.problems)


def raised_in(outputs: list[NotebookNode]) -> Raised | None:
    """Returns the exception that ended a cell, or None."""
    found = [output for output in outputs if output.output_type == "error"]
    return (found[0].ename, found[0].evalue) if found else None


def warnings_in(outputs: list[NotebookNode]) -> list[Raised]:
    """Returns the warnings that a cell printed to its standard error."""
    text = "".join(out.text for out in outputs if out.output_type == "stream" and out.name == "stderr")
    found = list(_WARNING.finditer(text))
    ends = [*(match.start() for match in found[1:]), len(text)]
    return [
        (match["type"], _CODE.sub("", text[match.end() : end]).strip()) for match, end in zip(found, ends, strict=False)
    ]


def _judge_error(
    page: Page, cell: Cell, outputs: list[NotebookNode], errors: Mapping[str, ErrorEntry]
) -> Iterator[Problem]:
    raised = raised_in(outputs)
    entry = errors.get(cell.raises)
    if raised is not None and raised[0] == STOPPED:
        yield Problem(page.place, cell.line, Kind.NOT_RUN, raised[1], cell.name)
        return
    if cell.raises and entry is None:
        return  # reported when the pages were read together
    if raised is None:
        if entry:
            text = "the cell names this error, and nothing was raised"
            yield Problem(page.place, cell.line, Kind.NOT_RAISED, text, cell.name, str(entry.message), "no error")
        return
    got = f"{raised[0]}: {raised[1]}"
    if entry is None:
        false = cell.claim and raised[0] == "AssertionError"
        kind, text = (
            (Kind.FALSE, "the claim does not hold") if false else (Kind.UNEXPECTED_ERROR, "the cell raised an error")
        )
        expected = "no failed assertion" if false else "no error; an expected one is named with ':raises:'"
        yield Problem(page.place, _line_of(cell, outputs), kind, text, cell.name, expected, got)
    elif entry.message.holes(*raised) is None:
        text = "the cell raised another error than the one it names"
        yield Problem(page.place, _line_of(cell, outputs), Kind.OTHER_ERROR, text, cell.name, str(entry.message), got)


def _judge_warnings(
    page: Page, cell: Cell, outputs: list[NotebookNode], errors: Mapping[str, ErrorEntry]
) -> Iterator[Problem]:
    left = warnings_in(outputs)
    missing = []
    for entry in (errors[id_] for id_ in cell.warns if id_ in errors):
        matching = [raised for raised in left if entry.message.holes(*raised) is not None]
        left = [raised for raised in left if raised not in matching]
        missing += [] if matching else [entry]
    for entry in missing:
        kind = Kind.OTHER_WARNING if left else Kind.NOT_WARNED
        text = f"the cell names the warning {entry.id!r}, and {'another one came' if left else 'none came'}"
        got = "\n".join(f"{name}: {warning}" for name, warning in left) or "no warning"
        yield Problem(page.place, cell.line, kind, text, cell.name, str(entry.message), got)
    if left and not missing:
        text, expected = "the cell gave a warning", "no warning; an expected one is named with ':warns:'"
        got = "\n".join(f"{name}: {warning}" for name, warning in left)
        yield Problem(page.place, cell.line, Kind.UNEXPECTED_WARNING, text, cell.name, expected, got)


def _judge_table(page: Page, cell: Cell, outputs: list[NotebookNode]) -> Iterator[Problem]:
    try:
        rows_of(outputs)
    except TableError as error:
        yield Problem(page.place, cell.line, Kind.NO_TABLE, str(error), cell.name)


def _line_of(cell: Cell, outputs: list[NotebookNode]) -> int:
    """The line of the page at which the cell raised, or the cell's own."""
    frames = [frame for output in outputs if output.output_type == "error" for frame in output.traceback]
    found = [re.search(r"^\s*Cell In\[\d+\], line (\d+)", frame) for frame in frames]
    numbers = [int(match[1]) for match in found if match]
    return cell.code_line + numbers[0] - 1 if numbers else cell.line
