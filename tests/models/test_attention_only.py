"""Attention alone: held equal to torch's own modules, and drawn as it says."""

import pytest
import torch
import torch.nn.functional as F
from softlookup.models.attention_only import AttentionOnly
from torch import nn
from torch_twins import multi_head, scatter_norms_and_biases

VOCAB, LENGTH, WIDTH, HEADS, LAYERS = 23, 13, 35, 5, 2


@pytest.fixture
def model():
    return AttentionOnly(VOCAB, LENGTH, WIDTH, HEADS, LAYERS, spread=0.3).double()


def test_agrees_with_torch(model):
    scatter_norms_and_biases(model)
    tokens = torch.randint(VOCAB, (3, 11))
    x = F.embedding(tokens, model.embedding.table) + model.positions.table[:11]
    future = torch.ones(11, 11, dtype=torch.bool).triu(1)
    for norm, layer in zip(model.norms, model.layers, strict=True):
        twin = nn.MultiheadAttention(WIDTH, HEADS, batch_first=True).double()
        twin.load_state_dict(multi_head(layer))
        read = F.layer_norm(x, (WIDTH,), norm.weight, norm.bias)
        x = x + twin(read, read, read, attn_mask=future, need_weights=False)[0]
    last = model.final_norm
    x = F.layer_norm(x, (WIDTH,), last.weight, last.bias)
    expected = F.linear(x, model.scores.weight, model.scores.bias)
    torch.testing.assert_close(model(tokens), expected)


def test_tokens_and_positions_start_alike_and_the_layers_with_their_spread():
    model = AttentionOnly(997, 503, 35, 5, 3, spread=0.01)
    assert model.embedding.table.std().item() == pytest.approx(1.0, rel=0.03)
    assert model.positions.table.std().item() == pytest.approx(1.0, rel=0.03)
    for name, parameter in model.layers.named_parameters():
        if name.endswith("weight"):
            assert parameter.std().item() == pytest.approx(0.01, rel=0.1), name
        else:
            assert not parameter.any(), name
