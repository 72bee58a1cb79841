"""Models, training and generation on another device: `.to(device)`, inputs beside, and no more.

Where there is a GPU they run on it. Everywhere they run on a stand-in, which computes on the
processor but refuses, as a GPU does, what was made on the wrong device.
"""

import copy
from importlib import import_module

import pytest
import torch
import torch.nn.functional as F
from elsewhere import DEVICE, Elsewhere, brought_back
from softlookup.layers.blocks import BlockConfig
from softlookup.layers.positional_encodings import ClippedBiasPositions
from softlookup.layers.stacks import Stack
from softlookup.models.attention_only import AttentionOnly
from softlookup.models.bert import BERT, BERTConfig
from softlookup.models.gpt import GPT, GPTConfig
from softlookup.models.llama import Llama, LlamaConfig
from softlookup.models.next_token_model import NextTokenModel
from softlookup.models.pair_reader import PairReader
from softlookup.models.recaller import Recaller
from softlookup.models.seq2seq import AttentionSeq2Seq, FixedVectorSeq2Seq, Seq2SeqConfig
from softlookup.models.transformer import Transformer, TransformerConfig
from softlookup.models.vit import ViT, ViTConfig
from softlookup.running.generation import beam_search, greedy, sample, top_p
from softlookup.running.training import train, warmup_cosine
from torch import nn

VOCABULARY, LENGTH, WIDTH = 11, 9, 12
TEXT = torch.arange(2 * LENGTH).view(2, LENGTH) * 7 % VOCABULARY
LENGTHS = torch.tensor([LENGTH, 4])
REAL = (torch.arange(LENGTH) < LENGTHS[:, None])[:, None]
WAYS = ["attention", "window", "linear", "gated linear", "delta rule", "selective", "Hyena"]
SEQ2SEQ = Seq2SeqConfig(VOCABULARY, VOCABULARY, WIDTH)
IMAGES = torch.linspace(-1, 1, 2 * 8 * 8, dtype=torch.float64).view(2, 1, 8, 8)


def gpt(positions="learned"):
    return GPT(GPTConfig(VOCABULARY, 2 * LENGTH, WIDTH, 3, 2, positions=positions))


def llama():
    return Llama(LlamaConfig(VOCABULARY, 2 * LENGTH, WIDTH, 6, 2, 2, 17))


def transformer():
    sizes = {"d_model": WIDTH, "n_heads": 3, "d_ff": 24, "n_layers": 2, "dropout": 0.0}
    return Transformer(TransformerConfig(VOCABULARY, VOCABULARY, 2 * LENGTH, **sizes))


def vit(pooling):
    return ViT(ViTConfig(8, 4, 1, WIDTH, 3, 24, 2, 5, pooling=pooling))


MODELS = {
    "GPT, learned": (gpt, [TEXT]),
    "GPT, rotary": (lambda: gpt("rotary"), [TEXT]),
    "GPT, sinusoidal": (lambda: gpt("sinusoidal"), [TEXT]),
    "GPT, alibi": (lambda: gpt("alibi"), [TEXT]),
    "Llama": (llama, [TEXT]),
    "BERT": (lambda: BERT(BERTConfig(VOCABULARY, LENGTH, WIDTH, 3, 24, 2)), [TEXT, REAL]),
    "Transformer": (transformer, [TEXT, TEXT, REAL]),
    "ViT, class token": (lambda: vit("class"), [IMAGES]),
    "ViT, mean": (lambda: vit("mean"), [IMAGES]),
    "attention only": (lambda: AttentionOnly(VOCABULARY, LENGTH, WIDTH, 3, 2), [TEXT]),
    "next token": (
        lambda: NextTokenModel(VOCABULARY, LENGTH, 2, BlockConfig(WIDTH, 3, 24)),
        [TEXT],
    ),
    "next token, relative": (
        lambda: NextTokenModel(
            VOCABULARY, LENGTH, 2, BlockConfig(WIDTH, 3, 24), ClippedBiasPositions(3, 4)
        ),
        [TEXT],
    ),
    "pair reader": (
        lambda: PairReader(VOCABULARY, WIDTH, Stack(2, BlockConfig(WIDTH, 3, 24))),
        [TEXT, TEXT],
    ),
    "recaller": (
        lambda: Recaller(WAYS, VOCABULARY, LENGTH, WIDTH),
        [TEXT],
    ),
    "RNN with attention": (lambda: AttentionSeq2Seq(SEQ2SEQ), [TEXT, LENGTHS, TEXT]),
    "RNN, fixed vector": (lambda: FixedVectorSeq2Seq(SEQ2SEQ), [TEXT, LENGTHS, TEXT]),
}
# They pack sequences, which turns tensors round in place; the stand-in cannot follow that.
PACKED = ("RNN with attention", "RNN, fixed vector")


@pytest.fixture(
    params=[
        "a stand-in",
        pytest.param(
            "cuda",
            marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU"),
        ),
    ]
)
def device(request, monkeypatch):
    """Another device than the processor."""
    if request.param == "cuda":
        yield torch.device("cuda")
        return
    # Training asks for the fused optimizer, which asks by name whether the device has one.
    optimizers = import_module("torch.optim.optimizer")
    fused_on = [*optimizers._get_fused_kernels_supported_devices(), DEVICE.type]
    monkeypatch.setattr(optimizers, "_get_fused_kernels_supported_devices", lambda: fused_on)
    replaced = torch.__future__.get_overwrite_module_params_on_conversion()
    torch.__future__.set_overwrite_module_params_on_conversion(True)
    try:
        with Elsewhere():
            yield DEVICE
    finally:
        torch.__future__.set_overwrite_module_params_on_conversion(replaced)


def sent(model, device):
    """A copy of a model, on the device."""
    return copy.deepcopy(model).to(device)


def close(there, here):
    assert there.device != here.device
    torch.testing.assert_close(brought_back(there), here.detach())


@pytest.mark.parametrize("name", MODELS)
def test_outputs_and_gradients_are_those_of_the_processor(name, device):
    if name in PACKED and device == DEVICE:
        pytest.skip("the stand-in cannot pack sequences")
    make, inputs = MODELS[name]
    here = make().double()
    there = sent(here, device)
    expected, got = here(*inputs), there(*(each.to(device) for each in inputs))
    close(got, expected)
    for output in (expected, got):
        output.square().mean().backward()
    for parameter, moved in zip(here.parameters(), there.parameters(), strict=True):
        assert (parameter.grad is None) == (moved.grad is None)
        if parameter.grad is not None:
            close(moved.grad, parameter.grad)


@pytest.mark.parametrize("make", [gpt, llama])
def test_training_is_that_of_the_processor(make, device):
    def loss(model, tokens):
        return F.cross_entropy(model(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())

    here = make().double()
    there = sent(here, device)
    losses = [
        train(
            model,
            loss,
            [text] * 3,
            steps=3,
            learning_rate=1e-2,
            schedule=warmup_cosine(1),
            weight_decay=0.1,
            show_progress=False,
        ).losses
        for model, text in ((here, TEXT), (there, TEXT.to(device)))
    ]
    torch.testing.assert_close(torch.tensor(losses[1]), torch.tensor(losses[0]))
    for parameter, moved in zip(here.parameters(), there.parameters(), strict=True):
        close(moved, parameter)


@pytest.mark.parametrize("make", [gpt, lambda: gpt("rotary"), lambda: gpt("alibi"), llama])
@torch.no_grad()
def test_the_same_text_is_written(make, device):
    here = make().double()

    def written(model, prompt):
        caches = model.make_caches(len(prompt))
        read = 0

        def next_logits(tokens):
            nonlocal read
            new, read = tokens[:, read:], tokens.size(1)
            return model(new, caches)[:, -1]

        drawing = torch.Generator(prompt.device if prompt.is_cuda else "cpu").manual_seed(0)
        likeliest = greedy(next_logits, prompt, 6)
        drawn = sample(lambda tokens: model(tokens)[:, -1], prompt, 4, drawing, keep=top_p(0.9))
        return likeliest, drawn

    expected, _ = written(here, TEXT)
    got, drawn = written(sent(here, device), TEXT.to(device))
    assert brought_back(got).equal(expected)
    assert got.device == drawn.device == device if device == DEVICE else got.is_cuda
    assert brought_back(drawn).max() < VOCABULARY


@torch.no_grad()
def test_the_same_translation_is_found(device):
    here = transformer().double()

    def found(model, source, mask):
        memory = model.encode(source, mask)
        start = torch.ones(1, 1, dtype=torch.long, device=source.device)

        def next_logits(tokens):
            seen, hidden = (each.expand(len(tokens), -1, -1) for each in (memory, mask))
            return model.decode(tokens, seen, hidden)[:, -1]

        return beam_search(next_logits, start, 5, 3, end=2)

    expected = found(here, TEXT[:1], REAL[:1])
    got = found(sent(here, device), TEXT[:1].to(device), REAL[:1].to(device))
    assert [row.tolist() for row in expected.tokens] == [
        brought_back(row).tolist() for row in got.tokens
    ]


class Careless(nn.Module):
    def forward(self, x):
        return x + torch.ones(x.size(-1))


def test_what_is_made_on_the_processor_is_refused():
    with Elsewhere(), pytest.raises(RuntimeError, match=r"tensors of two devices.*: \(12,\)"):
        Careless()(torch.zeros(2, 12).to(DEVICE))


def test_a_model_that_stays_behind_is_refused():
    with Elsewhere(), pytest.raises(RuntimeError, match="tensors of two devices"):
        gpt()(TEXT.to(DEVICE))
