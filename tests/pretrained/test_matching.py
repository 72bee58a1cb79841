"""Matching: a tensor that is missing, misshapen or unknown, and nothing is loaded at all."""

import hub_files
import pytest
import torch
from hub_files import edit_config, edit_tensors, save
from softlookup.pretrained.gpt2 import load_gpt2
from softlookup.pretrained.matching import Origin, layer, load, rename
from torch import nn
from transformers import GPT2Config, GPT2LMHeadModel


@pytest.fixture
def saved(generator, tmp_path):
    config = GPT2Config(vocab_size=23, n_positions=29, n_embd=10, n_head=5, n_layer=2)
    return save(hub_files.scattered(GPT2LMHeadModel(config), generator, torch.float32), tmp_path)


KEY = "transformer.h.1.attn.c_attn.weight"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda t: {k: v for k, v in t.items() if "h.1.ln_2" not in k},
            "missing: h.1.ln_2.bias, h.1.ln_2.weight;",
        ),
        (
            lambda t: t | {KEY: t[KEY][:, :-1]},
            f"of another shape: {KEY} (gives stack.blocks.1.self_attention.value_projection.weight "
            "(9, 10)",
        ),
        (
            lambda t: t | {KEY: t[KEY].T},
            f"{KEY} (gives stack.blocks.1.self_attention.query_projection.weight (4, 30); "
            "expected (10, 10))",
        ),
        (
            lambda t: t | {"transformer.wpe.weight": t["transformer.wpe.weight"][1:]},
            "transformer.wpe.weight (gives positions.table (28, 10); expected (29, 10))",
        ),
        (
            lambda t: t | {"transformer.ln_f.bias": t["transformer.ln_f.bias"].to(torch.int8)},
            "of no floats: transformer.ln_f.bias (torch.int8)",
        ),
        (
            lambda t: t | {"transformer.h.2.ln_1.bias": torch.zeros(10)},
            "left over: transformer.h.2.ln_1.bias;",
        ),
        (
            lambda t: t | {f"transformer.extra.{n}": torch.zeros(2) for n in range(7)},
            "left over: transformer.extra.0, transformer.extra.1, transformer.extra.2, "
            "transformer.extra.3, transformer.extra.4 and 2 more;",
        ),
        (
            # It begins as a mask of attention's does, and is none.
            lambda t: t | {"transformer.h.0.attn.bias_of_mine": torch.zeros(10)},
            "left over: transformer.h.0.attn.bias_of_mine;",
        ),
        (
            lambda t: t | {"ln_f.bias": torch.zeros(10)},
            "two names of one tensor",
        ),
    ],
)
def test_what_does_not_fit_is_named(change, words, saved):
    load_gpt2(saved)
    with pytest.raises(ValueError, match="expected") as refusal:
        load_gpt2(edit_tensors(saved, change))
    assert words in str(refusal.value)


def test_all_that_does_not_fit_is_named_at_once(saved):
    with pytest.raises(ValueError, match="nothing was loaded") as refusal:
        load_gpt2(edit_config(saved, n_layer=1, n_positions=31))
    assert "left over: transformer.h.1." in str(refusal.value)
    assert "of another shape: transformer.wpe.weight" in str(refusal.value)
    with pytest.raises(ValueError, match="nothing was loaded") as refusal:
        load_gpt2(edit_config(saved, n_layer=3, n_positions=29))
    assert "missing: h.2." in str(refusal.value)


@pytest.mark.parametrize("stored", [torch.float16, torch.bfloat16, torch.float64])
@pytest.mark.parametrize("asked", [torch.float32, torch.bfloat16, torch.float64])
def test_the_model_has_the_dtype_that_is_asked_for(stored, asked, saved):
    exact = load_gpt2(saved, dtype=torch.float64).model.state_dict()
    edit_tensors(saved, lambda t: {name: tensor.to(stored) for name, tensor in t.items()})
    for name, tensor in load_gpt2(saved, dtype=asked).model.state_dict().items():
        assert tensor.dtype == asked
        assert torch.equal(tensor, exact[name].to(stored).to(asked)), name


def test_float32_is_the_default_and_whole_numbers_are_refused(saved):
    assert load_gpt2(saved).model.embedding.table.dtype == torch.float32
    with pytest.raises(ValueError, match=r"dtype is torch\.int64; expected one of floats"):
        load_gpt2(saved, dtype=torch.int64)


def test_the_model_outlives_its_file(saved):
    """What is read of a file is a view of it; what is kept must not be."""
    model = load_gpt2(saved).model
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    path = saved / "model.safetensors"
    path.write_bytes(bytes(path.stat().st_size))
    for name, tensor in model.state_dict().items():
        assert torch.equal(tensor, before[name]), name
        assert tensor.is_contiguous()
        assert tensor.untyped_storage().nbytes() == tensor.nbytes, name


def test_loading_draws_nothing_and_leaves_a_model_that_learns(saved):
    state = torch.get_rng_state()
    model = load_gpt2(saved).model
    assert torch.equal(torch.get_rng_state(), state)
    assert not model.training
    model(torch.arange(7)[None]).sum().backward()
    assert all(p.requires_grad and p.grad is not None for p in model.parameters())


def test_a_prefix_is_taken_from_the_beginning_of_a_name_alone():
    names = ("vit.layers.0.weight", "layers.vit.weight", "vit.vit.bias", "vitreous")
    renamed = rename({name: torch.ones(1) for name in names}, "vit.")
    assert [*renamed] == ["layers.0.weight", "layers.vit.weight", "vit.bias", "vitreous"]
    assert [one.name for one in renamed.values()] == [*names]


def test_a_plan_that_forgets_a_tensor_of_ours_loads_nothing():
    stored = rename({"there.weight": torch.ones(3, 2), "there.bias": torch.ones(3)}, "x.")

    def make():
        return nn.Linear(2, 3)

    arguments = {"known": {}, "source": "here", "dtype": torch.float32}
    plan = {"weight": Origin("there.weight"), "bias": Origin("there.bias")}
    assert load(make, stored, plan, **arguments).report.n_parameters == 9
    with pytest.raises(RuntimeError, match="bias"):
        load(
            make,
            stored,
            {"weight": plan["weight"]},
            known={"there.*": "no"},
            source="",
            dtype=torch.float32,
        )
    assert layer("ours", "theirs")["ours.bias"].name == "theirs.bias"


def test_no_tensor_of_theirs_is_used_twice_but_the_fused_ones(saved):
    matched = load_gpt2(saved).report.matched
    uses = {}
    for match in matched:
        uses.setdefault(match.theirs, []).append(match.how)
    for name, how in uses.items():
        if "c_attn" in name:
            assert [words.split()[0] for words in how] == ["first", "second", "last"]
        else:
            assert len(how) == 1
