"""A page is run again when its cells or what it imports have changed, and only then; a bad cache is never believed."""

import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from running import page_of
from tiny_site import Built, command_for

from proof.cache import Cache, CacheError
from proof.page import Page


class Kept:
    """A cache over pages in a folder, and the names of the pages that were run."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.ran: list[str] = []
        real = sys.modules["proof.cache"].run_pages  # type: ignore[attr-defined]

        def run_pages(pages: dict[str, Page], *arguments: object) -> object:
            self.ran += pages
            return real(pages, *arguments)

        monkeypatch.setattr("proof.cache.run_pages", run_pages)

    def texts(self, **pages: Page) -> dict[str, str]:
        """What the last cell of each page gave; `ran` then holds the pages that were run for it."""
        self.ran.clear()
        cache = Cache(self.folder / "cache", self.folder / "docs", self.folder / "examples")
        return {name: notebook.cells[-1].outputs[0].data["text/plain"] for name, notebook in cache.executed(pages)}

    @property
    def notebook(self) -> Path:
        """The file of the one notebook that is kept."""
        (path,) = (self.folder / "cache" / "executed").rglob("base.ipynb")
        return path


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kept:
    return Kept(tmp_path, monkeypatch)


def test_only_what_changed(kept: Kept, tmp_path: Path) -> None:
    """A page whose cells are the same is taken from the cache, whatever its prose."""
    one, two = page_of(tmp_path, "1", name="one"), page_of(tmp_path, "2", name="two")
    assert kept.texts(one=one, two=two) == {"one": "1", "two": "2"}
    assert kept.ran == ["one", "two"]

    two = page_of(tmp_path, "22", name="two")
    path = tmp_path / "docs" / "one.md"
    path.write_text(path.read_text().replace("# Page", "# Another title"))

    assert kept.texts(one=one, two=two) == {"one": "1", "two": "22"}
    assert kept.ran == ["two"]


def test_imports(kept: Kept, tmp_path: Path) -> None:
    """A page is run again when an example that it imports changes, or one that this imports, and not otherwise."""
    page = page_of(tmp_path, "import outer\nouter.value()")
    examples = tmp_path / "examples"
    (examples / "outer.py").write_text("import inner\ndef value():\n    return inner.number\n")
    (examples / "inner.py").write_text("number = 1\n")
    assert kept.texts(page=page) == {"page": "1"}

    (examples / "other.py").write_text("number = 2\n")
    assert kept.texts(page=page) == {"page": "1"}
    assert kept.ran == []

    (examples / "inner.py").write_text("number = 33\n")
    assert kept.texts(page=page) == {"page": "33"}


def _cut(kept: Kept) -> None:
    kept.notebook.write_text(kept.notebook.read_text()[:-40])


def _forge(kept: Kept) -> None:
    notebook = json.loads(kept.notebook.read_text())
    notebook["cells"][0]["outputs"][0]["data"]["text/plain"] = ["13"]
    kept.notebook.write_text(json.dumps(notebook))


def _drop_outputs(kept: Kept) -> None:
    notebook = json.loads(kept.notebook.read_text())
    notebook["cells"] = []
    kept.notebook.write_text(json.dumps(notebook))


DAMAGES: dict[str, Callable[[Kept], object]] = {
    "notebook cut": _cut,
    "notebook empty": lambda kept: kept.notebook.write_text(""),
    "notebook gone": lambda kept: kept.notebook.unlink(),
    "output changed": _forge,
    "cells gone": _drop_outputs,
    "database cut": lambda kept: (kept.folder / "cache" / "global.db").write_bytes(b"SQLite format 3\0"),
    "database is text": lambda kept: (kept.folder / "cache" / "global.db").write_text("no database" * 100),
    "database empty": lambda kept: (kept.folder / "cache" / "global.db").write_bytes(b""),
    "database gone": lambda kept: (kept.folder / "cache" / "global.db").unlink(),
    "notebooks gone": lambda kept: shutil.rmtree(kept.folder / "cache" / "executed"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage(kept: Kept, tmp_path: Path, damage: str) -> None:
    """Whatever was done to the cache, the page is run again, and the next time it is kept."""
    page = page_of(tmp_path, "7")
    kept.texts(page=page)

    DAMAGES[damage](kept)

    assert kept.texts(page=page) == {"page": "7"}
    assert kept.ran == ["page"]
    assert kept.texts(page=page) == {"page": "7"}
    assert kept.ran == []


def test_full_disk(kept: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be kept is an error that says where and why: no page is shown without its outputs."""

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("jupyter_cache.cache.main.JupyterCacheBase.cache_notebook_bundle", full)

    with pytest.raises(
        CacheError, match=r"docs/page\.md has run, but it cannot be kept in .*: .* No space left on device"
    ):
        kept.texts(page=page_of(tmp_path, "7"))


def test_stopped_page_is_not_kept(kept: Kept, tmp_path: Path) -> None:
    """A page that was stopped is run again, not shown half."""
    page = page_of(tmp_path, "1", "import os\nos._exit(1)")
    cache = Cache(tmp_path / "cache", tmp_path / "docs", tmp_path / "examples")
    assert len(list(cache.executed({"page": page}))) == 1
    kept.ran.clear()

    list(cache.executed({"page": page}))

    assert kept.ran == ["page"]


def test_killed_at_any_moment(build: Callable[..., Built], tmp_path: Path) -> None:
    """After builds that were killed, the next is as if they had not been."""
    expected = build("good").html("index")
    shutil.rmtree(tmp_path / "build")

    for moment in (0.4, 0.8, 1.2, 1.5, 1.8, 2.1):
        process = subprocess.Popen(command_for(tmp_path), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(moment)
        process.send_signal(signal.SIGKILL)
        process.wait()

    built = build("good")
    assert built.html("index") == expected
    assert (built.warnings, built.status) == ("", 0)


def test_two_at_once(build: Callable[..., Built], tmp_path: Path) -> None:
    """Two builds that share a cache wait for each other, and both are right."""
    expected = build("good").html("index")
    shutil.rmtree(tmp_path / "build")

    command = command_for(tmp_path)
    builds = [subprocess.Popen([*command, str(tmp_path / name)], stdout=subprocess.DEVNULL) for name in ("one", "two")]

    assert [process.wait() for process in builds] == [0, 0]
    assert (tmp_path / "one" / "index.html").read_text() == expected
    assert (tmp_path / "two" / "index.html").read_text() == expected


def test_outputs_alone_have_changed(build: Callable[..., Built], tmp_path: Path) -> None:
    """When an example changes, the page that imports it is shown with its new outputs, although it did not change."""
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "helper.py").write_text("value = 'outcome one'\n")
    built = build("good")
    page = built.source / "index.md"
    page.write_text(page.read_text() + "\n```{code-cell} python\nimport helper\nhelper.value\n```\n")
    assert "outcome one" in build("good").html("index")

    (tmp_path / "examples" / "helper.py").write_text("value = 'outcome two'\n")

    assert "outcome two" in build("good").html("index")
