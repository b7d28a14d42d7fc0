"""A walk over pages in a real browser: what it complains of, what it asks for, and what axe finds in both themes."""

import asyncio
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from axe_playwright_python.base import AXE_FILE_PATH
from browser.chromium import QUIET, executable
from playwright.async_api import Browser, ConsoleMessage, Page, async_playwright

TABS = os.cpu_count() or 1

DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 800}
LOOK = Path(__file__).with_name("walk.js").read_text("utf-8")
SCRIPTS = Path(AXE_FILE_PATH).read_text("utf-8") + LOOK


@dataclass
class Seen:
    """What came of one page."""

    requests: list[str] = field(default_factory=list)
    """The addresses that it asked for."""
    complaints: list[str] = field(default_factory=list)
    """Errors and warnings of the browser, and requests that failed."""
    rules: list[str] = field(default_factory=list)
    """What axe finds by rules that colours do not decide, once: a theme changes nothing else."""
    light: list[str] = field(default_factory=list)
    """What it finds by the others in the light theme."""
    dark: list[str] = field(default_factory=list)
    """And in the dark one."""
    wide: list[str] = field(default_factory=list)
    """What makes it scroll sideways on a phone."""


class Walk:
    """Pages that are looked at one after the other, several at a time."""

    def __init__(self, address: str, names: Iterable[str]) -> None:
        self._address, self._names = address, list(names)
        self._looks: dict[str, list[str]] = {"light": [], "dark": []}
        """How elements looked on the pages so far: what axe says of colours it would say again."""
        self.seen: dict[str, Seen] = {}

    def walk(self) -> dict[str, Seen]:
        """Looks at all pages, in a thread of its own: this one may have a loop of Playwright's already."""
        with ThreadPoolExecutor(1) as thread:
            thread.submit(lambda: asyncio.run(self._walk())).result()
        return self.seen

    async def _walk(self) -> None:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=executable(), args=QUIET)
            await asyncio.gather(*(self._tab(browser) for _ in range(TABS)))
            await browser.close()

    async def _tab(self, browser: Browser) -> None:
        page = await browser.new_page()
        while self._names:
            name = self._names.pop()
            self.seen[name] = seen = Seen()
            await self._visit(page, name, seen)

    async def _visit(self, page: Page, name: str, seen: Seen) -> None:
        handlers = _handlers(seen)
        for event, handler in handlers.items():
            page.on(event, handler)  # type: ignore[call-overload]
        await page.emulate_media(
            color_scheme="light", reduced_motion="reduce"
        )  # what fades in is looked at as it stays
        await page.set_viewport_size(DESKTOP)
        await page.goto(self._address + name)
        await page.evaluate(SCRIPTS)
        await page.evaluate("walk.open()")
        seen.light += await self._colours(page, "light")
        await page.emulate_media(color_scheme="dark")
        seen.dark += await self._colours(page, "dark")
        seen.rules += await page.evaluate("walk.rules()")
        await page.set_viewport_size(PHONE)
        seen.wide += await page.evaluate("walk.wide()")
        for event, handler in handlers.items():
            page.remove_listener(event, handler)

    async def _colours(self, page: Page, theme: Literal["light", "dark"]) -> list[str]:
        answer = await page.evaluate("seen => walk.colours(seen)", self._looks[theme])
        self._looks[theme] += answer["looks"]
        return list(answer["found"])


def _handlers(seen: Seen) -> dict[str, Callable[[Any], None]]:
    """What writes down what happens on a page, by the event."""

    def complain(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            seen.complaints.append(f"{message.text} {message.location['url']}")

    return {
        "console": complain,
        "pageerror": lambda error: seen.complaints.append(str(error)),
        "request": lambda request: seen.requests.append(request.url),
        "requestfailed": lambda request: seen.complaints.append(f"{request.url}: {request.failure}"),
    }
