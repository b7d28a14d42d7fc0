"""Tells from an exception what a release does not have yet, so that a page's code cannot run in it."""

import re
from collections.abc import Iterable

_MISSING = (
    # the exception's type, its text, and what is missing
    (r"AttributeError", r"module '((?:torch|functorch)\b[\w.]*)' has no attribute '(\w+)'.*", r"\1.\2"),
    (r"AttributeError", r"type object '(\w+)' has no attribute '(\w+)'.*", r"\1.\2"),
    (
        r"AttributeError",
        r"'(?!NoneType|tuple|list|dict|str|float|int)(\w+)' object has no attribute '(\w+)'.*",
        r"\1.\2",
    ),
    (r"ModuleNotFoundError|ImportError", r"No module named '?([\w.]+)'?.*", r"the module \1"),
    (r"ImportError", r"cannot import name '?(\w+)'? from '([\w.]+)'.*", r"\2.\1"),
    (r"ImportError", r"cannot import name '?(\w+)'?.*", r"\1"),
    (r"TypeError", r"(\S+?)(?:\(\))? got an unexpected keyword argument '(\w+)'.*", r"the argument \2 of \1"),
    (r"TypeError", r"'(\w+)' is an invalid keyword argument for (\S+?)(?:\(\))?", r"the argument \1 of \2"),
    (r"TypeError", r"(\S+?)(?:\(\))? takes no keyword arguments", r"keyword arguments of \1"),
    (r"ValueError", r"Unexpected keyword arguments: (\S+)", r"the argument \1"),
    (r"SyntaxError", r"(.*)", r"the syntax of a newer Python: \1"),
    (r"RuntimeError", r"No such operator ([\w:]+).*", r"torch.ops.\1"),
    (r"RuntimeError", r"(Python \d\.\d+\+? (?:is )?not (?:yet )?supported.*)", r"a newer torch: \1"),
)

_NAME = re.compile(r"NameError: name '(\w+)' is not defined.*", re.DOTALL)


def missing(raised: str) -> str:
    """Returns what is missing where `raised`, as in `AttributeError: …`, says so, else nothing."""
    type_, _, text = raised.partition(": ")
    for types, pattern, what in _MISSING:
        found = re.fullmatch(pattern, text, re.DOTALL) if re.fullmatch(types, type_) else None
        if found:
            return " ".join(found.expand(what).split())
    return ""


def undefined(raised: str) -> str:
    """Returns the name that is not defined where `raised` is a NameError, else nothing."""
    found = _NAME.fullmatch(raised)
    return found[1] if found else ""


def because(name: str, failed: Iterable[tuple[str, str]]) -> str:
    """Says why `name` is not defined, by the cells that failed before: the code of each, and what it lacks.

    What a cell lacks is nothing where something else went wrong in it.
    """
    makers = [lack for code, lack in failed if re.search(rf"\b{name}\b", code)]
    lacking = [lack for lack in makers if lack]
    return lacking[0] if lacking else f"{name}, since the cell that was to make it raised something else"
