"""Linear attention with a gate: a whole text at once, and token by token."""

import pytest
import torch
from softlookup.alternatives.gated_linear_attention import gated_linear_attention
from softlookup.alternatives.linear_attention import linear_attention, positive_features

BATCH, HEADS, LENGTH, WIDTH, VALUES = 2, 3, 11, 5, 7


def draw():
    widths = (WIDTH, WIDTH, VALUES)
    tensors = [torch.randn(BATCH, HEADS, LENGTH, width, dtype=torch.float64) for width in widths]
    return [*tensors, torch.rand(BATCH, HEADS, LENGTH, dtype=torch.float64).log()]


def close(one, other):
    torch.testing.assert_close(one, other, rtol=1e-11, atol=1e-12)


def test_all_at_once_is_token_by_token():
    query, key, value, log_gate = draw()
    state = torch.zeros(BATCH, HEADS, WIDTH, VALUES, dtype=torch.float64)
    total = torch.zeros(BATCH, HEADS, WIDTH, dtype=torch.float64)
    outputs = []
    for place in range(LENGTH):
        gate = log_gate[..., place].exp()
        phi = positive_features(key[..., place, :])
        added = torch.einsum("bhk,bhv->bhkv", phi, value[..., place, :])
        state = gate[..., None, None] * state + added
        total = gate[..., None] * total + phi
        asked = positive_features(query[..., place, :])
        answer = torch.einsum("bhkv,bhk->bhv", state, asked)
        outputs.append(answer / torch.einsum("bhk,bhk->bh", total, asked)[..., None])
    close(gated_linear_attention(query, key, value, log_gate), torch.stack(outputs, dim=-2))


def test_with_open_gates_it_is_linear_attention():
    query, key, value, log_gate = draw()
    open_gates = torch.zeros_like(log_gate)
    close(
        gated_linear_attention(query, key, value, open_gates), linear_attention(query, key, value)
    )


def test_a_closed_gate_forgets_all_that_came_before():
    query, key, value, log_gate = draw()
    log_gate[..., 4] = -torch.inf
    whole = gated_linear_attention(query, key, value, log_gate.clamp(min=-1e4))
    rest = (tensor[:, :, 4:] for tensor in (query, key, value, log_gate.clamp(min=-1e4)))
    close(whole[:, :, 4:], gated_linear_attention(*rest))


def test_the_future_changes_nothing():
    tensors = draw()
    before = gated_linear_attention(*tensors)
    for tensor in tensors:
        tensor[:, :, 6:] = -torch.rand_like(tensor[:, :, 6:])
    assert (gated_linear_attention(*tensors)[:, :, :6] == before[:, :, :6]).all()


def test_gradients_are_finite_in_a_long_text_with_small_gates():
    query, key, value = (torch.randn(1, 1, 400, 3, requires_grad=True) for _ in range(3))
    log_gate = torch.full((1, 1, 400), -5.0, requires_grad=True)
    gated_linear_attention(query, key, value, log_gate).sum().backward()
    assert all(tensor.grad.isfinite().all() for tensor in (query, key, value, log_gate))


def test_its_gradient_is_that_of_finite_differences():
    tensors = [tensor[0, 0, :5].clone().requires_grad_() for tensor in draw()]
    assert torch.autograd.gradcheck(gated_linear_attention, tensors)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda q, k, v, g: (q[..., :4], k, v, g), "expected the same"),
        (lambda q, k, v, g: (q, k, v[..., :6, :], g), "values"),
        (lambda q, k, v, g: (q, k, v, g[..., :6]), "11 keys and 6 gates"),
    ],
)
def test_what_does_not_fit_is_refused(change, message):
    with pytest.raises((ValueError, TypeError), match=message):
        gated_linear_attention(*change(*draw()))
