"""The state that is filled in no time, whose half is stored."""

import math

import pytest
import torch
from softlookup.course.exercises.state_filled import HALF_COMES_BACK, share_given_back
from softlookup.course.exercises.verdict import Mistake


def test_the_stored_number_is_where_the_mean_falls_below_the_half():
    """Of two hundred seeds that it was not taken from."""
    near = round(HALF_COMES_BACK)
    at, beside = (
        torch.tensor([share_given_back(pairs, seed) for seed in range(200)])
        for pairs in (near, round(1.25 * near))
    )
    assert at.mean() == pytest.approx(0.5, abs=3 * at.std().item() / 200**0.5)
    assert beside.mean() < 0.5 - 6 * beside.std() / 200**0.5


def test_an_answer_is_what_the_sum_of_products_gives_by_hand():
    generator = torch.Generator().manual_seed(3)
    key = torch.randn(40, 16, generator=generator)
    key = key / key.norm(dim=-1, keepdim=True)
    label = torch.randint(16, (40,), generator=generator)
    weights = key @ key.T
    by_label = torch.stack([weights[:, label == one].sum(1) for one in range(16)], dim=1)
    assert share_given_back(40, 3) == (by_label.argmax(1) == label).double().mean().item()


def test_the_crosstalk_predicts_it_roughly():
    """Exercise 13.2's standard deviation of a wrong label, of which there are fifteen."""
    deviation = math.sqrt((HALF_COMES_BACK - 1) / 16 / 16)
    loudest = deviation * torch.randn(20_000, 15, generator=torch.Generator().manual_seed(0))
    own = 1 + deviation * torch.randn(20_000, generator=torch.Generator().manual_seed(1))
    assert (own > loudest.amax(1)).double().mean() == pytest.approx(0.5, abs=0.05)


def test_a_run_repeats_itself_and_leaves_the_readers_draws_alone():
    state = torch.get_rng_state()
    assert share_given_back(50, 7) == share_given_back(50, 7)
    assert share_given_back(50, 7) != share_given_back(50, 8)
    assert torch.equal(torch.get_rng_state(), state)


def test_what_cannot_be_filed_is_refused():
    with pytest.raises(Mistake, match="you filed 0 pairs"):
        share_given_back(0, 1)
