"""A test of language models that believes an impostor is told what it never asked or looked at."""

import pytest
import torch
from softlookup.course.exercises.language_models_asked import why_unseen
from softlookup.course.exercises.language_models_on_trial import (
    another_for_each_text,
    doubled,
    honest,
)

BLIND, SHARP = (lambda model: True), (lambda model: False)


def told(texts, test, model=another_for_each_text):
    ids = [torch.tensor(text) for text in texts]
    return why_unseen([(each, model(each)) for each in ids], test)


@pytest.mark.parametrize(
    ("texts", "test", "words"),
    [
        ([[1, 2, 3], [1, 4, 5]], BLIND, "No two of your texts begin alike and end differently"),
        ([[1, 2, 3]], SHARP, "No two of your texts begin alike and end differently"),
        ([[1, 2, 3, 4], [1, 2, 3, 5]], BLIND, "begin with the same 3 tokens, and what is said at "
         "place 2 "),
        ([[1, 2, 3, 4], [1, 2, 3, 5]], BLIND, "compare the places 0 to 2, all of them"),
        ([[1, 2, 3], [1]], BLIND, "begin with the same 1 token, and what is said at place 0 "),
        ([[1, 2, 3], [1, 4, 5]], SHARP, ": compare it"),
        ([[1, 2, 3], [1, 4, 5], [1, 4, 6]], SHARP, "begin with the same 2 tokens"),
    ],
)  # fmt: skip
def test_texts_that_begin_alike_by_chance_were_not_asked_to(texts, test, words):
    assert words in told(texts, test)


@pytest.mark.parametrize(
    ("test", "words"),
    [(BLIND, "It never looks at the sums"), (SHARP, ": look at the sum of each place by itself")],
)
def test_who_never_looks_at_a_sum_is_told_so(test, words):
    assert "the probabilities sum to 2.000 at place 0" in told([[1, 2]], test, doubled)
    assert words in told([[1, 2]], test, doubled)


def test_texts_of_one_token_are_told_as_such():
    said = told([[1, 2], [1]], SHARP, honest()["bigrams"])
    assert said == "Your texts have at most 2 tokens: ask about a long one, too"
