"""Attention by blocks is attention: in value, in gradient, and with far less alive at a time."""

import functools
import itertools

import pytest
import torch
from properties import given, st
from softlookup.alternatives.blockwise_attention import (
    attend_block,
    block_gradients,
    blockwise_attention,
    merge,
)
from softlookup.course.costs import multiplications, peak_memory
from softlookup.layers import masks
from softlookup.layers.attention import attention

BATCH, HEADS, QUERIES, KEYS, WIDTH, VALUES = 3, 5, 7, 11, 13, 17


def draw(queries=QUERIES, keys=KEYS, dtype=torch.float64, scale=1.0):
    shapes = ((queries, WIDTH), (keys, WIDTH), (keys, VALUES))
    tensors = [scale * torch.randn(BATCH, HEADS, *shape, dtype=dtype) for shape in shapes]
    return [tensor.requires_grad_() for tensor in tensors]


def close(one, other):
    torch.testing.assert_close(one, other, rtol=1e-11, atol=1e-12)


PADDING = masks.padding(torch.tensor([0, 4, KEYS]), KEYS)[:, None]
CASES = {
    "no mask": (QUERIES, None, False),
    "causal": (KEYS, None, True),
    "padding, with a sequence that is empty": (QUERIES, PADDING, False),
    "causal and padding": (KEYS, PADDING, True),
    "a window": (KEYS, masks.sliding_window(KEYS, 3), False),
    "the future alone, which leaves the last row empty": (KEYS, ~masks.causal(KEYS), False),
    "causal and the future alone: nothing": (KEYS, ~masks.causal(KEYS), True),
}


@pytest.mark.parametrize("block_size", [1, 2, 3, 5, 11, 64])
@pytest.mark.parametrize("case", CASES)
def test_value_and_gradient_are_those_of_the_definition(case, block_size):
    queries, mask, causal = CASES[case]
    tensors = draw(queries)
    whole = masks.causal(KEYS) if causal else torch.ones(queries, KEYS, dtype=torch.bool)
    expected, _ = attention(*tensors, whole if mask is None else whole & mask)
    got = blockwise_attention(*tensors, mask, causal=causal, block_size=block_size)
    close(got, expected)
    arriving = torch.randn_like(expected)
    gradients = torch.autograd.grad(got, tensors, arriving)
    for one, other in zip(gradients, torch.autograd.grad(expected, tensors, arriving), strict=True):
        close(one, other)


def test_the_gradients_of_a_block_are_those_of_attention_if_it_is_the_only_one():
    query, key, value = draw()
    whole = attend_block(query, key, value, PADDING)
    expected, _ = attention(query, key, value, PADDING)
    arriving = torch.randn_like(expected)
    common = (arriving * expected).sum(-1)
    got = block_gradients(query, key, value, PADDING, arriving, whole.maximum, whole.total, common)
    theirs = torch.autograd.grad(expected, (query, key, value), arriving)
    for one, other in zip(got, theirs, strict=True):
        close(one, other)


def test_the_gradient_is_that_of_finite_differences():
    generator = torch.Generator().manual_seed(7)
    tensors = [
        torch.randn(5, 3, dtype=torch.float64, generator=generator, requires_grad=True)
        for _ in range(3)
    ]
    assert torch.autograd.gradcheck(
        functools.partial(blockwise_attention, causal=True, block_size=2), tensors
    )


def test_large_scores_neither_overflow_nor_vanish():
    tensors = draw(dtype=torch.float32, scale=40.0)
    got = blockwise_attention(*tensors, block_size=2)
    expected, _ = attention(*tensors)
    assert got.isfinite().all()
    torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-3)


@given(order=st.permutations(range(4)), cut=st.sampled_from([1, 2, 3, 5]))
def test_partials_merge_in_any_order_and_in_any_bracketing(order, cut):
    query, key, value = draw()
    parts = [
        attend_block(query, k, v) for k, v in zip(key.split(3, 2), value.split(3, 2), strict=True)
    ]
    assert len(parts) == 4
    shuffled = [parts[place] for place in order]
    left = functools.reduce(merge, shuffled)
    right = merge(
        functools.reduce(merge, shuffled[: 1 + cut % 3]),
        functools.reduce(merge, shuffled[1 + cut % 3 :]),
    )
    expected, _ = attention(query, key, value)
    for merged in (left, right):
        close(merged.output(), expected)
        close(merged.maximum + merged.total.log(), _log_of_total(query, key))


def _log_of_total(query, key):
    return torch.logsumexp(query @ key.transpose(-2, -1) / WIDTH**0.5, dim=-1)


def test_a_block_without_any_key_to_see_changes_nothing():
    query, key, value = draw()
    seen = attend_block(query, key, value)
    nothing = attend_block(query, key, value, torch.zeros(QUERIES, KEYS, dtype=torch.bool))
    assert torch.equal(nothing.output(), torch.zeros_like(nothing.output()))
    for merged in (merge(seen, nothing), merge(nothing, seen)):
        close(merged.output(), seen.output())


def test_the_future_does_not_move_the_past_by_a_bit():
    tensors = [tensor.detach() for tensor in draw(KEYS)]
    before = blockwise_attention(*tensors, causal=True, block_size=4)
    for place in range(1, KEYS):
        changed = [tensor.clone() for tensor in tensors]
        for tensor in changed:
            tensor[:, :, place:] += 1.0
        after = blockwise_attention(*changed, causal=True, block_size=4)
        assert torch.equal(after[:, :, :place], before[:, :, :place])
        assert not torch.equal(after, before)


def trained_on(function, length):
    tensors = [torch.randn(1, 1, length, 16, requires_grad=True) for _ in range(3)]
    return lambda: function(*tensors).sum().backward()


def test_memory_grows_with_the_length_and_not_with_its_square():
    by_blocks = functools.partial(blockwise_attention, block_size=32)
    whole = lambda *tensors: attention(*tensors)[0]  # noqa: E731
    for function, least, most in ((by_blocks, 1.5, 2.3), (whole, 3.6, 4.1)):
        small, large = (peak_memory(trained_on(function, length)) for length in (256, 512))
        assert least < large / small < most


def test_causal_skips_the_blocks_of_the_future():
    tensors = [torch.randn(64, 16) for _ in range(3)]
    whole, causal = (
        multiplications(lambda: blockwise_attention(*tensors, causal=causal, block_size=8))  # noqa: B023
        for causal in (False, True)
    )
    assert causal * 16 == whole * 9  # 36 of 64 blocks


@pytest.mark.parametrize(
    ("shapes", "options", "words"),
    [
        (((7, 13), (11, 17), (11, 5)), {}, "query has width 13 and key has width 17"),
        (((7, 13), (11, 13), (5, 3)), {}, "there are 11 keys and 5 values"),
        (((7, 13), (0, 13), (0, 3)), {}, "there are 0 keys and 0 values"),
        (((7, 13), (11, 13), (11, 5)), {"causal": True}, "with 7 queries and 11 keys"),
        (((7, 13), (11, 13), (11, 5)), {"block_size": 0}, "block_size is 0"),
        (
            ((7, 13), (11, 13), (11, 5)),
            {"mask": torch.ones(5, 11, dtype=torch.bool)},
            r"the mask has shape \(5, 11\)",
        ),
        (
            ((7, 13), (11, 13), (11, 5)),
            {"mask": torch.ones(7, 11)},
            "the mask has dtype torch.float32",
        ),
    ],
)
def test_bad_input_is_refused_in_words(shapes, options, words):
    with pytest.raises((ValueError, TypeError), match=words):
        blockwise_attention(*itertools.starmap(torch.zeros, shapes), **options)
