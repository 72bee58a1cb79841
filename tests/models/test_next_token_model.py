"""The model of blocks made to order: it is GPT, or Llama, if the config asks for their parts."""

import pytest
import torch
from softlookup.layers.block_parts import normed_query_key, rms_norm, swiglu
from softlookup.layers.blocks import BlockConfig
from softlookup.layers.feed_forward import gelu_tanh
from softlookup.layers.positional_encodings import HalvedRotaryPositions, make_positions
from softlookup.models.gpt import GPT, GPTConfig
from softlookup.models.llama import Llama, LlamaConfig
from softlookup.models.next_token_model import NextTokenModel

VOCAB, LENGTH, WIDTH, HEADS, LAYERS = 23, 11, 20, 5, 2
TOKENS = torch.randint(VOCAB, (3, LENGTH), generator=torch.Generator().manual_seed(0))


def same_weights(model, twin):
    """Large ones in both, so that every part matters, in 64 bits."""
    model.double(), twin.double()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(std=0.3)
    twin.load_state_dict(model.state_dict())


@pytest.mark.parametrize("kind", ["learned", "sinusoidal", "rotary", "alibi", "none"])
def test_with_the_parts_of_gpt_it_is_gpt(kind):
    torch.manual_seed(0)
    positions = make_positions(kind, LENGTH, WIDTH, HEADS)
    block = BlockConfig(
        WIDTH, HEADS, 4 * WIDTH, activation=gelu_tanh, rotate_positions=positions.rotate
    )
    model = NextTokenModel(VOCAB, LENGTH, LAYERS, block, positions)
    twin = GPT(GPTConfig(VOCAB, LENGTH, WIDTH, HEADS, LAYERS, kind))
    same_weights(model, twin)
    torch.testing.assert_close(model(TOKENS), twin(TOKENS), rtol=1e-10, atol=1e-10)


def test_with_the_parts_of_llama_it_is_llama():
    torch.manual_seed(0)
    block = BlockConfig(
        WIDTH,
        HEADS,
        31,
        rotate_positions=HalvedRotaryPositions().rotate,
        make_attention=normed_query_key(1),
        make_network=swiglu,
        make_norm=rms_norm,
    )
    model = NextTokenModel(VOCAB, LENGTH, LAYERS, block)
    twin = Llama(
        LlamaConfig(VOCAB, LENGTH, WIDTH, HEADS, 1, LAYERS, 31, tied=True, query_key_norm=True)
    )
    same_weights(model, twin)
    torch.testing.assert_close(model(TOKENS), twin(TOKENS), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("kind", ["sinusoidal", "rotary"])
def test_it_starts_as_gpt_does(kind):
    positions = make_positions(kind, LENGTH, WIDTH, HEADS)
    block = BlockConfig(WIDTH, HEADS, 4 * WIDTH)
    torch.manual_seed(0)
    model = NextTokenModel(VOCAB, LENGTH, LAYERS, block, positions)
    torch.manual_seed(0)
    twin = GPT(GPTConfig(VOCAB, LENGTH, WIDTH, HEADS, LAYERS, kind))
    pairs = zip(model.parameters(), twin.parameters(), strict=True)
    assert all(torch.equal(one, other) for one, other in pairs)


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        (TOKENS[:, :0], "the tokens have shape"),
        (torch.cat([TOKENS, TOKENS], dim=1), "the sequences have 22 tokens"),
        (TOKENS + VOCAB, "expected 0 to 22"),
    ],
)
def test_refuses(tokens, words):
    model = NextTokenModel(VOCAB, LENGTH, LAYERS, BlockConfig(WIDTH, HEADS, 4))
    with pytest.raises(ValueError, match=words):
        model(tokens)
