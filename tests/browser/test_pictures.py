"""Pictures of a page of each kind, for people to look at, in build/screenshots; two of them stand in the README.

`nox -s browser -- --pictures` writes those two anew.
"""

import re
from itertools import product
from pathlib import Path
from typing import Literal

import pytest
from PIL import Image
from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]
SHOTS = ROOT / "build" / "screenshots"
README = {"index.html": "front.png", "errors/leaf-in-place.html": "error.png"}
"""The pages that the README shows, and the files that it shows."""
FOLDER = Path(".github") / "pictures"

WIDTHS = [360, 768, 1440]
THEMES: list[Literal["light", "dark"]] = ["light", "dark"]
PAGES = [
    *README,
    "404.html",
    "search.html?q=leaf",
    "guide/views-and-copyslices.html",
    "howto/fill-a-buffer.html",
    "questions/why-step-may-write-to-a-leaf.html",
    "silent/writes-past-the-counter.html",
    "reference/claims/guide.html",
    "reference/version-counter.html",
    "reference/versions.html",
    "records/torch-2.15.0.html",
]


@pytest.mark.parametrize("name", PAGES)
def test_picture(browser: Browser, address: str, name: str) -> None:
    """A page can be taken pictures of, in three widths and both themes, and is not empty."""
    page = browser.new_page(base_url=address)
    page.goto(name)
    page.wait_for_load_state("networkidle")
    for width, theme in product(WIDTHS, THEMES):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        path = SHOTS / f"{re.sub(r'[^a-z0-9-]+', '_', name)}-{width}-{theme}.png"
        page.screenshot(path=path)
        with Image.open(path) as picture:
            assert picture.width == width
            assert len(picture.convert("RGB").getcolors(2**24) or ()) > 50
    page.close()


@pytest.mark.parametrize(("name", "file"), README.items())
def test_picture_of_the_readme(
    browser: Browser, address: str, request: pytest.FixtureRequest, name: str, file: str
) -> None:
    """The README shows the picture, which is written only when that is asked for: else each page changes it."""
    path = ROOT / FOLDER / file
    if request.config.getoption("--pictures"):
        page = browser.new_page(base_url=address, viewport={"width": 1200, "height": 750})
        page.goto(name)
        path.parent.mkdir(exist_ok=True)
        page.screenshot(path=path)
        page.close()
        Image.open(path).convert("RGB").quantize(64).save(path, optimize=True)

    assert f"]({(FOLDER / file).as_posix()})" in (ROOT / "README.md").read_text("utf-8")
    with Image.open(path) as picture:
        assert picture.size == (1200, 750)
    assert path.stat().st_size < 150_000
