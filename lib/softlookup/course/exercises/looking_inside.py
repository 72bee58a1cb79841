"""Checks for the exercises of the chapter on looking inside."""

from collections.abc import Callable
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.difference import require_same
from softlookup.course.exercises.probes import draw, name_first, require_tensor
from softlookup.course.exercises.verdict import Mistake

BATCH, HEADS, LENGTH, D_HEAD, WIDTH, VOCABULARY = 3, 5, 13, 7, 35, 23

_draw = partial(draw, seed=14)


@exercise(
    "looking_inside",
    1,
    "for each head, the mean weight on what followed the token's last occurrence.",
    "a head that scores near one finishes what it has seen before.",
)
def check_induction_score(score: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Check the induction score of heads."""
    weights = (2 * _draw(BATCH, HEADS, LENGTH, LENGTH)).softmax(-1)
    tokens = torch.randint(
        6, (BATCH, LENGTH), generator=torch.Generator().manual_seed(14)
    )  # few kinds, so that most tokens return, and some twice
    right = _score(weights, tokens, shift=1)
    got = require_tensor(score(weights, tokens), (HEADS,), "your score", "(heads)")
    everywhere = _score(weights, tokens, shift=1, divide_by_all=True)
    name_first(
        got,
        [
            (
                _score(weights, tokens, shift=0),
                "you take the weight on the earlier occurrence itself: that is a head which finds "
                "its own like; an induction head looks one place further on",
            ),
            (
                _score(weights, tokens, shift=-1),
                "you take the weight on what stood before the earlier occurrence; what followed "
                "it is at j + 1",
            ),
            (
                _score(weights.mT, tokens, shift=1),
                "your queries and keys are exchanged: weights[..., i, j] is how much place i takes "
                "from place j",
            ),
            (
                everywhere,
                "you divide by all places; a place whose token is new has nothing to repeat, and "
                "does not count",
            ),
            (
                _score(weights, tokens, shift=1, latest=False),
                "where a token came more than once you take its first occurrence; the last one "
                "before this place is asked for",
            ),
            (
                weights.diagonal(-1, 2, 3).mean((0, 2)),
                "your score is that of a previous-token head: it does not look at the tokens",
            ),
        ],
    )
    if not torch.allclose(got.double(), right):
        raise Mistake(
            "try tokens [4, 7, 9, 4]: only the last place counts, and it should look at place 1, "
            "where the 7 stands"
        )


def _score(
    weights: Tensor,
    tokens: Tensor,
    shift: int,
    divide_by_all: bool = False,
    latest: bool = True,
) -> Tensor:
    total, count = torch.zeros(HEADS, dtype=weights.dtype), 0
    for row in range(len(tokens)):
        for i in range(tokens.size(1)):
            before = [j for j in range(i) if tokens[row, j] == tokens[row, i]]
            count += 1 if before or divide_by_all else 0
            if before:
                place = (before[-1] if latest else before[0]) + shift
                total = total + weights[row, :, i, max(place, 0)]
    return total / count


@exercise(
    "looking_inside",
    2,
    "return the layer's output with one head silent, and all else as it was.",
    "the others speak as before, and the bias, which belongs to no head, stays.",
)
def check_silence(silence: Callable[[Tensor, int, Tensor, Tensor], Tensor]) -> None:
    """Check the ablation of one head."""
    outputs = _draw(BATCH, HEADS, LENGTH, D_HEAD)
    matrix, bias = draw(WIDTH, WIDTH, seed=15), draw(WIDTH, seed=16)
    head = 3
    muted = outputs.clone()
    muted[:, head] = 0.0

    def layer(heads: Tensor) -> Tensor:
        return heads.transpose(1, 2).flatten(2) @ matrix

    right = layer(muted) + bias
    got = require_tensor(
        silence(outputs, head, matrix, bias), tuple(right.shape), "what you return"
    )
    alone = outputs - muted
    rows = matrix.clone()
    rows[:, head * D_HEAD : (head + 1) * D_HEAD] = 0.0
    name_first(
        got,
        [
            (layer(outputs) + bias, "no head is silent: your output is the whole layer's"),
            (layer(muted), "you left out the bias, which is no head's"),
            (
                layer(alone) + bias,
                "you kept the head and silenced all the others; it is to be the other way round",
            ),
            (
                layer(muted) * HEADS / (HEADS - 1) + bias,
                "you scaled the other heads up to make good the loss; an ablation leaves them as "
                "they are",
            ),
            (
                outputs.transpose(1, 2).flatten(2) @ rows + bias,
                "you set columns of the matrix to zero, which silences numbers of the stream; "
                "what head h gives is multiplied by its rows of the matrix",
            ),
            (
                muted.flatten(2).reshape(right.shape) @ matrix + bias,
                "you flattened the heads before bringing each token's together; transpose first, "
                "as in the chapter on multi-head attention",
            ),
        ],
    )
    require_same(
        got,
        right,
        "your output is not the whole layer's less what head gives, times its rows",
        axes=("text", "place", "width"),
    )


@exercise(
    "looking_inside",
    3,
    "give every word type a random class, the same wherever the word occurs.",
    "nothing but memory can learn these labels, so they measure the probe.",
)
def check_control_labels(control: Callable[[Tensor, int, torch.Generator], Tensor]) -> None:
    """Check the labels of a control task."""
    generator = torch.Generator().manual_seed(14)
    # Most ids are greater than the number of occurrences, as in a long vocabulary.
    types = torch.randperm(50_021, generator=generator)[:101]
    words = types[torch.randint(101, (2003,), generator=generator)]
    try:
        labels = control(words, 5, torch.Generator().manual_seed(1))
    except IndexError as error:
        raise Mistake(
            f"an id as great as {int(words.max())} has no row in your table: there is one for each "
            "word of the vocabulary, however few of them occur"
        ) from error
    got = require_tensor(labels, (2003,), "your labels", "(words)")
    if got.is_floating_point() or got.min() < 0 or got.max() > 4:
        raise Mistake("your labels are no classes: expected whole numbers from 0 to 4")
    table = [got[words == word].unique() for word in types]
    if any(len(labels) > 1 for labels in table):
        raise Mistake(
            "the same word has different labels in different places: then nothing can learn "
            "them, not even memory. Draw one label for each word type, and look it up"
        )
    labels = torch.stack([found[0] for found in table])
    if len(labels.unique()) < 5:
        raise Mistake("not all of your classes occur; draw the labels evenly from 0 to n_classes")
    again = control(words, 5, torch.Generator().manual_seed(1))
    other = control(words, 5, torch.Generator().manual_seed(2))
    if not torch.equal(again, got):
        raise Mistake("the same generator gives other labels each time: hand it to what you draw")
    if torch.equal(other, got):
        raise Mistake(
            "another generator gives the same labels: they follow from the word's number and are "
            "not drawn, and a rule can be learned without memory"
        )


@exercise(
    "looking_inside",
    4,
    "read a layer's state as the model would read its last one.",
    "the last norm and the table, and every layer can be asked what comes next.",
)
def check_lens(lens: Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]) -> None:
    """Check the logit lens."""
    x = 3 * _draw(BATCH, LENGTH, WIDTH) + 1
    gain, bias, table = (
        draw(WIDTH, seed=15),
        draw(WIDTH, seed=16),
        draw(VOCABULARY, WIDTH, seed=17),
    )
    normal = F.layer_norm(x, (WIDTH,), gain, bias)
    right = normal @ table.T
    got = require_tensor(
        lens(x, gain, bias, table), tuple(right.shape), "your logits", "(batch, length, vocabulary)"
    )
    name_first(
        got,
        [
            (
                x @ table.T,
                "you left out the last norm: the model never reads its stream without it, and the "
                "stream's size differs from layer to layer",
            ),
            (
                F.layer_norm(x, (WIDTH,)) @ table.T,
                "your norm lacks its gain and bias, which the model has learned",
            ),
            (right.softmax(-1), "you return probabilities; logits come before the softmax"),
            (
                F.layer_norm(right, (VOCABULARY,)),
                "you normalised the logits; it is the state that the last norm is for",
            ),
            (
                (gain * (x - x.mean(1, keepdim=True)) / x.std(1, keepdim=True, correction=0) + bias)
                @ table.T,
                "your norm runs over the tokens of a text; each token is normalised by itself, "
                "over its width",
            ),
        ],
    )
    require_same(
        got,
        right,
        "your logits are not those of F.layer_norm(x, (d_model,), gain, bias) and table.T",
        axes=("text", "place", "token"),
    )
