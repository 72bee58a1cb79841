"""Blocks: held to torch's layers, with either norm, and to what residual and norm promise."""

import pytest
import torch
import torch_twins
from softlookup.layers import masks
from softlookup.layers.blocks import BlockConfig, PreNormBlock, make_block
from softlookup.layers.decoder_blocks import make_decoder_block
from softlookup.layers.feed_forward import gelu_tanh
from softlookup.layers.visibility import EVERYTHING, Visibility
from torch import nn

BATCH, HEADS, LENGTH, MEMORY, D_MODEL, D_FF = 3, 5, 7, 11, 10, 17
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-10}
OPTIONS = {"dim_feedforward": D_FF, "dropout": 0.0, "batch_first": True}


def config(**choices):
    return BlockConfig(D_MODEL, HEADS, D_FF, **choices)


def draw(length, dtype=torch.float64, seed=1):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(BATCH, length, D_MODEL, generator=generator, dtype=dtype).requires_grad_()


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize(("activation", "name"), [(torch.relu, "relu"), (gelu_tanh, "gelu_tanh")])
def test_block_agrees_with_torch(norm, dtype, activation, name):
    ours = make_block(config(norm=norm, activation=activation)).to(dtype)
    torch_twins.scatter_norms_and_biases(ours)
    torchs = torch.relu if name == "relu" else nn.GELU(approximate="tanh")
    twin = nn.TransformerEncoderLayer(
        D_MODEL, HEADS, activation=torchs, norm_first=norm == "pre", dtype=dtype, **OPTIONS
    )
    twin.load_state_dict(torch_twins.block(ours))
    mask = masks.padding(torch.tensor([7, 1, 4]), LENGTH)
    x, copy = draw(LENGTH, dtype), draw(LENGTH, dtype)
    output = ours(x, Visibility(mask, causal=True))
    expected = twin(
        copy,
        src_mask=masks.to_torch_multihead(masks.causal(LENGTH)),
        src_key_padding_mask=masks.to_torch_multihead(mask[:, 0]),
    )
    compare(ours, twin, output, expected, [(x, copy)], TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("norm", ["pre", "post"])
def test_decoder_block_agrees_with_torch(norm, dtype):
    ours = make_decoder_block(config(norm=norm)).to(dtype)
    torch_twins.scatter_norms_and_biases(ours)
    twin = nn.TransformerDecoderLayer(
        D_MODEL, HEADS, norm_first=norm == "pre", dtype=dtype, **OPTIONS
    )
    twin.load_state_dict(torch_twins.block(ours))
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
    direction = draw(LENGTH, output.dtype, seed=3).detach()
    (output * direction).sum().backward()
    (expected * direction).sum().backward()
    for mine, theirs in inputs:
        torch.testing.assert_close(mine.grad, theirs.grad, rtol=tolerance, atol=tolerance)
    expected_gradients = torch_twins.block(ours, torch_twins.gradients)
    torch_twins.assert_same_gradients(expected_gradients, twin, tolerance)


def test_decoder_block_is_causal_unless_told_otherwise():
    block, x, memory = make_decoder_block(config()).double(), draw(LENGTH), draw(MEMORY)
    changed = x.detach().clone()
    changed[:, 4:] *= -1
    assert torch.equal(block(x, memory)[:, :4], block(changed, memory)[:, :4])
    seen = block(x, memory, EVERYTHING) - block(changed, memory, EVERYTHING)
    assert (seen[:, :4].abs().amax((0, 2)) > 1e-6).all()


class Threefold(nn.Module):
    """In place of attention or of the feed-forward network, so that the formula shows."""

    def forward(self, x, **_):
        return 3 * x


@pytest.mark.parametrize("residual", [False, True])
@pytest.mark.parametrize("norm", ["pre", "post"])
def test_where_norm_and_residual_stand(norm, residual):
    block = make_block(config(norm=norm, residual=residual, epsilon=0.3)).double()
    torch_twins.scatter_norms_and_biases(block)
    block.self_attention = block.feed_forward = Threefold()

    def formula(x, parameters):
        def z(tokens):
            spread = torch.sqrt(tokens.var(-1, correction=0, keepdim=True) + 0.3)
            scaled = (tokens - tokens.mean(-1, keepdim=True)) / spread
            return scaled * parameters.weight + parameters.bias

        return {
            ("pre", True): x + 3 * z(x),
            ("pre", False): 3 * z(x),
            ("post", True): z(x + 3 * x),
            ("post", False): z(3 * x),
        }[norm, residual]

    x = draw(LENGTH)
    expected = formula(formula(x, block.norm_1), block.norm_2)
    torch.testing.assert_close(block(x), expected)


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_where_norms_and_residuals_of_a_decoder_block_stand(norm):
    block = make_decoder_block(config(norm=norm, epsilon=0.3)).double()
    torch_twins.scatter_norms_and_biases(block)
    block.self_attention = block.feed_forward = Threefold()
    x, memory = draw(LENGTH), draw(MEMORY, seed=2)

    def step(x, norm_of_part, part):
        return x + part(norm_of_part(x)) if norm == "pre" else norm_of_part(x + part(x))

    expected = step(x, block.norm_1, lambda y: 3 * y)
    expected = step(expected, block.norm_2, lambda y: block.cross_attention(y, memory))
    expected = step(expected, block.norm_3, lambda y: 3 * y)
    torch.testing.assert_close(block(x, memory), expected)


def test_without_residual_the_input_does_not_pass_by():
    x = draw(LENGTH)
    for residual in (True, False):
        block = make_block(config(residual=residual)).double()
        for part in (block.self_attention, block.feed_forward):
            nn.init.zeros_(part.output_projection.weight)
            nn.init.zeros_(part.output_projection.bias)
        expected = x if residual else torch.zeros_like(x)
        assert torch.equal(block(x), expected)


class Ones(nn.Module):
    def forward(self, x, **_):
        return torch.ones_like(x)


@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("residual", [False, True])
def test_dropout_drops_what_the_parts_give_and_only_in_training(norm, residual):
    block = make_block(BlockConfig(503, 1, 1, norm, residual, dropout=0.3))
    block.self_attention = block.feed_forward = Ones()
    calls = []
    block.dropout.register_forward_hook(lambda _, given, output: calls.append((*given, output)))
    # A stream of another size than what the parts give, so that dropping it would show.
    x = torch.full((3, 7, 503), 7.0)
    for share in (0.3, 0.0):
        calls.clear()
        block.train(share > 0)(x)
        assert len(calls) == 2
        for given, output in calls:
            assert (given == 1).all()
            assert (output == 0).float().mean().item() == pytest.approx(share, abs=0.02)


def test_a_class_refuses_the_config_of_another():
    with pytest.raises(ValueError, match=r"PreNormBlock was given norm='post' .* or another class"):
        PreNormBlock(config(norm="post"))
    with pytest.raises(ValueError, match="given norm='pre' and residual=False; expected norm='pr"):
        make_decoder_block(config(residual=False))
