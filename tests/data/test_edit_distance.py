from hypothesis import given
from hypothesis import strategies as st
from softlookup.data.edit_distance import edit_distance

words = st.lists(st.sampled_from("abc"), max_size=6)


def test_a_dropped_word_is_one_edit_and_not_a_wrong_rest():
    said, right = ["vier", "und", "sieben", "zig"], ["vier", "hundert", "und", "sieben", "zig"]
    assert edit_distance(said, right) == edit_distance(right, said) == 1


def test_dropping_adding_and_replacing_cost_one_each():
    assert edit_distance("ab", "ab") == 0
    assert edit_distance("", "abc") == edit_distance("abc", "") == 3
    assert edit_distance("abc", "axc") == 1
    assert edit_distance("kitten", "sitting") == 3
    # Two words that change places are two edits: no swap is counted as one.
    assert edit_distance("ab", "ba") == 2


@given(words, words, words)
def test_it_is_a_distance(one, other, third):
    between = edit_distance(one, other)
    assert between == edit_distance(other, one)
    assert (between == 0) == (one == other)
    assert abs(len(one) - len(other)) <= between <= max(len(one), len(other))
    assert between <= edit_distance(one, third) + edit_distance(third, other)
