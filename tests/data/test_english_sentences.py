"""The sentences about which an encoder is asked: what each list promises of its entries."""

import itertools

import pytest
from softlookup.data.english_sentences import (
    ANIMAL_SECOND,
    ANIMALS,
    FRAMES,
    NAMES,
    ON_IT,
    PLAIN,
    ROLES,
    TOOLS,
)


def words(sentence):
    return sentence.lower().replace(".", "").replace(",", "").split()


@pytest.mark.parametrize("entry", [*ON_IT, *ANIMAL_SECOND], ids=lambda entry: entry[0])
def test_a_sentence_on_it_holds_both_nouns_before_it_and_lacks_its_last_word(entry):
    template, one, other, first, second = entry
    assert template.endswith("{}.")
    assert template.count("{}") == 1
    assert first != second
    told = words(template)
    assert told.count("it") == told.count("because") == told.count("was") == 1
    assert {one, other} <= set(told[: told.index("it")])


def test_on_it_the_named_noun_comes_first_and_else_second():
    for entries, in_order in ((ON_IT, True), (ANIMAL_SECOND, False)):
        for template, one, other, *_ in entries:
            told = words(template)
            assert (told.index(one) < told.index(other)) == in_order


def test_no_sentence_stands_in_both_lists():
    assert len({entry[0] for entry in (*ON_IT, *ANIMAL_SECOND)}) == len(ON_IT) + len(ANIMAL_SECOND)
    assert (len(ON_IT), len(ANIMAL_SECOND), len(PLAIN)) == (16, 32, 7)


@pytest.mark.parametrize("role", ROLES)
def test_a_role_names_two_words_that_stand_once_in_their_sentence(role):
    assert len(ROLES[role]) == 12
    for sentence, asks, partner in ROLES[role]:
        assert words(sentence).count(asks) == words(sentence).count(partner) == 1
        assert asks != partner


def test_new_words_stand_in_no_sentence_in_which_a_head_for_names_is_searched():
    searched = {word for sentence, *_ in ROLES["names"] for word in words(sentence)}
    assert not searched & {*ANIMALS, *TOOLS, *NAMES}
    for one, other in itertools.combinations((ANIMALS, TOOLS, NAMES), 2):
        assert not {*one} & {*other}
    assert len(FRAMES) == 12
    assert all(frame.count("{}") == 2 for frame in FRAMES)
