"""Writes code as Sphinx does, with links in it, and lighter: what has the colour of all text has no element of its own.

That are names and punctuation in the styles of this site, a seventh of a page with much code.
"""

import re
from functools import cache

from docutils import nodes
from pygments.styles import get_style_by_name
from pygments.token import STANDARD_TYPES, Text
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from render.names import link_names


@cache
def _plain(styles: tuple[str, ...]) -> re.Pattern[str]:
    """Returns what finds the elements that look like text in all these styles."""
    loaded = [get_style_by_name(style) for style in styles]
    short = (
        short
        for token, short in STANDARD_TYPES.items()
        if short and all(style.style_for_token(token) == style.style_for_token(Text) for style in loaded)
    )
    return re.compile(rf'<span class="(?:{"|".join(sorted(short))})">([^<]*)</span>')


def _write(writer: HTML5Translator, block: nodes.literal_block) -> None:
    config = writer.config
    try:
        HTML5Translator.visit_literal_block(writer, block)
    finally:  # it ends with an exception that says that the block has been written
        styles = config.pygments_style, config.pygments_dark_style
        if config.html_theme == "furo" and all(styles):  # other themes colour code by styles of their own
            writer.body[-1] = _plain(styles).sub(r"\1", writer.body[-1])
        writer.body[-1] = link_names(writer.body[-1], block, config)


def setup_code(app: Sphinx) -> None:
    app.add_node(nodes.literal_block, override=True, html=(_write, None))
