"""Where and when something was measured."""

import datetime
import os
import platform
from importlib import metadata

import psutil


def where_and_when(*packages: str) -> str:
    """Returns the date, the machine, and the versions of what was measured."""
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in packages)
    memory = psutil.virtual_memory().total / 1e9
    return (
        f"{datetime.date.today().isoformat()}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores, "
        f"{memory:.0f} GB of memory, Python {platform.python_version()}, {versions}.\n"
    )
