"""The maps of a whole model are the weights that its attentions computed with."""

import pytest
import torch
from softlookup.inside.attention_maps import attention_maps
from softlookup.layers import masks
from softlookup.layers.multi_head import attention_weights
from softlookup.layers.visibility import Visibility
from softlookup.models.gpt import GPT, GPTConfig
from softlookup.models.transformer import Transformer, TransformerConfig
from torch import nn


def test_maps_of_an_encoder_decoder():
    model = Transformer(TransformerConfig(19, 23, 13, 10, 5, 17, 2))
    source, target = torch.randint(19, (3, 7)), torch.randint(23, (3, 11))
    mask = masks.padding(torch.tensor([7, 1, 4]), 7)
    maps = attention_maps(model, source, target, mask)
    assert list(maps) == [
        "encoder.blocks.0.self_attention",
        "encoder.blocks.1.self_attention",
        "decoder.blocks.0.self_attention",
        "decoder.blocks.0.cross_attention",
        "decoder.blocks.1.self_attention",
        "decoder.blocks.1.cross_attention",
    ]
    for name, weights in maps.items():
        torch.testing.assert_close(weights.sum(-1), torch.ones(weights.shape[:-1]))
        allowed = mask if weights.size(-1) == 7 else masks.causal(11)[None]
        assert (weights.masked_select(~allowed[:, None]) == 0).all(), name
        assert not weights.requires_grad
    # The first encoder block, by hand.
    block = model.encoder.blocks[0]
    x = block.norm_1(model.source_positions(model.source_embedding(source)))
    expected = attention_weights(block.self_attention, x, visible=Visibility(mask))
    torch.testing.assert_close(maps["encoder.blocks.0.self_attention"], expected)


def test_maps_rebuild_what_the_model_computed():
    model = GPT(GPTConfig(23, 13, 10, 5, 2, positions="alibi"))
    tokens, heard = torch.randint(23, (3, 11)), {}
    attention = model.stack.blocks[1].self_attention
    handle = attention.register_forward_hook(
        lambda module, inputs, output: heard.update(x=inputs[0], output=output)
    )
    weights = attention_maps(model, tokens)["stack.blocks.1.self_attention"]
    handle.remove()
    value = attention.value_projection(heard["x"]).unflatten(-1, (5, 2)).transpose(1, 2)
    rebuilt = attention.output_projection((weights @ value).transpose(1, 2).flatten(2))
    torch.testing.assert_close(rebuilt, heard["output"])


def test_the_model_is_left_as_it_was():
    model = GPT(GPTConfig(23, 13, 10, 5, 2))
    attention_maps(model, torch.randint(23, (3, 11)))
    with pytest.raises(ValueError, match="expected 0 to 22"):
        attention_maps(model, torch.full((3, 11), 23))
    assert not any(module._forward_pre_hooks for module in model.modules())


def test_a_model_without_attention_is_refused():
    with pytest.raises(ValueError, match="Linear called no MultiHeadAttention"):
        attention_maps(nn.Linear(3, 5), torch.zeros(2, 3))
