"""`says:`, a message put into plain words: a template that is filled from the message's own holes.

    The result of {node:op} was changed {version-expected:times} after it was saved.

`{hole}` is what stands in the message. `{node:op}` names the operation of an autograd node: `exp` for `ExpBackward0`.
`{version-expected:times}` counts a difference: `once`, `twice`, `3 times`.
The box of the site and `examples/explain_errors.py` fill it; here it is only read.
"""

import re
from string import Formatter

from proof.message import Message

CONVERSIONS = ("", "op", "times")

_FIELD = re.compile(r"([a-z_]+)(?:-([a-z_]+))?")


def check_saying(text: str, message: Message) -> None:
    """Raises ValueError where the template is not well formed, or has a hole that its message lacks."""
    kinds = {name: kind for _, name, kind in message.parts if name is not None}
    for _, name, conversion, _ in Formatter().parse(text):
        if name is None:
            continue
        field = _FIELD.fullmatch(name)
        if field is None or conversion not in CONVERSIONS or (field[2] is None) == (conversion == "times"):
            raise ValueError(f"a hole is written {{hole}}, {{node:op}} or {{a-b:times}}, not {{{name}:{conversion}}}")
        for hole in filter(None, field.groups()):
            if hole not in kinds:
                raise ValueError(f"the message has no hole {hole!r}, only {', '.join(kinds) or 'none'}")
            if conversion == "times" and kinds[hole] != "d":
                raise ValueError(f"{{{name}:times}} needs holes for digits, and {hole!r} is for any text")
