"""Masks: each kind against its definition as subsets S_i, and the ways to other conventions."""

import pytest
import torch
from properties import given, st
from softlookup.layers import masks
from softlookup.layers.attention import attention
from torch import nn

lengths = st.integers(1, 23)


def looks(mask):
    """The subsets S_i that a mask says."""
    return [{key for key, may in enumerate(row) if may} for row in mask.tolist()]


@given(st.lists(st.sets(st.integers(0, 10)), min_size=1, max_size=7))
def test_subset_says_the_subsets(subsets):
    mask = masks.subset(subsets, 11)
    assert mask.dtype == torch.bool
    assert looks(mask) == subsets


@given(lengths)
def test_causal_looks_at_itself_and_before(length):
    assert looks(masks.causal(length)) == [set(range(i + 1)) for i in range(length)]


@given(lengths, st.integers(1, 30))
def test_sliding_window_looks_at_the_last_few(length, window):
    expected = [set(range(max(0, i - window + 1), i + 1)) for i in range(length)]
    assert looks(masks.sliding_window(length, window)) == expected


@given(st.data(), lengths)
def test_prefix_looks_at_the_whole_prefix(data, length):
    prefix = data.draw(st.integers(0, length))
    expected = [set(range(max(i + 1, prefix))) for i in range(length)]
    assert looks(masks.prefix(length, prefix)) == expected


@given(st.lists(st.integers(0, 11), min_size=1, max_size=5))
def test_padding_looks_at_real_tokens(real):
    mask = masks.padding(torch.tensor(real), 11)
    assert mask.shape == (len(real), 1, 11)
    assert looks(mask[:, 0]) == [set(range(length)) for length in real]


@given(st.integers(1, 11), st.integers(1, 11))
def test_masks_combine_as_intersections(window, real):
    both = masks.sliding_window(11, window) & masks.padding(torch.tensor([real]), 11)
    expected = [set(range(max(0, i - window + 1), min(i + 1, real))) for i in range(11)]
    assert looks(both[0]) == expected


def test_special_cases_meet():
    assert torch.equal(masks.sliding_window(7, 7), masks.causal(7))
    assert torch.equal(masks.sliding_window(7, 1), torch.eye(7, dtype=torch.bool))
    assert torch.equal(masks.prefix(7, 0), masks.causal(7))
    assert masks.prefix(7, 7).all()
    subsets = [range(i + 1) for i in range(7)]
    assert torch.equal(masks.subset(subsets, 7), masks.causal(7))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_additive_masks_give_the_same_weights(dtype):
    mask = masks.causal(11) & masks.padding(torch.tensor([7, 1, 11]), 11)
    additive = masks.to_additive(mask, dtype)
    assert additive.dtype == dtype
    assert set(additive.flatten().tolist()) == {0.0, float("-inf")}
    query, key = torch.randn(2, 3, 11, 13, dtype=dtype)
    _, weights = attention(query, key, key, mask)
    scores = query @ key.mT / 13**0.5
    torch.testing.assert_close(torch.softmax(scores + additive, dim=-1), weights)


def test_torch_reads_the_inverted_mask():
    mask = masks.causal(7)
    mine = masks.to_torch_multihead(mask)
    assert torch.equal(mine, nn.Transformer.generate_square_subsequent_mask(7).isinf())
    twin, x = nn.MultiheadAttention(10, 5, batch_first=True), torch.randn(3, 7, 10)
    _, weights = twin(x, x, x, attn_mask=mine)
    assert (weights.masked_select(~mask) == 0).all()
    assert (weights.masked_select(mask) > 0).all()
    padding = masks.padding(torch.tensor([7, 1, 4]), 7)
    _, weights = twin(x, x, x, key_padding_mask=masks.to_torch_multihead(padding[:, 0]))
    assert torch.equal(weights > 0, padding.expand(3, 7, 7))
