"""`{examples}`: the scripts to copy, each with what it says of itself, its file, and the pages that use it."""

import ast
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from proof.page import Page
from render.export import SCRIPT
from render.places import Place, page_link, put
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


class users(Place):
    """Where the pages will stand that use a module."""

    def shows(self, env: BuildEnvironment) -> object:
        return [(name, env.titles[name].astext()) for name in self._names(env)]

    def parts(self, env: BuildEnvironment) -> list[nodes.Node]:
        links = [part for name in self._names(env) for part in (nodes.Text(", "), page_link(env, name))][1:]
        return [nodes.paragraph("", "Used on ", *links, nodes.Text("."))] if links else []

    def _names(self, env: BuildEnvironment) -> Iterator[str]:
        return users_of(self["module"], site_of(env).pages)


class ExampleList(SphinxDirective):
    """A list of all scripts in the folder of examples."""

    def run(self) -> list[nodes.Node]:
        folder = Path(self.env.srcdir, self.config.proof_examples).resolve()
        return [nodes.bullet_list("", *map(self._item, sorted(folder.glob("*.py"))), classes=["examples"])]

    def _item(self, path: Path) -> nodes.list_item:
        self.env.note_dependency(str(path))
        text = self.parse_text_to_nodes(f"{self._link(path)}: {first_line_of(path)}")
        return nodes.list_item("", *text, *put(self.env, users("", module=path.stem)))

    def _link(self, path: Path) -> str:
        """The link to the file, or to the site's own copy of the one that has the catalogue in it."""
        here = Path(self.env.srcdir, self.env.docname).parent
        if path.name == SCRIPT:
            return f'<a href="{os.path.relpath(self.env.srcdir, here)}/{SCRIPT}" download>{SCRIPT}</a>'
        return f"{{download}}`{path.name} <{os.path.relpath(path, here)}>`"


def setup_examples(app: Sphinx) -> None:
    app.add_directive("examples", ExampleList)
