"""Sphinx's search keeps the words of pages that a build does not write, and forgets their index entries.

So a build after another one lost the glossary's terms. The entries of all pages are in the environment.
"""

from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.util.index_entries import split_index_msg


def _keep_entries(app: Sphinx, builder: Builder) -> None:
    """Hands them to the search, which writes over those of the pages that are written."""
    entries = builder.env.domains.index_domain.entries
    builder.env._search_index_index_entries = {
        name: sorted(
            {
                (text, target or "", main)
                for kind, value, target, main, _ in entries[name]
                for text in split_index_msg(kind, value)
            }
        )
        for name in sorted(entries)
    }


def setup_search(app: Sphinx) -> None:
    app.connect("write-started", _keep_entries)
