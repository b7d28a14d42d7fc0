"""What search engines and other sites are told of a page, in its head: title, description, Open Graph, structured data.

All of it is taken from the page: the message it states, its opening paragraphs, its fix.
"""

import json
import re
from collections.abc import Iterator
from html import escape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from proof.message import Message
from proof.page import Page
from render.cards import card_of
from render.site import site_of
from render.summaries import summaries_of

_TITLE, _DESCRIPTION = 120, 160
"""How many characters of a title and of a description are shown by those who show them."""

_QUESTIONS = "questions/"
"""The folder whose pages have a question as their title."""


def shortened(text: str, length: int) -> str:
    """Returns a text, code as plain words, cut after a word where it is longer."""
    text = " ".join(text.replace("`", "").split())
    if len(text) <= length:
        return text
    return re.sub(r"[\s,;:.(–]+$", "", text[: length - 1].rsplit(" ", 1)[0]) + "…"


def message_text(message: Message) -> str:
    """Returns a message as people search for it: what differs from case to case left out."""
    return f"{message.type}: " + "".join(literal + ("…" if name else "") for literal, name, _ in message.parts)


def _tell(app: Sphinx, name: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Puts it into the head."""
    if doctree is None or name not in summaries_of(app.env):
        return
    page, title = site_of(app.env).pages[name], app.env.titles[name].astext()
    if page.errors:
        context["title"] = escape(shortened(message_text(page.errors[0].message), _TITLE))
    said = summaries_of(app.env)[name].answer.cause or f"{title}, checked on torch {site_of(app.env).torch}."
    tags = _tags(app, name, title, shortened(said, _DESCRIPTION))
    data = _structured(app, name, page, title)
    # A page's text may hold what would end the element.
    script = json.dumps(data, ensure_ascii=False).replace("</", "<\\/")
    context["metatags"] += "\n".join([*tags, f'<script type="application/ld+json">{script}</script>' if data else ""])


def _tags(app: Sphinx, name: str, title: str, description: str) -> Iterator[str]:
    yield f'<meta name="description" content="{escape(description)}">'
    told = {"type": "article", "site_name": app.config.project, "title": title, "description": description}
    if app.config.html_baseurl:
        told["url"] = address_of(app, app.builder.get_target_uri(name))
        told["image"] = address_of(app, card_of(app, name, title))
        yield '<meta name="twitter:card" content="summary_large_image">'
    for kind, text in told.items():
        yield f'<meta property="og:{kind}" content="{escape(text)}">'


def address_of(app: Sphinx, path: str) -> str:
    """Returns where a file of the site is found, which has to be known."""
    return f"{app.config.html_baseurl.rstrip('/')}/{path}"


def _structured(app: Sphinx, name: str, page: Page, title: str) -> dict[str, Any]:
    """The questions of a page and its answer, as https://schema.org/FAQPage has them; nothing where it asks none."""
    answer = summaries_of(app.env)[name].answer
    asked = [message_text(entry.message) for entry in page.errors] or [title] * name.startswith(_QUESTIONS)
    text = " ".join(filter(None, (answer.cause, answer.fix))).replace("`", "")
    if not (asked and text):
        return {}
    questions = [
        {"@type": "Question", "name": question, "acceptedAnswer": {"@type": "Answer", "text": text}}
        for question in asked
    ]
    return {"@context": "https://schema.org", "@type": "FAQPage", "mainEntity": questions}


def setup_heads(app: Sphinx) -> None:
    app.connect("html-page-context", _tell)
