"""Checks for the exercises of the chapter on residuals and norms."""

from collections.abc import Callable
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.probes import draw, require_tensor, same
from softlookup.course.exercises.verdict import Mistake

BATCH, LENGTH, D_MODEL, D_OUT = 3, 7, 11, 5

Function = Callable[[Tensor], Tensor]

_draw = partial(draw, seed=7)


@exercise(
    "residuals_and_norms",
    1,
    "subtract each token's mean, divide by its standard deviation, scale and shift.",
    "each token is on its own scale, a constant token included.",
)
def check_layer_norm(layer_norm: Callable[[Tensor, Tensor, Tensor, float], Tensor]) -> None:
    """Check layer normalisation with its learned scale and shift."""
    x = 3.0 * _draw(BATCH, LENGTH, D_MODEL) + 2.0
    weight, bias, epsilon = _draw(D_MODEL, seed=1), _draw(D_MODEL, seed=2), 0.25
    right = F.layer_norm(x, (D_MODEL,), weight, bias, epsilon)
    got = require_tensor(layer_norm(x, weight, bias, epsilon), tuple(x.shape)).double()
    if not same(got, right):
        _explain_layer_norm(got, x, weight, bias, epsilon)
    constant = torch.full((1, 1, D_MODEL), 4.0, dtype=torch.float64, requires_grad=True)
    flat = layer_norm(constant, weight, bias, 1e-5)
    flat.sum().backward()
    if not flat.isfinite().all() or constant.grad is None or not constant.grad.isfinite().all():
        raise Mistake(
            "a constant token gives not-a-number, forward or backward: its variance is zero, and "
            "epsilon has to stand where it keeps the root from zero"
        )
    quiet = _draw(1, 1, D_MODEL) * 1e-3
    if not same(
        layer_norm(quiet, weight, bias, 1e-5).double(),
        F.layer_norm(quiet, (D_MODEL,), weight, bias, 1e-5),
    ):
        raise Mistake(
            "your function differs for a token of small numbers: does it use the epsilon that it "
            "was given, and add it once?"
        )


def _explain_layer_norm(
    got: Tensor, x: Tensor, weight: Tensor, bias: Tensor, epsilon: float
) -> None:
    """Name what is wrong with a layer normalisation."""

    def normalise(dim: int | tuple[int, ...], unbiased: int = 0) -> Tensor:
        centred = x - x.mean(dim, keepdim=True)
        return centred / torch.sqrt(x.var(dim, correction=unbiased, keepdim=True) + epsilon)

    centred = x - x.mean(-1, keepdim=True)
    variance = x.var(-1, correction=0, keepdim=True)
    z = normalise(-1)
    wrong = {
        "your variance divides by one fewer than the width, as torch.var and torch.std do unless "
        "told otherwise; here the token is all there is, no sample: divide by the width": (
            normalise(-1, unbiased=1) * weight + bias
        ),
        "your epsilon stands outside the root; it is added to the variance, under the root": (
            centred / (variance.sqrt() + epsilon) * weight + bias
        ),
        "you left epsilon out, or took one of your own; use the one that you are given": centred
        / variance.sqrt()
        * weight
        + bias,
        "you divided by the variance; a z-score divides by its root": (
            centred / (variance + epsilon) * weight + bias
        ),
        "you normalised over the tokens of a sequence, so one token's result depends on the "
        "others, the later ones too; the axis is the width, the last one": (
            normalise(1) * weight + bias
        ),
        "you normalised over the batch, as batch normalisation does": (
            normalise(0) * weight + bias
        ),
        "you took one mean and one variance for several tokens; each token has its own": (
            normalise((1, 2)) * weight + bias
        ),
        "you normalised, but left out the learned scale and shift": z,
        "you left out the learned shift, bias": z * weight,
        "you left out the learned scale, weight": z + bias,
        "you shifted before you scaled; the bias is added last": (z + bias) * weight,
        "you did not subtract the mean: that is RMSNorm": (
            x / torch.sqrt(x.square().mean(-1, keepdim=True) + epsilon) * weight + bias
        ),
    }
    for message, result in wrong.items():
        if same(got, result):
            raise Mistake(message)
    everything = (x - x.mean()) / torch.sqrt(x.var(correction=0) + epsilon) * weight + bias
    if same(got, everything):
        raise Mistake("you took one mean and one variance for several tokens; each has its own")
    raise Mistake(
        "your result differs from (x - mean) / sqrt(variance + epsilon) * weight + bias, mean and "
        "variance over the last axis"
    )


@exercise(
    "residuals_and_norms",
    2,
    "return what a pre-norm block gives: attention, then the feed-forward network.",
    "nothing stands on the stream: each part reads through a norm, and adds what it found.",
)
def check_pre_norm_block(
    block: Callable[[Tensor, Function, Function, Function, Function], Tensor],
) -> None:
    """Check the wiring of a pre-norm block on four functions that do not commute."""
    x = _draw(BATCH, LENGTH, D_MODEL)
    to_attend, to_think = _draw(D_MODEL, D_MODEL, seed=3), _draw(D_MODEL, D_MODEL, seed=4)

    def norm_1(x: Tensor) -> Tensor:
        return 2.0 * F.layer_norm(x, (D_MODEL,))

    def norm_2(x: Tensor) -> Tensor:
        return F.layer_norm(x, (D_MODEL,)) + 1.0

    def attend(x: Tensor) -> Tensor:
        return torch.tanh(x.cumsum(1) @ to_attend)

    def think(x: Tensor) -> Tensor:
        return torch.relu(x @ to_think)

    got = require_tensor(block(x, norm_1, attend, norm_2, think), tuple(x.shape)).double()
    middle = x + attend(norm_1(x))
    right = middle + think(norm_2(middle))
    if same(got, right):
        return
    bare = attend(norm_1(x))
    behind = norm_1(x + attend(x))
    on_the_stream = norm_1(x) + attend(norm_1(x))
    wrong = {
        "you put the norms behind the additions: that is post-norm, the block of 2017": (
            norm_2(behind + think(behind))
        ),
        "nothing is added: your block has no skip-connections at all": think(norm_2(bare)),
        "the skip around attention is missing: (X + Z), then R": bare + think(norm_2(bare)),
        "the skip around the feed-forward network is missing": think(norm_2(middle)),
        "you add the parts' outputs to the normalised stream; the skip carries x itself, which "
        "no norm has touched": norm_2(on_the_stream) + think(norm_2(on_the_stream)),
        "your feed-forward network reads x, as if it stood beside attention; it reads what "
        "attention left": middle + think(norm_2(x)),
        "your second skip carries the block's input; it carries X + Z, or what attention found "
        "is lost to the next block": x + think(norm_2(middle)),
        "your second norm is missing: the feed-forward network reads the raw stream": (
            middle + think(middle)
        ),
        "you used the first norm twice; each part has its own": middle + think(norm_1(middle)),
        "your norms stand between a part and its addition: they normalise the change, not what "
        "the part reads": (x + norm_1(attend(x)) + norm_2(think(x + norm_1(attend(x))))),
        "the parts are in the wrong order: attention first, then the feed-forward network": (
            x + think(norm_2(x)) + attend(norm_1(x + think(norm_2(x))))
        ),
        "a norm stands on the stream at the end; in a stack it comes once, after the last block": (
            norm_2(right)
        ),
    }
    for message, result in wrong.items():
        if same(got, result):
            raise Mistake(message)
    raise Mistake(
        "your block differs from x + attention(norm_1(x)), and to that added the feed-forward "
        "network of its norm_2"
    )


@exercise(
    "residuals_and_norms",
    3,
    "return, for each sequence, the distinctness of its words, as if there were no padding.",
    "what lies in the padding changes nothing, and each sequence is judged by itself.",
)
def check_distinctness(distinctness: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Check the share of a sequence's size that tells its words apart."""
    x = _draw(BATCH, LENGTH, D_MODEL) + 2.0 * _draw(BATCH, 1, D_MODEL, seed=5)
    x = x * torch.tensor([1.0, 10.0, 0.1], dtype=torch.float64)[:, None, None]
    is_word = torch.arange(LENGTH) < torch.tensor([7, 5, 3])[:, None]
    got = distinctness(x, is_word)
    if isinstance(got, Tensor) and got.shape in {(BATCH, 1), (BATCH, 1, 1)}:
        got = got.flatten()
    if not isinstance(got, Tensor) or got.dim() == 0:
        raise Mistake(
            "you return one number for the whole batch; the sequences have nothing to do with "
            "each other, so return one for each"
        )
    got = require_tensor(got, (BATCH,)).double()
    right = _shares(x, is_word)
    if same(got, right):
        if not same(distinctness(x.flip(1), is_word.flip(1)).flatten().double(), right):
            raise Mistake(
                "with the padding in front of the words your result is another: `is_word` says "
                "where the words stand, so do not take the first ones for them"
            )
        return
    words = is_word[:, :, None]
    blanked = x * words
    by_length = blanked - blanked.mean(1, keepdim=True)
    mean = blanked.sum(1, keepdim=True) / words.sum(1, keepdim=True)
    by_width = (x - x.mean(2, keepdim=True)) * words
    size = _sizes(blanked)
    wrong = {
        "you left the padding in, as if it were words": _shares(x, torch.ones_like(is_word)),
        "your mean divides by the length of the padded sequence; divide by its number of words": (
            _sizes(by_length * words) / size
        ),
        "you set the padding to zero and then took the zeros for words, in the mean and in the "
        "rest": _sizes(by_length) / size,
        "your padding came back: it was zero, and the mean was subtracted from it. Set it to "
        "zero after the subtraction": _sizes(blanked - mean) / size,
        "the padding still counts in the size that you divide by": _sizes((x - mean) * words)
        / _sizes(x),
        "you took the mean over the width, as LayerNorm does; the mean token is wanted, so "
        "average over the words": _sizes(by_width) / size,
        "you did not divide by the size of the whole: ten times the numbers would be ten times "
        "as distinct": right * size,
        "you compare squares; take their root, so that it is a ratio of lengths": right.square(),
        "your mask is inverted: you measured the padding": _shares(x, ~is_word),
    }
    for message, result in wrong.items():
        if torch.allclose(got, result, rtol=1e-4, atol=1e-6, equal_nan=True):
            raise Mistake(message)
    raise Mistake("your result differs from the size of x minus its mean word, over that of x")


def _sizes(x: Tensor) -> Tensor:
    """The root of the sum of squares of each sequence."""
    return x.flatten(1).norm(dim=1)


def _shares(x: Tensor, is_word: Tensor) -> Tensor:
    """The distinctness of each sequence's words, one sequence at a time."""
    chosen = [tokens[words] for tokens, words in zip(x, is_word, strict=True)]
    return torch.stack([(words - words.mean(0)).norm() / words.norm() for words in chosen])


@exercise(
    "residuals_and_norms",
    4,
    "return the weight and bias of one linear layer that does what norm and layer did.",
    "scale and shift of a norm are no more than a part of whatever reads it.",
)
def check_fold(
    fold: Callable[[Tensor, Tensor, Tensor, Tensor], tuple[Tensor, Tensor]],
) -> None:
    """Check that a norm's learned scale and shift are folded into the linear layer behind it."""
    # First a square layer, on which rows and columns can be confused without an error.
    for d_out in (D_MODEL, D_OUT):
        scale, shift = _draw(D_MODEL, seed=1), _draw(D_MODEL, seed=2)
        weight, bias = _draw(d_out, D_MODEL, seed=3), _draw(d_out, seed=4)
        answer = fold(scale, shift, weight, bias)
        if not isinstance(answer, tuple | list) or len(answer) != 2:
            raise Mistake("return two tensors, the new weight and the new bias")
        new_weight = require_tensor(answer[0], (d_out, D_MODEL), "your weight").double()
        new_bias = require_tensor(answer[1], (d_out,), "your bias").double()
        if not same(new_weight, weight * scale):
            if same(new_weight, weight):
                raise Mistake("your weight is unchanged; the norm's scale has to go into it")
            if d_out == D_MODEL and same(new_weight, weight * scale[:, None]):
                raise Mistake(
                    "you scaled the rows, which are the outputs; the norm scales the inputs of "
                    "the layer, and these are the columns of its weight"
                )
            if same(new_weight, weight / scale):
                raise Mistake("you divided by the scale; the layer must do what the norm did")
            raise Mistake("your weight is not that of linear(scale * z + shift), read off at z")
        wrong = {
            "your bias is unchanged; the norm's shift passes through the layer and arrives at its "
            "output": bias,
            "you pushed the shift through the weight that is already scaled; the norm shifts "
            "after it scales": bias + (weight * scale) @ shift,
            "your bias has lost the layer's own": weight @ shift,
        }
        if d_out == D_MODEL:
            wrong["you added the shift as it is; it passes through the weight first"] = bias + shift
            wrong["you multiplied with the transposed weight: the layer is x @ weight.T"] = (
                bias + weight.T @ shift
            )
        if not same(new_bias, bias + weight @ shift):
            for message, result in wrong.items():
                if same(new_bias, result):
                    raise Mistake(message)
            raise Mistake("your bias is not what linear(scale * z + shift) gives at z = 0")
