"""What other sites are told of a page: in its head, in the sitemap, and by the page in the place of one that moved."""

import json
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image
from tiny_site import Built

from render.heads import shortened

ADDRESS = "https://example.org/site"


@pytest.fixture
def built_with(build: Callable[..., Built], tmp_path: Path) -> Callable[[str], Built]:
    """Builds the good site with lines more in its conf.py."""

    def run(settings: str) -> Built:
        build("good")
        conf = tmp_path / "docs" / "conf.py"
        conf.write_text(conf.read_text() + settings)
        return build("good", fail_on_warning=False)

    return run


def _told(html: str) -> dict[str, str]:
    """The tags of a page that have a content, by their names."""
    return {
        name: unescape(text) for name, text in re.findall(r'<meta (?:name|property)="(.+?)" content="(.*?)">', html)
    }


def test_without_an_address(build: Callable[..., Built]) -> None:
    """What needs the site's address is left out while there is none."""
    built = build("good")
    told = _told(built.html("division"))

    assert told["og:title"] == "Division by zero"
    assert told["description"] == told["og:description"]
    assert not {"og:url", "og:image", "twitter:card"} & told.keys()
    assert "canonical" not in built.html("division")
    assert not [name for name in ("sitemap.xml", "robots.txt", "_cards") if (built.out / name).exists()]


def test_with_an_address(built_with: Callable[[str], Built]) -> None:
    """With an address there are a canonical link, a picture, a sitemap, and robots.txt that names it."""
    built = built_with(f"html_baseurl = {ADDRESS + '/'!r}\n")
    told = _told(built.html("division"))
    addresses = [
        place.text for place in ElementTree.parse(built.out / "sitemap.xml").iter() if place.tag.endswith("loc")
    ]

    assert told["og:url"] == f"{ADDRESS}/division.html"
    assert f'<link rel="canonical" href="{ADDRESS}/division.html"' in built.html("division")
    with Image.open(built.out / told["og:image"].removeprefix(f"{ADDRESS}/")) as picture:
        assert picture.size == (1200, 630)
        assert len(picture.getcolors() or ()) > 2
    assert addresses == [f"{ADDRESS}/{name}.html" for name in ("division", "index", "ledger", "odd")]
    assert f"Sitemap: {ADDRESS}/sitemap.xml" in (built.out / "robots.txt").read_text()


def test_error_page(build: Callable[..., Built]) -> None:
    """The title of an error page is its message, and its structured data are the message with the page's answer."""
    page = build("good").source / "division.md"
    text = "# Division by zero\n\nYou divided by `0`</script>.\n\n**Fix:** do not.\n"
    page.write_text(page.read_text().replace("# Division by zero\n", text))
    html = build("good").html("division")
    (script,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', html)
    data = json.loads(script)

    assert re.search("<title>(.*?) - ", html)[1] == "ZeroDivisionError: … by zero"  # type: ignore[index]
    assert data["@type"] == "FAQPage"
    (question,) = data["mainEntity"]
    assert question["name"] == "ZeroDivisionError: … by zero"
    assert question["acceptedAnswer"]["text"] == "You divided by 0</script>. do not."
    assert _told(html)["description"] == "You divided by 0</script>."


def test_page_that_asks_nothing(build: Callable[..., Built]) -> None:
    """Other pages have their own title and no questions."""
    html = build("good").html("index")

    assert "<title>Tiny" in html
    assert "ld+json" not in html
    assert _told(html)["description"].startswith("As said above.")


@pytest.mark.parametrize(
    ("text", "length", "short"),
    [
        ("a `b` c", 10, "a b c"),
        ("one two\nthree", 10, "one two…"),
        ("one (two) three", 11, "one (two)…"),
        ("one, two (three four)", 12, "one, two…"),
        ("a" * 20, 10, "a" * 9 + "…"),
    ],
)
def test_shortened(text: str, length: int, short: str) -> None:
    """A text is cut after a word, without what would hang there."""
    assert shortened(text, length) == short


def test_moved_page(built_with: Callable[[str], Built]) -> None:
    """In the place of a page that moved stands one that leads to it, without a script."""
    built = built_with("redirects = {'old/place': '../division.html'}\n")
    html = built.html("old/place")

    assert built.warnings == ""
    assert '<meta http-equiv="refresh" content="0; url=../division.html">' in html
    assert "<script" not in html


@pytest.mark.parametrize(
    ("redirects", "problem"),
    [
        ({"old": "nowhere.html"}, "'old' leads to 'nowhere.html', and there is no such page"),
        ({"old/place": "division.html"}, "'old/place' leads to 'old/division.html', and there is no such page"),
        ({"odd": "division.html"}, "there is a page 'odd', so nothing can lead from it"),
    ],
)
def test_redirect_that_cannot_be(built_with: Callable[[str], Built], redirects: dict[str, str], problem: str) -> None:
    """A redirect to no page, or from one that is there, is a warning, and so an error of the site's build."""
    assert problem in built_with(f"redirects = {redirects!r}\n").warnings
