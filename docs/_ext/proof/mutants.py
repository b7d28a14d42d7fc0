"""Changes the code of pages, one small change at a time, and runs them: some claim or expectation must fail.

`python -m proof.mutants docs tests/mutants.toml [page …]` prints the score of each page and every survivor.
`--every 4` takes each fourth change only, other ones after each change of a page: a quarter of the time.
"""

import argparse
import sys
import tomllib
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from proof.book import Book, names_of, read_book
from proof.mutate import Edit, edits
from proof.page import Cell, Page
from proof.run import run_pages
from proof.verdict import judge

LEAST_SCORE = 0.95
"""The share of the mutants that have to be noticed."""

_TIME_LIMIT = 10
"""How many seconds a changed page may run: one that waits for ever is noticed after these."""


@dataclass(frozen=True)
class Mutant:
    """A page with one small change."""

    name: str
    """The name of the page that was changed."""
    page: Page
    cell: Cell
    """The cell as it was."""
    edit: Edit

    @property
    def line(self) -> int:
        """The line of the page at which it was changed."""
        return self.cell.code_line + self.cell.source[: self.edit.start].count("\n")

    @property
    def change(self) -> tuple[str, str]:
        """The lines that differ, before and after."""
        before, after = self.cell.source, self.edit.apply(self.cell.source)
        end = len(after) - len(before) + self.edit.end
        return _lines(before, self.edit.start, self.edit.end), _lines(after, self.edit.start, end)

    def __str__(self) -> str:
        signs = zip("-+", self.change, strict=True)
        marked = "".join(f"\n    {sign} {line}" for sign, text in signs for line in text.splitlines())
        return f"{self.page.place}:{self.line}: {self.edit.what}{marked}"


def mutants_of(name: str, page: Page) -> Iterator[Mutant]:
    """Yields every page that differs from `page` in one small change."""
    for number, cell in enumerate(page.cells):
        for edit in edits(cell.source):
            changed = replace(cell, source=edit.apply(cell.source))
            cells = (*page.cells[:number], changed, *page.cells[number + 1 :])
            yield Mutant(name, replace(page, cells=cells, time_limit=_TIME_LIMIT), cell, edit)


def survivors(mutants: list[Mutant], book: Book, root: Path, examples: Path) -> list[Mutant]:
    """Runs the mutants and returns those that no claim and no expectation noticed, in the order of their pages."""
    named = {str(number): mutant for number, mutant in enumerate(mutants)}
    alive = []
    runs = run_pages({number: mutant.page for number, mutant in named.items()}, root, examples)
    for done, (number, notebook) in enumerate(runs, 1):
        if not judge(named[number].page, notebook, book.errors).problems:
            alive.append(int(number))
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{done} of {len(mutants)} mutants, {len(alive)} alive\x1b[K")
    return [mutants[number] for number in sorted(alive)]


def _lines(source: str, start: int, end: int) -> str:
    """The whole lines of `source` from `start` to `end`, without the space around them."""
    begin = source.rfind("\n", 0, start) + 1
    stop = source.find("\n", end)
    return source[begin : stop if stop >= 0 else len(source)].strip()


def report(
    mutants: list[Mutant], alive: list[Mutant], exempt: Mapping[str, Mapping[str, str]], *, whole: bool = True
) -> bool:
    """Prints scores and survivors; returns whether all is well. `exempt` gives a page's exemptions, with reasons.

    Only where the `whole` of the changes was tried can an exemption turn out not to be needed.
    """
    totals, unexplained, used = Counter(mutant.name for mutant in mutants), [], set()
    for mutant in alive:
        key = f"{mutant.change[0]} => {mutant.change[1]}"
        if key in exempt.get(mutant.name, {}):
            used.add((mutant.name, key))
        else:
            unexplained.append(mutant)
    for mutant in unexplained:
        print(mutant)
    given = [(name, key) for name in totals for key in exempt.get(name, {})]
    unneeded = [one for one in given if whole and one not in used]
    for name, key in unneeded:
        print(f"{name}: this exemption is not needed any more: {key}")
    lost = Counter(mutant.name for mutant in alive)
    for name, total in sorted(totals.items()):
        print(f"{1 - lost[name] / total:7.1%}  {total - lost[name]:4} of {total:4}  {name}")
    score, killed = 1 - len(alive) / len(mutants), len(mutants) - len(alive)
    print(f"{score:7.1%}  {killed:4} of {len(mutants):4}  all pages; {len(unexplained)} survivors without a reason")
    return score >= LEAST_SCORE and not unexplained and not unneeded


def sample(name: str, page: Page, every: int) -> list[Mutant]:
    """Returns each `every`th mutant of a page; the first of them is drawn by the page's text."""
    return list(mutants_of(name, page))[zlib.crc32(page.digest.encode()) % every :: every]


def main() -> None:
    """Runs the mutants of the pages named on the command line, or of all."""
    parser = argparse.ArgumentParser(prog="proof.mutants")
    parser.add_argument("root", type=Path, help="the folder of the pages")
    parser.add_argument("exemptions", type=Path, help="a file with survivors that need no claim, and why")
    parser.add_argument("pages", type=Path, nargs="*", help="the pages to change; all without any")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take each Nth change only")
    wanted = parser.parse_intermixed_args()
    folder = wanted.root.resolve()
    book = read_book(folder, names_of(folder))
    named = [path.resolve().relative_to(folder).with_suffix("").as_posix() for path in wanted.pages]
    mutants = [mutant for name in named or book.pages for mutant in sample(name, book.pages[name], wanted.every)]
    if not mutants:
        sys.exit("there is no cell to change")
    alive = survivors(mutants, book, folder, folder.parent / "examples")
    exempt = tomllib.loads(wanted.exemptions.read_text("utf-8"))
    sys.exit(0 if report(mutants, alive, exempt, whole=wanted.every == 1) else 1)


if __name__ == "__main__":
    main()
