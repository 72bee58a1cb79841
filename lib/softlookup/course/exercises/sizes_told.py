"""Why an interval for the loss of a larger size is too wide, as far as its questions tell.

The chapter on training past one machine asks for one; ``sizes_extrapolated`` tries it.
"""

from collections.abc import Sequence

from softlookup.course.exercises.measuring import Answer


def why_wide(answers: Sequence[Answer], budget: int) -> str:
    """The likeliest reason for an interval that is wider than need be."""
    asked = answers[0].asked
    sizes = [int(size) for size, _ in asked]
    below = sum(each.middle < 0 for each in answers)
    if below > len(answers) / 4:
        return (
            f"in {below} of {len(answers)} worlds its middle is below zero, where no loss is. Did "
            "you draw a straight line through losses and sizes? A power of the size falls ever "
            "more slowly; without a floor, it is the logarithms that lie on a line"
        )
    if len(asked) < budget // 2:
        return f"you trained {len(asked)} models, and {budget} were allowed"
    if max(sizes) // min(sizes) < 16:
        return (
            f"your sizes go from {min(sizes)} to {max(sizes)}. Where a curve goes shows over a "
            "long range: train small ones and large ones"
        )
    return (
        "is the scatter of single runs in it? The mean of several is surer than each of them, "
        "and a mean is what you are asked for. Or does it reach further than two standard errors?"
    )
