"""BERT's family from Hugging Face's files: states, pooled vectors and attention are theirs."""

import hub_files
import pytest
import torch
from hub_files import edit_config, edit_tensors, save
from softlookup.inside.attention_maps import attention_maps
from softlookup.pretrained.bert import load_bert
from transformers import (
    BertConfig,
    BertForPreTraining,
    BertForSequenceClassification,
    BertModel,
    RobertaConfig,
    RobertaForMaskedLM,
    RobertaModel,
)

VOCABULARY, POSITIONS, BATCH, LENGTH, EPSILON = 23, 29, 3, 11, 0.03
# width, heads, inner width, layers
SIZES = [(10, 5, 13, 2), (39, 3, 101, 3), (154, 7, 211, 5)]


def hugging_face(generator, size=SIZES[0], dtype=torch.float64, kind=BertModel, **fields):
    d_model, n_heads, d_ff, n_layers = size
    config = (RobertaConfig if "Roberta" in kind.__name__ else BertConfig)(
        **{
            "vocab_size": VOCABULARY,
            "hidden_size": d_model,
            "num_attention_heads": n_heads,
            "intermediate_size": d_ff,
            "num_hidden_layers": n_layers,
            "max_position_embeddings": POSITIONS,
            "type_vocab_size": 5,
            # Far from the usual one, so that another in its place would show.
            "layer_norm_eps": EPSILON,
            **fields,
        }
    )
    return hub_files.scattered(kind(config), generator, dtype)


def draw(generator):
    tokens = torch.randint(2, VOCABULARY, (BATCH, LENGTH), generator=generator)
    return tokens, torch.randint(5, (BATCH, LENGTH), generator=generator)


def masks(generator):
    """Padding on the right, on the left, and holes; each batch with one row that has none."""
    places, lengths = torch.arange(LENGTH), torch.tensor([11, 7, 2])
    right = places < lengths[:, None]
    holes = torch.rand(BATCH, LENGTH, generator=generator) < 0.6
    holes[:, 3] = True
    return {"none": torch.ones_like(right), "right": right, "left": right.flip(1), "holes": holes}


@pytest.fixture
def saved(generator, tmp_path):
    return save(hugging_face(generator), tmp_path / "bert")


@pytest.mark.parametrize("dtype", hub_files.TOLERANCE)
@pytest.mark.parametrize("size", SIZES)
@torch.no_grad()
def test_states_and_pooled_vectors_are_theirs_under_every_mask(size, dtype, generator, tmp_path):
    theirs = hugging_face(generator, size, dtype)
    ours = load_bert(save(theirs, tmp_path), dtype=dtype).model
    tokens, segments = draw(generator)
    seen = []
    for mask in masks(generator).values():
        expected = theirs(tokens, mask.long(), segments, output_hidden_states=True)
        states = hub_files.states_of_blocks(ours, tokens, mask[:, None], segments)
        assert len(states) == size[3] + 2  # after the last block there is no norm of its own
        assert torch.equal(states.pop(), states[-1])
        for state, expected_state in zip(states, expected.hidden_states, strict=True):
            assert expected_state.std() > 0.5
            hub_files.assert_close(state, expected_state, dtype)
        hub_files.assert_close(ours.pool(states[-1]), expected.pooler_output, dtype)
        seen.append(states[-1])
    assert all((seen[0] - state).abs().max() > 0.1 for state in seen[1:])  # masks matter


@torch.no_grad()
def test_without_segments_all_are_the_first(generator, tmp_path):
    theirs = hugging_face(generator)
    ours, (tokens, segments) = (
        load_bert(save(theirs, tmp_path), dtype=torch.float64).model,
        draw(generator),
    )
    hub_files.assert_close(ours(tokens), theirs(tokens).last_hidden_state, torch.float64)
    assert (ours(tokens) - ours(tokens, None, segments)).abs().max() > 0.1


@torch.no_grad()
def test_attention_is_theirs_in_every_head(generator, tmp_path):
    theirs = hugging_face(generator, SIZES[1], attn_implementation="eager")
    ours = load_bert(save(theirs, tmp_path), dtype=torch.float64).model
    (tokens, segments), mask = draw(generator), masks(generator)["right"]
    expected = theirs(tokens, mask.long(), segments, output_attentions=True).attentions
    maps = list(attention_maps(ours, tokens, mask[:, None], segments).values())
    assert len(maps) == len(expected) == 3
    for weights, expected_weights in zip(maps, expected, strict=True):
        hub_files.assert_close(weights, expected_weights, torch.float64)


@torch.no_grad()
def test_every_form_of_names_gives_one_model(generator, tmp_path):
    theirs = hugging_face(generator, kind=BertForPreTraining)
    headed, bare = save(theirs, tmp_path / "headed"), save(theirs.bert, tmp_path / "bare")

    def of_2018(tensors):
        old = {
            name.replace("LayerNorm.weight", "LayerNorm.gamma").replace(
                "LayerNorm.bias", "LayerNorm.beta"
            ): tensor
            for name, tensor in tensors.items()
        }
        return old | {
            "bert.embeddings.position_ids": torch.arange(POSITIONS)[None],
            "cls.predictions.decoder.weight": torch.ones(VOCABULARY, 10),
        }

    old = edit_tensors(save(theirs, tmp_path / "old"), of_2018)
    assert "bert.embeddings.LayerNorm.gamma" in hub_files.names(old)
    assert "embeddings.LayerNorm.weight" in hub_files.names(bare)
    loaded = {path: load_bert(path, dtype=torch.float64) for path in (headed, bare, old)}
    tokens, segments = draw(generator)
    expected = theirs.bert(tokens, token_type_ids=segments).last_hidden_state
    for model, _ in ((one.model, one.report) for one in loaded.values()):
        hub_files.assert_close(model(tokens, None, segments), expected, torch.float64)
    heads = {name for name in hub_files.names(headed) if name.startswith("cls.")}
    assert len(heads) == 7
    assert {one.theirs for one in loaded[headed].report.ignored} == heads
    assert loaded[bare].report.ignored == ()
    ignored = {one.theirs: one.why for one in loaded[old].report.ignored}
    assert ignored.keys() == heads_of_2018(heads)
    assert ignored["bert.embeddings.position_ids"].startswith("0, 1, 2")


def heads_of_2018(heads):
    """The same heads' names, with the norm's as of then, and what was stored beside them."""
    renamed = {
        name.replace("LayerNorm.weight", "LayerNorm.gamma").replace(
            "LayerNorm.bias", "LayerNorm.beta"
        )
        for name in heads
    }
    return renamed | {"bert.embeddings.position_ids", "cls.predictions.decoder.weight"}


@torch.no_grad()
def test_without_a_pooler_in_the_file_there_is_none(generator, tmp_path):
    theirs = hugging_face(generator)
    directory = save(theirs, tmp_path)
    edit_tensors(directory, lambda t: {k: v for k, v in t.items() if "pooler" not in k})
    model = load_bert(directory, dtype=torch.float64).model
    tokens, segments = draw(generator)
    states = model(tokens, None, segments)
    expected = theirs(tokens, token_type_ids=segments).last_hidden_state
    hub_files.assert_close(states, expected, torch.float64)
    with pytest.raises(ValueError, match="the model has no pooler"):
        model.pool(states)


def test_a_head_for_another_task_is_left_over_and_told(generator, tmp_path):
    theirs = hugging_face(generator, kind=BertForSequenceClassification)
    ignored = load_bert(save(theirs, tmp_path)).report.ignored
    assert {one.theirs for one in ignored} == {"classifier.weight", "classifier.bias"}
    assert {one.why for one in ignored} == {"a head for another task"}


@pytest.mark.parametrize("kind", [RobertaModel, RobertaForMaskedLM])
@torch.no_grad()
def test_roberta_counts_positions_from_after_its_padding(kind, generator, tmp_path):
    theirs = hugging_face(generator, kind=kind, pad_token_id=1)
    loaded = load_bert(save(theirs, tmp_path), dtype=torch.float64)
    assert loaded.model.config.max_length == POSITIONS - 2
    (tokens, segments), mask = draw(generator), masks(generator)["right"]
    tokens[~mask] = 1
    expected = getattr(theirs, "roberta", theirs)(tokens, mask.long(), segments)
    states = loaded.model(tokens, mask[:, None], segments)
    hub_files.assert_close(states[mask], expected.last_hidden_state[mask], torch.float64)
    how = next(m.how for m in loaded.report.matched if m.ours == "positions.table")
    assert how == "without the first 2 rows"


REFUSED = {
    "model_type": "distilbert",
    "hidden_act": "gelu_new",
    "position_embedding_type": "relative_key",
    "is_decoder": True,
    "add_cross_attention": True,
    "quantization_config": {"bits": 4},
    "layer_norm_eps": 0,
    "type_vocab_size": 0,
    "intermediate_size": 13.0,
}


@pytest.mark.parametrize("field", REFUSED)
def test_refuses_by_name_what_bert_does_not_compute(field, saved):
    edit_config(saved, **{field: REFUSED[field]})
    with pytest.raises(ValueError, match="expected") as refusal:
        load_bert(saved)
    assert f"config.json: {field} is {REFUSED[field]!r}; expected" in str(refusal.value)
