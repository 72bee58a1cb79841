"""Evaluation: how well a language model predicts a text that it has not been trained on.

Each token is scored once, after a context that slides along with it. What comes out is a loss
for each token; perplexity and bits per character are two ways of reading the same sum. The chapter
on the next word says why only one of them compares models of different tokens.
"""

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor


@torch.no_grad()
def token_losses(
    model: Callable[[Tensor], Tensor],
    ids: Int[Tensor, " length"],
    window: int,
    stride: int,
    first: int = 1,
    batch_size: int = 64,
) -> Float[Tensor, " scored"]:
    """The negative log-likelihood of each token, given up to ``window`` tokens before it.

    The window moves by ``stride`` tokens and scores as many, its last ones, so each has at
    least ``window - stride + 1`` tokens before it, as far as the text has them. With a stride
    of 1 every token has a full window; with a stride of the whole window the text is cut into
    blocks, and the first token of each block is guessed from a single one.

    Args:
        model: from tokens (batch, length) to the logits of every next token
            (batch, length, vocab_size), in evaluation mode.
        ids: a text as token ids.
        window: how many tokens the model reads at once, at most.
        stride: how many tokens each window scores.
        first: the first token that is scored; those before it are context only.
        batch_size: how many windows are read together.

    Returns:
        A loss in nats for each token from ``first`` on.

    Raises:
        ValueError: if the window is empty, the stride is not within it, there is no batch, or
            there is no token to score that has one before it.
    """
    if not 1 <= stride <= window or batch_size < 1:
        raise ValueError(
            f"window is {window}, stride is {stride} and batch_size is {batch_size}; expected a "
            "stride from 1 to the window, and a batch of at least 1"
        )
    if not 1 <= first < len(ids):
        raise ValueError(
            f"first is {first} and the text has {len(ids)} tokens; expected a token from 1 to "
            f"{len(ids) - 1}: the very first has nothing before it"
        )
    ends, scored = [], []
    done = first
    while done < len(ids):
        # The first window has to be filled before it can slide.
        end = min(max(done + stride, window + 1), len(ids))
        ends.append(end)
        scored.append(end - done)
        done = end
    length = min(window, len(ids) - 1)
    starts = torch.tensor(ends) - 1 - length
    places = starts[:, None] + torch.arange(length)
    losses = []
    for batch, counts in zip(places.split(batch_size), _chunks(scored, batch_size), strict=True):
        logits = model(ids[batch])
        each = F.cross_entropy(logits.transpose(1, 2), ids[batch + 1], reduction="none")
        losses += [row[length - count :] for row, count in zip(each, counts, strict=True)]
    return torch.cat(losses)


def bits_per_character(losses: Float[Tensor, " scored"], characters: int) -> float:
    """The bits that a text costs, shared among its characters: comparable across tokens.

    Args:
        losses: in nats, for each token of the text.
        characters: how many characters the tokens stand for together.

    Raises:
        ValueError: if there are no losses, or no characters.
    """
    if len(losses) == 0 or characters < 1:
        raise ValueError(
            f"there are {len(losses)} losses for {characters} characters; expected some of both"
        )
    return losses.double().sum().item() / math.log(2) / characters


def perplexity(losses: Float[Tensor, " scored"]) -> float:
    """Between how many equally likely tokens the model seems to choose, each time.

    Raises:
        ValueError: if there are no losses.
    """
    if len(losses) == 0:
        raise ValueError("there are no losses; expected at least one")
    return math.exp(losses.double().mean().item())


def _chunks(counts: list[int], size: int) -> list[list[int]]:
    return [counts[start : start + size] for start in range(0, len(counts), size)]
