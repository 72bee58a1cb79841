"""Checks for the exercises of the chapter on the feed-forward network."""

from collections.abc import Callable, Sequence
from functools import partial

import torch
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.feed_forward_models import HONEST, IMPOSTORS
from softlookup.course.exercises.judging import judge
from softlookup.course.exercises.probes import draw, name_first, require_tensor, same
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
    up, down = height / (middle - left), height / (right - middle)
    x = torch.linspace(left - 3, right + 3, 61, dtype=torch.float64)
    got = _network(x[:, None], weights)[:, 0]

    def hinges(corners: Sequence[float], turns: Sequence[float]) -> Tensor:
        return sum(
            (turn * torch.relu(x - at) for at, turn in zip(corners, turns, strict=True)),
            torch.zeros_like(x),
        )

    corners, turns = (left, middle, right), (up, -up - down, down)
    right_line = hinges(corners, turns)
    if same(got, right_line):
        return
    name_first(
        got,
        [
            (-right_line, "your tent hangs upside down: turn the signs in W_2"),
            (
                hinges([-at for at in corners], turns),
                "your corners stand at the mirrored places: a hinge at a is max(0, x - a), so "
                "its bias is -a",
            ),
            (
                hinges(corners, (up, -up, 0.0)),
                "your line goes up and stays there: at the top the slope changes from up to down",
            ),
            (
                hinges(corners, (up, -down, down)),
                "at the top the slope changes by the slope up and the slope down together; you "
                "take away the slope down alone",
            ),
            (
                hinges(corners, (up, -up - down, 0.0)),
                "your line goes on falling after the right corner: the third hinge has to lift "
                "it back to slope 0",
            ),
            (
                hinges(corners, (up, -2 * up, up)),
                "both sides of your tent have the same slope, which is right only where the top "
                "stands in the middle",
            ),
            (
                hinges(corners, (up, 0.0, down)),
                "your line rises on through the middle: no hinge turns it down there",
            ),
            (
                hinges(corners, [turn / height for turn in turns]),
                "a tent of height 1: multiply by the height",
            ),
            (
                hinges(corners, (height, -2 * height, height)),
                "your slopes are the height itself; a slope is the height divided by the width "
                "of its side",
            ),
        ],
    )
    if abs(float(got[0])) > 1e-4 and same(got - got[0], right_line):
        raise Mistake("the right tent, but lifted: b_2 should be zero")
    at = _network(torch.tensor([[left], [middle], [right]], dtype=torch.float64), weights)
    raise Mistake(
        f"for a tent over {left:g}, {middle:g}, {right:g} of height {height:g} your network gives "
        f"{', '.join(f'{value:.2f}' for value in at[:, 0].tolist())} at the three corners; "
        f"expected 0, {height:g}, 0, and zero outside"
    )


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
        name_first(
            rho,
            [
                (
                    c**2 * sine,
                    "your rho has the opposite sign: to the right of 0 a sine bends down",
                ),
                (-sine, "your rho lacks the factor that differentiating sin(cz) twice brings out"),
                (-c * sine, "your rho has c once: each of the two derivatives brings out one"),
                (c * cosine, "your rho is the slope; a hinge's weight is the change of the slope"),
                (-(c**2) * cosine, "your rho is the weight of a cosine's hinges; this is a sine"),
                (
                    -(c**2) * sine / 2,
                    "your rho is halved: to the right of 0 only the right hinges are at work",
                ),
            ],
        )
        if not same(rho, -(c**2) * sine):
            raise Mistake("your rho is not the second derivative of sin(cz) at z = t")
        name_first(
            lam,
            [
                (
                    rho,
                    "your lambda equals rho, as for a cosine, which is even; a sine is odd, and "
                    "bends the other way on the left",
                ),
                (-rho.flip(0), "your lambda runs the wrong way: the hinge at t turns at z = -t"),
            ],
        )
        if not same(lam, c**2 * sine):
            raise Mistake("your rho is right; your lambda is not the second derivative at z = -t")
        if same(alpha, torch.ones_like(alpha)):
            raise Mistake("your alpha is 1, the slope of sin z; that of sin(cz) at 0 is another")
        if same(alpha, torch.zeros_like(alpha)):
            raise Mistake("your alpha is 0, as for a cosine; a sine rises at 0")
        if not same(alpha, torch.full_like(alpha, c)):
            raise Mistake("both weights are right; alpha is not the slope of sin(cz) at 0")


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
        raise Mistake("inputs perpendicular or opposed to the key get a new output as well")
    if not same(change(at_threshold), 0 * value):
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
    raise Mistake("at the key your network's answer is not value; print it beside value")


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
    w_1, b_1, w_2, b_2 = weights
    x = _draw(3, LENGTH, D_MODEL, seed=10)
    hidden = x @ w_1 + b_1

    def ending(numbers: Tensor) -> Tensor:
        return torch.relu(numbers) @ w_2 + b_2

    def centred_over(*axes: int) -> Tensor:
        return ending(hidden - hidden.mean(axes, keepdim=True))

    right = centred_over(-1)
    got = require_tensor(centred(x, *weights), tuple(x.shape), "your output")
    before = torch.stack([hidden[:, : n + 1].mean(1) for n in range(LENGTH)], dim=1)
    bent = torch.relu(hidden)
    spread = hidden.std(-1, keepdim=True)
    name_first(
        got,
        [
            (
                centred_over(1),
                "nothing has changed: the mean still runs over the tokens of the sequence, the "
                "later ones included",
            ),
            (centred_over(0), "now the mean runs over the batch: a token hears other sequences"),
            (
                centred_over(0, 1),
                "the mean runs over batch and sequence: a token hears even more of the others",
            ),
            (
                centred_over(1, 2),
                "the mean runs over the hidden numbers, but over those of all tokens as well",
            ),
            (centred_over(0, 1, 2), "one mean for everything: each token still hears all others"),
            (
                ending(hidden - before),
                "the mean runs over earlier tokens: the future is hidden, and yet a token hears "
                "others, so the network is not position-wise",
            ),
            (
                ending(hidden),
                "the leak is gone and the centring with it; the hidden numbers should still be "
                "centred",
            ),
            (
                ending(x @ w_1 - (x @ w_1).mean(-1, keepdim=True) + b_1),
                "you centre before the bias is added; in the colleague's code it comes before",
            ),
            (
                (bent - bent.mean(-1, keepdim=True)) @ w_2 + b_2,
                "you centre after the bend; the colleague centres before it",
            ),
            (
                ending((x - x.mean(-1, keepdim=True)) @ w_1 + b_1),
                "you centre the token's own numbers; the hidden ones should be centred",
            ),
            (
                ending((hidden - hidden.mean(-1, keepdim=True)) / spread),
                "you also divide by the spread: this is a layer norm, and more than was asked",
            ),
        ],
    )
    if not same(got, right):
        raise Mistake("a token's output is not what centring its own hidden numbers gives")


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
    judge(lambda function: is_position_wise(function, x), HONEST, IMPOSTORS)
