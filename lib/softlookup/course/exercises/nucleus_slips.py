"""What goes wrong where the nucleus of a distribution is built: its order, its rule, what is left.

The chapter on the next word asks for the probabilities that top-p sampling draws from.
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from softlookup.course.exercises.slips import name_slips

# From probabilities, likeliest first, and p to which of them are kept.
Rule = Callable[[Tensor, float], Tensor]


def until_p(falling: Tensor, p: float) -> Tensor:
    """Those before which less than p has come."""
    return falling.cumsum(0) - falling < p


def nucleus(
    logits: Tensor,
    temperature: float,
    p: float,
    *,
    chosen_at: Callable[[float], float] = float,
    drawn_at: Callable[[float], float] = float,
    ranked: Callable[[Tensor], Tensor] = lambda probability: probability.argsort(descending=True),
    rule: Rule = until_p,
    placed: Callable[[Tensor, Tensor], Tensor] = lambda kept, order: kept[order.argsort()],
    left: Callable[[Tensor, Tensor], Tensor] = lambda probability, kept: (
        probability * kept / (probability * kept).sum()
    ),
    said: Callable[[Tensor], Tensor] = lambda probability: probability,
) -> Tensor:
    """The fewest likeliest tokens that have p together, with a sum of one; or what is not that.

    Args:
        logits: one a token.
        temperature: what they are divided by.
        p: what the nucleus has together.
        chosen_at: from the temperature to that at which the nucleus is chosen.
        drawn_at: from the temperature to that of what is left.
        ranked: the order in which the tokens are looked at.
        rule: which are kept, in that order.
        placed: takes that back to the order of the vocabulary.
        left: from all probabilities, and which are kept, to what is left.
        said: what is returned of it.
    """
    chosen = (logits / chosen_at(temperature)).softmax(0)
    order = ranked(chosen)
    kept = placed(rule(chosen[order], p), order)
    return said(left((logits / drawn_at(temperature)).softmax(0), kept))


def name_nucleus(got: Tensor, logits: Tensor, temperature: float, p: float) -> None:
    """Name what is wrong with a nucleus.

    Args:
        got: the learner's probabilities.
        logits: distinct, and not in order.
        temperature: not 1.
        p: more than the likeliest token has, and less than all.

    Raises:
        Mistake: with the words for the part that is wrong, or for two.
    """
    upwards = "you rank the tokens from the least likely up; the nucleus begins with the likeliest"
    by_itself = (
        "you judge each token by its own probability, against p or a share of the likeliest one's; "
        "it is together that the tokens of the nucleus have p"
    )
    too_soon = "you chose the nucleus before the temperature: it is the nucleus of another "
    scaled = logits / temperature

    def formula(whole: Tensor | None = None, **parts: Callable[..., Tensor]) -> Tensor:
        return nucleus(logits, temperature, p, **parts) if whole is None else whole  # type: ignore[arg-type]

    plain = scaled.softmax(0)
    late = nucleus(logits, 1.0, p) / temperature
    sorted_ones = nucleus(logits, temperature, p).sort(descending=True).values
    order = plain.argsort(descending=True)
    kept = nucleus(logits, temperature, p) > 0
    falling_logits = scaled.sort(descending=True).values
    of_logits = torch.zeros_like(kept)
    of_logits[order] = until_p(falling_logits, p)
    name_slips(
        got,
        formula,
        {
            "chosen_at": {
                f"{too_soon}distribution than the one you draw from": lambda t: 1.0,
            },
            "drawn_at": {
                "the temperature chooses your nucleus, and the probabilities in it are those "
                "without it": lambda t: 1.0,
                "you raise the probabilities to the power of the temperature; the logits are to "
                "be divided by it": lambda t: 1 / t,
            },
            "ranked": {
                upwards: lambda probability: probability.argsort(),
                "you do not sort: the nucleus is made of the likeliest tokens, not of the first in "
                "the vocabulary": lambda probability: torch.arange(len(probability)),
            },
            "rule": {
                "your nucleus does not reach p: the token with which the sum passes p belongs to "
                "it": lambda falling, p: falling.cumsum(0) <= p,
                "your nucleus has one token too many: it already had p without the last": (
                    lambda falling, p: until_p(falling, p) | until_p(falling, p).roll(1)
                ),
                "you keep the tokens at which the running sum has passed p; keep those before it "
                "has": lambda falling, p: falling.cumsum(0) > p,
                "you keep what the nucleus leaves out": lambda falling, p: ~until_p(falling, p),
                "your nucleus has 1 - p together; it is to have p": (
                    lambda falling, p: until_p(falling, 1 - p)
                ),
                "nothing was ruled out": lambda falling, p: falling > -1,
                "you keep a share p of the tokens, whatever they have; it is their probabilities "
                "that are to have p together": (
                    lambda falling, p: torch.arange(len(falling)) < round(p * len(falling))
                ),
                "you keep a share p of the tokens, rounded down; it is their probabilities that "
                "are to have p together": (
                    lambda falling, p: torch.arange(len(falling)) < int(p * len(falling))
                ),
                "you keep the likeliest token alone. Do you judge each token by its own "
                "probability? It is together that the tokens of the nucleus have p": (
                    lambda falling, p: torch.arange(len(falling)) < 1
                ),
                f"{by_itself}. (Or is their number fixed?)": (
                    lambda falling, p: falling >= p * falling[0]
                ),
                f"{by_itself}; none of these has p alone": lambda falling, p: falling >= p,
            },
            "placed": {
                "what you keep is in the order of the sorted probabilities, and the probabilities "
                "in that of the vocabulary: take one of them back": lambda kept, order: kept,
                "you index by the order once more, where its inverse takes you back": (
                    lambda kept, order: kept[order]
                ),
            },
            "left": {
                "your probabilities do not sum to one: divide by what is left": (
                    lambda probability, kept: probability * kept
                ),
                "you took the softmax a second time, of probabilities; divide what is left by its "
                "sum": lambda probability, kept: probability.masked_fill(~kept, -math.inf).softmax(
                    0
                ),
                "you took the softmax a second time, of probabilities, where those outside are "
                "zero and get a share; divide what is left by its sum": (
                    lambda probability, kept: (probability * kept).softmax(0)
                ),
                "you set the logits outside to 0, and e to the power of 0 is 1: set them to "
                "-infinity": lambda probability, kept: (scaled * kept).softmax(0),
                "all tokens of your nucleus are equally likely; they keep the proportions of the "
                "softmax": lambda probability, kept: kept / kept.sum(),
                "you divide by the largest of what is left, not by its sum": (
                    lambda probability, kept: probability * kept / (probability * kept).max()
                ),
                "you divide by p; what is left has p or more: divide by its own sum": (
                    lambda probability, kept: probability * kept / p
                ),
                "you divide by the number of tokens that are left; divide by the sum of their "
                "probabilities": lambda probability, kept: probability * kept / kept.sum(),
            },
            "said": {
                "you return logarithms of the probabilities": torch.log,
                "you return which tokens are kept; their probabilities are asked for": (
                    lambda probability: (probability > 0).double()
                ),
                "the right probabilities at the wrong tokens: you sorted them; put them back in "
                "the order of the vocabulary": lambda probability: (
                    probability.sort(descending=True).values
                ),
            },
            "whole": {
                "you multiplied by the temperature; a high one should flatten the distribution": (
                    nucleus(logits, 1 / temperature, p)
                ),
                "the temperature is ignored": nucleus(logits, 1.0, p),
                "you divide the probabilities by the temperature; it divides the logits": late,
                "you divide the probabilities by the temperature, and the division by their sum "
                "takes it out again; it divides the logits": nucleus_of(
                    logits.softmax(0) / temperature, p
                ),
                "you return logits; a softmax is missing": scaled.masked_fill(~kept, -math.inf),
                "you return logits, and 0 outside; a softmax is missing": scaled * kept,
                "your running sum is one of logits; sum the probabilities": (
                    scaled.masked_fill(~of_logits, -math.inf).softmax(0)
                ),
                "you return the running sums; the probabilities are asked for": (
                    plain[order].cumsum(0)
                ),
                "the right probabilities at the wrong tokens: you sorted them, and indexed by the "
                "order; its inverse takes you back, to the order of the vocabulary": (
                    sorted_ones[order]
                ),
                "the right probabilities, still sorted, of which none was taken out": plain[order],
                "the right probabilities at the wrong tokens, and without their sum: put them back "
                "in the order of the vocabulary": sorted_ones * (plain * kept).sum(),
            },
        },
        lambda one, other: (
            one.shape == other.shape
            and torch.allclose(one.double(), other.double(), rtol=1e-5, atol=1e-7, equal_nan=True)
        ),
    )


def nucleus_of(weights: Tensor, p: float) -> Tensor:
    """The nucleus of numbers that do not sum to one."""
    order = weights.argsort(descending=True)
    kept = torch.zeros(len(weights), dtype=torch.bool)
    kept[order] = until_p(weights[order], p)
    return weights * kept / (weights * kept).sum()
