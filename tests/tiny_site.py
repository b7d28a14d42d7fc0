"""A tiny site, built: what the tests of the two extensions look at."""

import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from sphinx.testing.util import SphinxTestApp
from sphinx.util.console import strip_escape_sequences

from proof.book import names_of, read_book
from proof.imports import read_examples
from record.outcome import Outcome
from record.record import FOLDER, Record
from record.state import state_of

ROOTS = Path(__file__).parent / "roots"
DOCS = Path(__file__).parents[1] / "docs"


@dataclass
class Built:
    """A tiny site after a build."""

    source: Path
    """Its pages, which a test may edit before it builds again."""
    out: Path
    status: int
    """What `sphinx-build` would exit with."""
    log: str
    """What went to standard output."""
    warnings: str
    """All warnings, paths relative to the pages."""

    def html(self, name: str) -> str:
        """The page `name` as it was written."""
        return (self.out / f"{name}.html").read_text("utf-8")


def record(docs: Path, release: str, claims: dict[str, Outcome], errors: dict[str, Outcome]) -> None:
    """Writes what a release did with the pages in `docs` as they stand there."""
    book = read_book(docs, names_of(docs))
    examples = read_examples(docs.parent / "examples")
    states = {name: state_of(page, book.errors, examples) for name, page in book.pages.items()}
    keys = ("python", "numpy", "platform", "date", "installed")
    about = dict(zip(keys, ("3.9.18", "1.26.4", "Linux", "2026-01-02", "a wheel"), strict=True))
    (docs / FOLDER).mkdir(exist_ok=True)
    (docs / FOLDER / f"torch-{release}.json").write_text(Record(release, about, states, claims, errors).as_text())


def command_for(folder: Path) -> list[str]:
    """The command that builds the pages in `folder/docs`, in a process of its own; an output folder may follow."""
    docs, extensions = folder / "docs", Path(__file__).parents[1] / "docs" / "_ext"
    start = f"import sys; sys.path.insert(0, {str(extensions)!r}); from sphinx.cmd.build import main; sys.exit(main())"
    return [sys.executable, "-c", start, "-q", "-W", "-d", str(folder / "build" / "doctrees"), str(docs)]


@pytest.fixture
def build(tmp_path: Path) -> Callable[..., Built]:
    """Builds the site `roots/<name>` in a folder of its own; a second call builds it again as it stands there."""

    def run(name: str, *, fail_on_warning: bool = True) -> Built:
        source = tmp_path / "docs"
        if not source.exists():
            shutil.copytree(ROOTS / name, source)
            shutil.copy(ROOTS / "conf.py", source)
        app = SphinxTestApp(srcdir=source, builddir=tmp_path / "build", warningiserror=fail_on_warning)
        try:
            app.build()
            warnings = strip_escape_sequences(app.warning.getvalue())
            relative = re.sub(re.escape(str(source)) + "/", "", warnings)
            return Built(source, app.outdir, app.statuscode, app.status.getvalue(), relative)
        finally:
            app.cleanup()

    return run
