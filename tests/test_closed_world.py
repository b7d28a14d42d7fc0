"""The closed world: each message of the installed torch on the subject has a page, or a reason why it needs none."""

import gc
import importlib.util
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
from closed_world import exemptions, libraries, sources
from closed_world.exemptions import Exemption
from closed_world.said import Said
from closed_world.topics import TOPIC, Catalogue, constant, plain

from proof.book import names_of, read_book

DOCS = Path(__file__).parents[1] / "docs"
EXEMPTIONS = Path(__file__).parent / "closed_world" / "exemptions.toml"

WELL_KNOWN = [
    "a leaf Variable that requires grad is being used in an in-place operation.",
    "a view of a leaf Variable that requires grad is being used in an in-place operation.",
    "one of the variables needed for gradient computation has been modified by an inplace operation: [",
    " of tensors does not require grad and does not have a grad_fn",
    "Trying to backward through the graph a second time",
    "you can only change requires_grad flags of leaf variables.",
    "Inference tensors cannot be saved for backward.",
    "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.",
    "grad can be implicitly created only for scalar outputs",
    "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol",
    "can't optimize a non-leaf Tensor",
    "cannot register a hook on a tensor that doesn't require gradient",
    "Legacy autograd function with non-static forward method is deprecated.",
    "Expected to have finished reduction in the prior iteration before starting a new one.",
    "DistributedDataParallel is not needed when a module doesn't have any parameter that requires a gradient.",
]
"""Beginnings and parts of messages that every reader of torch's files must find."""

FOR_USERS = ["_tensor.py:1", "nn/modules/module.py:1", "nn/parallel/distributed.py:1", "optim/adam.py:1"]
FOR_USERS += ["autograd/graph.py:1", "utils/checkpoint.py:1", "utils/hooks.py:1", "_functorch/eager_transforms.py:1"]
FOR_USERS += ["_functorch/apis.py:1", "amp/grad_scaler.py:1", "nn/parameter.py:1", "_dynamo/variables/tensor.py:1"]
"""Places of torch that speak to its users, whose messages are exempt one by one."""

PYTHON = [
    "object has no attribute",
    "' has no attribute '",
    "object is not iterable",
    "required positional argument",
    "must be a string or a real number",
]
"""Python's own words, which torch's files have for other reasons."""


@dataclass(frozen=True)
class World:
    """What the installed torch can say, and what of it the catalogue has."""

    others: list[Said]
    """What is about something else."""
    answered: list[Said]
    """What is on the subject and has a page."""
    unanswered: list[Said]
    """What is on the subject and has none."""
    catalogue: Catalogue


@pytest.fixture(scope="module")
def world() -> World:
    """All texts of the installed torch, without importing it."""
    found = importlib.util.find_spec("torch")
    assert found is not None
    assert found.origin is not None
    folder = Path(found.origin).parent
    catalogue = Catalogue(read_book(DOCS, names_of(DOCS)).errors.values())
    gc.disable()  # it would look for cycles in the syntax trees of all of torch, which takes as long as reading them
    texts = [*libraries.texts(folder / "lib"), *sources.messages(folder)]
    gc.enable()
    subject = [said for said in texts if TOPIC.search(said.text)]
    answered = [said for said in subject if catalogue.has(said)]
    known = set(answered)
    others = [said for said in texts if not TOPIC.search(said.text)]
    return World(others, answered, [said for said in subject if said not in known], catalogue)


@pytest.fixture(scope="module")
def families() -> list[Exemption]:
    """The exemptions."""
    return exemptions.read(EXEMPTIONS)


def test_every_message_has_a_page_or_a_reason(world: World, families: list[Exemption]) -> None:
    """What torch can say on the subject is answered, or exempt."""
    missing = exemptions.missing(world.unanswered, families)

    assert missing == [], f"{len(missing)} texts of torch have no page:\n" + "\n".join(missing)


def test_every_exemption_is_needed(world: World, families: list[Exemption]) -> None:
    """Where a page came, or torch no longer says it, the exemption goes."""
    unneeded = list(exemptions.unneeded(world.unanswered, families))

    assert unneeded == [], "\n".join(unneeded)


def test_no_exemption_is_too_wide(world: World, families: list[Exemption]) -> None:
    """No expression matches a message that has a page, and nothing for users is exempt by its place alone."""
    by_place = [one for one in families if not one.texts]
    too_wide = [f"{one}: {place}" for one in by_place for place in FOR_USERS if one.has(Said(place, "", ()))]
    too_wide += exemptions.too_wide(world.answered, families)

    assert too_wide == [], "\n".join(too_wide)


def test_counts(world: World, families: list[Exemption], capsys: pytest.CaptureFixture[str]) -> None:
    """The readers find as much as a release of torch says; one that finds little is broken."""
    subject = Counter(_source(said) for said in world.answered + world.unanswered)
    answered = Counter(_source(said) for said in world.answered)
    with capsys.disabled():
        print(f"\n{len(world.catalogue.entries)} messages in the catalogue, {len(families)} exemptions")
        for source, count in sorted(subject.items()):
            print(f"{source:>20}: {count:5} texts on the subject, {answered[source]:4} with a page")

    assert subject["libc10.so"] >= 5
    assert subject["libtorch_cpu.so"] >= 600
    assert subject["libtorch_python.so"] >= 100
    assert subject["Python sources"] >= 1000
    assert answered["libtorch_cpu.so"] >= 100
    assert answered["libtorch_python.so"] >= 50
    assert answered["Python sources"] >= 200
    assert len(world.others) >= 20_000


@pytest.mark.parametrize("text", WELL_KNOWN)
def test_well_known_message_is_found(world: World, text: str) -> None:
    """A message that everybody meets is among the texts on the subject, and has a page."""
    assert any(text in piece for said in world.answered for piece in said.pieces)


def test_topic_finds_the_catalogue(world: World) -> None:
    """A message with a page is about the subject: where torch's files have most of it, TOPIC finds it."""
    found = {id_ for said in world.answered for id_ in world.catalogue.answering(said)}
    texts = {entry.id: plain(constant(entry.message)) for entry in world.catalogue.entries if entry.id not in found}
    own = {id_: len(text) for id_, text in texts.items() if not any(words in text for words in PYTHON)}
    passed_over = [
        f"{id_}: {said}"
        for said in world.others
        for piece in said.pieces
        if len(piece.split()) > 3
        for id_ in own.keys() & world.catalogue.answering(Said(said.place, piece, (piece,)))
        if 2 * len(plain(piece)) > own[id_]
    ]

    assert passed_over == [], "add a word to TOPIC in tests/closed_world/topics.py:\n" + "\n".join(passed_over)


def test_a_new_message_is_reported(world: World, families: list[Exemption]) -> None:
    """What a next release says is reported with its place and what to do, whether C++ or Python says it."""
    new = [Said("libtorch_cpu.so", text, (text,)) for text in ["This leaf was written in place under a gradient tape."]]
    new += sources.messages_of(
        b"if x.is_leaf:\n    raise RuntimeError(f'{x} is a leaf whose grad is frozen')", "nn/new.py"
    )
    unanswered = [said for said in new if TOPIC.search(said.text) and not world.catalogue.has(said)]

    assert exemptions.missing(unanswered, families) == [
        f"libtorch_cpu.so: 'This leaf was written in place under a gradient tape.'\n    {exemptions.WHAT_TO_DO}",
        f"nn/new.py:2: ' is a leaf whose grad is frozen'\n    {exemptions.WHAT_TO_DO}",
    ]


@pytest.mark.parametrize("text", WELL_KNOWN)
def test_a_message_without_its_page_is_reported(world: World, families: list[Exemption], text: str) -> None:
    """Where all pages that have it go, the message is reported: no exemption hides it."""
    rest = Catalogue(entry for entry in world.catalogue.entries if plain(text) not in plain(constant(entry.message)))
    missing = exemptions.missing((said for said in world.answered if not rest.has(said)), families)

    assert any(repr(text)[1:-1] in line for line in missing)


def test_an_unneeded_exemption_is_reported(world: World, tmp_path: Path) -> None:
    """An exemption for what torch does not say, or for what has a page, is reported."""
    path = tmp_path / "exemptions.toml"
    path.write_text('[[library]]\ntexts = ["never said by torch", "^a leaf Variable"]\nreason = "A reason."\n')
    families = exemptions.read(path)

    assert list(exemptions.unneeded(world.unanswered, families)) == [
        "[[library]] 'A reason.': nothing without a page matches 'never said by torch'; take it out",
        "[[library]] 'A reason.': nothing without a page matches '^a leaf Variable'; take it out",
    ]
    assert len(exemptions.too_wide(world.answered, families)) >= 1


def _source(said: Said) -> str:
    return said.place if said.place.endswith(".so") else "Python sources"
