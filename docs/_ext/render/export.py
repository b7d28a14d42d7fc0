"""`errors.json`: the catalogue of messages for other programs; and `explain_errors.py`, one of them, with it inside."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder

from proof.front_matter import ErrorEntry
from proof.message import Message
from record.wordings import to_search_for
from render.later import leaves_rest
from render.site import site_of
from render.summaries import most_linked, summaries_of

FILE = "errors.json"
SCHEMA = "_static/errors.schema.json"
SCRIPT = "explain_errors.py"


def catalogue(app: Sphinx) -> dict[str, Any]:
    """Returns what `errors.json` holds; its schema is `_static/errors.schema.json`."""
    site = site_of(app.env)
    return {
        "$schema": SCHEMA,
        "torch": site.torch,
        "errors": [_entry(app, site.catalogue[id_], page) for id_, page in most_linked(app)],
    }


def _entry(app: Sphinx, entry: ErrorEntry, page: str) -> dict[str, Any]:
    site = site_of(app.env)
    answer = summaries_of(app.env)[page].answer
    searched = to_search_for(entry, site.pages[page])
    return {
        "id": entry.id,
        **_message(entry.message),
        "says": entry.says,
        "earlier": [{"until": until, **_message(message)} for until, message in searched],
        "alike": [{"until": until, **_message(m)} for until, m in entry.earlier if (until, m) not in searched],
        "versions": list(site.history.error(entry.id).holding) or [site.torch],
        "title": app.env.titles[page].astext(),
        "cause": answer.cause,
        "fix": answer.fix,
        "cases": [asdict(case) for case in answer.cases],
        "url": f"{_base(app)}{app.builder.get_target_uri(page)}#error-{entry.id}",
    }


def _base(app: Sphinx) -> str:
    """The address of the site, if it is known."""
    return f"{app.config.html_baseurl.rstrip('/')}/" if app.config.html_baseurl else ""


def _message(message: Message) -> dict[str, str]:
    return {"type": message.type, "message": message.template, "pattern": message.portable_pattern}


def _script(app: Sphinx, text: str) -> str:
    """Returns the example that answers in the terminal, with the catalogue in it."""
    source = Path(app.srcdir, app.config.proof_examples, SCRIPT).read_text("utf-8")
    return source.replace("CATALOGUE = None", f"CATALOGUE = {text!r}", 1)


def _write(app: Sphinx, exception: Exception | None) -> None:
    if exception is None and isinstance(app.builder, StandaloneHTMLBuilder) and not leaves_rest(app):
        text = json.dumps(catalogue(app), ensure_ascii=False, indent=1)
        Path(app.outdir, FILE).write_text(text + "\n", "utf-8")
        if Path(app.srcdir, app.config.proof_examples, SCRIPT).exists():
            Path(app.outdir, SCRIPT).write_text(_script(app, text), "utf-8")


def setup_export(app: Sphinx) -> None:
    app.connect("build-finished", _write)
