"""What a report's interval may lie about, instead of the mean difference of two arms.

The learner's middles are compared with other numbers of the same runs: a median, a share, a sum.
"""

from collections.abc import Callable, Sequence

from torch import Tensor

# The scores of the first arm and of the second, run by run: as many, and in one order.
Pair = tuple[Tensor, Tensor]


def other_middles(arms: Sequence[Pair]) -> dict[str, list[Tensor]]:
    """What the middles may be instead of the mean of the second arm less the first.

    Args:
        arms: what the two arms scored in each world.

    Returns:
        What it is in each world, by the words for it; nothing where an arm has under three scores.
    """
    if any(len(first) < 3 for first, _ in arms):
        return {}
    return {words: [of(*each) for each in arms] for words, of in _OTHERS.items()}


_MEDIAN = "your interval lies about the median of the differences; their mean is asked for"
_SHARE = "your interval is for a share, one arm divided by the other; take their difference"

_OTHERS: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    _MEDIAN: lambda first, second: (second - first).quantile(0.5),
    f"{_MEDIAN} (median() takes the lower of two)": lambda first, second: (second - first).median(),
    _SHARE: lambda first, second: (second / first).mean(),
    f"{_SHARE} (1 is taken off here)": lambda first, second: (second / first - 1).mean(),
    f"{_SHARE} (it is taken off 1 here)": lambda first, second: (1 - first / second).mean(),
    f"{_SHARE} (of the means here)": lambda first, second: second.mean() / first.mean() - 1,
    f"{_SHARE} (of the means, taken off 1 here)": lambda first, second: (
        1 - first.mean() / second.mean()
    ),
    "you took the differences without their signs; a loss is a gain below zero": (
        lambda first, second: (second - first).abs().mean()
    ),
    "your interval is in per cent, a hundred times the difference that is asked for": (
        lambda first, second: 100 * (second - first).mean()
    ),
    "your interval lies about the sum of the differences; their mean is asked for": (
        lambda first, second: (second - first).sum()
    ),
    "your interval is for the first arm alone; the difference of the two is asked for": (
        lambda first, second: first.mean()
    ),
    "your interval is for the second arm alone; the difference of the two is asked for": (
        lambda first, second: second.mean()
    ),
    "your interval lies about 0, whatever the runs gave; it is to lie about their difference": (
        lambda first, second: 0 * first.mean()
    ),
    "your interval lies about the mean of both arms; their difference is asked for": (
        lambda first, second: (first + second).mean() / 2
    ),
}
