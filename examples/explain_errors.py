"""Names the cause and the fix of PyTorch's autograd errors, below a traceback or for a log.

    python explain_errors.py < log     # or: python explain_errors.py log
    import explain_errors              # adds a note with the link below such an exception: in a program, in
                                       # sitecustomize.py, or in a start-up file of IPython

AUTOGRAD_IN_PLACE=0 switches the notes off. The site's copy has the catalogue of messages in it; this one reads it from
`errors.json` beside it, or from the file in AUTOGRAD_IN_PLACE_CATALOGUE. Notes need Python 3.11.
A message is known by its pairs of neighbouring words, as in the box of the site, `docs/_static/box/match.js`.
"""

from __future__ import annotations

import html
import json
import math
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

Entry = dict[str, Any]
Run = dict[str, Any]
Holes = dict[str, str]
Word = tuple[str, int, int]

CATALOGUE = None  # the site puts the text of errors.json here

GAP, TELLING, SHORT, CUT_PAIRS, REST, SHARE, PART, PART_PAIRS = 60, 3, 6, 3, 0.7, 0.6, 0.8, 5
OTHER, OTHER_PAIRS, SPREAD, MISSING = 0.4, 10, 2.5, 0.1

_COLOUR = r"(?:\x1b|\\(?:x1b|u001b|033|e))\[[0-9;?]{0,20}[A-Za-z]"
_ESCAPED = r"\\[nrt\"'\\]"
_WORD = re.compile(
    rf"{_COLOUR}|\x1b\][^\x07\x1b]{{0,300}}(?:\x07|\x1b\\)|&(?:\#x?[0-9a-f]{{1,6}}|[a-z]{{2,8}});|{_ESCAPED}|([a-z0-9_]+)",
    re.IGNORECASE | re.ASCII,
)
_PREFIX = r"\n[ \t]*(?:(?:\[[^\]\n]{1,40}\]:?|\d{4}-\d\d-\d\d[T ][\d:.,+Z-]+|[A-Z]{4,8}:?|[>|])[ \t]+)+"
_HOLE = re.compile(r"\{\{|\}\}|\{([a-z_0-9]+)(?::[dw])?\}|[^{}]+|.", re.DOTALL)


class Wording:
    """One wording of a message: its pieces between the holes, and its pairs of words."""

    def __init__(self, entry: Entry, template: str) -> None:
        self.entry, self.page = entry, entry["url"].partition("#")[0]
        self.pieces, self.holes, self.begins = [""], list[str](), True
        self.pairs: list[tuple[str, str]] = []
        self.sums: list[float] = []  # of the weights of the first pairs
        for found in _HOLE.finditer(template):
            if found[1]:
                self.holes.append(found[1])
                self.pieces.append("")
            else:
                self.pieces[-1] += {"{{": "{", "}}": "}"}.get(found[0], found[0])
        for place, piece in enumerate(self.pieces):  # a word that a hole touches is not known
            inner = re.sub(r"^\w+" if place else "^", "", piece)
            inner = re.sub(r"\w+$" if place + 1 < len(self.pieces) else "$", "", inner)
            for part in re.split(r"\w+(?:Error|Warning)\b", inner):  # such a name stands before every message
                for pair in pairwise([word for word, _, _ in words_of(part)]):
                    if pair not in self.pairs:
                        self.pairs.append(pair)
                    elif pair == self.pairs[0]:
                        self.begins = False


class Finder:
    """Finds the messages of a catalogue in a text."""

    def __init__(self, catalogue: dict[str, Any]) -> None:
        entries = catalogue["errors"]
        wordings = ((entry, said["message"]) for entry in entries for said in [entry, *entry.get("earlier", ())])
        self.wordings = [Wording(entry, template) for entry, template in wordings]
        pages: dict[tuple[str, str], set[str]] = {}
        for wording in self.wordings:
            for pair in wording.pairs:
                pages.setdefault(pair, set()).add(wording.page)
        self.weights = {pair: math.log(1 + len(entries) / len(found)) for pair, found in pages.items()}
        self.telling = math.log(1 + len(entries) / TELLING)
        self.slots: dict[tuple[str, str], list[tuple[int, int]]] = {}
        for number, wording in enumerate(self.wordings):
            wording.sums = list(accumulate((self.weights[pair] for pair in wording.pairs), initial=0.0))
            for place, pair in enumerate(wording.pairs):
                self.slots.setdefault(pair, []).append((number, place))
        self.vocabulary = {word for pair in self.slots for word in pair}

    def find(self, text: str) -> list[tuple[Entry, Holes]]:
        """Returns the messages in a text, one a page, the last first: the entry, and what stands in its holes."""
        words = words_of(text)
        places, found = self._places(self._joined(text, words), len(words)), dict[str, tuple[Entry, Holes]]()
        while places:
            last = max(places, key=lambda place: place["last"])
            best, holes = self._best([place for place in places if place["last"] >= last["start"]], text, words)
            places = [place for place in places if place["last"] < min(last["start"], best["start"])]
            wording = self.wordings[best["wording"]]
            found.setdefault(wording.page, (wording.entry, holes))
        return list(found.values())

    def _joined(self, text: str, words: list[Word]) -> Iterator[tuple[int, str, int]]:
        """Yields the place of each word, the word, and how many it takes: two where a line break has cut it."""
        taken = 0
        for at, ((word, _, end), (after, start, _)) in enumerate(pairwise([*words, ("", 0, 0)])):
            taken -= 1
            if taken <= 0:
                known = word in self.vocabulary and after in self.vocabulary
                cut = not known and 0 < start - end <= 8 and "\n" in text[end:start] and word + after in self.vocabulary
                taken = 2 if cut else 1
                yield at, word + after if cut else word, taken

    def _places(self, words: Iterator[tuple[int, str, int]], count: int) -> list[Run]:
        """Returns the last place of every wording that is there."""
        runs: dict[int, Run] = {}
        every, before, start = list[Run](), "", 0
        for at, word, taken in words:
            for number, place in self.slots.get((before, word), ()):
                run, wording = runs.get(number), self.wordings[number]
                if run is None or at - run["last"] > GAP or (place == 0 and wording.begins):
                    run = runs[number] = {"wording": number, "start": start, "seen": set(), "score": 0.0}
                    every.append(run)
                run["last"] = at + taken - 1
                if place not in run["seen"]:
                    run["seen"].add(place)
                    run["score"] += self.weights[wording.pairs[place]]
            before, start = word, at
        there = {run["wording"]: run for run in every if self._is_there(run, count - run["last"] <= 2)}
        return [there[number] for number in sorted(there)]

    def _is_there(self, run: Run, at_end: bool) -> bool:
        wording, seen, score = self.wordings[run["wording"]], run["seen"], run["score"]
        count, total = len(wording.pairs), wording.sums[-1]
        if len(seen) == count:
            return True
        best = max(self.weights[wording.pairs[place]] for place in seen)
        if best < self.telling and len(seen) < OTHER_PAIRS:
            return False
        if at_end and min(seen) == 0 and len(seen) >= max(CUT_PAIRS, max(seen) + 1):
            return True
        if count <= SHORT:
            return bool(run["start"] <= 2 and max(seen) + 1 == count and score >= REST * total)
        others = len(seen) >= OTHER_PAIRS and run["last"] - run["start"] <= SPREAD * count
        if score >= SHARE * total or (others and score >= OTHER * total):
            return True
        part = wording.sums[max(seen) + 1] - wording.sums[min(seen)]
        return bool(len(seen) >= PART_PAIRS and score >= PART * part)

    def _best(self, here: list[Run], text: str, words: list[Word]) -> tuple[Run, Holes]:
        """Returns of the wordings at one place the one that fits best, and what stands in its holes."""

        def read(run: Run) -> tuple[Holes, int]:
            start, end = words[run["start"]][1], words[run["last"]][2]
            part = text[max(0, start - 200) : min(end, start + 20_000) + 400]
            return holes_of(part, self.wordings[run["wording"]])

        ranks = [run["score"] - MISSING * (self.wordings[run["wording"]].sums[-1] - run["score"]) for run in here]
        tops = [run for run, rank in zip(here, ranks, strict=True) if rank >= max(ranks) - 1e-9]
        best = max(tops, key=lambda run: read(run)[1])
        wording = self.wordings[best["wording"]]
        if len(best["seen"]) < len(wording.pairs):  # the text is cut: the catalogue's order decides between pages
            first = next(run for run in here if abs(run["score"] - best["score"]) < 1e-9)
            best = best if self.wordings[first["wording"]].page == wording.page else first
        return best, read(best)[0]


def words_of(text: str) -> list[Word]:
    """Returns the words of a text in small letters, each with its start and end."""
    return [(found[1].lower(), found.start(), found.end()) for found in _WORD.finditer(text) if found[1]]


def holes_of(part: str, wording: Wording) -> tuple[Holes, int]:
    """Returns what stands in the holes of a wording, as far as its pieces are found in order, and how much is exact."""
    for pattern, sign in [(_COLOUR, ""), (_PREFIX, "\n"), (r"\\([\"'])", r"\1"), (r"\\[nrt\\]", " ")]:
        part = re.sub(pattern, sign, part)
    part = re.sub(r"\s+", " ", html.unescape(part))
    holes, at, exact = {}, 0, 0
    for number, piece in enumerate(wording.pieces):
        whole = re.sub(r"\s+", " ", piece)
        starts = [re.match(pattern, whole) for pattern in (r".+", r" ?\S+ \S+ \S+", r" ?\S*[a-z]\S*")]
        places = [(part.find(start[0], at), len(start[0])) for start in starts if start]
        next_, length = next((place for place in places if place[0] >= 0), (-1, 0))
        if number == len(wording.pieces) - 1 and not piece.strip():
            next_, length = len(part), 0
        if next_ < 0:
            break
        if number:
            hole = part[at:next_].strip()
            first = number == 1 and not wording.pieces[0].strip()
            holes[wording.holes[number - 1]] = hole.rpartition(" ")[2] if first else hole
        at, exact = next_ + length, exact + length
    return holes, exact


def say(says: str, holes: Holes) -> str:
    """Returns the message in plain words, or nothing where a hole of it is not known."""

    def fill(found: re.Match[str]) -> str:
        one, other, kind = found.groups()
        if kind == "op":
            return re.sub("([a-z0-9])([A-Z])", r"\1_\2", re.sub(r".*:|Backward\d*$", "", holes[one])).lower()
        count = int(holes[one]) - int(holes[other]) if other else 0
        return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times") if other else holes[one]

    try:  # a hole that is not known says nothing
        return re.sub(r"\{([a-z_]+)(?:-([a-z_]+))?(?::(op|times))?\}", fill, says)
    except (KeyError, ValueError):
        return ""


def explain(text: str, finder: Finder) -> str:
    """Returns what the site says to the messages in a text, the last one first, or nothing."""
    return "\n\n".join(_answer(entry, holes) for entry, holes in finder.find(text))


def _answer(entry: Entry, holes: Holes) -> str:
    lines = [entry["title"], say(entry.get("says", ""), holes), entry["cause"], f"Fix: {entry['fix']}", entry["url"]]
    return "\n".join(filter(None, lines))


def load() -> Finder:
    """Returns the finder of the catalogue. Raises OSError where there is none."""
    path = os.environ.get("AUTOGRAD_IN_PLACE_CATALOGUE") or Path(__file__).with_name("errors.json")
    return Finder(json.loads(CATALOGUE or Path(path).read_text("utf-8")))


def add_note(error: Any, finder: Finder | None = None) -> None:
    """Adds a note to the first exception of a chain whose message the catalogue has; never raises."""
    try:
        if os.environ.get("AUTOGRAD_IN_PLACE") == "0":
            return
        finder = finder or load()
        for _ in range(20):
            found = finder.find(f"{type(error).__name__}: {error}")
            if found:
                note = "\n" + _answer(*found[0])
                if note not in getattr(error, "__notes__", ()):
                    error.add_note(note)
                return
            error = error.__cause__ or error.__context__
    except Exception:  # an explanation must not stand in the way of what it explains
        return


def install() -> None:
    """Lets Python, threads and IPython add a note to what they are about to show."""
    sys.excepthook = _noting(sys.excepthook, lambda arguments: arguments[1])
    threading.excepthook = _noting(threading.excepthook, lambda arguments: arguments[0].exc_value)
    if "IPython" in sys.modules and (shell := sys.modules["IPython"].get_ipython()):
        shell.showtraceback = _noting(shell.showtraceback, lambda _: sys.exc_info()[1])


def _noting(show: Callable[..., Any], error_of: Callable[[tuple[Any, ...]], Any]) -> Callable[..., Any]:
    def show_with_note(*arguments: Any, **options: Any) -> Any:
        add_note(error_of(arguments))
        return show(*arguments, **options)

    return show_with_note


def main() -> int | str:
    """Prints the answers to the messages in the file named, or in standard input."""
    try:
        log = Path(sys.argv[1]).read_bytes() if sys.argv[1:] else sys.stdin.buffer.read()
        answers = explain(log[-1_000_000:].decode("utf-8", "replace"), load())
    except OSError as error:
        return f"{error}. The copy on the site has the catalogue in it; this one looks for errors.json beside it."
    print(answers or "No message of torch's autograd that the catalogue has stands in this text.")
    return 0 if answers else 1


if __name__ == "__main__":
    sys.exit(main())
else:
    install()
