"""Checks for the exercises of the chapter on open questions."""

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from softlookup.course.exercises.bias_slips import bias, name_bias, where_right
from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.judging import judge
from softlookup.course.exercises.probes import draw, require_tensor, same
from softlookup.course.exercises.products_on_trial import (
    Form,
    bends,
    products,
    why_unseen,
    why_wronged,
)
from softlookup.course.exercises.relu_share_slips import name_shares, shares
from softlookup.course.exercises.two_place_slips import alike, name_mistake, query
from softlookup.course.exercises.verdict import Mistake
from softlookup.layers.blocks import BlockConfig
from softlookup.layers.stacks import Stack
from softlookup.layers.visibility import CAUSAL

QUERIES, KEYS = 7, 11

# What each failure of the chapter is, and what decides it.
FAILURES = {
    "square": (
        "proved",
        "a table of 10 features has an error of 22/32 at least, whatever is learned "
        "(How wide a form without a cut-off has to be)",
    ),
    "fourth power": (
        "did not",
        "its floor is 0.14, and for heads that serve all places alike; what lies between that and "
        "0.4 no argument forbids, and no run has reached it (What is learned)",
    ),
    "wide ReLU": (
        "did not",
        "three numbers a key are enough for it by hand, so it can; and four times the steps from "
        "such a start left it where it was (Cannot, or not yet?)",
    ),
    "after": (
        "proved",
        "the digit to be named lies behind the mask and is drawn by itself, so that no weights can "
        "do better than to guess (Five questions about order)",
    ),
    "bias 3": (
        "not yet",
        "the same seed had 0.71 after 1,600 steps (What could stand in for the skip?)",
    ),
    "one head": (
        "did not",
        "run on for 1,600 steps it had 0.65 at most; nor does an argument forbid it "
        "(What could stand in for the skip?)",
    ),
}


@exercise(
    "open_questions",
    1,
    "repair the shares, so that each row of them sums to one, or is zeros.",
    "shares of what scores above zero, and zeros where nothing does.",
)
def check_normalized_relu(normalized_relu: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Check normalised ReLU weights under a mask."""
    scores = draw(3, QUERIES, KEYS, seed=15)
    mask = draw(3, QUERIES, KEYS, seed=16) > -0.5
    # First no row is empty, so that what is wrong everywhere is named before what is wrong there.
    scores[..., 3], mask[..., 3] = scores[..., 3].abs() + 0.1, True
    # And the sum of some rows is less than one.
    scores[..., 4, :] /= 20
    scores[..., 4, 3], mask[..., 4, 3] = 0.1, True
    shape = tuple(scores.shape)

    right = shares(F.relu(scores) * mask)
    got = require_tensor(normalized_relu(scores, mask), shape, "your weights").double()
    name_shares(got.detach(), scores, mask)
    if not same(normalized_relu(scores / 100, mask).double(), right):
        raise Mistake(
            "with scores a hundredth as large your rows no longer sum to one: divide by the sum "
            "itself, however small; only a sum of zero needs another divisor"
        )
    hopeless = scores.clone()
    hopeless[1, 2] = -hopeless[1, 2].abs()
    emptied = mask.clone()
    emptied[2, 3] = False
    leaf = hopeless.clone().requires_grad_()
    got = normalized_relu(leaf, emptied)
    if not got.isfinite().all():
        raise Mistake(
            "a row without any score above zero comes out as NaN: there the sum is zero, and "
            "zero over zero is not a number. Such a row should be zeros"
        )
    if not same(got.detach(), shares(F.relu(hopeless) * emptied)):
        raise Mistake("a row without any score above zero should be all zeros")
    if not got.requires_grad:
        raise Mistake("your weights are right and have no gradient: stay with tensors throughout")
    (got**2).sum().backward()
    if leaf.grad is None or not leaf.grad.isfinite().all():
        raise Mistake(
            "your weights are right and their gradients are NaN: dividing by zero and repairing "
            "the result leaves the division's gradient. Change the divisor before you divide"
        )
    again = hopeless.clone().requires_grad_()
    right_loss = shares(F.relu(again) * emptied).square().sum()
    if not same(leaf.grad, torch.autograd.grad(right_loss, again)[0]):
        raise Mistake(
            "your weights are right and their gradients are not: the sum that you divide by "
            "depends on the scores too, so it must not be detached"
        )


@exercise(
    "open_questions",
    2,
    "return another text that one causal layer cannot tell from this one at its last token.",
    "two texts, one bag: a single causal layer without positions gives both the same last output.",
)
def check_blind_twin(blind_twin: Callable[[Tensor], Tensor]) -> None:
    """Check a text whose last output in one causal layer is that of another text."""
    texts = (
        *([3, 1, 4, 1, 5, 9, 2], [7, 7, 7, 2, 7, 7, 7], [6, 0, 6]),
        # Backwards, or in order, these are what they were.
        *([1, 2, 2, 1, 5], [2, 4, 6, 8, 1], [8, 6, 4, 2, 1]),
    )
    torch.manual_seed(15)
    block = BlockConfig(16, 2, 32)
    layer, table = Stack(1, block).double(), draw(10, 16, seed=17)

    def last(tokens: Tensor) -> Tensor:
        with torch.no_grad():
            return layer(table[tokens][None], CAUSAL)[0, -1]

    for listed in texts:
        text = torch.tensor(listed)
        got = blind_twin(text)
        if not isinstance(got, Tensor):
            raise Mistake(f"your function returned {type(got).__name__}; a tensor is expected")
        if got.shape != text.shape:
            raise Mistake(
                f"your text has {got.numel()} tokens and the given one {text.numel()}; one of "
                "the same length is asked for"
            )
        twin = got.long()
        if torch.equal(twin, text):
            raise Mistake(
                f"your twin of {listed} is the same text: two equal tokens have changed places, "
                "or none have"
            )
        if twin[-1] != text[-1]:
            raise Mistake(
                "your twin ends in another token: the last one asks the question, and must stay"
            )
        if not torch.equal(twin.sort().values, text.sort().values):
            if all(_overwrites(blind_twin, torch.tensor(each)) for each in texts):
                raise Mistake(
                    f"your twin of {listed} is {twin.tolist()}: one token overwrites another, and "
                    "they may only change places. Did you write `a[i], a[j] = a[j], a[i]`? There "
                    "a[i] is a view; write `a[[i, j]] = a[[j, i]]`"
                )
            raise Mistake(
                "your twin has other tokens than the text, so the layer sums other values; "
                "the tokens may only change places"
            )
        if not torch.allclose(last(twin), last(text), atol=1e-10):
            raise Mistake("one causal layer gives your text another last output")


def _overwrites(blind_twin: Callable[[Tensor], Tensor], text: Tensor) -> bool:
    """Whether a twin is the text, but for one token in whose place another of them stands."""
    twin = blind_twin(text)
    return (
        twin.shape == text.shape
        and int((twin != text).sum()) == 1
        and bool(torch.isin(twin, text).all())
    )


@exercise(
    "open_questions",
    3,
    "return the four numbers of a query that asks for two places at once.",
    "four numbers ask for any two places: their keys score highest, and alike.",
)
def check_query_for_two(query_for_two: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Check a query whose scores are highest, and equal, at two places on a circle."""
    for n, one, other in ((29, 3, 11), (12, 1, 7), (17, 3, 4), (31, 30, 6), (32, 0, 16), (9, 4, 4)):
        angles = 2 * math.pi * torch.arange(n, dtype=torch.float64) / n
        keys = torch.stack(
            [angles.cos(), angles.sin(), (2 * angles).cos(), (2 * angles).sin()], dim=1
        )
        a, b = angles[one], angles[other]
        got = require_tensor(query_for_two(a.clone(), b.clone()), (4,), "your query").double()
        if alike(got, query(a, b)):
            continue
        name_mistake(got, a, b)
        scores = keys @ got
        least, rest = scores[[one, other]].min(), scores.clone()
        rest[[one, other]] = -math.inf
        if (scores[one] - scores[other]).abs() > 1e-6 * scores.abs().max():
            raise Mistake(
                f"of {n} places, {one} and {other} were asked for, and their scores differ: "
                f"{scores[one]:.3f} and {scores[other]:.3f}"
            )
        if rest.max() >= least:
            raise Mistake(
                f"of {n} places, {one} and {other} were asked for, and place "
                f"{int(rest.argmax())} scores as high as they do"
            )


@exercise(
    "open_questions",
    4,
    "return whether the weights of a form are a product of features, as in a linear form.",
    "a form that is no product shows in the rank, however slight the difference; rounding and the "
    "row sums do not.",
)
def check_is_product(is_product: Callable[[Form], bool]) -> None:
    """Try a test for products of features on honest ones and impostors."""
    judge(is_product, products(), bends(), why_unseen, why_wronged)


@exercise(
    "open_questions",
    5,
    "return the bias on the diagonal after which this share of every difference is left.",
    "what is left of a difference is the weight on oneself less that on another, block by block.",
)
def check_bias_that_leaves(bias_that_leaves: Callable[[float, int, int], float]) -> None:
    """Check the bias on the diagonal with which a chain keeps a share of every difference."""
    cases = [(0.99, 6, 8), (0.5, 3, 17), (0.9, 12, 5), (0.03, 2, 29)]
    got = []
    for case in cases:
        answer = bias_that_leaves(*case)
        if not isinstance(answer, float | int | Tensor) or isinstance(answer, bool):
            raise Mistake(f"your function returned {type(answer).__name__}; a number is expected")
        got.append(float(answer))
    name_bias(got, cases)
    for (left, blocks, n), yours in zip(cases, got, strict=True):
        if not math.isclose(yours, bias((left, blocks, n)), rel_tol=1e-4):
            power = math.exp(min(yours, 700.0))
            factor = (power - 1) / (power + n - 1)
            raise Mistake(
                f"with {n} tokens your bias of {yours:.4f} leaves {factor**blocks:.4f} of a "
                f"difference after {blocks} blocks; {left} is asked for"
                f"{where_right(bias_that_leaves)}"
            )


@exercise(
    "open_questions",
    6,
    "mark each of six failures as proved, as not yet, or as did not.",
    "an argument for all weights, a later success, or neither: you told the three apart.",
)
def check_verdicts(verdict: Callable[[str], str]) -> None:
    """Check what a learner calls each failure, and name what decides it where that is wrong."""
    words = ("proved", "not yet", "did not")
    for failure, (right, what_decides) in FAILURES.items():
        word = verdict(failure)
        if word not in words:
            raise Mistake(f"you call {failure!r} {word!r}; expected one of {', '.join(words)}")
        if word != right:
            raise Mistake(f"{failure!r} is not a case of {word!r}: {what_decides}")
