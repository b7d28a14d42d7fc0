"""Names of PyTorch in code lead to where PyTorch documents them."""

import re
import subprocess
import sys
import threading
import zlib
from collections.abc import Iterator
from functools import partial
from html import unescape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from sphinx.highlighting import PygmentsBridge
from tiny_site import DOCS

from names.infer import mentions
from names.known import EXTENSIONS, Known, list_names, read_names
from names.values import Scope, Thing
from proof.book import names_of, read_book
from render.names import linked

BEFORE = """import torch
import numpy as np
from torch import nn
import torch.nn.functional as F
x = torch.ones(3, requires_grad=True)
"""
TENSOR = "generated/torch.Tensor.{}.html"


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Known:
    """What the installed torch says of its names."""
    return read_names(list_names(tmp_path_factory.mktemp("names")))


def spoken(code: str, known: Known) -> list[tuple[str, str]]:
    """What some code links, read after `BEFORE`, and where each leads."""
    scope: Scope = {}
    mentions(BEFORE, scope, known)
    return [(code[found.begin : found.end], known.pages[found.name]) for found in mentions(code, scope, known)]


@pytest.mark.parametrize(
    ("code", "expected"),
    {
        "torch.no_grad()": [("torch.no_grad", "generated/torch.no_grad.html")],
        "F.relu(w)": [("F.relu", "generated/torch.nn.functional.relu.html")],
        "from torch.func import vmap as many": [("vmap", "generated/torch.vmap.html")],
        "nn.Parameter(x)": [("nn.Parameter", "generated/torch.nn.parameter.Parameter.html")],
        "torch.inference_mode": [
            ("torch.inference_mode", "generated/torch.autograd.grad_mode.inference_mode.html"),
        ],
        "torch.autograd.Function": [("torch.autograd.Function", "autograd.html#torch.autograd.Function")],
        "x.add_(1)": [("add_", TENSOR.format("add_"))],
        "x += 1; x.to(1)": [("to", TENSOR.format("to"))],
        "x.grad += 1": [("grad", TENSOR.format("grad"))],
        "x.T": [("T", "tensors.html#torch.Tensor.T")],
        "(x * 2).sum()": [("sum", TENSOR.format("sum"))],
        "x[0].detach().clone()": [("detach", TENSOR.format("detach")), ("clone", TENSOR.format("clone"))],
        "y, z = x * 2, 1; y.sum()": [("sum", TENSOR.format("sum"))],
        "x.grad_fn.register_hook(print)": [
            ("register_hook", "generated/torch.autograd.graph.Node.register_hook.html"),
        ],
        "def f(y: torch.Tensor): y.split(1)": [
            ("torch.Tensor", "tensors.html#torch.Tensor"),
            ("split", TENSOR.format("split")),
        ],
        "[p.detach_() for p in things]": [("detach_", TENSOR.format("detach_"))],
        "s = torch.optim.SGD([x]); s.step(); s.zero_grad()": [
            ("torch.optim.SGD", "generated/torch.optim.SGD.html"),
            ("step", "generated/torch.optim.SGD.html#torch.optim.SGD.step"),
            ("zero_grad", "generated/torch.optim.Optimizer.zero_grad.html"),
        ],
        "nn.Linear(1, 1).zero_grad()": [
            ("nn.Linear", "generated/torch.nn.Linear.html"),
            ("zero_grad", "generated/torch.nn.Module.html#torch.nn.Module.zero_grad"),
        ],
        "class Net(nn.Module):\n    def f(self): self.to(1)": [
            ("nn.Module", "generated/torch.nn.Module.html"),
            ("to", "generated/torch.nn.Module.html#torch.nn.Module.to"),
        ],
        "class Double(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx): ctx.mark_dirty()": [
            ("torch.autograd.Function", "autograd.html#torch.autograd.Function"),
            ("mark_dirty", "generated/torch.autograd.function.FunctionCtx.mark_dirty.html"),
        ],
        "x.numpy().sum()": [("numpy", TENSOR.format("numpy"))],
    }.items(),
)
def test_speaks_of(code: str, expected: list[tuple[str, str]], known: Known) -> None:
    """A name is found under whatever it was imported as, and an attribute by what it belongs to."""
    assert spoken(code, known) == expected


@pytest.mark.parametrize(
    "code",
    [
        "torch",
        "torch.nn",
        "torch.no_such_thing",
        "x._version",
        "x.grad_dtype",
        "x = 'a text now'; x.view",
        "thing.split(1)",
        "thing.requires_grad_()",
        "'a'.split()",
        "np.exp(1).sum()",
        "class Own:\n    def sum(self): return self.value.sum()\nOwn().sum()",
        "import multiprocessing\nmultiprocessing.get_context('fork').SimpleQueue().all()",
        "%timeit torch.ones(1)",
        "torch.ones(",
        "",
    ],
)
def test_speaks_of_nothing(code: str, known: Known) -> None:
    """Nothing is linked that is not PyTorch's, that it does not document, or that could be something else."""
    assert spoken(code, known) == []


def text_of(html: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "", html))


def check_links(code: str, scope: Scope, known: Known) -> int:
    """Links some code, compares it with what Sphinx writes, and returns how many links there are."""
    html = PygmentsBridge("html", "default").highlight_block(code, "ipython3")
    found = mentions(code, scope, known)
    new = linked(html, [(item.begin, item.end, item.name) for item in found], "https://example.org/")

    assert text_of(new) == text_of(html)
    assert [text_of(text) for text in re.findall(r"<a [^>]*>(.*?)</a>", new)] == [code[f.begin : f.end] for f in found]
    return len(found)


@pytest.mark.parametrize(
    "code",
    [
        "@torch.no_grad()\ndef f(): ...\n",
        "été = torch.ones(1); été.add_(1)  # ü\n",
        "torch.ones(1) < torch.zeros(1)  # \"'&<b>\n",
        "f'{torch.ones(1)}'\n",
        "torch.ones",
    ],
)
def test_links_change_no_text(code: str, known: Known) -> None:
    """Without its links a block is what Sphinx wrote, and each link has the text of its name."""
    assert check_links(code, {"torch": Thing("torch")}, known)


def test_cells_of_the_site(known: Known) -> None:
    """That holds for all cells of the site, too, and most of them speak of PyTorch."""
    cells = linked_cells = 0
    for page in read_book(DOCS, names_of(DOCS)).pages.values():
        scope: Scope = {}
        for cell in page.cells:
            cells += 1
            linked_cells += bool(check_links(cell.source, scope, known))

    assert linked_cells > cells / 2


@pytest.fixture
def documentation(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """PyTorch's documentation, as far as its inventory tells of it, and a built site that links into it."""
    items = {
        "torch.ones": "py:function 1 generated/torch.ones.html#$",
        "torch.Tensor": "py:class 1 tensors.html#$",
        "autograd": "std:doc -1 notes/autograd.html",
    }
    head = b"# Sphinx inventory version 2\n# Project: T\n# Version: 1\n# Compressed with zlib.\n"
    lines = "".join(f"{name} {rest} -\n" for name, rest in items.items())
    (tmp_path / "docs" / "2.13").mkdir(parents=True)
    (tmp_path / "docs" / "2.13" / "objects.inv").write_bytes(head + zlib.compress(lines.encode()))
    (tmp_path / "html").mkdir()
    handler = partial(SimpleHTTPRequestHandler, directory=tmp_path)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}/docs/", tmp_path / "html"
        server.shutdown()


@pytest.mark.parametrize(
    ("link", "said"),
    {
        "2.13/generated/torch.ones.html": "all are there",
        "2.13/tensors.html#torch.Tensor": "all are there",
        "2.13/notes/autograd.html#in-place": "all are there",
        "2.13/generated/torch.twos.html": "there is no such page",
        "2.13/tensors.html#torch.Tensor.put": "the page has no such name",
        "": "is it built?",
    }.items(),
)
def test_links_are_compared(link: str, said: str, documentation: tuple[str, Path]) -> None:
    """`nox -s links` passes links that the inventory has, and names those that it has not."""
    address, html = documentation
    (html / "page.html").write_text(f'<a href="{address}{link}">' if link else "no link")
    command = [sys.executable, "-m", "names.links", str(html), "--docs", address]
    done = subprocess.run(command, cwd=EXTENSIONS, capture_output=True, text=True)

    assert said in done.stdout + done.stderr
    assert done.returncode == (0 if "all are there" in said else 1)
