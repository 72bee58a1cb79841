"""What goes wrong with a tent of three hinges: a slope, a corner, or how a hinge turns the line."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from softlookup.course.exercises.probes import name_first, same
from softlookup.course.exercises.slips import name_slips
from softlookup.course.exercises.verdict import Mistake


def is_tent(
    got_line: Callable[[Tensor], Tensor], left: float, middle: float, right: float, height: float
) -> bool:
    """Whether a line is the tent; one that is not in a known way is refused.

    Args:
        got_line: the learner's network, from numbers to numbers.
        left: where the tent begins.
        middle: where its top stands.
        right: where it ends.
        height: of its top.

    Raises:
        Mistake: naming the hinge or the slope that is another.
    """
    x = torch.linspace(left - 3, right + 3, 61, dtype=torch.float64)
    got = got_line(x)
    corners = (left, middle, right)

    def line(
        slope: Callable[[float], float] = lambda side: height / side,
        sides: tuple[float, float] = (middle - left, right - middle),
        top: Callable[[float, float], float] = lambda up, down: -up - down,
        end: Callable[[float, float], float] = lambda up, down: down,
        corners: Sequence[float] = corners,
        sign: int = 1,
    ) -> Tensor:
        up, down = slope(sides[0]), slope(sides[1])
        turns = zip(corners, (up, top(up, down), end(up, down)), strict=True)
        return torch.stack([sign * turn * torch.relu(x - at) for at, turn in turns]).sum(0)

    right_line = line()
    if same(got, right_line):
        return True
    name_first(
        got,
        [
            (
                line(top=lambda up, _: -up, end=lambda *_: 0.0),
                "your line goes up and stays there: at the top the slope changes from up to down",
            ),
            (
                line(sides=(middle - left, middle - left)),
                "both sides of your tent have the same slope, which is right only where the top "
                "stands in the middle",
            ),
        ],
    )
    name_slips(
        got,
        line,
        {
            "sign": {"your tent hangs upside down: turn the signs in W_2": -1},
            "corners": {
                "your corners stand at the mirrored places: a hinge at a is max(0, x - a), so "
                "its bias is -a": [-at for at in corners],
            },
            "top": {
                "at the top the slope changes by the slope up and the slope down together; you "
                "take away the slope down alone": lambda _, down: -down,
                "at the top the slope changes by the slope up and the slope down together; you "
                "take away the slope up alone": lambda up, _: -up,
                "at the top the slope changes by the slope up and the slope down together; you "
                "take their difference": lambda up, down: down - up,
                "at the top the slope changes by the slope up and the slope down together; you "
                "take their difference, turned": lambda up, down: up - down,
                "your line rises on through the middle: no hinge turns it down there": (
                    lambda *_: 0.0
                ),
                "your middle hinge turns the line up: its weight is negative": (
                    lambda up, down: up + down
                ),
            },
            "end": {
                "your line goes on falling after the right corner: the third hinge has to lift "
                "it back to slope 0": lambda *_: 0.0,
                "your third hinge has the wrong sign: it lifts the falling line back": (
                    lambda _, down: -down
                ),
                "your third hinge lifts by the slope up; what it has to lift is the slope down": (
                    lambda up, _: up
                ),
            },
            "slope": {
                "a tent of height 1: multiply by the height": lambda side: 1 / side,
                "your slopes are the height itself; a slope is the height divided by the width "
                "of its side": lambda _: height,
                "your slopes are upside down: a slope is the height divided by the width of its "
                "side": lambda side: side / height,
                "your slopes are whole numbers: divide with / and not with //": (
                    lambda side: height // side
                ),
            },
            "sides": {
                "your slope down divides by the width of the whole tent; its side goes from the "
                "middle to the right": (middle - left, right - left),
                "your slope up divides by the width of the whole tent; its side goes from the "
                "left to the middle": (right - left, right - middle),
                "both slopes divide by the width of the whole tent; each side has its own": (
                    right - left,
                    right - left,
                ),
                "your two sides are exchanged: the slope up divides by middle - left": (
                    right - middle,
                    middle - left,
                ),
            },
        },
    )
    if abs(float(got[0])) > 1e-4 and same(got - got[0], right_line):
        raise Mistake("the right tent, but lifted: b_2 should be zero")
    return False


def require_slopes(
    got_line: Callable[[Tensor], Tensor], left: float, middle: float, right: float, height: float
) -> None:
    """Refuse a line whose slope between two corners is not the tent's.

    Raises:
        Mistake: with the first slope that is wrong.
    """
    ends = torch.tensor([left - 1, left, middle, right, right + 1], dtype=torch.float64)
    slopes = got_line(ends).diff() / ends.diff()
    for slope, wanted, where in zip(
        slopes.tolist(),
        (0, height / (middle - left), height / (middle - right), 0),
        (
            "before the left corner",
            "on the left side, where it is the height over the side's width,",
            "on the right side, to which the hinge in the middle turns it from the slope up,",
            "behind the right corner, where the last hinge has lifted it back,",
        ),
        strict=True,
    ):
        if abs(slope - wanted) > 1e-4:
            raise Mistake(
                f"for a tent over {left:g}, {middle:g}, {right:g} of height {height:g} the slope "
                f"{where} should be {wanted:.3g}; yours is {slope:.3g}"
            )
