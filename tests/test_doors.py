"""Errors at the door: what does not fit is refused in words, before it can compute nonsense.

Each line gives a mistake and the words that must name what was given and what was expected.
"""

import pytest
import torch
from softlookup.layers import masks, positions
from softlookup.layers.attention import attention, fused_attention
from softlookup.layers.blocks import BlockConfig, make_block
from softlookup.layers.embeddings import TokenEmbedding
from softlookup.layers.feed_forward import FeedForward
from softlookup.layers.multi_head import (
    KeyValueCache,
    MultiHeadAttention,
    attention_weights,
    split_heads,
)
from softlookup.layers.normalization import LayerNorm, RMSNorm
from softlookup.layers.positional_encodings import (
    ClippedBiasPositions,
    LearnedPositions,
    SinusoidalPositions,
)
from softlookup.layers.stacks import Decoder, Stack
from softlookup.layers.visibility import CAUSAL, Visibility
from softlookup.models.gpt import GPT, GPTConfig
from softlookup.models.transformer import Transformer, TransformerConfig

SIZES = {"max_length": 13, "d_model": 10, "n_heads": 5, "n_layers": 2}


def zeros(*shape):
    return torch.zeros(shape)


def may(*shape):
    return torch.ones(shape, dtype=torch.bool)


def tokens(*shape, token=0):
    return torch.full(shape, token)


def heads():
    return MultiHeadAttention(10, 5)


def gpt(**choices):
    return GPT(GPTConfig(**({"vocab_size": 23} | SIZES | choices)))


def transformer(**choices):
    sizes = {"source_vocab_size": 19, "target_vocab_size": 23, "d_ff": 17}
    return Transformer(TransformerConfig(**(sizes | SIZES | choices)))


def cache(length=11):
    return KeyValueCache(3, 5, length, 2)


ATTENTION = [
    (lambda f: f(zeros(7, 13), zeros(11, 17), zeros(11, 5)), "query has width 13 and key .* 17"),
    (lambda f: f(zeros(7, 13), zeros(11, 13), zeros(5, 3)), "there are 11 keys and 5 values"),
    (lambda f: f(zeros(7, 13), zeros(0, 13), zeros(0, 5)), "there are 0 keys and 0 values"),
    (
        lambda f: f(zeros(7, 13), zeros(11, 13), zeros(11, 5), may(11, 7)),
        r"the mask has shape \(11, 7\); expected .* \(7, 11\)",
    ),
    (
        lambda f: f(zeros(7, 13), zeros(11, 13), zeros(11, 5), may(3, 7, 11)),
        r"the mask has shape \(3, 7, 11\); expected .* \(7, 11\)",
    ),
    (
        lambda f: f(zeros(7, 13), zeros(11, 13), zeros(11, 5), zeros(7, 11)),
        r"the mask has dtype torch.float32; expected torch.bool",
    ),
    (
        lambda f: f(zeros(7, 13), zeros(11, 13), zeros(11, 5), bias=zeros(7, 11).double()),
        r"the bias has dtype torch.float64 and the query torch.float32",
    ),
    (
        lambda f: f(zeros(5, 7, 13), zeros(5, 11, 13), zeros(5, 11, 3), bias=zeros(3, 7, 11)),
        r"the bias has shape \(3, 7, 11\); expected one that broadcasts to .*\(5, 7, 11\)",
    ),
]


@pytest.mark.parametrize(("call", "words"), ATTENTION)
@pytest.mark.parametrize("twin", [attention, fused_attention])
def test_both_twins_refuse(twin, call, words):
    with pytest.raises(ValueError, match=words):
        call(twin)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: fused_attention(zeros(1, 13), zeros(11, 13), zeros(11, 5), causal=True),
            "causal=True with 1 queries and 11 keys",
        ),
        (
            lambda: fused_attention(
                zeros(7, 13), zeros(7, 13), zeros(7, 5), mask=may(7, 7), causal=True
            ),
            "causal=True with 7 queries and 7 keys, a mask",
        ),
        (
            lambda: fused_attention(
                zeros(7, 13), zeros(7, 13), zeros(7, 5), bias=zeros(7, 7), causal=True
            ),
            "causal=True with 7 queries and 7 keys, a bias",
        ),
        # masks
        (lambda: masks.causal(0), "length is 0; expected at least 1"),
        (lambda: masks.sliding_window(7, 0), "window is 0; expected at least 1"),
        (lambda: masks.prefix(7, 8), "prefix_length is 8; expected 0 to 7"),
        (lambda: masks.prefix(7, -1), "prefix_length is -1; expected 0 to 7"),
        (lambda: masks.subset([{0}, {7}], 7), "subset 1 names key 7; expected indices from 0 to 6"),
        (lambda: masks.subset([{-1}], 7), "subset 0 names key -1"),
        (
            lambda: masks.padding(torch.tensor([3, 8]), 7),
            "lengths run from 3 to 8; expected 0 to 7",
        ),
        (lambda: masks.padding(torch.tensor([-1, 8]), 9), "lengths run from -1 to 8"),
        # multi_head
        (lambda: MultiHeadAttention(10, 3), "d_model is 10 and n_heads is 3; .* to divide"),
        (lambda: MultiHeadAttention(10, 0), "n_heads is 0"),
        (lambda: split_heads(zeros(3, 7, 10), 4), "d_model is 10 and n_heads is 4"),
        (lambda: heads()(zeros(3, 7, 13)), "x has width 13; expected 10"),
        (lambda: heads()(zeros(3, 7, 10), zeros(3, 11, 13)), "memory has width 13; expected 10"),
        (
            lambda: attention_weights(heads(), zeros(3, 7, 10), zeros(3, 11, 13)),
            "memory has width 13; expected 10",
        ),
        (
            lambda: heads()(zeros(3, 7, 10), zeros(3, 11, 10), Visibility(may(11, 7))),
            r"the mask has shape \(11, 7\).*expected \(7, 11\), \(3, 7, 11\) or \(3, 1, 11\)",
        ),
        (
            lambda: heads()(zeros(3, 7, 10), visible=Visibility(may(3, 5, 7, 7))),
            r"the mask has shape \(3, 5, 7, 7\)",
        ),
        (
            lambda: Visibility(zeros(7, 7), causal=True),
            "dtype torch.float32; expected torch.bool",
        ),
        (
            lambda: heads()(zeros(3, 7, 10), zeros(3, 11, 10), CAUSAL),
            "a memory was given with causal=True",
        ),
        (
            lambda: MultiHeadAttention(10, 5, rotate_positions=positions.rotate)(
                zeros(3, 7, 10), zeros(3, 11, 10)
            ),
            "a memory was given with .* rotate_positions",
        ),
        (
            lambda: cache(4).append(zeros(3, 5, 5, 2), zeros(3, 5, 5, 2)),
            "holds 0 of 4 tokens and was given 5 more; expected at most 4",
        ),
        (
            lambda: cache().append(zeros(2, 5, 7, 2), zeros(2, 5, 7, 2)),
            r"keys of shape \(2, 5, 7, 2\) .* expected \(3, 5, 7, 2\)",
        ),
        (
            lambda: heads()(zeros(3, 7, 10), cache=cache()),
            r"with gradients; expected none: decode under torch.no_grad\(\)",
        ),
        # normalization, feed_forward
        (lambda: LayerNorm(0), "width is 0; expected at least 1"),
        (lambda: LayerNorm(13)(zeros(3, 1)), "tokens have width 1; expected 13"),
        (lambda: RMSNorm(-1), "width is -1; expected at least 1"),
        (lambda: RMSNorm(13)(zeros(3, 1)), "tokens have width 1; expected 13"),
        (lambda: FeedForward(7, 0), "d_model is 7 and d_ff is 0; expected at least 1"),
        (lambda: FeedForward(7, 11)(zeros(3, 5, 11)), "tokens have width 11; expected 7"),
        # positions
        (lambda: positions.sinusoidal(0, 14), "length is 0; expected at least 1"),
        (lambda: positions.sinusoidal(11, 13), "width is 13; expected an even number"),
        (lambda: positions.shift_matrix(1, 13), "width is 13; expected an even number"),
        (lambda: positions.rotate(zeros(7, 13)), "width is 13; expected an even number"),
        (
            lambda: LearnedPositions(0, 7),
            "max_length is 0; expected at least 1",
        ),
        (
            lambda: LearnedPositions(11, 14)(zeros(3, 12, 14)),
            "12 tokens from position 0 on; expected positions from 0 to 10",
        ),
        (
            lambda: SinusoidalPositions(11, 14)(zeros(3, 7, 14), offset=5),
            "7 tokens from position 5 on; expected positions from 0 to 10",
        ),
        (
            lambda: SinusoidalPositions(11, 14)(zeros(3, 7, 14), offset=-1),
            "7 tokens from position -1 on",
        ),
        (
            lambda: SinusoidalPositions(11, 14)(zeros(3, 7, 1)),
            "tokens have width 1; expected 14",
        ),
        (lambda: ClippedBiasPositions(5, -1), "furthest is -1; expected at least 0"),
        (lambda: positions.alibi_slopes(0), "n_heads is 0; expected at least 1"),
        (lambda: positions.alibi_bias(5, 11, 7), "there are 11 queries and 7 keys"),
        (lambda: positions.alibi_bias(5, 0), "there are 0 queries"),
        # embeddings
        (
            lambda: TokenEmbedding(0, 7, 5, spread=1.0),
            "vocab_size is 0, d_model is 7 and max_length is 5; expected at least 1 each",
        ),
        (
            lambda: TokenEmbedding(23, 7, 5, spread=1.0)(tokens(3)),
            r"tokens have shape \(3,\) .* expected \(batch, length\)",
        ),
        (
            lambda: TokenEmbedding(23, 7, 5, spread=1.0)(zeros(3, 5)),
            "dtype torch.float32; expected .* torch.int64",
        ),
        # blocks, stacks
        (lambda: BlockConfig(10, 5, 17, norm="middle"), "norm is 'middle'; expected 'pre' or"),
        (lambda: make_block(BlockConfig(10, 3, 17)), "d_model is 10 and n_heads is 3"),
        (lambda: Stack(0, BlockConfig(10, 5, 17)), "n_layers is 0; expected at least 1"),
        (lambda: Decoder(-1, BlockConfig(10, 5, 17)), "n_layers is -1; expected at least 1"),
        (
            lambda: Stack(2, BlockConfig(10, 5, 17))(zeros(3, 7, 10), CAUSAL, caches=[cache()]),
            "there are 1 caches and 2 blocks; expected one each",
        ),
        (
            lambda: Decoder(2, BlockConfig(10, 5, 17))(
                zeros(3, 7, 10), zeros(3, 11, 10), caches=[]
            ),
            "there are 0 caches and 2 blocks; expected one each",
        ),
        (
            lambda: Decoder(2, BlockConfig(10, 5, 17))(zeros(3, 7, 10), zeros(3, 11, 13)),
            "memory has width 13; expected 10",
        ),
        # transformer
        (lambda: transformer(n_heads=3), "d_model is 10 and n_heads is 3"),
        (lambda: transformer(positions="waves"), "positions is 'waves'; expected one of"),
        (
            lambda: transformer(shared_vocabulary=True),
            "source_vocab_size 19 and target_vocab_size 23; expected the same",
        ),
        (
            lambda: transformer()(tokens(3, 14), tokens(3, 7)),
            "sequences have 14 tokens; expected at most 13",
        ),
        (
            lambda: transformer()(tokens(3, 7), tokens(3, 14)),
            "sequences have 14 tokens; expected at most 13",
        ),
        (
            lambda: transformer()(tokens(3, 7, token=19), tokens(3, 7)),
            "tokens run from 19 to 19; expected 0 to 18",
        ),
        (
            lambda: transformer()(tokens(3, 7), tokens(3, 7, token=-1)),
            "tokens run from -1 to -1; expected 0 to 22",
        ),
        (
            lambda: transformer()(tokens(0, 7), tokens(0, 7)),
            r"tokens have shape \(0, 7\) .* neither of them 0",
        ),
        (
            lambda: transformer().encode(tokens(3, 7), may(3, 1, 5)),
            r"the mask has shape \(3, 1, 5\)",
        ),
        # gpt
        (lambda: gpt(n_heads=3), "d_model is 10 and n_heads is 3"),
        (lambda: gpt(positions="absolute"), "positions is 'absolute'; expected one of"),
        (lambda: gpt()(tokens(3, 14)), "sequences have 14 tokens; expected at most 13"),
        (lambda: gpt()(tokens(3, 7, token=23)), "tokens run from 23 to 23; expected 0 to 22"),
        (lambda: gpt()(tokens(0, 7)), r"tokens have shape \(0, 7\)"),
        (lambda: gpt()(tokens(3, 0)), r"tokens have shape \(3, 0\)"),
        (lambda: gpt()(tokens(3)), r"tokens have shape \(3,\)"),
    ],
)
def test_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize("kind", ["learned", "sinusoidal", "rotary", "alibi", "none"])
@torch.no_grad()
def test_a_text_that_outgrows_the_window_is_refused(kind):
    model = gpt(positions=kind)
    caches = model.make_caches(3, 17)
    model(tokens(3, 13), caches)
    with pytest.raises(ValueError, match="the text has 14 tokens; expected at most 13"):
        model(tokens(3, 1), caches)


@torch.no_grad()
def test_a_cache_serves_one_memory_only():
    module, kept = heads(), cache()
    module(zeros(3, 1, 10), zeros(3, 7, 10), cache=kept)
    with pytest.raises(ValueError, match="holds 7 keys of a memory and the memory has 11 tokens"):
        module(zeros(3, 1, 10), zeros(3, 11, 10), cache=kept)


@torch.no_grad()
def test_a_refused_append_leaves_the_cache_as_it_was():
    kept = cache(4)
    kept.append(torch.ones(3, 5, 3, 2), torch.ones(3, 5, 3, 2))
    with pytest.raises(ValueError, match="holds 3 of 4"):
        kept.append(zeros(3, 5, 2, 2), zeros(3, 5, 2, 2))
    assert kept.length == 3
    assert all((part == 1).all() for part in kept.filled())
