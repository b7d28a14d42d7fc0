"""The doctest run: pytest collects pages, and every cell is an item whose id is its place in the page."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from proof.book import Book, names_of, read_book, root_of
from proof.page import Cell, Page
from proof.problem import Problem
from proof.run import RunError, run_pages
from proof.verdict import Verdict, judge

_DOCTEST = pytest.StashKey["DoctestRun"]()


class DoctestRun:
    """What one pytest run knows of the pages that it collected."""

    def __init__(self) -> None:
        self.books: dict[Path, Book] = {}
        self.collected: dict[Path, dict[str, Page]] = {}
        self.verdicts: dict[str, Verdict] = {}

    def collect(self, path: Path) -> Page:
        """Reads the book that `path` belongs to, once, and returns its page."""
        root = root_of(path)
        if root not in self.books:
            self.books[root] = read_book(root, names_of(root))
        name = path.relative_to(root).with_suffix("").as_posix()
        page = self.books[root].pages[name]
        self.collected.setdefault(root, {})[name] = page
        return page

    def verdict(self, place: str) -> Verdict:
        """Returns the verdict on a page; the first call runs all collected pages together."""
        if not self.verdicts:
            for root, pages in self.collected.items():
                self._judge(root, pages)
        return self.verdicts[place]

    def _judge(self, root: Path, pages: dict[str, Page]) -> None:
        book = self.books[root]
        runnable = {name: page for name, page in pages.items() if page.readable}
        notebooks = dict(run_pages(runnable, root, root.parent / "examples"))
        for name, page in pages.items():
            self.verdicts[page.place] = judge(page, notebooks.get(name), book.errors)


class PageFile(pytest.File):
    """A page."""

    def collect(self) -> Iterator[pytest.Item]:
        page = self.config.stash[_DOCTEST].collect(self.path)
        if page.problems:
            yield PageItem.from_parent(self, name="page", nodeid=f"{page.place}:1 page", page=page, cell=None)
        if page.readable:
            for cell in page.cells:
                nodeid = f"{page.place}:{cell.line} {cell.name}"
                yield PageItem.from_parent(self, name=cell.name, nodeid=nodeid, page=page, cell=cell)


class PageItem(pytest.Item):
    """A cell of a page, or all that is wrong with the page before a cell has run."""

    def __init__(self, *, page: Page, cell: Cell | None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.page, self.cell = page, cell

    def runtest(self) -> None:
        if self.cell is None:
            raise PageFailure(self.page.problems)
        verdict = self.config.stash[_DOCTEST].verdict(self.page.place)
        problems = next(check.problems for check in verdict.checks if check.cell == self.cell)
        if problems:
            raise PageFailure(problems)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, PageFailure | RunError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.cell.line - 1 if self.cell else 0, self.nodeid


class PageFailure(Exception):
    """A cell did not do what its page says."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(map(str, problems)))


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_DOCTEST] = DoctestRun()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> PageFile | None:
    if file_path.suffix != ".md":
        return None
    try:
        hidden = any(part[0] in "_." for part in file_path.relative_to(root_of(file_path)).parts)
    except LookupError:
        return None
    return None if hidden else PageFile.from_parent(parent, path=file_path)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fails a run over a folder of pages that checked nothing: a run that finds no page must not pass."""
    folders = [path.resolve() for path in map(Path, session.config.args) if path.is_dir()]
    run = session.config.stash[_DOCTEST]
    whole = any(root.is_relative_to(folder) for folder in folders for root in run.books)
    if whole and not session.config.option.collectonly and 0 in _counts(run):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    run = config.stash[_DOCTEST]
    if run.books and not config.option.collectonly:
        words = ("page", "pages"), ("claim", "claims"), ("expected error or warning", "expected errors and warnings")
        counts = [
            f"{number} {one if number == 1 else many}" for number, (one, many) in zip(_counts(run), words, strict=True)
        ]
        terminalreporter.write_line(f"{', '.join(counts)} checked")


def _counts(run: DoctestRun) -> tuple[int, int, int]:
    """How many pages, claims, and expected errors and warnings were judged."""
    verdicts = [verdict for verdict in run.verdicts.values() if verdict.checks]
    return len(verdicts), sum(v.claims for v in verdicts), sum(v.expected for v in verdicts)
