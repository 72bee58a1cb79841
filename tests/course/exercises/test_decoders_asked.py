"""A test for decoder blocks is told what it never changed, and what it did not look at."""

import pytest
import torch
from softlookup.course.exercises.decoders_asked import why_unseen, why_wronged
from softlookup.course.exercises.decoders_on_trial import honest, impostors
from softlookup.course.exercises.probes import draw

X, MEMORY = draw(2, 5, 12, seed=1), draw(2, 4, 12, seed=2)
MASK = torch.tensor([[[True] * 4], [[True, True, False, False]]])
ORDER = torch.tensor([2, 0, 3, 1])
BLOCK = honest()["a block with the norms behind"]


def other(tensor, *place):
    changed = tensor.clone()
    changed[place] = draw(12, seed=7)
    return changed


PLAIN = (X, MEMORY, MASK)
CHANGES = {
    "a token late in the text": (other(X, slice(None), 4), MEMORY, MASK),
    "a token early in the text": (other(X, slice(None), 0), MEMORY, MASK),
    "a word of the source": (X, other(MEMORY, slice(None), 0), MASK),
    "one word of the source that is not its first": (X, other(MEMORY, slice(None), 1), MASK),
    "the memory's rows at padding": (X, other(MEMORY, 1, 3), MASK),
    "the order of the memory's rows": (X, MEMORY[:, ORDER], MASK[..., ORDER]),
    "one sentence of a batch": (other(X, 0), other(MEMORY, 0), MASK),
}


def answered(block, *questions):
    return [(question, block(*question)) for question in questions]


ALSO = {
    "one word of the source that is not its first": ["a word of the source"],
}


@pytest.mark.parametrize("changed", CHANGES)
def test_all_but_what_was_changed_is_named(changed):
    words = why_unseen(answered(BLOCK, PLAIN, CHANGES[changed]))
    assert {name for name in CHANGES if name not in words} == {changed, *ALSO.get(changed, [])}


@pytest.mark.parametrize(
    ("impostor", "change", "rule"),
    [
        ("its self-attention has no mask", "a token late", "before a changed token stay"),
        ("it does not read what was", "a token early", "from a changed token on move"),
        ("it never asks the source", "a word of the", "with a word of its source"),
        ("it reads the source's first", "one word of the", "with a word of its source"),
        ("it sees the source's padding", "the memory's rows", "the memory's rows at padding"),
        ("the order of the memory's", "the order of the", "with the order of the memory's rows"),
        ("a tenth comes from", "one sentence of", "of which nothing was changed"),
    ],
)
def test_what_a_test_was_shown_is_named(impostor, change, rule):
    block = next(each for name, each in impostors().items() if name.startswith(impostor))
    question = next(each for name, each in CHANGES.items() if name.startswith(change))
    words = why_unseen(answered(block, PLAIN, question))
    assert "what came of it is wrong: " in words
    assert rule in words
    assert "is wrong" not in why_unseen(answered(BLOCK, PLAIN, question))


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ((X[:, :3], MEMORY, MASK), "a token late in the text"),
        ((X[:1], MEMORY[:1], MASK[:1]), "one sentence of a batch"),
        ((X[1:], MEMORY[1:, :2], MASK[1:, :, :2]), None),
    ],
)
def test_questions_of_another_size_count_as_well(question, named):
    words = why_unseen(answered(BLOCK, PLAIN, question))
    assert [name for name in CHANGES if name not in words] == ([named] if named else [])


def test_padding_that_is_cut_off_counts_as_changed():
    mask = torch.tensor([[[True, True, False, False]]]).expand(2, 1, 4)
    asked = answered(BLOCK, (X, MEMORY, mask), (X, MEMORY[:, :2], mask[..., :2]))
    assert "padding" not in why_unseen(asked)


def test_one_question_is_not_enough_and_all_kinds_are_not_everywhere():
    assert "one question only" in why_unseen(answered(BLOCK, PLAIN))
    assert "in turn" in why_unseen(answered(BLOCK, PLAIN, *CHANGES.values()))


def test_a_refused_block_is_right_by_the_rules_of_what_was_changed():
    words = why_wronged(answered(BLOCK, PLAIN, CHANGES["a token early in the text"]))
    assert words.endswith("this is right: all outputs from a changed token on move")
    assert "see which outputs" in why_wronged(answered(BLOCK, PLAIN))
    raised = (X + (torch.arange(5) == 2)[:, None], MEMORY, MASK)
    assert "a norm in front takes that off" in why_wronged(answered(BLOCK, PLAIN, raised))
    unmasked = (X, MEMORY[:, ORDER], MASK)
    assert "leaves the mask as it was" in why_wronged(answered(BLOCK, PLAIN, unmasked))
