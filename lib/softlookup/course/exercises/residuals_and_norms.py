"""Checks for the exercises of the chapter on residuals and norms."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import torch
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.difference import require_same
from softlookup.course.exercises.judging import judge
from softlookup.course.exercises.measuring import Report
from softlookup.course.exercises.norms_compared import MEAN_GAIN, held_out_loss
from softlookup.course.exercises.norms_on_trial import QUIET, Norm, honest, impostors
from softlookup.course.exercises.probes import draw, name_first, require_tensor, same
from softlookup.course.exercises.tuned_arms import measure_tuned
from softlookup.course.exercises.verdict import Mistake
from softlookup.course.exercises.wirings import (
    WIRINGS,
    Function,
    Parts,
    broken_block,
    last_norm,
    last_norm_in_the_loop,
    parts_of_a_block,
    pre_norm_block,
    run_blocks,
)

BATCH, LENGTH, D_MODEL, D_OUT = 3, 7, 11, 5

_draw = partial(draw, seed=7)


@exercise(
    "residuals_and_norms",
    1,
    "return True if the function is layer normalisation, and False otherwise.",
    "it knows a layer norm by what it computes, on loud, quiet, shifted and constant tokens.",
)
def check_is_layer_norm(is_layer_norm: Callable[[Norm], bool]) -> None:
    """Check a test for layer normalisation on right ones and on impostors."""
    asked: list[bool] = []

    def seen(norms: Mapping[str, Norm]) -> dict[str, Norm]:
        return {name: partial(_noting_quiet, norm, asked) for name, norm in norms.items()}

    try:
        judge(is_layer_norm, seen(honest()), seen(impostors()))
    except Mistake as mistake:
        if not asked:
            raise Mistake("your test never calls the function that it is to judge") from mistake
        if "impostors through" in str(mistake) and not any(asked):
            raise Mistake(
                f"{mistake}. Your tokens are all loud, where epsilon hardly matters: ask about a "
                "quiet one, too"
            ) from mistake
        raise


def _noting_quiet(norm: Norm, asked: list[bool], x: Tensor) -> Tensor:
    """What the norm gives; beside it is noted whether it was asked about a quiet token."""
    tokens = isinstance(x, Tensor) and x.dim() == 3
    asked.append(tokens and bool((x.detach().std(dim=-1, correction=0) < QUIET).any()))
    if not tokens:
        raise Mistake(
            "you asked a norm about something else than a tensor (batch, length, width) of tokens"
        )
    return norm(x)


@exercise(
    "residuals_and_norms",
    2,
    "repair `broken`, so that it gives what a pre-norm stack gives, and change nothing else.",
    "nothing stands on the stream: each part reads through a norm, and one last norm follows.",
)
def check_pre_norm_stack(stack: Callable[[Tensor, Sequence[Parts], Function], Tensor]) -> None:
    """Check the repair of a pre-norm stack, on functions that do not commute."""
    for depth in (1, 2, 3):
        x = _draw(BATCH, LENGTH, D_MODEL, seed=depth)
        blocks = [parts_of_a_block(number, D_MODEL) for number in range(depth)]
        final = last_norm
        got = require_tensor(stack(x, blocks, final), tuple(x.shape)).double()
        right = run_blocks(pre_norm_block, x, blocks)
        if same(got, final(right)):
            continue
        hypotheses = [(final(run_blocks(wiring, x, blocks)), words) for wiring, words in WIRINGS]
        hypotheses += [
            (right, "your blocks are right, and the last norm is missing: the stream has grown"),
            (
                final(final(right)),
                "your last norm stands inside a loop, or twice: it comes once, behind the last "
                "block",
            ),
            (
                last_norm_in_the_loop(x, blocks, final),
                "your last norm stands behind every block; it comes once",
            ),
            (
                run_blocks(broken_block, x, blocks),
                "this is `broken` as it was: two things are wrong",
            ),
        ]
        hypotheses += [
            (run_blocks(wiring, x, blocks), f"{words}. And the last norm is missing")
            for wiring, words in WIRINGS
        ]
        if depth > 1:
            hypotheses += [
                (final(pre_norm_block(x, blocks[0])), "you return after the first block"),
                (
                    final(pre_norm_block(x, blocks[-1])),
                    "each block reads x, not what the one "
                    "before it left: only your last block counts",
                ),
            ]
        name_first(got, hypotheses)
        raise Mistake(
            f"with {depth} blocks your stack differs from x + attend(norm_1(x)), to that added the "
            "feed-forward network of its norm_2, block by block, and one norm at the end"
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
    require_same(
        got,
        right,
        "your result differs from the size of x minus its mean word, over that of x",
        axes=("sequence",),
    )


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


@exercise(
    "residuals_and_norms",
    5,
    "return the gradient of the loss with respect to x, from that with respect to the z-scores.",
    "what points along the ones never passes, and along z hardly any: the norm takes it out.",
    prohibited={
        torch.autograd.grad: "work it out on paper: torch.autograd is not to do it for you",
        torch.autograd.backward: "work it out on paper: torch's backward is not to do it for you",
        torch.func.vjp: "work it out on paper: torch.func is not to do it for you",
    },
)
def check_norm_backward(norm_backward: Callable[[Tensor, Tensor, float], Tensor]) -> None:
    """Check the derivative of a z-score, worked out on paper."""
    for seed, epsilon in ((1, 0.5), (2, 1e-5), (3, 2.0)):
        x = 2.0 * _draw(BATCH, LENGTH, D_MODEL, seed=seed) + 1.0
        g = _draw(BATCH, LENGTH, D_MODEL, seed=seed + 10) + 0.5
        got = require_tensor(norm_backward(x, g, epsilon), tuple(x.shape)).double()
        centred = x - x.mean(-1, keepdim=True)
        spread = torch.sqrt(centred.square().mean(-1, keepdim=True) + epsilon)
        z, mean, along = centred / spread, g.mean(-1, keepdim=True), centred * g
        along_z = z * (z * g).mean(-1, keepdim=True)
        right = (g - mean - along_z) / spread
        if same(got, right):
            continue
        bare = centred.square().mean(-1, keepdim=True).sqrt()
        name_first(
            got,
            [
                (
                    g / spread,
                    "you held mean and spread fixed, as if they were constants; each "
                    "number of the token moves both",
                ),
                ((g - mean) / spread, "the spread is held fixed: it depends on x as well"),
                ((g - along_z) / spread, "the mean is held fixed: it depends on x as well"),
                (g - mean - along_z, "the factor one over the spread is missing"),
                (
                    right / spread,
                    "you divide by the spread twice: the root is its derivative's denominator once",
                ),
                (right * spread.square(), "you multiply by the spread, and the z-score divides"),
                (
                    (g - mean + along_z) / spread,
                    "the sign of the spread's term is wrong: a larger spread makes every z smaller",
                ),
                ((g + mean - along_z) / spread, "the sign of the mean's term is wrong"),
                (
                    (g - mean - 2 * along_z) / spread,
                    "a factor of two is left over: the square "
                    "brings it, and the root's one half takes it away",
                ),
                (
                    (g - mean - along_z / 2) / spread,
                    "a factor of one half is left over: the root "
                    "brings it, and the square's two takes it away",
                ),
                (
                    (g - mean - z * (z * g).sum(-1, keepdim=True)) / spread,
                    "the spread's term sums "
                    "where it has to average: the variance divides by the width",
                ),
                (
                    (g - g.sum(-1, keepdim=True) - along_z) / spread,
                    "the mean's term sums where it has to average",
                ),
                (
                    (g - mean - z * along.mean(-1, keepdim=True)) / spread,
                    "in the spread's term "
                    "stands the deviation once where z is to stand, twice: divide it by the spread",
                ),
                (
                    (g - mean - centred * along.mean(-1, keepdim=True)) / spread,
                    "the spread's term "
                    "has deviations where z-scores belong: it lacks one over the variance",
                ),
                (
                    (g - g.mean(1, keepdim=True) - z * (z * g).mean(1, keepdim=True)) / spread,
                    "you averaged over the tokens; each token is normalised by itself, over its "
                    "width",
                ),
                (
                    (g - mean - centred / bare * (centred / bare * g).mean(-1, keepdim=True))
                    / bare,
                    "epsilon is left out: it stands under every root",
                ),
                (-right, "your sign is wrong as a whole"),
            ],
        )
        require_same(
            got,
            right,
            "your gradient is another. Write z as (x - mean) / spread, and let one number of x "
            "move all three: itself, the mean, and the spread",
        )


@exercise(
    "residuals_and_norms",
    6,
    "return low and high, between which the mean gain of pre-norm lies, each at its best rate.",
    "each arm was given its own best rate, and that rate was judged by runs that did not choose "
    "it.",
)
def check_report(report: Report) -> None:
    """Check a report on post-norm against pre-norm, in invented races and in a trained one."""
    measure_tuned(report, held_out_loss, MEAN_GAIN)
