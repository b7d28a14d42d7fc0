"""Without JavaScript all is there but the box and the search."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

PHONE = {"width": 360, "height": 800}


@pytest.fixture
def plain(browser: Browser, address: str) -> Iterator[Page]:
    """A page of a browser that runs no scripts."""
    page = browser.new_page(base_url=address, java_script_enabled=False)
    yield page
    page.close()


def test_text_and_folds(plain: Page) -> None:
    """The text is there, and a proof opens."""
    plain.goto("errors/leaf-in-place.html")

    expect(plain.get_by_role("heading", level=1)).to_be_visible()
    shown = plain.locator("details.proof pre:visible").count()
    plain.locator("details.proof:not([open]) > summary").first.click()
    assert plain.locator("details.proof pre:visible").count() > shown


def test_nothing_that_does_nothing(plain: Page) -> None:
    """What needs a script is not shown: the box, the field that filters a table, the button for the theme."""
    plain.goto("index.html")
    expect(plain.locator("noscript p")).to_be_visible()
    expect(plain.locator("form.box")).to_be_hidden()
    expect(plain.locator(".theme-toggle:visible")).to_have_count(0)

    plain.goto("reference/what-is-a-leaf.html")
    expect(plain.locator("table.measured")).to_be_visible()
    expect(plain.locator(".measured-filter")).to_be_hidden()


def test_theme_of_the_system(plain: Page) -> None:
    """The theme is the one that the reader's system has."""
    plain.goto("index.html")
    light = plain.locator("body").screenshot()
    plain.emulate_media(color_scheme="dark")

    assert plain.locator("body").screenshot() != light


def test_drawers(plain: Page) -> None:
    """On a phone both drawers open and close."""
    plain.set_viewport_size(PHONE)
    plain.goto("guide/leaf.html")
    drawer = plain.locator(".sidebar-drawer")
    expect(drawer).not_to_be_in_viewport()

    plain.locator("label.nav-overlay-icon").click()
    expect(drawer.get_by_role("link", name="What a leaf is")).to_be_in_viewport()
    plain.locator(".sidebar-overlay").click(position={"x": 350, "y": 400})
    expect(drawer).not_to_be_in_viewport()

    plain.locator("label.toc-header-icon").click()
    expect(plain.locator(".toc-drawer").get_by_role("link", name="The two rules")).to_be_in_viewport()
