"""Functions that claim to say what each head adds to the output: some do, and some only seem to.

Each takes what the heads found, (batch, heads, length, d_head), and W_O, (d_model, d_model), and
gives (batch, heads, length, d_model). The chapter on multi-head attention has the learner write
the test that tells them apart.
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from softlookup.course.exercises.judging import Questions
from softlookup.course.exercises.probes import same
from softlookup.layers.multi_head import merge_heads

Contributions = Callable[[Tensor, Tensor], Tensor]


def _shares(heads: Tensor, w_o: Tensor) -> Tensor:
    """What each head adds, each through its own rows of W_O."""
    return heads @ w_o.unflatten(0, (heads.size(1), heads.size(3)))


def _summed_by_columns(heads: Tensor, w_o: Tensor) -> Tensor:
    """The same, one column of a head's numbers after the other, the last first."""
    rows = w_o.unflatten(0, (heads.size(1), heads.size(3)))
    return sum(heads[..., j : j + 1] * rows[:, j : j + 1] for j in reversed(range(heads.size(3))))


def _by_what_is_missing(heads: Tensor, w_o: Tensor) -> Tensor:
    """The same, as the layer's output less what it is without the head."""
    whole = merge_heads(heads) @ w_o
    others = []
    for head in range(heads.size(1)):
        without = heads.clone()
        without[:, head] = 0.0
        others.append(whole - merge_heads(without) @ w_o)
    return torch.stack(others, dim=1)


def _leaking(heads: Tensor, w_o: Tensor) -> Tensor:
    """Each head passes a tenth of its share on to the next, so that the sum stays right."""
    shares = _shares(heads, w_o)
    return 0.9 * shares + 0.1 * shares.roll(1, dims=1)


def _all_to_first(heads: Tensor, w_o: Tensor) -> Tensor:
    shares = torch.zeros_like(_shares(heads, w_o))
    shares[:, 0] = merge_heads(heads) @ w_o
    return shares


def _last_takes_the_rest(heads: Tensor, w_o: Tensor) -> Tensor:
    shares = 0.8 * _shares(heads, w_o)
    shares[:, -1] += 0.2 * (merge_heads(heads) @ w_o)
    return shares


def _first_sequence_only(heads: Tensor, w_o: Tensor) -> Tensor:
    """Right for the first sequence of a batch; in the others, heads 1 and 2 are exchanged."""
    shares = _shares(heads, w_o)
    shares[1:] = shares[1:].flip(1)
    return shares


def _one_head_only(heads: Tensor, w_o: Tensor, right: int) -> Tensor:
    """Right for one head, the first or the last; the others exchange theirs, or one has none."""
    shares = _shares(heads, w_o)
    others = shares[:, 1:] if right == 0 else shares[:, :-1]
    others.copy_(others.roll(1, dims=1) if others.size(1) > 1 else torch.zeros_like(others))
    return shares


def _last_token_only(heads: Tensor, w_o: Tensor) -> Tensor:
    shares = _shares(heads, w_o)
    shares[:, :, :-1] = shares[:, :, :-1].roll(1, dims=1)
    return shares


HONEST: dict[str, Contributions] = {
    "each head through its rows of W_O": _shares,
    "the same sum, its terms in another order": _summed_by_columns,
    "the same in single precision": lambda heads, w_o: _shares(heads.float(), w_o.float()).to(
        heads.dtype
    ),
    "the output less what it is without the head": _by_what_is_missing,
}
IMPOSTORS: dict[str, Contributions] = {
    "the output in equal parts": lambda heads, w_o: (
        (merge_heads(heads) @ w_o)[:, None].expand(-1, heads.size(1), -1, -1) / heads.size(1)
    ),
    "the output given to head 1 whole": _all_to_first,
    "each share given to the next head": lambda heads, w_o: _shares(heads, w_o).roll(1, dims=1),
    "the shares in the opposite order of heads": lambda heads, w_o: _shares(heads, w_o).flip(1),
    "a tenth of each share passed on to the next head": _leaking,
    "a fifth of the output always booked on the last head": _last_takes_the_rest,
    "W_O transposed": lambda heads, w_o: _shares(heads, w_o.mT),
    "every third row of W_O for a head": lambda heads, w_o: (
        heads @ w_o.unflatten(0, (heads.size(3), heads.size(1))).transpose(0, 1)
    ),
    "shares divided by the number of heads": lambda heads, w_o: _shares(heads, w_o) / heads.size(1),
    "shares one per cent too large": lambda heads, w_o: 1.01 * _shares(heads, w_o),
    "right for the first sequence of the batch only": _first_sequence_only,
    "right for the last token only": _last_token_only,
    "right for the first head only": lambda heads, w_o: _one_head_only(heads, w_o, 0),
    "right for the last head only": lambda heads, w_o: _one_head_only(heads, w_o, -1),
    "shares of the first token given to all": lambda heads, w_o: _shares(heads, w_o)[
        :, :, :1
    ].expand(-1, -1, heads.size(2), -1),
    "signs lost": lambda heads, w_o: _shares(heads, w_o).abs(),
}


def why_unseen(is_honest: Callable[[Contributions], bool], asked: Questions) -> str:
    """Why a test believes an impostor: what it did not ask, or did not look at."""
    if (apart := _apart(asked)) > 1e-3:
        if _believes(is_honest, lambda heads, w_o: torch.zeros_like(_shares(heads, w_o))):
            if _believes(is_honest, lambda heads, w_o: torch.zeros(1)):
                return "It believes whatever comes, even a single zero: no comparison decides"
            return "It looks at the shape alone; also zeros of that shape are believed"
        if all(same(shares.sum(1), merge_heads(heads) @ w_o) for (heads, w_o), shares in asked):
            return (
                f"The shares there add up to the output, and are wrong by up to {apart:.2g}: ask "
                "of each share whether it is the doing of its own head"
            )
        return (
            f"It was given shares that are wrong by up to {apart:.2g}, and says True: does it "
            "look at every share, and does every comparison count?"
        )
    drawn = [(*heads.shape, heads, w_o) for (heads, w_o), _ in asked]
    missing = {
        "several sequences": all(batch == 1 for batch, *_ in drawn),
        "several heads": all(n_heads == 1 for _, n_heads, *_ in drawn),
        "several tokens": all(length == 1 for _, _, length, *_ in drawn),
        "tokens that differ": all(bool((heads == heads[:, :, :1]).all()) for *_, heads, _ in drawn),
        "numbers below zero": all(
            bool((heads >= 0).all() and (w_o >= 0).all()) for *_, heads, w_o in drawn
        ),
        "a W_O that is not symmetric": all(torch.allclose(w_o, w_o.mT) for *_, w_o in drawn),
    }
    if named := [name for name, absent in missing.items() if absent]:
        return f"The example that you draw does not show it. It lacks {' and '.join(named)}"
    return "The example that you draw shows no difference beyond rounding: draw larger numbers"


def _believes(is_honest: Callable[[Contributions], bool], contributions: Contributions) -> bool:
    """Whether a test believes a function, and can judge it at all."""
    try:
        return bool(is_honest(contributions))
    except Exception:
        return False


def why_wronged(asked: Questions) -> str:
    """Why a function that a test refuses is honest all the same."""
    if not asked:
        return "Your test never calls the function that it is to judge"
    return (
        "There each share is, but for rounding, the head's own numbers times its own rows of W_O, "
        "`heads[:, i] @ w_o[i * d_head : (i + 1) * d_head]`"
    )


def _apart(asked: Questions) -> float:
    """The largest difference between the shares that a test was given and the right ones."""
    differences = [0.0]
    for (heads, w_o), shares in asked:
        right = _shares(heads, w_o)
        if not isinstance(shares, Tensor) or shares.shape != right.shape:
            return math.inf
        differences.append(float((shares - right).abs().max()))
    return max(differences)
