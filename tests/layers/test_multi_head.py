"""Multi-head attention: held to nn.MultiheadAttention, and its cache to the uncached run."""

import pytest
import torch
import torch_twins
from properties import given, settings, st
from softlookup.layers import masks
from softlookup.layers.multi_head import (
    KeyValueCache,
    MultiHeadAttention,
    attention_weights,
    merge_heads,
    split_heads,
)
from softlookup.layers.positions import alibi_bias, rotate
from softlookup.layers.visibility import CAUSAL, Visibility
from torch import nn

BATCH, HEADS, QUERIES, KEYS, D_HEAD = 3, 5, 7, 11, 2
D_MODEL = HEADS * D_HEAD
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-10}
LENGTHS = torch.tensor([11, 1, 4])

# name: (mask as ours takes it, attn_mask and key_padding_mask as torch's takes them)
SUBSETS = masks.subset([{0, 10}, {3}, {1, 2, 7}, {5, 6}, {10}, set(range(11)), {4}], KEYS)
PADDING = masks.padding(LENGTHS, KEYS)
CAUSAL_MASK = masks.causal(KEYS)[-QUERIES:]
KINDS = {
    "none": (None, None, None),
    "causal": (CAUSAL_MASK, CAUSAL_MASK, None),
    "prefix": (masks.prefix(KEYS, 5)[:QUERIES], masks.prefix(KEYS, 5)[:QUERIES], None),
    "window": (masks.sliding_window(KEYS, 3)[:QUERIES],) * 2 + (None,),
    "subset": (SUBSETS, SUBSETS, None),
    "padding": (PADDING, None, PADDING[:, 0]),
    "causal and padding": (CAUSAL_MASK & PADDING, CAUSAL_MASK, PADDING[:, 0]),
}


def make(dtype=torch.float64, seed=0, **kwargs):
    torch.manual_seed(seed)
    module = MultiHeadAttention(D_MODEL, HEADS, **kwargs).to(dtype)
    return torch_twins.scatter_norms_and_biases(module)


def tokens(length, dtype=torch.float64, seed=1):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(BATCH, length, D_MODEL, generator=generator, dtype=dtype)


def test_split_gives_each_head_its_slice_of_each_token():
    x = tokens(QUERIES)
    heads = split_heads(x, HEADS)
    for head in range(HEADS):
        own = slice(head * D_HEAD, (head + 1) * D_HEAD)
        assert torch.equal(heads[:, head], x[:, :, own])
    assert torch.equal(merge_heads(heads), x)


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("kind", KINDS)
def test_agrees_with_torch(kind, dtype):
    mask, attn_mask, key_padding_mask = KINDS[kind]
    ours = make(dtype)
    twin = nn.MultiheadAttention(D_MODEL, HEADS, batch_first=True, dtype=dtype)
    twin.load_state_dict(torch_twins.multi_head(ours))
    x, memory = tokens(QUERIES, dtype), tokens(KEYS, dtype, seed=2)
    inputs = [[t.clone().requires_grad_() for t in (x, memory)] for _ in range(2)]

    output = ours(inputs[0][0], inputs[0][1], Visibility(mask))
    expected, weights = twin(
        inputs[1][0],
        inputs[1][1],
        inputs[1][1],
        attn_mask=None if attn_mask is None else masks.to_torch_multihead(attn_mask),
        key_padding_mask=(
            None if key_padding_mask is None else masks.to_torch_multihead(key_padding_mask)
        ),
        average_attn_weights=False,
    )
    close = {"rtol": TOLERANCE[dtype], "atol": TOLERANCE[dtype]}
    torch.testing.assert_close(output, expected, **close)
    torch.testing.assert_close(
        attention_weights(ours, x, memory, Visibility(mask)), weights, **close
    )

    direction = tokens(QUERIES, dtype, seed=3)
    (output * direction).sum().backward()
    (expected * direction).sum().backward()
    for mine, theirs in zip(*inputs, strict=True):
        torch.testing.assert_close(mine.grad, theirs.grad, **close)
    torch_twins.assert_same_gradients(
        torch_twins.multi_head(ours, torch_twins.gradients), twin, TOLERANCE[dtype]
    )


def test_is_a_sum_of_heads():
    # Concatenation with W_O is a sum over heads of each head's slice of W_O.
    module, x = make(), tokens(QUERIES)
    weights = attention_weights(module, x)
    values = split_heads(module.value_projection(x), HEADS)
    slices = module.output_projection.weight.split(D_HEAD, dim=1)
    total = module.output_projection.bias + sum(
        weights[:, head] @ values[:, head] @ slices[head].T for head in range(HEADS)
    )
    torch.testing.assert_close(module(x), total, rtol=0, atol=1e-12)


def test_causal_is_the_causal_mask_and_joins_other_masks():
    module, x = make(), tokens(KEYS)
    causal = masks.causal(KEYS)
    torch.testing.assert_close(module(x, visible=CAUSAL), module(x, visible=Visibility(causal)))
    both = module(x, visible=Visibility(PADDING, causal=True))
    torch.testing.assert_close(both, module(x, visible=Visibility(PADDING & causal)))
    bias = alibi_bias(HEADS, KEYS).double()
    biased = module(x, visible=Visibility(causal=True, bias=bias))
    torch.testing.assert_close(biased, module(x, visible=Visibility(causal, bias=bias)))
    assert (biased - module(x, visible=CAUSAL)).abs().max() > 1e-3
    weights = attention_weights(module, x, visible=Visibility(PADDING, causal=True, bias=bias))
    assert (weights.masked_select(~(PADDING & causal)[:, None]) == 0).all()


def test_weights_are_not_stored():
    module = make()
    before = set(vars(module))
    module(tokens(QUERIES))
    attention_weights(module, tokens(QUERIES))
    assert set(vars(module)) == before


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 2**16), step=st.integers(0, KEYS - 2))
def test_the_future_moves_nothing_earlier(seed, step):
    module, x = make(torch.float32), tokens(KEYS, torch.float32, seed)
    before = module(x, visible=CAUSAL)
    x[:, step + 1 :] += 10
    after = module(x, visible=CAUSAL)
    assert torch.equal(before[:, : step + 1], after[:, : step + 1])
    assert not torch.equal(before[:, step + 1 :], after[:, step + 1 :])


@settings(deadline=None, max_examples=20)
@given(order=st.permutations(range(KEYS)))
def test_permuted_tokens_give_permuted_outputs(order):
    module, x = make(), tokens(KEYS)
    torch.testing.assert_close(module(x[:, order]), module(x)[:, order], rtol=0, atol=1e-12)


@settings(deadline=None, max_examples=20)
@given(length=st.integers(1, KEYS - 1))
def test_padding_changes_nothing(length):
    module, x = make(), tokens(KEYS)
    mask = masks.padding(torch.tensor([length] * BATCH), KEYS)
    expected = module(x[:, :length])
    torch.testing.assert_close(
        module(x, visible=Visibility(mask))[:, :length], expected, rtol=0, atol=1e-12
    )


def cache(max_length=KEYS):
    return KeyValueCache(BATCH, HEADS, max_length, D_HEAD, dtype=torch.float64)


@pytest.mark.parametrize("rotated", [False, True])
@pytest.mark.parametrize("split", range(1, KEYS))
@torch.no_grad()
def test_cached_equals_uncached_at_every_split(split, rotated):
    module, x = make(rotate_positions=rotate if rotated else None), tokens(KEYS)
    expected = module(x, visible=CAUSAL)
    # The prefix at once, then the rest at once, and then the rest one by one.
    for step in (KEYS - split, 1):
        kept = cache()
        parts = [module(x[:, :split], visible=CAUSAL, cache=kept)]
        for start in range(split, KEYS, step):
            parts.append(module(x[:, start : start + step], visible=CAUSAL, cache=kept))
        torch.testing.assert_close(torch.cat(parts, dim=1), expected, rtol=0, atol=1e-12)


@torch.no_grad()
def test_a_mask_joins_the_cache():
    module, x = make(), tokens(KEYS)
    expected = module(x, visible=Visibility(PADDING, causal=True))[:, 4:]
    kept = cache()
    module(x[:, :4], visible=Visibility(PADDING[:, :, :4], causal=True), cache=kept)
    rest = module(x[:, 4:], visible=Visibility(PADDING, causal=True), cache=kept)
    torch.testing.assert_close(rest, expected, rtol=0, atol=1e-12)


@torch.no_grad()
def test_a_cache_projects_a_memory_once():
    module, x, memory = make(), tokens(QUERIES), tokens(KEYS, seed=2)
    kept = cache()
    expected = module(x, memory, visible=Visibility(PADDING))
    for part, whole in zip(x.split(2, dim=1), expected.split(2, dim=1), strict=True):
        output = module(part, memory, visible=Visibility(PADDING), cache=kept)
        torch.testing.assert_close(output, whole, rtol=0, atol=1e-12)
        assert kept.length == KEYS


def test_the_cache_hands_out_views():
    kept = cache()
    part = torch.ones(BATCH, HEADS, 2, D_HEAD, dtype=torch.float64)
    kept.append(part, 2 * part)
    key, value = kept.append(3 * part, 4 * part)
    assert key[0, 0, :, 0].tolist() == [1, 1, 3, 3]
    assert value[0, 0, :, 0].tolist() == [2, 2, 4, 4]
    again = kept.filled()
    assert (key.data_ptr(), value.data_ptr()) == tuple(part.data_ptr() for part in again)
    assert kept.max_length == KEYS
    assert kept.length == 4


@settings(deadline=None, max_examples=20)
@given(offset=st.integers(0, 500))
def test_rotary_attention_sees_distances_alone(offset):
    def shifted(x, start):
        return rotate(x, start + offset)

    x = tokens(QUERIES)
    here = make(rotate_positions=rotate)(x, visible=CAUSAL)
    there = make(rotate_positions=shifted)(x, visible=CAUSAL)
    torch.testing.assert_close(here, there, rtol=0, atol=1e-10)
    assert (here - make()(x, visible=CAUSAL)).abs().max() > 1e-3
