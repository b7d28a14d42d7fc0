"""The box on the front page: what a reader pastes, and what comes."""

from pathlib import Path
from urllib.parse import quote

import pytest
from browser.conftest import SITE
from playwright.sync_api import Page, expect

SAVED = (
    "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: "
    "[torch.FloatTensor [2, 3]], which is output 0 of ExpBackward0, is at version 1; expected version 0 instead. "
    "Hint: enable anomaly detection to find the operation that failed to compute its gradient, with "
    "torch.autograd.set_detect_anomaly(True)."
)
LEAF = "RuntimeError: a leaf Variable that requires grad is being used in an in-place operation."


def ask(page: Page, text: str) -> None:
    """Pastes a text into the box of the open page and asks."""
    page.locator("form.box textarea").fill(text)
    page.get_by_role("button", name="Find the page").click()
    expect(page.locator(".box-answer")).not_to_be_empty()
    expect(page.locator(".box-answer")).not_to_have_attribute("aria-busy", "true")


@pytest.fixture
def front(page: Page) -> Page:
    page.goto("index.html")
    return page


def test_message_is_answered(front: Page) -> None:
    """The page's title links it; below stand the message in plain words, cause, fix, and that the words are old."""
    ask(front, SAVED)
    answer = front.locator(".box-answer")

    link = answer.get_by_role("heading").get_by_role("link")
    assert (link.get_attribute("href") or "").endswith("errors/saved-tensor-modified.html#error-saved-tensor-modified")
    expect(answer.locator(".box-says")).to_contain_text("exp")
    expect(answer.locator(".box-says")).to_contain_text("once")
    expect(answer).to_contain_text("Fix:")
    expect(answer.locator(".box-until")).to_contain_text("2.10.0")

    link.click()
    expect(front.locator("#error-saved-tensor-modified")).to_be_visible()


def test_several_errors(front: Page) -> None:
    """The last message is answered, those before it are linked."""
    ask(front, f"{SAVED}\nDuring handling of the above exception, another exception occurred:\n{LEAF}")
    answer = front.locator(".box-answer")

    expect(answer.get_by_role("heading")).to_have_text("In-place write to a leaf")
    expect(answer.get_by_role("listitem")).to_have_count(1)


def test_link_opens_the_answer(page: Page) -> None:
    """A link with the message behind `#q=` opens the answer, also on a page that is open already."""
    page.goto(f"index.html#q={quote(LEAF)}")
    expect(page.locator(".box-answer").get_by_role("heading")).to_have_text("In-place write to a leaf")

    page.evaluate("location.hash = '#q=can%27t+optimize+a+non-leaf+Tensor'")
    expect(page.locator(".box-answer").get_by_role("heading")).not_to_have_text("In-place write to a leaf")
    assert page.locator("form.box textarea").input_value() == "can't optimize a non-leaf Tensor"


@pytest.mark.parametrize("cut", ["index.html#q=%E2%82", "index.html#q=", "index.html#q=%"])
def test_damaged_link(page: Page, cut: str) -> None:
    """A link that was cut anywhere still shows the box, and a word on what to do."""
    page.goto(cut)
    expect(page.locator(".box-answer")).not_to_be_empty()


def test_answer_can_be_linked(front: Page) -> None:
    """After an answer the address of the page is a link to it."""
    ask(front, f"some log\n{LEAF}\nmore of it")
    address = front.url

    front.goto("about:blank")
    front.goto(address)
    expect(front.locator(".box-answer").get_by_role("heading")).to_have_text("In-place write to a leaf")


def test_markup_is_text(front: Page) -> None:
    """Markup in what is pasted is shown, never made."""
    ask(front, SAVED.replace("ExpBackward0", '<img src="x" onerror="document.title=1">'))
    ask(front, '<img src="x" onerror="document.title=1"> leaf variables')

    expect(front.locator(".box-answer img")).to_have_count(0)
    assert front.title() != "1"


def test_guess_says_so(front: Page) -> None:
    """Where no message stands in the text, three pages are offered, as a guess."""
    ask(front, "my optimizer goes on moving frozen parameters although they do not require grad")
    answer = front.locator(".box-answer")

    expect(answer).to_contain_text("a guess")
    expect(answer.get_by_role("listitem")).to_have_count(3)


def test_nothing_to_say(front: Page) -> None:
    """No text, or one without any known word, is answered with a sentence."""
    front.get_by_role("button", name="Find the page").click()
    expect(front.locator(".box-answer")).to_contain_text("Paste a traceback")

    ask(front, "zzzz 12345 ☃")
    expect(front.locator(".box-answer")).to_contain_text("No message")


def test_keyboard(front: Page) -> None:
    """The box works without a mouse, and what it answers is announced."""
    front.get_by_label("Paste a traceback").focus()
    front.keyboard.insert_text(LEAF)
    front.keyboard.press("Control+Enter")

    expect(front.get_by_role("status").get_by_role("heading")).to_have_text("In-place write to a leaf")
    front.keyboard.press("Tab")
    expect(front.get_by_role("button", name="Find the page")).to_be_focused()
    front.keyboard.press("Tab")
    expect(front.get_by_role("status").get_by_role("link").first).to_be_focused()


@pytest.mark.parametrize("missing", ["no-such-page.html", "errors/no/such/page.html"])
def test_missing_page_has_the_box(page: Page, missing: str) -> None:
    """An address that is not there shows the box too, at any depth, and its answers lead to the right place."""
    page.goto(missing)
    ask(page, LEAF)

    page.locator(".box-answer").get_by_role("heading").get_by_role("link").click()
    expect(page.locator("#error-leaf-in-place")).to_be_visible()


def test_unpacked_copy(page: Page) -> None:
    """From the file system, without a server, the box and the search answer."""
    page.goto(Path(SITE, "index.html").as_uri())
    ask(page, LEAF)
    expect(page.locator(".box-answer").get_by_role("heading")).to_have_text("In-place write to a leaf")

    page.goto(Path(SITE, "search.html").as_uri() + f"?q={quote(LEAF)}")
    expect(page.locator(".box-answer").get_by_role("heading")).to_have_text("In-place write to a leaf")


def test_catalogue_out_of_reach(front: Page) -> None:
    """If the catalogue cannot be fetched the box says so, and tries again the next time."""
    front.route("**/box/messages.js", lambda route: route.fulfill(status=404))
    ask(front, LEAF)
    expect(front.locator(".box-answer")).to_contain_text("could not be read")

    front.unroute("**/box/messages.js")
    ask(front, LEAF)
    expect(front.locator(".box-answer").get_by_role("heading")).to_have_text("In-place write to a leaf")
