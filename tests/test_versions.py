"""Which torch the site is built with, and what it says if that is not the pinned one."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

from tiny_site import ROOTS, Built

from render.versions import pinned_torch

DOCS = Path(__file__).parents[1] / "docs"


def test_pinned() -> None:
    """The published site's torch is the one that the constraints pin."""
    assert pinned_torch(DOCS) == "2.13.0"


def test_another_torch(build: Callable[..., Built], tmp_path: Path) -> None:
    """The site builds, says so on the console, and names both versions on every page."""
    build("good")
    (tmp_path / "docs" / "constraints.txt").write_text("torch==1.2.3\n")

    built = build("good")

    version = metadata.version("torch").partition("+")[0]
    sentence = f"built and checked with torch {version}; the published site is checked on torch 1.2.3."
    assert sentence in built.log
    assert built.status == 0
    assert all(sentence in built.html(page) for page in ("index", "division", "odd", "ledger", "search"))


WITHOUT_TORCH = """
from importlib import metadata
from sphinx.cmd.build import main

installed = metadata.version

def version(name):
    if name == "torch":
        raise metadata.PackageNotFoundError(name)
    return installed(name)

metadata.version = version
raise SystemExit(main(["-q", "docs", "html"]))
"""


def test_no_torch(tmp_path: Path) -> None:
    """Without torch the build ends with one line."""
    shutil.copytree(ROOTS / "good", tmp_path / "docs")
    shutil.copy(ROOTS / "conf.py", tmp_path / "docs")
    environment = os.environ | {"PYTHONPATH": str(DOCS / "_ext")}
    command = [sys.executable, "-c", WITHOUT_TORCH]

    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    assert done.stderr == "torch is not installed here, so no page can be run: install it, or use 'nox -s docs'\n"
    assert done.returncode == 1
