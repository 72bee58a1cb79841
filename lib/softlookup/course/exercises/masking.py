"""Checks for the exercises of the chapter on masking."""

from collections.abc import Callable, Mapping
from functools import partial

import torch
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.difference import require_same
from softlookup.course.exercises.judging import Questions, judge
from softlookup.course.exercises.leaking_models import (
    D_MODEL,
    LENGTH,
    Model,
    honest,
    impostors,
    why_underived,
    why_unseen,
    why_wronged,
)
from softlookup.course.exercises.probes import draw, name_first, require_tensor, same
from softlookup.course.exercises.slips import Slips, name_slips, name_times
from softlookup.course.exercises.verdict import Mistake
from softlookup.layers import masks

KEYS, D_VALUE = 7, 3

_draw = partial(draw, seed=5, dtype=torch.float32)


@exercise(
    "masking",
    1,
    "let each token see itself and the earlier tokens of its own document, and hide padding.",
    "documents that share a row see nothing of each other.",
)
def check_packed_mask(packed_mask: Callable[[Tensor], Tensor]) -> None:
    """Check a causal mask for rows into which several documents are packed."""
    document = torch.tensor([[7, 7, 7, 2, 2, 5, 5], [-1, -1, 0, 0, 8, 8, 8], [4] * 5 + [-1] * 2])
    causal, eye = masks.causal(KEYS), torch.eye(KEYS, dtype=torch.bool)

    def mask(
        document: Tensor = document,
        alike: Callable[[Tensor, Tensor], Tensor] = torch.eq,
        causal: Tensor = causal,
        is_word: Callable[[Tensor], Tensor] = lambda of_key: of_key >= 0,
    ) -> Tensor:
        of_query, of_key = document[:, :, None], document[:, None, :]
        return alike(of_query, of_key) & causal & is_word(of_key)

    right = mask()
    got = packed_mask(document)
    if isinstance(got, Tensor) and got.is_floating_point():
        raise Mistake(
            f"your mask holds numbers ({got.dtype}); a mask here is boolean, True = may look"
        )
    got = require_tensor(got, tuple(right.shape), "your mask", "(batch, queries, keys)").bool()
    if torch.equal(got, right):
        return
    everywhere = torch.ones_like(right)
    slips: Slips = {
        "alike": {
            "each token sees the whole past, the documents before its own included: "
            "compare the documents of query and key": lambda query, key: everywhere,
            "a document's number is a name and no size: you compared with >=, and == is asked": (
                torch.ge
            ),
            "a document's number is a name and no size: you compared with <=, and == is asked": (
                torch.le
            ),
            "each token sees the other documents and not its own: a query looks where the "
            "numbers are equal": torch.ne,
        },
        "causal": {
            "each token sees the whole of its own document, its future included: "
            "join the causal mask": everywhere,
            "your mask is transposed: tokens see the future of their document. "
            "Queries are rows, keys are columns": causal.T,
            "your tokens do not see themselves: the diagonal belongs to the mask, "
            "or the first word of each document sees nothing": causal & ~eye,
            "your tokens see the future and not themselves: queries are rows, keys are "
            "columns, and a token sees itself": causal.T & ~eye,
        },
        "is_word": {
            "you took padding for a document: places with -1 look at each other. "
            "A key that is padding is for nobody": lambda of_key: everywhere,
            "you took document 0 for padding: padding is -1, and 0 is a number like any other": (
                lambda of_key: of_key > 0
            ),
            "you kept the padding and hid the words: padding is -1": lambda of_key: of_key < 0,
        },
        "document": {
            "you took the documents of the first row for all rows: each row of the batch is "
            "packed in its own way": document[:1].expand_as(document),
        },
    }
    if torch.equal(got, ~right):
        raise Mistake("your True means hidden; here True = may look")
    name_slips(got, mask, slips)
    # Whether padding looks at anything does not matter for what else is wrong.
    words = document >= 0
    name_slips(got[words], lambda **parts: mask(**parts)[words], slips)
    if torch.equal(got, (causal | mask(causal=everywhere)) & (document >= 0)[:, None, :]):
        raise Mistake(
            "you joined the masks with |, which lets a query look where any of them allows it; "
            "it may look only where all of them do"
        )
    row, query, key = (int(i) for i in (got != right).nonzero()[0])
    place = f"in a row with the documents {document[row].tolist()}, place {query + 1}"
    if right[row, query, key]:
        raise Mistake(
            f"{place} may look at place {key + 1}, which is "
            f"{'itself' if query == key else 'an earlier word of its own document'}, and you "
            "forbid it"
        )
    reasons = {
        "is padding": document[row, key] < 0,
        "comes later": key > query,
        "is of another document": document[row, key] != document[row, query],
    }
    told = " and ".join(words for words, is_so in reasons.items() if is_so)
    raise Mistake(f"{place} may not look at place {key + 1}, which {told}, and you allow it")


@exercise(
    "masking",
    2,
    "return the derivative of the output by each score, (keys, d_value).",
    "a hidden score moves the output by -a_j y: the future speaks through the denominator.",
)
def check_late_slope(late_slope: Callable[[Tensor, Tensor, Tensor], Tensor]) -> None:
    """Check the derivative, by all scores, of an output that was masked after the softmax."""
    for seed in (1, 2, 3):
        scores, values = draw(KEYS, seed=seed), draw(KEYS, D_VALUE, seed=seed + 10)
        visible = torch.arange(KEYS) <= seed
        got = late_slope(scores, values, visible)
        if isinstance(got, Tensor) and got.shape == (D_VALUE, KEYS):
            raise Mistake("your derivative lies on its side: a row for each key, please")
        got = require_tensor(got, (KEYS, D_VALUE), "your derivative", "(keys, d_value)")
        a, seen = scores.softmax(0)[:, None], visible[:, None]
        y, honest = _late(scores, values, visible), scores[visible].softmax(0) @ values[visible]
        right = a * (seen * values - y)
        if same(got, right):
            continue
        early = scores.masked_fill(~visible, -torch.inf).softmax(0)[:, None]
        name_first(
            got,
            [
                (-right, "your sign is wrong: a hidden score that rises makes the output smaller"),
                (
                    early * (values - honest),
                    "you differentiated the output of a mask before the softmax. Here the mask "
                    "comes after it, and hidden scores stay in the denominator",
                ),
                (
                    a * (1 - a) * seen * values,
                    "you moved only the key's own weight. A score changes the denominator of every "
                    "weight, so all other weights move too",
                ),
            ],
        )
        name_slips(
            got,
            lambda weight=a, own=seen * values, taken=y: weight * (own - taken),
            {
                "weight": {
                    "the weight a_j is missing as a factor: a key with no weight moves nothing": 1,
                    "you have a factor 1 - a_j too many: what you subtract, y, contains it "
                    "already": a * (1 - a),
                    "your hidden scores move nothing. Their keys are gone from the numerator; "
                    "look at the denominator, which sums over all keys": seen * a,
                    "your weights are those of a mask before the softmax; here the softmax runs "
                    "over all keys": early,
                    "you multiply by exp(s_j), and the weight a_j is that divided by the sum over "
                    "all keys": scores.exp()[:, None],
                    "your weight a_j stands there squared": a**2,
                    "you divide by the weight a_j; it is a factor": 1 / a,
                },
                "own": {
                    "your hidden keys contribute their values: v_j stands in the sum for visible "
                    "keys alone": values,
                    "you have the denominator and forget the numerator: a visible score raises "
                    "its own exp(s_j) v_j too": 0.0,
                    "you took the hidden keys for the visible ones in v_j: `visible` is True for "
                    "those in S": ~seen * values,
                },
                "taken": {
                    "you held the denominator fixed: exp(s_j) stands there as well": 0.0,
                    "you add y where it is to be taken away: the denominator grows with the "
                    "score, and so its part is negative": -y,
                    "the hidden rows have the wrong sign: a hidden score that rises makes the "
                    "output smaller": torch.where(seen, y, -y),
                    "you held the denominator fixed for the hidden keys, which stand in nothing "
                    "else": seen * y,
                    "your y is the output of a mask before the softmax. Here the weights of the "
                    "visible keys sum to less than one": honest,
                    "your y sums over all keys; a hidden key's value is not in it": a.T @ values,
                    "your y sums over the hidden keys; it sums over the visible ones": (
                        a.T @ (~seen * values)
                    ),
                    "you subtract y itself; the weight a_j multiplies it as well": y / a,
                },
            },
        )
        name_times(
            got,
            {
                "a_j v_j of the visible keys": (a * seen * values, 1.0),
                "a_j y, in the rows of the visible keys,": (a * seen * y, -1.0),
                "a_j y, in the rows of the hidden keys,": (a * ~seen * y, -1.0),
                "a_j v_j of the hidden keys": (a * ~seen * values, 0.0),
                "y without a_j, in the rows of the visible keys,": (seen * y, 0.0),
                "y without a_j, in the rows of the hidden keys,": (~seen * y, 0.0),
            },
        )
        part = "visible" if same(got[~visible], right[~visible]) else "hidden"
        require_same(
            got,
            right,
            f"your derivative by the scores of the {part} keys is another. Write y as a quotient "
            "of two sums, and differentiate both",
            axes=("key", "width"),
        )


def _late(scores: Tensor, values: Tensor, visible: Tensor) -> Tensor:
    """The output of one query whose mask is put on after the softmax."""
    return (scores.softmax(0) * visible) @ values


@exercise(
    "masking",
    3,
    "return the weights of `broken`, with gradients that are numbers.",
    "right weights, zeros for an empty row, and gradients that are numbers.",
)
def check_masked_softmax(masked_softmax: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Check the repair of a softmax whose gradient dies of a row without keys."""
    mask = _draw(3, KEYS, 11) > 0
    mask[:, :2] = torch.tensor([[True] * 4 + [False] * 7, [False] * 4 + [True] * 7])
    scores, preferences = _draw(3, KEYS, 11) * 2, draw(3, KEYS, 11, seed=6, dtype=torch.float32)
    _require_right_weights(masked_softmax, scores, preferences, mask)
    mask[1, 4] = False  # the row without keys
    added = preferences.masked_fill(~mask, float("-inf"))

    leaves = scores.clone().requires_grad_(), added.clone().requires_grad_()
    got = masked_softmax(*leaves)
    empty = got[1, 4]
    if empty.isnan().any():
        raise Mistake(
            "a row without keys gives not-a-number: softmax divides 0 by 0 there. "
            "To look nowhere is to take nothing: zeros"
        )
    if torch.allclose(empty.sum(), torch.ones(())):
        raise Mistake(
            "a row without keys shares its weight among the hidden keys: a large "
            "negative fill does not forbid, it only makes all keys equally bad. Return zeros"
        )
    if not torch.equal(empty, torch.zeros_like(empty)):
        raise Mistake("a row without keys should get zeros, and yours gets something else")
    if not got.requires_grad:
        raise Mistake(
            "no gradient comes back at all: what you return is cut off from scores and preferences"
        )
    (got * _draw(*got.shape)).sum().backward()
    for leaf, name in zip(leaves, ("scores", "preferences"), strict=True):
        if leaf.grad is None or not leaf.grad.any():
            raise Mistake(f"no gradient reaches the {name}, which are learned")
        if not leaf.grad.isfinite().all():
            raise Mistake(
                f"the weights are right, but the gradient of the {name} is not-a-number: it passes "
                "through a softmax of a row without keys on its way back. What comes back there "
                "has to be overwritten with zeros: which operation does that?"
            )
    far = scores.clone()
    far[~mask] = 200.0
    if not torch.allclose(masked_softmax(far, added), got.detach(), atol=1e-6):
        raise Mistake(
            "a hidden score of 200 changes your weights: the visible ones drown in rounding. "
            "Hide scores before the softmax, not after it"
        )
    if not masked_softmax(scores + 500.0, added).isfinite().all():
        raise Mistake(
            "scores of 500 overflow: exp(500) is infinite. torch.softmax subtracts the greatest "
            "score first, which changes no weight"
        )
    low = scores.double() - 2e4
    if not torch.allclose(masked_softmax(low, added).double(), got.detach().double(), atol=1e-2):
        raise Mistake(
            "with all scores 20,000 lower your weights are others: what you hide with is no longer "
            "low enough, and the hidden keys get the weight. Only -inf is below every score"
        )


def _require_right_weights(
    masked_softmax: Callable[[Tensor, Tensor], Tensor],
    scores: Tensor,
    preferences: Tensor,
    mask: Tensor,
) -> None:
    """Name what is wrong where every query has something to look at."""
    got = masked_softmax(scores, preferences.masked_fill(~mask, float("-inf")))
    if not isinstance(got, Tensor) or got.shape != scores.shape:
        raise Mistake(f"return a tensor of weights of the scores' shape, {tuple(scores.shape)}")

    def is_close(expected: Tensor) -> bool:
        return torch.allclose(got.double(), expected.double(), atol=1e-5)

    summed = scores + preferences
    hidden = summed.masked_fill(~mask, float("-inf"))
    if is_close(hidden.softmax(-1)):
        return
    if is_close(scores.masked_fill(~mask, float("-inf")).softmax(-1)):
        raise Mistake(
            "you read the mask as yes or no, and lost the preferences: the finite numbers in "
            "`added` belong to the scores"
        )
    kept = scores + preferences.masked_fill(~mask, 0.0)
    if any(is_close(each.softmax(-1) * mask) for each in (summed, kept, scores)):
        raise Mistake(
            "your weights do not sum to one: you hid keys after the softmax, so the hidden "
            "scores still stand in the denominator. Hide them before, or divide by the new sum"
        )
    if is_close(scores.masked_fill(mask, float("-inf")).softmax(-1).nan_to_num()):
        raise Mistake("you kept the forbidden keys and hid the allowed ones: -inf forbids")
    for axis, name in ((-2, "queries"), (0, "batch")):
        if is_close(hidden.softmax(axis).nan_to_num()):
            raise Mistake(f"your softmax runs over the {name}; one query's weights sum to one")
    if is_close(summed.masked_fill(~mask, 0.0).softmax(-1)):
        raise Mistake(
            "you put zeros where the mask forbids: a score of 0 is a score like any other, and "
            "exp(0) = 1. What hides a key is a score of minus infinity"
        )
    require_same(
        got,
        hidden.softmax(-1),
        "where every query has keys, your weights differ from softmax over those keys",
        axes=("sequence", "query", "key"),
    )


@exercise(
    "masking",
    4,
    "return True if no later token moves an earlier output of the model, and False otherwise.",
    "it finds every leak here, and accuses no honest model. Keep it: it is a unit test.",
)
def check_is_causal(is_causal: Callable[[Model], bool]) -> None:
    """Check a leak detector on honest models and on models that leak in different ways."""
    poisoned: list[bool] = []
    derived: list[tuple[Model, Tensor]] = []

    def seen(models: Mapping[str, Model]) -> dict[str, Model]:
        return {name: partial(_noting, model, poisoned, derived) for name, model in models.items()}

    def why(asked: Questions) -> str:
        """What to tell a test that judges by derivatives, or another."""
        x = asked[-1][0]
        by_derivatives = [each for each in derived if torch.equal(each[1], x)]
        return why_underived(*by_derivatives[-1]) if by_derivatives else why_unseen(asked)

    try:
        judge(is_causal, seen(honest()), seen(impostors()), why, why_wronged)
    except Mistake as mistake:
        if any(poisoned) and "impostors through" not in str(mistake):
            raise Mistake(
                "you put NaN or infinity into the future, and called honest models leaky: a weight "
                "of zero times NaN is NaN. Exchange the future for other finite numbers"
            ) from mistake
        raise


def _noting(
    model: Model, poisoned: list[bool], derived: list[tuple[Model, Tensor]], x: Tensor
) -> Tensor:
    """What the model gives; beside it is noted whether the numbers are finite, and derivatives."""
    if x.shape[1:] != (LENGTH, D_MODEL):
        raise Mistake(
            f"you asked a model about x of shape {tuple(x.shape)}; they read (batch, {LENGTH}, "
            f"{D_MODEL})"
        )
    poisoned.append(not bool(x.isfinite().all()))
    if x.requires_grad:
        derived.append((model, x.detach().clone()))
    return model(x)
