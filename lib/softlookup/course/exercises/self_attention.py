"""Checks for the exercises of the chapter on self-attention."""

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import torch
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.counting_slips import name_counting
from softlookup.course.exercises.judging import judge
from softlookup.course.exercises.probes import draw_several, name_first, require_tensor, same
from softlookup.course.exercises.sets_on_trial import (
    equivariant_and_not,
    last_doubled,
    sorted_features,
    why_unseen,
    why_wronged,
)
from softlookup.course.exercises.sharing_slips import name_sharing
from softlookup.course.exercises.slips import Slips, name_slips
from softlookup.course.exercises.verdict import Mistake
from softlookup.layers.attention import attention

_draw = partial(draw_several, seed=3)


@exercise(
    "self_attention",
    1,
    "mend repaired_head(x, W_Q, W_K, W_V): each sentence of the batch with weights of its own.",
    "each sentence has its own table of weights, and none reads another.",
)
def check_repaired(repaired_head: Callable[..., Any]) -> None:
    """Check a head that let all sentences of a batch share one table of weights."""
    for sentences in (5, 1, 7):  # As many as tokens at the end, so that no shape tells them apart.
        x, query, key, value = _draw((sentences, 7, 11), (11, 3), (11, 3), (11, 2))
        expected = attention(x @ query, x @ key, x @ value)[0]
        answer = require_tensor(
            repaired_head(x, query, key, value),
            (sentences, 7, 2),
            f"with {sentences} sentences of 7 tokens your output",
            "one vector a token, as wide as a value",
        )
        if not same(answer, expected):
            name_sharing(answer, x @ query, x @ key, x @ value, x.size(-1))


@exercise(
    "self_attention",
    2,
    "write question(n_tokens, steps): the matrix W_Q, 2 by 2, that asks so many tokens onward.",
    "a rotation asks in a circle, which no symmetric score can do; the chapter on positions "
    "makes a whole encoding of it.",
)
def check_question(question: Callable[..., Any]) -> None:
    """Check the rotation by which each token on a circle asks for the one some steps onward."""
    generator = torch.Generator().manual_seed(3)
    for _ in range(12):
        n_tokens = int(torch.randint(5, 40, (), generator=generator))
        steps = int(torch.randint(1, n_tokens // 2, (), generator=generator))
        if 4 * steps == n_tokens:  # A quarter turn would hide some mistakes.
            steps += 1
        answer = _matrix(question(n_tokens, steps))
        if not same(answer, _turn(2 * math.pi * steps / n_tokens)):
            _name_turn(answer, n_tokens, steps)


def _turn(angle: float) -> Tensor:
    """The matrix that turns a row x, as x @ matrix, by an angle."""
    cosine, sine = math.cos(angle), math.sin(angle)
    return torch.tensor([[cosine, sine], [-sine, cosine]], dtype=torch.float64)


def _matrix(given: object) -> Tensor:
    try:
        answer = torch.as_tensor(given, dtype=torch.float64)
    except (TypeError, ValueError, RuntimeError):
        answer = torch.empty(0)
    if answer.shape != (2, 2):
        raise Mistake("expected a matrix of two rows and two columns, W_Q")
    return answer


def _name_turn(answer: Tensor, n_tokens: int, steps: int) -> None:
    angle = 2 * math.pi * steps / n_tokens
    right = _turn(angle)
    mirror = torch.tensor([[1.0, 0.0], [0.0, -1.0]], dtype=torch.float64)
    size = float(answer.norm() / 2**0.5)
    by_circles = "every token asks for itself: your matrix is the identity, or turns by whole "
    by_circles += "circles: is the angle divided by the number of tokens?"
    unit = torch.eye(2, dtype=torch.float64)

    def turn(
        angle: float = angle, place: Callable[[Tensor], Tensor] = lambda matrix: matrix
    ) -> Tensor:
        return place(_turn(angle))

    if size > 0:
        name_first(answer / size, [(unit, by_circles)])
    slips: Slips = {
        "angle": {
            "you turn by one step, whatever steps says": 2 * math.pi / n_tokens,
            "you turn by one step, and backwards": -2 * math.pi / n_tokens,
            "you turn by half the angle: a full circle is 2 pi": angle / 2,
            "you turn by twice the angle: a full circle is 2 pi": angle * 2,
            "your angle is in degrees: torch and math ask for radians": 360 * steps / n_tokens,
            "your angle is a share of a circle, and not yet in radians": steps / n_tokens,
            "tokens and steps have changed places in the angle": 2 * math.pi * n_tokens / steps,
            "you turn by all steps, and one more": 2 * math.pi * (steps + 1) / n_tokens,
            "you turn by one step too few": 2 * math.pi * (steps - 1) / n_tokens,
            "n tokens round a circle have n gaps between them, and not n - 1": (
                2 * math.pi * steps / (n_tokens - 1)
            ),
            "n tokens round a circle have n gaps between them, and not n + 1": (
                2 * math.pi * steps / (n_tokens + 1)
            ),
            "the number of tokens is missing in the angle": 2 * math.pi * steps,
            "you turn half a circle too far: every sign is wrong": angle + math.pi,
            "sine and cosine have changed places": math.pi / 2 - angle,
        },
        "place": {
            "your tokens ask for the one that lies as many steps back: tokens are rows here, "
            "x @ W_Q, and what turns a column forward turns a row back": lambda turn: turn.T,
            "your matrix turns and mirrors: the signs of one column are wrong": (
                lambda turn: turn @ mirror
            ),
            "your matrix mirrors and turns: the signs of one row are wrong": (
                lambda turn: mirror @ turn
            ),
            "both sines have one sign: one of the two has a minus": lambda turn: torch.where(
                unit > 0, turn, turn[0, 1]
            ),
            "both sines have a minus: one of the two has none": lambda turn: torch.where(
                unit > 0, turn, turn[1, 0]
            ),
            "both sines are missing": lambda turn: turn * unit,
        },
    }
    name_slips(answer, turn, slips)
    if size > 0 and not same(answer / size, right):
        name_slips(answer / size, turn, slips)
    if bool((answer[0] * right[0]).sum() > 0) and same(answer / answer.norm() * 2**0.5, right):
        raise Mistake("the direction is right, the length is not: a query is as long as its token")
    if not same(answer @ answer.T, torch.eye(2, dtype=torch.float64)):
        raise Mistake("your matrix stretches or shears: asked for is one that keeps all lengths")
    raise Mistake(
        f"with {n_tokens} tokens and {steps} steps your matrix turns by another angle: where on "
        "the circle is the token that is asked for?"
    )


@exercise(
    "self_attention",
    3,
    "write is_equivariant(f, x, generator): True if f(Px) = P f(x) for permutations P of tokens.",
    "your test tells a set from a sequence, and rounding from a difference.",
)
def check_is_equivariant(is_equivariant: Callable[..., Any]) -> None:
    """Check a test of equivariance on functions that are, that are not, and that nearly are."""
    x, mix, query, key, value = _equivariance_probe()

    def says(f: Callable[[Tensor], Tensor]) -> object:
        """What the test says most of the time, so that no verdict hangs on one lucky order."""
        said = [is_equivariant(f, x, torch.Generator().manual_seed(seed)) for seed in range(7)]
        return sum(map(bool, said)) > 3 if all(isinstance(each, bool) for each in said) else said[0]

    def double(x: Tensor) -> Tensor:
        return 2 * x

    if says(double) is True and says(lambda x: x @ mix) is False:
        raise Mistake("you permuted the features, the last axis; tokens are rows, x[order]")
    if says(double) is False and says(lambda x: x.cumsum(0)) is False:
        if says(sorted_features) is True:
            raise Mistake(
                "your test asks for invariance, f(Px) = f(x): outputs should move with their "
                "tokens, so compare with P f(x)"
            )
        if says(lambda x: x.mean(0).expand_as(x)) is True:
            raise Mistake(
                "you put the outputs into another order than the tokens: permute f(x) by the same "
                "indices as x, and not by their inverse"
            )
    judge(
        says,
        *equivariant_and_not(mix, query, key, value),
        partial(why_unseen, x),
        partial(why_wronged, x),
    )
    believed = sum(
        is_equivariant(last_doubled, x, torch.Generator().manual_seed(seed)) for seed in range(40)
    )
    if believed > 9:  # A single random order leaves the last of eleven tokens alone 3 or 4 times.
        raise Mistake(
            f"with 40 generators your test believed {believed} times in a function that doubles "
            "the last token alone: for one order that fails it is to say False, whatever others do"
        )


def _equivariance_probe() -> list[Tensor]:
    return [tensor.double() for tensor in _draw((11, 5), (5, 5), (5, 3), (5, 3), (5, 5))]


@exercise(
    "self_attention",
    4,
    "write attend_counted(x, counts, W_Q, W_K, W_V): self-attention, each token counts[j] times.",
    "a token that comes c times is one whose score is raised by log c.",
)
def check_attend_counted(attend_counted: Callable[..., Any]) -> None:
    """Check self-attention over tokens that come several times, without writing them out."""
    x, query, key, value = _draw((7, 5), (5, 3), (5, 3), (5, 2))
    queries, keys, values = x @ query, x @ key, x @ value
    scores = queries @ keys.T / math.sqrt(3)
    for counts in (
        torch.tensor([1.0, 2.0, 5.0, 1.0, 3.0, 1.0, 11.0]),
        torch.tensor([0.5, 2.5, 0.1, 1.0, 3.0, 7.3, 1.0]),
        torch.tensor([1.0, 1e9, 1.0, 1e6, 1.0, 1e9, 2.0]),
    ):
        answer = require_tensor(
            attend_counted(x, counts, query, key, value),
            (7, 2),
            "your output",
            "one vector for each different token, however often it comes",
        )
        expected = torch.softmax(scores + counts.log(), dim=-1) @ values
        if not same(answer, expected):
            name_counting(answer, scores, counts, values)
    # Scores of some hundreds: whoever takes their exponentials as they are gets infinity.
    answer = attend_counted(20 * x, counts, query, key, value)
    expected = torch.softmax(400 * scores + counts.log(), dim=-1) @ (20 * values)
    if not same(answer, expected, atol=1e-3):
        raise Mistake(
            "with large scores your output is wrong, or not a number: exponentials overflow; "
            "softmax takes the largest score off first, so let it see the counts"
        )


_SYMMETRIC = (
    "your product comes from the eigenvectors of a symmetric matrix, and M is not symmetric: eigh "
    "reads the triangle below the diagonal and takes it for the one above. torch.linalg.svd reads "
    "all of M, and gives other vectors to the left than to the right"
)


def _as_if_symmetric(matrix: Tensor, rank: int) -> Iterator[Tensor]:
    """Products of this rank from eigenvectors, of a triangle doubled or of the symmetric part."""
    below, above = matrix.tril(), matrix.triu()
    for symmetric in (
        below + below.tril(-1).mT,
        above + above.triu(1).mT,
        (matrix + matrix.mT) / 2,
    ):
        values, vectors = torch.linalg.eigh(symmetric)
        for order in (values.abs().argsort(), values.argsort(), (-values).argsort()):
            kept, by = vectors[:, order[-rank:]], values[order[-rank:]]
            for strong in (by, by.abs(), by.clamp(min=0), by.abs().sqrt(), torch.ones_like(by)):
                yield kept * strong @ kept.mT


@exercise(
    "self_attention",
    5,
    "write split(M, d_key): matrices W_Q and W_K whose product W_Q W_K^T is nearest to M.",
    "a head is a bilinear form of rank d_k, and you can cut one out of any matrix.",
)
def check_split(split: Callable[..., Any]) -> None:
    """Check the best approximation of rank d_key, written as a product of two thin matrices."""
    (matrix,) = _draw((11, 11))
    answer = split(matrix, 3)
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        raise Mistake("you return one thing; expected two, W_Q and W_K")
    query, key = answer
    if not all(isinstance(part, Tensor) and part.shape == (11, 3) for part in (query, key)):
        shapes = " and ".join(str(tuple(getattr(part, "shape", ()))) for part in (query, key))
        raise Mistake(
            f"your matrices have shapes {shapes}; expected (11, 3) twice: one row a feature, one "
            "column for each of the d_key strongest directions"
        )
    left, strength, right = torch.linalg.svd(matrix)
    first = slice(0, 3)

    def nearest(
        left: Tensor = left,
        right: Tensor = right.mT,
        strong: Tensor = strength,
        kept: slice = first,
    ) -> Tensor:
        return (left[:, kept] * strong[kept]) @ right[:, kept].mT

    best, product = nearest(), query @ key.T
    if same(product, best):
        return
    left_for_both = "both sides are made from the left singular vectors; W_K comes from the right"
    right_for_both = "both sides are made from the right singular vectors; W_Q comes from the left"
    slips: Slips = {
        "strong": {
            "each singular value stands in your product twice: share it, its square root to each "
            "side": strength.square(),
            "your product has directions without strengths: the singular values are missing": (
                torch.ones_like(strength)
            ),
            "your product has the root of each singular value: either the roots stand on one "
            "side only, or a root was taken twice": strength.sqrt(),
            "you divide by the singular values; each direction is multiplied by its own": (
                1 / strength
            ),
        },
        "left": {
            "torch.linalg.svd gives the left singular vectors as columns: U[:, :d]": left.mT,
            right_for_both: right.mT,
        },
        "right": {
            "torch.linalg.svd returns V transposed: its right singular vectors are rows, Vh[:d]": (
                right
            ),
            left_for_both: left,
        },
        "kept": {
            "you kept the weakest directions: singular values come sorted, the largest first": (
                slice(-3, None)
            ),
            "you left out the strongest direction: count from 0": slice(1, 4),
            "you kept two directions, and there is room for three": slice(0, 2),
        },
    }
    swapped = "your product is the transpose of what was asked: W_Q comes from the left singular "
    name_first(product, [(best.T, swapped + "vectors, W_K from the right ones")])
    name_slips(product, nearest, slips)
    if not bool(product.any()):
        raise Mistake("your product is all zeros")
    name_first(product, [(each, _SYMMETRIC) for each in _as_if_symmetric(matrix, 3)])
    ratio = float((product - matrix).norm() / (best - matrix).norm())
    raise Mistake(
        f"your product misses M by {ratio:.2f} times the least distance that rank 3 allows: the "
        "singular value decomposition gives the nearest (Eckart and Young, 1936)"
    )
