"""What goes wrong where a layer that selects tokens is differentiated on paper, or repaired.

The chapter on support vector machines asks for the pulls on losing tokens, and for the speed at
which a gap between two scores grows.
"""

from collections.abc import Callable, Sequence

import torch
import torch.nn.functional as F
from torch import Tensor

from softlookup.course.exercises.slips import name_slips

# The token x_1, the token x_2, the query, the head, the layer, and the label.
Case = tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]


def name_pulls(got: Tensor, scores: Tensor, worths: Tensor) -> None:
    """Say what was changed that was not to be changed, where the weights are of ordinary size.

    Args:
        got: the learner's pulls.
        scores: of tokens whose favourite is neither the first nor the last.
        worths: of the same tokens.

    Raises:
        Mistake: with the words for the part that is wrong.
    """
    places = torch.arange(len(scores))
    own = torch.softmax(scores, dim=0)
    favourite = scores.argmax()
    losers, mean = places != favourite, own @ worths

    def pulls(
        still: Tensor = losers,
        weights: Tensor = own,
        less: Tensor | float = mean,
        scaled: Callable[[Tensor], Tensor] = _to_one,
    ) -> Tensor:
        return scaled(still * weights * (worths - less))

    smaller = torch.softmax(scores / scores.abs().max(), dim=0)
    not_it = "for the favourite; it is the one with the highest score"
    name_slips(
        got,
        pulls,
        {
            "still": {
                "the favourite has a pull with you; its own difference is zero, so set it to "
                "zero": torch.ones_like(losers),
                f"you take the token that is worth most {not_it}": (places != worths.argmax()),
                f"you take the token with the lowest score {not_it}": (places != scores.argmin()),
                f"you take the first token {not_it}": places != 0,
                f"you take the last token {not_it}": (places != len(scores) - 1),
            },
            "weights": {
                "you take the scores for the weights: the exponential is missing": scores,
                "you multiply by the logarithms of the weights: take the exponential once they "
                "are scaled": torch.log_softmax(scores, dim=0),
                "the weights are missing in your pulls": torch.ones_like(own),
                "your weights stand in twice": own.square(),
                "you multiply by the differences of the scores; it is their exponentials that the "
                "weights are": scores - scores[losers].max(),
                "only the nearest rival pulls with you; at a small gap all losers do": (
                    (scores == scores[losers].max()).double()
                ),
                "all weights are one root flatter: is a half, or a root, in the exponent?": (
                    own.sqrt()
                ),
                "your scores are made smaller before the softmax, and so the weights are others, "
                "also where `broken` works": smaller
                * (worths - smaller @ worths)
                / (worths - mean),
            },
            "less": {
                "you multiply by the worths themselves; each token pulls by its worth minus the "
                "mean worth m": 0.0,
                "these are weights; each goes with worth minus the mean worth": worths - 1,
                "your m is the plain mean of the worths; it is their mean under the weights": (
                    worths.mean()
                ),
                "your m is the mean over the losers alone; it is the layer's output, with the "
                "favourite in it": (losers * own) @ worths / (losers * own).sum(),
                "your m leaves the favourite out, and the losers' weights do not sum to one; it "
                "is the layer's output, with the favourite in it": (losers * own) @ worths,
                "you subtract the favourite's worth in place of the mean: near it far out, and "
                "another number where the weights are even. Nothing else was to be changed": (
                    worths[favourite]
                ),
                "your m is made of the logarithms of the weights; it is made of the weights": (
                    torch.log_softmax(scores, dim=0) @ worths
                ),
                "your m is made of scores; it is made of the weights": scores @ worths,
            },
            "scaled": {
                "your largest pull is not 1: the division by the largest is gone": lambda p: p,
                "your largest pull is not 1: you divide by the largest weight of a loser, and it "
                "is the largest pull": lambda p: p / (losers * own).max(),
                "you divide by the root of the sum of squares, not by the largest": (
                    lambda p: p / p.norm()
                ),
                "you divide by the sum, not by the largest": lambda p: p / p.abs().sum(),
                "you divide by the largest number; the largest size may be that of a negative "
                "one: take absolute values first": lambda p: p / p.max(),
                "your signs are lost: a rival worth more than the mean is pulled up": (
                    lambda p: _to_one(p).abs()
                ),
                "your signs are turned: it is the worth minus the mean": lambda p: -_to_one(p),
                "your pulls are too large by the number of losers": (
                    lambda p: _to_one(p) * losers.sum()
                ),
            },
        },
    )


def _to_one(pulls: Tensor) -> Tensor:
    return pulls / pulls.abs().max()


def gap_speeds(cases: Sequence[Case]) -> Callable[..., Tensor]:
    """The speeds of gaps under gradient flow, as a formula whose parts may be replaced."""
    parts = _parts(cases)
    m, a, y = parts["m"], parts["a"], parts["y"]
    slope_of_loss, rise_of_softmax = torch.sigmoid(-m), a * (1 - a)
    more_worth = y * (parts["worth_1"] - parts["worth_2"])

    def mixed(a: Tensor) -> Tensor:
        return y * (a * parts["worth_1"] + (1 - a) * parts["worth_2"])

    def speeds(
        slope: Tensor | float = slope_of_loss,
        rise: Tensor | float = rise_of_softmax,
        lead: Tensor | float = more_worth,
        keys: Tensor | float = parts["keys"],
        query: Tensor | float = parts["query"],
        lengths: Tensor | float | None = None,
        whole: Tensor | float = 1.0,
        read: Callable[[Case], Tensor] | None = None,
    ) -> Tensor:
        squared = keys * query if lengths is None else lengths
        if read is not None:
            # Both the softmax and m see another gap.
            gap = torch.stack([read(each) for each in cases])
            a, m = torch.sigmoid(gap), mixed(torch.sigmoid(gap))
            slope = torch.sigmoid(-m) if slope is slope_of_loss else slope
            rise = a * (1 - a) if rise is rise_of_softmax else rise
        return torch.as_tensor(whole * slope * rise * lead * squared)

    return speeds


def name_speeds(got: Tensor, cases: Sequence[Case]) -> None:
    """Name what is wrong with the speeds of the gap between two scores.

    Args:
        got: the learner's speeds, one a case.
        cases: what they are the speeds of, with both labels among them.

    Raises:
        Mistake: with the words for the term that is missing, or that is another.
    """
    parts = _parts(cases)
    m, a, y, gap, keys, query = (parts[each] for each in ("m", "a", "y", "gap", "keys", "query"))
    one, two = parts["worth_1"], parts["worth_2"]
    softmax = "softmax has the derivative a (1 - a); you have"
    worth = "how much more token 1 is worth than token 2, y v·(x_1 - x_2)"
    written = "the gap reads W with it, and the gradient has written with it"
    name_slips(
        got,
        gap_speeds(cases),
        {
            "whole": {
                "your sign is turned: descent goes against the gradient, which has the sign of "
                "-y v·(x_1 - x_2)": -1.0,
                "twice too large: with two tokens the second weight is 1 - a, and has been "
                "counted": 2.0,
                "this is the speed of m, which grows y v·(x_1 - x_2) a (1 - a) times as fast as "
                "the gap": y * (one - two) * a * (1 - a),
                "this is how fast the loss falls: its slope by the gap times the gap's speed": (
                    y * (one - two) * a * (1 - a) * torch.sigmoid(-m)
                ),
                f"{softmax} its square: this is the speed of a, the first weight": a * (1 - a),
            },
            "read": {
                "your gap is read from x_1 alone, where x_1 - x_2 stands": (
                    lambda case: case[0] @ case[4] @ case[2]
                ),
                "your gap is read with the transposed W: it is (x_1 - x_2)ᵀ W z": (
                    lambda case: (case[0] - case[1]) @ case[4].T @ case[2]
                ),
                "the label stands in your gap; it belongs to m, and the gap is (x_1 - x_2)ᵀ W z": (
                    lambda case: case[5] * ((case[0] - case[1]) @ case[4] @ case[2])
                ),
                "your scores are divided by the root of the width; here they are xᵀ W z": (
                    lambda case: (case[0] - case[1]) @ case[4] @ case[2] / len(case[2]) ** 0.5
                ),
            },
            "slope": {
                "the slope of the loss, 1 / (1 + e^m), is missing": 1.0,
                "your slope is that of the opposite sign: 1 / (1 + e^m), not 1 / (1 + e^-m)": (
                    torch.sigmoid(m)
                ),
                "your slope is taken at the gap; the loss sees m, the reading times the label": (
                    torch.sigmoid(-gap)
                ),
                "your slope is taken at the gap, and with the opposite sign; the loss sees m, the "
                "reading times the label": torch.sigmoid(gap),
                "the label is missing in m, which your slope reads: right where y = 1 only": (
                    torch.sigmoid(-y * m)
                ),
                "you multiply by the loss itself; it is its slope that drives, 1 / (1 + e^m)": (
                    F.softplus(-m)
                ),
                "your slope is e^-m, as it is far out only; everywhere it is 1 / (1 + e^m)": (
                    torch.exp(-m)
                ),
                "you differentiated the slope once more: the slope of log(1 + e^-m) is "
                "-1 / (1 + e^m)": torch.sigmoid(m) * torch.sigmoid(-m),
                "your m is the difference of the tokens' worths; the layer mixes them by a and "
                "1 - a": torch.sigmoid(-y * (one - two)),
                "your m is read from x_1 alone; the layer's output mixes both tokens": (
                    torch.sigmoid(-y * one)
                ),
                "your m is read from both tokens evenly; the layer mixes them by a and 1 - a": (
                    torch.sigmoid(-y * (one + two) / 2)
                ),
                "your m has the weights exchanged: a belongs to x_1": (
                    torch.sigmoid(-y * (a * two + (1 - a) * one))
                ),
            },
            "rise": {
                "the derivative of softmax, a (1 - a), is missing": 1.0,
                f"{softmax} a alone": a,
                f"{softmax} 1 - a alone": 1 - a,
                f"{softmax} a²": a.square(),
                f"{softmax} 1/4, which it is where the gap is zero": 0.25,
                f"{softmax} e^-gap, which it is far out only": torch.exp(-gap),
            },
            "lead": {
                f"{worth}, is missing": 1.0,
                f"{worth}, is missing but for the label": y,
                "the label is missing before v·(x_1 - x_2): right where y = 1 only": one - two,
                "token 1's worth stands alone in yours; it counts by how much it is worth more "
                "than token 2": y * one,
                "token 2's worth stands alone in yours; it counts by how much token 1 is worth "
                "more": y * two,
                "you add the tokens' worths; it is their difference that counts": y * (one + two),
                "you multiply by m; it is the difference of the tokens' worths that counts": m,
                "you take token 1's worth less the mean m; with two tokens the difference of their "
                "worths counts, and 1 - a has been counted": y * one - m,
            },
            "keys": {
                f"the squared length of x_1 - x_2 is missing: {written}": 1.0,
                "you subtract the squared lengths of x_1 and x_2; that of their difference is "
                "another number": parts["first"] - parts["second"],
                "x_1 - x_2 comes in twice, so its length is squared": keys.sqrt(),
                "your squared length is that of x_1; the gap reads x_1 - x_2": parts["first"],
                "you add the squared lengths of x_1 and x_2; that of their difference is another "
                "number": parts["first"] + parts["second"],
            },
            "query": {
                f"the squared length of z is missing: {written}": 1.0,
                "z comes in twice, so its length is squared": query.sqrt(),
                "z comes in four times in yours; it comes in twice": query.square(),
            },
            "lengths": {
                "both squared lengths are missing, that of x_1 - x_2 and that of z": 1.0,
                "both lengths have to be squared, that of x_1 - x_2 and that of z: ⟨A, A⟩ is "
                "|A|²": (keys * query).sqrt(),
                "you add the squared lengths of x_1 - x_2 and z; ⟨A, A⟩ is their product": (
                    keys + query
                ),
                "you multiply by the squared length of W; W moves along A, and the gap by ⟨A, A⟩": (
                    torch.stack([case[4].square().sum() for case in cases])
                ),
                "you multiply by the squared length of W z; W moves along A, and the gap by "
                "⟨A, A⟩": torch.stack([(case[4] @ case[2]).square().sum() for case in cases]),
                "you multiply by the gap, ⟨A, W⟩; W moves along A, so the gap moves by ⟨A, A⟩": gap,
                "you multiply by the sum of the numbers in A; W moves along A, so the gap moves "
                "by ⟨A, A⟩, the sum of their squares": parts["sum"],
                "you multiply by (x_1 - x_2)·z; ⟨A, A⟩ is the squared length of x_1 - x_2 times "
                "that of z": parts["across"],
                "you multiply by (x_1 - x_2)·z, squared; ⟨A, A⟩ is the squared length of "
                "x_1 - x_2 times that of z": parts["across"].square(),
            },
        },
        lambda one, other: torch.allclose(one, other, rtol=1e-4, atol=1e-9),
    )


def _parts(cases: Sequence[Case]) -> dict[str, Tensor]:
    """What the speed of a gap may be made of, one number a case."""
    rows = []
    for x_1, x_2, z, v, W, y in cases:
        apart = x_1 - x_2
        gap = apart @ W @ z
        a = torch.sigmoid(gap)
        worth_1, worth_2 = v @ x_1, v @ x_2
        rows.append(
            {
                "y": y,
                "gap": gap,
                "a": a,
                "worth_1": worth_1,
                "worth_2": worth_2,
                "m": y * (a * worth_1 + (1 - a) * worth_2),
                "keys": apart @ apart,
                "query": z @ z,
                "first": x_1 @ x_1,
                "second": x_2 @ x_2,
                "across": apart @ z,
                "sum": apart.sum() * z.sum(),
            }
        )
    return {name: torch.stack([row[name] for row in rows]) for name in rows[0]}
