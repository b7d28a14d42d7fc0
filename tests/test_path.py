"""The front page: the way through the guide, and the numbers, all from what the pages are."""

import re
from collections.abc import Callable

import pytest
from test_site import BOOK, TEXTS
from tiny_site import Built

FRONT = """\
# Front

{count}`claims` claims, {count}`messages` messages, {count}`releases` releases.

:::{path}
steps/one
steps/two
:::
"""
HEAD = "---\nfile_format: mystnb\n---\n\n"
ONE = f"{HEAD}# One `step`\n\nA lock: this page says which `key` turns {{doc}}`it <two>` at 3.5 °C.\nNot this.\n"
TWO = "# Two\n\nThis page is short.\n"


@pytest.fixture
def front(build: Callable[..., Built]) -> Built:
    """A site with a way of two steps."""
    docs = build("good").source
    (docs / "steps").mkdir()
    for name, text in (("front", FRONT), ("steps/one", ONE), ("steps/two", TWO)):
        (docs / f"{name}.md").write_text(text)
    index = (docs / "index.md").read_text()
    (docs / "index.md").write_text(index.replace("\ndivision\n", "\n:maxdepth: 1\n\nfront\ndivision\n"))
    return build("good")


def steps(built: Built) -> list[tuple[str, str, str]]:
    """Address, title and text of each step."""
    found = re.findall(
        r'<li><p><a class="reference internal" href="(.*?)">(.*?)</a> <span class="says">(.*?)</span></p>',
        built.html("front"),
        re.DOTALL,
    )
    return [(address, *(" ".join(re.sub("<[^>]+>", "", part).split()) for part in parts)) for address, *parts in found]


def test_steps(front: Built) -> None:
    """A step is the page's title and what it says that it says, without its links; else its first sentence."""
    assert front.warnings == ""
    assert steps(front) == [
        ("steps/one.html", "One step", "which key turns it at 3.5 °C"),
        ("steps/two.html", "Two", "This page is short"),
    ]
    assert '<span class="pre">key</span>' in front.html("front")


def test_steps_follow_their_pages(front: Built, build: Callable[..., Built]) -> None:
    """The way is written anew when a page on it says something else."""
    (front.source / "steps" / "two.md").write_text(TWO.replace("short", "long"))

    assert steps(build("good"))[1][2] == "This page is long"


def test_previous_and_next_go_the_way(front: Built) -> None:
    """From a step one comes to the next."""
    assert re.search(r'<a class="next-page" href="two.html">', front.html("steps/one"))
    assert re.search(r'<a class="prev-page" href="one.html">', front.html("steps/two"))


def test_numbers(front: Built, build: Callable[..., Built]) -> None:
    """A number is the one that the build knows, also when another page changes it."""
    one_more = "\n:::{claim} two-letters\nTwo.\n:::\n\n```{code-cell} python\nassert len('ab') == 2\n```\n"
    assert "2 claims, 2 messages, 0 releases." in front.html("front")
    page = front.source / "index.md"
    page.write_text(page.read_text() + one_more)

    assert "3 claims, 2 messages" in build("good").html("front")


def test_unknown_number(front: Built, build: Callable[..., Built]) -> None:
    """What nobody counts is an error, which says what is counted."""
    (front.source / "front.md").write_text("# Front\n\n{count}`pages`\n")

    warnings = build("good", fail_on_warning=False).warnings

    assert "front.md:3: ERROR: 'pages' is not counted; known are claims, messages, releases, torch" in warnings


@pytest.mark.parametrize("name", sorted(name for name in BOOK.pages if name.startswith("guide/")))
def test_guide_says_what_it_says(name: str) -> None:
    """The first sentence of each page of the guide has what the front page shows beside its title."""
    opening = TEXTS[name].partition("\n# ")[2].partition("\n\n")[2].partition("\n")[0]

    assert re.search(r"\bthis page (says|shows) ", opening, re.IGNORECASE)
    assert len(opening.split()) <= 60
