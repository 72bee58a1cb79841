"""Llama's family from Hugging Face's files: logits and tokens are theirs, and the rest refused."""

import json
import sys

import hub_files
import pytest
import torch
import torch_twins
from hub_files import edit_config, edit_tensors, save
from softlookup.models.llama import Llama
from softlookup.pretrained.llama import LLAMA_SIZES, load_llama
from softlookup.running.generation import greedy
from transformers import (
    LlamaConfig,
    LlamaForCausalLM,
    LlamaModel,
    MistralConfig,
    MistralForCausalLM,
    Qwen3Config,
    Qwen3ForCausalLM,
)

VOCABULARY, POSITIONS, BATCH, LENGTH, EPSILON, BASE = 23, 29, 3, 11, 0.03, 70.0
# Kind, and what differs from the sizes below; heads that answer: some, one, all.
KINDS = {
    "llama": (LlamaConfig, LlamaForCausalLM, {}),
    "llama, tied": (LlamaConfig, LlamaForCausalLM, {"tie_word_embeddings": True}),
    "llama, multi-query": (LlamaConfig, LlamaForCausalLM, {"num_key_value_heads": 1}),
    "llama, multi-head": (LlamaConfig, LlamaForCausalLM, {"num_key_value_heads": 6}),
    "mistral": (MistralConfig, MistralForCausalLM, {"sliding_window": None, "head_dim": 14}),
    "qwen3": (Qwen3Config, Qwen3ForCausalLM, {"head_dim": 14}),
    "qwen3, tied": (Qwen3Config, Qwen3ForCausalLM, {"head_dim": 14, "tie_word_embeddings": True}),
}


def hugging_face(generator, name="llama", dtype=torch.float64, kind=None, **fields):
    config, usual, choices = KINDS[name]
    sizes = {
        "vocab_size": VOCABULARY,
        "max_position_embeddings": POSITIONS,
        "hidden_size": 24,
        "num_attention_heads": 6,
        "num_key_value_heads": 2,
        "num_hidden_layers": 2,
        "intermediate_size": 17,
        "rms_norm_eps": EPSILON,
        "rope_parameters": {"rope_type": "default", "rope_theta": BASE},
        "bos_token_id": None,
        "eos_token_id": None,
    }
    model = (kind or usual)(config(**sizes | choices | fields))
    return hub_files.scattered(model, generator, dtype)


def draw(generator, *shape):
    return torch.randint(VOCABULARY, shape or (BATCH, LENGTH), generator=generator)


def in_double(monkeypatch, name):
    module = sys.modules[KINDS[name][1].__module__]
    monkeypatch.setattr(module, "torch", torch_twins.InDouble())


@pytest.fixture
def saved(generator, tmp_path):
    return save(hugging_face(generator), tmp_path / "llama")


@pytest.mark.parametrize("dtype", hub_files.TOLERANCE)
@pytest.mark.parametrize("name", KINDS)
@torch.no_grad()
def test_states_and_logits_are_theirs(name, dtype, generator, tmp_path, monkeypatch):
    if dtype == torch.float64:
        in_double(monkeypatch, name)
    theirs = hugging_face(generator, name, dtype)
    ours = load_llama(save(theirs, tmp_path), dtype=dtype).model
    tokens, last = draw(generator), []
    theirs.model.layers[-1].register_forward_hook(lambda _, args, output: last.append(output))
    expected = theirs(tokens, output_hidden_states=True)
    states = hub_files.states_of_blocks(ours, tokens)
    before_norm = last[0][0] if isinstance(last[0], tuple) else last[0]
    expected_states = [*expected.hidden_states[:-1], before_norm, expected.hidden_states[-1]]
    assert len(states) == len(expected_states) == 4
    for state, expected_state in zip(states, expected_states, strict=True):
        assert expected_state.std() > 0.5
        hub_files.assert_close(state, expected_state, dtype)
    assert expected.logits.std() > 0.5
    hub_files.assert_close(ours(tokens), expected.logits, dtype)


@pytest.mark.parametrize("cached", [False, True])
@pytest.mark.parametrize("name", KINDS)
@torch.no_grad()
def test_generates_their_tokens(name, cached, tmp_path, monkeypatch):
    in_double(monkeypatch, name)
    words, new = set(), POSITIONS - 5
    for seed in range(3):
        generator = torch.Generator().manual_seed(seed)
        theirs = hugging_face(generator, name)
        ours = load_llama(save(theirs, tmp_path), dtype=torch.float64).model
        prompt, caches = draw(generator, BATCH, 5), ours.make_caches(BATCH)
        expected = theirs.generate(
            prompt,
            attention_mask=torch.ones_like(prompt),
            max_new_tokens=new,
            do_sample=False,
            pad_token_id=0,
        )

        def next_logits(tokens, ours=ours, caches=caches):
            if cached:
                return ours(tokens[:, caches[0].length :], caches)[:, -1]
            return ours(tokens)[:, -1]

        written = greedy(next_logits, prompt, new)
        assert torch.equal(written, expected[:, 5:])
        words.update(written.flatten().tolist())
    assert len(words) > 8


def test_the_report_tells_each_tensor(saved):
    model, report = (loaded := load_llama(saved)).model, loaded.report
    assert {match.ours for match in report.matched} == set(model.state_dict())
    assert {match.theirs for match in report.matched} == hub_files.names(saved)
    gate = next(
        m for m in report.matched if m.ours.endswith("1.feed_forward.gate_projection.weight")
    )
    assert (gate.theirs, gate.shape) == ("model.layers.1.mlp.gate_proj.weight", (17, 24))
    assert report.n_parameters == sum(p.numel() for p in model.parameters())
    assert not model.training


def as_on_the_hub(directory):
    """The configuration as older releases wrote it, as most files on the hub still have it."""
    return edit_config(
        directory,
        rope_parameters=...,
        rope_theta=BASE,
        rope_scaling=None,
        head_dim=...,
        mlp_bias=...,
        pretraining_tp=1,
        torch_dtype="float16",
    )


@torch.no_grad()
def test_both_forms_of_the_configuration_give_one_model(saved, generator):
    assert "rope_parameters" in json.loads((saved / "config.json").read_text())
    current, tokens = load_llama(saved), draw(generator)
    older = load_llama(as_on_the_hub(saved))
    assert current.model.config.rotary_base == older.model.config.rotary_base == BASE
    assert torch.equal(current.model(tokens), older.model(tokens))
    # Llama's first files name neither the base nor the heads that answer.
    first = edit_config(saved, rope_theta=..., num_key_value_heads=...)
    with pytest.raises(ValueError, match="k_proj"):  # all 6, and the file has 2
        load_llama(first)
    edit_config(first, num_key_value_heads=2)
    assert load_llama(first).model.config.rotary_base == 10000.0


@torch.no_grad()
def test_speeds_of_clocks_and_other_heads_are_left_over_and_told(saved):
    speeds = "model.layers.1.self_attn.rotary_emb.inv_freq"
    extra = {speeds: torch.ones(2), "score.weight": torch.ones(2, 24)}
    edit_tensors(saved, lambda tensors: tensors | extra)
    ignored = {one.theirs: one.why for one in load_llama(saved).report.ignored}
    assert ignored.keys() == {*extra}
    assert "which the base tells" in ignored[speeds]


def test_a_tied_head_in_the_file_must_be_the_table(generator, tmp_path):
    saved = save(hugging_face(generator, "llama, tied"), tmp_path)
    assert "lm_head.weight" not in hub_files.names(saved)
    table = "model.embed_tokens.weight"
    edit_tensors(saved, lambda tensors: tensors | {"lm_head.weight": tensors[table].clone()})
    (ignored,) = load_llama(saved).report.ignored
    assert ignored.theirs == "lm_head.weight"
    edit_tensors(saved, lambda tensors: tensors | {"lm_head.weight": tensors[table] + 1})
    with pytest.raises(ValueError, match=r"lm_head\.weight and model\.embed_tokens\.weight differ"):
        load_llama(saved)


def test_without_its_head_an_untied_model_is_refused_and_a_tied_one_read(generator, tmp_path):
    bare = save(hugging_face(generator, kind=LlamaModel), tmp_path / "untied")
    with pytest.raises(ValueError, match=r"nothing was loaded; missing: lm_head\.weight"):
        load_llama(bare)
    theirs = hugging_face(generator, "llama, tied", kind=LlamaModel)
    loaded = load_llama(save(theirs, tmp_path / "tied"))
    assert loaded.report.n_parameters == theirs.num_parameters()


LLAMA3 = {"rope_type": "llama3", "rope_theta": 5e5, "factor": 8.0}
REFUSED = {
    "model_type": "gemma",
    "hidden_act": "gelu",
    "attention_bias": True,
    "mlp_bias": True,
    "use_sliding_window": True,
    "quantization_config": {"bits": 4},
    "hidden_size": "24",
    "num_hidden_layers": 0,
    "num_key_value_heads": True,
    "vocab_size": ...,
    "rms_norm_eps": 0,
    "rope_parameters": LLAMA3,
}


@pytest.mark.parametrize("field", REFUSED)
def test_refuses_by_name_what_llama_does_not_compute(field, saved):
    value = REFUSED[field]
    edit_config(saved, **{field: value})
    words = "missing" if value is ... else repr(value)
    with pytest.raises(ValueError, match="expected") as refusal:
        load_llama(saved)
    assert f"config.json: {field} is {words}; expected" in str(refusal.value)


@pytest.mark.parametrize(
    "rope",
    [
        {"type": "linear", "factor": 2.0},
        {"type": "linear"},
        {"rope_type": "yarn"},
        {"rope_type": "dynamic", "factor": 2.0},
        {"rope_type": "yarn", "factor": 4.0},
        LLAMA3,
        {"rope_type": "default", "partial_rotary_factor": 0.5},
        {"rope_type": "default", "rope_theta": BASE + 1},
        "linear",
    ],
)
def test_stretched_and_partial_positions_are_refused(rope, saved):
    as_on_the_hub(saved)
    load_llama(edit_config(saved, rope_scaling={"rope_type": "default"}))
    with pytest.raises(ValueError, match=r"rope_scaling is .* plain rotary positions"):
        load_llama(edit_config(saved, rope_scaling=rope))


@pytest.mark.parametrize("base", [True, "70", 0.5])
def test_a_base_that_is_none_is_refused(base, saved):
    with pytest.raises(ValueError, match=r"rope_theta is .* expected a number above 1"):
        load_llama(edit_config(as_on_the_hub(saved), rope_theta=base))


def test_windows_are_refused_wherever_they_stand(generator, tmp_path):
    mistral = save(hugging_face(generator, "mistral"), tmp_path / "mistral")
    for window, shown in ((7, "7"), (..., "missing, which stands for 4096")):
        with pytest.raises(ValueError, match=f"sliding_window is {shown}; expected null"):
            load_llama(edit_config(mistral, sliding_window=window))
    load_llama(edit_config(mistral, sliding_window=None))
    qwen3 = save(hugging_face(generator, "qwen3"), tmp_path / "qwen3")
    load_llama(edit_config(qwen3, sliding_window=7))  # named, and not used
    kinds = ["full_attention", "sliding_attention"]
    with pytest.raises(ValueError, match=r"layer_types has \['sliding_attention'\]"):
        load_llama(edit_config(qwen3, layer_types=kinds))


@pytest.mark.parametrize(
    ("name", "field"), [("mistral", "num_key_value_heads"), ("qwen3", "head_dim")]
)
def test_sizes_with_other_defaults_must_be_named(name, field, generator, tmp_path):
    saved = save(hugging_face(generator, name), tmp_path)
    with pytest.raises(ValueError, match=f"{field} is missing; expected a whole number"):
        load_llama(edit_config(saved, **{field: ...}))


def test_a_size_that_the_file_does_not_have_loads_nothing(saved):
    with pytest.raises(ValueError, match=r"nothing was loaded; missing: layers\.2\."):
        load_llama(edit_config(saved, num_hidden_layers=3))
    with pytest.raises(ValueError, match="nothing was loaded; left over"):
        load_llama(edit_config(saved, num_hidden_layers=1))


def test_released_sizes_have_their_numbers_of_parameters():
    counts = {
        "meta-llama/Llama-2-7b-hf": 6_738_415_616,
        "meta-llama/Llama-2-70b-hf": 68_976_648_192,
        "meta-llama/Meta-Llama-3-8B": 8_030_261_248,
        "meta-llama/Meta-Llama-3-70B": 70_553_706_496,
        "mistralai/Mistral-7B-v0.3": 7_248_023_552,
        "TinyLlama/TinyLlama-1.1B-Chat-v1.0": 1_100_048_384,
        "Qwen/Qwen3-0.6B": 596_049_920,
    }
    assert LLAMA_SIZES.keys() == counts.keys()
    for name, count in counts.items():
        with torch.device("meta"):
            model = Llama(LLAMA_SIZES[name])
        assert sum(parameter.numel() for parameter in model.parameters()) == count, name
