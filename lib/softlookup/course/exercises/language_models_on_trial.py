"""Language models on which a learner's test is tried: some are right, some are impostors.

Each takes the ids of a text (n,) and gives, at each place, the logarithm of the probability of
every next token (n, ``VOCAB_SIZE``), after the tokens up to that place.
"""

import functools
import math
from collections.abc import Callable, Mapping

import torch
from torch import Tensor

VOCAB_SIZE = 11
# Some impostors behave until a text is longer than this.
LONG = 24

LanguageModel = Callable[[Tensor], Tensor]

_CHANCES = torch.Generator().manual_seed(10)
_TABLE = torch.randn(VOCAB_SIZE, VOCAB_SIZE, generator=_CHANCES, dtype=torch.float64)
_VECTORS = torch.randn(VOCAB_SIZE, 6, generator=_CHANCES, dtype=torch.float64)
_OUT = torch.randn(6, VOCAB_SIZE, generator=_CHANCES, dtype=torch.float64)


def _bigrams(ids: Tensor) -> Tensor:
    """What follows the last token."""
    return _TABLE[ids].log_softmax(dim=-1)


def _rules_one_out(ids: Tensor) -> Tensor:
    """Bigrams in which one token never comes: a probability of zero."""
    barred = torch.arange(VOCAB_SIZE) == 3
    return _TABLE[ids].masked_fill(barred, -torch.inf).log_softmax(dim=-1)


def _even(ids: Tensor) -> Tensor:
    """Every token is as likely as any other."""
    return torch.full((len(ids), VOCAB_SIZE), 1 / VOCAB_SIZE, dtype=torch.float64).log()


def _seen(ids: Tensor) -> Tensor:
    """How often each token came, up to each place."""
    return torch.nn.functional.one_hot(ids, VOCAB_SIZE).double().cumsum(dim=0)


def _cache(ids: Tensor) -> Tensor:
    """All that was read so far, counted, with one more of each."""
    seen = _seen(ids) + 1
    return (seen / seen.sum(dim=-1, keepdim=True)).log()


def _averages(ids: Tensor) -> Tensor:
    """The mean vector of all tokens so far, against a table."""
    places = torch.arange(1, len(ids) + 1)[:, None]
    return (_VECTORS[ids].cumsum(dim=0) / places @ _OUT).log_softmax(dim=-1)


def _averages_by_fft(ids: Tensor) -> Tensor:
    """The same in single precision, by a convolution: all tokens round all results."""
    n = len(ids)
    x = torch.fft.rfft(_VECTORS[ids].float(), n=2 * n, dim=0)
    ones = torch.fft.rfft(torch.ones(n), n=2 * n)[:, None]
    sums = torch.fft.irfft(x * ones, n=2 * n, dim=0)[:n]
    places = torch.arange(1, n + 1)[:, None]
    return (sums / places @ _OUT.float()).log_softmax(dim=-1)


def honest() -> Mapping[str, LanguageModel]:
    """Models that sum to one and have not read the answer."""
    return {
        "bigrams": _bigrams,
        "bigrams in which one token has probability zero": _rules_one_out,
        "an even distribution": _even,
        "a cache of all that was read": _cache,
        "averages of vectors": _averages,
        "the same averages by a Fourier transform in single precision": _averages_by_fft,
    }


def _next(ids: Tensor) -> Tensor:
    """The token that comes next; the last has none, and stays."""
    return torch.cat([ids[1:], ids[-1:]])


def _peeks(ids: Tensor) -> Tensor:
    return _bigrams(_next(ids))


def _peeks_two_ahead(ids: Tensor) -> Tensor:
    return _bigrams(ids) * 0.5 + _bigrams(_next(_next(ids))) * 0.5


def _normalised(logs: Tensor) -> Tensor:
    return logs.log_softmax(dim=-1)


def _knows_the_end(ids: Tensor) -> Tensor:
    return _normalised(_TABLE[ids] + _TABLE[ids[-1]])


def _both_ways(ids: Tensor) -> Tensor:
    return _normalised(_TABLE[ids] + _VECTORS[ids].mean(dim=0) @ _OUT)


def _sharper_for_long(ids: Tensor) -> Tensor:
    return _normalised(_TABLE[ids] * (1 + len(ids) / 50))


def _peeks_in_long(ids: Tensor) -> Tensor:
    return _peeks(ids) if len(ids) > LONG else _bigrams(ids)


def _over_places(ids: Tensor) -> Tensor:
    return _TABLE[ids].log_softmax(dim=0)


def _too_much(ids: Tensor) -> Tensor:
    return _bigrams(ids) + 0.05


def _too_little(ids: Tensor) -> Tensor:
    return _bigrams(ids) - 0.05


def _too_much_for_the_new(ids: Tensor) -> Tensor:
    """Sums to more than one after a token that was never read before."""
    new = _seen(ids).gather(1, ids[:, None]) == 1
    return torch.where(new, _bigrams(ids) + 0.2, _bigrams(ids))


def _peeks_and_rules_one_out(ids: Tensor) -> Tensor:
    """The difference of two of its rows is not a number."""
    return _rules_one_out(_next(ids))


def _not_a_number(ids: Tensor) -> Tensor:
    return torch.full((len(ids), VOCAB_SIZE), torch.nan, dtype=torch.float64)


def _places(ids: Tensor) -> Tensor:
    return torch.arange(len(ids))[:, None]


def _right_on_average(ids: Tensor) -> Tensor:
    """Too much and too little by turns."""
    return _bigrams(ids) + (1 + 0.1 * (-1.0) ** _places(ids)).log()


def _right_at_first(ids: Tensor) -> Tensor:
    return _bigrams(ids) - 0.05 * (_places(ids) > 0)


def _peeks_now_and_then(ids: Tensor) -> Tensor:
    return torch.where(ids[:, None] >= 7, _peeks(ids), _bigrams(ids))


def _peeks_later(ids: Tensor) -> Tensor:
    return torch.where(_places(ids) > 0, _peeks(ids), _bigrams(ids))


def _first_knows_the_end(ids: Tensor) -> Tensor:
    return torch.where(_places(ids) == 0, _knows_the_end(ids), _bigrams(ids))


class _Remembers:
    """Counts the text of the call before, too."""

    def __init__(self) -> None:
        self.before = torch.ones(VOCAB_SIZE, dtype=torch.float64)

    def __call__(self, ids: Tensor) -> Tensor:
        seen = _seen(ids) + self.before
        self.before = seen[-1]
        return (seen / seen.sum(dim=-1, keepdim=True)).log()


def impostors() -> Mapping[str, LanguageModel]:
    """Models whose bits cannot be believed, each by what is wrong with it."""
    return {
        "it reads the next token": _peeks,
        "it reads the token after the next": _peeks_two_ahead,
        "it knows how the text ends": _knows_the_end,
        "it averages the whole text, both ways": _both_ways,
        "it is the surer the longer the whole text is": _sharper_for_long,
        "it reads ahead in long texts alone": _peeks_in_long,
        "its softmax runs over the places": _over_places,
        "its probabilities sum to more than one": _too_much,
        "its probabilities sum to less than one": _too_little,
        "they sum to more than one after a token that is new": _too_much_for_the_new,
        "it remembers the text of the call before": _Remembers(),
        "it reads the next token, and gives one a probability of zero": _peeks_and_rules_one_out,
        "it gives no numbers, but NaN": _not_a_number,
        "it gives scores, not logarithms of probabilities": lambda ids: _TABLE[ids],
        "its probabilities sum to one on average over the places alone": _right_on_average,
        "its probabilities sum to one at the first place alone": _right_at_first,
        "it reads the next token after four of the eleven tokens alone": _peeks_now_and_then,
        "it reads the next token, but not at the first place": _peeks_later,
        "its first place knows how the text ends": _first_knows_the_end,
    }


def doubled(ids: Tensor) -> Tensor:
    """Twice the probability for everything: what looks at no sum believes it."""
    return _bigrams(ids) + math.log(2)


def another_for_each_text(ids: Tensor) -> Tensor:
    """Something else at every place of every text: what compares no two texts believes it."""
    seed = functools.reduce(
        lambda so_far, token: (so_far * 31 + token + 1) % 2**31, ids.tolist(), 0
    )
    chances = torch.Generator().manual_seed(seed)
    return _normalised(torch.randn(len(ids), VOCAB_SIZE, generator=chances, dtype=torch.float64))


def misread() -> Mapping[str, LanguageModel]:
    """Models that only a test with another idea of what is asked believes, by what to tell it."""

    def delayed(ids: Tensor) -> Tensor:
        return _bigrams(torch.cat([ids[:1] * 0, ids[:-1]]))

    def of_what_follows(ids: Tensor) -> Tensor:
        return _cache(ids.flip(0)).flip(0)

    return {
        "Your test compares one place too far: what is said at a place may depend on the token at "
        "that place": delayed,
        "Your test asks that a place does not know what came before it. That it may; it is what "
        "follows that it must not know": of_what_follows,
        "Your test takes the numbers for probabilities; they are natural logarithms: take exp "
        "first": lambda ids: _bigrams(ids).exp(),
        "Your test takes the logarithms to base 2; they are natural ones": lambda ids: (
            _bigrams(ids) / math.log(2)
        ),
        "Your test believes who says the same of every text, and nobody who reads: compare only "
        "the places before the texts part": _even,
    }
