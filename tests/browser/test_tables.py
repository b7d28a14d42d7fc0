"""Tables that were made by running: sorted by a column, filtered by words, whole without JavaScript."""

from playwright.sync_api import Page, expect

PAGE = "reference/what-is-a-leaf.html"
ORDER = ["–", "no", "yes"]
ROWS = "table.measured tbody tr"


def column(page: Page, number: int) -> list[str]:
    """What stands in a column of the rows that are shown, from the top."""
    return page.locator(f"{ROWS}:visible td:nth-child({number})").all_inner_texts()


def test_sorts_by_a_column(page: Page) -> None:
    """A click on a column's name sorts by it, another one turns the order round, and a screen reader is told."""
    page.goto(PAGE)
    head = page.locator("table.measured th").nth(1)

    head.get_by_role("button").click()
    rising = column(page, 2)
    expect(head).to_have_attribute("aria-sort", "ascending")
    head.get_by_role("button").press("Enter")

    assert set(rising) == set(ORDER)
    assert rising == sorted(rising, key=ORDER.index)
    assert column(page, 2) == sorted(rising, key=ORDER.index, reverse=True)
    expect(head).to_have_attribute("aria-sort", "descending")


def test_shows_rows_with_words(page: Page) -> None:
    """Only rows with all the words are left, their number is said, and an empty field brings all back."""
    page.goto(PAGE)
    rows = page.locator(f"{ROWS}:visible")
    every = rows.count()

    page.get_by_label("Show rows with").fill("detach clone")

    shown = column(page, 1)
    assert 0 < len(shown) < every
    assert all("detach" in row and "clone" in row for row in shown)
    expect(page.locator(".measured-filter [role=status]")).to_contain_text(f"{len(shown)} of {every}")
    page.get_by_label("Show rows with").fill("")
    expect(rows).to_have_count(every)


def test_scrolls_inside_itself(page: Page) -> None:
    """On a phone a wide table scrolls, and the page does not."""
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto(PAGE)

    assert page.evaluate("document.documentElement.scrollWidth") <= 360
