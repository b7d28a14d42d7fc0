"""`:table:` on a cell: its value, a list of rows, is shown as a table; `_static/table.js` sorts and filters it."""

import re
from collections.abc import Iterator, Mapping

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.writers.html5 import HTML5Translator

from proof.front_matter import ErrorEntry
from proof.table import Row, TableError, read_rows
from render.errors import error_link
from render.folds import left_out
from render.site import site_of

SCRIPT, CLASS = "table.js", "measured"

_FILTER = '<label class="measured-filter">Show rows with <input type="search"><span role="status"></span></label>\n'
_WORDS = {True: "yes", False: "no", None: "–"}
_CODE = re.compile(r"`([^`]+)`")
_RAISED = re.compile(r"(\w+): (.+)", re.DOTALL)


class row_filter(nodes.General, nodes.Element):
    """The field that shows the rows with certain words; on the page from the start, or the table would jump."""


class ShowTables(SphinxTransform):
    """Replaces the value of each cell that is a table."""

    default_priority = 480  # after MyST-NB has put the outputs in, before proofs are folded

    def apply(self, **kwargs: object) -> None:
        site = site_of(self.env)
        verdict = site.verdicts.get(self.env.docname)
        captions = {check.cell.index: check.cell.table for check in verdict.checks} if verdict else {}
        for container in list(self.document.findall(nodes.container)):
            if container.get("nb_element") == "cell_code" and (caption := captions.get(container["cell_index"])):
                self._show(container, caption, site.errors)

    def _show(self, container: nodes.container, caption: str, errors: Mapping[str, ErrorEntry]) -> None:
        for output in container.findall(nodes.container):
            if output.get("nb_element") != "cell_code_output":
                continue
            for block in list(output.findall(nodes.literal_block)):
                try:
                    rows = read_rows(block.astext())
                except TableError:
                    continue  # what the cell printed beside; a value that is no table was reported
                parts = self._table(rows, caption, errors)
                self.document.note_implicit_target(parts[-1])  # Sphinx wants to be able to number it
                block.replace_self(parts)

    def _table(self, rows: list[Row], caption: str, errors: Mapping[str, ErrorEntry]) -> list[nodes.Element]:
        cells = [[self._cell(value, errors) for value in row.values()] for row in rows]
        return measured(list(rows[0]), cells, caption)

    def _cell(self, value: str | float | None, errors: Mapping[str, ErrorEntry]) -> nodes.entry:
        if value is None or isinstance(value, bool):
            return entry_of([nodes.Text(_WORDS[value])])
        if not isinstance(value, str):
            return entry_of([nodes.Text(f"{value:,}")], ["number"])
        if (raised := _RAISED.fullmatch(value)) and (id_ := _which(raised[1], raised[2], errors)):
            link = error_link(id_, id_)  # the page's title would make the column as wide as all others
            link["refdoc"] = self.env.docname
            return entry_of([nodes.Text("raises "), link])
        return entry_of(list(_inline(value)))


def _which(type_: str, text: str, errors: Mapping[str, ErrorEntry]) -> str:
    """The id of the message that a value of a table is, or nothing."""
    return next((id_ for id_, entry in errors.items() if entry.message.holes(type_, text) is not None), "")


def _inline(text: str) -> Iterator[nodes.Node]:
    """Yields the text; what stands between backticks is code."""
    for number, part in enumerate(_CODE.split(text)):
        if part:
            yield nodes.literal("", part) if number % 2 else nodes.Text(part)


def measured(names: list[str], rows: list[list[nodes.entry]], caption: str, kind: str = "") -> list[nodes.Element]:
    """Returns a table that can be sorted and filtered, and before it the field that filters it."""
    head = nodes.row("", *(entry_of([nodes.Text(name)]) for name in names))
    columns = [nodes.colspec(colwidth=1) for _ in names]
    body = nodes.tbody("", *(nodes.row("", *row) for row in rows))
    group = nodes.tgroup("", *columns, nodes.thead("", head), body, cols=len(names))
    table = nodes.table("", nodes.title("", "", *_inline(caption)), group, classes=[CLASS, *kind.split()])
    return [row_filter(""), table]


def entry_of(inline: list[nodes.Node], classes: list[str] | None = None) -> nodes.entry:
    """Returns a cell of a table."""
    return nodes.entry("", nodes.paragraph("", "", *inline), classes=classes or [])


def _add_script(
    app: Sphinx, name: str, template: str, context: dict[str, object], doctree: nodes.document | None
) -> None:
    """Only the pages that have such a table load the script."""
    if doctree is not None and any(CLASS in table["classes"] for table in doctree.findall(nodes.table)):
        app.add_js_file(SCRIPT, loading_method="defer")


def _visit_filter(self: HTML5Translator, node: row_filter) -> None:
    self.body.append(_FILTER)
    raise nodes.SkipNode


def setup_tables(app: Sphinx) -> None:
    app.add_node(row_filter, html=(_visit_filter, None), **left_out())
    app.add_transform(ShowTables)
    app.connect("html-page-context", _add_script)
