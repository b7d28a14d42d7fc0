"""What a build leaves to the next one where somebody waits for the page that was saved: all that shows something of it.

That is places on other pages, the pages that list it in their `toctree`, and the files for the box and for programs.
"""

from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.environment import BuildEnvironment

from render.data import data_of


def leaves_rest(app: Sphinx) -> bool:
    """Whether a build is to be over soon, and another one follows."""
    return bool(app.config.proof_later)


def left_by_the_last(env: BuildEnvironment) -> set[str]:
    """Returns the pages that earlier builds have left to be written, and forgets them."""
    left = set(data_of(env)["left"]) & env.found_docs
    data_of(env)["left"].clear()
    return left


def _note_lists(app: Sphinx, env: BuildEnvironment, names: list[str]) -> None:
    """Keeps with the environment, which is saved before pages are written, which pages list those that are read."""
    if leaves_rest(app):
        lists = set().union(*(env.files_to_rebuild.get(name, set()) for name in names))
        data_of(env)["left"] |= dict.fromkeys(lists, True)


def _leave_lists(app: Sphinx, builder: Builder) -> None:
    """Sphinx would write them now."""
    if leaves_rest(app):
        builder.env.files_to_rebuild = {}


def setup_later(app: Sphinx) -> None:
    app.add_config_value("proof_later", False, "", bool, "Leave what shows the saved pages to the next build.")
    app.connect("env-before-read-docs", _note_lists)
    app.connect("write-started", _leave_lists)
