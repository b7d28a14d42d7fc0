"""Everything by keyboard: one goes through a page with Tab, sees where one is, and opens what there is to open."""

from typing import Any

import pytest
from browser.walk import LOOK
from playwright.sync_api import Page, expect

MOST = 400


def tab_through(page: Page) -> list[dict[str, Any]]:
    """Presses Tab until the focus leaves the page, and returns all that had it."""
    page.emulate_media(reduced_motion="reduce")
    page.evaluate(LOOK)
    focused: list[dict[str, Any]] = []
    for _ in range(MOST):
        page.keyboard.press("Tab")
        found = page.evaluate("walk.focused()")
        if found is None:
            return focused
        focused.append(found)
    raise AssertionError(f"more than {MOST} times Tab")


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("name", ["index.html", "guide/leaf.html", "errors/leaf-in-place.html"])
def test_focus_is_seen(page: Page, name: str, width: int) -> None:
    """Whatever has the focus has a line around it and is in sight; a way past the list of pages comes first."""
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(name)
    focused = tab_through(page)

    assert "Skip to content" in focused[0]["what"]
    assert len(focused) > 20
    assert [one["what"] for one in focused if not one["outlined"]] == []
    assert [one["what"] for one in focused if not one["seen"]] == []


def test_way_past_the_list(page: Page) -> None:
    """The first link leads to the text: what is focused next stands in it."""
    page.goto("guide/leaf.html")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")

    assert page.evaluate("Boolean(document.activeElement.closest('article'))")


def test_proof_opens(page: Page) -> None:
    """A fold opens and closes with Enter."""
    page.goto("errors/leaf-in-place.html")
    proof = page.locator("details.proof:not([open])").first.element_handle()
    page.locator("details.proof:not([open]) > summary").first.focus()

    page.keyboard.press("Enter")
    assert proof.evaluate("proof => proof.open")
    page.keyboard.press("Enter")
    assert not proof.evaluate("proof => proof.open")


def test_theme(page: Page) -> None:
    """The button for the theme is reached and pressed, and the next page has what was chosen."""
    page.goto("index.html")
    button = page.locator(".theme-toggle:visible")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator("body")).to_have_attribute("data-theme", "dark")

    page.goto("guide/leaf.html")
    expect(page.locator("body")).to_have_attribute("data-theme", "dark")


@pytest.mark.parametrize(("switch", "drawer"), [("__navigation", ".sidebar-drawer"), ("__toc", ".toc-drawer")])
def test_drawers(page: Page, switch: str, drawer: str) -> None:
    """On a small screen a drawer is opened with the space bar, and what is in it comes next; closed, it is left out."""
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto("guide/leaf.html")
    expect(page.locator(f"{drawer} a:visible")).to_have_count(0)

    page.locator(f"#{switch}").focus()
    page.keyboard.press("Space")
    expect(page.locator(f"{drawer} a:visible").last).to_be_visible()
    page.keyboard.press("Tab")

    assert page.evaluate(f"Boolean(document.activeElement.closest('{drawer}'))")


def test_wide_code_is_reached(page: Page) -> None:
    """Code that does not fit a phone can be focused and moved with the arrow keys."""
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto("errors/leaf-in-place.html")
    code = page.locator("pre[tabindex='0']:visible").first
    code.evaluate("""code => {
        code.focus();
        globalThis.moved = new Promise((done) => code.addEventListener("scroll", () => done(code.scrollLeft)));
    }""")
    page.keyboard.press("ArrowRight")

    assert page.evaluate("moved") > 0
