"""What goes wrong where each token's hidden numbers are to be centred before they are bent."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from softlookup.course.exercises.probes import draw, name_first, require_tensor, same
from softlookup.course.exercises.slips import name_slips
from softlookup.course.exercises.verdict import Mistake


def name_centred(centred: Callable[..., Tensor], x: Tensor, weights: Sequence[Tensor]) -> None:
    """Refuse a network that does not centre each token by itself, or does something else too.

    Args:
        centred: the learner's.
        x: tokens, (batch, length, width).
        weights: W_1, b_1, W_2 and b_2.

    Raises:
        Mistake: naming what it does otherwise.
    """
    w_1, b_1, w_2, b_2 = weights
    hidden = x @ w_1 + b_1

    def by(*axes: int) -> Callable[[Tensor], Tensor]:
        return lambda numbers: numbers - numbers.mean(axes, keepdim=True)

    own = by(-1)

    def network(
        x: Tensor = x,
        centre: Callable[[Tensor], Tensor] = own,
        bend: Callable[[Tensor], Tensor] = torch.relu,
        b_2: Tensor | float = b_2,
        after: Callable[[Tensor], Tensor] = lambda output: output,
    ) -> Tensor:
        return after(bend(centre(x @ w_1 + b_1)) @ w_2 + b_2)

    got = require_tensor(centred(x, *weights), tuple(x.shape), "your output")
    right = network()
    if same(got, right):
        _require_same_gradient(centred, network, x, weights)
        return
    count = torch.arange(1, x.size(1) + 1)[:, None]
    bare = x @ w_1
    bent = torch.relu(hidden)
    name_first(
        got,
        [
            (
                network(centre=by(1)),
                "nothing has changed: the mean still runs over the tokens of the sequence, the "
                "later ones included",
            ),
            (
                torch.relu(own(bare) + b_1) @ w_2 + b_2,
                "you centre before the bias is added; in the colleague's code it comes before",
            ),
            (
                own(bent) @ w_2 + b_2,
                "you centre after the bend; the colleague centres before it",
            ),
            (
                network(x=own(x), centre=lambda h: h),
                "you centre the token's own numbers; the hidden ones should be centred",
            ),
            (
                network(after=own, centre=lambda h: h),
                "you centre the output; the hidden numbers should be centred, before the bend",
            ),
        ],
    )
    name_slips(
        got,
        network,
        {
            "centre": {
                "now the mean runs over the batch: a token hears other sequences": by(0),
                "the mean runs over batch and sequence: a token hears even more of the others": by(
                    0, 1
                ),
                "the mean runs over the hidden numbers, but over those of all tokens as well": by(
                    1, 2
                ),
                "one mean for everything: each token still hears all others": by(0, 1, 2),
                "the mean runs over earlier tokens: the future is hidden, and yet a token hears "
                "others, so the network is not position-wise": lambda h: h - h.cumsum(1) / count,
                "the leak is gone and the centring with it; the hidden numbers should still be "
                "centred": lambda h: h,
                "you also divide by the spread: this is a layer norm, and more than was asked": (
                    lambda h: own(h) / h.std(-1, keepdim=True)
                ),
                "you also divide by the spread, and this is a layer norm: more than was asked": (
                    lambda h: torch.nn.functional.layer_norm(h, h.shape[-1:])
                ),
                "you take away the median; the colleague takes away the mean": (
                    lambda h: h - h.median(-1, keepdim=True).values
                ),
                "you take away the sum; the mean is the sum over the number of units": (
                    lambda h: h - h.sum(-1, keepdim=True)
                ),
                "you take away the greatest; the colleague takes away the mean": (
                    lambda h: h - h.amax(-1, keepdim=True)
                ),
                "you add the mean; the colleague takes it away": (
                    lambda h: h + h.mean(-1, keepdim=True)
                ),
            },
            "x": {
                "you centre the token's own numbers, too; only the hidden ones should be": own(x),
            },
            "bend": {
                "the ReLU is gone: nothing is bent any more": lambda h: h,
                "you bend with a GELU; the colleague's ReLU is to stay": torch.nn.functional.gelu,
                "you take the absolute value; the colleague's ReLU is to stay": torch.abs,
            },
            "b_2": {"b_2 is missing: everything else is to stay": 0.0},
            "after": {
                "you centre the output, too; only the hidden numbers should be centred": own,
                "you bend the output as well": torch.relu,
                "you add x at the end; the colleague has no skip-connection": (
                    lambda output: x + output
                ),
            },
        },
    )
    raise Mistake(
        "a token's output is not what centring its own hidden numbers gives: "
        + _unlike_centred(lambda x, b_1=b_1: centred(x, w_1, b_1, w_2, b_2), x, b_1)
    )


def _unlike_centred(function: Callable[..., Tensor], x: Tensor, b_1: Tensor) -> str:
    """What a network does that a centred one does not, tried on changed inputs."""
    before = function(x)
    for place in range(x.size(1)):
        changed = x.clone()
        changed[:, place] += draw(x.size(2), seed=12)
        moved = (function(changed) - before).abs().amax((0, 2)) > 1e-6
        others = [other for other in moved.nonzero().flatten().tolist() if other != place]
        if others:
            return (
                f"where token {place} changes, counted from 0, so does the output of token "
                f"{others[0]}, which should not hear it"
            )
    if not same(function(x, b_1 + 1.0), before):
        return (
            "with one number added to all hidden units (b_1 + 1) your output changes, and numbers "
            "that are centred do not notice that"
        )
    return "each token is by itself, and its hidden numbers are centred; what follows has changed"


def _require_same_gradient(
    centred: Callable[..., Tensor],
    network: Callable[..., Tensor],
    x: Tensor,
    weights: Sequence[Tensor],
) -> None:
    """A network that gives the right numbers has to learn as it did.

    Raises:
        Mistake: if less comes back than the right network sends.
    """
    x = x.clone().requires_grad_()
    try:
        got, weight = centred(x, *weights), draw(*x.shape, seed=11)
    except RuntimeError:
        return  # What is computed with NumPy cannot be followed; its numbers are right.
    wanted = torch.autograd.grad((network(x) * weight).sum(), x)[0]
    back = torch.autograd.grad((got.double() * weight).sum(), x)[0] if got.requires_grad else 0 * x
    if not same(back, wanted):
        raise Mistake(
            "your numbers are right, and the network no longer learns as it did: no gradient "
            "passes through the mean. Is something detached?"
        )
