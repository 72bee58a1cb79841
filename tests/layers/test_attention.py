"""The definition of attention and its fused twin: held to torch, to each other, and to its laws."""

import math

import pytest
import torch
import torch.nn.functional as F
from properties import given, settings, st
from softlookup.layers import masks
from softlookup.layers.attention import attention, fused_attention

BATCH, HEADS, QUERIES, KEYS, D_HEAD, D_VALUE = 3, 5, 7, 11, 13, 17
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-10}

# Kinds that are square are cut to the last queries, as in decoding.
KINDS = {
    "none": None,
    "causal": masks.causal(KEYS)[-QUERIES:],
    "prefix": masks.prefix(KEYS, 5)[-QUERIES:],
    "sliding window": masks.sliding_window(KEYS, 3)[-QUERIES:],
    "subset": masks.subset([{0, 10}, {3}, {1, 2, 7}, {5, 6}, {10}, set(range(11)), {4}], KEYS),
    "padding": masks.padding(torch.tensor([11, 1, 4]), KEYS)[:, None],
    "nowhere": masks.subset([{0}, set(), {1, 2}, {3}, set(), {10}, {5}], KEYS),
}
KINDS["causal and padding"] = KINDS["causal"] & KINDS["padding"]
KINDS["prefix and padding"] = KINDS["prefix"] & KINDS["padding"]
KINDS["window and padding"] = KINDS["sliding window"] & KINDS["padding"]  # looks nowhere in places
KINDS["subset and causal"] = KINDS["subset"] & KINDS["causal"]


def draw(dtype=torch.float64, seed=0, queries=QUERIES, keys=KEYS):
    generator = torch.Generator().manual_seed(seed)
    sizes = ((queries, D_HEAD), (keys, D_HEAD), (keys, D_VALUE))
    return [
        torch.randn(BATCH, HEADS, *size, generator=generator, dtype=dtype).requires_grad_()
        for size in sizes
    ]


def definition(*args, **kwargs):
    return attention(*args, **kwargs)[0]


def with_gradients(function, tensors):
    output = function(*tensors)
    direction = torch.linspace(-1, 1, output.numel(), dtype=output.dtype).view_as(output)
    return output, *torch.autograd.grad(output, tensors, direction)


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("twin", [definition, fused_attention])
def test_agrees_with_torch_in_values_and_gradients(twin, kind, dtype):
    mask, tensors = KINDS[kind], draw(dtype)

    def reference(query, key, value):
        # Written out with torch's additive mask; where a row is masked whole, zeros by hand.
        additive = None if mask is None else masks.to_additive(mask, dtype)
        blind = torch.zeros(1, dtype=torch.bool) if mask is None else ~mask.any(-1, keepdim=True)
        if additive is not None:
            additive = additive.masked_fill(blind, 0.0)
        seen = F.scaled_dot_product_attention(query, key, value, attn_mask=additive)
        return seen.masked_fill(blind, 0.0)

    ours = with_gradients(lambda *t: twin(*t, mask=mask), tensors)
    torchs = with_gradients(reference, tensors)
    for mine, expected in zip(ours, torchs, strict=True):
        torch.testing.assert_close(mine, expected, rtol=0, atol=TOLERANCE[dtype])


@pytest.mark.parametrize("twin", [definition, fused_attention])
def test_agrees_with_loops(twin):
    query, key, value = (tensor.detach() for tensor in draw())
    mask = KINDS["causal and padding"].expand(BATCH, HEADS, QUERIES, KEYS)
    bias = torch.randn(
        HEADS, QUERIES, KEYS, dtype=torch.float64, generator=torch.Generator().manual_seed(1)
    )
    output = twin(query, key, value, mask, bias)
    for b, h, i in torch.cartesian_prod(*map(torch.arange, (BATCH, HEADS, QUERIES))).tolist():
        seen = [j for j in range(KEYS) if mask[b, h, i, j]]
        scores = [
            sum(float(q * k) for q, k in zip(query[b, h, i], key[b, h, j], strict=True))
            / math.sqrt(D_HEAD)
            + float(bias[h, i, j])
            for j in seen
        ]
        total = sum(math.exp(score) for score in scores)
        expected = sum(
            math.exp(score) / total * value[b, h, j] for score, j in zip(scores, seen, strict=True)
        )
        torch.testing.assert_close(output[b, h, i], expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("twin", [definition, fused_attention])
@pytest.mark.parametrize("with_bias", [False, True])
def test_to_look_nowhere_gives_zeros_and_finite_gradients(twin, with_bias):
    mask, tensors = KINDS["nowhere"], draw()
    bias = torch.zeros(HEADS, QUERIES, KEYS, dtype=torch.float64) if with_bias else None
    output = twin(*tensors, mask=mask, bias=bias)
    assert (output[:, :, [1, 4]] == 0).all()
    assert (output[:, :, [0, 2, 3, 5, 6]] != 0).all()
    gradients = torch.autograd.grad(output.square().sum(), tensors)
    assert all(gradient.isfinite().all() for gradient in gradients)
    assert (gradients[0][:, :, [1, 4]] == 0).all()  # a blind query has no say
    assert (gradients[2][:, :, 6:10] == 0).all()  # a key that nobody sees gets nothing


def test_all_blind_is_all_zero():
    mask = torch.zeros(QUERIES, KEYS, dtype=torch.bool)
    for twin in (definition, fused_attention):
        output, *gradients = with_gradients(lambda *t, twin=twin: twin(*t, mask=mask), draw())
        assert all((tensor == 0).all() for tensor in (output, *gradients))


def test_weights_of_a_row_sum_to_one_or_to_zero():
    for mask in KINDS.values():
        _, weights = attention(*draw(), mask=mask)
        sums = torch.ones(()) if mask is None else mask.any(-1).double()
        torch.testing.assert_close(
            weights.sum(-1), sums.expand(weights.shape[:-1]).double(), rtol=0, atol=1e-12
        )
        assert (weights >= 0).all()
        if mask is not None:
            assert (weights.masked_select(~mask) == 0).all()


@pytest.mark.parametrize("twin", [definition, fused_attention])
def test_bias_is_added_after_scaling(twin):
    query, key, value = draw()
    bias = torch.log(torch.tensor([1.0, 3.0], dtype=torch.float64))[None]
    zero = torch.zeros(1, D_HEAD, dtype=torch.float64)
    pair = torch.eye(2, dtype=torch.float64)
    output = twin(zero, zero.expand(2, -1), pair, bias=bias)
    torch.testing.assert_close(output, torch.tensor([[0.25, 0.75]], dtype=torch.float64))
    mask = KINDS["causal and padding"]
    expected = definition(query, key, value, mask)
    # The same number for every key of a query changes nothing.
    constant = torch.full((HEADS, QUERIES, KEYS), 2.5, dtype=torch.float64)
    torch.testing.assert_close(twin(query, key, value, mask, constant), expected)


def test_lecture_table():
    # Chapter 2's worked example: scores .2 .1 .1 1 give weights .20 .18 .18 .44.
    query = torch.ones(1, 1, dtype=torch.float64)
    scores = torch.tensor([[0.2], [0.1], [0.1], [1.0]], dtype=torch.float64)
    _, weights = attention(query, scores, scores)
    rounded = [round(weight, 2) for weight in weights[0].tolist()]
    assert rounded == [0.20, 0.18, 0.18, 0.44]


def test_kernel_causal_equals_causal_mask():
    tensors = draw(queries=KEYS)
    expected = definition(*tensors, mask=masks.causal(KEYS))
    torch.testing.assert_close(fused_attention(*tensors, causal=True), expected)


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 2**16), step=st.integers(0, KEYS - 2), size=st.floats(0.1, 100))
@pytest.mark.parametrize("twin", [definition, fused_attention])
def test_the_future_moves_nothing_earlier(twin, seed, step, size):
    query, key, value = (tensor.detach() for tensor in draw(torch.float32, seed, queries=KEYS))
    before = twin(query, key, value, mask=masks.causal(KEYS))
    for tensor in (query, key, value):
        tensor[:, :, step + 1 :] += size
    after = twin(query, key, value, mask=masks.causal(KEYS))
    assert torch.equal(before[:, :, : step + 1], after[:, :, : step + 1])
    assert not torch.equal(before[:, :, step + 1 :], after[:, :, step + 1 :])


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 2**16), order=st.permutations(range(KEYS)))
@pytest.mark.parametrize("twin", [definition, fused_attention])
def test_keys_are_a_set_and_queries_are_independent(twin, seed, order):
    query, key, value = (tensor.detach() for tensor in draw(seed=seed, queries=KEYS))
    expected = twin(query, key, value)
    permuted = twin(query, key[:, :, order], value[:, :, order])
    torch.testing.assert_close(permuted, expected, rtol=0, atol=1e-12)
    torch.testing.assert_close(
        twin(query[:, :, order], key, value), expected[:, :, order], rtol=0, atol=1e-12
    )


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 2**16), length=st.integers(1, KEYS - 1))
@pytest.mark.parametrize("twin", [definition, fused_attention])
def test_padding_changes_nothing(twin, seed, length):
    query, key, value = (tensor.detach() for tensor in draw(seed=seed))
    mask = masks.padding(torch.tensor([length] * BATCH), KEYS)[:, None]
    padded = twin(query, key, value, mask)
    shorter = twin(query, key[:, :, :length], value[:, :, :length])
    torch.testing.assert_close(padded, shorter, rtol=0, atol=1e-12)
    key[:, :, length:], value[:, :, length:] = 1e3, -1e3
    assert torch.equal(twin(query, key, value, mask), padded)
