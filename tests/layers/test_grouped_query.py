"""Grouped queries: who reads which keys, both ends of the scale, and a cache of shared heads."""

import pytest
import torch
import torch_twins
from properties import given, settings, st
from softlookup.course.costs import multiplications, peak_memory
from softlookup.layers import masks
from softlookup.layers.attention import attention
from softlookup.layers.grouped_query import (
    GroupedQueryAttention,
    NormedQueryKeyAttention,
    grouped_attention,
    grouped_attention_weights,
    hand_out,
)
from softlookup.layers.multi_head import KeyValueCache, MultiHeadAttention
from softlookup.layers.positions import alibi_bias, rotate_halves
from softlookup.layers.visibility import CAUSAL, EVERYTHING, Visibility

BATCH, HEADS, SHARED, LENGTH, D_HEAD, D_MODEL = 3, 6, 2, 11, 4, 13
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-10}
KINDS = [GroupedQueryAttention, NormedQueryKeyAttention]
PADDING = masks.padding(torch.tensor([11, 1, 4]), LENGTH)
NOWHERE = masks.causal(LENGTH) & ~torch.eye(LENGTH, dtype=torch.bool)
VISIBLE = {
    "everything": EVERYTHING,
    "causal": CAUSAL,
    "padding": Visibility(PADDING),
    "causal and padding": Visibility(PADDING, causal=True),
    "nowhere for the first": Visibility(NOWHERE),
    "bias": Visibility(causal=True, bias=alibi_bias(HEADS, LENGTH).double()),
    "bias and padding": Visibility(PADDING, bias=alibi_bias(HEADS, LENGTH).double()),
    "bias alone": Visibility(bias=alibi_bias(HEADS, LENGTH).double()),
}


def make(kind=GroupedQueryAttention, shared=SHARED, dtype=torch.float64, **choices):
    torch.manual_seed(0)
    choices = {"rotate_positions": rotate_halves, "d_head": D_HEAD} | choices
    return torch_twins.scatter_norms_and_biases(kind(D_MODEL, HEADS, shared, **choices).to(dtype))


def draw(*shape, dtype=torch.float64, seed=1):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator, dtype=dtype)


def tokens(length=LENGTH, **choices):
    return draw(BATCH, length, D_MODEL, **choices)


def test_neighbours_share():
    shared = torch.arange(2.0)[None, :, None, None]
    assert hand_out(shared, 6).flatten().tolist() == [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize("shared", [1, 2, 3, 6])
@pytest.mark.parametrize("name", VISIBLE)
def test_the_kernel_is_attention_on_what_is_handed_out(name, shared):
    def inputs():
        drawn = (draw(BATCH, heads, LENGTH, 5, seed=heads) for heads in (HEADS, shared, shared))
        return [tensor.requires_grad_() for tensor in drawn]

    (query, key, value), copies = inputs(), inputs()
    visible = VISIBLE[name]
    output = grouped_attention(query, key, value, visible)
    key_of_each, value_of_each = (hand_out(x, HEADS) for x in copies[1:])
    mask = visible.joined_mask(query, key)
    expected, _ = attention(copies[0], key_of_each, value_of_each, mask, visible.bias)
    torch.testing.assert_close(output, expected, rtol=0, atol=1e-12)
    if name.startswith("nowhere"):
        assert (output[:, :, 0] == 0).all()
    direction = draw(*output.shape, seed=7)
    (output * direction).sum().backward()
    (expected * direction).sum().backward()
    for ours, theirs in zip((query, key, value), copies, strict=True):
        torch.testing.assert_close(ours.grad, theirs.grad, rtol=0, atol=1e-10)


@pytest.mark.parametrize("queries", [1, 7])
@torch.no_grad()
def test_no_copies_are_made_of_what_is_shared(queries):
    keys = 997
    query = draw(BATCH, HEADS, queries, D_HEAD)
    key, value = draw(2, BATCH, 1, keys, D_HEAD)
    made = peak_memory(lambda: grouped_attention(query, key, value, CAUSAL))
    copied = peak_memory(lambda: (hand_out(key, HEADS), hand_out(value, HEADS)))
    one = key.numel() * key.element_size()
    assert made < one < copied == 2 * HEADS * one


def as_multi_head(ours, order, rotate):
    """Multi-head attention with a copy of the shared rows for every head, in the given order."""
    d_head = ours.query_projection.out_features // HEADS
    twin = MultiHeadAttention(HEADS * d_head, HEADS, bias=False, rotate_positions=rotate).double()
    weights = {}
    for name, parameter in ours.state_dict().items():
        if name.startswith(("key_projection", "value_projection")):
            parameter = parameter.unflatten(0, (-1, d_head))[order].flatten(0, 1)
        weights[name] = parameter
    twin.load_state_dict(weights)
    return twin


@pytest.mark.parametrize("shared", [1, 2, 3, 6])
def test_is_multi_head_attention_whose_neighbours_have_the_same_keys(shared):
    d_model = HEADS * D_HEAD
    torch.manual_seed(0)
    ours = GroupedQueryAttention(d_model, HEADS, shared, rotate_positions=rotate_halves).double()
    x = draw(BATCH, LENGTH, d_model)
    neighbours = [head // (HEADS // shared) for head in range(HEADS)]
    twin = as_multi_head(ours, neighbours, rotate_halves)
    for visible in (CAUSAL, Visibility(PADDING, causal=True)):
        output, expected = ours(x, visible), twin(x, visible=visible)
        torch.testing.assert_close(output, expected, rtol=0, atol=1e-12)
    dealt_out = [head % shared for head in range(HEADS)]
    if dealt_out != neighbours:
        other = as_multi_head(ours, dealt_out, rotate_halves)(x, visible=CAUSAL)
        assert (ours(x, CAUSAL) - other).abs().max() > 1e-3


@pytest.mark.parametrize("kind", KINDS)
def test_weights_are_what_the_layer_computes_with(kind):
    module, x = make(kind), tokens()
    for visible in VISIBLE.values():
        weights = grouped_attention_weights(module, x, visible)
        assert weights.shape == (BATCH, HEADS, LENGTH, LENGTH)
        value = module.value_projection(x).unflatten(-1, (SHARED, D_HEAD)).transpose(1, 2)
        heads = weights @ hand_out(value, HEADS)
        expected = module.output_projection(heads.transpose(1, 2).flatten(2))
        torch.testing.assert_close(module(x, visible), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("split", range(1, LENGTH))
@torch.no_grad()
def test_cached_equals_uncached_at_every_split(split, kind):
    module, x = make(kind), tokens()
    expected = module(x, CAUSAL)
    for step in (LENGTH - split, 1):
        kept = KeyValueCache(BATCH, SHARED, LENGTH, D_HEAD, torch.float64)
        parts = [module(x[:, :split], CAUSAL, kept)]
        for start in range(split, LENGTH, step):
            parts.append(module(x[:, start : start + step], CAUSAL, kept))
        torch.testing.assert_close(torch.cat(parts, dim=1), expected, rtol=0, atol=1e-12)
        key, value = kept.filled()
        assert key.shape == value.shape == (BATCH, SHARED, LENGTH, D_HEAD)


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 2**16), step=st.integers(0, LENGTH - 2), kind=st.sampled_from(KINDS))
def test_the_future_moves_nothing_earlier(seed, step, kind):
    module, x = make(kind, dtype=torch.float32), tokens(dtype=torch.float32, seed=seed)
    before = module(x, CAUSAL)
    x[:, step + 1 :] += 10
    after = module(x, CAUSAL)
    assert torch.equal(before[:, : step + 1], after[:, : step + 1])
    assert not torch.equal(before[:, step + 1 :], after[:, step + 1 :])


@settings(deadline=None, max_examples=20)
@given(offset=st.integers(0, 500), kind=st.sampled_from(KINDS))
def test_distances_alone_are_seen(offset, kind):
    def shifted(x, start):
        return rotate_halves(x, start + offset)

    x = tokens()
    here, there = make(kind)(x, CAUSAL), make(kind, rotate_positions=shifted)(x, CAUSAL)
    torch.testing.assert_close(here, there, rtol=0, atol=1e-10)
    assert (here - make(kind, rotate_positions=None)(x, CAUSAL)).abs().max() > 1e-3


def test_normed_scores_do_not_grow_with_queries_or_keys():
    x = tokens()
    for kind in KINDS:
        module = make(kind, epsilon=0.0) if kind is NormedQueryKeyAttention else make(kind)
        before = grouped_attention_weights(module, x, CAUSAL)
        with torch.no_grad():
            module.query_projection.weight.mul_(7)
            module.key_projection.weight.mul_(5)
        moved = (grouped_attention_weights(module, x, CAUSAL) - before).abs().max()
        assert (moved < 1e-12) == (kind is NormedQueryKeyAttention)


def test_norms_come_before_the_positions_and_have_the_epsilon():
    module, x = make(NormedQueryKeyAttention, epsilon=0.3), tokens()
    assert make(NormedQueryKeyAttention).key_norm.eps == 1e-6
    parts = []
    for name, count in (("query", HEADS), ("key", SHARED)):
        projected = getattr(module, f"{name}_projection")(x).unflatten(-1, (count, D_HEAD))
        weight = getattr(module, f"{name}_norm").weight
        normed = projected / (projected.square().mean(-1, keepdim=True) + 0.3).sqrt() * weight
        parts.append(rotate_halves(normed.transpose(1, 2)))
    scores = parts[0] @ hand_out(parts[1], HEADS).mT / D_HEAD**0.5
    expected = scores.softmax(-1)
    torch.testing.assert_close(grouped_attention_weights(module, x), expected, rtol=0, atol=1e-12)


def test_sizes_and_no_biases():
    module = make()
    shapes = {name: tuple(parameter.shape) for name, parameter in module.named_parameters()}
    assert shapes == {
        "query_projection.weight": (HEADS * D_HEAD, D_MODEL),
        "key_projection.weight": (SHARED * D_HEAD, D_MODEL),
        "value_projection.weight": (SHARED * D_HEAD, D_MODEL),
        "output_projection.weight": (D_MODEL, HEADS * D_HEAD),
    }
    assert GroupedQueryAttention(35, 5, 1).query_projection.out_features == 35


@pytest.mark.parametrize("shared", [1, 2, 6])
def test_shared_heads_save_projections_and_no_scores(shared):
    module, x = make(shared=shared, dtype=torch.float32), tokens(dtype=torch.float32)
    weights = sum(parameter.numel() for parameter in module.parameters())
    scores = 2 * HEADS * LENGTH * LENGTH * D_HEAD
    counted = multiplications(lambda: module(x, CAUSAL))
    assert counted == BATCH * (LENGTH * weights + scores)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: GroupedQueryAttention(12, 6, 4), "n_heads is 6 and n_key_value_heads is 4"),
        (lambda: GroupedQueryAttention(12, 6, 0), "n_heads is 6 and n_key_value_heads is 0"),
        (lambda: GroupedQueryAttention(13, 6, 2), "n_heads to divide d_model, or a d_head"),
        (lambda: GroupedQueryAttention(13, 6, 2, d_head=0), "d_head is 0; expected at least 1"),
        (lambda: make()(tokens()[..., :7]), "x has width 7; expected 13"),
        (lambda: hand_out(torch.zeros(1, 4, 1, 1), 6), "n_heads is 6 and n_key_value_heads is 4"),
        (
            lambda: make()(tokens(), cache=KeyValueCache(BATCH, HEADS, LENGTH, D_HEAD)),
            r"keys of shape \(3, 2, 11, 4\) .*expected \(3, 6, 11, 4\)",
        ),
        (
            lambda: make()(tokens(), Visibility(torch.ones(7, 7, dtype=torch.bool))),
            r"the mask has shape \(7, 7\)",
        ),
    ],
)
def test_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()
