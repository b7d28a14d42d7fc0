"""An environment of its own for each tool that this site does not have."""

import subprocess
import sys
from pathlib import Path

FOLDER = Path(".nox/bench").absolute()


def python_of(name: str, packages: tuple[str, ...]) -> Path:
    """Returns the interpreter of the environment `name`, made with these packages where there is none yet."""
    folder = FOLDER / name.replace(" ", "-")
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *packages], check=True)
    return python


def version_in(python: Path, package: str) -> str:
    """Returns the version of a package in the environment of an interpreter."""
    code = f"from importlib.metadata import version; print(version({package!r}))"
    return subprocess.run([str(python), "-c", code], check=True, capture_output=True, text=True).stdout.strip()
