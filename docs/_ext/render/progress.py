"""A line on the terminal that says how far the run of the pages has come."""

import sys
import time
from collections.abc import Collection

from sphinx.util import logging

from proof.verdict import Verdict

_LOGGER = logging.getLogger(__name__)


class Progress:
    """Counts pages, claims and seconds; silent where standard error is no terminal."""

    def __init__(self, pages: int) -> None:
        self.pages, self.begin, self.terminal = pages, time.monotonic(), sys.stderr.isatty()

    def show(self, verdicts: Collection[Verdict]) -> None:
        """Writes the line anew."""
        if self.terminal:
            claims = sum(verdict.claims for verdict in verdicts)
            seconds = time.monotonic() - self.begin
            sys.stderr.write(f"\r{len(verdicts)} of {self.pages} pages, {claims} claims, {seconds:.1f} s\x1b[K")
            sys.stderr.flush()

    def close(self, verdicts: Collection[Verdict]) -> None:
        """Takes the line away, and says what was found if nothing is wrong."""
        if self.terminal:
            sys.stderr.write("\r\x1b[K")
        if not any(verdict.problems for verdict in verdicts):
            claims, expected = sum(v.claims for v in verdicts), sum(v.expected for v in verdicts)
            text = "%d pages: %d claims hold, %d errors and warnings came as expected"
            _LOGGER.info(text, len(verdicts), claims, expected)
