"""The small changes that a page's claims should notice, and the report on those that they did not."""

from pathlib import Path

import pytest
from running import page_of

from proof.book import Book
from proof.mutants import mutants_of, report, sample, survivors
from proof.mutate import edits


@pytest.mark.parametrize(
    ("source", "changed", "what"),
    [
        ("x.add_(1)", "x.add(1)", "in place made out of place"),
        ("y = x.mul(2)", "y = x.mul_(2)", "out of place made in place"),
        ("x += 1", "x = x + (1)", "in place made out of place"),
        ("x = torch.ones(2, requires_grad=True)", "x = torch.ones(2, requires_grad=False)", "requires_grad flipped"),
        ("x.requires_grad = True", "x.requires_grad = False", "requires_grad flipped"),
        ("y.requires_grad_()", "y", "requires_grad_ removed"),
        ("with torch.no_grad():\n    x.zero_()", "if True:\n    x.zero_()", "no_grad removed"),
        ("x.zero_()", "with torch.no_grad(): x.zero_()", "no_grad added"),
        ("out[0] = x", "with torch.no_grad(): out[0] = x", "no_grad added"),
        ("y = x.detach()", "y = x", "detach removed"),
        ("y = x * 2", "y = (x * 2).detach()", "detach added"),
        ("y = x.clone()", "y = x", "clone removed"),
        ("y = x[0]", "y = x[0].clone()", "clone added"),
        ("y.retain_grad()", "y", "retain_grad removed"),
        ("y.sum().backward()", "pass", "statement removed"),
        ("for i in range(3):\n    f(i)", "pass", "statement removed"),
        ("y = x[0]", "y = x[1]", "index changed"),
        ("y = x[1:3]", "y = x[2:3]", "index changed"),
        ("assert x.grad is None", "assert x.grad is not None", "comparison turned round"),
        ("assert 1 < x <= 3", "assert 1 < x > 3", "comparison turned round"),
        ("é = x[0]", "é = x[1]", "index changed"),
    ],
)
def test_edit(source: str, changed: str, what: str) -> None:
    """This change is among those that are made."""
    assert (changed, what) in [(edit.apply(source), edit.what) for edit in edits(source)]


@pytest.mark.parametrize(
    "source",
    [
        "import torch",
        "x",
        "x.grad",
        "print(x)",
        "assert x",
        "this is no Python",
        "x.backward",
        "f'{x}'",
        "y = 1",
        "def f():\n    return 1",
    ],
)
def test_what_only_shows_is_left_alone(source: str) -> None:
    """What a cell shows, asserts or imports is not changed: no claim could notice, or none could not."""
    kinds = {edit.what for edit in edits(source)}

    assert kinds <= {"statement removed"}
    assert not kinds or source == "y = 1"


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("with torch.no_grad():\n    x.zero_()", "no_grad added"),
        ("with torch.no_grad():\n    y = x * 2", "detach added"),
        ("y = x.detach()", "detach added"),
        ("y = torch.zeros(2)", "detach added"),
        ("super().__init__()", "no_grad added"),
        ("x.requires_grad_()", "no_grad added"),
        ("opt.defaults['fused'] = True", "no_grad added"),
        ("torch.nn.init.zeros_(x)", "no_grad added"),
        ("y = x[[0, 2]]", "clone added"),
        ("y = x[x > 1]", "clone added"),
    ],
)
def test_what_changes_nothing_is_not_tried(source: str, what: str) -> None:
    """No page could notice that these have been added."""
    assert what not in {edit.what for edit in edits(source)}


def test_survivor(tmp_path: Path) -> None:
    """A change that a claim notices does not survive; one that none notices does, and is shown with its place."""
    page = page_of(tmp_path, "x = [1, 2]\ny = [3]\nassert x[0] == 1")
    mutants = list(mutants_of("page", page))

    alive = survivors(mutants, Book({"page": page}, {}), tmp_path / "docs", tmp_path / "examples")

    assert [mutant.edit.what for mutant in mutants].count("statement removed") == 2
    assert [str(mutant) for mutant in alive] == ["docs/page.md:10: statement removed\n    - y = [3]\n    + pass"]


@pytest.mark.parametrize(
    ("exempt", "well", "said"),
    [
        ({}, False, "docs/page.md:10: statement removed"),
        ({"page": {"y = [3] => pass": "y is not used"}}, True, "0 survivors without a reason"),
        (
            {"page": {"y = [3] => pass": "y is not used", "gone => pass": "old"}},
            False,
            "not needed any more: gone => pass",
        ),
    ],
)
def test_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], exempt: dict[str, dict[str, str]], well: bool, said: str
) -> None:
    """A survivor needs a reason, and a reason needs a survivor."""
    page = page_of(tmp_path, "x = [1, 2]\ny = [3]\n" + "assert x[0] == 1\n" * 10)
    mutants = list(mutants_of("page", page))
    alive = [mutant for mutant in mutants if mutant.change == ("y = [3]", "pass")]

    assert report(mutants, alive, exempt) is well
    assert said in capsys.readouterr().out


def test_sample(tmp_path: Path) -> None:
    """A sample is each Nth change, all of them for N = 1, and the same one as long as the page is the same."""
    page = page_of(tmp_path, "x = 1\ny = x + 2\nassert y == 3\nassert x < y")
    everything = [mutant.change for mutant in mutants_of("page", page)]

    assert [mutant.change for mutant in sample("page", page, 1)] == everything
    some = [mutant.change for mutant in sample("page", page, 3)]
    assert len(everything) // 3 <= len(some) <= len(everything) // 3 + 1
    assert some == [mutant.change for mutant in sample("page", page, 3)]
    assert set(some) <= set(everything)
