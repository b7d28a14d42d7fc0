"""What one page does no other page sees."""

from pathlib import Path

import pytest
from running import page_of

from proof.run import run_pages

CHANGES = {
    "grad mode": ("torch.set_grad_enabled(False)", "torch.is_grad_enabled()", "True"),
    "default dtype": ("torch.set_default_dtype(torch.float64)", "torch.get_default_dtype()", "torch.float32"),
    "torch's seed": ("torch.manual_seed(7)", "torch.initial_seed()", "0"),
    "Python's seed": ("import random\nrandom.seed(7)", "import random\nrandom.random()", "0.8444218515250481"),
    "hooks": (
        "torch.nn.modules.module.register_module_forward_hook(print)",
        "len(torch.nn.modules.module._global_forward_hooks)",
        "0",
    ),
    "warning filters": (
        "import warnings\nwarnings.simplefilter('error', BytesWarning)",
        "import warnings\nwarnings.filters[0][2] is BytesWarning",
        "False",
    ),
    "environment": ("import os\nos.environ['PAGE'] = 'one'", "import os\nos.environ.get('PAGE', 'none')", "'none'"),
    "working directory": ("import os\nos.chdir('/')", "import os\nos.getcwd() == '/'", "False"),
    "files": ("open('file', 'w').close()", "import os\nos.listdir()", "[]"),
    "modules": ("import sys\nsys.modules['page_one'] = 1", "import sys\n'page_one' in sys.modules", "False"),
    "names": ("name = 1", "'name' in globals()", "False"),
    "torch's functions": ("torch.ones = None", "torch.ones(1)", "tensor([1.])"),
    "anomaly mode": ("torch.autograd.set_detect_anomaly(True)", "torch.is_anomaly_enabled()", "False"),
    "threads": ("torch.set_num_threads(4)", "torch.get_num_threads()", "1"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_isolated(tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that runs after one which changed this finds it as it was at the beginning."""
    monkeypatch.setattr("proof.forked.os.cpu_count", lambda: 1)  # one after the other, in the order of the pages
    change, look, expected = CHANGES[what]
    pages = {
        "one": page_of(tmp_path, f"import torch\n{change}", name="one"),
        "two": page_of(tmp_path, f"import torch\n{look}", name="two"),
    }

    notebooks = dict(run_pages(pages, tmp_path / "docs", tmp_path / "examples"))

    assert list(notebooks) == ["one", "two"]
    assert not any(output.output_type == "error" for output in notebooks["one"].cells[1].outputs)
    assert notebooks["two"].cells[1].outputs[0].data["text/plain"] == expected
