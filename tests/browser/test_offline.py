"""The site as one file: packed, unpacked elsewhere, and opened without a server."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

ROOT = Path(__file__).parents[2]
PACKED = ROOT / "build" / "autograd-in-place.zip"


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site from its zip, which `nox -s browser` makes before these tests."""
    assert PACKED.exists(), f"{PACKED} is not there: run 'nox -s offline'"
    folder = tmp_path_factory.mktemp("offline")
    shutil.unpack_archive(PACKED, folder)
    return folder / "autograd-in-place"


def test_search_and_links(page: Page, unpacked: Path) -> None:
    """The search finds pages, which can be followed, and the browser has nothing to complain of."""
    page.goto((unpacked / "index.html").as_uri())
    page.get_by_role("textbox", name="Search").first.fill("CopySlices")
    page.keyboard.press("Enter")
    expect(page.locator("#search-results li").first).to_be_visible()

    page.locator("#search-results").get_by_role("link", name="Views and CopySlices").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("CopySlices")


def test_script(unpacked: Path) -> None:
    """The script in it answers."""
    log = "RuntimeError: Trying to backward through the graph a second time"
    command = [sys.executable, "-I", str(unpacked / "explain_errors.py")]

    assert subprocess.run(command, input=log, text=True, capture_output=True, check=True).stdout
