"""A report on where a curve falls is tried in worlds with a known truth, and told what is wrong."""

import math

import pytest
import torch
from softlookup.course.exercises.loads_swept import BUDGET, LoadWorld, measure_load
from softlookup.course.exercises.verdict import Mistake

REAL = LoadWorld(octaves=6.2, steep=3.0, number=1000)


def fall(run, seed, high=12.0, steps=8):
    """Where one seed's share falls below the half, in octaves, found by halves."""
    low = 0.0
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (middle, high) if run(round(2**middle), seed) > 0.5 else (low, middle)
    return (low + high) / 2


def around(run, quantile=2.78, seeds=range(5), shift=0.0, **search):
    octaves = torch.tensor([fall(run, seed, **search) for seed in seeds])
    half_width = quantile * octaves.std() / len(octaves) ** 0.5
    middle = octaves.mean() + shift
    return 2 ** (middle - half_width), 2 ** (middle + half_width)


def to_either_side(run, far, factor=1.0):
    low, high = around(run)
    middle = math.sqrt(low * high)
    return middle / factor - far, middle * factor + far


def near_the_first(run):
    """Searched so near to where the first seed falls that others fall beside it."""
    first = fall(run, 0)
    octaves = []
    for seed in range(1, 9):
        low, high = first - 0.25, first + 0.25
        for _ in range(4):
            middle = (low + high) / 2
            low, high = (middle, high) if run(round(2**middle), seed) > 0.5 else (low, middle)
        octaves.append((low + high) / 2)
    octaves = torch.tensor(octaves)
    half_width = 2.37 * octaves.std() / 8**0.5
    return 2 ** (octaves.mean() - half_width), 2 ** (octaves.mean() + half_width)


def from_least_to_greatest(run):
    octaves = [fall(run, seed, steps=5) for seed in range(8)]
    return 2 ** min(octaves), 2 ** max(octaves)


def by_doubling(run):
    """Each seed falls at a power of two, and most of them at the same one."""
    octaves = [sum(run(2**step, seed) > 0.5 for step in range(1, 9)) + 0.5 for seed in range(5)]
    octaves = torch.tensor(octaves)
    half_width = 2.78 * octaves.std() / 5**0.5
    return 2 ** (octaves.mean() - half_width), 2 ** (octaves.mean() + half_width)


def shares_at_one_load(run):
    load = round(2 ** fall(run, 0))
    shares = torch.tensor([run(load, seed) for seed in range(1, 31)])
    half_width = 2 * shares.std() / 30**0.5
    return load * (1 - half_width), load * (1 + half_width)


def shares(run):
    given = torch.tensor([run(64, seed) for seed in range(30)])
    return given.mean() - given.std() / 30**0.5, given.mean() + given.std() / 30**0.5


def logarithms(run):
    return tuple(math.log2(end) for end in around(run))


@pytest.mark.parametrize("kind", [tuple, list, torch.tensor])
def test_an_honest_interval_passes_whatever_holds_it(kind):
    measure_load(lambda run: kind([float(end) for end in around(run)]), REAL.run, 2**6.2)


@pytest.mark.parametrize(
    ("report", "words"),
    [
        (
            lambda run: around(run, 1.0),
            r"It reaches 1\.0\d standard errors to each side; of 5 seeds 19",
        ),
        (lambda run: around(run, 1.7), r"It reaches 1\.7\d standard errors to each side"),
        (lambda run: around(run, 0.3), r"It reaches 0\.3\d standard errors to each side"),
        (lambda run: around(run, 9.0), r"it reaches [34]\.\d\d standard deviations to each side"),
        (lambda run: around(run, 4.3, range(3), steps=6), f"filled 18 states, and {BUDGET} were"),
        (lambda run: around(run, shift=0.2), r"lie too high: their middle is 1\.1\d times the"),
        (lambda run: around(run, shift=-0.2), r"lie too low: their middle is 0\.8\d times the"),
        (lambda run: around(run, high=6.0), "gave back more than half"),
        (
            lambda run: around(lambda n, s: run(n + 1024, s), high=11.0, steps=4),
            "gave back less than half",
        ),
        (lambda run: around(run, seeds=(1, 2), steps=20), "seeds that you used is 2"),
        (lambda run: around(run, seeds=(1, 2, 3, 1)), "with seed 1 2 times"),
        (lambda run: around(run, seeds=range(6)), f"filled more than {BUDGET} states"),
        (lambda run: (0, around(run)[1]), "begins at 0.0; a number of pairs is above zero"),
        (lambda run: run(0.5, 0), "you filed 0.5 pairs; whole numbers from 1 to 4096"),
        (lambda run: run(5000, 0), "you filed 5000 pairs"),
        (lambda run: to_either_side(run, 0.0), "a single number, and says nothing of how sure"),
        (lambda run: to_either_side(run, 5.0), "is 10 pairs wide whatever the memory gave back"),
        (lambda run: to_either_side(run, 0.0, 1.1), r"ends at 1\.21 times its beginning whatever"),
        (lambda run: [math.e ** math.log2(end) for end in around(run)], r"to the base 2\.72: 2 to"),
        (lambda run: around(lambda n, s: 1 - run(n, s)), "asked . times there: is a comparison"),
        (from_least_to_greatest, "from the least of your seeds to the greatest"),
        (by_doubling, "of the memories it is a single number, for all seeds gave the same"),
        (shares_at_one_load, "You asked most seeds at one load alone"),
        (shares, "is that the share that comes back"),
        (lambda run: (1, 4096), "your report fills no state"),
        (near_the_first, "you saw one side of their fall alone"),
        (logarithms, "for the logarithm of a number of pairs; return the number"),
    ],
)
def test_a_report_is_told_what_is_wrong(report, words):
    with pytest.raises(Mistake, match=words):
        measure_load(report, REAL.run, 2**6.2)


def test_what_holds_in_the_worlds_must_hold_for_the_real_state():
    with pytest.raises(Mistake, match=r"on the real state your interval goes from .* is 160\.0;"):
        measure_load(around, REAL.run, 160.0)


def test_the_worlds_differ_in_what_is_true():
    def blind(run):
        around(run)
        return 50, 80

    with pytest.raises(Mistake, match="from 50 to 80 pairs whatever the memory gave back"):
        measure_load(blind, REAL.run, 2**6.2)


def test_half_comes_back_at_the_truth_and_seeds_lie_as_far_apart_as_is_said():
    world = LoadWorld(octaves=6.0, steep=3.0, number=7)
    assert world.run(64, 5) == world.run(64, 5)
    shares = torch.tensor([world.run(64, seed) for seed in range(2000)])
    assert shares.mean() == pytest.approx(0.5, abs=4 * shares.std().item() / 2000**0.5)
    # A seed's luck moves the fall by a quarter of an octave; a hundred questions have their own.
    luck = 0.25 * torch.randn(100_000, generator=torch.Generator().manual_seed(0))
    of_seed = (3.0 * luck).sigmoid().std()
    assert shares.std() == pytest.approx((of_seed.item() ** 2 + 0.05**2) ** 0.5, rel=0.1)
    assert world.run(1, 3) > 0.99
    assert world.run(4096, 3) < 0.01
    assert LoadWorld(octaves=6.0, steep=3.0, number=8).run(64, 5) != world.run(64, 5)
