"""Language models to judge, and impostors: some are wrong in one context only.

The exercises of the chapter on the limits of recurrence hand them to a learner's test.
"""

import math
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from softlookup.course.exercises.probes import draw_several
from softlookup.course.exercises.verdict import Mistake


class LanguageModel:
    """What the learner's test is given: the words, and a function from a context to numbers.

    Args:
        words: the vocabulary.
        answer: the function.
    """

    def __init__(self, words: tuple[str, ...], answer: Callable[[Sequence[str]], Tensor]) -> None:
        self.words = words
        self._answer = answer

    def __call__(self, context: Sequence[str]) -> Tensor:
        """The model's numbers for each word that might come next.

        Raises:
            Mistake: if the context is no list of the model's words.
        """
        if isinstance(context, str) or not all(word in self.words for word in context):
            raise Mistake(
                "your test asks with something that is no list of the model's words: "
                "model(['the', 'battery']), with words from model.words"
            )
        return self._answer(context)


def language_models(
    words: tuple[str, ...],
) -> tuple[dict[str, Callable[..., Tensor]], dict[str, Callable[..., Tensor]]]:
    """Honest models and impostors, by what they are or by what is wrong with them.

    Args:
        words: seven words or so, ``down`` among them.

    Returns:
        Six honest models and twelve impostors, as functions from a context to a number a word.
    """
    size = len(words)
    counts = torch.randint(0, 4, (size + 1, size), generator=torch.Generator().manual_seed(4)) + 1.0
    recurrent, read, out = draw_several((size, size), (size, size), (size, size), seed=5)

    def row(context: Sequence[str]) -> Tensor:
        """How often each word came after the last of the context; the last row is the start."""
        return counts[words.index(context[-1]) if context else size]

    def share(context: Sequence[str]) -> Tensor:
        return row(context) / row(context).sum()

    def logits(context: Sequence[str], state: Tensor | None = None) -> Tensor:
        state = torch.zeros(size) if state is None else state
        for word in context:
            state = torch.tanh(read[words.index(word)] + state @ recurrent)
        return state @ out

    def rounded(context: Sequence[str]) -> Tensor:
        # Seven float16 numbers are not one together, but near it.
        return torch.softmax(logits(context), 0).half().float()

    def certain(context: Sequence[str]) -> Tensor:
        return torch.eye(size)[len(context) % size]

    def below_zero(context: Sequence[str]) -> Tensor:
        shift = torch.zeros(size)
        shift[0], shift[1] = -1.0, 1.0
        return share(context) + shift

    carried = [torch.zeros(size)]

    def stateful(context: Sequence[str]) -> Tensor:
        for word in context:
            carried[0] = torch.tanh(read[words.index(word)] + carried[0] @ recurrent)
        return torch.softmax(carried[0] @ out, 0)

    honest = {
        "every word equally likely": lambda context: torch.full((size,), 1 / size),
        "a bigram model": share,
        "a bigram model in double precision": lambda context: share(context).double(),
        "a recurrent network": lambda context: torch.softmax(logits(context), 0),
        "a network whose probabilities are rounded to half precision": rounded,
        "a model that is certain of one word": certain,
    }
    impostors = {
        "counts that were not divided": row,
        "joint probabilities, P(word, next)": lambda context: row(context) / counts.sum(),
        "the model read backwards, P(word | next)": lambda context: row(context) / counts.sum(0),
        "logits without a softmax": logits,
        "log-probabilities": lambda context: torch.log_softmax(logits(context), 0),
        "a sigmoid for each word": lambda context: torch.sigmoid(logits(context)),
        "probabilities that sum to one, one of them below zero": below_zero,
        "nothing but zeros after the word 'down'": lambda context: (
            share(context) * (not context or context[-1] != "down")
        ),
        "not-a-number at the start of a text": lambda context: (
            share(context) if context else torch.full((size,), math.nan)
        ),
        "zeros after contexts of more than eight words": lambda context: (
            share(context) * (len(context) <= 8)
        ),
        "probabilities rounded to one decimal": lambda context: (share(context) * 10).round() / 10,
        "a state that is left over from the last text": stateful,
    }
    return honest, impostors
