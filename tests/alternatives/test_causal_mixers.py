"""Side by side they do what each does alone, and none looks ahead."""

import pytest
import torch
from softlookup.alternatives.causal_mixers import causal_mixers
from softlookup.alternatives.hyena import Hyena, data_controlled_matrix
from softlookup.alternatives.linear_attention import positive_features
from softlookup.layers import masks
from softlookup.layers.attention import attention

LENGTH, WIDTH, WINDOW = 23, 5, 7
NAMES = ("definition", "blocks", "kernel", "Hyena", "window", "linear")


@pytest.fixture
def mixers():
    return causal_mixers(WIDTH, max_length=29, window=WINDOW)


def draw():
    return torch.randn(3, 1, 1, LENGTH, WIDTH)


def weights_of(name, query, key):
    """The triangle of weights, from its definition."""
    if name == "linear":
        weights = (positive_features(query) @ positive_features(key).mT) * masks.causal(LENGTH)
        return weights / weights.sum(dim=-1, keepdim=True)
    mask = masks.causal(LENGTH)
    if name == "window":
        mask = mask & masks.sliding_window(LENGTH, WINDOW)
    return attention(query, key, torch.eye(LENGTH)[None, None], mask)[1]


def test_these_are_all(mixers):
    assert tuple(mixers) == NAMES


@pytest.mark.parametrize("name", [name for name in NAMES if name != "Hyena"])
def test_a_mixer_multiplies_with_its_triangle(mixers, name):
    query, key, value = draw()
    torch.testing.assert_close(
        mixers[name](query, key, value), weights_of(name, query, key) @ value, rtol=1e-4, atol=1e-5
    )


def test_hyena_gates_with_the_key_first_and_the_query_last():
    torch.manual_seed(3)
    mix = causal_mixers(WIDTH, max_length=29)["Hyena"]
    torch.manual_seed(3)
    filters = Hyena(WIDTH, max_length=29).long_filters(LENGTH)
    query, key, value = draw()
    expected = [
        data_controlled_matrix((key[0, 0, :, c], query[0, 0, :, c]), [each[c] for each in filters])
        @ value[0, 0, :, c]
        for c in range(WIDTH)
    ]
    torch.testing.assert_close(
        mix(query, key, value)[0, 0], torch.stack(expected, dim=-1), rtol=1e-4, atol=1e-5
    )


@pytest.mark.parametrize("name", NAMES)
def test_changing_the_future_moves_nothing_earlier(mixers, name):
    tensors = draw()
    before = mixers[name](*tensors)
    for t in range(1, LENGTH):
        changed = tensors.clone()
        changed[..., t:, :] = torch.randn_like(changed[..., t:, :])
        after = mixers[name](*changed)
        torch.testing.assert_close(after[..., :t, :], before[..., :t, :], rtol=1e-4, atol=1e-5)
        assert (after[..., t, :] - before[..., t, :]).abs().max() > 1e-3
