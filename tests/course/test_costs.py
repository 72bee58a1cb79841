"""The counts against what can be counted on paper, and against torch's own allocator."""

import itertools

import pytest
import torch
from softlookup.course import costs
from softlookup.course.costs import cpu_milliseconds, multiplications, peak_memory
from torch.profiler import ProfilerActivity, profile


def test_what_is_dropped_is_not_alive():
    def chain():
        x = torch.zeros(1000)
        for _ in range(10):
            x = x + 1  # the old one dies as soon as the new one stands
        return x

    assert peak_memory(chain) == 2 * 4000


def test_what_is_kept_adds_up():
    assert peak_memory(lambda: [torch.zeros(1000) for _ in range(10)]) == 10 * 4000


def test_views_and_changes_in_place_are_free():
    x = torch.zeros(1000)
    assert peak_memory(lambda: x.view(10, 100).T.add_(1.0)) == 0
    assert peak_memory(lambda: (x + 1).mul_(2).view(10, 100)[3:5]) == 4000


def test_what_was_there_before_is_not_counted():
    x = torch.zeros(1000)
    assert peak_memory(lambda: x + x) == 4000


def test_what_is_saved_for_the_gradient_is_alive():
    x = torch.ones(1000, requires_grad=True)
    assert peak_memory(lambda: x.exp().exp().exp().detach()) == 3 * 4000
    with torch.no_grad():
        assert peak_memory(lambda: x.exp().exp().exp().detach()) == 2 * 4000


def test_the_peak_of_a_training_step_is_the_allocators():
    torch.manual_seed(0)
    weight = torch.randn(64, 64, requires_grad=True)
    x = torch.randn(512, 64)

    def compute():
        weight.grad = None
        (x @ weight).softmax(dim=-1).square().sum().backward()

    compute()
    weight.grad = None
    counted = peak_memory(compute)
    weight.grad = None
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as record:
        compute()
    alive = peak = 0
    for event in record.profiler.kineto_results.events():
        if event.name() == "[memory]":
            alive += event.nbytes()
            peak = max(peak, alive)
    assert peak > 0
    assert abs(counted - peak) <= 0.02 * peak


def test_multiplications_of_a_product_of_matrices():
    assert multiplications(lambda: torch.zeros(3, 5) @ torch.zeros(5, 7)) == 3 * 5 * 7
    batch = torch.zeros(2, 3, 5)
    assert multiplications(lambda: batch @ batch.transpose(1, 2)) == 2 * 3 * 5 * 3
    x = torch.zeros(3, 5, requires_grad=True)
    count = multiplications(lambda: (x @ torch.zeros(5, 7)).sum().backward())
    assert count == 2 * 3 * 5 * 7  # forwards, and once more for the gradient of x


def clocked(monkeypatch, seconds, **arguments):
    """What is measured of runs that take these seconds on a clock that only they move."""
    now, runs = [100.0], iter(seconds)

    def run():
        now[0] += next(runs)

    monkeypatch.setattr(costs.time, "process_time", lambda: now[0])
    return cpu_milliseconds(run, **arguments), runs


def test_the_least_time_counts_and_the_first_run_does_not(monkeypatch):
    taken, left = clocked(monkeypatch, [0.01, 0.9, 0.03, 0.02, 0.5, 0.04, 7.0])
    assert taken == pytest.approx(20)
    assert list(left) == [7.0]


def test_short_runs_are_repeated_until_they_add_up(monkeypatch):
    taken, left = clocked(monkeypatch, itertools.count(1e-3, 1e-3), at_least=100.0)
    assert taken == pytest.approx(2)
    # 2 + 3 + … + 14 = 104; the next would be the fifteenth.
    assert next(left) == pytest.approx(0.015)
