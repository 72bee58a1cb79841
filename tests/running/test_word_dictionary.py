import pytest
from softlookup.running.word_dictionary import word_dictionary


def pairs(*texts):
    return [tuple(side.split() for side in text.split("|")) for text in texts]


def test_words_are_told_apart_by_the_company_they_keep():
    found = word_dictionary(
        pairs("the house|das haus", "the book|das buch", "a book|ein buch"), rounds=30
    )
    assert found == {"the": "das", "house": "haus", "book": "buch", "a": "ein"}


def test_what_translates_nothing_is_left_to_the_empty_word():
    found = word_dictionary(pairs("x y|le x y", "y z|le y z", "x z|le x z", "z|le z"))
    assert found == {"x": "x", "y": "y", "z": "z"}
    # Where each stands alone, nothing but the empty word can take the article.
    assert word_dictionary(pairs("x|le x", "y|le y", "z|le z")) == found


def test_order_does_not_count():
    sentences = pairs("a b|b a", "b c|c b", "a c|c a")
    turned = [(source[::-1], target) for source, target in sentences]
    assert word_dictionary(sentences) == word_dictionary(turned) == {"a": "a", "b": "b", "c": "c"}


def test_sentences_and_rounds_are_needed():
    for sentences, rounds in (([], 5), (pairs("a|b"), 0)):
        with pytest.raises(ValueError, match="expected at least 1"):
            word_dictionary(sentences, rounds)
