import pytest
import torch
from scipy import stats
from softlookup.data.recall import (
    NOT_ASKED,
    associative_recall,
    chained_lookup,
    first_token,
    lookup,
)


def test_first_token_lies_lag_steps_back(generator):
    drawn = first_token(7, 11, generator, n_symbols=5)
    assert drawn.tokens.shape == (7, 12)
    assert torch.equal(drawn.target, drawn.tokens[:, -1 - 11])
    assert {*drawn.tokens.flatten().tolist()} == {*range(5)}


def test_first_token_can_only_be_guessed_from_the_rest(generator):
    drawn = first_token(20_000, 2, generator, n_symbols=5)
    table = stats.contingency.crosstab(drawn.target.numpy(), drawn.tokens[:, -1].numpy()).count
    assert stats.chi2_contingency(table).pvalue > 0.01
    assert stats.chisquare(table.sum(axis=1)).pvalue > 0.01


def test_associative_recall_asks_for_each_returning_key(generator):
    drawn = associative_recall(31, 13, generator, n_keys=7, n_values=5)
    asked = 0
    for tokens, targets in zip(drawn.tokens.tolist(), drawn.targets.tolist(), strict=True):
        memory = {}
        for place in range(0, 26, 2):
            key, value = tokens[place : place + 2]
            assert 0 <= key < 7 <= value < 12
            assert targets[place] == memory.get(key, NOT_ASKED)
            assert targets[place + 1] == NOT_ASKED
            assert memory.setdefault(key, value) == value
            asked += targets[place] != NOT_ASKED
    assert asked > 31


@pytest.mark.parametrize("load", [1, 3, 7])
def test_a_text_draws_its_keys_from_as_many_as_it_is_told(generator, load):
    drawn = associative_recall(31, 101, generator, n_keys=7, n_values=5, keys_in_text=load)
    keys = drawn.tokens[:, 0::2]
    assert {len({*text}) for text in keys.tolist()} == {load}
    assert {*keys.flatten().tolist()} == {*range(7)}  # others in each text
    assert ((drawn.targets >= 0).sum(dim=1) == 101 - load).all()


def test_associative_recall_gives_a_key_another_value_in_another_sequence(generator):
    drawn = associative_recall(101, 13, generator, n_keys=3, n_values=5)
    followers = {
        value
        for tokens in drawn.tokens.tolist()
        for key, value in zip(tokens[0::2], tokens[1::2], strict=True)
        if key == 0
    }
    assert followers == {*range(3, 8)}


def test_lookup_answers_with_the_value_beside_the_key(generator):
    drawn = lookup(101, 7, generator, n_keys=11, n_values=5)
    for row in range(101):
        keys = drawn.keys[row].tolist()
        assert len({*keys}) == 7
        place = keys.index(int(drawn.query[row]))
        assert drawn.values[row, place] == drawn.answer[row]
    places = (drawn.keys == drawn.query[:, None]).int().argmax(dim=1)
    assert {*places.tolist()} == {*range(7)}
    assert {*drawn.keys.flatten().tolist()} == {*range(11)}


@pytest.mark.parametrize(
    "draw",
    [
        lambda generator: first_token(5, 7, generator).tokens,
        lambda generator: associative_recall(5, 7, generator).tokens,
        lambda generator: lookup(5, 7, generator).keys,
    ],
)
def test_what_is_drawn_follows_the_seed(draw):
    def seeded(seed):
        return draw(torch.Generator().manual_seed(seed))

    assert torch.equal(seeded(3), seeded(3))
    assert not torch.equal(seeded(3), seeded(4))


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda g: first_token(0, 3, g), "batch_size is 0; expected at least 1"),
        (lambda g: first_token(2, -1, g), "lag is -1; expected at least 0"),
        (lambda g: first_token(2, 3, g, n_symbols=1), "n_symbols is 1; expected at least 2"),
        (lambda g: associative_recall(0, 3, g), "batch_size is 0"),
        (lambda g: associative_recall(2, 1, g), "n_pairs is 1; expected at least 2"),
        (lambda g: associative_recall(2, 3, g, n_keys=0), "n_keys is 0; expected at least 1"),
        (lambda g: associative_recall(2, 3, g, n_values=1), "n_values is 1"),
        (lambda g: associative_recall(2, 3, g, keys_in_text=0), "keys_in_text is 0"),
        (lambda g: associative_recall(2, 3, g, n_keys=4, keys_in_text=5), "n_keys is 4; expected"),
        (lambda g: lookup(0, 3, g), "batch_size is 0"),
        (lambda g: lookup(2, 0, g), "n_pairs is 0; expected at least 1"),
        (lambda g: lookup(2, 7, g, n_keys=5), "n_keys is 5; expected at least 7"),
        (lambda g: lookup(2, 3, g, n_values=1), "n_values is 1"),
    ],
)
def test_refuses_impossible_tasks(generator, draw, message):
    with pytest.raises(ValueError, match=message):
        draw(generator)


@pytest.mark.parametrize("hops", [1, 2, 3, 5])
def test_each_key_leads_where_the_pairs_lead(hops):
    drawn = chained_lookup(11, 7, hops, torch.Generator().manual_seed(3))
    for keys, values, answers in zip(drawn.keys, drawn.values, drawn.answers, strict=True):
        leads_to = dict(zip(keys.tolist(), values.tolist(), strict=True))
        assert sorted(leads_to) == sorted(leads_to.values()) == list(range(7))
        for key, answer in zip(keys.tolist(), answers.tolist(), strict=True):
            for _ in range(hops):
                key = leads_to[key]
            assert key == answer
    # Pairs stand in random order, and permutations differ.
    assert len({tuple(row) for row in drawn.keys.tolist()}) > 5
    assert len({tuple(row) for row in drawn.values.tolist()}) > 5


@pytest.mark.parametrize(
    ("sizes", "name"), [((0, 7, 2), "batch_size"), ((3, 1, 2), "n_pairs"), ((3, 7, 0), "hops")]
)
def test_chained_lookups_need_pairs_and_hops(sizes, name):
    with pytest.raises(ValueError, match=name):
        chained_lookup(*sizes, torch.Generator())
