import math
from collections import Counter, defaultdict

import pytest
import torch
from softlookup.data.edition import Characters, split, text
from softlookup.running.n_grams import (
    NGramCounts,
    _discounts,
    absolute_discounting,
    kneser_ney,
    witten_bell,
)

VOCAB_SIZE = 7


@pytest.fixture
def ids(generator):
    """Tokens that follow each other unevenly, so that many n-grams were never seen."""
    steps = torch.randint(0, 3, (211,), generator=generator)
    return torch.cumsum(steps, 0) % (VOCAB_SIZE - 1)


def both(ids, order, highest=5):
    counts = NGramCounts(ids, VOCAB_SIZE, highest)
    return [smooth(counts, order) for smooth in (witten_bell, kneser_ney)]


def contexts(ids, generator):
    """Contexts seen, unseen, shorter than the order, and longer."""
    yield ids[:0]
    yield from (ids[place : place + 3] for place in range(0, 200, 17))
    yield from torch.randint(0, VOCAB_SIZE, (29, 6), generator=generator)
    yield ids  # the end of the text, after which nothing came
    yield torch.tensor([VOCAB_SIZE - 1])


def witten_bell_by_hand(tokens, context, token, order):
    """The formula as it stands in the paper, over dictionaries."""
    if order == 0:
        return 1 / VOCAB_SIZE
    context = context[-(order - 1) :] if order > 1 else []
    lower = witten_bell_by_hand(tokens, context[1:], token, len(context))
    length = len(context)
    after = Counter(
        tokens[place + length]
        for place in range(len(tokens) - length)
        if tokens[place : place + length] == context
    )
    if not after:
        return lower
    return (after[token] + len(after) * lower) / (after.total() + len(after))


def kneser_ney_by_hand(tokens, context, token, order, highest):
    """Chen and Goodman's formula over dictionaries; discounts are the library's."""
    if order == 0:
        return 1 / VOCAB_SIZE
    context = tuple(context[len(context) - order + 1 :])
    grams = Counter(zip(*(tokens[place:] for place in range(order)), strict=False))
    if order < highest:
        longer = set(zip(*(tokens[place:] for place in range(order + 1)), strict=False))
        grams = Counter(gram[1:] for gram in longer)
    lower = kneser_ney_by_hand(tokens, context[1:], token, order - 1, highest)
    after = {gram[-1]: seen for gram, seen in grams.items() if gram[:-1] == context}
    if not after:
        return lower
    taken = (0.0, *_discounts(torch.tensor([*grams.values()]).numpy()))
    total = sum(after.values())
    own = after.get(token, 0)
    left = sum(taken[min(seen, 3)] for seen in after.values())
    return (own - taken[min(own, 3)] + left * lower) / total


@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_each_context_has_a_whole_distribution(ids, order, generator):
    for model in both(ids, order):
        for context in contexts(ids, generator):
            probabilities = model.probabilities(context)
            assert probabilities.shape == (VOCAB_SIZE,)
            assert probabilities.min() > 0
            assert probabilities.sum().item() == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_witten_bell_is_the_formula(ids, order, generator):
    model, _ = both(ids, order)
    for context in contexts(ids, generator):
        expected = [
            witten_bell_by_hand(ids.tolist(), context.tolist(), token, min(order, len(context) + 1))
            for token in range(VOCAB_SIZE)
        ]
        assert model.probabilities(context).tolist() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_kneser_ney_is_the_formula(ids, order, generator):
    _, model = both(ids, order)
    for context in contexts(ids, generator):
        expected = [
            kneser_ney_by_hand(
                ids.tolist(), context.tolist(), token, min(order, len(context) + 1), order
            )
            for token in range(VOCAB_SIZE)
        ]
        assert model.probabilities(context).tolist() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_absolute_discounting_counts_occurrences_at_every_order(ids, order, generator):
    model = absolute_discounting(NGramCounts(ids, VOCAB_SIZE, 5), order)
    for context in contexts(ids, generator):
        expected = [
            kneser_ney_by_hand(
                ids.tolist(), context.tolist(), token, min(order, len(context) + 1), highest=0
            )
            for token in range(VOCAB_SIZE)
        ]
        assert model.probabilities(context).tolist() == pytest.approx(expected, abs=1e-12)


def test_what_ends_the_text_and_stands_nowhere_else_hands_on_all_it_has():
    """Such a context was counted, and nothing ever followed it."""
    ids = torch.tensor([0, 1, 0, 1, 2, 0, 1, 5])
    for model in both(ids, 3, highest=3):
        expected = model.probabilities(ids[:0])
        assert expected.sum().item() == pytest.approx(1.0, abs=1e-12)
        torch.testing.assert_close(model.probabilities(ids[-1:]), expected)
        torch.testing.assert_close(model.probabilities(ids[-2:]), expected)


def test_a_text_is_scored_as_its_tokens_are(ids, generator):
    other = torch.cat([ids[:31], torch.randint(0, VOCAB_SIZE, (41,), generator=generator)])
    for model in both(ids, 4):
        each = [
            model.probabilities(other[:place])[other[place]].log() for place in range(len(other))
        ]
        assert torch.allclose(model.log_probabilities(other), torch.stack(each), atol=1e-12)
        assert torch.allclose(
            model.log_probabilities(other, first=13), torch.stack(each[13:]), atol=1e-12
        )


def test_witten_bell_on_numbers_that_can_be_followed():
    # a b a b a c: after a came b twice and c once, so 2/5 and 1/5 are its own, and 2/5 are left.
    counts = NGramCounts(torch.tensor([0, 1, 0, 1, 0, 2]), 3, 2)
    unigram = witten_bell(counts, 1).probabilities(torch.tensor([0]))
    assert unigram.tolist() == pytest.approx([4 / 9, 3 / 9, 2 / 9])
    bigram = witten_bell(counts, 2).probabilities(torch.tensor([0]))
    assert bigram.tolist() == pytest.approx([0.4 * 4 / 9, 0.4 + 0.4 / 3, 0.2 + 0.4 * 2 / 9])


def test_the_discounts_are_those_of_the_paper():
    seen = torch.tensor([1] * 40 + [2] * 20 + [3] * 10 + [4] * 6 + [9]).numpy()
    y = 40 / 80
    assert _discounts(seen) == pytest.approx((1 - 2 * y / 2, 2 - 3 * y / 2, 3 - 4 * y * 0.6))
    # Where too little is known, no discount may exceed what it is taken from.
    assert _discounts(torch.tensor([7, 9, 11]).numpy()) == (0.5, 1.0, 1.5)


def test_kneser_ney_asks_in_how_many_places_a_token_stands():
    # "2" is frequent, but only ever after "1"; "3" is rarer and follows everything.
    tokens = [1, 2] * 30 + [0, 3, 1, 3, 4, 3, 5, 3]
    counts = NGramCounts(torch.tensor(tokens), VOCAB_SIZE, 2)
    unseen = torch.tensor([6])
    by_places = kneser_ney(counts, 2).probabilities(unseen)
    by_counts = witten_bell(counts, 2).probabilities(unseen)
    assert by_places[3] > by_places[2]
    assert by_counts[3] < by_counts[2]


def test_on_english_kneser_ney_wins_and_gains_from_length():
    parts = split(text())
    characters = Characters(text())
    train, test = characters.encode(parts.train), characters.encode(parts.test)
    counts = NGramCounts(train, len(characters), 6)

    def bits(smooth, order):
        return -smooth(counts, order).log_probabilities(test).mean().item() / math.log(2)

    table = defaultdict(list)
    for smooth in (witten_bell, kneser_ney):
        table[smooth] = [bits(smooth, order) for order in (1, 3, 6)]
    assert 4 < table[witten_bell][0] < 5
    assert table[kneser_ney][2] < table[kneser_ney][1] < table[kneser_ney][0]
    assert table[kneser_ney][2] < table[witten_bell][2] - 0.1


def test_doors(ids):
    with pytest.raises(ValueError, match="order is 0 and the text has 211 tokens"):
        NGramCounts(ids, VOCAB_SIZE, 0)
    with pytest.raises(ValueError, match="order is 3 and the text has 2 tokens"):
        NGramCounts(ids[:2], VOCAB_SIZE, 3)
    with pytest.raises(ValueError, match="7 is no token; expected ids from 0 to 6"):
        NGramCounts(torch.tensor([1, 7, 2]), VOCAB_SIZE, 1)
    counts = NGramCounts(ids, VOCAB_SIZE, 3)
    for smooth in (witten_bell, kneser_ney, absolute_discounting):
        with pytest.raises(ValueError, match="order is 4; expected 1 to 3"):
            smooth(counts, 4)
    model = witten_bell(counts, 3)
    with pytest.raises(ValueError, match="-1 is no token"):
        model.probabilities(torch.tensor([-1]))
    with pytest.raises(ValueError, match="first is 5; expected 0 to 4"):
        model.log_probabilities(ids[:5], first=5)
