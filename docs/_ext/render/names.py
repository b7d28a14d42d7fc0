"""Links the names of PyTorch in the code of a page to where PyTorch documents them.

The installed torch says which names there are, so nothing is fetched for it.
"""

import re
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform

from names.infer import mentions
from names.known import KnownError, list_names, read_names
from names.values import Scope
from proof.run import torch_version
from render.versions import Stop

Link = tuple[int, int, str]
"""The characters of a piece of code between which a link stands, and its address."""

_CELL = "ipython3"
"""The language of cells, as MyST-NB says it."""

_TOKEN = re.compile(r"(<span[^>]*>)?([^<]*)(</span>)?")
_CHARACTER = re.compile(r"&[#\w]+;|.", re.DOTALL)


class FindNames(SphinxTransform):
    """Finds in each cell, and in each other block of Python, the names that PyTorch documents: each once a block."""

    default_priority = 900

    def apply(self, **kwargs: object) -> None:
        blocks = [block for block in self.document.findall(nodes.literal_block) if _is_python(block)]
        if not blocks or not self.config.torch_docs:
            return
        file = list_names(_folder(self.config))
        self.env.note_dependency(str(file))  # which is another one with another torch
        known, scope = read_names(file), Scope()
        for block in blocks:
            links: dict[str, Link] = {}
            code = block.astext().lstrip("\n")  # as Pygments begins
            for found in mentions(code, scope if block["language"] == _CELL else {**scope}, known):
                links.setdefault(found.name, (found.begin, found.end, known.pages[found.name]))
            block["links"] = list(links.values())


def _is_python(block: nodes.literal_block) -> bool:
    """Whether a block is a page's own code: what is shown of torch has the numbers of its lines."""
    return block.get("language") in (_CELL, "python") and not block.get("linenos")


def _folder(config: Config) -> Path:
    return Path(config.nb_execution_cache_path).parent


def _list(app: Sphinx, env: BuildEnvironment, names: list[str]) -> None:
    """Asks torch for its names once, before pages are read side by side."""
    try:
        if names and app.config.torch_docs:
            list_names(_folder(app.config))
    except KnownError as error:
        raise Stop(str(error)) from error


def link_names(html: str, block: nodes.literal_block, config: Config) -> str:
    """Returns a highlighted block with what has been found in it linked."""
    if not block.get("links"):
        return html
    return linked(html, block["links"], config.torch_docs.format(version=_documented(torch_version())))


def _documented(version: str) -> str:
    """Returns the name under which PyTorch publishes the documentation of a version.

    >>> _documented("2.13.1"), _documented("2.16.0.dev20261130")
    ('2.13', 'main')
    """
    return "main" if "dev" in version else ".".join(version.split(".")[:2])


def linked(html: str, links: list[Link], base: str) -> str:
    """Returns a highlighted block with links in it; `base` is the address below which theirs are.

    Inside a link nothing is highlighted: that would be three elements for the colour of a dot.
    """
    head, begin, rest = html.partition("<span></span>")
    code, end, tail = rest.partition("</pre>")
    opening = {first: f'<a href="{base}{address}">' for first, _, address in links}
    closing = {last for _, last, _ in links}
    parts: list[str] = []
    place, inside = 0, False
    for token in _TOKEN.finditer(code):
        span, text, close = (group or "" for group in token.groups())
        part = ""
        for character in _CHARACTER.findall(text):
            if place in opening or place in closing:
                parts.append(part if inside or not part else f"{span}{part}{close}")
                parts.append(("</a>" if inside else "") + opening.get(place, ""))
                part, inside = "", place in opening
            part += character
            place += 1
        parts.append(part if inside or not part else f"{span}{part}{close}")
    parts.append("</a>" if inside else "")
    return head + begin + "".join(parts) + end + tail


def setup_names(app: Sphinx) -> None:
    app.add_config_value("torch_docs", "", "env", str, "Where PyTorch's documentation is, with {version} in it.")
    app.add_transform(FindNames)
    app.connect("env-before-read-docs", _list)
