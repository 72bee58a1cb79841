"""Checks for the exercises of the chapter on self-attention."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.difference import require_same
from softlookup.course.exercises.judging import judge
from softlookup.course.exercises.probes import draw_several, name_first, require_tensor, same
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
            _name_sharing(answer, x @ query, x @ key, x @ value)


def _name_sharing(answer: Tensor, query: Tensor, key: Tensor, value: Tensor) -> None:
    raw = query @ key.transpose(-2, -1)
    scale = math.sqrt(key.size(-1))
    weights = torch.softmax(raw / scale, dim=-1)
    together = attention(query.flatten(0, 1), key.flatten(0, 1), value.flatten(0, 1))[0]
    hypotheses = (
        (
            torch.softmax(raw.sum(0) / scale, dim=-1) @ value,
            "the sentences still share one table of weights: the scores are summed over the batch",
        ),
        (
            torch.softmax(raw.mean(0) / scale, dim=-1) @ value,
            "you average the scores over the batch, so the sentences still share one table; each "
            "needs its own",
        ),
        (
            weights.mean(0) @ value,
            "you average the weights over the batch: every sentence is read with the others' "
            "questions",
        ),
        (weights[0] @ value, "every sentence is read with the weights of the first"),
        (
            together.unflatten(0, value.shape[:2]),
            "you made one long sequence of the batch: now tokens look into other sentences",
        ),
        (
            torch.softmax(raw, dim=-1) @ value,
            "the weights are each sentence's own now, but the scale is gone, and it was right",
        ),
        (
            torch.softmax(raw / scale, dim=1) @ value,
            "the weights are each sentence's own now, but axis 1 holds the queries: softmax ran "
            "over the keys, and was right",
        ),
        (
            torch.softmax(raw / scale, dim=0) @ value,
            "softmax runs over the sentences of the batch now: it ran over the keys, and was right",
        ),
        (
            weights.transpose(-2, -1) @ value,
            "your weights are turned round before they meet the values: in the second product "
            "key j of the weights must meet token j",
        ),
        (
            torch.softmax(raw.transpose(-2, -1) / scale, dim=-1) @ value,
            "queries and keys have changed places: rows of the scores are queries",
        ),
        (
            torch.einsum("bij,cjd->bid", weights, value),
            "your weights meet the values of all sentences, summed: batch axes with different "
            "letters are different axes",
        ),
    )
    name_first(answer, hypotheses)
    if len(value) == 1:
        raise Mistake(
            "with several sentences you are right, with a single one you are not: the batch axis "
            "stays even when it has length one"
        )
    require_same(
        answer,
        weights @ value,
        "your outputs are neither what was given nor what is right: change how the batch goes "
        "through the two products, and nothing else",
        axes=("sentence", "token", "width"),
    )


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
    hypotheses = (
        (
            right.T,
            "your tokens ask for the one that lies as many steps back: tokens are rows here, "
            "x @ W_Q, and what turns a column forward turns a row back",
        ),
        (_turn(2 * math.pi / n_tokens), "you turn by one step, whatever steps says"),
        (_turn(-2 * math.pi / n_tokens), "you turn by one step, and backwards"),
        (_turn(angle / 2), "you turn by half the angle: a full circle is 2 pi"),
        (_turn(360 * steps / n_tokens), "your angle is in degrees: torch and math ask for radians"),
        (_turn(steps / n_tokens), "your angle is a share of a circle, and not yet in radians"),
        (
            _turn(2 * math.pi * n_tokens / steps),
            "tokens and steps have changed places in the angle",
        ),
        (
            torch.eye(2, dtype=torch.float64),
            "every token asks for itself: your matrix is the identity, or turns by whole circles: "
            "is the angle divided by the number of tokens?",
        ),
        (right @ mirror, "your matrix turns and mirrors: the signs of one column are wrong"),
        (mirror @ right, "your matrix mirrors and turns: the signs of one row are wrong"),
    )
    name_first(answer, hypotheses)
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
        if says(_sorted) is True:
            raise Mistake(
                "your test asks for invariance, f(Px) = f(x): outputs should move with their "
                "tokens, so compare with P f(x)"
            )
        if says(lambda x: x.mean(0).expand_as(x)) is True:
            raise Mistake(
                "you put the outputs into another order than the tokens: permute f(x) by the same "
                "indices as x, and not by their inverse"
            )
    judge(says, *_equivariant_and_not(mix, query, key, value))


def _equivariance_probe() -> list[Tensor]:
    return [tensor.double() for tensor in _draw((11, 5), (5, 5), (5, 3), (5, 3), (5, 5))]


def _sorted(x: Tensor) -> Tensor:
    return x.sort(dim=0).values


def _equivariant_and_not(
    mix: Tensor, query: Tensor, key: Tensor, value: Tensor
) -> tuple[dict[str, Callable[[Tensor], Tensor]], dict[str, Callable[[Tensor], Tensor]]]:
    """Honest functions and impostors; each name says what a test that misjudges it has missed."""

    def head(x: Tensor) -> Tensor:
        return attention(x @ query, x @ key, x @ value)[0]

    def causal(x: Tensor) -> Tensor:
        mask = torch.ones(len(x), len(x), dtype=torch.bool).tril()
        return attention(x @ query, x @ key, x @ value, mask)[0]

    def places(x: Tensor) -> Tensor:
        return torch.arange(len(x), dtype=x.dtype)[:, None]

    honest: dict[str, Callable[[Tensor], Tensor]] = {
        "a map applied to each token alone": lambda x: torch.relu(x @ mix),
        "self-attention in double precision, whose sums round differently in another order": head,
        "self-attention in single precision, off by some 1e-7 in another order": (
            lambda x: attention(*(x.float() @ each.float() for each in (query, key, value)))[
                0
            ].double()
        ),
        "the mean of all tokens, handed to each": lambda x: x.mean(0).expand_as(x),
        "each token less the largest of all": lambda x: x - x.amax(0),
    }
    impostors: dict[str, Callable[[Tensor], Tensor]] = {
        "a running sum": lambda x: x.cumsum(0),
        "self-attention that looks back only": causal,
        "adding the position": lambda x: x + places(x),
        "adding a hundredth of the position, a small difference but no rounding": (
            lambda x: x + 0.01 * places(x)
        ),
        "doubling the last token alone": lambda x: x * (1 + (places(x) == len(x) - 1)),
        "doubling the fifth token alone": lambda x: x * (1 + (places(x) == 4)),
        "adding to each token its neighbour, which no rotation of the order shows": (
            lambda x: x + x.roll(1, 0)
        ),
        "adding to each token its mirror image, which a reversal does not show": (
            lambda x: x + x.flip(0)
        ),
        "exchanging the first two tokens": lambda x: torch.cat([x[:2].flip(0), x[2:]]),
        "sorting every feature, which is invariant and not equivariant": _sorted,
        "taking the first token off all others": lambda x: x - x[:1],
        "a head with weights that belong to places": (
            lambda x: torch.softmax(-(places(x) - places(x).T).abs(), -1) @ x
        ),
    }
    return honest, impostors


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
            _name_counting(answer, scores, counts, values)
    # Scores of some hundreds: whoever takes their exponentials as they are gets infinity.
    answer = attend_counted(20 * x, counts, query, key, value)
    expected = torch.softmax(400 * scores + counts.log(), dim=-1) @ (20 * values)
    if not same(answer, expected, atol=1e-3):
        raise Mistake(
            "with large scores your output is wrong, or not a number: exponentials overflow; "
            "softmax takes the largest score off first, so let it see the counts"
        )


def _name_counting(answer: Tensor, scores: Tensor, counts: Tensor, values: Tensor) -> None:
    weights = torch.softmax(scores, dim=-1)
    hypotheses = (
        (
            weights @ values,
            "the counts change nothing: a number that is the same for a whole row of scores drops "
            "out of its softmax; counts belong to the keys, the last axis",
        ),
        (
            torch.softmax(scores * counts, dim=-1) @ values,
            "you multiply the scores by the counts: a token that comes twice has two terms "
            "exp(s) in the sum, not one of exp(2s)",
        ),
        (
            torch.softmax(scores + counts, dim=-1) @ values,
            "you add the counts themselves: exp(s + c) is not c times exp(s); what must be added?",
        ),
        (
            (weights * counts) @ values,
            "you multiply the weights by the counts and do not divide by their new sum",
        ),
        (
            (weights * counts) @ values / counts.sum(),
            "you divide by the number of all tokens; divide each row by its own new sum",
        ),
        (
            torch.softmax(scores + counts.log() / math.sqrt(3), dim=-1) @ values,
            "you divide the logarithm by the root as well: the scale is for the dot products alone",
        ),
        (
            torch.softmax(scores + counts.log1p(), dim=-1) @ values,
            "you count each token once too often, log(1 + c)",
        ),
        (
            torch.softmax(scores + counts.log2(), dim=-1) @ values,
            "your logarithm has another base than the exponential in softmax",
        ),
        (
            torch.softmax(scores - counts.log(), dim=-1) @ values,
            "you divide by the counts: a token that comes more often gets less weight",
        ),
        (
            weights * counts / (weights * counts).sum(0) @ values,
            "you divide by sums over the queries: the weights of each query are to sum to one",
        ),
    )
    name_first(answer, hypotheses)
    for scale, name in (
        (3.0, "d_k itself"),
        (math.sqrt(5), "the root of d_model"),
        (1.0, "nothing"),
    ):
        wrong = torch.softmax(scores * math.sqrt(3) / scale + counts.log(), dim=-1) @ values
        if same(answer, wrong):
            raise Mistake(f"the counts are right; the scores are divided by {name}")
    require_same(
        answer,
        torch.softmax(scores + counts.log(), dim=-1) @ values,
        "write out a sentence in which token j comes twice: what does it add to the sum below the "
        "line, and to the sum above it? As it is",
        axes=("token", "width"),
    )


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
    root = strength[:3].sqrt()
    best = (left[:, :3] * strength[:3]) @ right[:3]
    product = query @ key.T
    hypotheses = (
        (
            best.T,
            "your product is the transpose of what was asked: W_Q comes from the left singular "
            "vectors, W_K from the right ones",
        ),
        (
            (left[:, :3] * strength[:3] ** 2) @ right[:3],
            "each singular value stands in your product twice: share it, its square root to each "
            "side",
        ),
        (
            left[:, :3] @ right[:3],
            "your product has directions without strengths: the singular values are missing",
        ),
        ((left[:, :3] * root) @ right[:3], "the square roots stand on one side only"),
        (
            (left[:, :3] * strength[:3]) @ right[:, :3].T,
            "torch.linalg.svd returns V transposed: its right singular vectors are rows, Vh[:d]",
        ),
        (
            (left[:, -3:] * strength[-3:]) @ right[-3:],
            "you kept the weakest directions: singular values come sorted, the largest first",
        ),
    )
    if same(product, best):
        return
    name_first(product, hypotheses)
    ratio = float((product - matrix).norm() / (best - matrix).norm())
    raise Mistake(
        f"your product misses M by {ratio:.2f} times the least distance that rank 3 allows: the "
        "singular value decomposition gives the nearest (Eckart and Young, 1936)"
    )
