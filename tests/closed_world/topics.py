"""What this site is about, as words, and whether a text of torch is covered by the catalogue."""

import re
from collections.abc import Iterable, Iterator

from closed_world.said import Said, is_long
from proof.front_matter import ErrorEntry
from proof.message import Message

_WORDS = {
    "gradients": r"(?<![a-z])grad(ient)?s?(?![a-z])|requires?_grad|autograd|derivative"
    r"|differentia|GradientEdge|AccumulateGrad",
    "backward": r"\bbackwards?\b|_backwards_|\bretain|forward call|anomaly|nan values|loss function depends",
    "leaves and tensors": r"\bleaf|\bleaves|(?-i:\bVariables?\b)|\bvolatile"
    r"|set_data|deleting tensor data|torch\.nn\.Parameter\b",
    "in place": r"in-?place|out-of-place|mutat|version.counter|resize_\(\)|swap_tensors|(cannot|couldn't) swap",
    "views and memory": r"\bviews?\b|expanded tensor|single memory location|internal overlap|mark_shared_storage",
    "values that do not fit": r"broadcast shape|expanded size|indexing result"
    r"|number of sizes provided|can't assign a\b",
    "types that do not fit": r"desired output type|same scalar type|self\.dtype"
    r"|dtypes match|self and source (expected|to have)",
    "modes": r"inference.?(mode|tensor)|\bdetach",
    "saved tensors": r"saved?[_ ](tensor|variable|for_)|mark_dirty|recomputation|recomputed values|use_reentrant",
    "hooks": r"(?<![a-z])hooks?\b|has returned an incorrect number"
    r"|changed the (size|type) of value|return None or a tuple",
    "optimizers": r"optimi[sz](er|ation param)|param(eter)?[_ ]groups?|\blr\b|\bbetas\b"
    r"|\bclosure|capturable|foreach|\bfused",
    "scaling": r"unscale|inf checks|_scale is None|since the last update",
    "sparse gradients": r"sparse params|add\(sparse, dense\)",
    "modules": r"DistributedDataParallel|static_graph|training graph|nn\.utils\.weight_norm",
    "torch.func": r"\bprimals?\b|cotangents|\bargnum|transform API|user-provided function"
    r"|to only contain tensors|reparametrizing",
    "vmap": r"batching rule|vmap staticmethod|vmap support|under vmap",
}
TOPIC = re.compile("|".join(_WORDS.values()), re.IGNORECASE)
"""The words of the subject: a text without any of them is about something else."""


class Catalogue:
    """The messages of the catalogue, as texts of torch are looked up in them."""

    def __init__(self, entries: Iterable[ErrorEntry]) -> None:
        self.entries = list(entries)
        self._texts = [plain(constant(entry.message)) for entry in self.entries]
        self._text = "\n".join(self._texts)
        self._longest = [max(text.split("\0"), key=len).strip() for text in self._texts]

    def has(self, said: Said) -> bool:
        """Whether the catalogue has a text of torch.

        It has one that is part of a message, and one that is a whole message with its holes filled. Where something is
        filled in in torch's text too, the pieces between must be parts of messages. A piece of one or two words need
        not: "of the" or "but got" say nothing by themselves, and stand in every other message of torch.
        """
        long = [piece for piece in said.pieces if is_long(piece)]
        filled = "0".join(said.pieces)
        return (
            self._is_part(said.text)
            or self._is_part(filled)
            or (bool(long) and all(self._is_part(piece) for piece in long))
        )

    def answering(self, said: Said) -> list[str]:
        """The ids of the messages of which a text of torch is the whole, or that have a long piece of it."""
        texts = [plain(text) for text in (said.text, "0".join(said.pieces), *said.pieces) if is_long(text)]
        parts = {
            entry.id for text in texts for entry, own in zip(self.entries, self._texts, strict=True) if text in own
        }
        return sorted(parts | {id_ for text in texts for id_ in self._wholes(text)})

    def _is_part(self, text: str) -> bool:
        text = plain(text)
        return text in self._text or any(self._wholes(text))

    def _wholes(self, text: str) -> Iterator[str]:
        for entry, longest in zip(self.entries, self._longest, strict=True):
            if longest in text and entry.message.pattern.fullmatch(text):
                yield entry.id


def constant(message: Message) -> str:
    """The constant texts of a message, with a zero character where something is filled in."""
    return "".join(literal if name is None else f"{literal}\0" for literal, name, _ in message.parts)


def plain(text: str) -> str:
    """Returns a text on one line, with one space between words."""
    return " ".join(text.split())
