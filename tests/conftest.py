"""Fixtures that several tests need."""

from running import run  # noqa: F401 - pytest finds it here by name
from tiny_site import build  # noqa: F401 - the same
