"""A traceback made short, its message set off; and the link from an expected error to its page."""

import re
from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

from proof.page import Cell
from render.errors import error_link
from render.site import site_of

_FRAME = re.compile(r"^  (Cell In\[\d+\]|File )")
_STEP = re.compile(rf"{_FRAME.pattern}|^  …$")


def short_traceback(text: str) -> str:
    """Returns a traceback without the frames that lie outside the page's cells."""
    kept: list[str] = []
    inside, left_out = True, False
    for line in text.splitlines():
        frame = _FRAME.match(line)
        if frame or not line.startswith("    "):
            inside = frame is None or frame[1] != "File "
            if inside and left_out and line.strip():
                kept.append("  …")
            left_out = (left_out and not line.strip()) or not inside
        if inside and line.strip():
            kept.append(line)
    return "\n".join(kept)


def parted(short: str) -> tuple[str, str]:
    """Returns a shortened traceback as the way to the last error, and that error's message with its type."""
    lines = short.splitlines(keepends=True)
    last = max((number for number, line in enumerate(lines) if _STEP.match(line)), default=-1)
    first = next((n for n, line in enumerate(lines) if n > last and not line.startswith("    ")), 0)
    return "".join(lines[:first]), "".join(lines[first:])


class ShortenOutputs(SphinxTransform):
    """Shortens tracebacks, and links each expected error and warning to its page."""

    default_priority = 490

    def apply(self, **kwargs: object) -> None:
        site = site_of(self.env)
        verdict = site.verdicts.get(self.env.docname)
        cells = {check.cell.index: check.cell for check in verdict.checks} if verdict else {}
        for container in list(self.document.findall(nodes.container)):
            if container.get("nb_element") == "cell_code":
                self._shorten(container)
                if cell := cells.get(container["cell_index"]):
                    container += list(self._links(cell))

    def _shorten(self, container: nodes.container) -> None:
        for block in container.findall(nodes.literal_block):
            if "traceback" in block["classes"]:
                way, message = parted(short_traceback(block.astext()))
                block.clear()
                block.rawsource = ""  # or Sphinx would highlight the text, and lose what is set off in it
                block += [nodes.Text(way), nodes.inline("", message, classes=["raised"])]
                block["language"] = "text"

    def _links(self, cell: Cell) -> Iterator[nodes.paragraph]:
        pages = site_of(self.env).error_pages
        for id_ in filter(None, (cell.raises, *cell.warns)):
            if pages.get(id_, self.env.docname) != self.env.docname:
                link = error_link(id_)
                link["refdoc"] = self.env.docname
                classes = ["error-link", *(["of-warning"] if id_ != cell.raises else [])]
                yield nodes.paragraph("", "", nodes.Text("About this message: "), link, classes=classes)


def setup_outputs(app: Sphinx) -> None:
    app.add_transform(ShortenOutputs)
