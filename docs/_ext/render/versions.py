"""Which torch the site is built with, and which one it is published with."""

import re
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util import logging

from proof.run import RunError, torch_version

CONSTRAINTS = "constraints.txt"
"""The file beside conf.py that pins what the published site is built with."""

_LOGGER = logging.getLogger(__name__)


class Stop(SystemExit):
    """Ends a build that cannot go on with one line on standard error.

    For any other exception Sphinx prints a report of its own inside and asks to have it sent to its developers.
    """


def pinned_torch(folder: Path) -> str | None:
    """Returns the torch that the constraints in `folder` pin, or None where there are none."""
    path = folder / CONSTRAINTS
    found = re.search(r"^torch==([\w.]+)", path.read_text("utf-8"), re.MULTILINE) if path.is_file() else None
    return found[1] if found else None


def _compare(app: Sphinx, config: Config) -> None:
    """Says on the console and on every page if the installed torch is not the pinned one."""
    try:
        installed = torch_version()
    except RunError as error:
        raise Stop(str(error)) from error
    pinned = pinned_torch(Path(app.confdir))
    if pinned and pinned != installed:
        text = (
            f"This copy was built and checked with torch {installed}; the published site is checked on torch {pinned}."
        )
        _LOGGER.info("%s", text, color="yellow")
        config.html_theme_options = {**config.html_theme_options, "announcement": text}


def setup_versions(app: Sphinx) -> None:
    app.connect("config-inited", _compare)
