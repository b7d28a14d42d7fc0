"""What can be wrong with a page, and how it is told."""

from dataclasses import dataclass
from enum import Enum
from textwrap import indent


class Kind(Enum):
    """Every way a page can be wrong. The value is the subtype of the warning, as in `proof.claim-false`."""

    UNREADABLE = "unreadable"
    """The file is empty, or its front matter or a cell's options cannot be read."""
    ENCODING = "encoding"
    """The file is not UTF-8."""
    FRONT_MATTER = "front-matter"
    """The front matter can be read, but what it says of an error message is incomplete."""
    OPTION = "option"
    """A claim or a cell has an option, an id or a tag that does not exist."""
    DUPLICATE = "duplicate"
    """Two claims, or two error messages, have the same id."""
    UNKNOWN_ID = "unknown-id"
    """`:raises:` or `:warns:` names an error page that does not exist."""
    NO_PROOF = "no-proof"
    """No code cell follows the claim directly."""
    NESTED = "nested"
    """A claim or a cell stands inside another directive, a list or a quotation."""
    CANNOT_FAIL = "cannot-fail"
    """The proof asserts nothing, or nothing that could be false."""
    FALSE = "claim-false"
    """An assertion of the proof failed."""
    NOT_RAISED = "not-raised"
    """The cell names an error, and nothing was raised."""
    OTHER_ERROR = "other-error"
    """The cell names an error, and another one was raised."""
    UNEXPECTED_ERROR = "unexpected-error"
    """The cell names no error, and one was raised."""
    NOT_WARNED = "not-warned"
    """The cell names a warning, and there was none."""
    OTHER_WARNING = "other-warning"
    """The cell names a warning, and there was another one."""
    UNEXPECTED_WARNING = "unexpected-warning"
    """The cell names no warning, and there was one."""
    NO_TABLE = "no-table"
    """The cell names a table, and its value is none."""
    NOT_RUN = "not-run"
    """The cell did not run to its end: it hung, ended its process, or came after one that did."""


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong, with its place."""

    place: str
    """The page's path from the repository's root, `docs/guide/leaf.md`."""
    line: int
    """The line in the page, counted from 1."""
    kind: Kind
    """Which way it is wrong."""
    text: str
    """What is wrong and, where it is not plain, what to do."""
    id: str = ""
    """The id of the claim or of the error message, where there is one."""
    expected: str = ""
    """The text that was expected, where two texts are compared."""
    got: str = ""
    """The text that came instead."""

    @property
    def message(self) -> str:
        """The problem without its place, both texts under each other."""
        lines = [f"{self.id}: {self.text}" if self.id else self.text]
        for label, text in (("expected", self.expected), ("got", self.got)):
            if text:
                lines.append(f"    {label + ':':<10}" + indent(text, " " * 14).strip())
        return "\n".join(lines)

    def __str__(self) -> str:
        """The problem with its place, as an editor can jump to it."""
        return f"{self.place}:{self.line}: {self.message} [proof.{self.kind.value}]"
