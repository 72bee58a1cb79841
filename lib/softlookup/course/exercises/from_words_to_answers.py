"""Checks for the exercises of the chapter on answers."""

from collections.abc import Callable

import torch
from torch import Tensor

from softlookup.course.exercises import drafts_kept
from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.judging import judge
from softlookup.course.exercises.probes import draw, name_first, require_tensor, same
from softlookup.course.exercises.samplers_on_trial import Sampler, honest, impostors
from softlookup.course.exercises.verdict import Mistake

ROWS, SIZE, BLOCKS = 5, 7, 3

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
    cases = drafts_kept.rows()
    written, again = ([torch.as_tensor(keep(*row)).long() for row in cases] for _ in range(2))

    def writes(keeping: Callable[[drafts_kept.Row], Tensor]) -> bool:
        return all(map(torch.equal, written, map(keeping, cases)))

    if writes(drafts_kept.RIGHT):
        return
    for keeping, words in drafts_kept.NEAR:
        if writes(keeping):
            raise Mistake(words)
    if writes(lambda row: drafts_kept.RIGHT(row)[:-1]):
        raise Mistake("the token that is drawn behind the kept ones is missing")
    if not all(map(torch.equal, written, again)):
        raise Mistake("asked twice, you write different tokens: `spare` draws the last, not chance")
    for row, got in zip(cases, written, strict=True):
        right = drafts_kept.RIGHT(row)
        if torch.equal(got, row[2]) and torch.equal(got, right[:-1]):
            raise Mistake("where all tokens are kept, one more is drawn behind them all the same")
        if not torch.equal(got, right):
            raise Mistake(
                f"you write {got.tolist()} where {right.tolist()} is right: {len(right) - 1} of "
                f"the {len(row[2])} drafted tokens are kept, and one more token is drawn"
            )


@exercise(
    CHAPTER,
    4,
    "return True if the sampler draws from p whatever q is, and False otherwise.",
    "it asks for enough draws to see a few parts in a hundred, and for more than one pair.",
)
def check_is_exact(is_exact: Callable[[Sampler], bool]) -> None:
    """Check a test for exact samplers, on right ones and on impostors."""
    judge(is_exact, honest(), impostors())
