"""Lets pytest collect the pages of this folder: `pytest docs`, `pytest docs/guide/leaf.md`."""

from proof.collect import (  # noqa: F401 - pytest finds its hooks here by name
    pytest_collect_file,
    pytest_configure,
    pytest_sessionfinish,
    pytest_terminal_summary,
)
