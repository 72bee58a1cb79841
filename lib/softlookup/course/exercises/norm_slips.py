"""What goes wrong where a norm is folded into the layer behind it, or differentiated on paper."""

from collections.abc import Callable

import torch
from torch import Tensor

from softlookup.course.exercises.probes import name_first
from softlookup.course.exercises.slips import name_slips, name_times


def name_fold(
    new_weight: Tensor, new_bias: Tensor, scale: Tensor, shift: Tensor, weight: Tensor, bias: Tensor
) -> None:
    """Name what is wrong with the weight and bias that should do what norm and layer did.

    Raises:
        Mistake: with the words for the part that is wrong.
    """
    name_slips(
        new_weight,
        lambda factor=scale, whole=lambda folded: folded: whole(weight * factor),
        {
            "factor": {
                "your weight is unchanged; the norm's scale has to go into it": 1.0,
                "you scaled the rows, which are the outputs; the norm scales the inputs "
                "of the layer, and these are the columns of its weight": scale[:, None],
                "you divided by the scale; the layer must do what the norm did": 1 / scale,
                "you multiplied by one plus the scale; the norm multiplies by the scale itself": (
                    1 + scale
                ),
                "you multiplied with the shift; what multiplies z is the scale": shift,
                "you multiplied with the sum of the scale; each input has its own": scale.sum(),
                "you multiplied with the mean of the scale; each input has its own": scale.mean(),
                "you multiplied with the scale twice": scale**2,
            },
            "whole": {
                "your weight is transposed: rows are outputs, as in nn.Linear": (
                    lambda folded: folded.T
                ),
                "you added the shift to the weight, so that z multiplies it; what does "
                "not depend on z belongs in the bias": lambda folded: folded + shift,
            },
        },
    )
    name_slips(
        new_bias,
        lambda own=bias, through=weight, what=shift, sign=1: own + sign * (through @ what),
        {
            "what": {
                "your bias is unchanged; the norm's shift passes through the layer and "
                "arrives at its output": 0 * shift,
                "you divided the shift by the scale; the norm shifts after it scales": (
                    shift / scale
                ),
                "you sent the scale through the weight; the shift is what is left when z "
                "is zero": scale,
                "you added the scale to the shift; the scale belongs to z": scale + shift,
            },
            "through": {
                "you pushed the shift through the weight that is already scaled; the norm "
                "shifts after it scales": weight * scale,
                "you added the shift as it is; it passes through the weight first": (
                    torch.eye(len(shift), dtype=weight.dtype)
                ),
                "you multiplied with the transposed weight: the layer is x @ weight.T": (weight.T),
                "you summed the weight's row and the shift each by itself; multiply them "
                "number by number, then sum": weight.sum(1, keepdim=True).expand_as(weight),
            },
            "own": {
                "your bias has lost the layer's own": 0.0,
                "you sent the layer's bias through its weight; it is added behind it": (
                    weight @ bias
                ),
            },
            "sign": {"you took the shift away; the norm adds it": -1},
        },
    )


def through_norm(
    x: Tensor,
    g: Tensor,
    root: Tensor,
    mean: Tensor | float | None = None,
    along: Callable[[Tensor], Tensor] | None = None,
    outer: Callable[[Tensor], Tensor] = lambda z: z,
    divide: Callable[[Tensor], Tensor | float] = lambda root: root,
    inner: Tensor | None = None,
) -> Tensor:
    """The gradient by x, with each of its parts to be put in another's place."""
    z = (x - x.mean(-1, keepdim=True)) / (root if inner is None else inner)
    taken = g.mean(-1, keepdim=True) if mean is None else mean
    turned = (z * g).mean(-1, keepdim=True) if along is None else along(z)
    return (g - taken - outer(z) * turned) / divide(root)


def name_backward(got: Tensor, x: Tensor, g: Tensor, epsilon: float) -> None:
    """Name what is wrong with a gradient by x, if it is one of the known mistakes.

    Raises:
        Mistake: with the words for the part that is wrong.
    """
    centred, mean = x - x.mean(-1, keepdim=True), g.mean(-1, keepdim=True)
    square, width = centred.square().mean(-1, keepdim=True), x.size(-1)
    spread = (square + epsilon).sqrt()
    name_first(
        got,
        [
            (
                through_norm(x, g, spread, mean=0.0, along=lambda z: 0.0 * z),
                "you held mean and spread fixed, as if they were constants; each number of "
                "the token moves both",
            ),
            (
                (g - g.mean(1, keepdim=True)) / spread
                - centred / spread**2 * (centred / spread * g).mean(1, keepdim=True),
                "you averaged over the tokens; each token is normalised by itself, over its width",
            ),
            (
                through_norm(
                    x, g, spread, mean=g.mean(), along=lambda z: (z * g).mean().expand_as(z)
                ),
                "you averaged over the whole batch; each token is normalised by itself, over "
                "its width",
            ),
            (
                (g - mean - centred * (centred * g).mean(-1, keepdim=True)) / spread,
                "the spread's term has deviations where z-scores belong: it lacks one over the "
                "variance",
            ),
            (-through_norm(x, g, spread), "your sign is wrong as a whole"),
        ],
    )
    name_slips(
        got,
        lambda root=spread, **parts: through_norm(x, g, root, **parts),
        {
            "root": {
                "epsilon is left out: it stands under every root": square.sqrt(),
                "your variance divides by one fewer than the width; a norm divides by the width": (
                    square * width / (width - 1) + epsilon
                ).sqrt(),
                "you added epsilon to the root; it stands under it": square.sqrt() + epsilon,
            },
            "mean": {
                "the mean is held fixed: it depends on x as well": 0.0,
                "the sign of the mean's term is wrong": -mean,
                "the mean's term sums where it has to average": width * mean,
                "the mean's term runs over the tokens; each is normalised by itself": g.mean(
                    1, keepdim=True
                ),
                "the mean's term runs over all tokens; each is normalised by itself": g.mean(),
                "the mean's term averages x; it averages the gradient": x.mean(-1, keepdim=True),
            },
            "along": {
                "the spread is held fixed: it depends on x as well": lambda z: 0.0 * z,
                "the sign of the spread's term is wrong: a larger spread makes every z "
                "smaller": lambda z: -(z * g).mean(-1, keepdim=True),
                "a factor of two is left over: the square brings it, and the root's one half "
                "takes it away": lambda z: 2 * (z * g).mean(-1, keepdim=True),
                "a factor of one half is left over: the root brings it, and the square's two "
                "takes it away": lambda z: (z * g).mean(-1, keepdim=True) / 2,
                "the spread's term sums where it has to average: the variance divides by the "
                "width": lambda z: (z * g).sum(-1, keepdim=True),
                "in the spread's term stands the deviation once where z is to stand, twice: "
                "divide it by the spread": lambda _: (centred * g).mean(-1, keepdim=True),
                "the spread's term averages x times the gradient; it averages z times the "
                "gradient": lambda _: (x * g).mean(-1, keepdim=True),
                "the spread's term averages the gradient alone; each is multiplied by its own "
                "z first": lambda _: mean,
                "the spread's term multiplies z and the gradient and does not average them": (
                    lambda z: z * g
                ),
                "the spread's term multiplies the gradient's mean by z again; z stands inside "
                "the mean": lambda z: z * mean,
                "the spread's term averages over all tokens; each is normalised by itself": (
                    lambda z: (z * g).mean()
                ),
            },
            "inner": {
                "where you compute z, epsilon is left out, or is another than the one given, such "
                "as F.layer_norm's own": square.sqrt(),
            },
            "outer": {
                "the spread's term lacks z as a factor in front of its mean: a number moves "
                "the spread by its own z": lambda z: torch.ones_like(z),
                "x stands where z belongs, in front of the spread's mean": lambda _: x,
                "in the spread's term stands the deviation in front of the mean where z is to "
                "stand: divide it by the spread": lambda _: centred,
            },
            "divide": {
                "the factor one over the spread is missing": lambda _: 1.0,
                "epsilon is left out in the last division: it stands under every root": (
                    lambda _: square.sqrt()
                ),
                "you divide by the spread twice: the root is its derivative's denominator "
                "once": torch.square,
                "you multiply by the spread, and the z-score divides": torch.reciprocal,
            },
        },
    )
    z = centred / spread
    name_times(
        got,
        {
            "the gradient over the spread": (g / spread, 1.0),
            "the gradient's mean over the spread": ((mean / spread).expand_as(g), -1.0),
            "z times the mean of z times the gradient, over the spread,": (
                z * (z * g).mean(-1, keepdim=True) / spread,
                -1.0,
            ),
        },
    )
