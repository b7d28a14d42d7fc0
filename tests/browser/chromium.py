"""Which browser is driven: a Chromium of the system, that does nothing but what it is told."""

import os
import shutil

NAMES = ["chromium", "chromium-browser", "google-chrome"]
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def executable() -> str:
    """Returns its path."""
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    assert path, f"no Chromium: install one of {', '.join(NAMES)}, or name its path in CHROMIUM"
    return path
