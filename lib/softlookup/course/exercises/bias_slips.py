"""What goes wrong on the way to the bias with which a chain keeps a share of every difference.

The chapter on open questions asks for it. Each block multiplies a difference by the weight that a
token has on itself less the weight that another has on it.
"""

import math
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from softlookup.course.exercises.slips import Slips, name_slips
from softlookup.course.exercises.verdict import Mistake

# A share, a number of blocks and one of tokens.
Case = tuple[float, int, int]


def bias(
    case: Case,
    root: Callable[[float, int, int], float] = lambda left, blocks, _: left ** (1 / blocks),
    others: Callable[[int], float] = lambda n: n - 1,
    solved: Callable[[float, float], float] = lambda kept, others: (1 + kept * others) / (1 - kept),
    end: Callable[[float, Case], float] = lambda power, _: math.log(power),
) -> float:
    """The bias, by its parts; NaN where a wrong part leaves none."""
    try:
        return end(solved(root(*case), others(case[2])), case)
    except (ValueError, ZeroDivisionError, OverflowError):
        return math.nan


def alike(one: Tensor, other: Tensor) -> bool:
    """Whether two rows of biases are the same, as far as float32 may round them."""
    return torch.allclose(one, other, rtol=1e-4, atol=0.0)


SLIPS: Slips = {
    "root": {
        "your bias is right for a single block; each block shrinks what the one before has left": (
            lambda left, *_: left
        ),
        "you divided the share by the blocks; shares are multiplied: take a root": (
            lambda left, blocks, _: left / blocks
        ),
        "you took the same loss from each block in turns; differences are multiplied, so the "
        "shares are too: take a root": lambda left, blocks, _: 1 - (1 - left) / blocks,
        "you took the power for the root: one block leaves more than all of them together": (
            lambda left, blocks, _: left**blocks
        ),
        "that is the bias with which each block takes this share away; it is to be left": (
            lambda left, blocks, _: 1 - left ** (1 / blocks)
        ),
        "you took the root of what is gone, 1 - left; take that of what is left": (
            lambda left, blocks, _: (1 - left) ** (1 / blocks)
        ),
        "you took the root of what is gone, 1 - left, and what it leaves; take the root of what is "
        "left": lambda left, blocks, _: 1 - (1 - left) ** (1 / blocks),
        "you took a root that is one too high, that of blocks + 1": (
            lambda left, blocks, _: left ** (1 / (blocks + 1))
        ),
        "you took a root that is one too low, that of blocks - 1": (
            lambda left, blocks, _: left ** (1 / (blocks - 1))
        ),
        "you took the square root of the share as well: what shrinks is a difference, and not its "
        "square": lambda left, blocks, _: left ** (1 / (2 * blocks)),
        "you squared the share: what shrinks is a difference, and not its square": (
            lambda left, blocks, _: left ** (2 / blocks)
        ),
        "you took the root of the number of tokens; it is the blocks that multiply": (
            lambda left, _, n: left ** (1 / n)
        ),
        "you took a square root, whatever the number of blocks": lambda left, *_: left**0.5,
    },
    "others": {
        "your softmax sums over n other tokens; a token and n - 1 others make n": lambda n: n,
        "your softmax sums over n - 2 other tokens; a token and n - 1 others make n": (
            lambda n: n - 2
        ),
        "your softmax sums over n + 1 other tokens; a token and n - 1 others make n": (
            lambda n: n + 1
        ),
        "your softmax sums over two tokens alone; all n see each other": lambda _: 1,
        "your softmax sums over half the others; all n tokens see each other": (
            lambda n: (n - 1) / 2
        ),
    },
    "solved": {
        "you asked that each token keeps this share of its own weight. But the other token has "
        "some of it as well, and that part of the difference is gone too": (
            lambda kept, others: kept * others / (1 - kept)
        ),
        "your bias does not grow with n; the more tokens there are, the more weight goes "
        "elsewhere": lambda kept, _: 1 / (1 - kept),
        "your bias is the logit of one block's share, log(share / (1 - share)); it does not grow "
        "with n": lambda kept, _: kept / (1 - kept),
        "you added the weight that the other token has to the weight on oneself; a difference "
        "keeps the one less the other": lambda kept, others: (kept * others - 1) / (1 - kept),
        "in the numerator of one block's share stands 1, the power of e of one other token, and "
        "not n - 1, those of all others": lambda kept, others: others * (1 + kept) / (1 - kept),
        "when you solved for the power of e, a sign went wrong: what it is divided by is 1 less "
        "one block's share": lambda kept, others: (1 + kept * others) / (1 + kept),
        "when you solved for the power of e, the share got lost that multiplies the number of the "
        "other tokens": lambda kept, others: (1 + others) / (1 - kept),
        "when you solved for the power of e, the division by 1 less one block's share got lost": (
            lambda kept, others: 1 + kept * others
        ),
        "when you solved for the power of e, a sign went wrong: the other tokens' part is added "
        "to 1": lambda kept, others: (1 - kept * others) / (1 - kept),
        "when you solved for the power of e, the share got to the wrong term: it multiplies the "
        "number of the other tokens": lambda kept, others: (kept + others) / (1 - kept),
    },
    "end": {
        "your bias has the wrong sign: it pushes each token away from itself": (
            lambda power, _: -math.log(power)
        ),
        "your logarithm is to the base 10; softmax takes powers of e": (
            lambda power, _: math.log10(power)
        ),
        "your logarithm is to the base 2; softmax takes powers of e": (
            lambda power, _: math.log2(power)
        ),
        "you returned e to the power of the bias; take its logarithm": lambda power, _: power,
        "you returned e to the power of the bias, less 1; take the logarithm of that power": (
            lambda power, _: power - 1
        ),
        "you took the logarithm of 1 more than e to the power of the bias": (
            lambda power, _: math.log1p(power)
        ),
        "you took the logarithm of 1 less than e to the power of the bias": (
            lambda power, _: math.log(power - 1)
        ),
        "you divided the bias by the number of blocks; each block has the whole of it": (
            lambda power, case: math.log(power) / case[1]
        ),
        "you multiplied the bias by the number of blocks; each block has it once": (
            lambda power, case: math.log(power) * case[1]
        ),
        "you divided the bias by the root of n; a bias is added to the scores as it is": (
            lambda power, case: math.log(power) / math.sqrt(case[2])
        ),
        "you divided the bias by n; a bias is added to the scores as it is": (
            lambda power, case: math.log(power) / case[2]
        ),
        "your bias is twice what it should be": lambda power, _: 2 * math.log(power),
        "your bias is half of what it should be": lambda power, _: math.log(power) / 2,
    },
}


def name_bias(got: Sequence[float], cases: Sequence[Case]) -> None:
    """Name what is wrong with the biases.

    Args:
        got: the learner's, one a case.
        cases: the shares, the numbers of blocks and those of tokens.

    Raises:
        Mistake: with the words for the part that is wrong, or for two of them.
    """
    answers = torch.tensor(got, dtype=torch.float64)
    if len(set(got)) == 1:
        raise Mistake(f"your bias is {got[0]:.4g} whatever the share, the blocks and the tokens")
    if not answers.isfinite().all():
        raise Mistake("your bias is not finite: e to its power is one number, so solve for that")
    right = [bias(case) for case in cases]
    for digits in range(4):
        rounded = [round(each, digits) for each in right]
        if rounded == [round(each, 9) for each in got] and rounded != right:
            raise Mistake(f"you round the bias to {digits} decimals; return it as it is")
    name_slips(
        answers,
        lambda **parts: torch.tensor([bias(case, **parts) for case in cases], dtype=torch.float64),
        SLIPS,
        alike,
    )


def where_right(answer: Callable[[float, int, int], float]) -> str:
    """What a wrong answer overlooks, or in which easier case it is right; nothing if in none."""

    def asked(*cases: Case) -> Tensor:
        try:
            return torch.tensor([float(answer(*case)) for case in cases], dtype=torch.float64)
        except (ValueError, ZeroDivisionError, OverflowError):
            return torch.full((len(cases),), math.nan, dtype=torch.float64)

    def holds(*cases: Case) -> bool:
        return alike(asked(*cases), torch.tensor([*map(bias, cases)], dtype=torch.float64))

    for name, other in (
        ("share", (0.6, 3, 7)),
        ("number of blocks", (0.3, 5, 7)),
        ("number of tokens", (0.3, 3, 9)),
    ):
        one, changed = asked((0.3, 3, 7), other)
        if one == changed:
            return f". Your bias does not depend on the {name}"
    if holds((0.3, 1, 7), (0.8, 1, 19)):
        return ". For a single block yours is right: how do the shares of several make one?"
    if holds((0.3, 3, 2), (0.8, 5, 2)):
        return ". For two tokens yours is right: which weight do the other n - 2 have?"
    if holds((0.3, 1, 2), (0.8, 1, 2)):
        return ". For one block and two tokens yours is right: is it the blocks, or the tokens?"
    return ""
