"""A page that misbehaves gets an error with its place, within its limit, and harms nothing."""

import subprocess
import time
from pathlib import Path

import pytest
from running import Run, page_of

from proof.guard import MOST_FORKS, MOST_THREADS
from proof.run import run_pages
from proof.shell import MOST_OUTPUT
from proof.verdict import judge, raised_in


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("while True:\n    pass", "it ran longer than 1 s and was stopped"),
        ("import time\ntime.sleep(100)", "it ran longer than 1 s and was stopped"),
        (
            "import signal, time\nsignal.signal(15, lambda *_: None)\ntime.sleep(100)",
            "it ran longer than 1 s and was stopped",
        ),
        ("import os\nos._exit(3)", "it ended its process with code 3"),
        ("import os\nos._exit(0)", "it ended its process with code 0"),
        ("import os\nos.kill(os.getpid(), 11)", "it ended its process: SIGSEGV"),
        ("import ctypes\nctypes.string_at(0)", "it ended its process: SIGSEGV"),
    ],
)
def test_stopped(run: Run, cell: str, reason: str) -> None:
    """A cell that never comes back has an error that says why, and so has each after it."""
    first, second, third = run("1", cell, "3", limit=1)

    assert first[0].data["text/plain"] == "1"
    assert raised_in(second) == ("PageStopped", reason)
    assert raised_in(third) == ("PageStopped", f"not run: a cell before it did not end, because {reason}")


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("while True:\n    pass", "it ran longer than 1 s and was stopped"),
        ("import os\nos._exit(3)", "it ended its process"),
    ],
)
def test_stopped_in_a_kernel(run: Run, cell: str, reason: str) -> None:
    """The same where a Jupyter kernel runs the page."""
    assert raised_in(run(cell, limit=1, runner="kernel")[0]) == ("PageStopped", reason)


def test_place(tmp_path: Path) -> None:
    """The error has page, cell and line."""
    page = page_of(tmp_path, "1", "while True:\n    pass", limit=1)
    ((_, notebook),) = run_pages({"page": page}, tmp_path / "docs", tmp_path / "examples")

    (problem,) = judge(page, notebook, {}).problems
    assert str(problem) == "docs/page.md:12: cell: it ran longer than 1 s and was stopped [proof.not-run]"


def test_nothing_is_left_running(run: Run) -> None:
    """The processes that a page has started end with it."""
    mark = f"sleep 98.{time.time_ns()}"
    run(f"import subprocess\nprocess = subprocess.Popen('{mark}'.split())")

    assert mark not in subprocess.run(["ps", "ax"], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    "cell", ["print('x' * 10**9)", "import os\nfor _ in range(100):\n    os.write(1, b'x' * 10**7)"]
)
def test_output_is_cut(run: Run, cell: str) -> None:
    """A gigabyte of output is cut, with a note."""
    (output,) = (output for output in run(cell)[0] if output.output_type == "stream")

    assert output.text[:3] == "xxx"
    assert output.text.endswith(f"\n[cut: a cell may print {MOST_OUTPUT:,} characters]\n")
    assert len(output.text) < MOST_OUTPUT + 100


def test_output_in_small_pieces(run: Run) -> None:
    """Many small writes take no longer than they have to."""
    (output,) = run("for _ in range(400_000):\n    print('abc')", limit=20)[0]

    assert output.text.endswith(" characters]\n")


def test_threads(run: Run) -> None:
    """No more threads than a page can have use for."""
    start = (
        "import threading, time\nfor _ in range(100_000):\n    threading.Thread(target=time.sleep, args=(5,)).start()"
    )

    assert raised_in(run(start)[0]) == ("Refused", f"a page may have {MOST_THREADS} threads at a time")


def test_fork_bomb(run: Run) -> None:
    """No more processes either, all that come of a page counted."""
    bomb = "import os\ntry:\n    while 1:\n        os.fork()\nexcept OSError as error:\n    text = str(error)\ntext"

    assert run(bomb)[0][0].data["text/plain"] == repr(f"a page may start {MOST_FORKS} processes")


def test_keyboard(run: Run) -> None:
    """A page cannot ask its reader at build time, nor read what the build is given."""
    asked, read = run("input('name?')", "import sys\nsys.stdin.read()")

    assert raised_in(asked)[0] == "StdinNotImplementedError"
    assert read[0].data["text/plain"] == "''"


@pytest.mark.parametrize(
    "cell",
    [
        "open(path, 'a')",
        "import os\nos.remove(path)",
        "import os\nos.rename(path, 'mine')",
        "import os\nos.rename('mine', path)",
        "import pathlib\npathlib.Path(path).with_name('new.md').write_text('text')",
        "import os\nos.mkdir(path + '.d')",
        "import shutil\nshutil.rmtree(path[:-8])",
        "import os\nos.symlink(path[:-8], 'way')\nopen('way/page.md', 'a')",
    ],
)
def test_writing_into_the_repository(run: Run, tmp_path: Path, cell: str) -> None:
    """A page's own files and those beside it are not written to."""
    path = tmp_path / "docs" / "page.md"

    name, text = raised_in(run(f"path = {str(path)!r}\n{cell}")[0]) or ("", "")

    assert name == "Refused"
    assert text.startswith(f"a page may not write into the repository: {tmp_path}/docs")
    assert path.read_text().endswith("```\n")


def test_writing_past_python(run: Run, tmp_path: Path) -> None:
    """What C++ would write is refused too."""
    path = tmp_path / "docs" / "saved.pt"

    name, _ = raised_in(run(f"import torch\ntorch.save(torch.ones(2), {str(path)!r})")[0]) or ("", "")

    assert name == "RuntimeError"
    assert not path.exists()


def test_writing_in_a_process(run: Run, tmp_path: Path) -> None:
    """Nor does a program that the page starts write there."""
    run(f"import subprocess\nsubprocess.run(['touch', {str(tmp_path / 'docs' / 'new.md')!r}])")

    assert not (tmp_path / "docs" / "new.md").exists()


def test_writing_elsewhere(run: Run) -> None:
    """The folder a page is run in is its own."""
    assert run("open('file', 'w').write('text')\nopen('file').read()")[0][0].data["text/plain"] == "'text'"


@pytest.mark.parametrize(
    "cell",
    [
        "socket.create_connection(('192.0.2.1', 80), 1)",
        "socket.getaddrinfo('example.org', 80)",
        "socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 9))",
        "import urllib.request\nurllib.request.urlopen('http://192.0.2.1/')",
    ],
)
def test_network(run: Run, cell: str) -> None:
    """No connection goes beyond this machine."""
    (outputs,) = run(f"import socket\n{cell}")

    assert "a page may not use the network: " in (raised_in(outputs) or ("", ""))[1]


def test_loopback(run: Run) -> None:
    """Two processes of a page may talk to each other."""
    talk = (
        "import socket\nserver = socket.create_server(('127.0.0.1', 0))\n"
        "client = socket.create_connection(server.getsockname())\nclient.send(b'abc')"
    )

    assert run(talk)[0][0].data["text/plain"] == "3"


def test_large_file(run: Run) -> None:
    """A file that grows without end is an error of its cell."""
    write = "with open('file', 'wb') as file:\n    for _ in range(1000):\n        file.write(bytes(10**6))"

    assert (raised_in(run(write)[0]) or ("", ""))[0] == "OSError"
