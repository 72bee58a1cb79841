"""A comparison that takes no time: what a cache saves an n-gram on 120 pages of this book."""

from functools import cache
from typing import SupportsInt

import torch
from jaxtyping import Float
from torch import Tensor

from softlookup.course.exercises.pages_compared import MODELS, PAGES, require_known
from softlookup.data import edition
from softlookup.data.byte_pairs import BytePairs
from softlookup.running.n_gram_cache import CachedNGrams
from softlookup.running.n_grams import NGramCounts, kneser_ney

# What the cache saves for a token, in nats, as a mean over all pages.
MEAN_SAVING = 0.0865


def surprises(model: str, page: SupportsInt) -> Float[Tensor, " tokens"]:
    """The surprise in nats of each token of a real page, to an n-gram without a cache or with one.

    Args:
        model: ``"plain"``, or ``"cached"``, which counts the last 128 tokens, too.
        page: its number, in the order of reading.

    Raises:
        Mistake: if there is no such model or page.
    """
    require_known(model, page)
    return _of_the_book()[MODELS.index(model)].tensor_split(PAGES)[int(page)]


@cache
def _of_the_book() -> Float[Tensor, "models tokens"]:
    """The surprises of both models on three tenths of the book, learned from the six before."""
    whole = edition.text()
    tenth = len(whole) // 10
    tokens = BytePairs(whole[: 6 * tenth], 1024)
    learned, asked = tokens.encode(whole[: 6 * tenth]), tokens.encode(whole[6 * tenth : 9 * tenth])
    plain = kneser_ney(NGramCounts(learned, len(tokens), 3), 3)
    cached = CachedNGrams(plain, 128, (1, 2), 8.0)
    text = torch.cat([learned[-128:], asked])
    return torch.stack([-each.log_probabilities(text, first=128) for each in (plain, cached)])
