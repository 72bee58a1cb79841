"""The loss of every model that predicts a next token: cross-entropy, with padding and smoothing.

The chapter on encoder and decoder derives it and shows what label smoothing does to a model's
confidence; the language models from the chapter on the next word on are trained and judged with
it.
"""

import torch
from jaxtyping import Float, Int
from torch import Tensor


def next_token_loss(
    logits: Float[Tensor, "batch length vocab_size"],
    targets: Int[Tensor, "batch length"],
    padding: int | None = None,
    label_smoothing: float = 0.0,
) -> Float[Tensor, ""]:
    """The mean negative log-likelihood of the right tokens, padding left out.

    With smoothing, the target distribution is not all on the right token: a share ε is spread
    evenly over the whole vocabulary, the right token included.

    Args:
        logits: at each place, a score for each token of the vocabulary.
        targets: the right token at each place.
        padding: the token that stands for no token; its places do not count. None if all count.
        label_smoothing: the share ε, from 0 up to but not including 1.

    Returns:
        The loss in nats a token. Without smoothing its least value is 0; with smoothing it is
        the entropy of the smoothed distribution.

    Raises:
        ValueError: if ``label_smoothing`` is out of its range, a target that counts is no token
            of the vocabulary, or no target counts.

    Source: Szegedy et al. 2016, section 7, for the smoothing; Vaswani et al. 2017, section 5.4,
        for its use with ε = 0.1.
    """
    if not 0 <= label_smoothing < 1:
        raise ValueError(
            f"label_smoothing is {label_smoothing}; expected a share, from 0 up to but not "
            "including 1"
        )
    counts = torch.ones_like(targets, dtype=torch.bool) if padding is None else targets != padding
    right, log_probabilities = targets[counts], logits[counts].log_softmax(dim=-1)
    vocab_size = logits.size(-1)
    if right.numel() == 0:
        raise ValueError(
            f"none of the {targets.numel()} targets counts (padding is {padding}); expected at "
            "least one: a mean over nothing is no number"
        )
    if not 0 <= int(right.min()) <= int(right.max()) < vocab_size:
        raise ValueError(
            f"the targets run from {int(right.min())} to {int(right.max())}; expected 0 to "
            f"{vocab_size - 1}, the vocabulary: is padding set?"
        )
    surprise_at_right = -log_probabilities.gather(-1, right[:, None].long())[:, 0]
    surprise_at_any = -log_probabilities.mean(dim=-1)
    smoothed = (1 - label_smoothing) * surprise_at_right + label_smoothing * surprise_at_any
    return smoothed.mean()
