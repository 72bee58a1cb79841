"""What goes wrong in attention over tokens that are counted and not repeated."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from softlookup.course.exercises.difference import require_same
from softlookup.course.exercises.probes import name_first, same
from softlookup.course.exercises.slips import Slips, name_slips
from softlookup.course.exercises.verdict import Mistake


def name_counting(answer: Tensor, scores: Tensor, counts: Tensor, values: Tensor) -> None:
    """Name what is wrong with an answer over counted tokens.

    Args:
        answer: the learner's, (queries, d_value).
        scores: (queries, tokens).
        counts: how often each token stands, (tokens,).
        values: (tokens, d_value).

    Raises:
        Mistake: with the words for the part that is wrong.
    """
    weights = torch.softmax(scores, dim=-1)
    hypotheses = (
        (
            weights @ values,
            "the counts change nothing: a number that is the same for a whole row of scores drops "
            "out of its softmax; counts belong to the keys, the last axis",
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
            weights * counts / (weights * counts).sum(0) @ values,
            "you divide by sums over the queries: the weights of each query are to sum to one",
        ),
    )
    name_first(answer, hypotheses)
    root, log, raw = math.sqrt(3), counts.log(), scores * math.sqrt(3)

    def attend(
        scores: Tensor = scores,
        count: Callable[[Tensor], Tensor] = lambda scores: scores + log,
        axis: int = -1,
        values: Tensor = values,
    ) -> Tensor:
        return torch.softmax(count(scores), dim=axis) @ values

    slips: Slips = {
        "count": {
            "you multiply the scores by the counts: a token that comes twice has two terms "
            "exp(s) in the sum, not one of exp(2s)": lambda scores: scores * counts,
            "you multiply the scores by the logarithm; it is added to them": (
                lambda scores: scores * log
            ),
            "you add the counts themselves: exp(s + c) is not c times exp(s); what must be "
            "added?": lambda scores: scores + counts,
            "you divide the logarithm by the root as well: the scale is for the dot products "
            "alone": lambda scores: scores + log / root,
            "you count each token once too often, log(1 + c)": lambda scores: (
                scores + counts.log1p()
            ),
            "your logarithm has another base than the exponential in softmax: it is binary": (
                lambda scores: scores + counts.log2()
            ),
            "your logarithm has another base than the exponential in softmax: it is decimal": (
                lambda scores: scores + counts.log10()
            ),
            "you add half the logarithm, as if each token came √c times": lambda scores: (
                scores + log / 2
            ),
            "you count twice, once above and once in the scores: the weights go with c²": (
                lambda scores: scores + 2 * log
            ),
            "you add each token's share of the text; what is added is a logarithm": lambda scores: (
                scores + counts / counts.sum()
            ),
            "you divide by the counts: a token that comes more often gets less weight": (
                lambda scores: scores - log
            ),
            "you multiply tokens by their counts before the products: that makes them longer, and "
            "not more frequent": lambda scores: scores * counts * counts[:, None],
            "you round the counts; they need not be whole numbers": lambda scores: (
                scores + counts.round().log()
            ),
            "you cut counts to whole numbers; they need not be": lambda scores: (
                scores + counts.floor().log()
            ),
            "you round the counts, and count each token once at least; they need not be whole": (
                lambda scores: scores + counts.round().clamp(min=1).log()
            ),
            "counts below one are taken for one": lambda scores: scores + log.clamp(min=0),
            "the counts change nothing": lambda scores: scores,
        },
        "scores": {
            "the scores are divided by d_k itself; its root is right": raw / 3.0,
            "the scores are divided by the root of d_model; take the root of d_k": (
                raw / math.sqrt(5)
            ),
            "the scores are divided by nothing; they are to be divided by √d_k": raw,
            "the scores are turned round: queries are rows, keys are columns": scores.mT,
            "the scores are multiplied by √d_k; divide": raw * root,
        },
        "axis": {"softmax runs over the queries; each query's weights sum to one, dim=-1": 0},
        "values": {"the values are multiplied by the counts too": values * counts[:, None]},
    }
    name_slips(answer, attend, slips)
    if same(answer, counts[:, None] * attend()) or same(
        answer, counts[:, None] * (weights @ values)
    ):
        raise Mistake(
            "you multiply the outputs by the counts, those of the tokens that ask: it is the "
            "tokens that answer whose count matters"
        )
    require_same(
        answer,
        torch.softmax(scores + counts.log(), dim=-1) @ values,
        "write out a sentence in which token j comes twice: what does it add to the sum below the "
        "line, and to the sum above it? As it is",
        axes=("token", "width"),
    )
