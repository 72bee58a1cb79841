"""Two mistakes of a formula give two results, or the one would be told of the other."""

from functools import partial
from itertools import combinations

import pytest
import torch
from softlookup.course.exercises import (
    adapters_joined,
    blocks_restored,
    cached_attention_slips,
    given_back_slips,
    next_word,
    nucleus_slips,
    pair_pushes,
)
from softlookup.course.exercises.probes import draw, same
from softlookup.course.exercises.samplers_on_trial import (
    honest,
    impostors,
    why_unseen,
    why_wronged,
)
from softlookup.course.exercises.slips import name_slips
from softlookup.course.exercises.verdict import Mistake
from softlookup.layers.low_rank import LowRankLinear
from torch import nn
from torch.nn.functional import logsigmoid


def results(formula, slips):
    return [formula(**{part: each}) for part, values in slips.items() for each in values.values()]


def told_apart(monkeypatch, module, name):
    """Each slip that a module knows gives a result of its own, at what its check tries."""
    seen = []
    monkeypatch.setattr(module, "name_slips", lambda *given: seen.append(given))
    name()
    _, formula, slips, *alike = seen[0]
    wrong = results(formula, slips)
    is_alike = alike[0] if alike else same
    assert not any(is_alike(one, formula()) for one in wrong)
    assert not any(is_alike(one, other) for one, other in combinations(wrong, 2))


def test_a_nucleus_is_wrong_in_its_own_way_for_each_mistake(monkeypatch):
    logits, telling = next_word._LOGITS, next_word._TELLING
    told_apart(
        monkeypatch, nucleus_slips, lambda: nucleus_slips.name_nucleus(logits, logits, *telling)
    )


def test_a_shorter_context_is_wrong_in_its_own_way_for_each_mistake(monkeypatch):
    nothing = torch.zeros(next_word.WORDS)
    told_apart(
        monkeypatch, given_back_slips, lambda: next_word.check_given_back(lambda c, d: nothing)
    )


def test_a_cache_is_wrong_in_its_own_way_for_each_mistake(monkeypatch):
    shape = next_word.HEADS, next_word.LENGTH, next_word.D_HEAD
    whole = tuple(draw(*shape, seed=seed) for seed in (1, 2, 3))
    told_apart(
        monkeypatch,
        cached_attention_slips,
        lambda: cached_attention_slips.name_attention(whole[0], whole, [8, 5]),
    )


WEIGHT = draw(5, 21, seed=170)
GIVEN = torch.cat([draw(4, 3, seed=171), torch.tensor([[0.5, 0.1, 2.0]])])


def test_a_restored_weight_is_wrong_in_its_own_way_for_each_mistake():
    formula = partial(blocks_restored.restored, WEIGHT, 7)
    wrong = results(formula, blocks_restored.slips(WEIGHT, 7))
    told = [each for each in wrong if not same(each, formula(), atol=1e-9)]
    assert len(told) == len(wrong) - 3  # where nothing exceeds 127, cutting it off changes nothing
    assert not any(same(one, other, atol=1e-9) for one, other in combinations(told, 2))


@pytest.mark.parametrize(
    ("row", "block", "wrong", "words"),
    [
        (3, 1, 0.0, "a block of small numbers, none larger than 0.0"),
        (2, 0, 1.0, "a block of zeros stays zero, and yours holds 1"),
        (4, 2, 5.0, "in row 4, block 2 the largest absolute number"),
    ],
)
def test_a_block_that_is_wrong_is_pointed_at(row, block, wrong, words):
    weight = WEIGHT.clone()
    weight[2], weight[3, 7:14] = 0.0, weight[3, 7:14] / 100
    blocks_restored.name_blocks(blocks_restored.restored(weight, 7), weight, 7)
    got = weight.clone()
    got[row, 7 * block : 7 * block + 7] = wrong
    with pytest.raises(Mistake, match=words):
        blocks_restored.name_blocks(got, weight, 7)


def test_a_push_is_wrong_in_its_own_way_for_each_mistake():
    wrong = results(partial(pair_pushes.derivatives, GIVEN), pair_pushes.PUSHES)
    assert not any(same(one, other) for one, other in combinations(wrong, 2))


def test_the_right_push_is_what_torch_derives():
    chosen, rejected = (each.clone().requires_grad_() for each in GIVEN[:2])
    gap = GIVEN[4] * ((chosen - GIVEN[2]) - (rejected - GIVEN[3]))
    (-logsigmoid(gap)).sum().backward()
    assert same(pair_pushes.derivatives(GIVEN), torch.stack([chosen.grad, rejected.grad]))


def test_two_mistakes_of_a_push_are_named_together():
    got = pair_pushes.derivatives(GIVEN, outside=torch.square, signs=(1.0, -1.0))
    with pytest.raises(Mistake, match=r"two mistakes.*signs are turned.*square of β"):
        name_slips(got, partial(pair_pushes.derivatives, GIVEN), pair_pushes.PUSHES)


def test_two_adapters_are_joined_in_their_own_wrong_way_for_each_mistake():
    formula = adapters_joined.joined_changes
    wrong = results(formula, adapters_joined.JOINS)
    assert not any(same(each, formula()) for each in wrong)
    assert not any(same(one, other) for one, other in combinations(wrong, 2))


def test_the_right_joined_adapter_adds_what_both_layers_add():
    for joined, pair in zip(adapters_joined.joined_changes(), adapters_joined.PAIRS, strict=True):
        changes = []
        for down, up, alpha in pair:
            frozen, drawing = nn.Linear(11, 7).double(), torch.Generator().manual_seed(0)
            layer = LowRankLinear(frozen, len(down), alpha, drawing)
            layer.down.data, layer.up.data = down, up
            changes.append(layer.change())
        assert same(joined, sum(changes))


P = torch.tensor([0.5, 0.3, 0.2], dtype=torch.float64)
ONE = torch.tensor([1.0, 0.0, 0.0], dtype=torch.float64)
TRUE, EVEN = torch.tensor([0] * 5 + [1] * 3 + [2] * 2), torch.arange(3).repeat(1000)


@pytest.mark.parametrize(
    ("p", "q", "tokens", "words"),
    [
        (P, P.flip(0), EVEN, "In your 3,000 draws from the first of these word 0"),
        (P, P, TRUE, "with q equal to p"),
        (P[:2] / 0.8, P[1:] / 0.5, TRUE[:8], "for two words"),
        (P, P.flip(0), TRUE, "10 draws from 1 pair no word's share"),
        (P, P.flip(0), TRUE.repeat(9_000), "about one pair of p and q"),
        (P, torch.ones(3).double() / 3, TRUE, "In all you asked q is even"),
        (ONE, P, torch.zeros(9).long(), "In all you asked p is sure of one word"),
    ],
)
def test_a_test_of_samplers_is_told_what_it_overlooked_or_never_drew(p, q, tokens, words):
    assert words in why_unseen([(p, q, tokens)])


def test_a_test_of_samplers_with_several_pairs_is_told_to_draw_more_or_others():
    assert "20 draws from 2 pairs" in why_unseen([(P, P.flip(0), TRUE), (P, P.roll(1), TRUE)])
    near = [(P, P.flip(0) * 0.1 + 0.9 * P, TRUE.repeat(9_000)), (P, P, TRUE.repeat(9_000))]
    assert "lie close to each other" in why_unseen(near)


def test_a_pair_that_is_learned_by_heart_is_right_alone():
    draws = torch.Generator().manual_seed(0)
    by_heart = impostors()["the first pair is learned by heart, and the draft kept for others"]
    assert by_heart(ONE, P, 50, draws).unique().tolist() == [0]
    assert len(by_heart(ONE, P.flip(0), 50, draws).unique()) == 3
    assert by_heart(ONE, P, 50, draws).unique().tolist() == [0]


def test_a_test_that_refuses_chance_is_told_how_small_it_was():
    assert "0.0 standard errors" in why_wronged([(P, P.flip(0), TRUE)], lambda sampler: False)
    assert "draws nothing" in why_wronged([], lambda sampler: False)


def test_a_test_that_wants_the_very_tokens_of_torch_is_told_so():
    def wants(sampler):
        def draws():
            return torch.Generator().manual_seed(3)

        ours = torch.multinomial(P, 50, replacement=True, generator=draws())
        return torch.equal(sampler(P, P.flip(0), 50, draws()), ours)

    assert "not token with token" in why_wronged([(P, P.flip(0), TRUE)], wants)


def test_a_draft_that_hardly_ever_says_what_the_target_wants_keeps_nobody_waiting():
    p, q = torch.tensor([0.5, 0.5, 0.0]).double(), torch.tensor([1e-9, 1e-9, 1.0]).double()
    draws = torch.Generator().manual_seed(0)
    for name, sampler in honest().items():
        shares = torch.bincount(sampler(p, q / q.sum(), 4_000, draws), minlength=3) / 4_000
        assert (shares - p).abs().max() < 0.05, name
