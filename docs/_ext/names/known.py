"""What is known of PyTorch's names, from the installed torch."""

import json
import os
import subprocess
import sys
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

EXTENSIONS = Path(__file__).parents[1]


class KnownError(Exception):
    """The installed torch cannot be asked; the text says why."""


@dataclass(frozen=True)
class Known:
    """The names that PyTorch documents, and of which type things are."""

    paths: Mapping[str, str]
    """The name under which a function or a class is documented, by the paths by which code can reach it."""
    pages: Mapping[str, str]
    """The address of each documented name, below that of the documentation."""
    gives: Mapping[str, str]
    """The class of what a function returns or an attribute is, where that is known."""
    bases: Mapping[str, Sequence[str]]
    """The classes from which a class inherits, in the order in which Python looks into them, itself first."""
    members: Mapping[str, Sequence[str]]
    """The attributes and methods that each class has of its own."""

    def member(self, kind: str, short: str) -> str:
        """Returns the full name of an attribute or method of a class, or nothing."""
        return next((f"{base}.{short}" for base in self.bases.get(kind, ()) if short in self.members[base]), "")


def list_names(folder: Path) -> Path:
    """Returns the file in `folder` that holds the listing, made now if it is not there. Raises KnownError."""
    modules = b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py")))
    file = folder / f"names-{metadata.version('torch')}-{zlib.crc32(modules):08x}.json"
    if not file.exists():
        command = [sys.executable, "-m", "names.listing"]
        done = subprocess.run(command, env=os.environ | {"PYTHONPATH": str(EXTENSIONS)}, capture_output=True)
        if done.returncode:
            raise KnownError(f"torch cannot be asked for its names:\n{done.stderr.decode(errors='replace')}")
        folder.mkdir(parents=True, exist_ok=True)
        half = file.with_suffix(".half")
        half.write_bytes(done.stdout)
        half.replace(file)
    return file


@cache
def read_names(file: Path) -> Known:
    """Returns what the listing holds."""
    return Known(**json.loads(file.read_bytes()))
