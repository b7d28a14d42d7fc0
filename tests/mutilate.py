"""Messages as people paste them: wrapped, cut, coloured, with a log's prefixes, quoted, escaped, among other errors.

Everything is made from the catalogue of messages and the number of the copy, so that each run tries the same texts.
"""

import html
import itertools
import json
import random
import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from proof.front_matter import ErrorEntry
from proof.message import Message

_FILLINGS = {
    "": ["ExpBackward0", "[4, 4]", "torch.FloatTensor", "model.weight"],
    "d": ["0", "1", "2", "17"],
    "w": ["aten.mm.default"],
}

_FRAMES = """\
Traceback (most recent call last):
  File "/home/someone/train.py", line 112, in <module>
    main(parse_arguments())
  File "/home/someone/train.py", line 87, in main
    loss = criterion(model(batch), target)
  File "/usr/lib/python3.11/site-packages/torch/nn/modules/module.py", line 1775, in _wrapped_call_impl
    return self._call_impl(*args, **kwargs)
"""


@dataclass(frozen=True)
class Copy:
    """A mutilated copy of a message, and the message it is of."""

    id: str
    how: str
    text: str


def fill(message: Message, choose: random.Random) -> str:
    """Returns the message with something in its holes."""
    values: dict[str, str] = {}
    text = ""
    for literal, name, kind in message.parts:
        text += literal
        if name is not None:
            text += values.setdefault(name, choose.choice(_FILLINGS[kind]))
    return text


def _wrapped(text: str, choose: random.Random) -> str:
    return textwrap.fill(text, choose.choice([40, 60, 80]), subsequent_indent=choose.choice(["", "    "]))


def _wrapped_within_words(text: str, choose: random.Random) -> str:
    width = choose.choice([38, 57, 80])
    return "\n".join(text[at : at + width] for at in range(0, len(text), width))


def _cut(text: str, choose: random.Random) -> str:
    return text[: int(len(text) * choose.uniform(0.7, 0.95))] + choose.choice(["", "...", "…"])


def _beginning_lost(text: str, choose: random.Random) -> str:
    return "…" + text[int(len(text) * choose.uniform(0.05, 0.3)) :]


def _coloured(text: str, choose: random.Random) -> str:
    colour, end = choose.choice([("\x1b[31m", "\x1b[0m"), ("\x1b[1;91m", "\x1b[39;49m"), ("\\u001b[31m", "\\u001b[0m")])
    return " ".join(f"{colour}{word}{end}" if choose.random() < 0.4 else word for word in text.split(" "))


def _logged(text: str, choose: random.Random) -> str:
    prefix = choose.choice(["[rank0]: ", "2026-03-01 09:12:44,113 ERROR ", "> ", "[2026-03-01 09:12:44] ", "E   "])
    return "\n".join(prefix + line for line in (_FRAMES + textwrap.fill(text, 70)).splitlines())


def _as_html(text: str, choose: random.Random) -> str:
    return html.escape(text).replace("`", "&#96;").replace(" ", choose.choice([" ", "&nbsp;"]))


def _as_json(text: str, choose: random.Random) -> str:
    return json.dumps({"level": "error", "message": textwrap.fill(text, 60), "step": 3})


def _with_other_quotes(text: str, choose: random.Random) -> str:
    return "“" + text.replace("'", "’").replace("`", "‘") + "”"


def _in_a_log(text: str, choose: random.Random) -> str:
    steps = "".join(f"epoch {n} loss {n / 7:.4f} learning rate 0.001\n" for n in range(choose.randrange(5, 300)))
    return f"{steps}{_FRAMES}RuntimeError: {text}\nProcess finished with exit code 1\n"


def _chained(text: str, choose: random.Random) -> str:
    first = f"{_FRAMES}KeyError: 'weight'\n\nDuring handling of the above exception, another exception occurred:\n\n"
    return f"{first}{_FRAMES}RuntimeError: {text}\n"


def _unchanged(text: str, choose: random.Random) -> str:
    return text


MUTILATIONS: list[Callable[[str, random.Random], str]] = [
    _unchanged,
    _wrapped,
    _wrapped_within_words,
    _cut,
    _beginning_lost,
    _coloured,
    _logged,
    _as_html,
    _as_json,
    _with_other_quotes,
    _in_a_log,
    _chained,
]


def copies(entries: Iterable[ErrorEntry], count: int) -> list[Copy]:
    """Returns `count` copies: every wording in turn, each time in another way."""
    wordings = [
        (entry.id, message) for entry in entries for message in (entry.message, *(old for _, old in entry.earlier))
    ]
    return list(itertools.islice(_endless(wordings), count))


def _endless(wordings: list[tuple[str, Message]]) -> Iterator[Copy]:
    for number in itertools.count():
        for place, (id_, message) in enumerate(wordings):
            choose = random.Random(f"{number} {id_} {message.template}")
            mutilate = MUTILATIONS[(number + place) % len(MUTILATIONS)]
            yield Copy(id_, mutilate.__name__.strip("_"), mutilate(fill(message, choose), choose))
