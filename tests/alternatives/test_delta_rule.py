"""The delta rule: solved for a whole text at once, and written token by token."""

import pytest
import torch
import torch.nn.functional as F
from softlookup.alternatives.delta_rule import delta_rule

BATCH, HEADS, LENGTH, WIDTH, VALUES = 2, 3, 11, 5, 7


def draw():
    widths = (WIDTH, WIDTH, VALUES)
    tensors = [torch.randn(BATCH, HEADS, LENGTH, width, dtype=torch.float64) for width in widths]
    return [*tensors, torch.rand(BATCH, HEADS, LENGTH, dtype=torch.float64)]


def close(one, other):
    torch.testing.assert_close(one, other, rtol=1e-11, atol=1e-12)


def token_by_token(query, key, value, rate):
    query, key = F.normalize(query, dim=-1), F.normalize(key, dim=-1)
    state = torch.zeros(BATCH, HEADS, WIDTH, VALUES, dtype=torch.float64)
    outputs = []
    for place in range(LENGTH):
        k, v = key[..., place, :], value[..., place, :]
        missing = v - torch.einsum("bhkv,bhk->bhv", state, k)
        state = state + torch.einsum("bh,bhk,bhv->bhkv", rate[..., place], k, missing)
        outputs.append(torch.einsum("bhkv,bhk->bhv", state, query[..., place, :]))
    return torch.stack(outputs, dim=-2)


def test_all_at_once_is_token_by_token():
    tensors = draw()
    close(delta_rule(*tensors), token_by_token(*tensors))


def test_at_a_rate_of_one_the_last_key_answers_exactly_whatever_its_length():
    _, key, value, rate = draw()
    close(delta_rule(3 * key, key, value, torch.ones_like(rate)), value)


def test_at_a_rate_of_zero_nothing_is_written():
    query, key, value, rate = draw()
    assert (delta_rule(query, key, value, torch.zeros_like(rate)) == 0).all()


def test_with_keys_at_right_angles_it_only_adds():
    query, value = torch.randn(2, 1, 1, WIDTH, WIDTH, dtype=torch.float64)
    key = torch.linalg.qr(torch.randn(1, 1, WIDTH, WIDTH, dtype=torch.float64))[0]
    ones = torch.ones(1, 1, WIDTH, dtype=torch.float64)
    expected = (F.normalize(query, dim=-1) @ key.mT).tril() @ value
    close(delta_rule(query, key, value, ones), expected)


def test_its_gradient_is_that_of_finite_differences():
    tensors = [tensor[0, 0, :5].clone().requires_grad_() for tensor in draw()]
    assert torch.autograd.gradcheck(delta_rule, tensors)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda q, k, v, r: (q, k[..., :4], v, r), "and the keys"),
        (lambda q, k, v, r: (q, k, v[..., :5, :], r), "11 keys and 5 values"),
        (lambda q, k, v, r: (q, k, v, r[..., :5]), "11 keys and 5 rates"),
    ],
)
def test_bad_input_is_refused_in_words(change, words):
    with pytest.raises((ValueError, TypeError), match=words):
        delta_rule(*change(*draw()))
