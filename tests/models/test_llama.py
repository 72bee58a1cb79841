"""Llama: number for number what Hugging Face's Llama, Mistral and Qwen3 compute, cached or not."""

import sys
from dataclasses import replace

import pytest
import torch
import torch_twins
from softlookup.models.llama import Llama, LlamaConfig, cache_bytes_per_token
from softlookup.running.generation import greedy
from transformers import LlamaConfig as HuggingFaceLlamaConfig
from transformers import (
    LlamaForCausalLM,
    MistralConfig,
    MistralForCausalLM,
    Qwen3Config,
    Qwen3ForCausalLM,
)

BATCH, LENGTH, VOCABULARY, POSITIONS = 3, 11, 23, 29
TOLERANCE = {torch.float32: 1e-4, torch.float64: 1e-9}
# Sizes that are distinct, an epsilon and a base far from the usual ones.
LLAMA = LlamaConfig(VOCABULARY, POSITIONS, 24, 6, 2, 2, 17, rotary_base=70.0, epsilon=0.03)
CONFIGS = {
    "grouped": LLAMA,
    "tied": replace(LLAMA, tied=True),
    "one head answers": replace(LLAMA, n_key_value_heads=1, rotary_base=1e4),
    "all heads answer": replace(LLAMA, n_key_value_heads=6, epsilon=1e-6, n_layers=3),
    "heads of another width": replace(LLAMA, d_head=10),
    "Mistral": replace(LLAMA, d_model=13, d_head=14),
    "Qwen3": replace(LLAMA, d_model=13, d_head=14, query_key_norm=True),
    "Qwen3, tied": replace(LLAMA, query_key_norm=True, tied=True),
}
KINDS = {
    "Mistral": (MistralConfig, MistralForCausalLM, {"sliding_window": None}),
    "Qwen3": (Qwen3Config, Qwen3ForCausalLM, {}),
}


def make(config, dtype=torch.float64, seed=0):
    torch.manual_seed(seed)
    model = Llama(config).to(dtype)
    # Far larger than untrained weights, so that every part of the model matters.
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.mul_(0.3 / parameter.std())
    return torch_twins.scatter_norms_and_biases(model)


def hugging_face(name, ours, dtype, monkeypatch):
    config = ours.config
    theirs, kind, choices = KINDS.get(
        name.partition(",")[0], (HuggingFaceLlamaConfig, LlamaForCausalLM, {})
    )
    if dtype == torch.float64:
        monkeypatch.setattr(sys.modules[kind.__module__], "torch", torch_twins.InDouble())
    twin = kind(
        theirs(
            vocab_size=config.vocab_size,
            max_position_embeddings=config.max_length,
            hidden_size=config.d_model,
            num_attention_heads=config.n_heads,
            num_key_value_heads=config.n_key_value_heads,
            num_hidden_layers=config.n_layers,
            intermediate_size=config.d_ff,
            head_dim=config.d_head or config.d_model // config.n_heads,
            rope_parameters={"rope_type": "default", "rope_theta": config.rotary_base},
            rms_norm_eps=config.epsilon,
            tie_word_embeddings=config.tied,
            bos_token_id=None,
            eos_token_id=None,
            **choices,
        )
    ).to(dtype)
    missing, unexpected = twin.load_state_dict(torch_twins.llama(ours), strict=False)
    assert unexpected == []
    assert missing == (["lm_head.weight"] if config.tied else [])
    return twin


def draw(seed=0, length=LENGTH):
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(VOCABULARY, (BATCH, length), generator=generator)


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("name", CONFIGS)
def test_agrees_with_hugging_face(name, dtype, monkeypatch):
    ours, tokens = make(CONFIGS[name], dtype), draw()
    twin = hugging_face(name, ours, dtype, monkeypatch)
    output, expected = ours(tokens), twin(tokens).logits
    assert output.std() > 0.5
    close = {"rtol": 0, "atol": TOLERANCE[dtype]}
    torch.testing.assert_close(output, expected, **close)
    direction = torch.linspace(-1, 1, output.numel(), dtype=dtype).view_as(output) / 10
    (output * direction).sum().backward()
    (expected * direction).sum().backward()
    gradients = torch_twins.llama(ours, torch_twins.gradients)
    torch_twins.assert_same_gradients(gradients, twin, TOLERANCE[dtype])


@pytest.mark.parametrize("name", CONFIGS)
@torch.no_grad()
def test_writes_the_tokens_that_hugging_face_writes(name, monkeypatch):
    new, words = POSITIONS - 5, set()
    for seed in range(3):
        ours, prompt = make(CONFIGS[name], seed=seed), draw(seed, length=5)
        twin = hugging_face(name, ours, torch.float64, monkeypatch)
        expected = twin.generate(
            prompt,
            attention_mask=torch.ones_like(prompt),
            max_new_tokens=new,
            do_sample=False,
            pad_token_id=0,
        )[:, 5:]
        caches = ours.make_caches(BATCH)

        def cached(tokens, ours=ours, caches=caches):
            return ours(tokens[:, caches[0].length :], caches)[:, -1]

        def uncached(tokens, ours=ours):
            return ours(tokens)[:, -1]

        for next_logits in (cached, uncached):
            assert torch.equal(greedy(next_logits, prompt, new), expected)
        words.update(expected.flatten().tolist())
    assert len(words) > 8  # the models do not all say the same


@pytest.mark.parametrize("name", CONFIGS)
@torch.no_grad()
def test_cached_equals_uncached_at_every_split(name):
    model, tokens = make(CONFIGS[name]), draw()
    expected = model(tokens)
    for split in range(1, LENGTH):
        for step in (LENGTH - split, 1):
            caches = model.make_caches(BATCH, LENGTH)
            parts = [model(tokens[:, :split], caches)]
            for start in range(split, LENGTH, step):
                parts.append(model(tokens[:, start : start + step], caches))
            torch.testing.assert_close(torch.cat(parts, 1), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", CONFIGS)
@torch.no_grad()
def test_the_future_moves_nothing_earlier(name):
    model, tokens = make(CONFIGS[name], torch.float32), draw()
    before = model(tokens)
    for step in range(LENGTH - 1):
        changed = tokens.clone()
        changed[:, step + 1 :] = (changed[:, step + 1 :] + 5) % VOCABULARY
        after = model(changed)
        assert torch.equal(before[:, : step + 1], after[:, : step + 1])
        assert not torch.equal(before[:, step + 1 :], after[:, step + 1 :])


@pytest.mark.parametrize("name", CONFIGS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@torch.no_grad()
def test_the_bytes_of_a_token_are_what_the_caches_hold(name, dtype):
    config = CONFIGS[name]
    model = make(config, dtype)
    caches = model.make_caches(1, 7)
    held = []
    for step in range(3):
        model(draw()[:1, step : step + 1], caches)
        filled = [tensor for cache in caches for tensor in cache.filled()]
        assert {tensor.dtype for tensor in filled} == {dtype}
        held.append(sum(tensor.numel() * tensor.element_size() for tensor in filled))
    grown = cache_bytes_per_token(config, dtype)
    assert held == [grown, 2 * grown, 3 * grown]


def test_bytes_of_a_token_are_known_numbers():
    # Two bytes a number, as Llama 3 is released: 2 · 32 layers · 8 heads · 128 wide.
    today = LlamaConfig(128256, 8192, 4096, 32, 8, 32, 14336)
    assert cache_bytes_per_token(today) == 131_072
    assert cache_bytes_per_token(replace(today, n_key_value_heads=32)) == 4 * 131_072
    assert cache_bytes_per_token(replace(today, n_key_value_heads=1)) == 131_072 // 8
    assert cache_bytes_per_token(today, torch.float32) == 2 * 131_072


def test_starts_small_and_smaller_where_changes_add_up():
    model = Llama(LlamaConfig(997, 101, 128, 4, 2, 8, 384))
    block = model.stack.blocks[3]
    for part in (model.unembedding, block.self_attention.key_projection):
        assert part.weight.std().item() == pytest.approx(0.02, rel=0.05)
    assert model.embedding.table.std().item() == pytest.approx(0.02, rel=0.05)
    assert block.feed_forward.gate_projection.weight.std().item() == pytest.approx(0.02, rel=0.05)
    for part in (block.self_attention, block.feed_forward):
        assert part.output_projection.weight.std().item() == pytest.approx(0.02 / 4, rel=0.05)


def test_the_output_is_the_embedding_again_where_it_is_tied():
    sizes = {tied: len([*make(replace(LLAMA, tied=tied)).parameters()]) for tied in (False, True)}
    assert sizes[False] == sizes[True] + 1
    model = make(replace(LLAMA, tied=True))
    assert [p for p in model.parameters() if VOCABULARY in p.shape] == [model.embedding.table]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: replace(LLAMA, n_heads=5), "d_model is 24 and n_heads is 5"),
        (lambda: Llama(replace(LLAMA, n_key_value_heads=4)), "n_key_value_heads is 4"),
        (lambda: Llama(replace(LLAMA, d_head=7))(draw()), "width is 7; expected an even number"),
        (lambda: Llama(replace(LLAMA, rotary_base=0.5)), r"base is 0\.5; expected more than 1"),
        (lambda: Llama(replace(LLAMA, n_layers=0)), "n_layers is 0; expected at least 1"),
        (lambda: Llama(LLAMA)(draw(length=30)), "have 30 tokens; expected at most 29"),
        (lambda: Llama(LLAMA)(draw() + VOCABULARY), "the tokens run from"),
    ],
)
def test_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@torch.no_grad()
def test_a_text_that_outgrows_the_window_is_refused():
    model = make(LLAMA)
    caches = model.make_caches(BATCH, 2 * POSITIONS)
    model(draw(length=POSITIONS), caches)
    with pytest.raises(ValueError, match="the text has 30 tokens; expected at most 29"):
        model(draw(length=1), caches)
