"""Checks for the exercises of the chapter on the feed-forward network."""

from collections.abc import Callable, Sequence
from functools import partial

import torch
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.probes import draw, same
from softlookup.course.exercises.verdict import Mistake
from softlookup.layers.attention import attention

D_MODEL, D_FF, LENGTH = 5, 11, 7

Weights = tuple[Tensor, Tensor, Tensor, Tensor]

_draw = partial(draw, seed=6)


def _network(x: Tensor, weights: Sequence[Tensor]) -> Tensor:
    w_1, b_1, w_2, b_2 = (part.to(x.dtype) for part in weights)
    return torch.relu(x @ w_1 + b_1) @ w_2 + b_2


@exercise(
    "feed_forward",
    1,
    "widen x with W_1 and b_1, set what is negative to zero, bring it back with W_2 and b_2.",
    "the network, for one token, a sequence, or a batch of them.",
)
def check_feed_forward(feed_forward: Callable[..., Tensor]) -> None:
    """Check a feed-forward network in the row convention."""
    w_1, b_1 = _draw(D_MODEL, D_FF), _draw(D_FF, seed=7)
    w_2, b_2 = _draw(D_FF, D_MODEL, seed=8), _draw(D_MODEL, seed=9)
    weights = (w_1, b_1, w_2, b_2)
    x = _draw(LENGTH, D_MODEL, seed=10)
    right = _network(x, weights)
    got = feed_forward(x, *weights)
    if not isinstance(got, Tensor) or got.shape != right.shape:
        raise Mistake(f"return a tensor of the shape of x, {tuple(right.shape)}")
    widened = x @ w_1 + b_1
    wrong = {
        "nothing bends: without the ReLU the two layers are one matrix": widened @ w_2 + b_2,
        "your ReLU stands at the end, where it forbids negative outputs; it belongs between "
        "the two layers": torch.relu(widened @ w_2 + b_2),
        "you bend in the middle and once more at the end; the second layer is linear": (
            torch.relu(right)
        ),
        "your first bias comes after the ReLU, so it moves no threshold: add b_1 before": (
            (torch.relu(x @ w_1) + b_1) @ w_2 + b_2
        ),
        "you left out b_1: every hinge then turns at zero": torch.relu(x @ w_1) @ w_2 + b_2,
        "you left out b_2": torch.relu(widened) @ w_2,
        "you added x to the output: the residual stands around the network, not in it": right + x,
        "your hidden numbers sum to one: this is a softmax, as in attention; a hidden unit asks "
        "no other": torch.softmax(widened, -1) @ w_2 + b_2,
        "your bend keeps the negative numbers: max(0, z), not min(0, z)": (
            widened.clamp(max=0) @ w_2 + b_2
        ),
    }
    if not same(got, right):
        for message, answer in wrong.items():
            if same(got, answer):
                raise Mistake(message)
        raise Mistake("your output differs from max(0, x W_1 + b_1) W_2 + b_2")
    batch = _draw(3, 2, LENGTH, D_MODEL, seed=11)
    for inputs in (batch, batch[0], x[0]):
        if not same(feed_forward(inputs, *weights), _network(inputs, weights)):
            raise Mistake(
                f"right for one sequence, wrong for x of shape {tuple(inputs.shape)}: "
                "let the products act on the last axis"
            )


@exercise(
    "feed_forward",
    2,
    "return W_1 (1, 3), b_1 (3), W_2 (3, 1) and b_2 (1) of a network that is a tent.",
    "three hinges make a tent; tents side by side make any curve.",
)
def check_tent(tent: Callable[[], Weights]) -> None:
    """Check the weights of a tent over 0 to 2."""
    answer = tent()
    shapes = [(1, 3), (3,), (3, 1), (1,)]
    if not isinstance(answer, Sequence) or len(answer) != 4:
        raise Mistake("return four tensors: W_1, b_1, W_2 and b_2")
    weights = [torch.as_tensor(part, dtype=torch.float64) for part in answer]
    if [tuple(part.shape) for part in weights] != shapes:
        given = [tuple(part.shape) for part in weights]
        raise Mistake(f"your weights have shapes {given}; {shapes} are expected")

    def at(*places: float) -> list[float]:
        x = torch.tensor(places, dtype=torch.float64)
        return _network(x[:, None], weights)[:, 0].tolist()

    def near(values: list[float], *expected: float) -> bool:
        return all(abs(v - e) < 1e-4 for v, e in zip(values, expected, strict=True))

    if near(at(-5, -1, 0, 0.5, 1, 1.25, 2, 2.5, 9), 0, 0, 0, 0.5, 1, 0.75, 0, 0, 0):
        return
    left, top, right, far = at(-1, 1, 2, 3)
    if near(at(0, 1, 2, 3), 0, -1, 0, 0):
        raise Mistake("your tent hangs upside down: turn the signs in W_2")
    if near(at(-2, -1, 0, 1), 0, 1, 0, 0):
        raise Mistake(
            "your tent stands over -2 to 0: a hinge at a is max(0, x - a), so its bias is -a"
        )
    if near([left, top, right, far], 0, 1, 1, 1):
        raise Mistake(
            "your line goes up to 1 and stays there: at the top the slope changes from 1 to -1, "
            "so by -2, and not by -1"
        )
    if near([left, top, right, far], 0, 1, 0, -1):
        raise Mistake(
            "your line goes on falling after 2: the third hinge has to lift it back to slope 0"
        )
    if near([left, top, right], 0, 1, 2):
        raise Mistake("your line rises on through 1: no hinge turns it down there")
    if abs(top) > 1e-3 and near(at(-1, 0.5, 1.5, 2, 3), 0, top / 2, top / 2, 0, 0):
        raise Mistake(f"a tent, but its top at x = 1 is {top:.2f} and should be 1")
    if not near(at(-5, -1), 0, 0):
        raise Mistake(
            f"at x = -1 your network gives {left:.2f}: all hinges should be silent left of 0, "
            "and b_2 zero"
        )
    raise Mistake(
        f"at x = 0, 1, 2, 3 your network gives "
        f"{', '.join(f'{value:.2f}' for value in at(0, 1, 2, 3))}; expected 0, 1, 0, 0"
    )


@exercise(
    "feed_forward",
    3,
    "add a column to W_1, a number to b_1 and a row to W_2, and return all four weights.",
    "the key gets its value, and no other input notices.",
)
def check_write_fact(write_fact: Callable[..., Weights]) -> None:
    """Check that one unit was added, which answers one key and keeps silent below a threshold."""
    old = (
        *(_draw(D_MODEL, D_FF), _draw(D_FF, seed=7)),
        *(_draw(D_FF, D_MODEL, seed=8), _draw(D_MODEL, seed=9)),
    )
    key = torch.nn.functional.normalize(_draw(D_MODEL, seed=10), dim=0)
    value, threshold = _draw(D_MODEL, seed=11), 0.6
    new = write_fact(*old, key, value, threshold)
    shapes = [(D_MODEL, D_FF + 1), (D_FF + 1,), (D_FF + 1, D_MODEL), (D_MODEL,)]
    if not isinstance(new, Sequence) or len(new) != 4:
        raise Mistake("return four tensors: W_1, b_1, W_2 and b_2")
    given = [tuple(part.shape) for part in new]
    if given == [tuple(part.shape) for part in old]:
        raise Mistake("you overwrote a unit that was in use; add one more")
    if given != shapes:
        raise Mistake(f"your weights have shapes {given}; {shapes} are expected")

    def change(x: Tensor) -> Tensor:
        return _network(x, new) - _network(x, old)

    sideways = _draw(D_MODEL, seed=12)
    sideways = torch.nn.functional.normalize(sideways - (sideways @ key) * key, dim=0)
    at_threshold = threshold * key + (1 - threshold**2) ** 0.5 * sideways
    quiet = torch.stack([sideways, 3 * sideways, -key, at_threshold, 0 * key])
    at_key = change(key)
    if same(at_key, -value) or same(at_key, 0 * value):
        if same(change(quiet), 0 * quiet):
            raise Mistake(
                "your new unit is silent at the key itself: the threshold lies too high, or the "
                "slope has the wrong sign"
            )
        raise Mistake("your new unit answers everything but the key: look at its signs")
    if not same(change(quiet[:3]), 0 * quiet[:3]):
        if same(change(sideways), change(3 * sideways)) and same(at_key, value):
            raise Mistake(
                "your value is added at every input: it stands in b_2, or the unit always fires"
            )
        raise Mistake("inputs perpendicular or opposed to the key get a new output as well")
    if not same(change(at_threshold), 0 * value):
        raise Mistake(
            "an input as like the key as the threshold allows gets a share of the value: "
            "the unit needs a negative bias, so that it is silent up to there"
        )
    if same(at_key, (1 - threshold) * value):
        raise Mistake(
            f"at the key you add only {1 - threshold:.1f} of the value: what is left of the dot "
            "product above the threshold is 1 - threshold, so divide by it"
        )
    if not same(at_key, value):
        raise Mistake("at the key your network does not add the value; compare with value itself")
    elsewhere = threshold + (1 - threshold) / 2
    halfway = elsewhere * key + (1 - elsewhere**2) ** 0.5 * sideways
    if not same(change(halfway), value / 2):
        raise Mistake("between the threshold and the key the answer should rise linearly")


@exercise(
    "feed_forward",
    4,
    "return True if each output hears its own token alone and all places are treated alike.",
    "both promises tested. Attention keeps one of them, and a weight for each place the other.",
)
def check_is_position_wise(
    is_position_wise: Callable[[Callable[[Tensor], Tensor], Tensor], bool],
) -> None:
    """Check a detector on position-wise functions, and on some that break either promise."""
    x = _draw(LENGTH, D_MODEL).float()
    weights = [_draw(*shape, seed=7).float() for shape in ((D_MODEL, D_FF), (D_FF, D_MODEL))]
    everywhere = _draw(LENGTH, D_MODEL, D_MODEL, seed=8).float()
    flat = _draw(LENGTH * D_MODEL, LENGTH * D_MODEL, seed=9).float()
    causal = torch.ones(LENGTH, LENGTH, dtype=torch.bool).tril()

    def judge(function: Callable[[Tensor], Tensor]) -> bool:
        return bool(is_position_wise(function, x))

    def network(x: Tensor) -> Tensor:
        return torch.relu(x @ weights[0]) @ weights[1]

    if not judge(network):
        raise Mistake("you accuse a feed-forward network, which is position-wise")
    if not judge(lambda x: torch.nn.functional.layer_norm(x, (D_MODEL,))):
        raise Mistake("you accuse a norm over each token's own numbers, which is position-wise")
    if judge(lambda x: torch.relu(x.flatten() @ flat).view(LENGTH, D_MODEL)):
        raise Mistake("a layer over the whole sequence passes your test: compare numbers")
    if judge(lambda x: attention(x, x, x)[0]):
        raise Mistake(
            "self-attention passes your test. It treats all places alike, but each output hears "
            "every token: exchange one token, and look at the others' outputs"
        )
    if judge(lambda x: attention(x, x, x, causal)[0]):
        raise Mistake(
            "causal attention passes your test: a later token changes no earlier output, so "
            "exchange early tokens too"
        )
    if judge(lambda x: attention(x, x, x, causal.T)[0]):
        raise Mistake(
            "attention to the future passes your test: exchange later tokens too, and look at "
            "the outputs before them"
        )
    if judge(lambda x: torch.einsum("nd,nde->ne", x, everywhere)):
        raise Mistake(
            "a layer with weights of its own for each place passes your test: it is local, but "
            "not shared. Let tokens change places, or give two places the same token"
        )
    if judge(lambda x: network(x) + torch.arange(len(x))[:, None]):
        raise Mistake("a network that adds its place to each token passes your test: not shared")
    if judge(lambda x: network(x) + 0.01 * x.mean(0)):
        raise Mistake("you miss a small leak of one part in a hundred through the mean")
