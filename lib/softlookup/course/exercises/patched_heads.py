"""What is wrong with a run in which one head was to be patched.

The chapter on looking inside has the learner write activation patching for a small stack of heads.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import torch
from jaxtyping import Float
from torch import Tensor

from softlookup.course.exercises.probes import draw, name_first, require_tensor, same
from softlookup.course.exercises.verdict import Mistake

Stream = Float[Tensor, "length width"]
Layer = Callable[[Stream], Float[Tensor, "heads length width"]]
Patched = Callable[[Sequence[Layer], Stream, Stream, int, int, list[int]], Stream]

LENGTH, WIDTH, HEADS, LAYERS = 7, 5, 3, 4


@dataclass(frozen=True)
class Patch:
    """What is to be patched: a head of a layer, at some places."""

    layer: int
    head: int
    places: tuple[int, ...]


# The first tells a layer from its number, the second places from all, the last a later layer.
QUESTIONS = Patch(1, 2, (1, 4)), Patch(0, 0, (0, 2, 3)), Patch(LAYERS - 1, 1, (6,))


def name_patched(patched: Patched) -> None:
    """Refuse a run that is not the patched one.

    Raises:
        Mistake: saying what was patched in its place, if that is known.
    """
    layers = [_layer(number) for number in range(LAYERS)]
    clean, other = (draw(LENGTH, WIDTH, seed=seed) for seed in (14, 15))
    for question in QUESTIONS:
        got = require_tensor(
            patched(layers, clean, other, question.layer, question.head, [*question.places]),
            (LENGTH, WIDTH),
            meaning="(length, width)",
        )
        right = _run(layers, clean, other, question)
        if same(got, right):
            continue
        name_first(got, _slips(layers, clean, other, question))
        raise Mistake(
            f"with head {question.head} of layer {question.layer} patched at the places "
            f"{[*question.places]} of {LENGTH} your stream is off by up to "
            f"{float((got - right).abs().max()):.2g}. Run both texts layer by layer; at that layer "
            "exchange what that head gives there, and nothing else; and let the later layers read "
            "the stream that comes of it"
        )


def _layer(number: int) -> Layer:
    """Heads that look back, and bend what they bring, so that no two layers change places."""
    queries, keys, values = (
        draw(HEADS, WIDTH, WIDTH, seed=100 + 3 * number + which) for which in range(3)
    )

    def heads(x: Stream) -> Float[Tensor, "heads length width"]:
        scores = (x @ queries) @ (x @ keys).mT / WIDTH
        future = torch.ones(len(x), len(x), dtype=torch.bool).triu(1)
        weights = scores.masked_fill(future, -torch.inf).softmax(dim=-1)
        return (weights @ x @ values).tanh()

    return heads


def _run(
    layers: Sequence[Layer], x: Stream, other: Stream, question: Patch, what: str = ""
) -> Stream:
    """The patched run, or one with a mistake."""
    begun, rows = other, list(question.places)
    brought = torch.zeros_like(x)
    for number, layer in enumerate(layers):
        ours, theirs = layer(x), layer(begun if what == "the beginning" else other)
        said = ours.clone()
        if number == question.layer or what == "every layer":
            given = {"zero": torch.zeros_like(ours), "twice": ours + theirs}.get(what, theirs)
            heads = slice(None) if what == "all heads" else [question.head]
            where = list(range(LENGTH)) if what == "all places" else rows
            if what == "the other places":
                where = [place for place in range(LENGTH) if place not in rows]
            said[heads, where] = given[heads, where] if what != "all heads" else given[:, where]
        if what == "directly":  # no later layer reads it
            brought, said = brought + (said - ours).sum(dim=0), ours
        moved, x = x, x + said.sum(dim=0)
        if what == "no skip":
            x = x - moved
        if what == "the stream" and number == question.layer:
            x[rows] = (other + theirs.sum(dim=0))[rows]
        other = other + theirs.sum(dim=0)
    return x + brought


def _slips(
    layers: Sequence[Layer], x: Stream, other: Stream, question: Patch
) -> list[tuple[Tensor, str]]:
    def run(what: str) -> Stream:
        return _run(layers, x, other, question, what)

    return [
        (
            _run(layers, x, x, question),
            "nothing is patched: this is the run of `x` as it is. What the head says has to come "
            "from the run of `other`",
        ),
        (
            _run(layers, other, other, question),
            "this is the run of `other`, and nothing is patched",
        ),
        (
            _run(layers, other, x, question),
            "the two runs are exchanged: run `x`, and take what the head says from `other`",
        ),
        *(
            (_run(layers, x, other, neighbour), f"you patch {words}; both are counted from 0")
            for neighbour, words in (
                (replace(question, layer=question.layer - 1), "the layer before"),
                (replace(question, layer=question.layer + 1), "the layer behind"),
                (replace(question, head=(question.head - 1) % HEADS), "the head before"),
                (replace(question, head=(question.head + 1) % HEADS), "the head behind"),
            )
        ),
        (run("all places"), "the head is patched at all places; patch it at `places` alone"),
        (run("the other places"), "the head is patched at all places but `places`"),
        (run("all heads"), "all heads of the layer are patched; patch one"),
        (run("every layer"), "the head is patched in every layer; patch it in one"),
        (
            run("directly"),
            "no later layer reads what you patched: you add the change at the end. That is the "
            "head's direct effect alone",
        ),
        (
            run("the stream"),
            "the whole stream is exchanged at these places, with what all earlier layers wrote; "
            "exchange what one head adds to it",
        ),
        (
            run("the beginning"),
            "the head is asked about `other` as it begins; ask it about the stream of `other` that "
            "its layer gets, after all earlier layers",
        ),
        (run("zero"), "the head is silent at these places: that is ablation by zero"),
        (
            run("twice"),
            "the head says both, what it said and what it says for `other`; exchange it",
        ),
        (run("no skip"), "the stream is lost: each layer adds to it what its heads say"),
    ]
