import pytest
from softlookup.data.edition import split, text
from softlookup.data.overlap import leave_out_shared, shared, word_runs

TEST = "One two three four.\n\nFive six"


def test_runs_are_words_in_a_row_whatever_stands_between():
    assert word_runs("It's a (very) small_text.", 3) == [
        ("it", "s", "a"),
        ("s", "a", "very"),
        ("a", "very", "small"),
        ("very", "small", "text"),
    ]
    assert word_runs("too short", 3) == []
    with pytest.raises(ValueError, match="words is 0"):
        word_runs("some words", 0)


def test_the_share_counts_the_runs_of_the_test_text():
    assert shared("one TWO, three... nothing more", TEST, words=3) == 1 / 4
    assert shared("nothing at all", TEST, words=3) == 0
    assert shared(TEST, TEST, words=3) == 1
    with pytest.raises(ValueError, match="fewer than 7 words"):
        shared("a b c d e f g", TEST, words=7)


def test_only_paragraphs_that_share_a_run_are_left_out():
    train = "Mine alone.\n\nHe said: one, two, three!\n\nOne two. Three two one.\n\n\nLast."
    assert leave_out_shared(train, TEST, words=3) == "Mine alone.\n\n\nLast."
    # A run that crosses from one paragraph into the next is no quote within either.
    assert leave_out_shared("one two\n\nthree four", TEST, words=3) == "one two\n\nthree four"


def test_the_book_hardly_quotes_itself():
    parts = split(text())
    assert shared(parts.train, parts.test) < 0.005
    cleaned = leave_out_shared(parts.train, parts.test)
    assert 0.99 * len(parts.train) < len(cleaned) < len(parts.train)
    # What is left could only be runs across two paragraphs.
    assert shared(cleaned, parts.test) < shared(parts.train, parts.test)


def test_planted_quotes_are_counted_and_left_out():
    parts = split(text())
    clean = leave_out_shared(parts.train, parts.test)
    quotes = parts.test.split("\n\n")[::7]
    read = "\n\n".join([clean[:200_000], *quotes, clean[200_000:]])
    assert shared(read, parts.test) > 0.05
    cleaned = leave_out_shared(read, parts.test)
    assert shared(cleaned, parts.test) < 0.005
    assert len(clean) - 2_000 < len(cleaned) < len(clean) + 2_000
