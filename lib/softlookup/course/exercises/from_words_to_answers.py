"""Checks for the exercises of the chapter on answers."""

import cmath
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor

from softlookup.course.exercises import drafts_kept
from softlookup.course.exercises.adapters_joined import (
    JOINS,
    PAIRS,
    Adapter,
    added,
    joined_changes,
    terms,
)
from softlookup.course.exercises.blocks_restored import between_ends, name_blocks, restored
from softlookup.course.exercises.blocks_restored import slips as block_slips
from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.judging import judge
from softlookup.course.exercises.pair_pushes import (
    PUSHES,
    RealNumbers,
    by_ratios,
    derivatives,
    each_by_itself,
    gap,
)
from softlookup.course.exercises.probes import draw, require_tensor, same
from softlookup.course.exercises.prohibited import Words
from softlookup.course.exercises.samplers_on_trial import (
    MOST_DRAWS,
    Question,
    Sampler,
    honest,
    impostors,
    why_unseen,
    why_wronged,
)
from softlookup.course.exercises.slips import name_slips, name_times
from softlookup.course.exercises.verdict import Mistake
from softlookup.layers import quantized

DERIVED = "PyTorch differentiates here; the two derivatives are to be yours, found on paper"
# What would spare the paper: by these a loss is derived, backward, forward, or to the side.
SPARED: dict[Callable[..., Any], Words] = {
    torch.autograd.backward: DERIVED,
    torch.autograd.grad: DERIVED,
    torch._C._ImperativeEngine.run_backward: DERIVED,
    torch.autograd.forward_ad.make_dual: "dual numbers differentiate here; do so on paper",
    **dict.fromkeys(
        (cmath.exp, cmath.log), "a complex logarithm or power differentiates here; do so on paper"
    ),
}

# What of PyTorch reads a weight back from whole numbers of steps.
ROUNDED_BY_TORCH = (
    torch.fake_quantize_per_channel_affine,
    torch.fake_quantize_per_tensor_affine,
    torch.quantize_per_channel,
    torch.quantize_per_tensor,
    torch.quantize_per_tensor_dynamic,
)
# A formula has all digits of double precision. Differences of the loss have ten to thirteen.
DIGITS = 3e-14

# As many rows as fill whole blocks, so that blocks down a column are made, and seen.
ROWS, SIZE, BLOCKS = 14, 7, 3

CHAPTER = "from_words_to_answers"


@exercise(
    CHAPTER,
    3,
    "return the weight as it is read back, with a step of its own for every block of a row.",
    "one large weight now spoils its own block alone, and a step is stored for each block.",
    prohibited={
        quantized.quantize: "quantize is the library's; here the rounding is to be yours",
        **dict.fromkeys(ROUNDED_BY_TORCH, "PyTorch rounds and reads back here; write both by hand"),
    },
)
def check_in_blocks(in_blocks: Callable[[Tensor, int], Tensor]) -> None:
    """Check absmax quantisation with a step for each block of neighbours in a row."""
    weight = draw(ROWS, BLOCKS * SIZE, seed=170)
    weight[1, 3], weight[2] = 40.0, 0.0
    weight[3, SIZE : 2 * SIZE] /= 50
    got = require_tensor(
        in_blocks(weight, SIZE), (ROWS, BLOCKS * SIZE), "the restored weight", "as it was given"
    ).double()
    if not got.isfinite().all():
        raise Mistake("a block of zeros gives NaN: its step is zero, and zero may stay as it is")
    if same(got, restored(weight, SIZE), atol=1e-9):
        return
    if same(got, weight):
        raise Mistake("this is the weight itself: divide by the step, round, and multiply again")
    alike = partial(same, atol=1e-9)
    if alike(got, weight.round()):
        raise Mistake(
            "this is the weight rounded to whole numbers: round the numbers of steps, between the "
            "division and the multiplication"
        )
    name_slips(got, partial(restored, weight, SIZE), block_slips(weight, SIZE), alike)
    if alike(got, between_ends(weight, SIZE)):
        raise Mistake(
            "your steps run from a block's smallest number to its largest; here they run from 0 "
            "to the largest *absolute* number, in 127 steps"
        )
    name_blocks(got, weight, SIZE)
    blocks = weight.view(ROWS, BLOCKS, SIZE)
    steps = blocks.abs().amax(dim=2, keepdim=True) / 127
    worst = ((got.view_as(blocks) - blocks).abs() / steps.clamp(min=1e-12)).max()
    raise Mistake(
        f"the largest number of each block comes back, and another is wrong by {float(worst):.2f} "
        "of its block's steps: round to the nearest whole number of steps"
    )


@exercise(
    CHAPTER,
    1,
    "return the derivatives of the loss by the two log-probabilities, as two numbers.",
    "a pair counts as much as the model still misjudges it, and the two push against each other.",
    prohibited=SPARED,
)
def check_gradient(
    gradient: Callable[[Tensor, Tensor, Tensor, Tensor, float], tuple[Tensor, Tensor]],
) -> None:
    """Check the gradient of the preference loss, derived on paper."""
    # Strengths that every precision holds exactly.
    seeds = ((171, 0.5), (172, 0.125), (173, 2.0))
    # Log-probabilities are never positive.
    pairs = [(*(draw(4, seed=seed) - 4.0), beta) for seed, beta in seeds]
    answers = []
    for pair in pairs:
        with RealNumbers():
            answer = gradient(*pair)
        if not isinstance(answer, tuple | list) or len(answer) != 2:
            raise Mistake(
                "two numbers are expected: the derivative by the chosen answer's log-probability, "
                "then that by the rejected one's"
            )
        got = torch.stack([torch.as_tensor(each, dtype=torch.float64) for each in answer])
        if got.shape != (2,):
            raise Mistake(f"your derivatives have shape {tuple(got.shape[1:])}; one number each")
        answers.append(got)
    given = torch.tensor([[float(each) for each in pair] for pair in pairs], dtype=torch.float64).T
    yours, right = torch.stack(answers, dim=1), derivatives(given)
    if same(yours, right):
        if torch.allclose(yours, right, rtol=DIGITS, atol=DIGITS):
            return
        off = float(((yours - right) / right).abs().max())
        raise Mistake(
            f"your derivatives are right but for {off:.0e} of themselves, and a formula has all "
            "the digits of the numbers that it is given: differences of the loss, or a tensor of "
            "half the precision, have fewer; enter the formula itself"
        )
    name_slips(yours, partial(derivatives, given), PUSHES)
    if same(yours, by_ratios(given)):
        raise Mistake(
            "you divide log-probabilities and take the logarithm of that; they are logarithms "
            "already, and the log of a ratio is their difference"
        )
    if same(yours, each_by_itself(given)):
        raise Mistake("each answer has a sigmoid of its own; there is one, of the gap between them")
    if same(yours[0], right[0]) or same(yours[1], right[1]):
        fine, wrong = ("first", "second") if same(yours[0], right[0]) else ("second", "first")
        raise Mistake(
            f"your {fine} derivative is right, and your {wrong} is not: they differ by their signs "
            "alone"
        )
    at, beta = gap(given)[0], float(given[4, 0])
    raise Mistake(
        f"at a gap of {float(at):.3f} with β = {beta:g} you give {float(yours[0, 0]):.4f} and "
        f"{float(yours[1, 0]):.4f}; move a log-probability by 0.001 and see how the loss changes"
    )


Write = Callable[[Tensor, Tensor, Tensor, Tensor, float], Tensor]


@exercise(
    CHAPTER,
    4,
    "repair `broken`: what is written must be the target's; change nothing else.",
    "the first token that is not kept ends the row, and what the draft said behind it is void.",
)
def check_keep(keep: Write) -> None:
    """Check the acceptance of a row of drafted tokens."""
    cases = drafts_kept.rows()
    written, again = ([_row_of_tokens(keep(*row)) for row in cases] for _ in range(2))

    def writes(keeping: Callable[[drafts_kept.Row], Tensor]) -> bool:
        return all(map(torch.equal, written, map(keeping, cases)))

    if writes(drafts_kept.RIGHT):
        return
    for keeping, words in (*drafts_kept.NEAR, *drafts_kept.pairs()):
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
            raise Mistake(drafts_kept.how_wrong(row, got))


def _row_of_tokens(got: object) -> Tensor:
    """What a repair writes, if it is a row of ids."""
    if not isinstance(got, Tensor):
        raise Mistake(f"your function returned {type(got).__name__}; a tensor of ids is expected")
    if got.dim() != 1:
        raise Mistake(f"your result has shape {tuple(got.shape)}; one row of ids is expected")
    return got.long()


@exercise(
    CHAPTER,
    5,
    "return True if the sampler draws from p whatever q is, and False otherwise.",
    "it asks for enough draws to see a few parts in a hundred, and for more than one pair.",
)
def check_is_exact(is_exact: Callable[[Sampler], bool]) -> None:
    """Check a test for exact samplers, on right ones and on impostors."""
    asked: dict[Sampler, list[Question]] = {}

    def tried(sampler: Sampler) -> object:
        asked[sampler] = []
        return is_exact(sampler)

    def noting(sampler: Sampler) -> Sampler:
        def called(p: Tensor, q: Tensor, number: int, generator: torch.Generator) -> Tensor:
            if sum(len(tokens) for *_, tokens in asked[called]) + number > MOST_DRAWS:
                raise Mistake(f"your test draws more than {MOST_DRAWS:,} tokens from one sampler")
            tokens = sampler(p, q, number, generator)
            asked[called].append((p, q, tokens))
            return tokens

        return called

    right, wrong = (
        {name: noting(sampler) for name, sampler in samplers.items()}
        for samplers in (honest(), impostors())
    )
    try:
        judge(tried, right, wrong, by_chance=True)
    except Mistake as mistake:
        told = f"{mistake}" + ("" if str(mistake).endswith("?") else ".")
        if "impostors through" in str(mistake) or "everything honest" in str(mistake):
            named = (name for name in wrong if f": {name}" in str(mistake))
            missed = next(named, next(iter(wrong)))
            raise Mistake(f"{told} {why_unseen(asked[wrong[missed]])}") from mistake
        refused = any(words in str(mistake) for words in ("nothing honest", "refuses what"))
        if refused and "believes what" not in str(mistake):
            named = (name for name in right if f": {name}" in str(mistake))
            wronged = next(named, next(iter(right)))
            raise Mistake(f"{told} {why_wronged(asked[right[wronged]], is_exact)}") from mistake
        raise


@exercise(
    CHAPTER,
    2,
    "return `down`, `up` and `alpha` of one adapter that adds what both add.",
    "one adapter adds both changes, each with its own factor, and its rank is the sum of theirs.",
)
def check_as_one(as_one: Callable[[Adapter, Adapter], Adapter]) -> None:
    """Check two adapters that are joined into one."""
    yours = torch.stack([added(as_one(*pair), pair) for pair in PAIRS])
    if same(yours, joined_changes()):
        return
    name_slips(yours, joined_changes, JOINS)
    for got, pair in zip(yours, PAIRS, strict=True):
        name_times(got, terms(pair))
    raise Mistake(
        "what your adapter adds is no sum of the two changes: row k of `down` meets column k of "
        "`up`, and nothing else"
    )
