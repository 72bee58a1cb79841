"""GPT-2 from Hugging Face's files: states, logits and generated tokens are those of their model."""

import hub_files
import pytest
import torch
from hub_files import edit_config, edit_tensors, save
from softlookup.models.gpt import GPT
from softlookup.pretrained.gpt2 import GPT2_SIZES, load_gpt2
from softlookup.running.generation import greedy
from transformers import GPT2Config, GPT2LMHeadModel, GPT2Model

VOCABULARY, POSITIONS, BATCH, LENGTH = 23, 29, 3, 11
# width, heads, layers
SIZES = [(10, 5, 2), (39, 3, 3), (154, 7, 5)]


def hugging_face(generator, size=SIZES[0], dtype=torch.float64, kind=GPT2LMHeadModel, **fields):
    d_model, n_heads, n_layers = size
    config = GPT2Config(
        **{
            "vocab_size": VOCABULARY,
            "n_positions": POSITIONS,
            "n_embd": d_model,
            "n_head": n_heads,
            "n_layer": n_layers,
            "bos_token_id": None,
            "eos_token_id": None,
            **fields,
        }
    )
    return hub_files.scattered(kind(config), generator, dtype)


def draw(generator, *shape):
    return torch.randint(VOCABULARY, shape or (BATCH, LENGTH), generator=generator)


@pytest.fixture
def saved(generator, tmp_path):
    return save(hugging_face(generator), tmp_path / "gpt2")


@pytest.mark.parametrize("dtype", hub_files.TOLERANCE)
@pytest.mark.parametrize("size", SIZES)
@torch.no_grad()
def test_states_and_logits_are_theirs(size, dtype, generator, tmp_path):
    theirs = hugging_face(generator, size, dtype)
    ours = load_gpt2(save(theirs, tmp_path), dtype=dtype).model
    tokens, last = draw(generator), []
    theirs.transformer.h[-1].register_forward_hook(lambda _, args, output: last.append(output))
    expected = theirs(tokens, output_hidden_states=True)
    states = hub_files.states_of_blocks(ours, tokens)
    # Their last state is that after the norm; the hook gives the one before it too.
    before_norm = last[0][0] if isinstance(last[0], tuple) else last[0]
    expected_states = [*expected.hidden_states[:-1], before_norm, expected.hidden_states[-1]]
    assert len(states) == len(expected_states) == size[2] + 2
    for state, expected_state in zip(states, expected_states, strict=True):
        assert expected_state.std() > 0.5
        hub_files.assert_close(state, expected_state, dtype)
    assert expected.logits.std() > 0.5
    hub_files.assert_close(ours(tokens), expected.logits, dtype)


@torch.no_grad()
def test_padding_on_the_right_moves_no_real_token(generator, tmp_path):
    theirs = hugging_face(generator)
    ours = load_gpt2(save(theirs, tmp_path), dtype=torch.float64).model
    tokens, lengths = draw(generator), torch.tensor([11, 7, 3])
    real = torch.arange(LENGTH) < lengths[:, None]
    expected = theirs(tokens, attention_mask=real.long()).logits
    hub_files.assert_close(ours(tokens)[real], expected[real], torch.float64)


@pytest.mark.parametrize("cached", [False, True])
def test_generates_their_tokens(cached, tmp_path):
    words, new = set(), POSITIONS - 5
    for seed in range(5):
        generator = torch.Generator().manual_seed(seed)
        theirs = hugging_face(generator, SIZES[1])
        ours = load_gpt2(save(theirs, tmp_path), dtype=torch.float64).model
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
    assert len(words) > 8  # the five models do not all say the same


def test_generates_their_tokens_from_prompts_of_different_lengths(generator, tmp_path):
    theirs = hugging_face(generator, SIZES[1], eos_token_id=3)
    ours = load_gpt2(save(theirs, tmp_path), dtype=torch.float64).model
    prompts = [draw(generator, 1, length) for length in (7, 2, 5, 3, 6, 4, 1)]
    # Theirs pads on the left and masks the padding; ours gets one prompt at a time.
    padded = torch.zeros(len(prompts), 7, dtype=torch.long)
    mask = torch.zeros_like(padded)
    for row, prompt in enumerate(prompts):
        padded[row, -prompt.size(1) :] = prompt
        mask[row, -prompt.size(1) :] = 1
    expected = theirs.generate(
        padded, attention_mask=mask, max_new_tokens=17, do_sample=False, pad_token_id=0
    )[:, 7:]
    lengths = set()
    for prompt, row in zip(prompts, expected, strict=True):
        written = greedy(lambda tokens: ours(tokens)[:, -1], prompt, 17, end=3)[0]
        assert torch.equal(written, row[: len(written)])
        assert (row[len(written) :] == 0).all()
        lengths.add(len(written))
    assert len(lengths) > 1  # some end early, and not all at once


@torch.no_grad()
def test_both_forms_of_names_give_one_model(generator, tmp_path):
    theirs = hugging_face(generator)
    current = save(theirs, tmp_path / "current")
    # What the hub's files hold: no prefix, and the masks that attention once kept.
    hub = save(theirs.transformer, tmp_path / "hub")
    mask = torch.ones(1, 1, POSITIONS, POSITIONS, dtype=torch.uint8).tril()
    masks = {f"h.{number}.attn.bias": mask for number in range(2)}
    fills = {f"h.{number}.attn.masked_bias": torch.tensor(-1e4) for number in range(2)}
    edit_tensors(hub, lambda tensors: tensors | masks | fills)
    assert all(name.startswith("transformer.") for name in hub_files.names(current))
    assert "wte.weight" in hub_files.names(hub)
    models = [load_gpt2(path, dtype=torch.float64) for path in (current, hub)]
    for name, tensor in models[0].model.state_dict().items():
        assert torch.equal(tensor, models[1].model.state_dict()[name]), name
    ignored = {one.theirs: one.why for one in models[1].report.ignored}
    assert ignored.keys() == {*masks, *fills}
    assert "causal mask" in ignored["h.1.attn.bias"]
    assert models[0].report.ignored == ()


def test_a_head_that_is_the_table_is_reported_and_another_refused(generator, tmp_path):
    theirs = hugging_face(generator, tie_word_embeddings=False)
    directory = save(theirs, tmp_path)
    with pytest.raises(ValueError, match=r"lm_head\.weight and transformer\.wte\.weight differ"):
        load_gpt2(directory)
    edit_tensors(directory, lambda t: t | {"lm_head.weight": t["transformer.wte.weight"].clone()})
    (ignored,) = load_gpt2(directory).report.ignored
    assert (ignored.theirs, ignored.shape) == ("lm_head.weight", (VOCABULARY, 10))
    edit_tensors(directory, lambda t: {k: v for k, v in t.items() if k != "lm_head.weight"})
    with pytest.raises(ValueError, match="tie_word_embeddings is False"):
        load_gpt2(directory)


def test_the_report_tells_each_tensor(generator, tmp_path):
    directory = save(hugging_face(generator), tmp_path)
    model, report = (loaded := load_gpt2(directory)).model, loaded.report
    assert {match.ours for match in report.matched} == set(model.state_dict())
    assert {match.theirs for match in report.matched} == hub_files.names(directory)
    key = next(m for m in report.matched if m.ours.endswith("0.self_attention.key_projection.bias"))
    assert (key.theirs, key.shape) == ("transformer.h.0.attn.c_attn.bias", (10,))
    assert key.how == "second third"
    assert report.n_parameters == sum(p.numel() for p in model.parameters())
    lines = str(report).splitlines()
    assert lines[0] == (
        f"{directory}: 36 tensors matched, 0 ignored, {report.n_parameters:,} parameters"
    )
    assert len(lines) == 2 + 36
    assert lines[1].split() == ["theirs", "ours", "shape"]
    assert lines[2].split() == ["transformer.wte.weight", "embedding.table", "23", "×", "10"]
    assert any(line.endswith("10 × 10  second third of the columns, transposed") for line in lines)


def test_a_head_for_another_task_is_left_over_and_told(saved):
    edit_tensors(saved, lambda tensors: tensors | {"score.weight": torch.ones(2, 10)})
    (ignored,) = load_gpt2(saved).report.ignored
    assert (ignored.theirs, ignored.why) == ("score.weight", "a head for another task")


def test_the_model_without_a_head_loads_too(generator, tmp_path):
    theirs = hugging_face(generator, kind=GPT2Model)
    assert load_gpt2(save(theirs, tmp_path)).report.n_parameters == theirs.num_parameters()


REFUSED = {
    "model_type": "gpt_neo",
    "activation_function": "relu",
    "layer_norm_epsilon": 1e-6,
    "n_inner": 41,
    "n_ctx": 17,
    "scale_attn_weights": False,
    "scale_attn_by_inverse_layer_idx": True,
    "reorder_and_upcast_attn": True,
    "add_cross_attention": True,
    "quantization_config": {"bits": 4},
    "n_embd": "10",
    "n_layer": 0,
    "n_head": True,
    "vocab_size": ...,
}


@pytest.mark.parametrize("field", REFUSED)
def test_refuses_by_name_what_gpt_does_not_compute(field, saved):
    value = REFUSED[field]
    edit_config(saved, **{field: value})
    words = "missing" if value is ... else repr(value)
    with pytest.raises(ValueError, match="expected") as refusal:
        load_gpt2(saved)
    assert f"config.json: {field} is {words}; expected" in str(refusal.value)


def test_what_is_equal_to_the_default_is_taken(saved):
    fields = {"activation_function": "gelu_pytorch_tanh", "n_inner": 40, "n_ctx": POSITIONS}
    load_gpt2(edit_config(saved, **fields, scale_attn_weights=None))


def test_heads_that_do_not_divide_the_width_are_refused(saved):
    with pytest.raises(ValueError, match="n_heads is 3; expected n_heads to divide"):
        load_gpt2(edit_config(saved, n_head=3))


@torch.no_grad()
def test_dropout_is_the_callers_choice(generator, tmp_path):
    theirs = hugging_face(generator)
    directory, tokens = save(theirs, tmp_path), draw(generator)
    without = load_gpt2(directory).model
    assert not without.training
    assert torch.equal(without.train()(tokens), without(tokens))
    having = load_gpt2(directory, dropout=0.5).model
    assert torch.equal(having(tokens), without(tokens))
    assert not torch.equal(having.train()(tokens), without(tokens))


def test_the_four_sizes_have_their_numbers_of_parameters():
    counts = {
        "gpt2": 124_439_808,
        "gpt2-medium": 354_823_168,
        "gpt2-large": 774_030_080,
        "gpt2-xl": 1_557_611_200,
    }
    assert GPT2_SIZES.keys() == counts.keys()
    for name, count in counts.items():
        with torch.device("meta"):
            model = GPT(GPT2_SIZES[name])
        assert sum(parameter.numel() for parameter in model.parameters()) == count, name
