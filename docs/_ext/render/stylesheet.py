"""One stylesheet for all pages: what Sphinx, MyST-NB, furo and the site bring, in their order, in one file."""

import re
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from docutils import nodes
from furo import get_pygments_stylesheet
from sphinx.application import Sphinx

FILE = "style.css"

_JOINED = "proof_joined"
_MAP = re.compile(r"/\*# sourceMappingURL=.*?\*/")
_STYLE = re.compile(r"</?style>")


def join(app: Sphinx, name: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Lets a page link the one file, which is written with the first page.

    By then Sphinx has copied the files that it is made of, and has not yet started other processes.
    """
    linked = sorted(context["css_files"], key=lambda file: file.priority)
    if not hasattr(app, _JOINED):
        setattr(app, _JOINED, [file.filename for file in linked if file.filename != f"_static/{FILE}"])
        parts = [_text(Path(app.outdir, path)) for path in _joined(app)]
        Path(app.outdir, "_static", FILE).write_text("\n".join([*parts, _variables(app, context)]), "utf-8")
    context["css_files"] = [file for file in linked if file.filename not in _joined(app)]


def remove_joined(app: Sphinx, exception: Exception | None) -> None:
    """Removes the stylesheets that no page links, and the maps that would show them as they were written."""
    if exception is None:
        static = Path(app.outdir, "_static")
        for path in [*static.rglob("*.css"), *static.rglob("*.map")]:
            if path.name != FILE:
                path.unlink()


def _joined(app: Sphinx) -> list[str]:
    return cast(list[str], getattr(app, _JOINED, []))


def _text(path: Path) -> str:
    """The text of a stylesheet; of two that are written only when all pages are, from where they come."""
    if path.name == "pygments.css":
        return cast(str, get_pygments_stylesheet())
    if path.name.startswith("mystnb."):
        return (files("myst_nb") / "static" / "mystnb.css").read_text("utf-8")
    return _MAP.sub("", path.read_text("utf-8"))


def _variables(app: Sphinx, context: dict[str, Any]) -> str:
    """The colours that furo takes from the settings, which it would put into each page."""
    return _STYLE.sub("", app.builder.templates.render("partials/_head_css_variables.html", context))
