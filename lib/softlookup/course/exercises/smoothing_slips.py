"""What goes wrong in a smoothed loss, a mean over tokens some of which are padding.

The chapter on encoder and decoder has it repaired.
"""

from collections.abc import Callable
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from softlookup.course.exercises.difference import require_same
from softlookup.course.exercises.probes import draw, require_tensor
from softlookup.course.exercises.slips import Slips, name_slips
from softlookup.course.exercises.verdict import Mistake
from softlookup.data.vocabulary import END, PADDING, START
from softlookup.running.losses import next_token_loss

BATCH, LENGTH, VOCAB = 3, 7, 13

SmoothedLoss = Callable[[Tensor, Tensor, float], Tensor]


class Probe(NamedTuple):
    """What a loss is asked about: logits, targets with padding among them, and the share."""

    logits: Tensor
    target: Tensor
    share: float


def probes() -> list[Probe]:
    """Three cases, no two with the same share or as much padding."""
    cases = []
    for seed, (share, words) in enumerate(((0.2, (7, 4, 7)), (0.35, (3, 7, 5)), (0.1, (6, 2, 7)))):
        target = (torch.arange(BATCH * LENGTH) + 5 * seed).view(BATCH, LENGTH) % (VOCAB - 1) + 1
        target[torch.arange(LENGTH) >= torch.tensor(words)[:, None]] = PADDING
        cases.append(Probe(2 * draw(BATCH, LENGTH, VOCAB, seed=90 + seed), target, share))
    return cases


def require_losses(smoothed_loss: SmoothedLoss) -> None:
    """The loss is right at all probes.

    Raises:
        Mistake: naming what is wrong with it.
    """
    cases = probes()
    got = torch.stack(
        [
            require_tensor(smoothed_loss(*case), (), meaning="one number: the mean").detach()
            for case in cases
        ]
    )
    name_slips(got, lambda **slips: torch.stack([_loss(case, **slips) for case in cases]), _SLIPS)
    right = [next_token_loss(*case[:2], PADDING, case.share) for case in cases]
    if not torch.allclose(got, torch.stack(right).to(got), rtol=1e-4, atol=1e-5):
        _name_what_moves_it(smoothed_loss, cases[0])
    require_same(
        got,
        torch.stack(right),
        "on three probes, each with a share and padding of its own, your losses are not the right "
        "ones",
        axes=("probe",),
    )


def _name_what_moves_it(smoothed_loss: SmoothedLoss, case: Probe) -> None:
    """The share moves the loss; neither how much padding there is nor what is said at it does.

    Raises:
        Mistake: naming what does not move it, or what does.
    """
    before = float(smoothed_loss(*case))
    if float(smoothed_loss(*case._replace(share=0.45))) == before:
        raise Mistake(
            f"`label_smoothing` changes nothing in yours: it is {before:.4f}, whatever the share"
        )
    logits, target = case.logits.clone(), case.target
    logits[target == PADDING] *= 3
    if abs((now := float(smoothed_loss(logits, target, case.share))) - before) > 1e-6:
        raise Mistake(
            f"other logits at the padding move your loss, from {before:.4f} to {now:.4f}: what is "
            "said where no word is to be said has no part in it"
        )
    longer = torch.cat([logits, logits[:, -1:]], 1), F.pad(target, (0, 1))
    if abs((now := float(smoothed_loss(*longer, case.share))) - before) > 1e-6:
        raise Mistake(
            f"one more place of padding moves your loss, from {before:.4f} to {now:.4f}: divide by "
            "the number of real tokens"
        )


def require_gradient(smoothed_loss: SmoothedLoss) -> None:
    """The loss can be learned with.

    Raises:
        Mistake: if its derivative is missing or another.
    """
    case = probes()[0]
    mine, own = case.logits.clone().requires_grad_(), case.logits.clone().requires_grad_()
    next_token_loss(own, case.target, PADDING, case.share).backward()
    loss = smoothed_loss(mine, case.target, case.share)
    if not loss.requires_grad:
        raise Mistake(
            "your loss is right and has no gradient, so that no model learns with it: is there a "
            "detach, a no_grad or a new tensor made of its number?"
        )
    loss.backward()
    assert own.grad is not None
    if mine.grad is None or not torch.allclose(mine.grad, own.grad, rtol=1e-4, atol=1e-7):
        raise Mistake(
            "your loss is right and its gradient is not: is a part of it detached from the logits?"
        )


def _hit(surprise: Tensor, target: Tensor) -> Tensor:
    return surprise.gather(-1, target[..., None])[..., 0]


def _loss(
    case: Probe,
    surprise: Callable[[Probe], Tensor] = lambda case: -case.logits.log_softmax(-1),
    hit: Callable[[Tensor, Tensor], Tensor] = _hit,
    spread: Callable[[Tensor, Tensor], Tensor] = lambda surprise, hit: surprise.mean(-1),
    shares: Callable[[float], tuple[float, float]] = lambda share: (1 - share, share),
    mean: Callable[[Tensor, Tensor], Tensor] = lambda each, target: each[target != PADDING].mean(),
    mean_spread: Callable[..., Tensor] | None = None,
) -> Tensor:
    all_surprises = surprise(case)
    right = hit(all_surprises, case.target)
    others = spread(all_surprises, right)
    on_right, on_others = shares(case.share)
    if mean_spread is None:
        return mean(on_right * right + on_others * others, case.target)
    return on_right * mean(right, case.target) + on_others * mean_spread(others)


def _without(token: int) -> Callable[[Tensor, Tensor], Tensor]:
    return lambda each, target: each[(target != PADDING) & (target != token)].mean()


def _by_sentence(each: Tensor, target: Tensor) -> Tensor:
    real = target != PADDING
    return ((each * real).sum(-1) / real.sum(-1)).mean()


_COUNTED = "its places are still counted, as in `broken`: divide by the number of real tokens"

_SLIPS: Slips = {
    "surprise": {
        "you took the softmax over the places of the sentence; it belongs over the vocabulary, the "
        "last axis": lambda case: -case.logits.log_softmax(1),
        "you took logits for log-probabilities: log_softmax is missing": lambda case: -case.logits,
        "you took probabilities for their logarithms: a surprise is -log p": (
            lambda case: -case.logits.softmax(-1)
        ),
        "your sign is wrong: a loss is the negative log-probability": (
            lambda case: case.logits.log_softmax(-1)
        ),
        "your loss is in bits; nats are asked for, the natural logarithm": (
            lambda case: -case.logits.log_softmax(-1) / torch.tensor(2.0).log()
        ),
        "you take the softmax twice: log_softmax takes the logits": (
            lambda case: -case.logits.softmax(-1).log_softmax(-1)
        ),
        "you take 1 - p for a surprise; it is -log p": lambda case: 1 - case.logits.softmax(-1),
    },
    "hit": {
        "you take the best token's surprise for the right one's: the target says which is right": (
            lambda surprise, target: surprise.amin(-1)
        ),
        "your targets are moved by one place: the logits at a place belong to the target there": (
            lambda surprise, target: _hit(surprise, target.roll(-1, 1))
        ),
        "your targets are moved back by one place: the logits at a place belong to the target "
        "there": lambda surprise, target: _hit(surprise, target.roll(1, 1)),
    },
    "spread": {
        "you spread the share over the other tokens only; here it is spread over the whole "
        "vocabulary, the right token included, as torch and the paper's code do": (
            lambda surprise, hit: (surprise.sum(-1) - hit) / (VOCAB - 1)
        ),
        "you leave the right token out of what the share is spread over, and still divide by the "
        "whole vocabulary": lambda surprise, hit: (surprise.sum(-1) - hit) / VOCAB,
        "each token of the vocabulary gets the whole share; together they should get it once, so "
        "divide by the size of the vocabulary": lambda surprise, hit: surprise.sum(-1),
        "you leave the padding's token out of the vocabulary that the share is spread over; it is "
        "spread over the whole": lambda surprise, hit: surprise[..., 1:].mean(-1),
        "you leave the padding's token out of the vocabulary that the share is spread over, and "
        "still divide by the whole": lambda surprise, hit: surprise[..., 1:].sum(-1) / VOCAB,
        "the share goes to each place's mean over the sentence; it is spread over the vocabulary": (
            lambda surprise, hit: hit.mean(1, keepdim=True).expand_as(hit)
        ),
    },
    "shares": {
        "your loss is the plain cross-entropy: nothing is smoothed": lambda share: (1, 0),
        "you took the share away from the right token and gave it to nobody": (
            lambda share: (1 - share, 0)
        ),
        "you give the share to all and take it from nobody: the right token keeps 1 - s": (
            lambda share: (1, share)
        ),
        "your shares are exchanged: the right token gets what the others should share": (
            lambda share: (share, 1 - share)
        ),
        "you return the smoothed part alone; the right token has 1 - s": lambda share: (0, share),
    },
    "mean": {
        "you counted the padding: it is no word, and nobody should learn to say it": (
            lambda each, target: each.mean()
        ),
        "you returned the sum over the tokens; return their mean, or the loss grows with the "
        "batch": lambda each, target: each[target != PADDING].sum(),
        f"the padding's loss is still zero and {_COUNTED}": lambda each, target: (
            each * (target != PADDING)
        ).mean(),
        "you took the mean of each sentence and then the mean of these, so that a word of a short "
        "sentence counts for more; take one mean over all real tokens": _by_sentence,
        "you divide by the number of sentences; divide by the number of real tokens": (
            lambda each, target: each[target != PADDING].sum() / BATCH
        ),
        "you divide by the length of a sentence; divide by the number of real tokens": (
            lambda each, target: each[target != PADDING].sum() / LENGTH
        ),
        "you leave out the end of the sentence, a token to be learned as any other": _without(END),
        "you leave out the token that begins a sentence; only padding is none": _without(START),
        "you leave out the last place of every sentence; only padding is none": (
            lambda each, target: each[:, :-1][target[:, :-1] != PADDING].mean()
        ),
        "you leave out the first place of every sentence; only padding is none": (
            lambda each, target: each[:, 1:][target[:, 1:] != PADDING].mean()
        ),
        "you keep the padding and leave the words out: != and not ==": (
            lambda each, target: each[target == PADDING].mean()
        ),
        "you divide by one more than the number of real tokens": lambda each, target: (
            each[target != PADDING].sum() / ((target != PADDING).sum() + 1)
        ),
        "you return the median; the mean is asked for": (
            lambda each, target: each[target != PADDING].median()
        ),
    },
    "mean_spread": {
        "the smoothed part is a mean over all places, the padding too; it belongs to real tokens "
        "as the other part does": torch.mean,
    },
}
