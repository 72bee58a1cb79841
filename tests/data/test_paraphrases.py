"""Sentences that say the same in other words: two sets of forty, and none of them twice."""

import pytest
from softlookup.data.paraphrases import FIRST_FORTY, SECOND_FORTY


@pytest.mark.parametrize("pairs", [FIRST_FORTY, SECOND_FORTY], ids=["first", "second"])
def test_a_set_has_forty_pairs_of_different_sentences(pairs):
    assert len(pairs) == 40
    assert all(one != other for one, other in pairs)


def test_no_sentence_stands_twice():
    told = [sentence for pair in (*FIRST_FORTY, *SECOND_FORTY) for sentence in pair]
    assert len({*told}) == len(told)
    assert all(sentence.endswith(".") for sentence in told)
