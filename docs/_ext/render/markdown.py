"""Each page as Markdown beside its HTML, with what its cells gave, and `llms.txt`, the list of them.

What a page looks like in Markdown is sphinx-markdown-builder's work; the site's own nodes are told it here.
"""

from pathlib import Path

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.addnodes import toctree
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx_markdown_builder.builder import MarkdownBuilder

from render.folds import unfolded
from render.site import site_of

INDEX = "llms.txt"

_LANGUAGES = {"ipython3": "python", "myst-ansi": "text"}
"""What Markdown calls the languages that MyST-NB gives to cells and their outputs."""

_OPENING = """\
# {project}

> What PyTorch's autograd does with leaves, views, in-place writes, retained gradients and optimizers.
> Every claim was checked by running the code below it on torch {torch}.

`errors.json` has the catalogue of messages: pattern, cause, fix and page of each.
"""


def write_page(
    app: Sphinx, name: str, template: str, context: dict[str, object], doctree: nodes.document | None
) -> None:
    """Writes one page as Markdown, when its HTML is written."""
    if doctree is not None and isinstance(app.builder, StandaloneHTMLBuilder):
        path = Path(app.outdir, f"{name}.md")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(markdown_of(app, name, doctree.deepcopy(), ".md"), "utf-8")


def markdown_of(app: Sphinx, name: str, document: nodes.document, suffix: str) -> str:
    """Returns a page, resolved, as Markdown; links to other pages get the suffix. The document is changed."""
    for reference in document.findall(nodes.reference):
        if reference.get("internal") and "refuri" in reference:
            reference["refuri"] = reference["refuri"].replace(".html", suffix)
    for block in document.findall(nodes.literal_block):
        block["language"] = _LANGUAGES.get(block.get("language", ""), block.get("language", ""))
    for hidden in list(document.findall(toctree)):  # what a table of contents leaves out of the pages that it lists
        hidden.parent.remove(hidden)
    builder = MarkdownBuilder(app, app.env)
    builder.init()
    builder.prepare_writing({name})
    builder.current_doc_name = name
    translator = builder.create_translator(document, builder)
    document.walkabout(translator)
    return str(translator.astext())


def _write_index(app: Sphinx, exception: Exception | None) -> None:
    if exception is None and isinstance(app.builder, StandaloneHTMLBuilder):
        site = site_of(app.env)
        titles = {name: app.env.titles[name].astext() for name in site.pages if name in app.env.titles}
        lines = [_OPENING.format(project=app.config.project, torch=site.torch)]
        for folder in dict.fromkeys(name.rpartition("/")[0] for name in titles):
            lines.append(f"\n## {folder.capitalize() or 'Start'}\n\n")
            lines += [f"- [{titles[name]}]({name}.md)\n" for name in titles if name.rpartition("/")[0] == folder]
        Path(app.outdir, INDEX).write_text("".join(lines), "utf-8")


def setup_markdown(app: Sphinx) -> None:
    app.setup_extension("sphinx_markdown_builder")
    app.setup_extension("myst_nb")
    app.add_node(HideCodeCellNode, override=True, markdown=unfolded()["markdown"])
    app.connect("html-page-context", write_page)
    app.connect("build-finished", _write_index)
