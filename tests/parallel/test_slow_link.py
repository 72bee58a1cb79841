"""A slow link gives the mean of all gradients, and pauses as long as its formula says."""

import pytest
import torch
from parallel_jobs import over_a_slow_link
from softlookup.models.llama import Llama, LlamaConfig
from softlookup.parallel import slow_link, workers

BLOCKS = 3


@pytest.fixture(scope="module")
def found():
    return workers.run(over_a_slow_link, 2)


@pytest.mark.parametrize("way", ["after", "in buckets"])
def test_every_gradient_is_the_mean_of_the_workers(way, found):
    for worker in found:
        for ours, theirs in zip(worker[way][0], worker["by hand"][0], strict=True):
            torch.testing.assert_close(ours, theirs)


def test_one_sum_after_the_pass_and_one_for_each_block_during_it(found):
    for worker in found:
        gradients, pauses = worker["after"]
        size = 4 * sum(each.numel() for each in gradients)
        # Two workers: two messages in a row, and each sends as many bytes as the tensor has.
        assert pauses == [2 * 0.25 + size / 64]
        assert len(worker["in buckets"][1]) == BLOCKS
        assert sum(worker["in buckets"][1]) == pytest.approx(2 * BLOCKS * 0.25 + size / 64)
        assert worker["by hand"][1] == []


def test_each_parameter_is_in_one_part():
    model = Llama(LlamaConfig(8, 4, d_model=8, n_heads=2, n_key_value_heads=2, n_layers=3, d_ff=12))
    parts = slow_link.parts_of(model)
    assert len(parts) == BLOCKS
    placed = [id(each) for part in parts for each in part]
    assert sorted(placed) == sorted(id(each) for each in model.parameters())


def test_each_way_is_timed_for_each_number_of_rows():
    config = LlamaConfig(8, 4, d_model=8, n_heads=2, n_key_value_heads=2, n_layers=2, d_ff=12)
    for taken in workers.run(slow_link.time_steps, 2, config, (1, 2), 1e-6, 1e9, 3):
        assert [[len(row) for row in ways] for ways in taken] == [[3] * 3] * 2
        assert all(seconds > 0 for ways in taken for row in ways for seconds in row)
