"""Wirings of a block, right and wrong, by which a repaired stack is told what it still does wrong.

A block is four functions: the norm in front of attention, attention, the norm in front of the
feed-forward network, and that network.
"""

from collections.abc import Callable, Sequence

import torch
import torch.nn.functional as F
from torch import Tensor

from softlookup.course.exercises.probes import draw, same
from softlookup.course.exercises.slips import combination

Function = Callable[[Tensor], Tensor]
Parts = tuple[Function, Function, Function, Function]
Wiring = Callable[[Tensor, Parts], Tensor]


def parts_of_a_block(number: int, width: int) -> Parts:
    """Four functions that do not commute, other ones for each block."""
    to_attend, to_think = draw(2, width, width, seed=70 + number) / 2.0

    # A scale of its own for each feature: the norm of what a norm left is then another vector.
    scale = 2.0 + number + draw(width, seed=80 + number)

    def norm_1(x: Tensor) -> Tensor:
        return scale.to(x.dtype) * F.layer_norm(x, (width,))

    def norm_2(x: Tensor) -> Tensor:
        return F.layer_norm(x, (width,)) + 1.0

    def attend(x: Tensor) -> Tensor:
        return torch.tanh(x.cumsum(1) @ to_attend.to(x.dtype))

    def think(x: Tensor) -> Tensor:
        return torch.relu(x @ to_think.to(x.dtype))

    return norm_1, attend, norm_2, think


def last_norm(x: Tensor) -> Tensor:
    """The norm behind the stack."""
    return 1.5 * F.layer_norm(x, x.shape[-1:]) - 0.5


def pre_norm_block(x: Tensor, parts: Parts) -> Tensor:
    """A pre-norm block, as the chapter derives it."""
    norm_1, attend, norm_2, think = parts
    middle = x + attend(norm_1(x))
    return middle + think(norm_2(middle))


def run_blocks(wiring: Wiring, x: Tensor, blocks: Sequence[Parts]) -> Tensor:
    """All blocks in one wiring, one after the other, without a last norm."""
    for parts in blocks:
        x = wiring(x, parts)
    return x


def last_norm_in_the_loop(x: Tensor, blocks: Sequence[Parts], final: Function) -> Tensor:
    """A pre-norm stack that applies its last norm behind every block."""
    for parts in blocks:
        x = final(pre_norm_block(x, parts))
    return x


def broken_block(x: Tensor, parts: Parts) -> Tensor:
    """The block that the exercise gives: its second part reads what its first part read."""
    norm_1, attend, norm_2, think = parts
    read = norm_1(x)
    return x + attend(read) + think(norm_2(read))


def first_wrong_call(
    stack: Callable[[Tensor, Sequence[Parts], Function], Tensor],
    x: Tensor,
    blocks: Sequence[Parts],
    final: Function,
) -> str:
    """Which part of a stack is the first to be called out of turn, or to read something else."""
    calls: list[tuple[str, Tensor, Tensor]] = []

    def noted(name: str, part: Function) -> Function:
        def call(read: Tensor) -> Tensor:
            found = part(read)
            calls.append((name, read.detach().clone(), found.detach().clone()))
            return found

        return call

    def run(
        of: Callable[[Tensor, Sequence[Parts], Function], Tensor],
    ) -> list[tuple[str, Tensor, Tensor]]:
        calls.clear()
        names = ("norm_1", "attend", "norm_2", "think")
        watched = [
            tuple(
                noted(f"{name} of block {number}", part)
                for name, part in zip(names, parts, strict=True)
            )
            for number, parts in enumerate(blocks, start=1)
        ]
        of(x, watched, noted("last_norm", final))  # type: ignore[arg-type]
        return list(calls)

    got = run(stack)
    right = run(lambda x, blocks, final: final(run_blocks(pre_norm_block, x, blocks)))
    for place, (name, read, _) in enumerate(right):
        if place == len(got):
            return f"{name} is never called"
        called, given, _ = got[place]
        if called != name:
            return f"{called} is called where it is the turn of {name}"
        if not same(given, read):
            earlier = {"x": x} | {f"what {each} gave": found for each, _, found in got[:place]}
            known = [words for words, value in earlier.items() if same(given, value)]
            wanted = [words for words, value in earlier.items() if same(read, value)]
            # The stream is a sum of x and of what the parts found, not of what the norms gave.
            sums = {words: value for words, value in earlier.items() if "norm" not in words}
            times = " and ".join(
                f"{often:.3g} times {words}" for words, often in combination(given, sums).items()
            )
            return (
                f"{name} reads {known[0] if known else times or 'something else'}; it is to read "
                f"{wanted[0] if wanted else 'the stream, to which each part was added once'}"
            )
    if len(got) > len(right):
        return f"{got[len(right)][0]} is called once too often"
    return (
        "each part reads what it should, and you return something else than what the last norm gave"
    )


def _norms_on_the_stream(x: Tensor, parts: Parts) -> Tensor:
    norm_1, attend, norm_2, think = parts
    x = norm_1(x)
    x = x + attend(x)
    x = norm_2(x)
    return x + think(x)


def _post_norm(x: Tensor, parts: Parts) -> Tensor:
    norm_1, attend, norm_2, think = parts
    x = norm_1(x + attend(x))
    return norm_2(x + think(x))


def _no_skips(x: Tensor, parts: Parts) -> Tensor:
    norm_1, attend, norm_2, think = parts
    return think(norm_2(attend(norm_1(x))))


def _no_first_skip(x: Tensor, parts: Parts) -> Tensor:
    norm_1, attend, norm_2, think = parts
    x = attend(norm_1(x))
    return x + think(norm_2(x))


def _no_second_skip(x: Tensor, parts: Parts) -> Tensor:
    norm_1, attend, norm_2, think = parts
    return think(norm_2(x + attend(norm_1(x))))


def _side_by_side(x: Tensor, parts: Parts) -> Tensor:
    norm_1, attend, norm_2, think = parts
    return x + attend(norm_1(x)) + think(norm_2(x))


def _second_skip_from_the_start(x: Tensor, parts: Parts) -> Tensor:
    norm_1, attend, norm_2, think = parts
    return x + think(norm_2(x + attend(norm_1(x))))


def _first_on_the_stream(x: Tensor, parts: Parts) -> Tensor:
    norm_1, attend, norm_2, think = parts
    x = norm_1(x)
    x = x + attend(x)
    return x + think(norm_2(x))


def _second_on_the_stream(x: Tensor, parts: Parts) -> Tensor:
    norm_1, attend, norm_2, think = parts
    x = norm_2(x + attend(norm_1(x)))
    return x + think(x)


def _second_reads_a_normed_sum(x: Tensor, parts: Parts) -> Tensor:
    norm_1, attend, norm_2, think = parts
    read = norm_1(x)
    found = attend(read)
    return x + found + think(norm_2(read + found))


def _one_norm_twice(x: Tensor, parts: Parts) -> Tensor:
    norm_1, attend, _, think = parts
    x = x + attend(norm_1(x))
    return x + think(norm_1(x))


def _second_norm_missing(x: Tensor, parts: Parts) -> Tensor:
    norm_1, attend, _, think = parts
    x = x + attend(norm_1(x))
    return x + think(x)


def _no_norms(x: Tensor, parts: Parts) -> Tensor:
    _, attend, _, think = parts
    x = x + attend(x)
    return x + think(x)


def _norms_on_the_change(x: Tensor, parts: Parts) -> Tensor:
    norm_1, attend, norm_2, think = parts
    x = x + norm_1(attend(x))
    return x + norm_2(think(x))


def _other_order(x: Tensor, parts: Parts) -> Tensor:
    norm_1, attend, norm_2, think = parts
    x = x + think(norm_2(x))
    return x + attend(norm_1(x))


WIRINGS: Sequence[tuple[Wiring, str]] = (
    (
        broken_block,
        "your feed-forward network still reads what the first norm made of the block's input: it "
        "never hears what attention found, and reads through two norms",
    ),
    (
        _norms_on_the_stream,
        "both norms stand on the stream: the skip carries x itself, which no norm has touched, "
        "and only what a part reads is normalised",
    ),
    (
        _first_on_the_stream,
        "the first norm stands on the stream: attention's skip carries the normalised x",
    ),
    (
        _second_on_the_stream,
        "the second norm stands on the stream: the feed-forward network's skip carries the "
        "normalised x",
    ),
    (
        _second_reads_a_normed_sum,
        "your feed-forward network reads attention's finding added to the normalised x; it reads "
        "the stream, where the finding was added to x itself",
    ),
    (_post_norm, "you put the norms behind the additions: that is post-norm, the block of 2017"),
    (_no_skips, "nothing is added: your block has no skip-connections at all"),
    (_no_first_skip, "the skip around attention is missing: (X + Z), then R"),
    (_no_second_skip, "the skip around the feed-forward network is missing"),
    (
        _side_by_side,
        "your feed-forward network reads x, as if it stood beside attention; it reads what "
        "attention left",
    ),
    (
        _second_skip_from_the_start,
        "your second skip carries the block's input; it carries X + Z, or what attention found "
        "is lost to the next block",
    ),
    (_one_norm_twice, "you used the first norm twice; each part has its own"),
    (
        _second_norm_missing,
        "your second norm is missing: the feed-forward network reads the raw stream",
    ),
    (_no_norms, "you took the norms away; each part is to read through its own"),
    (
        _norms_on_the_change,
        "your norms stand between a part and its addition: they normalise the change, not what "
        "the part reads",
    ),
    (
        _other_order,
        "the parts are in the wrong order: attention first, then the feed-forward network",
    ),
)
