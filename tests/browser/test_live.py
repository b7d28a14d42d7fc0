"""`nox -s live`: what is saved is shown, without a touch of the browser; so is what is wrong, until it is mended."""

import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from serving import Served, live
from tiny_site import ROOTS

TIMEOUT = 30_000

HEAD = "---\nfile_format: mystnb\n---\n\n"
INDEX = "# Index\n\n:::{toctree}\n:glob:\n\npages/*\nledger\n:::\n"
LEDGER = "# Ledger\n\n:::{claim-ledger}\n:::\n"
PAGE = f"""{HEAD}# Sums

A sentence.

```{{code-cell}} python
from helper import one
total = one + 1
total * 1111
```

:::{{claim}} one-and-one
One and one make two.
:::

```{{code-cell}} python
assert total == 2
```
"""
HELPER = "one = 1\n"
EXTENSION = """def setup(app):
    app.connect("source-read", lambda app, name, source: source.__setitem__(0, source[0].replace("SAID", {said!r})))
    app.connect("html-page-context", lambda app, name, template, context, tree: context.update(metatags={policy!r}))
"""
POLICY = '<meta http-equiv="Content-Security-Policy" content="default-src &#39;self&#39;">'
"""Forbids scripts that stand in a page."""

WRONG = {
    "false claim": (PAGE.replace("total == 2", "total == 3"), "claim one-and-one"),
    "syntax": (PAGE.replace("total = one", "total = = one"), "SyntaxError"),
    "error that is not named": (PAGE.replace("one + 1", "one / 0"), "ZeroDivisionError"),
    "error that is not there": (PAGE.replace("python\nassert", "python\n:raises: nothing\nassert"), "nothing"),
    "front matter": (PAGE.replace("mystnb", "mystnb\nerror: [", 1), "front matter"),
    "no proof": (PAGE.partition("```{code-cell} python\nassert")[0], "claim one-and-one"),
}


def write_site(folder: Path) -> Served:
    """Writes a tiny site of one page, with an example and an extension."""
    for name in ("docs/pages", "docs/_ext", "examples"):
        (folder / name).mkdir(parents=True)
    served = Served(folder, "")
    settings = (ROOTS / "conf.py").read_text("utf-8")
    served.save("docs/conf.py", f"import sys\nsys.path.append('docs/_ext')\n{settings}\nextensions.append('saying')\n")
    served.save("docs/_ext/saying.py", EXTENSION.format(said="said", policy=POLICY))
    served.save("docs/index.md", INDEX)
    served.save("docs/ledger.md", LEDGER)
    served.save("examples/helper.py", HELPER)
    served.save("docs/pages/sums.md", PAGE)
    return served


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """That site, served."""
    with live(write_site(tmp_path_factory.mktemp("live")).folder) as served:
        yield served


@pytest.fixture
def page(served: Served, browser: Browser) -> Iterator[Page]:
    """The page, as it was at first, in the browser."""
    page = browser.new_page(base_url=served.address)
    page.set_default_timeout(TIMEOUT)
    page.goto("pages/sums.html")
    yield page
    page.close()
    served.save("examples/helper.py", HELPER)
    served.save("docs/pages/sums.md", PAGE)
    served.rest()


def shown(page: Page, text: str) -> None:
    """Waits until the page in the browser has a text. Nothing here makes the browser load it again."""
    expect(page.locator("body")).to_contain_text(text, timeout=TIMEOUT)


def test_prose(served: Served, page: Page) -> None:
    """A changed sentence is shown."""
    served.save("docs/pages/sums.md", PAGE.replace("A sentence.", "Another sentence."))

    shown(page, "Another sentence.")


def test_cell(served: Served, page: Page) -> None:
    """A changed cell is run, and what it gives is shown."""
    served.save("docs/pages/sums.md", PAGE.replace("1111", "2222"))

    shown(page, "4444")


def test_left_to_the_next_build(served: Served, page: Page) -> None:
    """What other pages show of a saved one is shown, too, after a build of its own."""
    page.goto("ledger.html")
    shown(page, "One and one make two.")
    served.save("docs/pages/sums.md", PAGE.replace("make two.", "are two."))

    shown(page, "One and one are two.")


def test_example(served: Served, page: Page) -> None:
    """A page is run again when an example has changed that it imports."""
    served.save("examples/helper.py", HELPER.replace("1", "2"))
    shown(page, "3333")
    shown(page, "claim one-and-one")
    served.save("examples/helper.py", HELPER)

    shown(page, "2222")


def test_extension(served: Served, page: Page) -> None:
    """A changed extension is used: no build finds the old one in memory."""
    served.save("docs/pages/sums.md", PAGE.replace("A sentence.", "It was SAID here."))
    shown(page, "It was said here.")
    served.rest()  # or a build that has the old one would read the page that is saved next
    served.save("docs/_ext/saying.py", EXTENSION.format(said="shouted", policy=POLICY))
    served.save("docs/pages/sums.md", PAGE.replace("A sentence.", "It was SAID there."))

    shown(page, "It was shouted there.")


@pytest.mark.parametrize("name", WRONG)
def test_wrong_page(served: Served, page: Page, name: str) -> None:
    """What is wrong stands on the page, in the browser, and goes away when it is mended."""
    text, problem = WRONG[name]
    problems = page.locator(".admonition.error")
    expect(problems).to_have_count(0, timeout=TIMEOUT)
    served.save("docs/pages/sums.md", text)
    expect(problems).to_contain_text(problem, timeout=TIMEOUT)
    served.save("docs/pages/sums.md", PAGE)

    expect(problems).to_have_count(0, timeout=TIMEOUT)


def test_new_and_deleted_page(served: Served, page: Page) -> None:
    """A new page is listed and can be opened; one that is deleted is listed no more."""
    page.goto("index.html")
    served.save("docs/pages/products.md", PAGE.replace("Sums", "Products").replace("one-and-one", "again"))
    page.locator("article").get_by_role("link", name="Products").click()
    shown(page, "A sentence.")
    served.rest()
    page.goto("index.html")
    (served.folder / "docs/pages/products.md").unlink()

    expect(page.locator("article").get_by_role("link", name="Products")).to_have_count(0, timeout=TIMEOUT)


def test_reloads_once(served: Served, page: Page) -> None:
    """A page that is newer than the last build is left alone, also where the browser has an older copy of it."""
    served.save("docs/pages/sums.md", PAGE.replace("A sentence.", "One more sentence."))
    shown(page, "One more sentence.")
    served.rest()
    page.wait_for_timeout(1000)
    loaded: list[object] = []
    page.on("load", lambda page: loaded.append(page))
    page.reload()
    page.wait_for_timeout(2000)

    assert len(loaded) == 1


def test_builds_once(served: Served, page: Page) -> None:
    """One save is a build and the one after it: neither what they write nor what an editor keeps makes another."""
    served.save("docs/pages/sums.md", PAGE.replace("A sentence.", "The last sentence."))
    shown(page, "The last sentence.")
    served.rest()
    before = served.log.count("built in")
    for name in (".sums.md.swp", "sums.md~", ".#sums.md", "4913"):
        served.save(f"docs/pages/{name}", "")
    (served.folder / "docs/_ext/__pycache__").mkdir(exist_ok=True)
    served.save("docs/_ext/__pycache__/saying.pyc", "")
    time.sleep(3)
    shutil.rmtree(served.folder / "docs/_ext/__pycache__")

    assert served.log.count("built in") == before


def processes(fits: Callable[[str, str], bool]) -> list[int]:
    """Returns the processes that run, of those whose command and parent fit."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_text()
            state, parent = (folder / "stat").read_text().rpartition(") ")[2].split()[:2]
        except (FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
            continue
        if state != "Z" and fits(command, parent):
            found.append(int(folder.name))
    return found


def until(seconds: float, holds: Callable[[], bool]) -> bool:
    """Waits until something holds, and returns whether it does in the end."""
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.05)
    return holds()


@pytest.mark.skipif(sys.platform != "linux", reason="nobody waits beside it here")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_nobody_waits_in_the_end(number: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However it ends, and be it during a build, the process that waits beside it ends, too, and its folder goes.

    Only where it is killed, and so can do nothing any more, the folder stays.
    """
    passing = tmp_path / "passing"
    passing.mkdir()
    monkeypatch.setenv("TMPDIR", str(passing))
    with live(write_site(tmp_path / "site").folder) as served:
        assert until(30, lambda: any(passing.glob("*/socket")))
        (waiting,) = processes(lambda command, _: "proof.standby" in command and str(passing) in command)
        parent = Path(f"/proc/{waiting}/stat").read_text().rpartition(") ")[2].split()[1]
        served.save("docs/pages/sums.md", PAGE.replace("total * 1111", "import time; time.sleep(2)"))
        assert until(30, lambda: len(processes(lambda _, its_parent: its_parent == parent)) > 1)
        builders = set(processes(lambda _, its_parent: its_parent == parent)) - {waiting}
        os.kill(int(parent), number)
        ended = until(15, lambda: not processes(lambda command, _: str(passing) in command))
    for left in builders.intersection(processes(lambda command, _: "live" in command)):
        os.kill(left, signal.SIGKILL)  # sphinx-autobuild's own: they wait for work that nobody can give them any more

    assert ended
    assert number == signal.SIGKILL or not any(passing.glob("*/socket"))
