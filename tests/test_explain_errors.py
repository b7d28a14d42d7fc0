"""The terminal's answers: the message is found however it was pasted, and an exception only gains a note."""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from mutilate import copies

from explain_errors import Finder, say
from proof.book import names_of, read_book

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "explain_errors.py"
BOOK = read_book(ROOT / "docs", names_of(ROOT / "docs"))
PAGE_OF = {entry.id: name for name, page in BOOK.pages.items() for entry in page.errors}

TEXTS = {name: (ROOT / "docs" / f"{name}.md").read_text("utf-8") for name in BOOK.pages}
LINK = re.compile(r"{err}`(?:[^`<]*<)?([a-z0-9-]+)>?`")

NUMBER = 1200
FIRST = 0.99


def catalogue() -> dict[str, Any]:
    """The catalogue as `errors.json` has it, as far as it stands in the heads of the pages: most linked pages first."""
    linked = Counter(PAGE_OF.get(id_) for text in TEXTS.values() for id_ in set(LINK.findall(text)))
    return {
        "errors": [
            {
                "id": entry.id,
                "message": entry.message.template,
                "says": entry.says,
                "earlier": [{"message": old.template} for _, old in entry.earlier],
                "title": f"Title of {entry.id}",
                "cause": "The cause.",
                "fix": "The fix.",
                "url": f"{PAGE_OF[entry.id]}.html#error-{entry.id}",
            }
            for entry in sorted(BOOK.errors.values(), key=lambda entry: (-linked[PAGE_OF[entry.id]], entry.id))
        ]
    }


@pytest.fixture(scope="module")
def finder() -> Finder:
    return Finder(catalogue())


def test_mutilated_copies(finder: Finder) -> None:
    """Of the copies of all messages 99 in 100 find their page first."""
    tried = copies(BOOK.errors.values(), NUMBER)
    missed = [
        copy
        for copy in tried
        if not (found := finder.find(copy.text)) or PAGE_OF[found[0][0]["id"]] != PAGE_OF[copy.id]
    ]

    assert len(tried) == NUMBER
    assert len({copy.id for copy in tried}) == len(BOOK.errors)
    assert len(missed) <= NUMBER * (1 - FIRST), Counter((copy.how, copy.id) for copy in missed)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "Traceback (most recent call last):",
        "AttributeError: 'Loader' object has no attribute 'step'",
        "☃" * 99,
    ],
)
def test_other_texts(finder: Finder, text: str) -> None:
    """A text without a message of the catalogue gets no answer."""
    assert finder.find(text) == []


def test_holes(finder: Finder) -> None:
    """What stands in the holes is found, also where the text was wrapped, coloured and cut, and said in plain words."""
    text = (
        "\x1b[31mRuntimeError\x1b[0m: one of the variables needed for gradient computation has been modified by an "
        "inplace\n operation: [torch.FloatTensor [2,\n 3]], which is output 0 of ExpBackward0, is at version 2; "
        "expected version 0 instead."
    )
    ((entry, holes),) = finder.find(text)

    assert entry["id"] == "saved-tensor-modified"
    assert holes == {
        "type": "torch.FloatTensor",
        "shape": "[2, 3]",
        "index": "0",
        "node": "ExpBackward0",
        "version": "2",
        "expected": "0",
    }
    assert say("{node:op} {version-expected:times} {shape}", holes) == "exp twice [2, 3]"
    assert say("{node:op} {other}", holes) == ""


def run(folder: Path, *arguments: str, log: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs Python with the script in reach and the catalogue in `folder`."""
    (folder / "errors.json").write_text(json.dumps(catalogue()), "utf-8")
    known = {"PYTHONPATH": str(EXAMPLE.parent), "AUTOGRAD_IN_PLACE_CATALOGUE": str(folder / "errors.json")}
    command = [sys.executable, *arguments]
    return subprocess.run(command, input=log, text=True, capture_output=True, env=known | environment, check=False)


LEAF = "RuntimeError: a leaf Variable that requires grad is being used in an in-place operation."


def test_log(tmp_path: Path) -> None:
    """A log on standard input, or the file named, gets cause, fix and page."""
    (tmp_path / "log").write_text(f"epoch 3\n{LEAF}\n")
    expected = "Title of leaf-in-place\nThe cause.\nFix: The fix.\nerrors/leaf-in-place.html#error-leaf-in-place\n"

    assert run(tmp_path, str(EXAMPLE), log=LEAF).stdout == expected
    assert run(tmp_path, str(EXAMPLE), str(tmp_path / "log")).stdout == expected


def test_nothing_to_say(tmp_path: Path) -> None:
    """No message, a file that is not there, no catalogue: a sentence, and an exit code that tells."""
    nothing = run(tmp_path, str(EXAMPLE), log="all is well")
    no_log = run(tmp_path, str(EXAMPLE), str(tmp_path / "no-such-log"))
    no_catalogue = run(tmp_path, str(EXAMPLE), log=LEAF, AUTOGRAD_IN_PLACE_CATALOGUE=str(tmp_path / "no-such-file"))

    assert (nothing.returncode, nothing.stdout[:10]) == (1, "No message")
    assert (no_log.returncode, "no-such-log" in no_log.stderr) == (1, True)
    assert (no_catalogue.returncode, "no-such-file" in no_catalogue.stderr) == (1, True)
    assert "Traceback" not in nothing.stderr + no_log.stderr + no_catalogue.stderr


RAISING = """
import explain_errors
def torch_like():
    raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
"""


@pytest.mark.parametrize(
    "program",
    [
        "torch_like()",
        "import threading; threading.Thread(target=torch_like).start()",
        "try: torch_like()\nexcept RuntimeError as error: raise ValueError('the step failed') from error",
        "try: torch_like()\nexcept RuntimeError as error: error.add_note('a note of its own'); raise",
    ],
    ids=["uncaught", "in a thread", "wrapped", "with another note"],
)
def test_note(tmp_path: Path, program: str) -> None:
    """An exception that ends a program or a thread is shown as it was, with one note more."""
    plain = run(tmp_path, "-c", f"{RAISING}\n{program}", AUTOGRAD_IN_PLACE="0")
    noted = run(tmp_path, "-c", f"{RAISING}\n{program}")
    extra = [line for line in noted.stderr.splitlines() if line and line not in plain.stderr.splitlines()]

    assert LEAF in plain.stderr
    assert "Fix:" not in plain.stderr
    assert extra == [
        "Title of leaf-in-place",
        "The cause.",
        "Fix: The fix.",
        "errors/leaf-in-place.html#error-leaf-in-place",
    ]
    assert plain.returncode == noted.returncode


def test_note_in_ipython(tmp_path: Path) -> None:
    """IPython shows the note, too, and goes on."""
    shell = (
        "from IPython.core.interactiveshell import InteractiveShell as Shell\nshell = Shell.instance(colors='nocolor')"
    )
    cells = ["import explain_errors", f"raise RuntimeError({LEAF.partition(': ')[2]!r})", "print('the next cell')"]
    program = "\n".join([shell, *(f"shell.run_cell({cell!r})" for cell in cells)])
    said = run(tmp_path, "-c", program, IPYTHONDIR=str(tmp_path), HOME=str(tmp_path)).stdout

    assert f"{LEAF}\n\nTitle of leaf-in-place\nThe cause.\nFix: The fix.\n" in said
    assert said.rstrip().endswith("the next cell")


def test_note_never_fails(tmp_path: Path) -> None:
    """Without a catalogue, or with an exception that cannot be printed, the exception comes as ever."""
    broken = "class Odd(Exception):\n    def __str__(self): raise KeyError('odd')\nraise Odd"
    without = run(tmp_path, "-c", f"{RAISING}\ntorch_like()", AUTOGRAD_IN_PLACE_CATALOGUE=str(tmp_path / "none"))
    odd = run(tmp_path, "-c", f"{RAISING}\n{broken}")

    assert without.stderr.rstrip().endswith(LEAF)
    assert odd.stderr.rstrip().endswith("Odd: <exception str() failed>")


def test_site_copy_has_the_catalogue(tmp_path: Path) -> None:
    """The copy that a build publishes needs no file beside it."""
    source = EXAMPLE.read_text("utf-8").replace("CATALOGUE = None", f"CATALOGUE = {json.dumps(catalogue())!r}", 1)
    (tmp_path / "explain_errors.py").write_text(source, "utf-8")
    alone = subprocess.run(
        [sys.executable, "-I", str(tmp_path / "explain_errors.py")],
        input=LEAF,
        text=True,
        capture_output=True,
        check=True,
    )

    assert alone.stdout.startswith("Title of leaf-in-place")
