"""A page as cells with expectations."""

from dataclasses import dataclass, field

from nbformat import NotebookNode

from proof.front_matter import TIME_LIMIT, ErrorEntry
from proof.problem import Kind, Problem


@dataclass(frozen=True)
class Claim:
    """A sentence with an id, proved by the cell that follows it."""

    id: str
    line: int
    open: bool = False
    """Whether the proof is shown unfolded."""


@dataclass(frozen=True)
class Cell:
    """A code cell and what is expected of it."""

    index: int
    """Its place among all cells of the notebook, text cells counted."""
    line: int
    """The line of its fence in the page."""
    code_line: int
    """The line of its first line of code."""
    source: str
    claim: Claim | None = None
    raises: str = ""
    """The id of the error it must raise, or nothing."""
    warns: tuple[str, ...] = ()
    """The ids of the warnings it must give."""
    table: str = ""
    """The caption of the table that its value is, or nothing."""

    @property
    def name(self) -> str:
        """What the cell proves, as the doctest run names it."""
        if self.claim:
            return f"claim {self.claim.id}"
        return f"raises {self.raises}" if self.raises else f"warns {' '.join(self.warns)}" if self.warns else "cell"


@dataclass(frozen=True)
class Page:
    """A page, read."""

    place: str
    """Its path from the repository's root."""
    notebook: NotebookNode | None = field(repr=False, default=None)
    """The page as a notebook that was not run, or None for a page without cells or one that cannot be read."""
    cells: tuple[Cell, ...] = ()
    errors: tuple[ErrorEntry, ...] = ()
    """The messages its front matter states."""
    asked: tuple[str, ...] = ()
    """What it answers, in the words in which people ask."""
    time_limit: int = TIME_LIMIT
    """How many seconds its cells may run, taken together."""
    own_problems: tuple[Problem, ...] = ()
    """What is wrong with it, seen alone."""
    shared_problems: tuple[Problem, ...] = ()
    """What is wrong with it among the other pages."""
    digest: str = ""
    """What tells its text from another one."""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All that is wrong with it before anything has run."""
        return self.own_problems + self.shared_problems

    @property
    def readable(self) -> bool:
        """Whether Sphinx can be given this page."""
        return not any(problem.kind in (Kind.UNREADABLE, Kind.ENCODING) for problem in self.problems)

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The claims that have a cell."""
        return tuple(cell.claim for cell in self.cells if cell.claim)
