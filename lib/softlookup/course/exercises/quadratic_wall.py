"""Checks for the exercises of the chapter on the quadratic wall."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import torch
from torch import Tensor

from softlookup.alternatives.blockwise_attention import attend_block
from softlookup.alternatives.hyena import fft_convolution
from softlookup.course.exercises.attention_on_trial import (
    Asked,
    Attend,
    honest,
    impostors,
    question,
    why_unseen,
)
from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.difference import require_same
from softlookup.course.exercises.filter_slips import (
    filter_over,
    name_fixed_filter,
    name_response,
)
from softlookup.course.exercises.finished_parts import (
    Finished,
    require_merged,
    require_merged_with_nothing,
)
from softlookup.course.exercises.judging import judge
from softlookup.course.exercises.loads_swept import measure_load
from softlookup.course.exercises.measuring import Report
from softlookup.course.exercises.probes import draw, require_tensor, same
from softlookup.course.exercises.state_filled import HALF_COMES_BACK, share_given_back
from softlookup.course.exercises.verdict import Mistake
from softlookup.course.exercises.wall_probes import Transforms, how_it_grows, what_is_kept
from softlookup.course.exercises.wall_slips import (
    most_tokens,
    name_block_fits,
    name_crosstalk,
    name_square_fits,
)

LENGTH, WIDTH, VALUES = 11, 5, 3


@exercise(
    "quadratic_wall",
    1,
    "return the output and the logarithm of the sum over both sets of keys.",
    "two finished halves are attention over the whole, however large the scores.",
)
def check_merge_finished(merge: Callable[[Tensor, Tensor, Tensor, Tensor], Finished]) -> None:
    """Check the merging of outputs that are divided already."""
    for factor, where in ((3.0, ""), (400.0, "with scores of some hundreds "), (0.0, "")):
        query, key = factor * draw(7, WIDTH, seed=131), draw(LENGTH, WIDTH, seed=132)
        value = draw(LENGTH, VALUES, seed=133)
        one, other = (
            attend_block(query, key[:4], value[:4]),
            attend_block(query, key[4:], value[4:]),
        )
        require_merged(merge, one, other, where)
    require_merged_with_nothing(merge, other)
    far = torch.linspace(-900, 900, 7, dtype=torch.float64)
    one, other = (replace(each, maximum=each.maximum + far) for each in (one, other))
    require_merged(
        merge,
        one,
        other,
        "where the scores of one query lie far above those of another, ",
        "one maximum for all queries leaves nothing of those whose scores are lower: subtract from "
        "each query the greater of its own two",
    )


@exercise(
    "quadratic_wall",
    2,
    "return the standard deviation of the crosstalk at a wrong label.",
    "crosstalk grows as the root of the number of keys, and shrinks as those of width and labels.",
)
def check_crosstalk(crosstalk: Callable[[int, int, int], float]) -> None:
    """Check a formula for the crosstalk of a state that is a sum of products."""
    cases = [(17, 8, 5), (64, 32, 32), (5, 3, 2)]
    got = []
    for case in cases:
        answer = crosstalk(*case)
        if not isinstance(answer, float | int | Tensor) or isinstance(answer, bool):
            raise Mistake(f"your function returned {type(answer).__name__}; a number is expected")
        got.append(float(answer))
    if float(crosstalk(*cases[0])) != got[0]:
        raise Mistake(
            "your function returns another number each time it is called: it draws at random. A "
            "formula of the three numbers is asked for"
        )
    if len(set(got)) == 1:
        raise Mistake(f"you return {got[0]:.4g} whatever the numbers of keys, width and labels")
    name_crosstalk(got, cases)
    exact = [math.sqrt((n - 1) / (d * labels)) for n, d, labels in cases]
    for digits in range(5):
        if exact != got == [round(each, digits) for each in exact]:
            raise Mistake(f"you round to {digits} decimals; return the number as it is")
    for (n, d, labels), yours in zip(cases, got, strict=True):
        right = math.sqrt((n - 1) / (d * labels))
        if not math.isclose(yours, right, rel_tol=1e-6):
            raise Mistake(
                f"with {n} keys of width {d} and {labels} labels it is {right:.4f}, and yours is "
                f"{yours:.4f}; how many terms are there, and what is the variance of each?"
                f"{how_it_grows(crosstalk)}"
            )


@exercise(
    "quadratic_wall",
    3,
    "return how many tokens fit, by the definition and by blocks.",
    "so much is kept between the passes; by the definition the peak is higher still.",
)
def check_longest_text(longest_text: Callable[[int, int], tuple[int, int]]) -> None:
    """Check how long a text fits into a memory, with and without the square."""
    # The fourth is full to the last byte by the definition, 66² + 66 · 48 numbers; by blocks, too.
    # At an odd width it shows who rounds more than once.
    cases = [(10_000_000, 64), (1_000_000_007, 128), (65_536, 16), (30_096, 16), (1_000, 3)]
    answers = []
    for case in cases:
        answer = longest_text(*case)
        if not isinstance(answer, tuple | list) or len(answer) != 2:
            raise Mistake("a pair of whole numbers is expected: by the definition, by blocks")
        if any(int(number) != number for number in answer):
            raise Mistake("half a token does not fit: round down to whole numbers")
        answers.append((int(answer[0]), int(answer[1])))
    by_definition, by_blocks = ([*each] for each in zip(*answers, strict=True))
    name_square_fits(by_definition, cases)
    kept_square, kept_blocks = what_is_kept(longest_text)
    for got, case in zip(by_definition, cases, strict=True):
        if got != _fits(*case)[0]:
            raise Mistake(
                f"by the definition {_fits(*case)[0]} tokens fit into {case[0]:,} bytes at a width "
                f"of {case[1]}, and not {got}: solve n² + 3nd = number of floats for n{kept_square}"
            )
    name_block_fits(by_blocks, cases)
    for got, case in zip(by_blocks, cases, strict=True):
        if got != _fits(*case)[1]:
            raise Mistake(
                f"by blocks {_fits(*case)[1]} tokens fit into {case[0]:,} bytes at a width of "
                f"{case[1]}, and not {got}: divide by 4d + 2 numbers for each token, and round "
                f"down{kept_blocks}"
            )


def _fits(room: int, width: int) -> tuple[int, int]:
    return most_tokens(room // 4, 1, 3 * width), room // 4 // (4 * width + 2)


@exercise(
    "quadratic_wall",
    4,
    "repair `broken`, so that a text's filter does not know how long the text is.",
    "the filter belongs to the layer, and the beginning of a text is read as it was alone.",
)
def check_fixed_filter(
    convolve: Callable[[Tensor, Callable[[Tensor], Tensor], float, int], Tensor],
) -> None:
    """Check the repair of an implicit filter that is stretched to each text."""
    fading, max_length = 2.5, 29
    for length in (LENGTH, 16, max_length):
        x = draw(3, length, seed=137)
        lags = torch.arange(length, dtype=torch.float64)
        right = fft_convolution(x, filter_over(lags / max_length, fading, _network))
        with Transforms() as transforms:
            convolved = convolve(x, _network, fading, max_length)
        got = require_tensor(convolved, (3, length), meaning="as x")
        name_fixed_filter(got, x, _network, fading, max_length)
        if not same(got, right):
            name_response(
                lambda texts: convolve(texts, _network, fading, max_length),
                _network,
                fading,
                length,
                max_length,
            )
        require_same(
            got,
            right,
            f"at length {length} yours is not the convolution with exp(-fading · t) · network(t), "
            "t being the lag over max_length",
            axes=("text", "place"),
            given={"x": x},
        )
        if not transforms.seen:
            raise Mistake(
                "the numbers are right, but no Fourier transform was computed, so the time grows "
                "as n²: `broken` multiplies spectra, and only its filter is to be repaired"
            )


def _network(t: Tensor) -> Tensor:
    """What stands for the small network: a function of t that is the same at no two lags."""
    return torch.cos(5.0 * t) + 0.3 * t


@exercise(
    "quadratic_wall",
    5,
    "return True if the function computes attention exactly, and False otherwise.",
    "it tells what is computed in another order from what is nearly the same.",
)
def check_is_exact(is_exact: Callable[[Attend], bool]) -> None:
    """Check a test for exact attention on right ones and on impostors."""
    asked: dict[str, list[Asked]] = {}

    def seen(functions: Mapping[str, Attend]) -> dict[str, Attend]:
        asked.update((name, []) for name in functions)
        return {name: partial(_noting, each, asked[name]) for name, each in functions.items()}

    try:
        judge(is_exact, seen(honest()), seen(impostors()))
    except Mistake as mistake:
        if not any(asked.values()):
            raise Mistake("your test never calls the function that it is to judge") from mistake
        if "impostors through" in str(mistake) and "it meets numbers" not in str(mistake):
            missed = next(name for name in impostors() if f": {name}" in str(mistake))
            if why := why_unseen(missed, asked[missed]):
                raise Mistake(f"{mistake}. {why}") from mistake
        raise


def _noting(
    attend: Attend, asked: list[Asked], query: Tensor, key: Tensor, value: Tensor
) -> Tensor:
    """What the function gives; beside it is noted what it was asked about."""
    tensors = (query, key, value)
    if not all(isinstance(each, Tensor) and each.dim() >= 2 for each in tensors):
        raise Mistake("you asked about something else than tensors (…, tokens, width)")
    asked.append(question(query, key, value))
    return attend(query, key, value)


@exercise(
    "quadratic_wall",
    6,
    "return the two ends of your interval, in pairs.",
    "your interval says how many pairs, and how sure: looked for first, measured from both sides, "
    "over several seeds.",
)
def check_report(report: Report) -> None:
    """Check a report on where a state gives back half, in invented memories and on a real one."""
    measure_load(report, share_given_back, HALF_COMES_BACK)
