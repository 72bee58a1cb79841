"""Answers: a text of which only the second half is to be learned, and what it costs.

Supervised fine-tuning is the training of every language model, with the loss taken on the answer
and not on the question before it. The chapter on answers fine-tunes with it, and compares answers
by their probability.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from softlookup.running.losses import next_token_loss


@dataclass(frozen=True, eq=False)
class Answers:
    """Questions with an answer each, one behind the other, padded at the end.

    Attributes:
        tokens: question, answer, padding.
        is_answer: whether a token belongs to the answer.
    """

    tokens: Int[Tensor, "batch length"]
    is_answer: Bool[Tensor, "batch length"]


def join_answers(
    questions: Sequence[Int[Tensor, " _"]],
    answers: Sequence[Int[Tensor, " _"]],
    padding: int = 0,
) -> Answers:
    """Put answers behind their questions, as one batch.

    Args:
        questions: their tokens, one at least in each.
        answers: their tokens, with the one that ends an answer.
        padding: what fills the rows. Under a causal mask nothing looks at it, and it is no part
            of an answer, so it may be any token.

    Raises:
        ValueError: if there is no question, if there is not an answer to each, or if one of
            them has no tokens.
    """
    if not questions or len(questions) != len(answers):
        raise ValueError(
            f"there are {len(questions)} questions and {len(answers)} answers; expected at least "
            "one, and as many of the others"
        )
    pairs = list(zip(questions, answers, strict=True))
    if any(not len(part) for pair in pairs for part in pair):
        raise ValueError("a question or an answer has no tokens; expected at least one in each")
    length = max(len(question) + len(answer) for question, answer in pairs)
    tokens = torch.full((len(pairs), length), padding, dtype=torch.long)
    is_answer = torch.zeros(len(pairs), length, dtype=torch.bool)
    for row, (question, answer) in enumerate(pairs):
        end = len(question) + len(answer)
        tokens[row, :end] = torch.cat([question, answer])
        is_answer[row, len(question) : end] = True
    return Answers(tokens, is_answer)


def answer_loss(
    logits: Float[Tensor, "batch length vocab_size"], batch: Answers
) -> Float[Tensor, ""]:
    """The mean surprise of the answers' tokens, in nats; the questions' do not count.

    Args:
        logits: what the model says after each of the batch's tokens.
        batch: what it read.

    Raises:
        ValueError: if the logits are not one row for each token of the batch.

    Source: Ouyang et al. 2022, section 3.5, supervised fine-tuning.
    """
    _require_same_places(logits, batch)
    nothing = -1
    targets = batch.tokens.masked_fill(~batch.is_answer, nothing)
    return next_token_loss(logits[:, :-1], targets[:, 1:], padding=nothing)


def answer_log_probabilities(
    logits: Float[Tensor, "batch length vocab_size"], batch: Answers
) -> Float[Tensor, " batch"]:
    """The log-probability of each whole answer, given its question: a sum over its tokens.

    Args:
        logits: what the model says after each of the batch's tokens.
        batch: what it read.

    Raises:
        ValueError: if the logits are not one row for each token of the batch.
    """
    _require_same_places(logits, batch)
    after = logits[:, :-1].log_softmax(dim=-1)
    of_tokens = after.gather(-1, batch.tokens[:, 1:, None])[..., 0]
    return of_tokens.masked_fill(~batch.is_answer[:, 1:], 0.0).sum(dim=1)


def are_likeliest(
    logits: Float[Tensor, "batch length vocab_size"], batch: Answers
) -> Bool[Tensor, " batch"]:
    """Whether every token of an answer is the likeliest, given what stands before it.

    Then, and only then, it is what greedy search would write.

    Args:
        logits: what the model says after each of the batch's tokens.
        batch: what it read.

    Raises:
        ValueError: if the logits are not one row for each token of the batch.
    """
    _require_same_places(logits, batch)
    foretold = logits[:, :-1].argmax(dim=-1) == batch.tokens[:, 1:]
    return (foretold | ~batch.is_answer[:, 1:]).all(dim=1)


def _require_same_places(logits: Tensor, batch: Answers) -> None:
    if logits.shape[:2] != batch.tokens.shape:
        raise ValueError(
            f"the logits are for {tuple(logits.shape[:2])} tokens and the batch has "
            f"{tuple(batch.tokens.shape)}; expected the logits of the batch's own tokens"
        )
