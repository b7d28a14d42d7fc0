"""Replaying pages under another torch, and what is kept of it."""

import ast
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tiny_site import ROOTS

import record.__main__ as command
from proof.book import names_of, read_book
from proof.forked import answers_of, environment
from record.install import Installed, InstallError
from record.missing import because, missing
from record.outcome import Outcome
from record.record import Record, RecordError, read_record, read_records
from record.replay import RUNNER, ReplayError, replay

HERE = Installed(Path(sys.executable), "as it is")


def test_runner_is_for_python_3_6() -> None:
    """The runner is one file that old Pythons read, and that imports nothing but torch and the standard library."""
    tree = ast.parse(RUNNER.read_text("utf-8"), feature_version=(3, 6))

    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {getattr(node, "module", None) or alias.name for node in imports for alias in node.names}
    assert names - sys.stdlib_module_names == {"torch"}


CELLS = {
    "holds": "import torch\nx = torch.tensor(1.0, requires_grad=True)\nassert x.is_leaf",
    "other-value": "assert x.item() == 2.0",
    "raised": "x.data_ptr(1, 2)\nassert x.is_leaf",
    "cannot-run": "found = torch.not_there_yet(x)\nassert found",
    "cannot-run-after-it": "assert found.item() == 3.0",
    "division": ":raises: division\n1 / 0",
    "other-text": ":raises: division\nint('a')",
    "no-error": ":raises: division\n1 / 1",
    "warned": "import warnings\nassert x.item() == 1.0\nwarnings.warn('beware')",
}
"""A cell for each thing that can become of one, by the claim it proves."""


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A folder of pages: one whose claims come out in every way, and the page of its error."""
    docs = tmp_path / "docs"
    docs.mkdir()
    (tmp_path / "examples").mkdir()
    shutil.copy(ROOTS / "good" / "division.md", docs)
    (docs / "conf.py").touch()
    blocks = [
        f":::{{claim}} {id_}\nA sentence.\n:::\n\n```{{code-cell}} python\n{code}\n```\n" for id_, code in CELLS.items()
    ]
    (docs / "page.md").write_text("---\nfile_format: mystnb\n---\n\n# Page\n\n" + "\n".join(blocks))
    return docs


def _record(docs: Path) -> Record:
    return replay(read_book(docs, names_of(docs)), docs.parent / "examples", HERE)


def test_outcomes(book: Path) -> None:
    """Each claim and each message has what became of it, with what came instead or what is missing."""
    record = _record(book)

    assert record.claims == {
        "holds": Outcome("holds"),
        "other-value": Outcome("other value", "AssertionError: assert x.item() == 2.0; 1.0"),
        "raised": Outcome("raised", record.claims["raised"].got),
        "cannot-run": Outcome("cannot run", "torch.not_there_yet"),
        "cannot-run-after-it": Outcome("cannot run", "torch.not_there_yet"),
        "division": Outcome("holds"),
        "other-text": Outcome("other text", "ValueError: invalid literal for int() with base 10: 'a'"),
        "no-error": Outcome("no error"),
        "warned": Outcome("holds", warned="UserWarning: beware"),
    }
    assert record.claims["raised"].got.startswith("TypeError: ")
    assert record.errors == {"division": Outcome("holds", elsewhere={"page 7": "other text", "page 8": "no error"})}


def test_record_is_read_as_written(book: Path, tmp_path: Path) -> None:
    """A record has one line an id, in order, and says the same when it is read."""
    record = _record(book)
    path = tmp_path / "torch-1.2.3.json"
    path.write_text(record.as_text())

    lines = path.read_text().splitlines()
    ids = [line.split('"')[1] for line in lines[lines.index('"claims": {') + 1 : lines.index('"errors": {') - 1]]
    assert ids == sorted(CELLS)
    assert read_record(path) == record


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"torch": "x", "pages": {}, "claims": {}, "errors": {}}'])
def test_damaged_record(tmp_path: Path, text: str) -> None:
    """A file that is no record is named, with what to do."""
    (tmp_path / "records").mkdir()
    path = tmp_path / "records" / "torch-1.2.3.json"
    path.write_text(text)

    with pytest.raises(RecordError, match=r"torch-1\.2\.3\.json is no record, so record that torch anew: "):
        read_records(tmp_path)


def test_word_that_no_record_has(tmp_path: Path) -> None:
    """An outcome has one of the known words."""
    path = tmp_path / "torch-1.2.3.json"
    path.write_text('{"torch": "1.2.3", "pages": {}, "claims": {"a": "perhaps"}, "errors": {}}')

    with pytest.raises(RecordError, match="an outcome has one of holds, "):
        read_record(path)


def test_failed_recording_leaves_the_old_record(
    book: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither a torch that cannot be installed nor one that cannot be imported touches what was recorded before."""
    monkeypatch.chdir(book.parent)
    (book / "records").mkdir()
    old = book / "records" / "torch-1.8.1.json"
    old.write_text(_record(book).as_text())
    before = old.read_bytes()
    monkeypatch.setattr(sys, "argv", ["record", "1.8.1"])

    for problem in (InstallError("no such wheel"), ReplayError("torch cannot be imported"), KeyboardInterrupt()):
        monkeypatch.setattr(command, "install", _raising(problem))
        if isinstance(problem, Exception):
            assert command.main() == 1
            assert (
                f"torch 1.8.1 was not recorded, and an old record of it is as it was: {problem}"
                in capsys.readouterr().err
            )
        else:
            with pytest.raises(KeyboardInterrupt):
                command.main()
        assert old.read_bytes() == before
        assert [path.name for path in old.parent.iterdir()] == [old.name]


def _wait_for(found: Callable[[], Any], seconds: float) -> Any:
    """What `found` returns once it is true."""
    until = time.monotonic() + seconds
    while not (value := found()):
        assert time.monotonic() < until
        time.sleep(0.1)
    return value


def _children(pid: int) -> str:
    return subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False
    ).stdout.strip()


def _is_running(pid: str) -> bool:
    return subprocess.run(["ps", "-p", pid], capture_output=True, check=False).returncode == 0


def _raising(problem: BaseException) -> Callable[..., Installed]:
    def raise_it(*_: object) -> Installed:
        raise problem

    return raise_it


def test_broken_page_is_not_recorded(
    book: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Pages are mended first."""
    (book / "page.md").write_text(
        "---\nfile_format: mystnb\n---\n\n```{code-cell} python\n:raises: nothing-known\n1\n```\n"
    )
    monkeypatch.chdir(book.parent)
    monkeypatch.setattr(sys, "argv", ["record", "1.8.1"])

    assert command.main() == 1
    assert "docs/page.md:5: nothing-known: no page states a message with this id" in capsys.readouterr().err


def test_environment_without_torch(tmp_path: Path) -> None:
    """A torch that cannot be imported is no reason for a record in which everything fails."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "bare"], check=True)
    docs = tmp_path / "docs"
    docs.mkdir()

    with pytest.raises(ReplayError, match="No module named 'torch'"):
        replay(read_book(docs, []), tmp_path, Installed(tmp_path / "bare" / "bin" / "python", ""))


def test_runner_outlives_its_pages(tmp_path: Path) -> None:
    """A page that hangs or ends its process is said to, and the others run."""
    jobs = [
        {"page": "hangs", "cells": ["while True: pass"], "limit": 1},
        {"page": "ends", "cells": ["1 + 1", "import os; os._exit(3)", "2"], "limit": 60},
        {"page": "dies", "cells": ["import ctypes; ctypes.string_at(0)"], "limit": 60},
        {"page": "runs", "cells": ["print('here')"], "limit": 60},
    ]
    answers = list(answers_of([sys.executable, str(RUNNER), "2"], jobs, environment(tmp_path)))

    assert {answer["page"]: answer["end"] for answer in answers if "end" in answer} == {
        "hangs": "it ran longer than 1 s and was stopped",
        "ends": "it ended its process: code 3",
        "dies": "it ended its process: signal 11",
        "runs": "",
    }
    assert [answer["outputs"] for answer in answers if answer["page"] == "runs" and "cell" in answer] == [
        [{"output_type": "stream", "name": "stdout", "text": "here\n"}]
    ]


@pytest.mark.parametrize("start", [[str(RUNNER)], ["-m", "proof.child"]], ids=["runner", "child"])
def test_page_ends_though_its_runner_was_killed(tmp_path: Path, start: list[str]) -> None:
    """A page that hangs does not outlive by much whoever would have ended it."""
    job = {"page": "hangs", "cells": ["import torch\nwhile True: pass"], "limit": 1}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL}
    with subprocess.Popen([sys.executable, *start, "1"], env=environment(tmp_path), **pipes) as runner:
        runner.stdin.write(json.dumps(job).encode() + b"\n")
        runner.stdin.close()
        page = _wait_for(lambda: _children(runner.pid), 30)
        runner.kill()

    _wait_for(lambda: not _is_running(page), 15)


@pytest.mark.parametrize(
    ("raised", "lacks"),
    [
        ("AttributeError: module 'torch' has no attribute 'func'", "torch.func"),
        ("AttributeError: 'Tensor' object has no attribute 'mH'", "Tensor.mH"),
        ("AttributeError: 'NoneType' object has no attribute 'item'", ""),
        ("AttributeError: type object 'Tensor' has no attribute 'mH'", "Tensor.mH"),
        ("ModuleNotFoundError: No module named 'torch.func'", "the module torch.func"),
        ("ImportError: cannot import name 'vmap' from 'torch' (…/torch/__init__.py)", "torch.vmap"),
        ("ImportError: cannot import name 'vmap'", "vmap"),
        ("TypeError: __init__() got an unexpected keyword argument 'foreach'", "the argument foreach of __init__"),
        ("TypeError: Tensor.round() takes no keyword arguments", "keyword arguments of Tensor.round"),
        ("TypeError: 'strict' is an invalid keyword argument for zip()", "the argument strict of zip"),
        ("ValueError: Unexpected keyword arguments: use_reentrant", "the argument use_reentrant"),
        (
            "SyntaxError: invalid syntax (<cell>, line 1)",
            "the syntax of a newer Python: invalid syntax (<cell>, line 1)",
        ),
        ("RuntimeError: No such operator aten::new", "torch.ops.aten::new"),
        ("RuntimeError: a leaf Variable that requires grad", ""),
        ("AssertionError: assert 1 == 2", ""),
    ],
)
def test_what_is_missing(raised: str, lacks: str) -> None:
    """What a release lacks is told from another outcome."""
    assert missing(raised) == lacks


def test_name_that_no_cell_made() -> None:
    """A name that is not defined is missing for the reason for which its cell failed."""
    failed = [("a = torch.new()", "torch.new"), ("b = a + 1", "torch.new"), ("c = 1 / 0", "")]

    assert because("b", failed) == "torch.new"
    assert because("c", failed) == "c, since the cell that was to make it raised something else"
