"""`{examples}`: the scripts to copy, each with what it says of itself, its file, and the pages that use it."""

import ast
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from proof.page import Page
from render.export import SCRIPT
from render.site import site_of


def first_line_of(path: Path) -> str:
    """Returns the first line of a module's docstring, or nothing where it has none."""
    return (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").partition("\n")[0]


def users_of(module: str, pages: Mapping[str, Page]) -> Iterator[str]:
    """Yields the names of the pages whose cells import a module."""
    imported = re.compile(rf"^\s*(?:from|import) {module}\b", re.MULTILINE)
    for name, page in pages.items():
        if any(imported.search(cell.source) for cell in page.cells):
            yield name


class ExampleList(SphinxDirective):
    """A list of all scripts in the folder of examples."""

    def run(self) -> list[nodes.Node]:
        cast(set[str], self.env.domaindata["err"]["tables"]).add(self.env.docname)
        folder = Path(self.env.srcdir, self.config.proof_examples).resolve()
        return [nodes.bullet_list("", *map(self._item, sorted(folder.glob("*.py"))), classes=["examples"])]

    def _item(self, path: Path) -> nodes.list_item:
        self.env.note_dependency(str(path))
        text = self._link(path) + ": "
        users = ", ".join(f"{{doc}}`/{name}`" for name in users_of(path.stem, site_of(self.env).pages))
        return nodes.list_item(
            "", *self.parse_text_to_nodes(text + first_line_of(path) + (f"\n\nUsed on {users}." if users else ""))
        )

    def _link(self, path: Path) -> str:
        """The link to the file, or to the site's own copy of the one that has the catalogue in it."""
        here = Path(self.env.srcdir, self.env.docname).parent
        if path.name == SCRIPT:
            return f'<a href="{os.path.relpath(self.env.srcdir, here)}/{SCRIPT}" download>{SCRIPT}</a>'
        return f"{{download}}`{path.name} <{os.path.relpath(path, here)}>`"


def setup_examples(app: Sphinx) -> None:
    app.add_directive("examples", ExampleList)
