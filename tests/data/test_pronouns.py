"""The sentences in which a pronoun means one of two things: grammar, meaning, and all choices."""

import pytest
import torch
from softlookup.data import pronouns
from softlookup.data.pronouns import FIRST, PRONOUN, SECOND, THINGS, VOCABULARY


def drawn(count=400, seed=0):
    generator = torch.Generator().manual_seed(seed)
    things = torch.rand(count, len(THINGS), generator=generator).argsort(dim=1)[:, :2]
    found = pronouns.sentences(things, generator)
    words = [[VOCABULARY[index] for index in row] for row in found.tokens.tolist()]
    meant = [[VOCABULARY[index] for index in row] for row in found.meant.tolist()]
    return things.tolist(), words, meant


def test_the_words_of_the_vocabulary_are_different():
    assert len(set(VOCABULARY)) == len(VOCABULARY)


def test_the_things_stand_where_they_were_asked_for_one_singular_and_one_plural():
    for (first, second), words, _ in zip(*drawn(), strict=True):
        assert words[FIRST] in THINGS[first]
        assert words[SECOND] in THINGS[second]
        assert (words[FIRST] == THINGS[first][0]) == (words[SECOND] == THINGS[second][1])


def test_the_pronoun_means_the_thing_of_its_own_number_and_all_else_means_itself():
    ones = {one for one, _ in THINGS}
    for _, words, meant in zip(*drawn(), strict=True):
        assert meant[:PRONOUN] == words[:PRONOUN]
        assert meant[PRONOUN] in (words[FIRST], words[SECOND])
        assert words[PRONOUN] == ("it" if meant[PRONOUN] in ones else "them")


def test_no_plural_follows_the_article_of_a_singular():
    many = {plural for _, plural in THINGS}
    for _, words, _ in zip(*drawn(), strict=True):
        assert not (words[FIRST - 1] == "a" and words[FIRST] in many)
        assert not (words[SECOND - 1] == "a" and words[SECOND] in many)


def test_every_choice_is_taken_and_the_two_meanings_are_as_frequent():
    _, words, meant = drawn(2000)
    assert {word for row in words for word in row} == set(VOCABULARY)
    for choice in (
        [row[PRONOUN] == "it" for row in words],
        [m[PRONOUN] == w[FIRST] for w, m in zip(words, meant, strict=True)],
        [w[FIRST] in {one for one, _ in THINGS} for w in words],
    ):
        assert 0.45 < sum(choice) / len(choice) < 0.55


def test_the_sentence_of_the_chapter_belongs_to_the_language():
    tokens = pronouns.encode("a robot must obey the orders given it")
    assert [VOCABULARY[index] for index in tokens] == [
        *("a", "robot", "must", "obey", "the", "orders", "given", "it")
    ]


def test_what_is_no_sentence_is_refused():
    generator = torch.Generator()
    with pytest.raises(ValueError, match="paired with itself"):
        pronouns.sentences(torch.tensor([[3, 3]]), generator)
    with pytest.raises(ValueError, match="there are 10 things"):
        pronouns.sentences(torch.tensor([[3, 10]]), generator)
    with pytest.raises(ValueError, match="'cat' is no word"):
        pronouns.encode("a cat")
