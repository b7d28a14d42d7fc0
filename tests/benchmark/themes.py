"""The themes that this site is compared with, and the plain pages that are built with each."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from benchmark.environments import python_of, version_in

_TOCTREE = re.compile(r"^:::\{toctree\}\n.*?^:::$", re.MULTILINE | re.DOTALL)

_SETTINGS = """\
project = "Autograd in Place"
extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence"]
html_theme = "{theme}"
"""

# As the theme's own instructions say; what they take from a repository on GitHub is left out.
_PYTORCH = """\
import os, pytorch_sphinx_theme2
templates_path = [os.path.join(os.path.dirname(pytorch_sphinx_theme2.__file__), "templates")]
html_context = {"theme_variables": pytorch_sphinx_theme2.get_theme_variables()}
html_theme_options = {"use_edit_page_button": False}
"""


@dataclass(frozen=True)
class Theme:
    """A theme in an environment of its own, which has stock Sphinx and MyST-Parser besides."""

    package: str
    settings: str = ""
    """What it needs in `conf.py` beside its name."""

    @property
    def python(self) -> Path:
        """The interpreter of its environment."""
        return python_of(self.package, (self.package, "myst-parser"))

    def __str__(self) -> str:
        return f"{self.package} {version_in(self.python, self.package)}"

    def build(self, pages: Path, folder: Path) -> Path:
        """Builds the pages in a folder of its own under `folder`, and returns where they are."""
        html, doctrees = folder / self.package, folder / f"{self.package}-doctrees"
        settings = _SETTINGS.format(theme=self.package.replace("-", "_")) + self.settings
        (pages / "conf.py").write_text(settings, "utf-8")
        command = [str(self.python), "-m", "sphinx", "-q", "-j", "auto", "-d", str(doctrees), str(pages), str(html)]
        subprocess.run(command, check=True, capture_output=True)
        return html


THEMES = (
    Theme("furo"),
    Theme("pydata-sphinx-theme"),
    Theme("sphinx-book-theme"),
    Theme("pytorch-sphinx-theme2", _PYTORCH),
)
"""The first is the theme that this site is made with."""


def write_plain(html: Path, docs: Path, folder: Path) -> None:
    """Writes the pages of this site so that any theme builds them: in the Markdown that the site offers of each.

    That has the text, the code and what the code gave; the tables of contents are taken from the sources.
    """
    for path in sorted(html.rglob("*.md")):
        name = path.relative_to(html)
        source = docs / name
        trees = _TOCTREE.findall(source.read_text("utf-8")) if source.exists() else []
        text = "\n\n".join([path.read_text("utf-8"), *map(_hidden, trees)])
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")


def _hidden(toctree: str) -> str:
    """The same table of contents, for the navigation alone: the page has its links already."""
    return toctree if ":hidden:" in toctree else toctree.replace("\n", "\n:hidden:\n", 1)
