"""`errors.json`: the catalogue of messages for other programs, beside the pages it is made from."""

import json
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder

from proof.front_matter import ErrorEntry
from proof.message import Message
from render.site import site_of

FILE = "errors.json"
SCHEMA = "_static/errors.schema.json"


def catalogue(app: Sphinx) -> dict[str, Any]:
    """Returns what `errors.json` holds; its schema is `_static/errors.schema.json`."""
    site = site_of(app.env)
    return {
        "$schema": SCHEMA,
        "torch": site.torch,
        "errors": [_entry(app, site.errors[id_], page) for id_, page in sorted(site.error_pages.items())],
    }


def _entry(app: Sphinx, entry: ErrorEntry, page: str) -> dict[str, Any]:
    return {
        "id": entry.id,
        **_message(entry.message),
        "earlier": [{"until": until, **_message(message)} for until, message in entry.earlier],
        "title": app.env.titles[page].astext(),
        "url": f"{app.builder.get_target_uri(page)}#error-{entry.id}",
    }


def _message(message: Message) -> dict[str, str]:
    return {"type": message.type, "message": message.template, "pattern": message.portable_pattern}


def _write(app: Sphinx, exception: Exception | None) -> None:
    if exception is None and isinstance(app.builder, StandaloneHTMLBuilder):
        text = json.dumps(catalogue(app), ensure_ascii=False, indent=1)
        Path(app.outdir, FILE).write_text(text + "\n", "utf-8")


def setup_export(app: Sphinx) -> None:
    app.connect("build-finished", _write)
