"""What the words that an author types become on a page."""

import json
import re
from collections.abc import Callable

import jsonschema
import pytest
from sphinx.util.inventory import InventoryFile
from tiny_site import DOCS, Built

from proof.verdict import Verdict
from render.progress import Progress


@pytest.fixture
def good(build: Callable[..., Built]) -> Built:
    """The site on which nothing is wrong."""
    built = build("good")
    assert built.warnings == ""
    assert built.status == 0
    return built


def test_claim_is_running_text(good: Built) -> None:
    """A claim is a paragraph with the permanent link to it, which names the torch, and its markup works."""
    html = good.html("index")

    assert re.search(
        r'<div class="claim" id="claim-one-letter">\s*<p>A letter is <em>one</em> letter, see '
        r'<a class="reference internal" href="division.html#error-division">'
        r'<span class="err">Division by zero</span></a>\.'
        r'<a class="tick" href="#claim-one-letter" title="Link to this claim, checked on torch [\d.]+; '
        r'not replayed on other releases since it last changed"',
        html,
    )


def test_proof_is_folded(good: Built) -> None:
    """The proof stands in a details element, open where the author asks for it."""
    html = good.html("index")

    assert re.findall(r'<details class="proof"( open)?>', html) == [" open", ""]
    assert html.index("one-letter") < html.index('<details class="proof" open>') < html.index("zero-divides-nothing")


def test_expected_error_is_short(good: Built) -> None:
    """An expected exception shows as its last lines, and is linked to its page."""
    html = re.sub(r"<[^>]+>", "", good.html("index"))

    assert (
        "Traceback (most recent call last):\n  Cell In[2], line 1\n    1 / 0\nZeroDivisionError: division by zero"
        in html
    )
    assert "About this message: Division by zero" in html


def test_error_page_shows_message(good: Built) -> None:
    """The message stands below the title, what differs from case to case in italics."""
    html = good.html("division")

    message = '<p class="message" id="error-division"><strong>ZeroDivisionError</strong>: <em>kind</em> by zero</p>'
    assert re.sub(r"\s+", " ", html.replace("</h1>", "</h1> ")).count(message) == 1
    assert "About this message" not in html


def test_table(good: Built) -> None:
    """A cell's rows stand as a table: code as code, a message as a link to its page, words for True, False and None."""
    html = re.sub(r"\s+", " ", good.html("index"))

    assert re.search('<span class="caption-text">Some <code[^>]*><span class="pre">sums</span></code></span>', html)
    table = html[html.index("<table") : html.index("</table>")]
    rows = [re.findall(r"<t[hd][^>]*><p>(.*?)</p></t[hd]>", row) for row in table.split("</tr>")]
    link = '<a class="reference internal" href="division.html#error-division">'
    assert rows[0] == ["sum", "is", "even", "refuses"]
    assert [re.sub("<[^>]+>", "", cell) for cell in rows[1]] == ["1 + 1", "2", "yes", "–"]
    assert rows[1][0].startswith("<code")
    assert rows[2][1:3] == ["–", "no"]
    assert rows[2][3].startswith(f"raises {link}")
    assert re.sub("<[^>]+>", "", rows[2][3]) == "raises division"
    assert "table.js" in html
    assert "table.js" not in good.html("division")


def test_claim_role(good: Built) -> None:
    """`{claim}` links a claim."""
    assert '<a class="reference internal" href="#claim-one-letter">' in good.html("index")


def test_ledger_and_index(good: Built) -> None:
    """The ledger holds every claim with the torch it was checked on, the index the messages of its pages."""
    html = good.html("ledger")

    assert re.search(r"<p>2 claims, checked on torch [\d.]+\.</p>", html)
    assert re.findall(r'href="(index.html#claim-[\w-]+)"', html) == [
        "index.html#claim-one-letter",
        "index.html#claim-zero-divides-nothing",
    ]
    assert "the value <em>value</em> is odd" in html
    assert '<p><a class="reference internal" href="odd.html">An odd value</a></p>' in html


def test_ledger_follows_other_pages(good: Built, build: Callable[..., Built]) -> None:
    """When a claim of another page changes, the ledger is written anew."""
    page = good.source / "index.md"
    page.write_text(page.read_text().replace("A letter is *one* letter", "One letter is *one* letter"))

    assert "One letter is <em>one</em> letter" in build("good").html("ledger")


@pytest.mark.parametrize(
    ("of", "claims"), [("", 2), ("in", 2), ("ledger", 0), ("nowhere/", 0)], ids=["all", "start", "toctree", "nothing"]
)
def test_ledger_of_some_pages(good: Built, build: Callable[..., Built], of: str, claims: int) -> None:
    """A ledger takes the claims of pages by how their names start or from a `toctree`; with none it says so."""
    page = good.source / "ledger.md"
    page.write_text(page.read_text().replace("{claim-ledger}", f"{{claim-ledger}} {of}"))
    built = build("good", fail_on_warning=False)

    assert len(re.findall(r'href="index.html#claim-', built.html("ledger"))) == claims
    warning = f"ledger.md: WARNING: claim-ledger: no page of '{of}' has a claim\n"
    assert built.warnings == ("" if claims else warning)


def test_inventory(good: Built) -> None:
    """Claims and errors can be linked from other sites."""
    inventory = InventoryFile.loads((good.out / "objects.inv").read_bytes(), uri="")

    assert inventory.data["err:claim"]["one-letter"].uri == "index.html#claim-one-letter"
    assert inventory.data["err:error"]["division"].uri == "division.html#error-division"


def test_source_is_linked(good: Built) -> None:
    """Lines of torch stand as they are, linked to the same lines of the same release."""
    html = good.html("ledger")

    assert re.search(
        r'href="https://github.com/pytorch/pytorch/blob/v[\d.]+/torch/optim/sgd.py#L(\d+)-L\1">'
        r"torch/optim/sgd.py, torch",
        html,
    )


def test_prose_runs_nothing(good: Built, build: Callable[..., Built], monkeypatch: pytest.MonkeyPatch) -> None:
    """After a change of prose no cell is run: the process that runs pages is not even started."""
    page = good.source / "index.md"
    page.write_text(page.read_text() + "\nOne more sentence.\n")
    monkeypatch.setattr("proof.forked.subprocess.Popen", None)

    assert "One more sentence." in build("good").html("index")


def test_expectation_counts_without_a_run(good: Built, build: Callable[..., Built]) -> None:
    """A changed expectation is judged anew although the cells, and so the outputs, are the same."""
    page = good.source / "index.md"
    page.write_text(page.read_text().replace(":raises: division", ":raises: odd"))

    built = build("good")

    assert "the cell raised another error than the one it names" in built.warnings
    assert built.status == 1


def test_catalogue_counts_on_other_pages(good: Built, build: Callable[..., Built]) -> None:
    """A changed message is judged anew on the pages that name it, which did not change."""
    page = good.source / "division.md"
    page.write_text(page.read_text().replace("{kind} by zero", "divided by zero"))

    places = re.findall(r"^(\S+?): WARNING: .* another error", build("good").warnings, re.MULTILINE)

    assert places == ["division.md:12", "index.md:22"]


def test_progress_on_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """On a terminal a line says how far the run has come, and is gone when it is over; elsewhere there is none."""
    verdict = Verdict("docs/page.md", ())
    for terminal in (True, False):
        monkeypatch.setattr("sys.stderr.isatty", lambda answer=terminal: answer, raising=False)
        progress = Progress(3)
        progress.show([verdict])
        progress.close([verdict])

    assert re.fullmatch(r"\r1 of 3 pages, 0 claims, 0\.\d s\x1b\[K\r\x1b\[K", capsys.readouterr().err)


def test_catalogue_for_programs(good: Built) -> None:
    """`errors.json` holds every message, as its schema says, and each message's pattern matches it."""
    catalogue = json.loads((good.out / "errors.json").read_text("utf-8"))
    schema = json.loads((DOCS / catalogue["$schema"]).read_text("utf-8"))

    jsonschema.validate(catalogue, schema)
    assert [(error["id"], error["url"]) for error in catalogue["errors"]] == [
        ("division", "division.html#error-division"),
        ("odd", "odd.html#error-odd"),
    ]
    assert re.fullmatch(catalogue["errors"][1]["pattern"], "the value 3 is odd", re.DOTALL)
