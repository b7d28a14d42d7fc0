"""A Chromium of the system, without what it does on its own account."""

import contextlib
import os
import shutil
from collections.abc import Iterator

from playwright.sync_api import Browser, sync_playwright

NAMES = ["chromium", "chromium-browser", "google-chrome"]
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def executable() -> str:
    """Returns the browser's path."""
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    assert path, f"no Chromium: install one of {', '.join(NAMES)}, or name its path in CHROMIUM"
    return path


@contextlib.contextmanager
def chromium(*flags: str) -> Iterator[Browser]:
    """Starts a browser with further flags, and ends it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=[*QUIET, *flags])
        yield browser
        browser.close()
