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


@pytest.mark.parametrize("way", [1, BLOCKS])
def test_every_gradient_is_the_mean_of_the_workers(way, found):
    for worker in found:
        for ours, theirs in zip(worker[way][0], worker["by hand"][0], strict=True):
            torch.testing.assert_close(ours, theirs)


def test_a_pause_for_each_bucket(found):
    for worker in found:
        gradients, pauses = worker[1]
        size = 4 * sum(each.numel() for each in gradients)
        # Two workers: two messages in a row, and each sends as many bytes as the tensor has.
        assert pauses == [2 * 0.25 + size / 64]
        assert len(worker[BLOCKS][1]) == BLOCKS
        assert sum(worker[BLOCKS][1]) == pytest.approx(2 * BLOCKS * 0.25 + size / 64)
        assert worker["by hand"][1] == []


def test_each_parameter_is_in_one_part():
    model = Llama(LlamaConfig(8, 4, d_model=8, n_heads=2, n_key_value_heads=2, n_layers=3, d_ff=12))
    parts = slow_link.parts_of(model)
    assert len(parts) == BLOCKS
    placed = [id(each) for part in parts for each in part]
    assert sorted(placed) == sorted(id(each) for each in model.parameters())


def test_buckets_are_of_as_many_blocks_each():
    model = Llama(LlamaConfig(8, 4, d_model=8, n_heads=2, n_key_value_heads=2, n_layers=4, d_ff=12))
    first, second = slow_link.buckets_of(model, 2)
    assert any(each is model.embedding.table for each in first)
    assert {id(each) for each in model.stack.blocks[3].parameters()} <= {
        id(each) for each in second
    }
    with pytest.raises(ValueError, match="4 blocks and 3 buckets"):
        slow_link.buckets_of(model, 3)


def test_each_number_of_buckets_is_timed():
    config = LlamaConfig(8, 4, d_model=8, n_heads=2, n_key_value_heads=2, n_layers=2, d_ff=12)
    for taken in workers.run(slow_link.time_steps, 2, config, 3, (1, 2), 1e-6, 1e9, 4):
        assert [len(steps) for steps in taken] == [4, 4]
        for step in [step for steps in taken for step in steps]:
            assert step.began < step.ended < step.arrived
        assert [{len(step.took) for step in steps} for steps in taken] == [{1}, {2}]
