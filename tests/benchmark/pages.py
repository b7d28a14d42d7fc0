"""The pages that every tool builds."""

import shutil
from pathlib import Path

import nbformat

from proof.reader import read_page

DOCS = Path(__file__).parents[2] / "docs"
FOLDERS = ("guide", "questions", "howto", "errors")

SITE = 0
"""Stands for the pages of this site, in place of a number of generated pages."""

CELLS = (
    "import torch\nx = torch.tensor([{number}.0, 2.0], requires_grad=True)\nx",
    "out = torch.empty(2)\nout[0], out[1] = x[0] * 3, x[1] * 5\nout",
    "out.sum().backward()\nx.grad",
    "assert x.grad.tolist() == [3.0, 5.0]\nassert not out.is_leaf",
    "with torch.no_grad():\n    x -= 0.5 * x.grad\nprint(x.tolist())",
    "opt = torch.optim.SGD([x], lr=0.1)\nopt.step()\nx.is_leaf",
)


def write_site(folder: Path) -> list[str]:
    """Writes the pages of this site that have cells, and returns their names."""
    names = []
    for path in sorted(DOCS.rglob("*.md")):
        name = path.relative_to(DOCS).with_suffix("")
        if name.parts[0] in FOLDERS and name.name != "index":
            (folder / name).parent.mkdir(exist_ok=True)
            shutil.copy(path, folder / f"{name}.md")
            names.append(name.as_posix())
    return names


def write_markdown(folder: Path, number: int) -> list[str]:
    """Writes `number` pages as MyST-NB notebooks in Markdown, and returns their names; the site's own for SITE."""
    if number == SITE:
        return write_site(folder)
    names = [f"page{index}" for index in range(number)]
    for index, name in enumerate(names):
        cells = "\n".join(
            f"Sentence {place} of page {index}.\n\n```{{code-cell}} python\n{cell.format(number=index)}\n```\n"
            for place, cell in enumerate(CELLS)
        )
        text = f"---\nfile_format: mystnb\nkernelspec:\n  name: python3\n---\n\n# Page {index}\n\n{cells}"
        (folder / f"{name}.md").write_text(text)
    return names


def write_notebooks(folder: Path, number: int) -> list[str]:
    """Writes the same pages as Jupyter notebooks without outputs, and returns their names."""
    names = write_markdown(folder, number)
    for name in names:
        path = folder / f"{name}.md"
        notebook = read_page(path, path.name).notebook
        assert notebook is not None
        notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
        nbformat.write(notebook, path.with_suffix(".ipynb"))
        path.unlink()
    return names
