"""Checks for the exercises of the chapter on answers."""

from collections.abc import Callable

import torch
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.judging import judge
from softlookup.course.exercises.probes import draw, name_first, require_tensor, same
from softlookup.course.exercises.samplers_on_trial import Sampler, honest, impostors
from softlookup.course.exercises.verdict import Mistake

ROWS, SIZE, BLOCKS, WORDS = 5, 7, 3, 11

CHAPTER = "from_words_to_answers"


@exercise(
    CHAPTER,
    1,
    "return the weight as it is read back, with a step of its own for every block of a row.",
    "one large weight now spoils its own block alone, and a step is stored for each block.",
)
def check_in_blocks(in_blocks: Callable[[Tensor, int], Tensor]) -> None:
    """Check absmax quantisation with a step for each block of neighbours in a row."""
    weight = draw(ROWS, BLOCKS * SIZE, seed=170)
    weight[1, 3], weight[2] = 40.0, 0.0
    got = require_tensor(
        in_blocks(weight, SIZE), (ROWS, BLOCKS * SIZE), "the restored weight", "as it was given"
    ).double()
    if not got.isfinite().all():
        raise Mistake("a block of zeros gives NaN: its step is zero, and zero may stay as it is")
    blocks = weight.view(ROWS, BLOCKS, SIZE)
    right = _restored(blocks, blocks.abs().amax(dim=2, keepdim=True)).view_as(weight)
    if same(got, right, atol=1e-9):
        return
    in_columns = weight.T.reshape(-1, SIZE)
    name_first(
        got,
        [
            (weight, "this is the weight itself: divide by the step, round, and multiply again"),
            (
                _restored(weight, weight.abs().amax(dim=1, keepdim=True)),
                "you took a step for each whole row; the exercise asks for one for each block",
            ),
            (_restored(weight, weight.abs().max()), "you took one step for the whole matrix"),
            (
                _restored(in_columns, in_columns.abs().amax(dim=1, keepdim=True))
                .view(BLOCKS * SIZE, ROWS)
                .T,
                "your blocks run down the columns; a block is neighbours in a row",
            ),
            (
                _restored(blocks, blocks.amax(dim=2, keepdim=True)).view_as(weight),
                "you took the largest number and not the largest *absolute* number",
            ),
            (
                _restored(blocks, blocks.abs().amax(dim=2, keepdim=True), 128.0).view_as(weight),
                "the largest number of a block must become 127: 128 is none of eight bits",
            ),
            (
                _restored(blocks, blocks.abs().amax(dim=2, keepdim=True), 255.0).view_as(weight),
                "255 steps from zero do not fit: eight bits hold -127 to 127",
            ),
            (
                _restored(
                    blocks, blocks.abs().amax(dim=2, keepdim=True), rounded=torch.trunc
                ).view_as(weight),
                "you cut the digits off, which is wrong by up to a whole step; round to the "
                "nearest",
            ),
        ],
    )
    steps = blocks.abs().amax(dim=2, keepdim=True) / 127
    worst = ((got.view_as(blocks) - blocks).abs() / steps.clamp(min=1e-12)).max()
    raise Mistake(
        f"a number is wrong by {float(worst):.2f} of its block's steps; half a step is the most"
    )


def _restored(
    weight: Tensor,
    largest: Tensor,
    numbers: float = 127.0,
    rounded: Callable[[Tensor], Tensor] = torch.round,
) -> Tensor:
    """Whole numbers of steps, times the steps; a step of zero is replaced by one."""
    steps = torch.where(largest == 0, 1.0, largest / numbers)
    return rounded(weight / steps) * steps


@exercise(
    CHAPTER,
    2,
    "return the derivatives of the loss by the two log-probabilities, as two numbers.",
    "a pair counts as much as the model still misjudges it, and the two push against each other.",
)
def check_gradient(
    gradient: Callable[[Tensor, Tensor, Tensor, Tensor, float], tuple[Tensor, Tensor]],
) -> None:
    """Check the gradient of the preference loss, derived on paper."""
    for seed, strength in ((171, 0.5), (172, 0.1), (173, 2.0)):
        chosen, rejected, before, before_rejected = draw(4, seed=seed)
        answer = gradient(chosen, rejected, before, before_rejected, strength)
        if not isinstance(answer, tuple | list) or len(answer) != 2:
            raise Mistake(
                "two numbers are expected: the derivative by the chosen answer's log-probability, "
                "then that by the rejected one's"
            )
        got = torch.stack([torch.as_tensor(each).double() for each in answer])
        if got.shape != (2,):
            raise Mistake(f"your derivatives have shape {tuple(got.shape[1:])}; one number each")
        gap = strength * ((chosen - before) - (rejected - before_rejected))
        signs = torch.tensor([-1.0, 1.0], dtype=torch.float64)
        wrong = strength * torch.sigmoid(-gap)
        if same(got, signs * wrong):
            continue
        plain = strength * (chosen - rejected)
        name_first(
            got,
            [
                (-signs * wrong, "both signs are turned: the loss falls when the chosen rises"),
                (
                    signs * torch.sigmoid(-gap),
                    "the factor β is missing: it stands within the sigmoid, and comes out by the "
                    "chain rule",
                ),
                (
                    signs * strength * torch.sigmoid(gap),
                    "your weight is the probability that the model judges *rightly*; a pair that "
                    "it knows should push no more",
                ),
                (
                    signs * strength * torch.sigmoid(-plain),
                    "the reference is missing: what counts is how far the model has moved",
                ),
                (
                    signs * strength * torch.sigmoid(gap) * torch.sigmoid(-gap),
                    "this is the derivative of σ; the loss is -log σ",
                ),
                (
                    signs * strength,
                    "every pair has the same weight here; differentiate the logarithm as well",
                ),
                (
                    wrong * torch.ones_like(signs),
                    "the two answers push in the same direction; one enters the gap with a minus",
                ),
                (
                    -wrong * torch.ones_like(signs),
                    "the two answers push in the same direction; one enters the gap with a minus",
                ),
            ],
        )
        raise Mistake(
            f"at a gap of {float(gap):.3f} with β = {strength} you give {float(got[0]):.4f} and "
            f"{float(got[1]):.4f}; move a log-probability by 0.001 and see how the loss changes"
        )


Write = Callable[[Tensor, Tensor, Tensor, Tensor, float], Tensor]


@exercise(
    CHAPTER,
    3,
    "repair `broken`: what is written must be the target's; change nothing else.",
    "the first token that is not kept ends the row, and what the draft said behind it is void.",
)
def check_keep(keep: Write) -> None:
    """Check the acceptance of a row of drafted tokens."""
    for case in _rows():
        right, got = _keep(*case), keep(*case)
        got = torch.as_tensor(got)
        if got.shape == right.shape and torch.equal(got.long(), right):
            continue
        for words, other in _near_keeps().items():
            wrong = other(*case)
            if got.shape == wrong.shape and torch.equal(got.long(), wrong):
                raise Mistake(words)
        raise Mistake(
            f"you write {got.tolist()} where {right.tolist()} is right: {len(right) - 1} of the "
            f"{len(case[2])} drafted tokens are kept, and one more token is drawn"
        )


def _rows() -> list[tuple[Tensor, Tensor, Tensor, Tensor, float]]:
    """Distributions of the target and of the draft, drafted tokens, and even numbers."""
    chances = torch.Generator().manual_seed(174)
    cases = []
    for number in range(60):
        n = 1 + number % 4
        p = torch.randn(n + 1, WORDS, generator=chances, dtype=torch.float64).softmax(1)
        q = torch.randn(n, WORDS, generator=chances, dtype=torch.float64).softmax(1)
        drafted = torch.multinomial(q, 1, generator=chances)[:, 0]
        even = torch.rand(n + 1, generator=chances, dtype=torch.float64)
        cases.append((p, q, drafted, even[:n], float(even[n])))
    return cases


def _keep(p: Tensor, q: Tensor, drafted: Tensor, chances: Tensor, spare: float) -> Tensor:
    """The tokens that are kept, up to the first that is not, and one more."""
    at = torch.arange(len(drafted))
    keeps = chances * q[at, drafted] < p[at, drafted]
    return _ended(p, q, drafted, int(keeps.long().cumprod(0).sum()), spare)


def _ended(p: Tensor, q: Tensor, drafted: Tensor, kept: int, spare: float) -> Tensor:
    left = p[kept] if kept == len(drafted) else (p[kept] - q[kept]).clamp(min=0)
    return _drawn(drafted[:kept], left, spare)


def _drawn(kept: Tensor, left: Tensor, spare: float) -> Tensor:
    """The kept tokens, and the one at which the running sum passes the even number."""
    place = (left.cumsum(0) / left.sum() <= spare).sum().clamp(max=WORDS - 1)
    return torch.cat([kept, place[None]])


def _near_keeps() -> dict[str, Write]:
    """What an unfinished repair gives, by what to say of it."""

    def counted(p: Tensor, q: Tensor, drafted: Tensor, chances: Tensor, spare: float) -> Tensor:
        at = torch.arange(len(drafted))
        keeps = chances * q[at, drafted] < p[at, drafted]
        return _ended(p, q, drafted, int(keeps.sum()), spare)

    def always(p: Tensor, q: Tensor, drafted: Tensor, chances: Tensor, spare: float) -> Tensor:
        return _ended(p, q, drafted, len(drafted), spare)

    def from_target(p: Tensor, q: Tensor, drafted: Tensor, chances: Tensor, spare: float) -> Tensor:
        kept = len(_keep(p, q, drafted, chances, spare)) - 1
        return _drawn(drafted[:kept], p[kept], spare)

    def likelier(p: Tensor, q: Tensor, drafted: Tensor, chances: Tensor, spare: float) -> Tensor:
        at = torch.arange(len(drafted))
        keeps = q[at, drafted] <= p[at, drafted]
        return _ended(p, q, drafted, int(keeps.long().cumprod(0).sum()), spare)

    def by_target(p: Tensor, q: Tensor, drafted: Tensor, chances: Tensor, spare: float) -> Tensor:
        at = torch.arange(len(drafted))
        keeps = chances < p[at, drafted]
        return _ended(p, q, drafted, int(keeps.long().cumprod(0).sum()), spare)

    def none_spare(p: Tensor, q: Tensor, drafted: Tensor, chances: Tensor, spare: float) -> Tensor:
        return _keep(p, q, drafted, chances, spare)[:-1]

    return {
        "a token that stands behind one that was not kept is counted as kept: it was drafted "
        "after a token that is no longer there": counted,
        "every drafted token is kept; look at what the target says of each": always,
        "where a token is not kept, you draw from the target's whole distribution; what the draft "
        "already gave it must be taken off, as `broken` does": from_target,
        "you keep a token only where the target gives it at least as much as the draft; otherwise "
        "it is kept with the probability p / q": likelier,
        "you compare the even number with p alone; it is p / q with which a token is kept": (
            by_target
        ),
        "the token that is drawn behind the kept ones is missing": none_spare,
    }


@exercise(
    CHAPTER,
    4,
    "return True if the sampler draws from p whatever q is, and False otherwise.",
    "it asks for enough draws to see a few parts in a hundred, and for more than one pair.",
)
def check_is_exact(is_exact: Callable[[Sampler], bool]) -> None:
    """Check a test for exact samplers, on right ones and on impostors."""
    judge(is_exact, honest(), impostors())
