"""Every way to sum gives the sum; what each sends is what its formula says."""

import sys

import pytest
import torch
from softlookup.parallel import ring, workers
from softlookup.parallel.memory import training_bytes
from softlookup.parallel.traffic import all_reduce_bytes, bytes_sent, gather_bytes

WORKERS, SIZE = 3, 30000
BYTES = 8 * SIZE


@pytest.fixture(scope="module")
def counted():
    return workers.run(ring.count_ways, WORKERS, SIZE)


@pytest.mark.parametrize("way", ["ring by hand", "torch's all-reduce", "everyone to everyone"])
def test_all_workers_get_the_sum(way, counted):
    numbers = torch.arange(SIZE, dtype=torch.float64)
    for result in counted:
        assert torch.equal(result[way][1], 3 * numbers + 0 + 1 + 2)


def test_a_reduce_scatter_gives_each_its_own_part(counted):
    numbers = torch.arange(SIZE, dtype=torch.float64)
    for rank, result in enumerate(counted):
        expected = (numbers + rank).tensor_split(WORKERS)
        expected[rank].copy_(3 * numbers.tensor_split(WORKERS)[rank] + 3)
        assert torch.equal(result["torch's reduce-scatter"][1], torch.cat(expected))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts what a socket has sent")
def test_a_ring_sends_less_than_everyone_to_everyone(counted):
    for result in counted:
        sent = {way: bytes for way, (bytes, _) in result.items()}
        formula = all_reduce_bytes(BYTES, WORKERS)
        assert sent["ring by hand"] == pytest.approx(formula, rel=0.01)
        assert sent["torch's all-reduce"] == pytest.approx(formula, rel=0.01)
        assert sent["everyone to everyone"] == pytest.approx(2 * BYTES, rel=0.01)


def test_a_process_that_talks_to_nobody_has_sent_nothing_more():
    before = bytes_sent()
    torch.ones(1000).sum()
    assert bytes_sent() == before


def test_the_formulas():
    assert all_reduce_bytes(1000, 4) == 1500
    assert gather_bytes(1000, 4) == 750
    assert all_reduce_bytes(1000, 1) == 0
    assert training_bytes(70e9) == 1120e9
    assert training_bytes(10, torch.float64) == 320
    with pytest.raises(ValueError, match="workers is 0"):
        gather_bytes(1000, 0)
    with pytest.raises(ValueError, match="workers is 0"):
        all_reduce_bytes(1000, 0)
