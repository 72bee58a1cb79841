"""BERT: an encoder of PyTorch's own behind its embeddings, and what masks and segments do."""

import pytest
import torch
import torch.nn.functional as F
import torch_twins
from softlookup.layers import masks
from softlookup.models.bert import BERT, BERTConfig
from torch import nn

BATCH, LENGTH = 3, 11
CONFIG = {
    "vocab_size": 23,
    "max_length": 17,
    "d_model": 10,
    "n_heads": 5,
    "d_ff": 13,
    "n_layers": 2,
    "n_segments": 3,
}


def make(dtype=torch.float64, **choices):
    model = BERT(BERTConfig(**(CONFIG | choices))).to(dtype)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.mul_(0.5 / parameter.std())
    return torch_twins.scatter_norms_and_biases(model).eval()


def draw(generator):
    tokens = torch.randint(CONFIG["vocab_size"], (BATCH, LENGTH), generator=generator)
    return tokens, torch.randint(CONFIG["n_segments"], (BATCH, LENGTH), generator=generator)


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-5), (torch.float64, 1e-10)])
def test_agrees_with_pytorch(dtype, tolerance, generator):
    ours = make(dtype, epsilon=0.01)
    block = nn.TransformerEncoderLayer(
        10, 5, 13, dropout=0.0, activation="gelu", layer_norm_eps=0.01, batch_first=True
    )
    theirs = nn.TransformerEncoder(block, 2, enable_nested_tensor=False).to(dtype)
    theirs.load_state_dict(torch_twins.stack(ours.stack))
    tokens, segments = draw(generator)
    mask = masks.padding(torch.tensor([11, 7, 2]), LENGTH)
    x = ours.embedding.table[tokens] + ours.positions.table[:LENGTH]
    x = x + ours.segment_embedding.table[segments]
    x = F.layer_norm(x, (10,), ours.norm.weight, ours.norm.bias, 0.01)
    expected = theirs(x, src_key_padding_mask=masks.to_torch_multihead(mask[:, 0]))
    states = ours(tokens, mask, segments)
    assert states.std() > 0.5
    torch.testing.assert_close(states, expected, rtol=tolerance, atol=tolerance)
    pooled = torch.tanh(expected[:, 0] @ ours.pooler.weight.T + ours.pooler.bias)
    torch.testing.assert_close(ours.pool(states), pooled, rtol=tolerance, atol=tolerance)


@torch.no_grad()
def test_what_is_masked_moves_nothing_and_what_is_not_does(generator):
    model, (tokens, segments) = make(), draw(generator)
    mask = masks.padding(torch.tensor([7, 7, 7]), LENGTH)
    changed = tokens.clone()
    changed[:, 7:] = (changed[:, 7:] + 5) % CONFIG["vocab_size"]
    before, after = (model(one, mask, segments)[:, :7] for one in (tokens, changed))
    assert torch.equal(before, after)
    # In both directions: without the mask even the first token sees the last.
    before, after = (model(one, None, segments)[:, 0] for one in (tokens, changed))
    assert ((before - after).abs().amax(dim=1) > 1e-3).all()


@torch.no_grad()
def test_segments_and_order_are_seen(generator):
    model, (tokens, segments) = make(), draw(generator)
    first = torch.zeros_like(tokens)
    assert torch.equal(model(tokens), model(tokens, None, first))
    assert (model(tokens) - model(tokens, None, segments)).abs().max() > 1e-3
    swapped = tokens[:, [1, 0, *range(2, LENGTH)]]
    assert (model(tokens)[:, -1] - model(swapped)[:, -1]).abs().max() > 1e-6


def test_bert_base_has_its_number_of_parameters():
    sizes = {
        "tiny": (128, 2, 2, 4_385_920),
        "base": (768, 12, 12, 109_482_240),
        "large": (1024, 16, 24, 335_141_888),
    }
    for d_model, n_heads, n_layers, count in sizes.values():
        with torch.device("meta"):
            model = BERT(BERTConfig(30522, 512, d_model, n_heads, 4 * d_model, n_layers))
        assert sum(parameter.numel() for parameter in model.parameters()) == count


def test_starts_as_its_authors_start():
    model = BERT(BERTConfig(997, 101, 128, 4, 211, 3))
    for parameter in model.parameters():
        if parameter.dim() > 1:
            assert parameter.std().item() == pytest.approx(0.02, rel=0.15)
    projection = model.stack.blocks[2].feed_forward.inner_projection
    assert (projection.bias == 0).all()
    assert projection.weight.abs().max() <= 0.04
    assert model.norm.eps == 1e-12


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda model, tokens: model(tokens + 23), "the tokens run from 23 to 23; expected 0"),
        (lambda model, tokens: model(tokens[:, :0]), r"shape \(3, 0\)"),
        (lambda model, tokens: model(tokens.repeat(1, 2)), "22 tokens; expected at most 17"),
        (
            lambda model, tokens: model(tokens, None, tokens + 3),
            "the segments run from 3 to 3; expected 0 to 2",
        ),
        (lambda model, tokens: model(tokens, None, tokens - 1), "the segments run from -1 to -1"),
        (
            lambda model, tokens: model(tokens, None, tokens[:, 1:]),
            r"the segments have shape \(3, 10\); expected \(3, 11\)",
        ),
        (
            lambda model, tokens: model(tokens, torch.ones(3, 11, dtype=torch.bool)),
            r"the mask has shape \(3, 11\)",
        ),
        (lambda _, tokens: make(pooler=False).pool(torch.zeros(3, 11, 10)), "has no pooler"),
    ],
)
def test_refuses(call, words):
    with pytest.raises(ValueError, match=words):
        call(make(torch.float32), torch.zeros(BATCH, LENGTH, dtype=torch.long))
