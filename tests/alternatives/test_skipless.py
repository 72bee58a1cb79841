"""Chains without skips: at the start the identity, or of variance one, and free afterwards."""

import math

import pytest
import torch
from softlookup.alternatives import skipless
from softlookup.layers import masks
from softlookup.layers.attention import attention
from softlookup.layers.block_parts import grouped_query, swiglu
from softlookup.layers.blocks import BlockConfig
from softlookup.layers.multi_head import MultiHeadAttention, merge_heads, split_heads
from softlookup.layers.stacks import Stack
from softlookup.layers.visibility import CAUSAL, EVERYTHING, Visibility
from torch import nn

WIDTH, HEADS = 12, 3


@pytest.fixture
def x():
    return torch.randn(5, 7, WIDTH, generator=torch.Generator().manual_seed(15))


@pytest.fixture
def chain():
    torch.manual_seed(16)
    return Stack(3, BlockConfig(WIDTH, HEADS, 2 * WIDTH + 1, residual=False))


def test_a_shaped_chain_begins_as_the_identity(chain, x):
    assert (chain(x) - x).abs().max() > 0.1
    skipless.shape(chain)
    for visible in (EVERYTHING, CAUSAL):
        assert torch.allclose(chain(x, visible), x, atol=1e-5)


def test_a_shaped_chain_is_free_to_leave_the_identity(chain, x):
    skipless.shape(chain)
    chain(x).square().sum().backward()
    for name, parameter in chain.named_parameters():
        assert parameter.requires_grad, name
    attend = chain.blocks[0].self_attention
    assert attend.own.grad.abs().max() > 0
    assert attend.looked.grad.abs().max() > 0
    assert attend.centre.grad.abs().max() > 0
    assert attend.attention.query_projection.weight.grad.abs().max() > 0


@pytest.mark.parametrize("mask", [None, masks.causal(7)])
def test_shaped_weights_are_the_identity_plus_attention_minus_its_centre(x, mask):
    torch.manual_seed(17)
    shaped = skipless.ShapedAttention(MultiHeadAttention(WIDTH, HEADS))
    with torch.no_grad():
        for scale, parameter in zip(
            (0.7, 1.3, 0.4), (shaped.own, shaped.looked, shaped.centre), strict=True
        ):
            parameter.copy_(scale * torch.rand(HEADS, 1, 1))
        shaped.attention.query_projection.reset_parameters()
    query, key, value = (
        split_heads(project(x), HEADS)
        for project in (
            shaped.attention.query_projection,
            shaped.attention.key_projection,
            shaped.attention.value_projection,
        )
    )
    _, found = attention(query, key, value, mask)
    seen = torch.ones(7, 7) if mask is None else mask.float()
    centre = seen / seen.sum(dim=-1, keepdim=True)
    weights = shaped.own * torch.eye(7) + shaped.looked * found - shaped.centre * centre
    expected = shaped.attention.output_projection(merge_heads(weights @ value))
    assert torch.allclose(shaped(x, Visibility(mask=mask)), expected, atol=1e-5)


def test_shaped_attention_takes_no_cache_and_no_bias(x):
    shaped = skipless.ShapedAttention(MultiHeadAttention(WIDTH, HEADS))
    with pytest.raises(ValueError, match="expected neither"):
        shaped(x, Visibility(bias=torch.zeros(7, 7)))


def test_a_turned_chain_keeps_distances_and_no_token(chain, x):
    skipless.turn(chain)
    found = chain(x)
    assert torch.allclose(torch.cdist(found, found), torch.cdist(x, x), atol=1e-4)
    for block in chain.blocks:
        given = block(x)
        assert (given - x).abs().mean() > 0.1
        x = given


def test_a_bias_on_the_diagonal_begins_near_the_identity(chain, x):
    skipless.look_at_itself(chain, 4.0)
    away = x - x.mean(dim=1, keepdim=True)
    left = ((math.exp(4.0) - 1) / (math.exp(4.0) + 6)) ** 3
    assert torch.allclose(chain(x), x.mean(dim=1, keepdim=True) + left * away, atol=1e-5)


def test_looking_for_its_key_begins_as_a_bias_on_the_diagonal(chain):
    torch.manual_seed(19)
    keys, values = nn.Embedding(3, WIDTH), nn.Embedding(5, WIDTH)
    skipless.look_for_its_key(chain, keys, values, 2.5)
    assert all(type(block.self_attention) is MultiHeadAttention for block in chain.blocks)
    texts = torch.stack([torch.randperm(3) for _ in range(5)])
    x = (keys(texts) + values(torch.randint(5, (5, 3)))).detach()
    biased = Stack(3, BlockConfig(WIDTH, HEADS, 2 * WIDTH + 1, residual=False))
    skipless.look_at_itself(biased, 2.5)
    assert torch.allclose(chain(x), biased(x), atol=1e-4)
    assert (chain(x) - x).abs().max() > 0.1
    chain(x).square().sum().backward()
    for name, parameter in chain.named_parameters():
        assert parameter.requires_grad, name


def test_keys_set_apart_are_orthogonal_to_each_other_and_to_all_values():
    torch.manual_seed(20)
    keys, values = nn.Embedding(3, WIDTH), nn.Embedding(5, WIDTH)
    before = values.weight.detach().clone()
    ways = skipless.set_keys_apart(keys, values)
    assert torch.allclose(keys.weight @ keys.weight.T, WIDTH * torch.eye(3), atol=1e-5)
    assert torch.allclose(keys.weight, WIDTH**0.5 * ways, atol=1e-6)
    assert (values.weight @ keys.weight.T).abs().max() < 1e-5
    assert (values.weight - before).norm() < before.norm()


def test_a_head_that_is_too_narrow_for_the_keys_is_refused(chain):
    with pytest.raises(ValueError, match="a head has width 4; expected 5 at least"):
        skipless.look_for_its_key(chain, nn.Embedding(5, WIDTH), nn.Embedding(5, WIDTH), 2.5)


@pytest.mark.parametrize("visible", [EVERYTHING, CAUSAL, Visibility(mask=masks.causal(7))])
def test_diagonal_attention_is_attention_with_a_bias(x, visible):
    torch.manual_seed(18)
    diagonal = skipless.DiagonalAttention(MultiHeadAttention(WIDTH, HEADS), 2.0)
    with torch.no_grad():
        diagonal.attention.query_projection.reset_parameters()
        diagonal.bias.copy_(torch.tensor([1.0, -2.0, 3.0])[:, None, None])
    query, key, value = (
        split_heads(project(x), HEADS)
        for project in (
            diagonal.attention.query_projection,
            diagonal.attention.key_projection,
            diagonal.attention.value_projection,
        )
    )
    scores = query @ key.transpose(-2, -1) / query.size(-1) ** 0.5
    for head in range(HEADS):
        scores[:, head].diagonal(dim1=-2, dim2=-1).add_(diagonal.bias[head].item())
    if visible is not EVERYTHING:
        scores = scores.masked_fill(~masks.causal(7), -math.inf)
    expected = diagonal.attention.output_projection(merge_heads(scores.softmax(-1) @ value))
    assert torch.allclose(diagonal(x, visible), expected, atol=1e-5)
    diagonal(x, visible).square().sum().backward()
    assert diagonal.bias.grad.abs().min() > 0


def test_diagonal_attention_takes_no_cache_and_no_other_bias(x):
    diagonal = skipless.DiagonalAttention(MultiHeadAttention(WIDTH, HEADS), 2.0)
    with pytest.raises(ValueError, match="expected neither"):
        diagonal(x, Visibility(bias=torch.zeros(7, 7)))


def test_a_narrow_network_cannot_pass_both_signs():
    block = Stack(1, BlockConfig(WIDTH, HEADS, 2 * WIDTH - 1, residual=False)).blocks[0]
    with pytest.raises(ValueError, match=f"expected at least {2 * WIDTH}"):
        skipless.start_as_identity(block)


def test_unshaped_a_token_begins_as_the_average(chain, x):
    for block in chain.blocks:
        skipless.start_as_identity(block)
        with torch.no_grad():
            block.self_attention.query_projection.weight.zero_()
            block.self_attention.query_projection.bias.zero_()
    given = chain.blocks[0](x)
    assert torch.allclose(given, x.mean(dim=1, keepdim=True).expand_as(x), atol=1e-5)


def test_the_variance_is_kept_through_every_part(chain, x):
    skipless.keep_the_variance(chain, x)
    for block in chain.blocks:
        x = block.self_attention(block.norm_1(x))
        assert x.std().item() == pytest.approx(1.0, abs=1e-4)
        x = block.feed_forward(block.norm_2(x))
        assert x.std().item() == pytest.approx(1.0, abs=1e-4)
        weight = block.self_attention.query_projection.weight
        assert torch.allclose(weight @ weight.T, torch.eye(WIDTH), atol=1e-5)
        assert block.feed_forward.inner_projection.bias.abs().max() == 0


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ({"make_attention": grouped_query(1)}, "attention is a GroupedQueryAttention; expected M"),
        ({"make_network": swiglu}, "network is a SwiGLU; expected FeedForward"),
    ],
)
def test_blocks_of_other_parts_are_refused(part, words):
    config = BlockConfig(WIDTH, HEADS, 2 * WIDTH, residual=False, **part)
    with pytest.raises(ValueError, match=words):
        skipless.start_as_identity(Stack(1, config).blocks[0])
