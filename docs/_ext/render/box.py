"""`{box}`: where a reader pastes a traceback and gets the page. Its scripts are `_static/box/`.

The same answer stands above the results of the site's own search.
"""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator

from proof.front_matter import ErrorEntry
from proof.page import Page
from record.wordings import to_search_for
from render.folds import left_out
from render.later import leaves_rest
from render.site import site_of
from render.summaries import most_linked, summaries_of
from render.words import index_words, pack

SCRIPT = "box/box.js"

_HTML = """\
<div>
<form class="box">
<label for="box-text">Paste a traceback, a log, or the message</label>
<textarea id="box-text" rows="5" spellcheck="false" autocapitalize="off" autocomplete="off"></textarea>
<p><button type="submit">Find the page</button> <span>Nothing leaves your browser.</span></p>
</form>
<noscript><p>The box needs JavaScript; the list of all messages does not.</p></noscript>
<div class="box-answer" role="status" aria-live="polite"></div>
</div>
"""


class box(nodes.General, nodes.Element):
    """Where the box will stand."""


class BoxDirective(SphinxDirective):
    """A field for a traceback, and the page that answers it."""

    def run(self) -> list[nodes.Node]:
        return [box("")]


def files(app: Sphinx) -> Iterator[tuple[str, str, object]]:
    """Yields what the box fetches: a script's path, the name it sets, and the value.

    The messages always; the words of the pages where no message fits; a page's answer where one does.
    """
    site = site_of(app.env)
    names = [name for name, page in site.pages.items() if page.cells or page.errors]
    summaries = summaries_of(app.env)
    answering = dict.fromkeys(site.error_pages.values())
    messages = [_message(site.catalogue[id_], site.pages[page], names.index(page)) for id_, page in most_linked(app)]
    pages = [[app.builder.get_target_uri(name), app.env.titles[name].astext()] for name in names]
    yield "box/messages.js", "catalogue", {"pages": pages, "messages": messages}
    brief = {name for name in answering if not site.pages[name].asked}
    yield "box/pages.js", "words", pack(index_words({name: summaries[name].words for name in names}, brief))
    for name in answering:
        answer = summaries[name].answer
        says = {entry.id: entry.says for entry in site.pages[name].errors if entry.says}
        yield f"box/{names.index(name)}.js", "answer", {"cause": answer.cause, "fix": answer.fix, "says": says}


def _message(entry: ErrorEntry, page: Page, number: int) -> dict[str, object]:
    """What the box knows of a message; its id is left out where it is the page's name."""
    known: dict[str, object] = {} if Path(page.place).stem == entry.id else {"id": entry.id}
    earlier = to_search_for(entry, page)
    known |= {"page": number, "wordings": [entry.message.template, *(message.template for _, message in earlier)]}
    return known | ({"until": [until for until, _ in earlier]} if earlier else {})


def _write(app: Sphinx, exception: Exception | None) -> None:
    if exception is None and isinstance(app.builder, StandaloneHTMLBuilder) and not leaves_rest(app):
        shutil.rmtree(Path(app.outdir, "box"), ignore_errors=True)
        Path(app.outdir, "box").mkdir()
        for path, name, value in files(app):
            text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
            Path(app.outdir, path).write_text(f"autogradInPlace.{name}={text};\n", "utf-8")


def _add_script(
    app: Sphinx, name: str, template: str, context: dict[str, object], doctree: nodes.document | None
) -> None:
    """Only the pages that have a box, and the one of the search, load it."""
    if name == "search" or (doctree is not None and next(iter(doctree.findall(box)), None) is not None):
        app.add_js_file(SCRIPT, loading_method="defer")


def _visit(self: HTML5Translator, node: box) -> None:
    self.body.append(_HTML)
    raise nodes.SkipNode


def setup_box(app: Sphinx) -> None:
    app.add_node(box, html=(_visit, None), **left_out())
    app.add_directive("box", BoxDirective)
    app.connect("html-page-context", _add_script)
    app.connect("build-finished", _write)
