"""A worker's part of a network: two mistakes at once are both told, and units are named."""

import pytest
import torch
import torch.nn.functional as F
from softlookup.course.exercises.network_parts import INNER, TOKENS, name_parts
from softlookup.course.exercises.verdict import Mistake


def part_by(own_of, bias_of=lambda rank: float(rank == 0), activation=F.silu):
    def part(x, gate, inner, output, bias, rank, n_workers):
        own = own_of(rank, INNER // n_workers)
        units = activation(x @ gate[:, own]) * (x @ inner[:, own])
        return units @ output[own] + bias_of(rank) * bias

    return part


def block(rank, share):
    return slice(rank * share, (rank + 1) * share)


def test_a_right_part_is_told_nothing():
    name_parts(part_by(block))


def test_two_mistakes_are_both_told():
    with pytest.raises(Mistake, match="no nonlinearity; and each worker adds the whole bias"):
        name_parts(part_by(block, bias_of=lambda rank: 1.0, activation=lambda product: product))


@pytest.mark.parametrize(
    ("own_of", "words"),
    [
        (lambda rank, share: slice((rank + 1) * share, (rank + 2) * share), "0, 1, 2, 3, 4"),
        (lambda rank, share: slice(rank * share, (rank + 1) * share + 1), "5, 10 are computed"),
    ],
)
def test_units_that_nobody_or_two_compute_are_named(own_of, words):
    with pytest.raises(Mistake, match=words):
        name_parts(part_by(own_of))


def test_one_worker_that_does_all_is_told_that_nothing_is_saved():
    def part(x, gate, inner, output, bias, rank, n_workers):
        return (rank == 0) * ((F.silu(x @ gate) * (x @ inner)) @ output + bias)

    with pytest.raises(Mistake, match="worker 0 computes all 15"):
        name_parts(part)


def test_what_is_no_part_is_told_its_shape():
    with pytest.raises(Mistake, match=rf"returns shape \({TOKENS}, {INNER}\)"):
        name_parts(lambda x, gate, *rest: x @ gate)
    with pytest.raises(Mistake, match="worker 0 returns float"):
        name_parts(lambda *given: float(torch.zeros(())))


def test_units_that_are_computed_and_then_masked_are_counted():
    def masked(x, gate, inner, output, bias, rank, n_workers):
        is_own = torch.arange(INNER) // (INNER // n_workers) == rank
        units = F.silu(x @ gate) * (x @ inner)
        return torch.where(is_own, units, 0.0) @ output + bias / n_workers

    with pytest.raises(Mistake, match="as many as 15 inner units need, and its share is 5"):
        name_parts(masked)
