"""What one view of a page costs, as the browser itself counts it."""

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import CDPSession, Page

ALONE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
"""The browser's flag that lets a request to another host fail at once, so that no measurement hangs on a network."""

_COLLECT = """
window.paints = [];
window.shifts = [];
const kept = ({ startTime, value, hadRecentInput }) => ({ startTime, value, hadRecentInput });
const collect = (type, into) =>
    new PerformanceObserver((list) => into.push(...list.getEntries().map(kept))).observe({ type, buffered: true });
collect("largest-contentful-paint", paints);
collect("layout-shift", shifts);
"""


@dataclass(frozen=True)
class View:
    """What one view of a page costs."""

    bytes: int
    """What came over the wire, headers too, as compressed as it came."""
    requests: int
    """How many requests the page's own host answered."""
    foreign: int
    """How many went to other hosts; none is answered here."""
    paint: float
    """Milliseconds until the largest contentful paint."""
    shift: float
    """The cumulative layout shift."""


class _Meter:
    """Counts what goes over the wire, from the events of the browser's protocol."""

    def __init__(self, session: CDPSession, address: str) -> None:
        self._address = address
        self.begin()
        session.on("Network.requestWillBeSent", self._sent)
        session.on("Network.requestServedFromCache", lambda event: self.own.discard(event["requestId"]))
        session.on("Network.responseReceived", self._received)
        session.on("Network.loadingFinished", self._finished)

    def begin(self) -> None:
        """Counts from nothing."""
        self.own: set[str] = set()
        self.foreign = self.bytes = 0

    def _sent(self, event: dict[str, Any]) -> None:
        url = event["request"]["url"]
        if url.startswith(self._address):
            self.own.add(event["requestId"])
        elif not url.startswith(("data:", "blob:")):
            self.foreign += 1

    def _received(self, event: dict[str, Any]) -> None:
        if event["response"].get("fromDiskCache"):
            self.own.discard(event["requestId"])

    def _finished(self, event: dict[str, Any]) -> None:
        if event["requestId"] in self.own:
            self.bytes += int(event["encodedDataLength"])


class Visitor:
    """Somebody who opens pages of one site, one after another, in a browser that keeps what it has fetched."""

    def __init__(self, page: Page, address: str, line: dict[str, float] | None = None) -> None:
        """The line is what `Network.emulateNetworkConditions` takes; None for no limits."""
        self._page, self._address = page, address
        page.add_init_script(_COLLECT)
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        if line:
            session.send("Network.emulateNetworkConditions", {"offline": False, **line})
        self._meter = _Meter(session, address)

    def view(self, name: str) -> View:
        """Opens a page and waits until it fetches nothing more."""
        self._meter.begin()
        self._page.goto(self._address + name, wait_until="networkidle")
        paints, shifts = self._page.evaluate("[paints, shifts]")
        paint = paints[-1]["startTime"] if paints else 0.0
        meter = self._meter
        return View(meter.bytes, len(meter.own), meter.foreign, paint, layout_shift(shifts))


def layout_shift(shifts: list[dict[str, Any]]) -> float:
    """Returns the largest sum of shifts in a session: none that the reader caused, at most a second
    between two of them and five from the first to the last."""
    largest = total = begin = before = 0.0
    for shift in shifts:
        if shift["hadRecentInput"]:
            continue
        time = shift["startTime"]
        if time - before > 1000 or time - begin > 5000:
            total, begin = 0.0, time
        total, before = total + shift["value"], time
        largest = max(largest, total)
    return largest
