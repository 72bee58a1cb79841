"""The stored runs are those of the script that says how they were run."""

import runpy
from pathlib import Path

import pytest
import torch
from softlookup.course import norm_rivals
from torch import nn

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "norm_rivals.py"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


def test_every_arm_of_the_script_is_stored_with_all_its_seeds(script):
    stored = norm_rivals.load()
    assert [*stored] == [*script["PARTS"]]
    for name, runs in stored.items():
        assert {len(each) for each in vars(runs).values()} == {len(script["seeds_of"](name))}
        assert all(0 <= share <= 1 for share in runs.recalled)
        assert min(runs.largest) > 0
    # Whoever copies one arm into two places will be noticed.
    assert len({str(runs.largest) for runs in stored.values()}) == len(stored)


def test_chapter_and_store_have_twelve_seeds_of_each_arm_between_them(script):
    chapter = script["chapter"]()
    assert {*chapter["ARMS"]} == {kind for kind, heads in script["KINDS"].items() if heads is None}
    for kind in script["KINDS"]:
        here = chapter["SEEDS"] if kind in chapter["ARMS"] else ()
        assert sorted([*here, *script["seeds_of"](kind)]) == [*range(12)]


def test_the_rivals_are_what_they_are_named(script):
    torch.manual_seed(0)
    query, key, value = 9 * torch.randn(3, 1, 2, 7, 16)
    kinds = script["KINDS"]
    plain = kinds["W_Q and W_K slower"](16)
    for kind, normed in (("only queries normed", 0), ("only keys normed", 1)):
        compared = kinds[kind](16).compared(query, key)
        for place, (before, now) in enumerate(zip((query, key), compared, strict=True)):
            expected = nn.functional.rms_norm(before, (16,)) if place == normed else before
            assert torch.allclose(now, expected)
    elsewhere = kinds["values and outputs normed"](16)(query, key, value)
    assert torch.allclose(elsewhere.square().mean(dim=-1), torch.ones(1, 2, 7), atol=1e-4)
    capped = kinds["scores capped at 50"](16)
    assert not torch.allclose(capped(query, key, value), plain(query, key, value), atol=1e-3)
    small = capped(query / 99, key / 99, value)
    assert torch.allclose(small, plain(query / 99, key / 99, value), atol=1e-4)


def test_a_slower_matrix_is_what_it_was(script):
    layer = nn.Module()
    layer.query_projection, layer.key_projection = nn.Linear(3, 5), nn.Linear(3, 5)
    before = layer.query_projection.weight.detach().clone()
    script["slow_down"](layer)
    assert torch.allclose(layer.query_projection.weight, before)
    stored = layer.query_projection.parametrizations.weight.original
    assert torch.allclose(stored, 8 * before)


def test_a_run_of_the_script_ends_about_as_the_stored_one_did(script):
    """Kinds of processor drift apart, but little where the norm holds the scores."""
    kind = "queries and keys normed"
    again = script["arm"](kind, seeds=script["seeds_of"](kind)[:1])
    stored = norm_rivals.load()[kind]
    assert again["largest"][0] == pytest.approx(stored.largest[0], rel=0.4)
    assert again["recalled"][0] == pytest.approx(stored.recalled[0], abs=0.1)
