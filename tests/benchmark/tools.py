"""The tools that are compared: what each has to be given, and the command that builds."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmark.environments import python_of
from benchmark.pages import write_markdown, write_notebooks

EXTENSIONS = Path(__file__).parents[2] / "docs" / "_ext"

_MYST = "myst_enable_extensions = ['colon_fence', 'deflist']"
_INDEX = "# Pages\n\n```{{toctree}}\n{names}\n```\n"
_SPHINX = ("-m", "sphinx", "-q", "-d", "doctrees", "pages", "html")


@dataclass(frozen=True)
class Tool:
    """One way to build executed pages."""

    name: str
    arguments: tuple[str, ...]
    """What follows the interpreter's name."""
    write: Callable[[Path, int], object]
    """Writes so many pages, and all settings, into a folder."""
    knows_myst: bool = True
    """Whether it can build pages in MyST-NB's Markdown as they are, and so the pages of this site."""
    packages: tuple[str, ...] = ()
    """What is installed for it, in an environment of its own; nothing for what the site's environment has."""

    @property
    def python(self) -> Path:
        """The interpreter of the tool's environment."""
        return python_of(self.name, self.packages) if self.packages else Path(sys.executable)


def write_kernel(folder: Path) -> None:
    """Writes a kernel specification, so that every tool runs cells with this Python and its torch."""
    kernel = folder / "kernels" / "python3"
    kernel.mkdir(parents=True, exist_ok=True)
    argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (kernel / "kernel.json").write_text(json.dumps({"argv": argv, "display_name": "Python 3", "language": "python"}))


def _sphinx(settings: str, write: Callable[[Path, int], list[str]]) -> Callable[[Path, int], None]:
    def write_all(folder: Path, number: int) -> None:
        pages = folder / "pages"
        pages.mkdir()
        names = write(pages, number)
        (pages / "index.md").write_text(_INDEX.format(names="\n".join(names)))
        (pages / "conf.py").write_text(f"project = 'Pages'\nhtml_theme = 'furo'\n{settings}\n{_MYST}\n")

    return write_all


def _jupyter_book(folder: Path, number: int) -> None:
    pages = folder / "pages"
    pages.mkdir()
    names = write_markdown(pages, number)
    (pages / "index.md").write_text("# Pages\n")
    (pages / "_config.yml").write_text("title: Pages\nexecute:\n  execute_notebooks: force\n")
    chapters = "".join(f"  - file: {name}\n" for name in names)
    (pages / "_toc.yml").write_text(f"format: jb-book\nroot: index\nchapters:\n{chapters}")


def _mkdocs(folder: Path, number: int) -> None:
    pages = folder / "pages"
    pages.mkdir()
    write_notebooks(pages, number)
    (pages / "index.md").write_text("# Pages\n")
    plugin = "plugins:\n  - mkdocs-jupyter:\n      execute: true\n"
    (folder / "mkdocs.yml").write_text(f"site_name: Pages\ndocs_dir: pages\nsite_dir: html\n{plugin}")


# Cells that raise must not end a page, and this site's own words must not end the build.
STOCK = "extensions = ['myst_nb']\nnb_execution_mode = 'force'\nnb_execution_allow_errors = True"
OURS = f"""
import sys; sys.path.insert(0, {str(EXTENSIONS)!r})
extensions = ['myst_nb', 'render']
primary_domain = 'err'
proof_examples = {str(EXTENSIONS.parents[1] / "examples")!r}
"""
NBSPHINX = "extensions = ['nbsphinx', 'myst_parser']\nnbsphinx_execute = 'always'"

# nbsphinx wants pandoc on the path, and jupyter-book has no module to run.
_NBSPHINX_MAIN = """
import os, pypandoc
os.environ["PATH"] += os.pathsep + os.path.dirname(pypandoc.get_pandoc_path())
from sphinx.cmd.build import main
raise SystemExit(main(["-q", "-d", "doctrees", "pages", "html"]))
"""
_BOOK_MAIN = "from jupyter_book.cli.main import main; main()"
_NBSPHINX_PACKAGES = ("nbsphinx", "myst-parser", "furo", "ipykernel", "pypandoc-binary")

TOOLS = (
    Tool("this site", _SPHINX, _sphinx(OURS, write_markdown)),
    Tool("MyST-NB", _SPHINX, _sphinx(STOCK, write_markdown)),
    Tool("MyST-NB -j 2", (*_SPHINX[:3], "-j", "2", *_SPHINX[3:]), _sphinx(STOCK, write_markdown)),
    Tool("nbsphinx", ("-c", _NBSPHINX_MAIN), _sphinx(NBSPHINX, write_notebooks), False, _NBSPHINX_PACKAGES),
    Tool("jupyter-book 1", ("-c", _BOOK_MAIN, "build", "-q", "pages"), _jupyter_book, False, ("jupyter-book<2",)),
    Tool("mkdocs-jupyter", ("-m", "mkdocs", "build", "-q"), _mkdocs, False, ("mkdocs-jupyter", "ipykernel")),
)
"""The first is this site's; mystmd is not among them, since it fetches its theme while it builds."""
