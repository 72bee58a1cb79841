"""Answers: what counts and what does not, against loops and against an ordinary loss."""

import pytest
import torch
from softlookup.running.answers import (
    answer_log_probabilities,
    answer_loss,
    are_likeliest,
    join_answers,
)
from torch.nn import functional

QUESTIONS = [torch.tensor([1, 2, 3]), torch.tensor([4]), torch.tensor([5, 0])]
ANSWERS = [torch.tensor([6, 7]), torch.tensor([8, 0, 9, 10]), torch.tensor([2])]
VOCAB = 11


def batch():
    return join_answers(QUESTIONS, ANSWERS)


def logits(seed=0):
    return torch.randn(
        3, 5, VOCAB, dtype=torch.float64, generator=torch.Generator().manual_seed(seed)
    )


def surprises(scores):
    """Of each answer's tokens, one by one: a token is foretold at the place before it."""
    said = scores.log_softmax(dim=-1)
    return [
        [
            -said[row, len(question) + place - 1, token].item()
            for place, token in enumerate(answer.tolist())
        ]
        for row, (question, answer) in enumerate(zip(QUESTIONS, ANSWERS, strict=True))
    ]


def test_answers_stand_behind_their_questions():
    assert batch().tokens.tolist() == [[1, 2, 3, 6, 7], [4, 8, 0, 9, 10], [5, 0, 2, 0, 0]]
    assert batch().is_answer.int().tolist() == [[0, 0, 0, 1, 1], [0, 1, 1, 1, 1], [0, 0, 1, 0, 0]]
    assert join_answers(QUESTIONS, ANSWERS, padding=9).tokens[2].tolist() == [5, 0, 2, 9, 9]


def test_the_loss_is_the_mean_surprise_of_the_answers_tokens():
    each = [surprise for row in surprises(logits()) for surprise in row]
    assert len(each) == 7
    assert answer_loss(logits(), batch()).item() == pytest.approx(sum(each) / 7)


def test_the_loss_is_torchs_with_everything_else_ignored():
    targets = torch.tensor([[-100, -100, 6, 7], [8, 0, 9, 10], [-100, 2, -100, -100]])
    expected = functional.cross_entropy(logits()[:, :-1].transpose(1, 2), targets)
    torch.testing.assert_close(answer_loss(logits(), batch()), expected)


def test_neither_question_nor_padding_passes_a_gradient():
    scores = logits().requires_grad_()
    answer_loss(scores, batch()).backward()
    moved = scores.grad.abs().sum(dim=-1) > 0
    assert moved.int().tolist() == [[0, 0, 1, 1, 0], [1, 1, 1, 1, 0], [0, 1, 0, 0, 0]]


def test_an_answers_log_probability_is_a_sum_over_its_tokens():
    expected = [-sum(row) for row in surprises(logits())]
    assert answer_log_probabilities(logits(), batch()).tolist() == pytest.approx(expected)


def test_padding_may_be_any_token():
    other = join_answers(QUESTIONS, ANSWERS, padding=9)
    assert torch.equal(answer_loss(logits(), batch()), answer_loss(logits(), other))
    assert torch.equal(
        answer_log_probabilities(logits(), batch()), answer_log_probabilities(logits(), other)
    )


def test_an_answer_is_likeliest_if_each_of_its_tokens_is():
    scores = torch.zeros(3, 5, VOCAB)
    for row, places in enumerate([[(2, 6), (3, 7)], [(0, 8), (1, 0), (2, 9), (3, 10)], [(1, 2)]]):
        for place, token in places:
            scores[row, place, token] = 1.0
    assert are_likeliest(scores, batch()).tolist() == [True, True, True]
    # What is foretold within the question, or behind the answer, does not matter.
    scores[:, :, 3] += torch.tensor([[5.0, 5, 0, 0, 5], [0, 0, 0, 0, 5], [5, 0, 5, 5, 5]])
    assert are_likeliest(scores, batch()).tolist() == [True, True, True]
    scores[1, 2, 3] = 9.0
    scores[2, 1, 4] = 9.0
    assert are_likeliest(scores, batch()).tolist() == [True, False, False]


def test_refuses_what_does_not_fit():
    with pytest.raises(ValueError, match="0 questions and 0 answers"):
        join_answers([], [])
    with pytest.raises(ValueError, match="3 questions and 2 answers"):
        join_answers(QUESTIONS, ANSWERS[:2])
    for questions, answers in (
        ([torch.tensor([], dtype=torch.long)], ANSWERS[:1]),
        (QUESTIONS[:1], [torch.tensor([], dtype=torch.long)]),
    ):
        with pytest.raises(ValueError, match="has no tokens"):
            join_answers(questions, answers)
    for function in (answer_loss, answer_log_probabilities, are_likeliest):
        with pytest.raises(ValueError, match=r"for \(3, 4\) tokens and the batch has \(3, 5\)"):
            function(logits()[:, :4], batch())
