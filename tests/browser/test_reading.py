"""What a reader does: copies code, a message or the link to a claim, follows the foot, goes on to the next page."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect
from test_site import BOOK, TEXTS

GUIDE, ERROR = "guide/in-place-on-a-leaf", "errors/leaf-in-place"
GUIDES = re.findall(r"^guide/.+$", TEXTS["index"], re.MULTILINE)


@pytest.fixture
def reading(page: Page, address: str) -> Page:
    """A page that may use the clipboard."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address)
    return page


def clipboard(page: Page) -> str:
    return str(page.evaluate("navigator.clipboard.readText()"))


def copied(button: Locator) -> str:
    """What a press of the button, by keyboard, puts into the clipboard."""
    button.focus()
    button.press("Enter")
    expect(button).to_have_text("copied")
    return clipboard(button.page)


@pytest.mark.parametrize("name", [GUIDE, ERROR])
def test_code_is_copied_as_it_is(reading: Page, name: str) -> None:
    """Each cell has a button, also in a folded proof, that copies its source; no output has one."""
    reading.goto(f"{name}.html")
    reading.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    buttons = reading.locator(".cell_input .copy")

    assert [copied(buttons.nth(n)) for n in range(buttons.count())] == [
        cell.source.strip() for cell in BOOK.pages[name].cells
    ]
    assert reading.locator(".cell_output").count() > 0
    assert reading.locator(".cell_output .copy").count() == 0


def test_message_is_copied(reading: Page) -> None:
    """The message below the title of an error page can be copied with its type; its link stays what it was."""
    reading.goto(f"{ERROR}.html#error-leaf-in-place")
    entry = BOOK.errors["leaf-in-place"]

    assert copied(reading.locator("#error-leaf-in-place .copy")) == f"{entry.message.type}: {entry.message.template}"


def test_prompts_outputs_and_numbers_are_left_out(reading: Page) -> None:
    """Of a session only what was typed is copied, of lines of torch not their numbers."""
    reading.goto("questions/why-step-may-write-to-a-leaf.html")
    numbered = reading.locator(".torch-source .highlight").first
    assert re.match(r"\s*\d+", numbered.locator("pre").inner_text())
    lines = copied(numbered.locator(".copy"))
    session = reading.locator(".cell_input .highlight").first
    session.locator("pre").evaluate(
        """(pre) => { pre.innerHTML = '<span class="gp">>>> </span>1 + 1\\n<span class="go">2</span>\\n'; }"""
    )

    assert "set_grad_enabled" in lines
    assert not re.search(r"^\s*\d+ ", lines, re.MULTILINE)
    assert copied(session.locator(".copy")) == "1 + 1"


def test_button_is_seen_when_it_is_of_use(reading: Page) -> None:
    """It shows when its code is pointed at or it has the focus, and is large enough to be hit."""
    reading.goto(f"{ERROR}.html")
    button = reading.locator(".cell_input .copy").first
    expect(button).to_have_css("opacity", "0")
    reading.locator(".cell_input").first.hover()
    expect(button).to_have_css("opacity", "1")
    reading.mouse.move(0, 0)
    expect(button).to_have_css("opacity", "0")
    button.focus()
    expect(button).to_have_css("opacity", "1")
    box = button.bounding_box()

    assert box is not None
    assert min(box["width"], box["height"]) >= 24


def test_link_of_a_claim_is_copied(reading: Page, address: str) -> None:
    """A click on the tick goes to the claim, shows its id and copies the whole address."""
    reading.goto(f"{GUIDE}.html")
    claim = BOOK.pages[GUIDE].claims[0].id
    tick = reading.locator(f"#claim-{claim} a.tick")
    shown = "(tick) => getComputedStyle(tick, '::after').content"
    before = tick.evaluate(shown)
    tick.click()
    expect(tick).to_have_attribute("data-said", "link copied")
    said = tick.evaluate(shown)
    expect(tick).to_have_attribute("data-said", "")

    assert before == "none"
    assert said == '"link copied"'
    assert tick.evaluate(shown) == f'"#claim-{claim}"'
    assert reading.url == clipboard(reading) == f"{address}{GUIDE}.html#claim-{claim}"


@pytest.mark.parametrize("name", [GUIDE, ERROR, "reference/what-is-a-leaf", "howto/fill-a-buffer"])
def test_foot_leads_to_what_it_says(page: Page, name: str) -> None:
    """The number of claims leads to as many claims in the ledger, the releases to the page's row in the table."""
    page.goto(f"{name}.html")
    foot = page.locator(".foot")
    title = page.locator("h1").evaluate("(title) => title.firstChild.textContent")
    links = foot.locator("a:not([download])")
    found = [(link.inner_text(), link.evaluate("(link) => link.href")) for link in links.all()]
    claims = [href for text, href in found if text.endswith(("claim", "claims"))]
    releases = [href for text, href in found if "holds" in text]

    page.goto(claims[0])
    group = page.locator(f"#{urlsplit(claims[0]).fragment} + ul.ledger > li")
    expect(group.first).to_be_in_viewport()
    assert group.count() == len(BOOK.pages[name].claims)
    page.goto(releases[0])
    row = page.locator(f"td#{urlsplit(releases[0]).fragment}")
    expect(row).to_be_in_viewport()
    assert title.strip()[:10] in row.inner_text()


def test_what_leads_to_a_page(page: Page) -> None:
    """Above a message stands its subject, which has the message word for word; above a page of the guide nothing."""
    page.goto(f"{ERROR}.html")
    message = str(BOOK.pages[ERROR].errors[0].message)
    above = page.get_by_role("navigation", name="Above this page").get_by_role("link")
    expect(above).to_have_text(["Every message", "Writing in place"])
    above.last.click()

    expect(page.locator("h1")).to_contain_text("Writing in place")
    expect(page.locator(".error-index .message").first).to_have_text(message)
    page.goto(f"{GUIDE}.html")
    expect(above).to_have_count(0)


def test_message_of_a_traceback_is_set_off(page: Page) -> None:
    """The message stands in a line of its own, bold, and the link to its page below it."""
    page.goto(f"{GUIDE}.html")
    raised = page.locator(".traceback .raised").first

    assert raised.inner_text().startswith("RuntimeError: a leaf Variable")
    expect(raised).to_have_css("font-weight", "700")
    expect(raised).to_have_css("display", "block")
    link = page.locator(".cell:has(.raised) .error-link a").first
    assert str(link.get_attribute("href")).endswith(f"{ERROR}.html#error-leaf-in-place".partition("/")[2])


def test_guide_is_read_in_order(page: Page) -> None:
    """Next leads through the guide in the order of the front page, and previous the same way back."""
    page.goto(f"{GUIDES[0]}.html")
    way = [page.url]
    for _ in GUIDES[1:]:
        page.locator("a.next-page").click()
        way.append(page.url)
    page.locator("a.prev-page").click()

    assert [re.sub(r".*/(guide/.*)\.html", r"\1", url) for url in way] == GUIDES
    assert page.url == way[-2]


def test_front_page_shows_the_path(page: Page) -> None:
    """Each page of the guide stands there as a numbered step with a line of what it says."""
    page.goto("index.html")
    steps = page.locator("ol.path > li")

    assert [str(link.get_attribute("href")) for link in steps.locator("a").all()] == [f"{name}.html" for name in GUIDES]
    assert all(steps.locator(".says").all_inner_texts())
    assert f"{sum(len(one.claims) for one in BOOK.pages.values()):,} claims" in page.locator("h1 + p").inner_text()


@pytest.mark.parametrize(
    "name", ["index", GUIDE, ERROR, "reference/versions", "reference/claims", "howto/fill-a-buffer"]
)
def test_page_does_not_scroll_sideways_on_a_phone(page: Page, name: str) -> None:
    """What is too wide for a phone scrolls inside itself, also with a claim's id shown at the edge."""
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto(f"{name}.html")
    for tick in page.locator("a.tick:visible").all()[-3:]:
        tick.focus()
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Tab")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360

    assert page.evaluate("document.documentElement.scrollWidth") <= 360
