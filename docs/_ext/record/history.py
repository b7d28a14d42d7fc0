"""What became of each claim and each message from release to release, from the records alone."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby, pairwise

from proof.page import Page
from record.outcome import Outcome
from record.record import Record

_PLACE = re.compile(r"\s*\(Triggered internally at .*?\)|(?<=\"):\d+(?=, please)", re.DOTALL)
"""What of a text changes from one build of torch to the next: a line of its C++ source."""


def same(one: Outcome, other: Outcome) -> bool:
    """Whether two outcomes are the same, but for a line of torch's source, or for what is missing where much is."""
    if one is other or one.word != other.word:
        return one is other
    if one.word == "cannot run" or one.got == other.got:
        return True
    return _PLACE.sub("", one.got) == _PLACE.sub("", other.got)


@dataclass(frozen=True)
class Range:
    """Releases in a row, as they were recorded, in which the same came."""

    first: str
    last: str
    outcome: Outcome

    def __str__(self) -> str:
        return self.first if self.first == self.last else f"{self.first} to {self.last}"


@dataclass(frozen=True)
class Line:
    """What became of one claim or one message in each release, the oldest first."""

    outcomes: tuple[tuple[str, Outcome], ...] = ()

    @cached_property
    def by_release(self) -> Mapping[str, Outcome]:
        """The outcomes, by their release."""
        return dict(self.outcomes)

    @property
    def ranges(self) -> list[Range]:
        """The releases, put together where the same came in neighbours."""
        found: list[Range] = []
        for release, outcome in self.outcomes:
            if found and same(found[-1].outcome, outcome):
                found[-1] = Range(found[-1].first, release, found[-1].outcome)
            else:
                found.append(Range(release, release, outcome))
        return found

    @property
    def holding(self) -> tuple[str, ...]:
        """The releases in which it holds."""
        return tuple(release for release, outcome in self.outcomes if outcome.word == "holds")

    @property
    def always(self) -> bool:
        """Whether it holds in every release that was recorded."""
        return len(self.holding) == len(self.outcomes) > 0

    @property
    def otherwise(self) -> bool:
        """Whether there is a release that did something else; one that lacks what the code needs did nothing."""
        return any(outcome.word not in ("holds", "cannot run") for _, outcome in self.outcomes)

    @property
    def short(self) -> str:
        """In which releases it holds, in a few words, or nothing where it was not recorded or holds in all."""
        if not self.outcomes or self.always:
            return ""
        runs = [list(run) for holds, run in groupby(self.outcomes, lambda item: item[1].word == "holds") if holds]
        texts = [_run(run[0][0], run[-1][0], run[-1] == self.outcomes[-1]) for run in runs]
        return ", ".join(texts)

    @property
    def long(self) -> str:
        """The same as a sentence's end, for whoever cannot see how few words there are."""
        if not self.outcomes:
            return "not replayed on other releases since it last changed"
        if self.always:
            (first, _), *_, (last, _) = [*self.outcomes, *self.outcomes]
            return f"holds in all {len(self.outcomes)} releases that were recorded, {first} to {last}"
        return f"holds {self.short}" if self.short else "holds in no release that was recorded"


def _run(first: str, last: str, to_the_end: bool) -> str:
    if to_the_end:
        return f"since {first}"
    return f"in {first}" if first == last else f"from {first} to {last}"


def digest_of(lines: Iterable[Line]) -> str:
    """Returns what changes with anything that became of them."""
    told = [(release, outcome.as_json()) for line in lines for release, outcome in line.outcomes]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:12]


@dataclass(frozen=True)
class Change:
    """Something else in one release than in the one recorded before it."""

    id: str
    before: Outcome
    after: Outcome


@dataclass(frozen=True)
class History:
    """What became of everything in each release that was recorded."""

    records: tuple[Record, ...] = ()
    claims: Mapping[str, Line] = field(default_factory=dict)
    errors: Mapping[str, Line] = field(default_factory=dict)

    @property
    def releases(self) -> tuple[str, ...]:
        """The releases that were recorded, the oldest first."""
        return tuple(record.torch for record in self.records)

    def claim(self, id_: str) -> Line:
        """What became of a claim."""
        return self.claims.get(id_, Line())

    def error(self, id_: str) -> Line:
        """What became of a message."""
        return self.errors.get(id_, Line())

    def lines(self, page: Page) -> list[Line]:
        """What became of each claim and each message of a page."""
        return [self.claim(claim.id) for claim in page.claims] + [self.error(entry.id) for entry in page.errors]

    def before(self, release: str) -> str:
        """The release that was recorded before this one, or nothing."""
        return next((one for one, other in pairwise(self.releases) if other == release), "")


def changes(lines: Mapping[str, Line], before: str, after: str) -> Iterator[Change]:
    """Yields what changed between two releases."""
    for id_, line in lines.items():
        found = line.by_release
        if before in found and after in found and not same(found[before], found[after]):
            yield Change(id_, found[before], found[after])


def history_of(
    records: Sequence[Record], digests: Mapping[str, str], claims: Mapping[str, str], errors: Mapping[str, str]
) -> History:
    """Puts records together, of the pages that are as they were recorded.

    `digests` are those of the pages today; `claims` and `errors` say on which page each id stands.
    """

    current = {page: [r for r in records if r.pages.get(page) == digest] for page, digest in digests.items()}
    return History(
        tuple(records),
        {id_: _line(id_, [(r.torch, r.claims) for r in current.get(page, ())]) for id_, page in claims.items()},
        {id_: _line(id_, [(r.torch, r.errors) for r in current.get(page, ())]) for id_, page in errors.items()},
    )


def _line(id_: str, records: Iterable[tuple[str, Mapping[str, Outcome]]]) -> Line:
    return Line(tuple((torch, outcomes[id_]) for torch, outcomes in records if id_ in outcomes))
