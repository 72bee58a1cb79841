"""The parts of today's blocks: each stands where it was asked for, with the config's choices."""

import pytest
import torch
import torch_twins
from softlookup.layers.block_parts import (
    grouped_query,
    normed_query_key,
    rms_norm,
    swiglu,
    without_biases,
)
from softlookup.layers.blocks import BlockConfig, layer_norm, make_block, multi_head, two_layers
from softlookup.layers.decoder_blocks import make_decoder_block
from softlookup.layers.feed_forward import SwiGLU
from softlookup.layers.grouped_query import GroupedQueryAttention, NormedQueryKeyAttention
from softlookup.layers.multi_head import KeyValueCache
from softlookup.layers.normalization import RMSNorm
from softlookup.layers.positions import rotate_halves
from softlookup.layers.stacks import Decoder, Stack
from softlookup.layers.visibility import CAUSAL
from torch import nn

BATCH, HEADS, SHARED, LENGTH, D_MODEL, D_FF, D_HEAD, EPSILON = 3, 6, 2, 7, 12, 17, 4, 0.03
TODAY = {"make_attention": grouped_query(SHARED), "make_network": swiglu, "make_norm": rms_norm}


def config(**choices):
    return BlockConfig(
        D_MODEL, HEADS, D_FF, epsilon=EPSILON, rotate_positions=rotate_halves, **choices
    )


def draw(seed=1):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(BATCH, LENGTH, D_MODEL, generator=generator, dtype=torch.float64)


def test_a_block_of_today_is_the_formula_of_its_parts():
    block = torch_twins.scatter_norms_and_biases(make_block(config(**TODAY)).double())
    norms = []
    for name in ("norm_1", "norm_2"):
        norms.append(RMSNorm(D_MODEL, EPSILON).double())
        norms[-1].load_state_dict(getattr(block, name).state_dict())
    attend = GroupedQueryAttention(D_MODEL, HEADS, SHARED, rotate_positions=rotate_halves).double()
    attend.load_state_dict(block.self_attention.state_dict())
    think = SwiGLU(D_MODEL, D_FF).double()
    think.load_state_dict(block.feed_forward.state_dict())
    x = draw()
    expected = x + attend(norms[0](x), CAUSAL)
    expected = expected + think(norms[1](expected))
    torch.testing.assert_close(block(x, CAUSAL), expected, rtol=0, atol=1e-12)
    assert [name for name, _ in block.named_parameters() if "bias" in name] == []


@torch.no_grad()
def test_a_stack_of_them_has_their_norm_last_and_takes_caches_of_shared_heads():
    stack, x = Stack(2, config(**TODAY)).double(), draw()
    assert isinstance(stack.final_norm, nn.RMSNorm)
    assert stack.final_norm.eps == EPSILON
    expected = stack(x, CAUSAL)
    caches = [
        KeyValueCache(BATCH, SHARED, LENGTH, D_MODEL // HEADS, torch.float64) for _ in range(2)
    ]
    parts = [stack(x[:, start : start + 1], CAUSAL, caches) for start in range(LENGTH)]
    torch.testing.assert_close(torch.cat(parts, 1), expected, rtol=0, atol=1e-12)


def test_decoder_blocks_take_them_too():
    decoder = Decoder(1, config(**TODAY))
    block = make_decoder_block(config(**TODAY))
    assert isinstance(block.self_attention, GroupedQueryAttention)
    assert isinstance(block.feed_forward, SwiGLU)
    norms = [block.norm_1, block.norm_2, block.norm_3, decoder.final_norm]
    assert [(type(norm), norm.eps) for norm in norms] == [(nn.RMSNorm, EPSILON)] * 4


def test_attention_has_the_choices_of_its_maker_and_of_the_config():
    for make, kind in (
        (grouped_query, GroupedQueryAttention),
        (normed_query_key, NormedQueryKeyAttention),
    ):
        part = make(SHARED, D_HEAD)(config())
        assert type(part) is kind
        assert (part.n_heads, part.n_key_value_heads) == (HEADS, SHARED)
        assert part.key_projection.out_features == SHARED * D_HEAD
        assert part.rotate_positions is rotate_halves
        assert make(1)(config()).key_projection.out_features == D_MODEL // HEADS
    assert part.query_norm.eps == part.key_norm.eps == EPSILON


def test_in_sixteen_bits_large_tokens_keep_a_length():
    # 300 squared is beyond the largest number of float16, 65,504.
    tokens = torch.full((BATCH, D_MODEL), 300.0, dtype=torch.float16)
    norm = rms_norm(config()).half()
    assert (norm(tokens) == 1).all()


@pytest.mark.parametrize("make", [multi_head, two_layers, layer_norm])
def test_without_biases_is_the_part_with_biases_of_zero(make):
    torch.manual_seed(0)
    whole, bare = make(config()).double(), without_biases(make)(config()).double()
    assert any("bias" in name for name, _ in whole.named_parameters())
    assert not any("bias" in name for name, _ in bare.named_parameters())
    weights = whole.state_dict()
    for name, tensor in weights.items():
        if name.endswith("bias"):
            tensor.zero_()
    bare.load_state_dict({name: t for name, t in weights.items() if not name.endswith("bias")})
    torch.testing.assert_close(bare(draw()), whole(draw()), rtol=0, atol=1e-12)
