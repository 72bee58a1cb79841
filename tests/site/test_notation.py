"""The equations of the notation page, computed."""

import math

import torch
from softlookup.layers import masks, positions
from softlookup.layers.attention import attention
from torch import nn

N, D, D_K, D_V = 7, 13, 5, 11


def tokens_and_matrices():
    """Tokens as rows, and the three projections, in double precision."""
    generator = torch.Generator().manual_seed(3)

    def normal(*shape):
        return torch.randn(*shape, generator=generator, dtype=torch.float64)

    return normal(N, D), normal(D, D_K), normal(D, D_K), normal(D, D_V)


def as_rows(mask=None):
    """Attention in this book's convention."""
    X, W_Q, W_K, W_V = tokens_and_matrices()
    return attention(X @ W_Q, X @ W_K, X @ W_V, mask=mask)[0]


def as_columns():
    """The queries, keys and values with tokens as columns."""
    X, W_Q, W_K, W_V = tokens_and_matrices()
    return W_Q.T @ X.T, W_K.T @ X.T, W_V.T @ X.T


def test_columns_and_rows_are_one_computation():
    Q, K, V = as_columns()
    columns = V @ torch.softmax(K.T @ Q / math.sqrt(D_K), dim=0)
    torch.testing.assert_close(columns.T, as_rows())


def test_softmax_along_rows_must_be_transposed_before_the_values():
    Q, K, V = as_columns()
    columns = V @ torch.softmax(Q.T @ K / math.sqrt(D_K), dim=1).T
    torch.testing.assert_close(columns.T, as_rows())


def test_to_the_letter_the_keys_ask():
    Q, K, V = as_columns()
    X, W_Q, W_K, W_V = tokens_and_matrices()
    literal = V @ torch.softmax(Q.T @ K / math.sqrt(D_K), dim=0)
    exchanged, _ = attention(X @ W_K, X @ W_Q, X @ W_V)
    torch.testing.assert_close(literal.T, exchanged)
    assert not torch.allclose(literal.T, as_rows(), atol=0.1)


def test_to_the_letter_the_mask_shows_the_future():
    Q, K, _ = as_columns()
    additive = masks.to_additive(masks.causal(N), dtype=torch.float64)
    weights = torch.softmax(Q.T @ K / math.sqrt(D_K) + additive, dim=0)
    # Output i takes column i of the weights: it is made of the tokens from i on.
    assert torch.equal(weights > 0, torch.ones(N, N, dtype=torch.bool).tril())
    assert bool((weights[3:, 2] > 0).all())
    assert not bool((weights[:2, 2] > 0).any())


def test_subsets_and_masks_say_the_same():
    X, W_Q, W_K, W_V = tokens_and_matrices()
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    subsets = [{0, 2}, {1}, {0, 1, 2}, {6}, {3, 4, 5}, {2, 5}, {0, 6}]
    expected = []
    for i, subset in enumerate(subsets):
        keys = sorted(subset)
        exponentials = [math.exp(float(Q[i] @ K[j]) / math.sqrt(D_K)) for j in keys]
        total = sum(exponentials)
        expected.append(sum(e / total * V[j] for e, j in zip(exponentials, keys, strict=True)))
    torch.testing.assert_close(torch.stack(expected), as_rows(masks.subset(subsets, N)))


def test_pytorch_stores_the_transpose():
    X, W_Q, _, _ = tokens_and_matrices()
    linear = nn.Linear(D, D_K, bias=False, dtype=torch.float64)
    with torch.no_grad():
        linear.weight.copy_(W_Q.T)
    torch.testing.assert_close(linear(X), X @ W_Q)


def test_the_feed_forward_layer_is_one_computation_too():
    generator = torch.Generator().manual_seed(11)
    X, W_1, W_2, b_1, b_2 = (
        torch.randn(*shape, generator=generator, dtype=torch.float64)
        for shape in ((N, D), (D, D_V), (D_V, D), (D_V,), (D,))
    )
    rows = torch.relu(X @ W_1 + b_1) @ W_2 + b_2
    columns = W_2.T @ torch.relu(W_1.T @ X.T + b_1[:, None]) + b_2[:, None]
    torch.testing.assert_close(columns.T, rows)


def test_sinusoids_are_as_printed():
    table = positions.sinusoidal(N, 10)
    for position in range(N):
        for pair in range(5):
            angle = position / 10000 ** (2 * pair / 10)
            assert abs(float(table[position, 2 * pair]) - math.sin(angle)) < 1e-6
            assert abs(float(table[position, 2 * pair + 1]) - math.cos(angle)) < 1e-6


def test_concatenated_heads_are_a_sum_of_heads():
    generator = torch.Generator().manual_seed(5)
    heads = [torch.randn(N, D_K, generator=generator, dtype=torch.float64) for _ in range(3)]
    W_O = torch.randn(3 * D_K, D, generator=generator, dtype=torch.float64)
    blocks = W_O.split(D_K)
    added = sum(head @ block for head, block in zip(heads, blocks, strict=True))
    torch.testing.assert_close(torch.cat(heads, dim=-1) @ W_O, added)


def test_torch_reads_its_two_boolean_masks_in_opposite_senses():
    generator = torch.Generator().manual_seed(7)
    x = torch.randn(1, N, 10, generator=generator)
    module = nn.MultiheadAttention(10, 1, batch_first=True, bias=False).eval()
    with torch.no_grad():
        module.out_proj.weight.copy_(torch.eye(10))
    mask = masks.causal(N)
    _, weights = module(x, x, x, attn_mask=masks.to_torch_multihead(mask))
    assert torch.equal(weights[0] > 0, mask)
    query, key, value = (x @ w.T for w in module.in_proj_weight.chunk(3))
    fused = nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
    attended, _ = module(x, x, x, attn_mask=masks.to_torch_multihead(mask))
    torch.testing.assert_close(fused, attended)
