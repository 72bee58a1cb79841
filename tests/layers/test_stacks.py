"""Stacks: held to nn.TransformerEncoder and nn.TransformerDecoder, with either norm."""

import pytest
import torch
import torch_twins
from softlookup.layers import masks
from softlookup.layers.block_parts import experts, grouped_query, without_biases
from softlookup.layers.blocks import BlockConfig, two_layers
from softlookup.layers.multi_head import KeyValueCache
from softlookup.layers.positions import alibi_bias, rotate
from softlookup.layers.stacks import Decoder, Stack, draw_weights
from softlookup.layers.visibility import Visibility
from torch import nn

LAYERS, BATCH, HEADS, LENGTH, MEMORY, D_MODEL, D_FF = 2, 3, 5, 7, 11, 10, 17
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-10}
OPTIONS = {"dim_feedforward": D_FF, "dropout": 0.0, "batch_first": True}


def config(**choices):
    return BlockConfig(D_MODEL, HEADS, D_FF, **choices)


def draw(length, dtype=torch.float64, seed=1):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(BATCH, length, D_MODEL, generator=generator, dtype=dtype).requires_grad_()


def last_norm(norm, dtype):
    return nn.LayerNorm(D_MODEL, dtype=dtype) if norm == "pre" else None


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("norm", ["pre", "post"])
def test_stack_agrees_with_torch(norm, dtype):
    ours = torch_twins.scatter_norms_and_biases(Stack(LAYERS, config(norm=norm)).to(dtype))
    layer = nn.TransformerEncoderLayer(
        D_MODEL, HEADS, norm_first=norm == "pre", dtype=dtype, **OPTIONS
    )
    twin = nn.TransformerEncoder(
        layer, LAYERS, norm=last_norm(norm, dtype), enable_nested_tensor=False
    )
    twin.load_state_dict(torch_twins.stack(ours))
    mask = masks.padding(torch.tensor([7, 1, 4]), LENGTH)
    x, copy = draw(LENGTH, dtype), draw(LENGTH, dtype)
    output = ours(x, Visibility(mask))
    expected = twin(copy, src_key_padding_mask=masks.to_torch_multihead(mask[:, 0]))
    compare(ours, twin, output, expected, [(x, copy)], TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("norm", ["pre", "post"])
def test_decoder_agrees_with_torch(norm, dtype):
    ours = torch_twins.scatter_norms_and_biases(Decoder(LAYERS, config(norm=norm)).to(dtype))
    layer = nn.TransformerDecoderLayer(
        D_MODEL, HEADS, norm_first=norm == "pre", dtype=dtype, **OPTIONS
    )
    twin = nn.TransformerDecoder(layer, LAYERS, norm=last_norm(norm, dtype))
    twin.load_state_dict(torch_twins.stack(ours))
    mask = masks.padding(torch.tensor([7, 1, 4]), LENGTH)
    memory_mask = masks.padding(torch.tensor([2, 11, 5]), MEMORY)
    x, x_copy = draw(LENGTH, dtype), draw(LENGTH, dtype)
    memory, memory_copy = draw(MEMORY, dtype, 2), draw(MEMORY, dtype, 2)
    output = ours(x, memory, Visibility(mask, causal=True), memory_mask)
    expected = twin(
        x_copy,
        memory_copy,
        tgt_mask=masks.to_torch_multihead(masks.causal(LENGTH)),
        tgt_key_padding_mask=masks.to_torch_multihead(mask[:, 0]),
        memory_key_padding_mask=masks.to_torch_multihead(memory_mask[:, 0]),
    )
    pairs = [(x, x_copy), (memory, memory_copy)]
    compare(ours, twin, output, expected, pairs, TOLERANCE[dtype])


def compare(ours, twin, output, expected, inputs, tolerance):
    torch.testing.assert_close(output, expected, rtol=tolerance, atol=tolerance)
    # Halved, so that float32 gradients stay near one.
    direction = draw(LENGTH, output.dtype, seed=3).detach() / 2
    (output * direction).sum().backward()
    (expected * direction).sum().backward()
    for mine, theirs in inputs:
        torch.testing.assert_close(mine.grad, theirs.grad, rtol=tolerance, atol=tolerance)
    expected_gradients = torch_twins.stack(ours, torch_twins.gradients)
    torch_twins.assert_same_gradients(expected_gradients, twin, tolerance)


@pytest.mark.parametrize("biased", [False, True])
@torch.no_grad()
def test_caches_serve_a_causal_stack(biased):
    stack, x = Stack(LAYERS, config(rotate_positions=rotate)).double(), draw(LENGTH)

    def visible(queries, keys):
        bias = alibi_bias(HEADS, queries, keys).double() if biased else None
        return Visibility(causal=True, bias=bias)

    expected = stack(x, visible(LENGTH, LENGTH))
    for split in range(1, LENGTH):
        caches = [
            KeyValueCache(BATCH, HEADS, LENGTH, D_MODEL // HEADS, torch.float64)
            for _ in range(LAYERS)
        ]
        parts = [stack(x[:, :split], visible(split, split), caches)]
        rest = visible(LENGTH - split, LENGTH)
        parts.append(stack(x[:, split:], rest, caches))
        torch.testing.assert_close(torch.cat(parts, 1), expected, rtol=0, atol=1e-12)


@torch.no_grad()
def test_a_stack_without_positions_does_not_see_order():
    stack, x = Stack(LAYERS, config()).double(), draw(LENGTH)
    order = [3, 1, 6, 0, 2, 5, 4]
    torch.testing.assert_close(stack(x[:, order]), stack(x)[:, order], rtol=0, atol=1e-12)


@pytest.mark.parametrize("stack", [Stack, Decoder])
def test_the_last_norm_has_the_epsilon_of_the_blocks(stack):
    assert stack(LAYERS, config(epsilon=0.3)).final_norm.eps == 0.3


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"make_attention": grouped_query(2), "make_network": experts(5, 2)},
        {"make_network": without_biases(two_layers)},
    ],
)
def test_what_is_added_to_the_stream_is_drawn_smaller(parts):
    torch.manual_seed(0)
    stack = Stack(8, BlockConfig(96, 6, 101, **parts))
    draw_weights(stack, 0.3)
    seen = set()
    for name, layer in stack.named_modules():
        if isinstance(layer, nn.Linear):
            adds = name.endswith("output_projection")
            seen.add(adds)
            # Two a block, so their sum has the variance of one.
            expected = 0.3 / 4 if adds else 0.3
            assert layer.weight.std().item() == pytest.approx(expected, rel=0.15), name
            assert layer.bias is None or (layer.bias == 0).all()
    assert seen == {False, True}
