"""What goes wrong in the gap between two logits for which a smoothed loss is least.

The chapter on encoder and decoder asks for it. A gap that no known slip explains is told by the
loss: whether it falls there, or rises already.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from softlookup.course.exercises.difference import require_same
from softlookup.course.exercises.slips import name_slips


def name_logit_gaps(got: Tensor, words: Tensor, share: Tensor) -> None:
    """Name what is wrong with the gaps between the right word's logit and another's.

    Args:
        got: the learner's, one a case.
        words: how many words each vocabulary has.
        share: what is spread over the vocabulary.

    Raises:
        Mistake: with the words for the part that is wrong.
    """

    def gaps(
        right: Tensor = 1 - share + share / words,
        wrong: Tensor = share / words,
        between: Callable[[Tensor, Tensor], Tensor] = lambda right, wrong: (right / wrong).log(),
        pair: tuple[Tensor, Tensor] | None = None,
    ) -> Tensor:
        return between(*(pair or (right, wrong)))

    name_slips(
        got,
        gaps,
        {
            "pair": {
                "you spread the share over the other words only; here the right word gets its part "
                "of it, too": (1 - share, share / (words - 1)),
                "you gave the whole share to one wrong word; each gets the share divided by the "
                "size of the vocabulary": (1 - share, share),
            },
            "right": {
                "you forgot the share that the right word gets back: it is spread over the whole "
                "vocabulary, the right word included": 1 - share,
                "the right word's part of the share is added to 1 - s, not taken off": (
                    1 - share - share / words
                ),
            },
            "wrong": {
                "you gave the whole share to each wrong word; divide it by the size of the "
                "vocabulary": share,
                "a wrong word gets the share divided by all words, the right one included: V and "
                "not V - 1": share / (words - 1),
                "that is what all wrong words have together; each has the share divided by the "
                "vocabulary's size": share * (words - 1) / words,
                "a wrong word gets a part of the share; 1/V is all of it, spread": 1 / words,
                "you multiply the share by the size of the vocabulary; it is divided by it": (
                    share * words
                ),
            },
            "between": {
                "you return the ratio of the two probabilities; logits differ by its logarithm": (
                    torch.div
                ),
                "you subtract probabilities; a difference of logits is the log of their ratio": (
                    torch.sub
                ),
                "your sign is wrong: the right word's logit lies above the others": (
                    lambda right, wrong: (wrong / right).log()
                ),
                "that is the log-probability of the right word alone; the gap is between it and "
                "another word's": lambda right, _: right.log(),
                "that is the surprise at a wrong word alone; the right word's log-probability is "
                "not zero": lambda _, wrong: -wrong.log(),
                "that is the log of a word's odds, p / (1 - p); the gap is to one other word": (
                    lambda right, _: (right / (1 - right)).log()
                ),
                "that is the least loss itself, the entropy of the smoothed labels; the gap of the "
                "logits for which it is reached is asked for": lambda right, wrong: (
                    -(right * right.log() + (words - 1) * wrong * wrong.log())
                ),
                "you subtract the two probabilities' shares of the loss, p log p; the gap is "
                "the difference of the logs alone": lambda right, wrong: (
                    right * right.log() - wrong * wrong.log()
                ),
                "you add the two logs, or multiply the probabilities; a gap is a difference": (
                    lambda right, wrong: (right * wrong).log()
                ),
                "you divide the logs; the log of a ratio is the difference of the logs": (
                    lambda right, wrong: right.log() / wrong.log()
                ),
                "you take exp of the probabilities; it is their logs that are logits": (
                    lambda right, wrong: right.exp() - wrong.exp()
                ),
                "you take the gap to the mean of all words, the right one among them; the gap is "
                "to another word": lambda right, wrong: (1 - 1 / words) * (right / wrong).log(),
                "your gap is in bits; logits are in nats, the natural logarithm": (
                    lambda right, wrong: (right / wrong).log2()
                ),
                "your logarithm is to the base of 10; logits are in nats": (
                    lambda right, wrong: (right / wrong).log10()
                ),
                "you add one inside the logarithm; the gap is the log of the ratio itself": (
                    lambda right, wrong: (1 + right / wrong).log()
                ),
            },
        },
        lambda one, other: torch.allclose(one, other, rtol=1e-5, atol=1e-9),
    )


def require_gaps(got: Tensor, words: Tensor, share: Tensor) -> None:
    """Refuse gaps that are not the right ones, and tell where the smoothed loss stands with them.

    Args:
        got: the learner's, one a case.
        words: how many words each vocabulary has.
        share: what is spread over the vocabulary.

    Raises:
        Mistake: if one is wrong.
    """
    label = 1 - share + share / words
    right = (label * words / share).log()
    wrong = ((got - right).abs() > 1e-5 * right).nonzero().flatten().tolist()
    case = wrong[0] if wrong else 0
    told = (
        f"at {words[case]:.0f} words and a share of {share[case]:g} the gap is {right[case]:.3f}, "
        f"and yours is {got[case]:.3f}: what are the two probabilities, and what is the log of "
        "their ratio?"
    )
    if got[case].isfinite():
        probability = torch.sigmoid(got[case] - (words[case] - 1).log())
        still = "still falls" if got[case] < right[case] else "rises already"
        told += (
            f" At your gap the right word has a probability of {probability:.3f}, where its label "
            f"is {label[case]:.3f}, and the loss {still} as the gap grows."
        )
        if bool(((got > 0) & (got <= right * 1.001)).all()):
            told += " If you go down the loss step by step, you have not arrived."
    require_same(got, right, f"{told} Over four cases", axes=("case",))
