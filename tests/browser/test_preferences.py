"""What a reader has asked their system for: less motion, other colours, larger text."""

import pytest
from browser.walk import SCRIPTS
from playwright.sync_api import Page

PAGES = ["index.html", "guide/views-and-copyslices.html", "errors/leaf-in-place.html", "reference/versions.html"]


@pytest.mark.parametrize("name", PAGES)
def test_less_motion(page: Page, name: str) -> None:
    """Nothing moves, fades or scrolls by itself."""
    page.emulate_media(reduced_motion="reduce")
    page.goto(name)
    moving = page.evaluate("""[...document.querySelectorAll("*")].filter((element) => {
        const { scrollBehavior, transitionDuration, animationName } = getComputedStyle(element);
        return scrollBehavior !== "auto" || transitionDuration.split(", ").some(parseFloat) || animationName !== "none";
    }).map((element) => element.outerHTML.slice(0, 100))""")

    assert moving == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_colours_of_the_system(page: Page, name: str, scheme: str) -> None:
    """In the few colours that a reader has chosen the text and the pictures can be read."""
    page.emulate_media(forced_colors="active", color_scheme=scheme, reduced_motion="reduce")
    page.goto(name)
    page.evaluate(SCRIPTS)
    page.evaluate("walk.open()")
    found = page.evaluate("walk.colours([])")
    lines = page.evaluate(
        """[...document.querySelectorAll("figure.graph path")].map((line) => getComputedStyle(line).stroke)"""
    )
    text = page.evaluate("getComputedStyle(document.body).color")

    assert found["found"] == []
    assert set(lines) <= {text}


@pytest.mark.parametrize("name", PAGES)
def test_twice_as_large(page: Page, name: str) -> None:
    """Text of twice the size still fits: half of a window of 720 pixels is a phone's 360, where the drawers are."""
    page.set_viewport_size({"width": 720, "height": 800})
    page.goto(name)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.evaluate(SCRIPTS)

    assert page.evaluate("walk.wide()") == []
