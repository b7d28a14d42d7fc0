"""Each page with cells as a notebook and as a script, which run where there is torch and nothing of this site.

The foot of the page names them: `render.foot`.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import nbformat
from docutils import nodes
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder

from proof.page import Cell, Page
from proof.script import as_script, first_cell, imported
from render.markdown import markdown_of
from render.site import Site, site_of

_MARK = "cell-of-the-page-"
_LINE = re.compile(rf"^{_MARK}(\d+)$", re.MULTILINE)


def has_files(site: Site, name: str) -> bool:
    """Whether a page can be taken along: it has cells, and nothing is wrong with it."""
    verdict = site.verdicts.get(name)
    return verdict is not None and bool(site.pages[name].cells) and not verdict.problems


def files_of(app: Sphinx, name: str) -> list[tuple[str, str]]:
    """Returns what a page can be taken along as, each with its address; Colab is one where its address is set."""
    kinds = (("a notebook", "ipynb"), ("a script", "py"), ("Markdown", "md"))
    found = [(text, f"{name.rpartition('/')[2]}.{suffix}") for text, suffix in kinds]
    return [*found, *([("in Colab", f"{app.config.colab_url}/{name}.ipynb")] if app.config.colab_url else [])]


def _write(app: Sphinx, name: str, template: str, context: dict[str, object], doctree: nodes.document | None) -> None:
    """Writes both files when the page's HTML is written."""
    site = site_of(app.env)
    if doctree is None or not has_files(site, name) or not isinstance(app.builder, StandaloneHTMLBuilder):
        return
    page = site.pages[name]
    examples = Path(app.srcdir, cast(str, app.config.proof_examples)).resolve()
    first = first_cell(site.torch, imported(page, examples))
    parts = list(_parts(_marked(app, name, doctree), page))
    path = Path(app.outdir, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    errors = {cell.raises: site.errors[cell.raises].message.type for cell in page.cells if cell.raises}
    path.with_suffix(".py").write_text(as_script(first, parts, errors), "utf-8")
    path.with_suffix(".ipynb").write_text(nbformat.writes(_notebook(first, parts)) + "\n", "utf-8")


def _marked(app: Sphinx, name: str, doctree: nodes.document) -> str:
    """The page as Markdown, with a line that names the cell in the place of each cell and its outputs."""
    document = doctree.deepcopy()
    for container in list(document.findall(nodes.container)):
        if container.get("nb_element") == "cell_code":
            mark = f"{_MARK}{container['cell_index']}"
            place = container.parent if container.parent.tagname == "proof" else container
            place.replace_self(nodes.paragraph("", mark))
    return markdown_of(app, name, document, ".ipynb")


def _parts(markdown: str, page: Page) -> Iterator[str | Cell]:
    """Yields the page's text and its cells in order. A cell that is not shown on the page comes in its place, too."""
    cells = list(page.cells)
    texts = _LINE.split(markdown)
    yield texts[0].strip()
    for index, text in zip(texts[1::2], texts[2::2], strict=True):
        while cells and cells[0].index <= int(index):
            yield cells.pop(0)
        yield text.strip()
    yield from cells


def _notebook(first: str, parts: list[str | Cell]) -> NotebookNode:
    """A notebook without outputs; cells that are to raise do not stop it."""
    cells = [new_code_cell(first, id="first")]
    for number, part in enumerate(parts):
        if isinstance(part, Cell):
            tags = {"tags": ["raises-exception"]} if part.raises else {}
            cells.append(new_code_cell(part.source, id=f"cell-{number}", metadata=tags))
        elif part:
            cells.append(new_markdown_cell(part, id=f"cell-{number}"))
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    head = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return cast(NotebookNode, new_notebook(cells=cells, metadata=head))


def setup_downloads(app: Sphinx) -> None:
    app.add_config_value("colab_url", "", "html", str, "Where Colab opens the built notebooks.")
    app.connect("html-page-context", _write)
