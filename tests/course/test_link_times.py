"""The stored ratios are those of the script that takes them, and each run was taken by itself."""

import shutil
import subprocess

import link_times as script
import pytest
from softlookup.course import link_times


def may_slow_loopback():
    if not all(map(shutil.which, ("unshare", "ip", "tc"))):
        return False
    tried = [*script.IN_A_NAMESPACE, *script.HELD.format(bits=8e6).split()]
    return subprocess.run(tried, capture_output=True, check=False).returncode == 0


def test_every_run_of_the_script_is_stored_under_its_terms():
    kept, terms = link_times.load(), script.TERMS
    assert (kept.weights, kept.blocks, kept.computing) == (
        terms.weights,
        terms.blocks,
        terms.computing,
    )
    assert kept.rates == [*terms.rates]
    for runs in (kept.after, kept.in_buckets):
        assert [len(run) for run in runs] == [len(kept.rates)] * terms.runs
        assert min(map(min, runs)) > 1
    # Whoever copies one run into five places will be noticed.
    assert len({*map(tuple, kept.after)}) == terms.runs


def test_the_ratios_are_those_of_the_slowest_worker_within_a_repeat():
    # By worker, way and repeat: the second worker is slower where it computes alone.
    first = [[1.0, 1.0, 1.0], [3.0, 3.0, 9.0], [2.0, 4.0, 6.0]]
    second = [[2.0, 1.0, 4.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
    assert script.ratios([first, second]) == [2.25, 1.5]


def test_what_is_sent_in_buckets_leaves_before_the_backward_pass_is_over(monkeypatch):
    done = []

    class Link:
        def send(self, tensors):
            done.append(len(tensors))

        def wait(self):
            done.append("wait")

    monkeypatch.setattr(script.time, "sleep", lambda seconds: done.append(round(seconds, 3)))
    script.take_step([0, 1], 0.9, Link(), after=False)
    assert done == [0.3, 0.3, 1, 0.3, 1, "wait"]
    done.clear()
    script.take_step([0, 1], 0.9, Link(), after=True)
    assert done == [0.3, 0.3, 0.3, 2, "wait"]
    done.clear()
    script.take_step([0, 1], 0.9, None, after=True)
    assert done == [0.3, 0.3, 0.3]


def test_the_script_stores_what_it_takes(monkeypatch, tmp_path):
    if not may_slow_loopback():
        pytest.skip("a network namespace with a slowed loopback needs root and iproute2")
    monkeypatch.setattr(link_times, "STORE", tmp_path / "link_times.json")
    # A sum of 400,000 bytes takes 0.4 seconds, twice the computing.
    script.main(script.Terms(1, 1, computing=0.2, blocks=2, weights=100_000, rates=(1e6,)))
    kept = link_times.load()
    assert kept.rates == [1e6]
    assert kept.after[0][0] > 1.5
    assert kept.in_buckets[0][0] > 1.5
