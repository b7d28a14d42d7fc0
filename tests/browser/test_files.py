"""What the built site publishes for programs."""

import json
import re
import subprocess
import sys
from collections import Counter
from html import unescape

import jsonschema
import pytest
from browser.conftest import SITE
from test_site import DOCS

from proof.book import names_of, read_book

BOOK = read_book(DOCS, names_of(DOCS))
CATALOGUE = json.loads((SITE / "errors.json").read_text("utf-8"))


def test_catalogue() -> None:
    """`errors.json` has every message, as its published schema says, each with an answer and a page that is there."""
    jsonschema.validate(CATALOGUE, json.loads((SITE / CATALOGUE["$schema"]).read_text("utf-8")))

    assert {entry["id"] for entry in CATALOGUE["errors"]} == set(BOOK.errors)
    for entry in CATALOGUE["errors"]:
        page, _, anchor = entry["url"].partition("#")
        assert entry["cause"], entry["id"]
        assert entry["fix"], entry["id"]
        assert f'id="{anchor}"' in (SITE / page).read_text("utf-8")


def test_causes_are_programs() -> None:
    """Nearly every message has a cause as a program with its fix beside it."""
    shown = [entry["id"] for entry in CATALOGUE["errors"] if entry["cases"]]

    assert len(shown) > 0.95 * len(CATALOGUE["errors"])


@pytest.mark.parametrize("name", sorted(BOOK.pages))
def test_markdown(name: str) -> None:
    """Each page stands beside its HTML as Markdown, with its claims, its code, and no mark of the source's grammar."""
    text = (SITE / f"{name}.md").read_text("utf-8")
    code = re.findall(r"^(`{3,})python\n(.*?)^\1$", text, re.MULTILINE | re.DOTALL)
    shown = [cell for cell in BOOK.pages[name].cells if "remove" not in str(cell.source)]

    assert text.startswith("# ")
    assert ":::" not in re.sub(r"^(`{3,}).*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL)
    assert len(code) >= len(shown)


def test_list_of_pages() -> None:
    """`llms.txt` lists every page, and what it lists is there."""
    listed = re.findall(r"\]\((.+?)\)", (SITE / "llms.txt").read_text("utf-8"))

    assert set(listed) == {f"{name}.md" for name in BOOK.pages}
    assert [path for path in listed if not (SITE / path).exists()] == []


def test_links() -> None:
    """Every link within the site leads to a file that is there, and to a place on it that is there."""
    texts = {path: path.read_text("utf-8") for path in SITE.rglob("*.html") if "_static" not in path.parts}
    anchors = {path: set(re.findall(r'\bid="([^"]+)"', text)) for path, text in texts.items()}
    lost = []
    for path, text in texts.items():
        body = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
        for link in set(re.findall(r'<a [^>]*?href="([^"]*)"', body)):
            address, _, anchor = unescape(link).partition("#")
            if re.match(r"\w+:", address) or path.name == "404.html":
                continue  # another site; and a page that is served anywhere, whose links begin at the site's root
            target = (path.parent / address.partition("?")[0]).resolve() if address else path
            if not target.exists() or (anchor and target in anchors and anchor not in anchors[target]):
                lost.append((str(path.relative_to(SITE)), link))

    assert len(texts) > 250
    assert lost == []


def test_descriptions() -> None:
    """Every page has a title and a description of its own, short enough to be shown."""
    titles, descriptions = {}, {}
    for name in BOOK.pages:
        head = (SITE / f"{name}.html").read_text("utf-8").partition("</head>")[0]
        (titles[name],) = re.findall(r"<title>(.+?)</title>", head, re.DOTALL)
        (descriptions[name],) = re.findall(r'<meta name="description" content="(.+?)">', head)

    assert {name for name, text in descriptions.items() if not 10 < len(unescape(text)) <= 160} == set()
    assert [text for text, times in Counter(descriptions.values()).items() if times > 1] == []
    assert [text for text, times in Counter(titles.values()).items() if times > 1] == []


def test_script() -> None:
    """The published `explain_errors.py` answers alone."""
    log = "RuntimeError: a leaf Variable that requires grad is being used in an in-place operation."
    command = [sys.executable, "-I", str(SITE / "explain_errors.py")]
    said = subprocess.run(command, input=log, text=True, capture_output=True, check=True).stdout

    assert said.startswith("In-place write to a leaf\n")
    assert "\nFix: " in said
    assert said.endswith("errors/leaf-in-place.html#error-leaf-in-place\n")
