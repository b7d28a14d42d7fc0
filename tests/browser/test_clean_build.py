"""The built site is what any clean build gives, byte for byte."""

import filecmp
import shutil
import subprocess
from pathlib import Path

from browser.conftest import SITE
from tiny_site import command_for

ROOT = Path(__file__).parents[2]


def test_clean_build_elsewhere(tmp_path: Path) -> None:
    """In another place, with another hash seed, by one process, from nothing: all files are the same."""
    for name in ("docs", "examples"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    command = [*command_for(tmp_path), "-j", "1", str(tmp_path / "html")]
    subprocess.run(command, env={"PYTHONHASHSEED": "1", "PATH": "/usr/bin:/bin"}, check=True)

    sides = SITE, tmp_path / "html"
    here, there = ({path.relative_to(side) for path in side.rglob("*") if path.is_file()} for side in sides)
    other = (name for name in here & there if not filecmp.cmp(sides[0] / name, sides[1] / name, shallow=False))
    assert sorted((here ^ there) | set(other)) == [], "if build/ is of several builds, remove it and build again"
