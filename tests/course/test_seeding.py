"""One seed: every source of chance starts again where it started before."""

import random

import numpy as np
import pytest
import torch
from softlookup.course.seeding import seed_everything
from torch import nn


def draws(seed):
    generator = seed_everything(seed)
    return (
        random.random(),
        np.random.rand(),
        torch.rand(3).tolist(),
        torch.rand(3, generator=generator).tolist(),
        nn.Linear(3, 5).weight.tolist(),
    )


def test_the_same_seed_draws_the_same_from_every_source():
    assert draws(7) == draws(7)
    for same, other in zip(draws(7), draws(8), strict=True):
        assert same != other


def test_the_generator_stands_apart_from_the_global_one():
    first = torch.rand(3, generator=seed_everything(7))
    generator = seed_everything(7)
    torch.rand(100)  # somebody else draws from the global one
    assert torch.equal(torch.rand(3, generator=generator), first)


def test_training_repeats_bit_for_bit():
    def losses():
        generator = seed_everything(3)
        model = nn.Sequential(nn.Linear(7, 13), nn.ReLU(), nn.Linear(13, 1))
        optimiser = torch.optim.Adam(model.parameters(), lr=0.01)
        seen = []
        for _ in range(20):
            x = torch.randn(11, 7, generator=generator)
            loss = (model(x) - x[:, :1]).square().mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            seen.append(loss.item())
        return seen

    torch.set_num_threads(2)
    assert losses() == losses()
    assert torch.get_num_threads() == 1
    assert torch.are_deterministic_algorithms_enabled()


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_a_seed_out_of_range_is_refused(seed):
    with pytest.raises(ValueError, match=rf"seed is {seed}; expected a whole number from 0 to"):
        seed_everything(seed)
