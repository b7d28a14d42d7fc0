"""What a build knows of its pages; every other module here takes it from this one."""

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

from sphinx.environment import BuildEnvironment

from proof.front_matter import ErrorEntry
from proof.page import Page
from proof.verdict import Verdict
from record.history import History, Line
from record.outcome import Outcome
from record.wordings import with_earlier


@dataclass(frozen=True)
class Site:
    """What a build knows of its pages, all by a page's name."""

    pages: Mapping[str, Page] = field(default_factory=dict)
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    errors: Mapping[str, ErrorEntry] = field(default_factory=dict)
    """The catalogue as the pages state it, by the id of the message."""
    digests: Mapping[str, str] = field(default_factory=dict)
    """What tells a page's outputs from those of another run."""
    states: Mapping[str, str] = field(default_factory=dict)
    """What tells a page's cells, expectations and imports from those of another build."""
    runs: str = ""
    """The folder in which the runs are kept, named by all else that can change one."""
    torch: str = ""
    """The version of the torch that ran the pages."""
    past: Mapping[str, str] = field(default_factory=dict)
    """What tells what other releases did with a page from another state of the records."""
    history: History = field(default_factory=History, compare=False)
    """What other releases did, from the records."""

    def __getstate__(self) -> dict[str, Any]:
        """Leaves the history out: Sphinx hands all this from process to process for every few pages that it reads."""
        return {**{name: self.__dict__[name] for name in self.__dataclass_fields__}, "history": History()}

    @cached_property
    def catalogue(self) -> Mapping[str, ErrorEntry]:
        """The catalogue with what each message said in earlier releases, which only some builds ask for."""
        return with_earlier(self.errors, self.history)

    @property
    def claims(self) -> dict[str, str]:
        """The name of the page on which each claim stands, the first where there are two."""
        return {claim.id: name for name, page in reversed(tuple(self.pages.items())) for claim in page.claims}

    @property
    def error_pages(self) -> dict[str, str]:
        """The name of the page that states each message, the first where there are two."""
        return {entry.id: name for name, page in reversed(tuple(self.pages.items())) for entry in page.errors}

    def same_page(self, other: "Site", name: str) -> bool:
        """Whether a page has the same outputs, the same verdict and the same history as in another build."""
        return self._state(name) == other._state(name)

    def _state(self, name: str) -> tuple[Verdict | None, str | None, str | None]:
        return self.verdicts.get(name), self.digests.get(name), self.past.get(name)

    def verdicts_that_hold(self, later: "Site", read: Set[str]) -> dict[str, Verdict]:
        """Returns the verdicts of pages that a later build need not judge again: pages that hold and are as they were.

        Of the pages to be `read` it needs the run, too.
        """
        return {
            name: verdict
            for name, verdict in self.verdicts.items()
            if not verdict.problems and name in later.pages and name not in read and self._same_run(later, name)
        }

    def _same_run(self, other: "Site", name: str) -> bool:
        here, there = self.pages[name], other.pages[name]
        return (self.runs, self.states[name], here.digest, here.problems) == (
            other.runs,
            other.states[name],
            there.digest,
            there.problems,
        )

    def lines(self, name: str) -> list[Line]:
        """What became of each claim and each message of a page in other releases."""
        return self.history.lines(self.pages[name])

    def line(self, name: str) -> Line:
        """What became of a page as a whole: in each release what holds everywhere, or the first thing that does not."""
        releases: dict[str, list[Outcome]] = {}
        for line in self.lines(name):
            for release, outcome in line.outcomes:
                releases.setdefault(release, []).append(outcome)
        return Line(tuple((release, _worst(outcomes)) for release, outcomes in releases.items()))


def _worst(outcomes: list[Outcome]) -> Outcome:
    return next((outcome for outcome in outcomes if outcome.word != "holds"), outcomes[0])


def site_of(env: BuildEnvironment) -> Site:
    """Returns what the current build knows of its pages."""
    return cast(Site, getattr(env, "proof_site", Site()))
