"""Checks for the exercises of the chapter on masking."""

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.probes import draw
from softlookup.course.exercises.verdict import Mistake
from softlookup.layers import masks
from softlookup.layers.attention import attention

LENGTH, WINDOW, D_MODEL = 7, 3, 5

_draw = partial(draw, seed=5, dtype=torch.float32)


def _require_mask(got: object, shape: tuple[int, ...]) -> Tensor:
    """Refuse what is not a boolean mask of this shape."""
    if not isinstance(got, Tensor):
        raise Mistake(f"your function returned {type(got).__name__}; a tensor is expected")
    if got.dtype != torch.bool:
        raise Mistake(
            f"your mask holds numbers ({got.dtype}); a mask here is boolean, True = may look"
        )
    if got.shape != shape:
        raise Mistake(f"your mask has shape {tuple(got.shape)}; {shape} is expected")
    return got


@exercise(
    "masking",
    1,
    "return a square boolean mask in which token i may look at tokens 1 to i.",
    "each token sees itself and its past, and nothing else.",
)
def check_causal(causal: Callable[[int], Tensor]) -> None:
    """Check a causal mask."""
    for length in (LENGTH, 1, 11):
        right = masks.causal(length)
        got = _require_mask(causal(length), (length, length))
        if torch.equal(got, right):
            continue
        if torch.equal(got, right.T):
            raise Mistake(
                "your mask is transposed: token i sees itself and its future. "
                "Rows are queries, columns are keys"
            )
        if torch.equal(got, ~right):
            raise Mistake(
                "your True means hidden; here True = may look. Some functions of torch read it "
                "your way, which is why the way out is named masks.to_torch_multihead"
            )
        if torch.equal(got, right.tril(-1)):
            raise Mistake(
                "your token may not look at itself, so the first one sees nothing at all; "
                "the diagonal belongs to the mask, since the target is the next token"
            )
        if torch.equal(got, right | torch.ones_like(right).tril(1)):
            raise Mistake(
                "your token i sees token i + 1, which is the answer it should guess; "
                "the triangle is one diagonal too wide"
            )
        wrong = (got != right).nonzero()[0]
        raise Mistake(
            f"at length {length}, may token {int(wrong[0]) + 1} look at token "
            f"{int(wrong[1]) + 1}? Your mask gives the other answer"
        )


@exercise(
    "masking",
    2,
    "let token i look at the last `window` tokens, itself included.",
    "each token sees exactly `window` tokens, fewer where the text begins.",
)
def check_sliding_window(sliding_window: Callable[[int, int], Tensor]) -> None:
    """Check a causal sliding window."""
    for length, window in ((LENGTH, WINDOW), (11, 5), (LENGTH, 1), (3, 5)):
        right = masks.sliding_window(length, window)
        got = _require_mask(sliding_window(length, window), (length, length))
        if torch.equal(got, right):
            continue
        seen = f"with a window of {window}, your last token sees {int(got[-1].sum())} tokens"
        wide = masks.sliding_window(length, window + 1)
        if torch.equal(got, wide):
            raise Mistake(f"{seen}: one too many. The token itself is one of the window")
        if torch.equal(got, wide & ~torch.eye(length, dtype=torch.bool)):
            raise Mistake(f"{seen}, but itself is not among them; the window ends at the token")
        if window > 1 and torch.equal(got, masks.sliding_window(length, window - 1)):
            raise Mistake(f"{seen}: one too few. i - window + 1 is the first that it sees")
        if torch.equal(got, right | right.T):
            raise Mistake("your window opens to both sides; this one is causal: no look ahead")
        if torch.equal(got, right.T):
            raise Mistake("your window opens to the future; swap the roles of rows and columns")
        raise Mistake(
            f"at length {length} and window {window} your mask is\n{got.int()}\n"
            f"and it should be\n{right.int()}"
        )


@exercise(
    "masking",
    3,
    "combine the causal mask with the padding mask, one mask for each sequence.",
    "a decoder's query sees the words of its past, on whichever side the padding lies.",
)
def check_decoder_mask(decoder_mask: Callable[[Tensor], Tensor]) -> None:
    """Check a causal mask joined with a padding mask."""
    places = torch.arange(LENGTH)
    on_the_right, on_the_left = places < 4, places >= 2
    is_word = torch.stack([on_the_right, on_the_left, places >= 0])
    keys, queries, causal = is_word[:, None, :], is_word[:, :, None], masks.causal(LENGTH)
    right = keys & causal
    got = decoder_mask(is_word)
    if isinstance(got, Tensor) and got.shape in {causal.shape, keys.shape, queries.shape}:
        got = got.expand(right.shape)
    got = _require_mask(got, tuple(right.shape))
    if torch.equal(got, right):
        return
    wrong = {
        "you joined the masks with |, which lets a query look where either mask allows it; "
        "it may look only where both do": keys | causal,
        "your padding is inverted: the queries see the padding and not the words": ~keys & causal,
        "your padding runs over the queries: rows of padding are emptied, but a word may still "
        "look at padding before it. What may not be looked at is a key, a column": queries & causal,
        "you also closed the rows of padding, so those queries see nothing at all. It is not "
        "needed: nobody reads their outputs, and a row without keys is a row of 0/0": (
            right & queries
        ),
        "the padding is hidden, but the future is not: join the causal mask": keys,
        "the future is hidden, but the padding is not: join the padding mask": causal,
        "your triangle is transposed: the queries see the future": keys & causal.T,
    }
    for message, mask in wrong.items():
        if torch.equal(got, mask.expand(right.shape)):
            raise Mistake(message)
    sequence, query, key = (int(i) for i in (got != right).nonzero()[0])
    words = (is_word[sequence].nonzero()[:, 0] + 1).tolist()
    raise Mistake(
        f"in a sequence of {LENGTH} places with words at {words}, may place {query + 1} look "
        f"at place {key + 1}? Your mask gives the other answer"
    )


@exercise(
    "masking",
    4,
    "return softmax over the keys that the mask allows, and zeros where it allows none.",
    "right weights, zeros for an empty row, and gradients that are numbers.",
)
def check_masked_softmax(masked_softmax: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Check a softmax over allowed keys that survives rows without any."""
    mask = _draw(3, LENGTH, 11) > 0
    mask[:, :2] = torch.tensor([[True] * 4 + [False] * 7, [False] * 4 + [True] * 7])
    full_rows = mask.clone()
    mask[1, 4] = False  # the row without keys
    scores = _draw(3, LENGTH, 11) * 2
    _require_right_weights(masked_softmax, scores, full_rows)

    leaf = scores.clone().requires_grad_()
    got = masked_softmax(leaf, mask)
    empty = got[1, 4]
    if empty.isnan().any():
        raise Mistake(
            "a row without keys gives not-a-number: softmax divides 0 by 0 there. "
            "To look nowhere is to take nothing: zeros"
        )
    if torch.allclose(empty, torch.full_like(empty, 1 / 11)):
        raise Mistake(
            "a row without keys takes an equal share of every key, the hidden ones: a large "
            "negative fill does not forbid, it only makes all keys equally bad. Return zeros"
        )
    if not torch.equal(empty, torch.zeros_like(empty)):
        raise Mistake("a row without keys should get zeros, and yours gets something else")
    (got * _draw(*got.shape)).sum().backward()
    if leaf.grad is None or not leaf.grad.isfinite().all():
        raise Mistake(
            "the weights are right, but their gradient is not-a-number: it passes through a "
            "softmax of a row without keys on its way back. Use masked_fill on the scores, not "
            "an addition of -inf: its gradient at hidden places is zero, whatever comes in"
        )
    far = scores.clone()
    far[~mask] = 200.0
    if not torch.allclose(masked_softmax(far, mask), got.detach(), atol=1e-6):
        raise Mistake(
            "a hidden score of 200 changes your weights: the visible ones drown in rounding. "
            "Hide scores before the softmax, not after it"
        )
    if not masked_softmax(scores + 500.0, mask).isfinite().all():
        raise Mistake(
            "scores of 500 overflow: exp(500) is infinite. torch.softmax subtracts the greatest "
            "score first, which changes no weight"
        )
    low = scores.double() - 2e4
    if not torch.allclose(masked_softmax(low, mask).double(), got.detach().double(), atol=1e-2):
        raise Mistake(
            "with all scores 20,000 lower your weights are others: what you hide with is no longer "
            "low enough, and the hidden keys get the weight. Only -inf is below every score"
        )


def _require_right_weights(
    masked_softmax: Callable[[Tensor, Tensor], Tensor], scores: Tensor, mask: Tensor
) -> None:
    """Name what is wrong where every query has something to look at."""
    got = masked_softmax(scores, mask)
    if not isinstance(got, Tensor) or got.shape != scores.shape:
        raise Mistake(f"return a tensor of weights of the scores' shape, {tuple(scores.shape)}")

    def is_close(expected: Tensor) -> bool:
        return torch.allclose(got.double(), expected.double(), atol=1e-5)

    hidden = scores.masked_fill(~mask, float("-inf"))
    if is_close(hidden.softmax(-1)):
        return
    if is_close(scores.softmax(-1) * mask):
        raise Mistake(
            "your weights do not sum to one: you hid keys after the softmax, so the hidden "
            "scores still stand in the denominator. Hide them before, or divide by the new sum"
        )
    if is_close(scores.masked_fill(mask, float("-inf")).softmax(-1).nan_to_num()):
        raise Mistake("you kept the forbidden keys and hid the allowed ones: True = may look")
    if is_close(hidden.softmax(-2).nan_to_num()):
        raise Mistake("your softmax runs over the queries; one query's weights sum to one")
    if is_close((scores * mask).softmax(-1)):
        raise Mistake(
            "you multiplied scores by the mask: a score of 0 is a score like any other, and "
            "exp(0) = 1. What hides a key is a score of minus infinity"
        )
    if is_close((scores + mask).softmax(-1)):
        raise Mistake(
            "you added the mask as zeros and ones: that favours the allowed keys by a factor "
            "e and forbids none"
        )
    raise Mistake("where every query has keys, your weights differ from softmax over those keys")


def _project(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Queries, keys and values, always by the same matrices."""
    w_q, w_k, w_v = _draw(3, D_MODEL, D_MODEL).to(x.dtype)
    return x @ w_q, x @ w_k, x @ w_v


def _model(mask: Tensor | None) -> Callable[[Tensor], Tensor]:
    """Self-attention under a mask, which a leak detector should judge."""
    return lambda x: attention(*_project(x), mask)[0]


def _masked_too_late(x: Tensor) -> Tensor:
    """Self-attention whose causal mask is put on the weights, after the softmax."""
    query, key, value = _project(x)
    _, weights = attention(query, key, value)
    return (weights * masks.causal(x.size(1))) @ value


def _leaks_little(x: Tensor) -> Tensor:
    """An honest layer, with one part in a hundred of a layer that is masked too late."""
    return 0.99 * _model(masks.causal(x.size(1)))(x) + 0.01 * _masked_too_late(x)


@exercise(
    "masking",
    5,
    "return True if a later token moves an earlier output, and False otherwise.",
    "it finds every leak here, and accuses no honest model. Keep it: it is a unit test.",
)
def check_leaks(leaks: Callable[[Callable[[Tensor], Tensor], Tensor], bool]) -> None:
    """Check a leak detector on honest models and on models that leak in different ways."""
    causal = masks.causal(LENGTH)
    x = _draw(2, LENGTH, D_MODEL)

    def judge(model: Callable[[Tensor], Tensor]) -> bool:
        return bool(leaks(model, x))

    if judge(_model(causal)):
        if judge(lambda x: 2 * x):
            raise Mistake(
                "you accuse a model that looks at no other token at all: leave the changed "
                "token's own output out of the comparison, it may well change"
            )
        raise Mistake(
            "you accuse an honest causal model. An early token may move later outputs; "
            "a leak is a later token that moves an earlier output"
        )
    if judge(_model(masks.sliding_window(LENGTH, WINDOW))):
        raise Mistake("you accuse a causal sliding window, in which no token sees the future")
    if judge(lambda x: x.cumsum(1)):
        raise Mistake("you accuse a running sum, in which nothing flows backwards")
    if not judge(_model(None)):
        raise Mistake(
            "a model with no mask at all passes your test. Shapes tell nothing: change later "
            "tokens, and compare the numbers that come out earlier"
        )
    if not judge(_model(causal.T)):
        raise Mistake("a transposed mask passes your test: compare outputs before the change")
    if not judge(_model(masks.prefix(LENGTH, 2))):
        raise Mistake(
            "you find a leak from the last token, but miss one from token 2 to token 1. "
            "Change each later token, not the last one alone"
        )
    if not judge(_model(torch.ones_like(causal).tril(1) & ~masks.prefix(LENGTH, 2).triu(1))):
        raise Mistake(
            "you miss a leak of one step between neighbours: compare every output before the "
            "changed token, also the one right before it"
        )
    if not judge(_leaks_little):
        raise Mistake(
            "you miss a leak of one part in a hundred, of a mask put on after the softmax: a leak "
            "of any size is a leak, so compare with a tolerance near zero"
        )
    x64 = _draw(2, LENGTH, D_MODEL).double()
    last_only = torch.zeros_like(causal)
    last_only[0, -1] = True
    if not leaks(_model(causal | last_only), x64):
        raise Mistake("you miss a leak from the last token to the first")
