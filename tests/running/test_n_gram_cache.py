from collections import Counter

import pytest
import torch
from softlookup.running.n_gram_cache import CachedNGrams
from softlookup.running.n_grams import NGramCounts, kneser_ney

VOCAB_SIZE = 7


@pytest.fixture
def ids(generator):
    return torch.randint(0, VOCAB_SIZE, (211,), generator=generator)


@pytest.fixture
def model(ids):
    return kneser_ney(NGramCounts(ids, VOCAB_SIZE, 3), 3)


@pytest.fixture
def text(generator):
    """A text that repeats itself unevenly, unlike the one that was learned from."""
    return torch.cumsum(torch.randint(0, 3, (83,), generator=generator), 0) % VOCAB_SIZE


def by_hand(model, context, window, lengths, doubt):
    """The formula over lists."""
    probability = model.probabilities(context).clone()
    recent = context.tolist()[-window:]
    for length in lengths:
        end = recent[len(recent) - length :]
        if len(recent) < length:
            continue
        after = Counter(
            recent[place + length]
            for place in range(len(recent) - length)
            if recent[place : place + length] == end
        )
        if after:
            kept = doubt * len(after)
            own = torch.tensor([after[token] for token in range(VOCAB_SIZE)])
            probability = (own + kept * probability) / (after.total() + kept)
    return probability


CACHES = [(13, (1,), 1.0), (13, (1, 2, 3), 4.0), (5, (2, 4), 0.5), (500, (1, 3), 8.0)]


@pytest.mark.parametrize(("window", "lengths", "doubt"), CACHES)
def test_after_each_context_it_is_the_formula_and_a_distribution(
    model, text, window, lengths, doubt
):
    cached = CachedNGrams(model, window, lengths, doubt)
    for end in (0, 1, 2, 3, 4, 6, 17, 40, 83):
        found = cached.probabilities(text[:end])
        torch.testing.assert_close(found, by_hand(model, text[:end], window, lengths, doubt))
        assert found.sum().item() == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize(("window", "lengths", "doubt"), CACHES)
@pytest.mark.parametrize("first", [0, 1, 11, 37])
def test_a_text_is_scored_token_by_token(model, text, window, lengths, doubt, first):
    cached = CachedNGrams(model, window, lengths, doubt)
    each = [
        cached.probabilities(text[:place])[text[place]].log() for place in range(first, len(text))
    ]
    torch.testing.assert_close(cached.log_probabilities(text, first), torch.stack(each))


def test_endless_doubt_leaves_the_model_alone(model, text):
    doubtful = CachedNGrams(model, 20, (1, 2), 1e12)
    torch.testing.assert_close(doubtful.log_probabilities(text), model.log_probabilities(text))


def test_what_is_older_than_the_window_is_forgotten(model, text):
    cached = CachedNGrams(model, 13, (1, 2))
    other = text.clone()
    other[:20] = (other[:20] + 1) % VOCAB_SIZE
    torch.testing.assert_close(
        cached.log_probabilities(text, first=33), cached.log_probabilities(other, first=33)
    )


def test_doors(model, text):
    for lengths in ((), (0, 1), (2, 1), (1, 1)):
        with pytest.raises(ValueError, match="lengths of 1 or more that rise"):
            CachedNGrams(model, 20, lengths)
    with pytest.raises(ValueError, match="expected more than 3, the longest context"):
        CachedNGrams(model, 3, (1, 3))
    with pytest.raises(ValueError, match="doubt is 0"):
        CachedNGrams(model, 20, (1,), 0)
    with pytest.raises(ValueError, match="expected 0 to 82"):
        CachedNGrams(model, 20, (1,)).log_probabilities(text, first=83)
    with pytest.raises(ValueError, match="no token"):
        CachedNGrams(model, 20, (1,)).probabilities(torch.tensor([VOCAB_SIZE]))
