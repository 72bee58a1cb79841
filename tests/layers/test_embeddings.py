"""Token embeddings: a lookup on the way in, and the same table as scores on the way out."""

import pytest
import torch
from softlookup.layers.embeddings import TokenEmbedding
from torch import nn


def test_agrees_with_torch_in_values_and_gradients():
    ours = TokenEmbedding(23, 7, 11, spread=1.0)
    twin = nn.Embedding.from_pretrained(ours.table.detach().clone(), freeze=False)
    tokens = torch.randint(23, (3, 11))
    torch.testing.assert_close(ours(tokens), twin(tokens))
    ours(tokens).square().sum().backward()
    twin(tokens).square().sum().backward()
    torch.testing.assert_close(ours.table.grad, twin.weight.grad)


def test_spread_and_scale():
    module = TokenEmbedding(997, 101, 11, spread=0.02, scale=50.0)
    assert module.table.std().item() == pytest.approx(0.02, rel=0.02)
    tokens = torch.tensor([[996, 0, 3]])
    torch.testing.assert_close(module(tokens)[0], 50 * module.table[[996, 0, 3]])


def test_scores_are_products_with_every_token():
    module = TokenEmbedding(23, 7, 11, spread=1.0, scale=3.0)
    x = torch.randn(3, 5, 7)
    expected = torch.stack([(x * token).sum(-1) for token in module.table], dim=-1)
    torch.testing.assert_close(module.scores(x), expected)


def test_the_table_learns_from_the_scores_too():
    module = TokenEmbedding(23, 7, 11, spread=1.0)
    x, weights = torch.randn(3, 5, 7), torch.randn(3, 5, 23)
    (module.scores(x) * weights).sum().backward()
    torch.testing.assert_close(module.table.grad, torch.einsum("blv,bld->vd", weights, x))
