"""Which page is about which words: what the box offers where no message of torch stands in a text.

Words are stemmed as Sphinx's own search does it, here and in the browser, and weighted by Okapi BM25, a word of a title
counting more than one of the text. A page keeps the words that tell most of it.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from docutils import nodes
from sphinx.search.en import SearchEnglish

from render.asked import CLASS, LABEL
from render.claims import claim

WORDS_A_PAGE, WORDS_OF_A_MESSAGE = 21, 5
"""How many words stand for a page, and for one that answers a message; what the box fetches grows with them."""

_MOST = 9
"""The greatest weight, so that one digit holds it."""

_FIRST, _STEP = 52, 40
"""How `pack` writes a distance as characters that JSON leaves as they are: `4` is 0, and each `/` before it is 40."""

_WORD = re.compile(r"[a-z_][a-z0-9_]+", re.IGNORECASE | re.ASCII)
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_SATURATION, _LENGTH = 1.2, 0.5
"""BM25's k and b: how soon more of one word tells no more, and how much a long page is held back."""

_LANGUAGE = SearchEnglish({})
_stem = cache(_LANGUAGE.stem)  # a site says the same few thousand words again and again


def stems(text: str) -> Iterator[str]:
    """Yields the words of a text as they are searched for; of `register_hook` and `CopySlices` the parts."""
    for word in _WORD.findall(text):
        parts = _PART.findall(word)
        for part in dict.fromkeys(map(str.lower, parts)) if len(parts) > 1 else (word.lower(),):
            if len(part) > 1 and part not in _LANGUAGE.stopwords:
                yield _stem(part)


@dataclass(frozen=True)
class Words:
    """The words of a page."""

    count: Counter[str]
    """How often each stands on it, outputs left out, words in telling places counting more."""
    asked: frozenset[str]
    """Those of the questions at its foot, which it keeps however common they are."""


def words_of(document: nodes.document) -> Words:
    """Returns the words of a page."""
    count: Counter[str] = Counter()
    for text in document.findall(nodes.Text):
        worth = _worth(text)
        for word in stems(text.astext()) if worth else ():
            count[word] += worth
    questions = [part.astext() for part in document.findall(nodes.paragraph) if CLASS in part["classes"]]
    return Words(count, frozenset(word for question in questions for word in stems(question)) - {*stems(LABEL)})


def index_words(pages: Mapping[str, Words], answering: Collection[str]) -> dict[str, dict[int, int]]:
    """Returns for each word the pages it stands for, by their place in `pages`, with its weight there, from 1 to 9.

    A page that is `answering` a message counts half: who has its message needs no words.
    """
    counts = [words.count for words in pages.values()]
    usual = sum(map(Counter.total, counts)) / max(1, len(counts))
    spread = Counter(word for count in counts for word in count)
    rare = {word: math.log(1 + (len(counts) - times + 0.5) / (times + 0.5)) for word, times in spread.items()}
    most = max(rare.values(), default=1)
    words: dict[str, dict[int, int]] = {}
    for page, (name, count) in enumerate(zip(pages, counts, strict=True)):
        kept = WORDS_OF_A_MESSAGE if name in answering else WORDS_A_PAGE
        room = _SATURATION * (1 - _LENGTH + _LENGTH * count.total() / usual)
        weights = {word: rare[word] * times / (times + room) for word, times in count.items()}
        telling = sorted(weights, key=lambda word: (-weights[word], word))[:kept]
        for word in {*telling, *pages[name].asked}:
            weight = weights[word]
            words.setdefault(word, {})[page] = max(1, round(_MOST * weight / most / (1 + (name in answering))))
    return dict(sorted(words.items()))


def pack(words: Mapping[str, Mapping[int, int]]) -> dict[str, str]:
    """Returns the index as three short texts: the words, the pages of each as distances, and the weights as digits."""
    pages = ["".join(map(_distance, places, places[1:])) for places in ([0, *found] for found in words.values())]
    weights = "".join(str(weight) for found in words.values() for weight in found.values())
    return {"words": " ".join(words), "pages": " ".join(pages), "weights": weights}


def _distance(before: int, after: int) -> str:
    steps, rest = divmod(after - before, _STEP)
    return "/" * steps + chr(_FIRST + rest)


def _worth(text: nodes.Text) -> int:
    """How many times a word counts, for where it stands."""
    node: nodes.Node | None = text.parent
    worth = 1
    while isinstance(node, nodes.Element) and not isinstance(node, nodes.document):
        classes: set[str] = set(node.get("classes", ()))
        if classes & {"output", "error-link"} or (
            isinstance(node, nodes.strong) and "message" in node.parent["classes"]
        ):
            return 0  # what a run gave, and the type of a message, which most messages share
        if isinstance(node, nodes.title):
            return 4 if isinstance(node.parent.parent, nodes.document) else 3
        if CLASS in classes:
            return 8
        if isinstance(node, claim) or "message" in classes:
            worth = 2
        node = node.parent
    return worth
