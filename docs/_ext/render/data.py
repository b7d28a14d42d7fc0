"""What a build remembers of each page beside its document, in Sphinx's environment, under the `err` domain."""

from typing import Any, TypedDict, cast

from sphinx.environment import BuildEnvironment


class Data(TypedDict):
    """Everything by a page's name."""

    places: dict[str, list[Any]]
    """The places on it that are filled when it is written."""
    shown: dict[str, str]
    """A digest of what they showed when it was last written."""
    left: dict[str, bool]
    """Whether it was left to be written by the next build."""
    summaries: dict[str, Any]
    """What other pages and files show of it."""


def data_of(env: BuildEnvironment) -> Data:
    """Returns what the build remembers."""
    return cast(Data, env.domaindata["err"])
