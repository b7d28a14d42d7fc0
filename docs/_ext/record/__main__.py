"""Replays all pages under other releases of torch: `python -m record RELEASE …`, from the repository's root.

Writes `docs/records/torch-RELEASE.json`, and a page for it; an old record stays as it is until the new one is whole.
"""

import argparse
import shutil
import sys
from collections import Counter
from pathlib import Path

from proof.book import Book, names_of, read_book
from proof.run import RunError, torch_version
from record.changes import told
from record.install import NIGHTLY, Installed, InstallError, install
from record.record import FOLDER, Record, read_records
from record.replay import ReplayError, replay

DOCS, EXAMPLES, ENVIRONMENTS = Path("docs"), Path("examples"), Path("build/torch")

PAGE = """\
# torch {release}

:::{{release}} {release}
:::
"""


def main() -> int:
    """Returns how many releases could not be recorded."""
    parser = argparse.ArgumentParser("nox -s record --", description=__doc__)
    parser.add_argument("releases", nargs="*", metavar="RELEASE", help=f"as in 1.8.1, or {NIGHTLY}")
    parser.add_argument(
        "--keep", action="store_true", help="keep the environment, a gigabyte or two, for the next time"
    )
    parser.add_argument("--changes", action="store_true", help="record nothing, and say what the newest one changed")
    options = parser.parse_args()
    if options.changes:
        print(told(read_records(DOCS)), end="")
        return 0
    if not options.releases:
        parser.error("say which release to record, as in 1.8.1")
    book = read_book(DOCS, names_of(DOCS))
    if problems := [problem for page in book.pages.values() for problem in page.problems]:
        print(*problems, "Mend the pages first.", sep="\n", file=sys.stderr)
        return len(options.releases)
    return sum(not _record(release, book, options.keep) for release in options.releases)


def _record(release: str, book: Book, keep: bool) -> bool:
    """Whether one release was recorded."""
    folder = ENVIRONMENTS / release
    try:
        record = replay(book, EXAMPLES, _installed(release, folder, keep))
    except (InstallError, ReplayError, RunError) as error:
        print(f"torch {release} was not recorded, and an old record of it is as it was: {error}", file=sys.stderr)
        return False
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
    _write(record, NIGHTLY if release == NIGHTLY else record.torch)
    print(f"torch {record.torch} on Python {record.about['python']}:")
    for kind, outcomes in (("claims", record.claims), ("messages", record.errors)):
        words = Counter(outcome.word for outcome in outcomes.values())
        print(f"  {len(outcomes)} {kind}:", ", ".join(f"{number} {word}" for word, number in words.most_common()))
    return True


def _installed(release: str, folder: Path, keep: bool) -> Installed:
    """The environment of this very process if it has that torch; else one of its own, made where there is none."""
    if release == torch_version():
        return Installed(Path(sys.executable), "the pins of the site")
    how = folder / "how.txt"
    if keep and how.exists():
        return Installed(folder / "bin" / "python", how.read_text("utf-8"))
    installed = install(release, folder)
    how.write_text(installed.how, "utf-8")
    return installed


def _write(record: Record, name: str) -> None:
    """Puts the record in place of the old one, at once, and its page beside it."""
    folder = DOCS / FOLDER
    folder.mkdir(exist_ok=True)
    new = folder / f"torch-{name}.json.new"
    new.write_text(record.as_text(), "utf-8")
    new.replace(folder / f"torch-{name}.json")
    (folder / f"torch-{name}.md").write_text(PAGE.format(release=record.torch), "utf-8")


if __name__ == "__main__":
    sys.exit(main())
