"""Speculative decoding: a cheap model proposes several tokens, and a large one checks them at once.

The chapter on answers writes with it. Every proposed token is kept with such a probability, and
replaced from such a distribution, that what is written has exactly the distribution of the large
model, however bad the proposals are. A bad draft only saves less.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from softlookup.running.generation import NextLogits

# From tokens (1, length) to the logits of every next token (1, length, vocab_size).
AllLogits = Callable[[Tensor], Tensor]


@dataclass(frozen=True, eq=False)
class Speculated:
    """What was written, and how.

    Attributes:
        tokens: the new tokens, without the prompt.
        judged: how many proposed tokens the target has looked at: those up to the first that it
            did not keep.
        accepted: how many of them it kept.
        calls: how often the target was run.
    """

    tokens: Int[Tensor, "1 new_length"]
    judged: int
    accepted: int
    calls: int


def acceptance(
    target: Float[Tensor, "*batch vocab_size"], draft: Float[Tensor, "*batch vocab_size"]
) -> Float[Tensor, "*batch"]:
    """The probability that a proposed token is kept: the part that two distributions share.

    Σ min(p, q), which is 1 less their total variation distance.

    Args:
        target: the large model's probabilities p.
        draft: the draft's probabilities q.

    Source: Leviathan et al. 2023, theorem 3.5.
    """
    return torch.minimum(target, draft).sum(dim=-1)


def residual(
    target: Float[Tensor, "*batch vocab_size"], draft: Float[Tensor, "*batch vocab_size"]
) -> Float[Tensor, "*batch vocab_size"]:
    """What a token that was not kept is drawn from: max(0, p − q), with a sum of one.

    Of equal distributions nothing is left, and nothing is ever rejected; the target's own is
    returned, so that rounding can do no harm.

    Args:
        target: the large model's probabilities p.
        draft: the draft's probabilities q.

    Source: Leviathan et al. 2023, section 2.3; Chen et al. 2023, theorem 1.
    """
    left = (target - draft).clamp(min=0)
    total = left.sum(dim=-1, keepdim=True)
    return torch.where(total > 0, left / total, target)


@torch.no_grad()
def speculative_sample(
    target: AllLogits,
    draft: NextLogits,
    prompt: Int[Tensor, "1 prompt_length"],
    max_new_tokens: int,
    n_drafted: int,
    generator: torch.Generator,
    end: int | None = None,
) -> Speculated:
    """Write as the target would: drafted tokens in a row, then one look of the target at them all.

    Args:
        target: from the tokens so far to the logits of every next one; it is what is sampled from.
        draft: from the tokens so far to the logits of the next one alone.
        prompt: the tokens to begin with.
        max_new_tokens: write at most so many tokens.
        n_drafted: how many tokens the draft proposes in a row.
        generator: the source of randomness.
        end: the text is finished with this token; None if there is no such token.

    Raises:
        ValueError: if the prompt is not one row of tokens, a number is not positive, or one of the
            models returns logits of another shape.

    Source: Leviathan et al. 2023, algorithm 1.
    """
    _require_prompt(prompt, max_new_tokens, n_drafted)
    tokens, length = prompt, prompt.size(1)
    wanted = length + max_new_tokens
    judged = accepted = calls = 0
    while tokens.size(1) < wanted:
        known = tokens.size(1)
        drafted, proposals = tokens, []
        # The target itself adds a token to those that it keeps.
        for _ in range(min(n_drafted, wanted - known - 1)):
            proposals.append(_checked(draft(drafted), 2).softmax(dim=-1)[0])
            drafted = torch.cat([drafted, _draw(proposals[-1], generator)], dim=1)
        checks = _checked(target(drafted), 3)[0, known - 1 :].softmax(dim=-1)
        calls += 1
        kept = 0
        for place, (p, q) in enumerate(zip(checks, proposals, strict=False)):
            token = drafted[0, known + place]
            judged += 1
            if torch.rand((), generator=generator, dtype=p.dtype) * q[token] >= p[token]:
                break
            kept += 1
        accepted += kept
        last = checks[kept]
        if kept < len(proposals):
            last = residual(last, proposals[kept].to(last))
        tokens = torch.cat([drafted[:, : known + kept], _draw(last, generator)], dim=1)
        new = tokens[0, known:].tolist()
        if end in new:
            tokens = tokens[:, : known + new.index(end) + 1]
            break
    return Speculated(tokens[:, length:], judged, accepted, calls)


def _draw(probabilities: Tensor, generator: torch.Generator) -> Tensor:
    """One token, (1, 1)."""
    return torch.multinomial(probabilities, 1, generator=generator)[None]


def _checked(logits: Tensor, dimensions: int) -> Tensor:
    if logits.ndim != dimensions or len(logits) != 1:
        shape = "(1, vocab_size)" if dimensions == 2 else "(1, length, vocab_size)"
        raise ValueError(
            f"{'the draft' if dimensions == 2 else 'the target'} returned shape "
            f"{tuple(logits.shape)}; expected {shape}: the draft scores the next token, and the "
            "target every next token"
        )
    return logits


def _require_prompt(prompt: Tensor, max_new_tokens: int, n_drafted: int) -> None:
    if prompt.ndim != 2 or len(prompt) != 1 or prompt.numel() == 0:
        raise ValueError(
            f"the prompt has shape {tuple(prompt.shape)}; expected (1, length), with a length of "
            "at least 1: a start token will do"
        )
    if min(max_new_tokens, n_drafted) < 1:
        raise ValueError(
            f"max_new_tokens is {max_new_tokens} and n_drafted is {n_drafted}; expected at least "
            "1 each"
        )
