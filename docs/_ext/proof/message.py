"""The text of an error or a warning, as a template whose holes are named.

A template is written like a format string: `Output {index:d} of {node} is a view`.
A hole stands for any text, one with `:d` for digits, one with `:w` for text without white space; the same name twice
stands for the same text.
A literal brace is doubled.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from string import Formatter

_SPECIAL = re.compile(r"[\\^$.|?*+()\[\]{}/]")
"""The characters that mean something in the regular expressions of every language."""

_KINDS = {"": ".+?", "d": r"\d+", "w": r"\S+"}


@dataclass(frozen=True)
class Message:
    """A message of torch: its type's name and its whole text."""

    type: str
    """The name of the exception's or the warning's class, without its module."""
    template: str
    """The whole text, with named holes."""

    def __getstate__(self) -> dict[str, str]:
        """Leaves out what is worked out: a regular expression would be compiled again when it is read."""
        return {"type": self.type, "template": self.template}

    @cached_property
    def parts(self) -> tuple[tuple[str, str | None, str], ...]:
        """The template as triples: a literal text, the name of the hole after it or None, and the hole's kind.

        Raises ValueError where the template is not well formed.
        """
        found = []
        for literal, name, kind, conversion in Formatter().parse(self.template):
            if name is not None and (not name.isidentifier() or kind not in _KINDS or conversion):
                raise ValueError(
                    f"a hole is written {{name}}, {{name:d}} or {{name:w}}, not {{{name}{kind and ':' + kind}}}"
                )
            found.append((literal, name, kind or ""))
        return tuple(found)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The regular expression of the whole text. Raises ValueError where the template is not well formed."""
        seen: set[str] = set()
        pieces = []
        for literal, name, kind in self.parts:
            pieces.append(re.escape(literal))
            if name is not None:
                pieces.append(f"(?P={name})" if name in seen else f"(?P<{name}>{_KINDS[kind]})")
                seen.add(name)
        return re.compile("".join(pieces), re.DOTALL)

    @cached_property
    def portable_pattern(self) -> str:
        """The regular expression without names, as Python, JavaScript and most other languages read it.

        It matches the whole text where `^` and `$` mean its ends and `.` means any character; holes are its groups.
        """
        numbers: dict[str, int] = {}
        pieces = []
        for literal, name, kind in self.parts:
            pieces.append(_SPECIAL.sub(r"\\\g<0>", literal))
            if name in numbers:
                pieces.append(rf"(?:\{numbers[name]})")
            elif name is not None:
                numbers[name] = len(numbers) + 1
                pieces.append(f"({_KINDS[kind]})")
        return "".join(pieces)

    def holes(self, type_name: str, text: str) -> dict[str, str] | None:
        """What stands in the holes if `text` is this message, compared as a whole, else None."""
        text = text.strip()
        if type_name != self.type or not text.startswith(self.parts[0][0] if self.parts else ""):
            return None  # before a regular expression is compiled, of which a catalogue has hundreds
        found = self.pattern.fullmatch(text)
        return found.groupdict() if found else None

    def __str__(self) -> str:
        return f"{self.type}: {self.template}"
