import pytest
from softlookup.course.exercises.counted import counted


@pytest.mark.parametrize(("number", "words"), [(0, "0 tokens"), (1, "1 token"), (2, "2 tokens")])
def test_one_thing_is_told_as_one(number, words):
    assert counted(number, "token") == words
