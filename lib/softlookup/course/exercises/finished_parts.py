"""Two parts of a softmax that are divided already: whether a learner's function merges them."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from softlookup.alternatives.blockwise_attention import Partial
from softlookup.alternatives.blockwise_attention import merge as merge_partials
from softlookup.course.exercises.difference import require_same
from softlookup.course.exercises.probes import name_first, require_tensor, same
from softlookup.course.exercises.verdict import Mistake

# How many keys the two parts have that ``require_merged`` is given.
KEYS = (4, 7)

# An output, (queries, width), and the logarithm of each query's sum, (queries).
Finished = tuple[Tensor, Tensor]
Merge = Callable[[Tensor, Tensor, Tensor, Tensor], Finished]


def _finished(part: Partial) -> Finished:
    return part.output(), part.maximum + part.total.log()


def require_merged(
    merge: Merge,
    one: Partial,
    other: Partial,
    where: str,
    overflow: str = "your numbers overflow: never take e to the power of a logarithm of a sum "
    "itself, only of a difference; torch.logaddexp adds two sums by their logarithms",
) -> None:
    """Refuse what is not the merge of two parts that both have keys.

    Args:
        merge: the learner's function of two outputs and the logarithms of their sums.
        one: the first part.
        other: the second part: ``KEYS`` says how many keys each has.
        where: how the messages begin, a space at its end.
        overflow: what to say of results that are not finite.

    Raises:
        Mistake: with the words for the likeliest slip.
    """
    (first, first_sum), (second, second_sum) = _finished(one), _finished(other)
    right, right_sum = _finished(merge_partials(one, other))
    output, log_sum = _pair(merge(first, first_sum, second, second_sum), right.shape)
    if same(output, right) and same(log_sum, right_sum):
        return
    if not (output.isfinite().all() and log_sum.isfinite().all()):
        raise Mistake(f"{where}{overflow}")
    greater = torch.maximum(first_sum, second_sum)
    name_first(
        log_sum,
        [
            (
                first_sum + second_sum,
                "you added the logarithms: that multiplies the two sums; what is to be added is "
                "e to the power of each",
            ),
            (
                torch.maximum(first_sum, second_sum),
                "your second result is the greater of the two logarithms, and the smaller sum is "
                "lost",
            ),
            (right_sum.exp(), "your second result is the sum; its logarithm is asked for"),
            (
                right_sum - math.log(2.0),
                "you took the mean of the two sums in your second result; a part with more keys "
                "adds more",
            ),
            (first_sum, "your second result is that of the first part alone; the other adds to it"),
            (
                second_sum,
                "your second result is that of the second part alone; the first adds to it",
            ),
            (
                right_sum - greater,
                "your second result lacks the maximum: what was subtracted before the exponential "
                "is to be added after the logarithm",
            ),
            (
                right_sum - 2 * greater,
                "you subtract the maximum from your second result; what was subtracted before the "
                "exponential is to be added after the logarithm",
            ),
            (
                (right_sum - greater).exp(),
                "your second result is a sum, of shares of the greater; the logarithm of the whole "
                "is asked for",
            ),
            (
                torch.logaddexp2(first_sum, second_sum),
                "your exponentials and logarithms are to the base 2; these sums are of powers of e",
            ),
        ],
    )
    if not same(log_sum, right_sum):
        raise Mistake(
            f"{where}your second result is not log(e^{{lse_1}} + e^{{lse_2}}), the logarithm of "
            "both sums together"
        )
    shares = [(each - right_sum).exp()[:, None] for each in (first_sum, second_sum)]
    own = [(each - each.max()).exp()[:, None] for each in (first_sum, second_sum)]
    over_queries = [torch.softmax(each, dim=0)[:, None] for each in (first_sum, second_sum)]
    by_size = torch.softmax(torch.stack([first_sum, second_sum]).exp().log1p(), dim=0)[..., None]
    name_first(
        output,
        [
            ((first + second) / 2, "you took the mean of the two outputs, whatever their sums"),
            (first + second, "you added the two outputs; each counts by its share of the sum"),
            (
                shares[1] * first + shares[0] * second,
                "your two shares are exchanged: each output was given the other's weight",
            ),
            (
                (KEYS[0] * first + KEYS[1] * second) / sum(KEYS),
                "you weighted the outputs by their numbers of keys; keys count by e^score",
            ),
            (
                right * (right_sum - greater).exp()[:, None],
                "your output is not divided by the sum of its two weights",
            ),
            (
                right / 2,
                "you divide by two; your weights sum to one as they are",
            ),
            (
                (own[0] * first + own[1] * second) / (own[0] + own[1]),
                "each part has a maximum of its own with you; what is subtracted from both "
                "logarithms of a query has to be the same number",
            ),
            (
                over_queries[0] * first + over_queries[1] * second,
                "your softmax runs over the queries; it is to run over the two parts",
            ),
            (
                torch.where((first_sum > second_sum)[:, None], first, second),
                "you return the output of the greater sum's part; the other has a share, too",
            ),
            (by_size[0] * first + by_size[1] * second, "you took the logarithm once too often"),
            (
                (first_sum[:, None] * first + second_sum[:, None] * second)
                / (first_sum + second_sum)[:, None],
                "you weighted by the logarithms of the sums; weight by the sums",
            ),
        ],
    )
    require_same(
        output,
        right,
        f"{where}your output is not the mean of the two, weighted by e^{{lse_1}} and e^{{lse_2}}",
        axes=("query", "width"),
        given={"output_1": first, "output_2": second},
    )


def require_merged_with_nothing(merge: Merge, part: Partial) -> None:
    """Refuse a merge that changes a part to which an empty one is joined.

    Raises:
        Mistake: if the part does not come back as it was.
    """
    output, log_sum = _finished(part)
    nothing = torch.zeros_like(output), torch.full_like(log_sum, float("-inf"))
    for first, second in (((output, log_sum), nothing), (nothing, (output, log_sum))):
        got = _pair(merge(*first, *second), output.shape)
        if not (same(got[0], output) and same(got[1], log_sum)):
            finite = got[0].isfinite().all() and got[1].isfinite().all()
            raise Mistake(
                "right where both parts have keys; with a part that has none, whose logarithm is "
                "minus infinity, the other part should come back as it was. "
                + (
                    "With you the empty part still has a share: e to the power of minus infinity "
                    "is zero, if nothing stands in its way"
                    if finite
                    else "Yours is not finite: what is less minus infinity is infinite, and so is "
                    "its exponential. Subtract the greater of the two, which is finite"
                )
            )


def _pair(got: object, shape: torch.Size) -> Finished:
    if not isinstance(got, tuple | list) or len(got) != 2:
        raise Mistake("a pair is expected: the output, and the logarithm of the sum")
    output = require_tensor(got[0], tuple(shape), "your output", "(queries, width of a value)")
    return output, require_tensor(
        got[1], tuple(shape[:1]), "your second result", "one number a query"
    )
