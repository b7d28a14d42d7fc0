"""`pytest docs` runs pages: what it collects, what it prints, and when it fails."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tiny_site import ROOTS

DOCS = Path(__file__).parents[1] / "docs"

Pytest = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def pytest_on(tmp_path: Path) -> Pytest:
    """Runs pytest on the tiny site `roots/<name>`, as a user would on `docs`."""

    def run(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        docs = tmp_path / "docs"
        shutil.copytree(ROOTS / name, docs)
        shutil.copy(ROOTS / "conf.py", docs)
        shutil.copy(DOCS / "conftest.py", docs)
        (tmp_path / "pytest.ini").write_text("[pytest]\n")
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *(arguments or ["docs"])]
        environment = os.environ | {"PYTHONPATH": str(DOCS / "_ext")}
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    return run


def test_ids_are_places(pytest_on: Pytest) -> None:
    """Each cell is an item whose id is its place and what it proves."""
    out = pytest_on("good", "docs", "--collect-only", "-q").stdout

    assert out.splitlines()[:5] == [
        "docs/division.md:10 raises division",
        "docs/index.md:12 claim one-letter",
        "docs/index.md:20 claim zero-divides-nothing",
        "docs/index.md:25 cell",
        "docs/odd.md:10 warns odd",
    ]


def test_counts(pytest_on: Pytest) -> None:
    """The run says what it has checked."""
    done = pytest_on("good")

    assert "3 pages, 2 claims, 3 expected errors and warnings checked" in done.stdout
    assert done.returncode == 0


def test_one_page(pytest_on: Pytest) -> None:
    """One page can be run alone; the messages that it names are known all the same."""
    done = pytest_on("good", "docs/index.md")

    assert "1 page, 2 claims, 1 expected error or warning checked" in done.stdout
    assert done.returncode == 0


def test_failure_says_place_and_texts(pytest_on: Pytest) -> None:
    """A failure reads as in the build of the site."""
    done = pytest_on("false-claim")

    assert (
        "docs/index.md:17: claim one-and-one: the claim does not hold\n    expected: no failed assertion\n"
        in done.stdout
    )
    assert "AssertionError: total == expected; total is 2; expected is 3" in done.stdout
    assert done.returncode == 1


@pytest.mark.parametrize("name", ["not-utf-8", "broken-front-matter", "empty", "claim-without-proof", "nested-claim"])
def test_broken_page_fails(pytest_on: Pytest, name: str) -> None:
    """What is wrong before anything runs fails as an item of its page, without a traceback of ours."""
    done = pytest_on(name)

    assert done.returncode == 1
    assert "[proof." in done.stdout
    assert "Traceback" not in done.stdout


def test_no_page_fails(pytest_on: Pytest) -> None:
    """A run over a folder without a cell does not pass."""
    done = pytest_on("unknown-reference")

    assert "0 pages, 0 claims, 0 expected errors and warnings checked" in done.stdout
    assert done.returncode != 0


def test_no_claim_fails(pytest_on: Pytest) -> None:
    """All cells pass, but there is no claim among them."""
    done = pytest_on("duplicate-error", "docs", "--deselect", "docs/other.md:1 page")

    assert "0 claims" in done.stdout
    assert done.returncode == 1
