"""Generation: from a model that scores the next token to a whole sequence.

Every way of choosing stands on one small protocol, ``NextLogits``: a function from the tokens
so far to the logits of the next one. What else the model needs (a source to translate, a cache)
the function holds itself. The chapter on encoder and decoder compares greedy and beam
search, the chapter on the next word samples.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

# From tokens (batch, length) to the logits of the next token (batch, vocab_size).
NextLogits = Callable[[Tensor], Tensor]


def greedy(
    next_logits: NextLogits,
    prompt: Int[Tensor, "batch prompt_length"],
    max_new_tokens: int,
    end: int | None = None,
    padding: int = 0,
) -> Int[Tensor, "batch new_length"]:
    """Take the most likely token each time.

    Args:
        next_logits: from the tokens so far to the logits of the next one.
        prompt: the tokens to begin with; a start token for each row will do.
        max_new_tokens: generate at most so many tokens.
        end: a row that has said this token is finished; None if there is no such token.
        padding: what finished rows are filled with.

    Returns:
        The new tokens, without the prompt; fewer than ``max_new_tokens`` if all rows finished.

    Raises:
        ValueError: if the prompt has no tokens, ``max_new_tokens`` is not positive, or the
            logits are not one row for each row of tokens.
    """
    return _extend(
        lambda logits: logits.argmax(dim=-1), next_logits, prompt, max_new_tokens, end, padding
    )


def sample(
    next_logits: NextLogits,
    prompt: Int[Tensor, "batch prompt_length"],
    max_new_tokens: int,
    generator: torch.Generator,
    temperature: float = 1.0,
    keep: Callable[[Tensor], Tensor] | None = None,
    end: int | None = None,
    padding: int = 0,
) -> Int[Tensor, "batch new_length"]:
    """Draw each token with the probability that the model gives it.

    Args:
        next_logits: from the tokens so far to the logits of the next one.
        prompt: the tokens to begin with.
        max_new_tokens: generate at most so many tokens.
        generator: the source of randomness.
        temperature: divides the logits; below 1 the likely become likelier, towards 0 it is
            ``greedy``, and 0 itself is.
        keep: rules tokens out after the temperature was applied, as ``top_k(5)`` does.
        end: a row that has said this token is finished; None if there is no such token.
        padding: what finished rows are filled with.

    Returns:
        The new tokens, without the prompt; fewer than ``max_new_tokens`` if all rows finished.

    Raises:
        ValueError: if the temperature is negative, and as ``greedy``.
    """
    if not temperature >= 0:
        raise ValueError(
            f"temperature is {temperature}; expected 0 (always the most likely token) or more"
        )
    if temperature == 0:
        return greedy(next_logits, prompt, max_new_tokens, end, padding)

    def draw(logits: Tensor) -> Tensor:
        logits = logits / temperature
        if keep is not None:
            logits = keep(logits)
        return torch.multinomial(logits.softmax(dim=-1), 1, generator=generator)[:, 0]

    return _extend(draw, next_logits, prompt, max_new_tokens, end, padding)


def top_k(k: int) -> Callable[[Tensor], Tensor]:
    """Rule out all but the k most likely tokens; where several tie for the last place, keep all.

    Raises:
        ValueError: if k is not positive.

    Source: Fan et al. 2018, section 5.
    """
    if k < 1:
        raise ValueError(f"k is {k}; expected at least 1")

    def keep(logits: Tensor) -> Tensor:
        least = logits.topk(min(k, logits.size(-1)), dim=-1).values[..., -1:]
        return logits.masked_fill(logits < least, float("-inf"))

    return keep


def top_p(p: float) -> Callable[[Tensor], Tensor]:
    """Keep the fewest most likely tokens whose probabilities reach p together (the nucleus).

    Raises:
        ValueError: if p is not above 0 and at most 1.

    Source: Holtzman et al. 2020, section 3.1.
    """
    if not 0 < p <= 1:
        raise ValueError(f"p is {p}; expected above 0 and at most 1")

    def keep(logits: Tensor) -> Tensor:
        descending, order = logits.sort(dim=-1, descending=True, stable=True)
        probability = descending.softmax(dim=-1)
        before = probability.cumsum(dim=-1) - probability
        # The most likely token has nothing before it, so at least that one stays.
        ruled_out = torch.zeros_like(before >= p).scatter(-1, order, before >= p)
        return logits.masked_fill(ruled_out, float("-inf"))

    return keep


@dataclass(frozen=True)
class Beams:
    """What beam search found, the best first.

    Attributes:
        tokens: the new tokens, without the prompt.
        log_probabilities: of each sequence; -inf where there were fewer sequences than beams.
    """

    tokens: Int[Tensor, "batch beams new_length"]
    log_probabilities: Float[Tensor, "batch beams"]


def beam_search(
    next_logits: NextLogits,
    prompt: Int[Tensor, "batch prompt_length"],
    max_new_tokens: int,
    n_beams: int,
    end: int | None = None,
    padding: int = 0,
    length_penalty: float = 0.0,
) -> Beams:
    """Keep the best few prefixes at each step, and not the best one alone.

    Args:
        next_logits: from the tokens so far to the logits of the next one. It is given
            ``batch * n_beams`` rows, those of one prompt next to each other, so repeat what it
            holds for each row: ``held.repeat_interleave(n_beams, dim=0)``.
        prompt: the tokens to begin with.
        max_new_tokens: generate at most so many tokens.
        n_beams: how many beginnings are carried along for each prompt.
        end: a sequence that has said this token is finished; it stays among the beams as long
            as no better one displaces it.
        padding: what finished sequences are filled with.
        length_penalty: the exponent α of ((5 + length) / 6)^α, by which a log-probability is
            divided before it is compared. With 0, sequences compete by probability alone, which
            favours short ones.

    Returns:
        The beams of each prompt, the best first.

    Raises:
        ValueError: if ``n_beams`` is not positive, ``length_penalty`` is negative, and as
            ``greedy``.

    Source: Wu et al. 2016, equation 14, without coverage.
    """
    _require_prompt(prompt, max_new_tokens)
    if n_beams < 1:
        raise ValueError(f"n_beams is {n_beams}; expected at least 1")
    if not length_penalty >= 0:
        raise ValueError(f"length_penalty is {length_penalty}; expected 0 (none) or more")
    batch, prompt_length = prompt.shape
    tokens = prompt.repeat_interleave(n_beams, dim=0)
    finished = torch.zeros(batch, n_beams, dtype=torch.bool, device=prompt.device)
    lengths = torch.zeros(batch, n_beams, device=prompt.device)
    # The beams of a prompt begin as copies: only the first may count, or all would stay equal.
    scores = torch.full((batch, n_beams), float("-inf"), device=prompt.device)
    scores[:, 0] = 0.0
    for _ in range(max_new_tokens):
        log_probabilities = _checked(next_logits, tokens).log_softmax(dim=-1)
        vocab_size = log_probabilities.size(-1)
        log_probabilities = log_probabilities.view(batch, n_beams, vocab_size)
        # A finished sequence goes on in one way, at no cost.
        only_padding = torch.full_like(log_probabilities, float("-inf"))
        only_padding[..., padding] = 0.0
        log_probabilities = torch.where(finished[..., None], only_padding, log_probabilities)

        longer = lengths + ~finished
        candidates = scores[..., None] + log_probabilities
        penalty = ((5 + longer) / 6) ** length_penalty
        best = (candidates / penalty[..., None]).flatten(1).topk(n_beams, dim=1).indices
        parent, token = best // vocab_size, best % vocab_size

        rows = (parent + n_beams * torch.arange(batch, device=prompt.device)[:, None]).flatten()
        tokens = torch.cat([tokens[rows], token.view(-1, 1)], dim=1)
        scores = candidates.flatten(1).gather(1, best)
        lengths = longer.gather(1, parent)
        finished = finished.gather(1, parent)
        if end is not None:
            finished = finished | (token == end)
        if finished.all():
            break
    return Beams(tokens[:, prompt_length:].reshape(batch, n_beams, -1), scores)


def _extend(
    choose: Callable[[Tensor], Tensor],
    next_logits: NextLogits,
    prompt: Tensor,
    max_new_tokens: int,
    end: int | None,
    padding: int,
) -> Tensor:
    """Append what is chosen, token by token, until every row is finished."""
    _require_prompt(prompt, max_new_tokens)
    tokens = prompt
    finished = torch.zeros(len(prompt), dtype=torch.bool, device=prompt.device)
    for _ in range(max_new_tokens):
        chosen = choose(_checked(next_logits, tokens)).masked_fill(finished, padding)
        tokens = torch.cat([tokens, chosen[:, None]], dim=1)
        if end is not None:
            finished = finished | (chosen == end)
        if finished.all():
            break
    return tokens[:, prompt.size(1) :]


def _checked(next_logits: NextLogits, tokens: Tensor) -> Tensor:
    """The logits of the next token, without gradients, held to their shape."""
    with torch.no_grad():
        logits = next_logits(tokens)
    if logits.ndim != 2 or len(logits) != len(tokens):
        raise ValueError(
            f"next_logits returned shape {tuple(logits.shape)} for {len(tokens)} rows of tokens; "
            "expected (rows, vocab_size): of a model's logits take the last step, [:, -1]"
        )
    return logits


def _require_prompt(prompt: Tensor, max_new_tokens: int) -> None:
    if prompt.numel() == 0:
        raise ValueError(
            f"the prompt has shape {tuple(prompt.shape)}, so no tokens; "
            "expected (batch, length), both at least 1: a start token will do"
        )
    if max_new_tokens < 1:
        raise ValueError(f"max_new_tokens is {max_new_tokens}; expected at least 1")
