"""A text of torch, and the pieces of it that stand there as they are said."""

import re
from dataclasses import dataclass

_FILLED = re.compile(r"%(?:\(\w+\))?[-#0 +]*[\d.]*l{0,2}[sdrifgxzu]+|\{[^{},\s]*\}")
"""What is filled in: `%s`, `{name}`; a list in braces is text."""

_WORD = re.compile(r"(?<!\S)[\W_]*[A-Za-z]{2,}")


@dataclass(frozen=True)
class Said:
    """A message, or as much of one as stands together in torch's files."""

    place: str
    """The library's name, or the source file's path from torch's folder, and the line."""
    text: str
    """The text; in one of Python, empty braces stand for what is filled in."""
    pieces: tuple[str, ...]
    """Its constant texts, in order."""

    def __str__(self) -> str:
        return f"{self.place}: {self.text!r}"


def pieces_of(text: str) -> list[str]:
    """Returns the constant texts of a format string."""
    return _FILLED.split(text)


def is_long(text: str) -> bool:
    """Whether a text has three words or more, so that it says something by itself."""
    return len(_WORD.findall(text)) >= 3
