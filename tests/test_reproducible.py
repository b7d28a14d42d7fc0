"""Two clean builds of the whole site are the same, byte for byte."""

import filecmp
import shutil
import subprocess
from pathlib import Path

from tiny_site import command_for

ROOT = Path(__file__).parents[1]


def test_two_clean_builds(tmp_path: Path) -> None:
    """Built in two places at once, with different hash seeds, by different numbers of processes."""
    builds = []
    for name, jobs, seed in (("one", "1", "1"), ("two", "2", "2")):
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "docs", tmp_path / name / "docs", ignore=ignore)
        shutil.copytree(ROOT / "examples", tmp_path / name / "examples", ignore=ignore)
        command = [*command_for(tmp_path / name), "-j", jobs, str(tmp_path / name / "html")]
        builds.append(subprocess.Popen(command, env={"PYTHONHASHSEED": seed, "PATH": "/usr/bin:/bin"}))
    assert [build.wait() for build in builds] == [0, 0]

    one, two = tmp_path / "one" / "html", tmp_path / "two" / "html"
    names = [{path.relative_to(side) for path in side.rglob("*") if path.is_file()} for side in (one, two)]
    assert names[0] == names[1]
    assert [name for name in sorted(names[0]) if not filecmp.cmp(one / name, two / name, shallow=False)] == []
