"""Samplers on which a learner's test is tried: some draw from p, some only nearly.

Each is given the target's probabilities p and the draft's q, both (words,), a number of draws and a
generator, and returns as many tokens, drawn independently of each other.
"""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

Sampler = Callable[[Tensor, Tensor, int, torch.Generator], Tensor]

# What a sampler was asked, p and q, and the tokens that it gave.
Question = tuple[Tensor, Tensor, Tensor]

MOST_DRAWS = 1_000_000
MOST_ROUNDS = 30

# From so many draws on it is something else that hides an impostor.
ENOUGH = 50_000


def _from(probabilities: Tensor, number: int, generator: torch.Generator) -> Tensor:
    return torch.multinomial(probabilities, number, replacement=True, generator=generator)


def _checked(
    kept: Callable[[Tensor, Tensor], Tensor], left: Callable[[Tensor, Tensor], Tensor]
) -> Sampler:
    """Draw from q, keep with a probability for each token, and replace from what is left."""

    def sampler(p: Tensor, q: Tensor, number: int, generator: torch.Generator) -> Tensor:
        proposed = _from(q, number, generator)
        rest = left(p, q)
        replaced = _from(rest if float(rest.sum()) > 0 else p, number, generator)
        chances = torch.rand(number, generator=generator, dtype=torch.float64)
        return torch.where(chances < kept(p, q)[proposed], proposed, replaced)

    return sampler


def _ratio(p: Tensor, q: Tensor) -> Tensor:
    return p / q


def _residual(p: Tensor, q: Tensor) -> Tensor:
    return (p - q).clamp(min=0)


def _target(p: Tensor, q: Tensor) -> Tensor:
    return p


def _speculative_in_single(p: Tensor, q: Tensor, number: int, generator: torch.Generator) -> Tensor:
    return _checked(_ratio, _residual)(p.float(), q.float(), number, generator)


def _by_running_sum(p: Tensor, q: Tensor, number: int, generator: torch.Generator) -> Tensor:
    even = torch.rand(number, generator=generator, dtype=torch.float64)
    return torch.searchsorted(p.cumsum(0), even).clamp(max=len(p) - 1)


def _until_kept(p: Tensor, q: Tensor, number: int, generator: torch.Generator) -> Tensor:
    """Rejection sampling: propose until a proposal is kept, with p / (c q).

    Where q has almost none of what p wants, nearly all are refused: what still waits after many
    rounds is drawn from p itself, which changes no distribution.
    """
    bound = float((p / q).max())
    tokens = _from(q, number, generator)
    waiting = torch.arange(number)
    for _ in range(MOST_ROUNDS):
        if not len(waiting):
            break
        proposed = _from(q, len(waiting), generator)
        chances = torch.rand(len(waiting), generator=generator, dtype=torch.float64)
        is_kept = chances < (p / (bound * q))[proposed]
        tokens[waiting[is_kept]] = proposed[is_kept]
        waiting = waiting[~is_kept]
    if len(waiting):
        tokens[waiting] = _from(p, len(waiting), generator)
    return tokens


def honest() -> Mapping[str, Sampler]:
    """Samplers that draw from p, with the help of q or without."""
    return {
        "speculative sampling": _checked(_ratio, _residual),
        "speculative sampling in single precision": _speculative_in_single,
        "sampling from p alone": lambda p, q, number, generator: _from(p, number, generator),
        "sampling from p by its running sum": _by_running_sum,
        "rejection sampling, which proposes until it keeps": _until_kept,
    }


def impostors() -> Mapping[str, Sampler]:
    """Samplers that draw from something near p, by what is wrong with them."""

    def least_likely_kept(p: Tensor, q: Tensor) -> Tensor:
        """Right but for the token that the target likes least."""
        return torch.where(p == p.min(), 1.0, p / q)

    def one_in_a_few(p: Tensor, q: Tensor, number: int, generator: torch.Generator) -> Tensor:
        exact = _checked(_ratio, _residual)(p, q, number, generator)
        from_draft = _from(q, number, generator)
        every_fifth = torch.arange(number) % 5 == 4
        return torch.where(every_fifth, from_draft, exact)

    def sharper(p: Tensor, q: Tensor, number: int, generator: torch.Generator) -> Tensor:
        return _from(p.pow(1.15) / p.pow(1.15).sum(), number, generator)

    def most_lacking(p: Tensor, q: Tensor) -> Tensor:
        """Right where only one word lacks anything, as of two words."""
        return torch.zeros_like(p).scatter(0, (p - q).argmax(), 1.0)

    def moved_to_neighbours(
        p: Tensor, q: Tensor, number: int, generator: torch.Generator
    ) -> Tensor:
        """Right on average: what has two neighbours moves up as often as down."""
        tokens = _from(p, number, generator)
        chances = torch.rand(number, generator=generator, dtype=torch.float64)
        inside = (tokens > 0) & (tokens < len(p) - 1)
        return tokens + inside * ((chances < 0.1).long() - (chances > 0.9).long())

    def rarest_too_seldom(p: Tensor, q: Tensor, number: int, generator: torch.Generator) -> Tensor:
        """Right but for two words: a third of the rarest becomes the next rarest."""
        tokens = _from(p, number, generator)
        chances = torch.rand(number, generator=generator, dtype=torch.float64)
        rarest, next_rarest = p.argsort()[:2]
        return tokens.where((tokens != rarest) | (chances > 1 / 3), next_rarest)

    def draft_taken_for_even(p: Tensor, q: Tensor) -> Tensor:
        return p * len(p)

    return {
        "whatever the draft says is kept": lambda p, q, number, generator: _from(
            q, number, generator
        ),
        "what was not kept is drawn from the target": _checked(_ratio, _target),
        "kept with the root of p / q": _checked(lambda p, q: (p / q).sqrt(), _residual),
        "kept a third more often": _checked(lambda p, q: 1.33 * p / q, _residual),
        "kept only where the target likes it better": _checked(
            lambda p, q: (p >= q).double(), _residual
        ),
        "kept with p, and not with p / q": _checked(lambda p, q: p, _residual),
        "what is left is taken as |p - q|": _checked(_ratio, lambda p, q: (p - q).abs()),
        "what was not kept is drawn evenly": _checked(_ratio, lambda p, q: torch.ones_like(p)),
        "the token that the target likes least is always kept": _checked(
            least_likely_kept, _residual
        ),
        "every fifth token comes from the draft": one_in_a_few,
        "a little sharper than the target": sharper,
        "what was not kept becomes the word that lacks most": _checked(_ratio, most_lacking),
        "one in five tokens is moved to a neighbour, as often up as down": moved_to_neighbours,
        "a third of the rarest word becomes the next rarest": rarest_too_seldom,
        "kept as if the draft were even": _checked(
            draft_taken_for_even, lambda p, q: (p - 1 / len(p)).clamp(min=0)
        ),
        "the first pair is learned by heart, and the draft kept for others": _by_heart(True),
        "the draft is kept for the first pair alone": _by_heart(False),
    }


def _from_target(p: Tensor, q: Tensor, number: int, generator: torch.Generator) -> Tensor:
    return _from(p, number, generator)


def _in_another_order(p: Tensor, q: Tensor, number: int, generator: torch.Generator) -> Tensor:
    return _from_target(p, q, number, generator).flip(0)


def _by_heart(is_right: bool) -> Sampler:
    """A sampler that treats the first pair that it meets in another way than all others."""
    first: list[tuple[Tensor, Tensor]] = []

    def sampler(p: Tensor, q: Tensor, number: int, generator: torch.Generator) -> Tensor:
        first.append((p, q))
        is_first = all(map(torch.equal, first[0], (p, q)))
        return _from(p if is_first == is_right else q, number, generator)

    return sampler


def why_unseen(asked: list[Question]) -> str:
    """Why a test believes an impostor: it overlooks what it drew, or never draws what shows it."""
    if not asked:
        return "Your test draws nothing from the first of these"
    for p, _, tokens in asked:
        share, error = _shares(p, tokens)
        word = int(((share - p).abs() / error).argmax())
        apart = float((share - p).abs()[word] / error[word])
        if apart > 6:
            return (
                f"In your {len(tokens):,} draws from the first of these word {word} has the share "
                f"{float(share[word]):.4f} where p is {float(p[word]):.4f}: that is {apart:.0f} "
                "standard errors, and your test still says True. Compare the share of every word, "
                "for every pair, with p, and hold the difference against its standard error, "
                "√(p (1 - p) / draws)"
            )
    if all(bool(torch.allclose(p, q)) for p, q, _ in asked):
        return "You asked with q equal to p, where no draft is ever refused: let them differ"
    if max(len(p) for p, *_ in asked) <= 2:
        return "You asked for two words, where only one can lack anything: take more words"
    for what, given in (("p", [p for p, *_ in asked]), ("q", [q for _, q, _ in asked])):
        if all(bool((each - each.mean()).abs().max() < 1e-6) for each in given):
            return f"In all you asked {what} is even: let its words differ, some of them rare"
        if all(bool(each.max() > 0.999) for each in given):
            return f"In all you asked {what} is sure of one word: let it doubt"
    draws = sum(len(tokens) for *_, tokens in asked)
    pairs = len({(tuple(p.tolist()), tuple(q.tolist())) for p, q, _ in asked})
    if pairs == 1 and draws >= ENOUGH:
        return "You asked about one pair of p and q: what is right for one may be wrong for another"
    if draws >= ENOUGH and all(float((p - q).abs().max()) < 0.1 for p, q, _ in asked):
        return "In all you asked p and q lie close to each other: let them differ more"
    return (
        f"In your {draws:,} draws from {pairs} pair{'s' * (pairs > 1)} no word's share is surely "
        "off: draw more (a million are allowed), and from other pairs"
    )


def why_wronged(asked: list[Question], test: Callable[[Sampler], object]) -> str:
    """How far an honest sampler's shares were from p, beside their standard errors.

    Args:
        asked: what a test asked the first sampler that it wrongs.
        test: the learner's; it may want the very tokens that one of torch's functions draws.
    """
    if not asked:
        return "Your test draws nothing from the first of these"
    if test(_from_target) and not test(_in_another_order):
        return (
            "It believes the tokens that torch.multinomial draws, and refuses the same ones in "
            "another order: an exact sampler has its own luck, so compare the share of each word "
            "with p, and not token with token"
        )
    worst = [
        float(((share - p).abs() / error).max())
        for p, share, error in ((p, *_shares(p, tokens)) for p, _, tokens in asked)
    ]
    return (
        f"In what you drew from an honest one, a word's share is {max(worst):.1f} standard errors "
        "from p at most: that is chance. Leave room for it, for all words and all pairs, so that "
        "an honest sampler is refused once in thousands"
    )


def _shares(p: Tensor, tokens: Tensor) -> tuple[Tensor, Tensor]:
    """How often each word was drawn, as a share, and the standard error of this."""
    number = max(len(tokens), 1)
    share = torch.bincount(tokens.flatten(), minlength=len(p))[: len(p)].double() / number
    p = p.double()
    return share, (p * (1 - p) / number).sqrt().clamp(min=1e-12)
