"""Linear attention by chunks, by tokens and by definition; the window without its square."""

import pytest
import torch
from softlookup.alternatives.linear_attention import (
    linear_attention,
    positive_features,
    step,
    window_attention,
)
from softlookup.course.costs import multiplications, peak_memory
from softlookup.layers import masks
from softlookup.layers.attention import attention

BATCH, HEADS, LENGTH, WIDTH, VALUES = 2, 3, 11, 5, 7


def draw():
    widths = (WIDTH, WIDTH, VALUES)
    return [torch.randn(BATCH, HEADS, LENGTH, width, dtype=torch.float64) for width in widths]


def close(one, other):
    torch.testing.assert_close(one, other, rtol=1e-11, atol=1e-12)


def by_definition(query, key, value, features=positive_features):
    weights = (features(query) @ features(key).transpose(-2, -1)) * masks.causal(LENGTH)
    return weights / weights.sum(-1, keepdim=True) @ value


@pytest.mark.parametrize("chunk_size", [1, 2, 3, 4, 11, 64])
def test_chunks_change_nothing(chunk_size):
    tensors = draw()
    close(linear_attention(*tensors, chunk_size=chunk_size), by_definition(*tensors))


def test_token_by_token_is_the_same_with_a_state_that_does_not_grow():
    tensors = draw()
    expected, state = by_definition(*tensors), None
    for place in range(LENGTH):
        output, state = step(*(tensor[..., place, :] for tensor in tensors), state)
        close(output, expected[..., place, :])
        assert state.shape == (BATCH, HEADS, WIDTH, VALUES + 1)


def test_other_features_of_another_width():
    def features(x):
        return torch.cat((x.exp(), (-x).exp()), dim=-1)

    tensors = draw()
    close(
        linear_attention(*tensors, features=features, chunk_size=4),
        by_definition(*tensors, features),
    )
    output, state = step(*(tensor[..., 0, :] for tensor in tensors), features=features)
    close(output, tensors[2][..., 0, :])
    assert state.size(-2) == 2 * WIDTH


def test_the_features_are_above_zero_and_grow():
    x = torch.linspace(-9, 9, 101)
    assert (positive_features(x) > 0).all()
    assert (positive_features(x).diff() > 0).all()
    torch.testing.assert_close(
        positive_features(torch.tensor([-1.0, 0.0, 2.0])), torch.tensor([0.36787944, 1.0, 3.0])
    )


@pytest.mark.parametrize("window", [1, 2, 3, 5, 11, 13])
def test_the_window_gives_what_its_mask_gives(window):
    tensors = draw()
    expected, _ = attention(*tensors, masks.sliding_window(LENGTH, window))
    close(window_attention(*tensors, window), expected)


@pytest.mark.parametrize(
    "function",
    [lambda *t: linear_attention(*t, chunk_size=4), lambda *t: window_attention(*t, 3)],
    ids=["linear", "window"],
)
def test_the_future_does_not_move_the_past(function):
    tensors = draw()
    before = function(*tensors)
    for place in range(1, LENGTH):
        changed = [tensor.clone() for tensor in tensors]
        for tensor in changed:
            tensor[..., place:, :] += 1.0
        after = function(*changed)
        assert torch.equal(after[..., :place, :], before[..., :place, :])
        assert not torch.equal(after[..., place:, :], before[..., place:, :])


def test_gradients_are_numbers_and_right():
    tensors = [tensor[0, 0, :5, :3].clone().requires_grad_() for tensor in draw()]
    assert torch.autograd.gradcheck(lambda *t: linear_attention(*t, chunk_size=2), tensors)


def test_the_cost_of_linear_attention_is_linear():
    counts = []
    for length in (512, 1024):
        tensors = [torch.randn(1, 1, length, 16) for _ in range(3)]
        counts.append(multiplications(lambda: linear_attention(*tensors)))  # noqa: B023
    assert counts[1] == 2 * counts[0]


@pytest.mark.parametrize("leading", [(), (3,), (2, 3), (2, 3, 5)])
def test_the_window_takes_any_axes_in_front(leading):
    query, key, value = torch.randn(3, *leading, LENGTH, WIDTH, dtype=torch.float64)
    expected, _ = attention(query, key, value, masks.sliding_window(LENGTH, 4))
    close(window_attention(query, key, value, 4), expected)


def test_the_window_goes_through_the_fused_kernel():
    query, key, value = torch.randn(3, 1, 1, 1024, 64)
    with torch.no_grad():
        used = peak_memory(lambda: window_attention(query, key, value, 64))
    weights = 4 * 1024 * 128  # those of all blocks; the unfused path holds them several times
    inputs = 4 * 1024 * 64 * (1 + 2 + 2)
    assert used < inputs + 2 * weights


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda q, k, v: linear_attention(q, k[..., :4], v), "and the keys"),
        (lambda q, k, v: linear_attention(q[..., :5, :], k, v), "expected the same"),
        (lambda q, k, v: linear_attention(q, k, v[..., :5, :]), "11 keys and 5 values"),
        (lambda q, k, v: linear_attention(q, k, v, chunk_size=0), "chunk_size is 0"),
        (lambda q, k, v: window_attention(q, k, v, 0), "window is 0; expected at least 1"),
        (lambda q, k, v: window_attention(q, k, v[..., :5, :], 2), "11 keys and 5 values"),
    ],
)
def test_bad_input_is_refused_in_words(call, words):
    with pytest.raises((ValueError, TypeError), match=words):
        call(*draw())
