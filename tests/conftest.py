"""Fixtures that several tests need."""

from tiny_site import build  # noqa: F401 - pytest finds it here by name
