"""Checks for the exercises of the chapter on residuals and norms."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import torch
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.difference import difference, require_same
from softlookup.course.exercises.judging import judge
from softlookup.course.exercises.measuring import Report
from softlookup.course.exercises.norm_slips import name_backward, name_fold, through_norm
from softlookup.course.exercises.norms_compared import MEAN_GAIN, held_out_loss
from softlookup.course.exercises.norms_on_trial import Norm, honest, impostors, why_unseen
from softlookup.course.exercises.probes import draw, name_first, require_tensor, same
from softlookup.course.exercises.slips import name_slips, name_times
from softlookup.course.exercises.tuned_arms import measure_tuned
from softlookup.course.exercises.verdict import Mistake
from softlookup.course.exercises.wirings import (
    WIRINGS,
    Function,
    Parts,
    broken_block,
    first_wrong_call,
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
    asked: list[Tensor] = []

    def seen(norms: Mapping[str, Norm]) -> dict[str, Norm]:
        return {name: partial(_noting, norm, asked) for name, norm in norms.items()}

    try:
        judge(is_layer_norm, seen(honest()), seen(impostors()), why_unseen)
    except Mistake as mistake:
        if not asked:
            raise Mistake("your test never calls the function that it is to judge") from mistake
        raise


def _noting(norm: Norm, asked: list[Tensor], x: Tensor) -> Tensor:
    """What the norm gives; beside it is noted what it was asked about."""
    asked.append(x)
    if not isinstance(x, Tensor) or x.dim() != 3:
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
            "your stack is not yet x + attend(norm_1(x)), to that added the feed-forward network "
            "of its norm_2, block by block, and one norm at the end: "
            f"{first_wrong_call(stack, x, blocks, final)}"
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
    mean = blanked.sum(1, keepdim=True) / words.sum(1, keepdim=True)
    by_length, size = blanked.mean(1, keepdim=True), _sizes(blanked)
    each = ((x - mean) * words).norm(dim=2) / x.norm(dim=2)

    def each_of(share: Callable[[Tensor, Tensor], Tensor]) -> Tensor:
        kept = [tokens[here] for tokens, here in zip(x, is_word, strict=True)]
        return torch.stack([share(each, each - each.mean(0)) for each in kept])

    name_first(
        got.nan_to_num(-1.0),
        [
            (
                _shares(x, torch.ones_like(is_word)),
                "you left the padding in, as if it were words",
            ),
            (
                _sizes(blanked - by_length) / size,
                "you set the padding to zero and then took the zeros for words, in the mean and "
                "in the rest",
            ),
            (
                _shares(x, ~is_word).nan_to_num(-1.0),
                "your mask is inverted: you measured the padding",
            ),
            (
                _sizes(mean * words) / size,
                "you measured the mean word, which is what the words share; distinctness is what "
                "is left without it",
            ),
            (
                each.sum(1) / is_word.sum(1),
                "you took a share for each word and averaged them; first add up the squares of "
                "all words, then divide",
            ),
            (
                each_of(lambda kept, own: own.abs().sum() / kept.abs().sum()),
                "your size adds up absolute values; a size is the root of the sum of squares",
            ),
            (
                each_of(lambda kept, own: own.norm(dim=1).mean() / kept.norm(dim=1).mean()),
                "your sizes are averages over the words of each word's length; a size is the root "
                "of the sum of all squares",
            ),
            (
                each_of(lambda kept, _: kept.std() / kept.norm()),
                "your standard deviation takes one mean for all numbers; take away the mean word, "
                "and then the size of what is left",
            ),
            (
                each_of(lambda kept, own: own.square().mean().sqrt() / kept.norm()),
                "you averaged the squares above and summed them below",
            ),
            (1 / right, "you divided the wrong way round: what is left, by the whole"),
            (1 - right, "you return one minus the distinctness, which is what the words share"),
        ],
    )
    name_slips(
        got,
        lambda x=blanked, mean=mean, kept=words, whole=size, end=lambda share: share: end(
            _sizes((x - mean) * kept) / whole
        ),
        {
            "mean": {
                "your mean divides by the length of the padded sequence; divide by its number of "
                "words": by_length,
                "you took the mean over the width, as LayerNorm does; the mean token is wanted, "
                "so average over the words": x.mean(2, keepdim=True),
                "your mean word is that of the whole batch; each sequence has its own": (
                    blanked.sum((0, 1), keepdim=True) / words.sum()
                ),
                "your mean is one number for each sequence; the mean word has the whole width": (
                    mean.mean(2, keepdim=True)
                ),
                "your mean is taken over the padding too": x.mean(1, keepdim=True),
                "you subtract the sum of the words; subtract their mean": mean
                * words.sum(1, keepdim=True),
            },
            "kept": {
                "your padding came back: it was zero, and the mean was subtracted from it. Set it "
                "to zero after the subtraction": 1.0,
            },
            "whole": {
                "the padding still counts in the size that you divide by": _sizes(x),
                "you did not divide by the size of the whole: ten times the numbers would be ten "
                "times as distinct": 1.0,
                "you divide by the size of the mean word; divide by that of all words": (
                    _sizes(mean * words)
                ),
                "you divide by the number of words; divide by the size of all words": (
                    is_word.sum(1)
                ),
                "you divide by the size of the whole batch; each sequence has its own": (
                    blanked.norm()
                ),
            },
            "end": {
                "you compare squares; take their root, so that it is a ratio of lengths": (
                    torch.square
                ),
            },
        },
    )
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
        shapes = [each.shape for each in answer if isinstance(each, Tensor)]
        if shapes == [(d_out,), (d_out, D_MODEL)]:
            raise Mistake("your two results are exchanged: the weight comes first, then the bias")
        if shapes[:1] == [(d_out,)]:
            raise Mistake(
                "your weight has lost its columns: weight @ scale adds them up, and the scale "
                "multiplies each; take *"
            )
        new_weight = require_tensor(answer[0], (d_out, D_MODEL), "your weight").double()
        new_bias = require_tensor(answer[1], (d_out,), "your bias").double()
        if d_out == D_MODEL:
            name_fold(new_weight, new_bias, scale, shift, weight, bias)
        if not same(new_weight, weight * scale):
            raise Mistake(
                "your weight is not that of linear(scale * z + shift), read off at z: "
                + difference(new_weight, weight * scale, axes=("output", "input"))
            )
        if not same(new_bias, bias + weight @ shift):
            through = weight @ shift
            name_times(
                new_bias,
                {"the layer's bias": (bias, 1.0), "the weight times the shift": (through, 1.0)},
            )
            raise Mistake(
                "your bias is not what linear(scale * z + shift) gives at z = 0: "
                + difference(new_bias, bias + through, axes=("output",), given={"bias": bias})
            )


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
        right = through_norm(x, g, x.var(-1, correction=0, keepdim=True).add(epsilon).sqrt())
        if same(got, right):
            continue
        name_backward(got, x, g, epsilon)
        require_same(
            got,
            right,
            "your gradient is another. Write z as (x - mean) / spread, and let one number of x "
            "move all three: itself, the mean, and the spread",
            axes=("sequence", "place", "width"),
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
