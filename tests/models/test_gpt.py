"""GPT: number for number the GPT-2 of Hugging Face, and its cache equal to its uncached run."""

import pytest
import torch
import torch_twins
from softlookup.layers.visibility import CAUSAL
from softlookup.models.gpt import GPT, GPTConfig
from transformers import GPT2Config, GPT2LMHeadModel

BATCH, LENGTH = 3, 11
CONFIG = {"vocab_size": 23, "max_length": 17, "d_model": 10, "n_heads": 5, "n_layers": 2}
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-10}
KINDS = ["learned", "sinusoidal", "rotary", "alibi", "none"]


def make(dtype=torch.float64, **choices):
    # Weights fifty times as large as untrained ones, so that every part of the model matters.
    model = GPT(GPTConfig(**(CONFIG | choices))).to(dtype)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.mul_(0.3 / parameter.std())
    return torch_twins.scatter_norms_and_biases(model)


def hugging_face(ours, dtype):
    twin = GPT2LMHeadModel(
        GPT2Config(
            vocab_size=CONFIG["vocab_size"],
            n_positions=CONFIG["max_length"],
            n_embd=CONFIG["d_model"],
            n_layer=CONFIG["n_layers"],
            n_head=CONFIG["n_heads"],
            resid_pdrop=0.0,
            embd_pdrop=0.0,
            attn_pdrop=0.0,
            bos_token_id=None,
            eos_token_id=None,
        )
    ).to(dtype)
    missing, unexpected = twin.load_state_dict(torch_twins.gpt2(ours), strict=False)
    assert (missing, unexpected) == (["lm_head.weight"], [])  # tied to the embeddings
    return twin


def draw(seed=0, length=LENGTH):
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(CONFIG["vocab_size"], (BATCH, length), generator=generator)


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_agrees_with_hugging_face(dtype):
    ours, tokens = make(dtype), draw()
    twin = hugging_face(ours, dtype)
    output, expected = ours(tokens), twin(tokens).logits
    assert output.std() > 0.5
    close = {"rtol": TOLERANCE[dtype], "atol": TOLERANCE[dtype]}
    torch.testing.assert_close(output, expected, **close)
    direction = torch.linspace(-1, 1, output.numel(), dtype=dtype).view_as(output) / 10
    (output * direction).sum().backward()
    (expected * direction).sum().backward()
    gradients = torch_twins.gpt2(ours, torch_twins.gradients)
    torch_twins.assert_same_gradients(gradients, twin, TOLERANCE[dtype])


@torch.no_grad()
def test_writes_the_tokens_that_hugging_face_writes():
    new_tokens, words = CONFIG["max_length"] - 4, set()
    for seed in range(5):
        torch.manual_seed(seed)
        ours, prompt = make(), draw(seed, length=4)
        expected = hugging_face(ours, torch.float64).generate(
            prompt,
            attention_mask=torch.ones_like(prompt),
            max_new_tokens=new_tokens,
            do_sample=False,
            pad_token_id=0,
        )
        caches, new, written = ours.make_caches(BATCH), prompt, prompt
        for _ in range(new_tokens):
            new = ours(new, caches)[:, -1:].argmax(-1)
            written = torch.cat((written, new), dim=1)
        assert torch.equal(written, expected)
        words.update(written[:, 4:].flatten().tolist())
    assert len(words) > 8  # the five models do not all say the same


def test_gpt2_has_its_number_of_parameters():
    sizes = {
        "small": (768, 12, 12, 124_439_808),
        "medium": (1024, 16, 24, 354_823_168),
        "large": (1280, 20, 36, 774_030_080),
        "xl": (1600, 25, 48, 1_557_611_200),
    }
    for d_model, n_heads, n_layers, count in sizes.values():
        with torch.device("meta"):
            model = GPT(GPTConfig(50257, 1024, d_model, n_heads, n_layers))
        assert sum(parameter.numel() for parameter in model.parameters()) == count


@pytest.mark.parametrize("positions", KINDS)
@torch.no_grad()
def test_cached_equals_uncached_at_every_split(positions):
    model, tokens = make(positions=positions), draw()
    expected = model(tokens)
    for split in range(1, LENGTH):
        for step in (LENGTH - split, 1):
            caches = model.make_caches(BATCH, LENGTH)
            parts = [model(tokens[:, :split], caches)]
            for start in range(split, LENGTH, step):
                parts.append(model(tokens[:, start : start + step], caches))
            torch.testing.assert_close(torch.cat(parts, 1), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("positions", KINDS)
@torch.no_grad()
def test_the_future_moves_nothing_earlier(positions):
    model, tokens = make(torch.float32, positions=positions), draw()
    before = model(tokens)
    for step in range(LENGTH - 1):
        changed = tokens.clone()
        changed[:, step + 1 :] = (changed[:, step + 1 :] + 5) % CONFIG["vocab_size"]
        after = model(changed)
        assert torch.equal(before[:, : step + 1], after[:, : step + 1])
        assert not torch.equal(before[:, step + 1 :], after[:, step + 1 :])


@torch.no_grad()
def test_positions_tell_order_where_one_layer_without_them_cannot():
    tokens = draw()
    swapped = tokens[:, [1, 0, *range(2, LENGTH)]]
    for positions in KINDS:
        model = make(positions=positions, n_layers=1)
        moved = (model(tokens)[:, -1] - model(swapped)[:, -1]).abs().max()
        assert (moved < 1e-12) == (positions == "none"), positions


def test_the_output_is_the_embedding_again():
    model, tokens = make(), draw()
    assert [p for p in model.parameters() if 23 in p.shape] == [model.embedding.table]
    hidden = model.stack(model.positions(model.embedding(tokens)), CAUSAL)
    torch.testing.assert_close(model(tokens), hidden @ model.embedding.table.T)


@pytest.mark.parametrize(("positions", "spread"), [("sinusoidal", 1.0), ("learned", 0.02)])
def test_tokens_start_as_large_as_the_positions_beside_them(positions, spread):
    model = GPT(GPTConfig(997, 101, 128, 4, 1, positions=positions))
    tokens = model.embedding(torch.arange(101)[None])
    assert tokens.std().item() == pytest.approx(spread, rel=0.05)
    places = model.positions(torch.zeros_like(tokens), 0)
    assert places.square().mean().sqrt().item() == pytest.approx(spread, rel=0.35)


def test_starts_as_gpt2_starts():
    model = GPT(GPTConfig(997, 101, 128, 4, 8))
    block = model.stack.blocks[3]
    assert model.embedding.table.std().item() == pytest.approx(0.02, rel=0.05)
    assert block.self_attention.key_projection.weight.std().item() == pytest.approx(0.02, rel=0.05)
    for part in (block.self_attention, block.feed_forward):
        assert part.output_projection.weight.std().item() == pytest.approx(0.02 / 4, rel=0.05)
        assert (part.output_projection.bias == 0).all()
