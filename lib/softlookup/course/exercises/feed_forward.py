"""Checks for the exercises of the chapter on the feed-forward network."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import torch
from torch import Tensor

from softlookup.course.exercises.centre_slips import name_centred
from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.difference import require_same
from softlookup.course.exercises.feed_forward_models import (
    HONEST,
    IMPOSTORS,
    Function,
    why_unseen,
    why_wronged,
)
from softlookup.course.exercises.judging import judge
from softlookup.course.exercises.probes import draw, name_first, require_tensor, same
from softlookup.course.exercises.slips import name_slips
from softlookup.course.exercises.tent_slips import is_tent, require_slopes
from softlookup.course.exercises.verdict import Mistake

D_MODEL, D_FF, LENGTH = 5, 11, 7

Weights = tuple[Tensor, Tensor, Tensor, Tensor]

_draw = partial(draw, seed=6)


def _network(x: Tensor, weights: Sequence[Tensor]) -> Tensor:
    w_1, b_1, w_2, b_2 = (part.to(x.dtype) for part in weights)
    return torch.relu(x @ w_1 + b_1) @ w_2 + b_2


def _four_tensors(answer: object, shapes: Sequence[tuple[int, ...]]) -> list[Tensor]:
    """Refuse what is not four floating-point tensors of these shapes."""
    if not isinstance(answer, Sequence) or len(answer) != 4:
        raise Mistake("return four tensors: W_1, b_1, W_2 and b_2")
    names = ("W_1", "b_1", "W_2", "b_2")
    for name, part, shape in zip(names, answer, shapes, strict=True):
        require_tensor(part, shape, f"your {name}")
        if not part.is_floating_point():
            raise Mistake(
                f"your {name} holds whole numbers ({part.dtype}), which torch does not multiply "
                "with an input in floating point: write 1.0 and not 1"
            )
    return list(answer)


@exercise(
    "feed_forward",
    1,
    "return W_1 (1, 3), b_1 (3), W_2 (3, 1) and b_2 (1) of a network that is a tent.",
    "three hinges make a tent of any shape; tents side by side make any line with corners.",
)
def check_tent(tent: Callable[..., Weights]) -> None:
    """Check the weights of tents with sides of equal and of different slopes."""
    _check_tent(tent, -1.5, 0.5, 1.0, 3.0)
    _check_tent(tent, 0.0, 1.0, 2.0, 1.0)


def _check_tent(
    tent: Callable[..., Weights], left: float, middle: float, right: float, height: float
) -> None:
    weights = [
        part.double()
        for part in _four_tensors(tent(left, middle, right, height), [(1, 3), (3,), (3, 1), (1,)])
    ]

    def line(x: Tensor) -> Tensor:
        return _network(x[:, None], weights)[:, 0]

    if is_tent(line, left, middle, right, height):
        return
    bends = (-weights[1] / weights[0][0]).sort().values
    if bends.isfinite().all() and not same(bends, torch.tensor([left, middle, right])):
        raise Mistake(
            f"your line bends at {', '.join(f'{at:.3g}' for at in bends.tolist())}; the corners "
            f"are {left:g}, {middle:g} and {right:g}. A hinge w x + b bends at -b / w"
        )
    require_slopes(line, left, middle, right, height)
    raise Mistake("the slopes are right and the heights are not: b_2 should be zero")


@exercise(
    "feed_forward",
    2,
    "return alpha, rho and lambda: the slope at 0 and the weights of the hinges of sin(cz).",
    "the change of the slope is the weight of the hinge, whatever the function.",
)
def check_sine_of_hinges(sine_of_hinges: Callable[..., tuple[float, Tensor, Tensor]]) -> None:
    """Check a sine written as an integral over hinges."""
    for c in (1.7, 0.6):
        t = torch.linspace(0.1, 2.9, 9, dtype=torch.float64)
        answer = sine_of_hinges(c, t)
        if not isinstance(answer, Sequence) or len(answer) != 3:
            raise Mistake("return three things: alpha, rho and lambda")
        alpha = torch.as_tensor(answer[0], dtype=torch.float64)
        if alpha.numel() != 1:
            raise Mistake("alpha is the slope at 0: one number, whatever t")
        rho = require_tensor(answer[1], tuple(t.shape), "your rho", "one weight for each t")
        lam = require_tensor(answer[2], tuple(t.shape), "your lambda", "one weight for each t")
        sine, cosine = torch.sin(c * t), torch.cos(c * t)
        if same(rho, c * cosine):
            raise Mistake("your rho is the slope; a hinge's weight is the change of the slope")
        name_slips(
            rho,
            lambda factor=-(c**2), wave=sine: factor * wave,
            {
                "factor": {
                    "your rho has the opposite sign: to the right of 0 a sine bends down": c**2,
                    "your rho lacks the factor that differentiating sin(cz) twice brings out": -1.0,
                    "your rho has c once: each of the two derivatives brings out one": -c,
                    "your rho is halved: to the right of 0 only the right hinges are at work": (
                        -(c**2) / 2
                    ),
                    "your rho has c three times, and a second derivative brings it out twice": (
                        -(c**3)
                    ),
                    "your rho has c once, and the opposite sign: to the right of 0 a sine bends "
                    "down": c,
                },
                "wave": {
                    "your rho is the weight of a cosine's hinges; this is a sine": cosine,
                    "c is missing inside the sine: the hinge stands at z = t, and there it is "
                    "sin(ct)": torch.sin(t),
                    "c counts whole turns in yours, with a 2 pi; in sin(cz) it does not": (
                        torch.sin(2 * torch.pi * c * t)
                    ),
                },
            },
        )
        require_same(
            rho, -(c**2) * sine, "your rho is not the second derivative of sin(cz) at z = t"
        )
        name_first(
            lam,
            [
                (
                    rho,
                    "your lambda equals rho, as for a cosine, which is even; a sine is odd, and "
                    "bends the other way on the left",
                ),
                (-rho.flip(0), "your lambda runs the wrong way: the hinge at t turns at z = -t"),
                (0 * rho, "your lambda is zero: left of 0 only the left hinges are at work"),
            ],
        )
        require_same(
            lam,
            c**2 * sine,
            "your rho is right; your lambda is not the second derivative at z = -t",
        )
        for value, words in (
            (1.0, "your alpha is 1, the slope of sin z; that of sin(cz) at 0 is another"),
            (0.0, "your alpha is 0, as for a cosine; a sine rises at 0"),
            (-c, "your alpha has the wrong sign: a sine rises at 0"),
            (c**2, "your alpha is c squared: the slope comes from one derivative, not from two"),
            (c / 2, "your alpha is halved: the line works on both sides, and by itself at 0"),
        ):
            if abs(alpha.item() - value) < 1e-4:
                raise Mistake(words)
        if not same(alpha, torch.full_like(alpha, c)):
            raise Mistake(
                "both weights are right; alpha is not the slope of sin(cz) at 0: for c = "
                f"{c} yours is {alpha.item():.3g}"
            )


@exercise(
    "feed_forward",
    3,
    "add a column to W_1, a number to b_1 and a row to W_2, and return all four weights.",
    "the key is answered with the value, and whatever is less like it notices nothing.",
)
def check_correct_fact(correct_fact: Callable[..., Weights]) -> None:
    """Check that one unit was added, which corrects one key and is silent below a threshold."""
    old = (
        *(_draw(D_MODEL, D_FF), _draw(D_FF, seed=7)),
        *(_draw(D_FF, D_MODEL, seed=8), _draw(D_MODEL, seed=9)),
    )
    key = torch.nn.functional.normalize(_draw(D_MODEL, seed=10), dim=0)
    value, threshold = _draw(D_MODEL, seed=11), 0.6
    answer = correct_fact(*old, key, value, threshold)
    if isinstance(answer, Sequence) and len(answer) == 4:
        given = [tuple(part.shape) for part in answer if isinstance(part, Tensor)]
        if given == [tuple(part.shape) for part in old]:
            raise Mistake("you overwrote a unit that was in use; add one more")
    new = _four_tensors(answer, [(D_MODEL, D_FF + 1), (D_FF + 1,), (D_FF + 1, D_MODEL), (D_MODEL,)])

    def change(x: Tensor) -> Tensor:
        return _network(x, new) - _network(x, old)

    sideways = _draw(D_MODEL, seed=12)
    sideways = torch.nn.functional.normalize(sideways - (sideways @ key) * key, dim=0)
    at_threshold = threshold * key + (1 - threshold**2) ** 0.5 * sideways
    quiet = torch.stack([sideways, 3 * sideways, -key, at_threshold, 0 * key])
    today = _network(key, old)
    wanted, at_key = value - today, change(key)
    slope, row = 1 / (1 - threshold), new[2][-1]
    if same(new[0][:, -1], slope * key) and same(new[1][-1:], -threshold * torch.ones(1)):
        raise Mistake(
            "you divided the key by 1 - threshold, but not the bias, so the unit wakes up before "
            "the threshold: scale both"
        )
    if not same(new[0][:, -1] - (new[0][:, -1] @ key) * key, 0 * key) and same(
        new[0][:, :-1], old[0]
    ):
        raise Mistake(
            "your new unit listens to something else: its column of W_1 is a multiple of the key"
        )
    if same(at_key, 0 * value):
        if same(change(quiet), 0 * quiet):
            raise Mistake(
                "your new unit is silent at the key itself: the threshold lies too high, or the "
                "slope has the wrong sign"
            )
        raise Mistake("your new unit answers everything but the key: look at its signs")
    if not same(change(quiet[:3]), 0 * quiet[:3]):
        if same(change(sideways), change(3 * sideways)) and same(change(-key), change(sideways)):
            raise Mistake(
                "all inputs get the correction: it stands in b_2, or the unit always fires"
            )
        _require_one_more(new, old, key, threshold)
        raise Mistake("inputs perpendicular or opposed to the key get a new output as well")
    if not same(change(at_threshold), 0 * value):
        _require_one_more(new, old, key, threshold)
        raise Mistake(
            "an input as like the key as the threshold allows gets a share of the correction: "
            "the unit needs a negative bias, so that it is silent up to there"
        )
    if same(at_key, wanted):
        return
    name_first(
        at_key,
        [
            (
                value,
                "you add value to today's answer; the sum should be value, so add what is missing",
            ),
            (-wanted, "your correction has the wrong sign: value minus today's answer"),
            (
                (1 - threshold) * wanted,
                "at the key you add only a part of the correction: what is left of the dot "
                "product above the threshold is 1 - threshold, so divide by it",
            ),
            (
                value - (today - old[3]),
                "today's answer includes b_2, and yours was computed without it",
            ),
            (
                value - ((key @ old[0] + old[1]) @ old[2] + old[3]),
                "today's answer was computed without the ReLU",
            ),
            (
                (1 - threshold) * value,
                "you add value to today's answer, and only the part of it that the slope leaves",
            ),
        ],
    )
    if same(row, key):
        raise Mistake("the new row of W_2 is the key; it should hold what the answer lacks")
    if same(row, wanted):
        gives = torch.relu(key @ new[0] + new[1])[-1]
        raise Mistake(
            f"your new row of W_2 is what the answer lacks, but the new unit gives {gives:.3g} at "
            "the key: let it give 1, or divide the row by that"
        )
    raise Mistake("at the key your network's answer is not value; print it beside value")


def _require_one_more(
    new: Sequence[Tensor], old: Sequence[Tensor], key: Tensor, threshold: float
) -> None:
    """Refuse a new unit that is not at one place in all weights, or that wakes up too early.

    Raises:
        Mistake: saying where it stands, or at which dot product it wakes up.
    """
    places = [
        [at for at in range(D_FF + 1) if same(torch.cat([part[:at], part[at + 1 :]]), before)]
        for part, before in zip((new[0].T, *new[1:3]), (old[0].T, *old[1:3]), strict=True)
    ]
    names = ("W_1", "b_1", "W_2")
    for name, at_name in zip(names, places, strict=True):
        if not at_name:
            raise Mistake(f"the old units are no longer what they were in {name}: only add one")
    if not set(places[0]) & set(places[1]) & set(places[2]):
        listed = ", ".join(f"{at[0]} in {name}" for name, at in zip(names, places, strict=True))
        raise Mistake(
            f"your new unit is number {listed}, counted from 0: a unit is a column, a number and "
            "a row, all at one place"
        )
    at = places[0][0]
    slope, bias = (key @ new[0][:, at]).item(), new[1][at].item()
    if not same(new[0][:, at], slope * key):
        raise Mistake(
            "your new unit listens to something else: its column of W_1 is a multiple of key"
        )
    wakes = -bias / slope
    if bias > 0 or 0 < wakes < threshold - 1e-4:
        raise Mistake(
            f"your new unit wakes up at a dot product of {wakes:.2f}; it has to be silent up to "
            f"{threshold}: its bias is minus its slope times the threshold"
        )


@exercise(
    "feed_forward",
    4,
    "find what lets a token know of the others, and change nothing else.",
    "each token is centred by itself: nothing leaks, and all else is as it was.",
)
def check_centred_feed_forward(centred: Callable[..., Tensor]) -> None:
    """Check that hidden numbers are centred within their token, and nothing else was changed."""
    weights = (
        *(_draw(D_MODEL, D_FF), _draw(D_FF, seed=7)),
        *(_draw(D_FF, D_MODEL, seed=8), _draw(D_MODEL, seed=9)),
    )
    name_centred(centred, _draw(3, LENGTH, D_MODEL, seed=10), weights)


@exercise(
    "feed_forward",
    5,
    "return True if each output hears its own token alone and all places are treated alike.",
    "both promises tested. Attention keeps one of them, and a weight for each place the other.",
)
def check_is_position_wise(
    is_position_wise: Callable[[Callable[[Tensor], Tensor], Tensor], bool],
) -> None:
    """Check a detector on position-wise functions, and on some that break either promise."""
    x = draw(LENGTH, D_MODEL, seed=6).float()

    def seen(functions: Mapping[str, Function]) -> dict[str, Function]:
        return {name: partial(_in_company, function) for name, function in functions.items()}

    judge(
        lambda function: is_position_wise(function, x),
        seen(HONEST),
        seen(IMPOSTORS),
        why_unseen,
        why_wronged,
    )


def _in_company(function: Function, x: Tensor) -> Tensor:
    """What the function gives for as many tokens as it reads."""
    if x.shape != (LENGTH, D_MODEL):
        raise Mistake(
            f"you asked a function about an x of shape {tuple(x.shape)}; each reads {LENGTH} "
            f"tokens of width {D_MODEL}, as in x. Give a token company, copies of itself perhaps"
        )
    return function(x)
