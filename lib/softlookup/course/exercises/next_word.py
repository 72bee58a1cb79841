"""Checks for the exercises of the chapter on the next word."""

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

import torch
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.probes import draw, name_first, require_tensor, same
from softlookup.course.exercises.verdict import Mistake
from softlookup.running.generation import top_p

_draw = partial(draw, seed=10)


def _merged(parts: Sequence[str], pair: tuple[str, str]) -> list[str]:
    """Merge each occurrence of the pair, from the left, none overlapping."""
    merged: list[str] = []
    place = 0
    while place < len(parts):
        found = tuple(parts[place : place + 2]) == pair
        merged.append("".join(pair) if found else parts[place])
        place += 2 if found else 1
    return merged


@exercise(
    "next_word",
    1,
    "replace every occurrence of the pair by one token, from left to right.",
    "one step of byte-pair encoding; do it a thousand times, and you have a tokenizer.",
)
def check_merge(merge: Callable[[list[str], tuple[str, str]], list[str]]) -> None:
    """Check one merge of a pair of neighbours."""
    for word, pair in (
        ("shells", ("l", "l")),
        ("banana", ("a", "n")),
        ("aaaaa", ("a", "a")),
        ("cat", ("t", "c")),
        ("abba", ("b", "a")),
        (["ba", "n", "a", "n"], ("a", "n")),
        ("", ("a", "b")),
    ):
        parts = [*word]
        right = _merged(parts, pair)
        got = merge([*parts], pair)
        if not isinstance(got, list | tuple):
            raise Mistake(f"your function returned {type(got).__name__}; a list is expected")
        got = [*got]
        if got == right:
            continue
        case = f"in {parts} the pair {pair} becomes {got}, and should become {right}"
        token = "".join(pair)
        if "".join(got) != "".join(parts):
            if len("".join(got)) > len("".join(parts)):
                raise Mistake(f"your merge says letters twice: after a pair, skip both. {case}")
            raise Mistake(f"your merge loses letters: {case}")
        if got == parts:
            raise Mistake(f"nothing was merged: {case}")
        if got == "|".join(parts).replace("|".join(pair), token).split("|"):
            raise Mistake(f"you looked for letters; whole tokens are compared. {case}")
        if got.count(token) == 1 < right.count(token):
            raise Mistake(f"only one occurrence was merged: {case}")
        if token + token in got or any(len(part) > len(token) for part in got):
            raise Mistake(
                "you merged what had just been merged: a step makes one new token, and what it "
                f"made takes no part in the same step. {case}"
            )
        if any(neighbours == pair for neighbours in pairwise(got)):
            raise Mistake(f"an occurrence was passed over: go from left to right. {case}")
        raise Mistake(f"you merged something other than the pair, in this order: {case}")


@exercise(
    "next_word",
    2,
    "turn the losses of a text's tokens, in nats, into bits per character.",
    "a number that models of different tokens can be compared by.",
)
def check_bits(bits: Callable[[Tensor, str], float]) -> None:
    """Check bits per character."""
    losses = _draw(13).abs() + 0.5
    text = "the value of the “expression”"
    right = losses.sum().item() / math.log(2) / len(text)
    got = bits(losses, text)
    try:
        got = float(got)
    except (TypeError, ValueError):
        raise Mistake(
            f"your function returned {type(got).__name__}; one number is expected"
        ) from None
    if math.isclose(got, right, rel_tol=1e-5):
        return
    mean = losses.mean().item()
    total = losses.sum().item()
    hypotheses = {
        "this is the loss in nats a token: the characters are missing, and the bits": mean,
        "this is bits per *token*: you divided by the number of tokens. How long a token is "
        "differs from tokenizer to tokenizer; divide by the characters": mean / math.log(2),
        "this is nats per character: one nat is 1/log(2) bits": total / len(text),
        "you multiplied by log(2): a nat is more than a bit, so there are more bits than nats": (
            total * math.log(2) / len(text)
        ),
        "this is the perplexity, which depends on the tokens": math.exp(mean),
        "this is the whole text's bits; share them among its characters": total / math.log(2),
        "you divided by the words; a character is what all texts have": (
            total / math.log(2) / len(text.split())
        ),
        "you divided by the bytes; a character may take several": (
            total / math.log(2) / len(text.encode())
        ),
        "you took the logarithm of the losses: they are logarithms already, and need another "
        "unit, a division by log(2)": math.log2(total) / len(text),
        "you rounded the characters per token to a whole number; // has no place here": (
            mean / math.log(2) / (len(text) // len(losses))
        ),
        "you divided by log(10): that counts decimal digits and not bits": (
            total / math.log(10) / len(text)
        ),
    }
    for words, wrong in hypotheses.items():
        if math.isclose(got, wrong, rel_tol=1e-5):
            raise Mistake(words)
    raise Mistake(
        f"for 13 losses that sum to {total:.3f} nats and a text of {len(text)} characters you "
        f"give {got:.3f}, and {right:.3f} bits per character is right"
    )


@exercise(
    "next_word",
    3,
    "mix what followed a context with what its shorter context says, as Witten and Bell do.",
    "a distribution after every context, seen often, seen once, and never seen.",
)
def check_witten_bell(witten_bell: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Check one level of Witten–Bell smoothing."""
    shorter = _draw(7).softmax(0)
    for after in ([3, 0, 1, 0, 0, 2, 0], [0, 1, 0, 0, 0, 0, 0], [0] * 7):
        seen = torch.tensor(after)
        got = require_tensor(witten_bell(seen, shorter), (7,), "your distribution")
        total, distinct = seen.sum(), (seen > 0).sum()
        if total == 0:
            if got.isnan().any():
                raise Mistake(
                    "after a context that was never seen you divide 0 by 0: there, return what "
                    "the shorter context says"
                )
            if not same(got, shorter):
                raise Mistake(
                    "a context that was never seen knows nothing, so all comes from the shorter one"
                )
            continue
        right = (seen + distinct * shorter) / (total + distinct)
        if same(got, right):
            continue
        name_first(
            got,
            [
                (seen / total, "nothing is kept for the unseen: one token of it costs infinity"),
                (
                    (seen + distinct / 7) / (total + distinct),
                    "what is kept is spread evenly: ask the shorter context who gets it",
                ),
                (
                    (seen + 1) / (total + 7),
                    "you added one to every count (Laplace): then a context that was seen once "
                    "keeps more for the unseen than for what it saw",
                ),
                (
                    (seen + distinct * shorter) / total,
                    "your probabilities sum to more than one: the share that is kept is missing "
                    "from the denominator",
                ),
                (
                    (seen + total * shorter) / (2 * total),
                    "you kept half, whatever was seen: u counts the *different* tokens that "
                    "followed, not all of them",
                ),
                (
                    torch.where(seen > 0, seen / (total + distinct), 0)
                    + torch.where(seen == 0, distinct * shorter / (total + distinct), 0),
                    "this is back-off: tokens that were seen get nothing from the shorter "
                    "context, so it does not sum to one. Interpolate: every token gets its share",
                ),
            ],
        )
        raise Mistake(
            f"after counts {after} your distribution sums to {float(got.sum()):.3f} and differs "
            "from (c(hw) + u(h) P(w|h')) / (c(h) + u(h))"
        )


@exercise(
    "next_word",
    4,
    "apply the temperature, keep the nucleus of probability p, and return probabilities.",
    "temperature first, then the nucleus, then a sum of one.",
    {top_p: "you call the library's top_p; sort the probabilities, and add them up yourself"},
)
def check_nucleus(nucleus: Callable[[Tensor, float, float], Tensor]) -> None:
    """Check top-p sampling's distribution, with a temperature."""
    logits = torch.tensor([0.3, 2.1, -0.4, 1.2, 1.7, -2.0, 0.9], dtype=torch.float64)
    for temperature, p in ((1.0, 0.7), (2.0, 0.7), (0.5, 0.9), (1.0, 0.01), (1.0, 1.0)):
        right = _nucleus(logits, temperature, p)
        got = require_tensor(nucleus(logits, temperature, p), (7,), "your distribution").double()
        if same(got, right):
            continue
        case = f" (temperature {temperature:g}, p {p:g})"
        if same(got.sort().values, right.sort().values):
            raise Mistake(
                "the right probabilities at the wrong tokens: you sorted them; put them back in "
                "the order of the vocabulary" + case
            )
        plain = (logits / temperature).softmax(0)
        chosen = right > 0
        smaller = plain.sort(descending=True).values.cumsum(0) <= p
        one_less = torch.zeros(7, dtype=torch.bool)
        one_less[plain.argsort(descending=True)[smaller]] = True
        less = torch.where(one_less, plain, 0.0)
        one_more = torch.zeros(7, dtype=torch.bool)
        one_more[plain.argsort(descending=True)[: int(chosen.sum()) + 1]] = True
        more = torch.where(one_more, plain, 0.0)
        each_p = torch.where(plain >= min(p, float(plain.max())), plain, 0.0)
        hypotheses = [
            (torch.where(chosen, plain, 0.0), "your probabilities do not sum to one: divide by"
             " what is left" + case),
            (_nucleus(logits, 1 / temperature, p), "you multiplied by the temperature; a high one "
             "should flatten the distribution" + case),
            (_temperature_last(logits, temperature, p), "you chose the nucleus before the "
             "temperature: it is the nucleus of another distribution than the one you draw from"
             + case),
            (_nucleus(logits, 1.0, p), "the temperature is ignored" + case),
            (plain, "nothing was ruled out" + case),
            (each_p / each_p.sum(), "you kept the tokens that have p each; the nucleus has p "
             "together" + case),
            (less / less.sum(), "your nucleus does not reach p: the token with which the sum "
             "passes p belongs to it" + case),
            (more / more.sum(), "your nucleus has one token too many: it already had p without "
             "the last" + case),
        ]  # fmt: skip
        if p < 0.1 and (got.isnan().any() or float(got.sum()) == 0):
            raise Mistake(
                "with a small p nothing is left to draw: the likeliest token always stays" + case
            )
        name_first(got, [each for each in hypotheses if each[0].isfinite().all()])
        if torch.equal(got > 0, chosen) and same(got.sum(), torch.tensor(1.0)):
            raise Mistake(
                "you keep the right tokens, but their probabilities are not in the softmax's "
                "proportions" + case
            )
        raise Mistake(
            f"you keep {int((got > 0).sum())} tokens with a sum of {float(got.sum()):.3f}; "
            f"{int(chosen.sum())} with a sum of 1 are right" + case
        )
    kept = int((nucleus(torch.zeros(4, dtype=torch.float64), 1.0, 0.5) > 0).sum())
    if kept != 2:
        raise Mistake(
            f"of four equally likely tokens two have p = 0.5 together, and you keep {kept}: a "
            "token belongs to the nucleus as long as those before it have less than p"
        )


def _nucleus(logits: Tensor, temperature: float, p: float) -> Tensor:
    """The fewest likeliest tokens that have p together, with a sum of one."""
    probability = (logits / temperature).softmax(0)
    descending, order = probability.sort(descending=True)
    kept = torch.zeros(len(logits), dtype=torch.bool)
    kept[order[descending.cumsum(0) - descending < p]] = True
    left = torch.where(kept, probability, 0.0)
    return left / left.sum()


def _temperature_last(logits: Tensor, temperature: float, p: float) -> Tensor:
    """The nucleus at temperature 1, flattened or sharpened afterwards."""
    kept = _nucleus(logits, 1.0, p) > 0
    return (logits.masked_fill(~kept, -math.inf) / temperature).softmax(0)
