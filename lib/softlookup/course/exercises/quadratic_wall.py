"""Checks for the exercises of the chapter on the quadratic wall."""

import math
from collections.abc import Callable, Mapping
from functools import partial

import torch
from torch import Tensor

from softlookup.alternatives.blockwise_attention import attend_block
from softlookup.alternatives.hyena import fft_convolution
from softlookup.course.exercises.attention_on_trial import Attend, honest, impostors
from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.difference import require_same
from softlookup.course.exercises.finished_parts import (
    Finished,
    require_merged,
    require_merged_with_nothing,
)
from softlookup.course.exercises.judging import judge
from softlookup.course.exercises.loads_swept import measure_load
from softlookup.course.exercises.measuring import Report
from softlookup.course.exercises.probes import draw, name_first, require_tensor, same
from softlookup.course.exercises.state_filled import HALF_COMES_BACK, share_given_back
from softlookup.course.exercises.verdict import Mistake

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


@exercise(
    "quadratic_wall",
    2,
    "return the standard deviation of the crosstalk at a wrong label.",
    "crosstalk grows with the root of the keys' number, and shrinks with that of width and labels.",
)
def check_crosstalk(crosstalk: Callable[[int, int, int], float]) -> None:
    """Check a formula for the crosstalk of a state that is a sum of products."""
    for n, d, labels in ((17, 8, 5), (64, 32, 32), (5, 3, 2)):
        got = crosstalk(n, d, labels)
        if not isinstance(got, float | int | Tensor) or isinstance(got, bool):
            raise Mistake(f"your function returned {type(got).__name__}; a number is expected")
        got = float(got)
        right = math.sqrt((n - 1) / (d * labels))
        if math.isclose(got, right, rel_tol=1e-6):
            continue
        named = {
            (n - 1) / (d * labels): "this is the variance; its root is asked for",
            math.sqrt(n / (d * labels)): "the key that is asked for does not disturb itself: "
            "n - 1 others do",
            n / (d * labels): "this is a variance, and of n keys: take its root, and leave out "
            "the key that is asked for",
            math.sqrt((n - 1) / d): "every other key disturbs in your formula; at one wrong label "
            "it is those that have this label, one in so many",
            math.sqrt((n - 1) / labels): "your keys overlap wholly: two random unit vectors have a "
            "product of mean 0 and of variance 1/d",
            math.sqrt((n - 1) / labels) / d: "your overlap of two keys has a variance of 1/d²; it "
            "is 1/d, since d squares of which each is 1/d on average sum to 1",
            math.sqrt((n - 1) / (math.sqrt(d) * labels)): "your overlap of two keys has a variance "
            "of one over the root of d; that is its standard deviation",
            math.sqrt((n - 1) / d) / labels: "the chance of a label stands outside the root; it "
            "says how many terms there are, so it belongs inside",
            math.sqrt((n - 1) * (labels - 1) / (d * labels)): "this is the crosstalk of all wrong "
            "labels together; one of them is asked about",
            math.sqrt((n - 1) * labels / d): "more labels share the keys out among more places: "
            "divide by their number",
            math.sqrt(
                (n - 1) / (d * labels) * (1 - 1 / labels)
            ): "you took the variance of a label "
            "alone; a product of mean 0 has the mean of its square for a variance",
            (n - 1) / math.sqrt(d * labels): "your terms add up as if they all had one sign; those "
            "of random sign add up in their squares",
        }
        for wrong, words in named.items():
            if math.isclose(got, wrong, rel_tol=1e-6):
                raise Mistake(words)
        raise Mistake(
            f"with {n} keys of width {d} and {labels} labels it is {right:.4f}, and yours is "
            f"{got:.4f}; how many terms are there, and what is the variance of each?"
        )


@exercise(
    "quadratic_wall",
    3,
    "return how many tokens fit, by the definition and by blocks.",
    "so much is kept between the passes; by the definition the peak is higher still.",
)
def check_longest_text(longest_text: Callable[[int, int], tuple[int, int]]) -> None:
    """Check how long a text fits into a memory, with and without the square."""
    for room, width in ((10_000_000, 64), (1_000_000_007, 128), (65_536, 16)):
        got = longest_text(room, width)
        if not isinstance(got, tuple | list) or len(got) != 2:
            raise Mistake("a pair of whole numbers is expected: by the definition, by blocks")
        if any(int(number) != number for number in got):
            raise Mistake("half a token does not fit: round down to whole numbers")
        right = _fits(room, width)
        if tuple(got) == right:
            continue
        by_definition, by_blocks = got
        numbers = room // 4
        named = {
            _square(room, 3 * width): "you forgot that a float32 takes four bytes",
            math.isqrt(numbers): "your definition keeps the weights alone; query, key and value "
            "are kept too",
            _square(numbers, 4 * width): "your definition keeps the output, but no derivative "
            "asks for it: the weights take its place",
            _square(numbers / 2, 1.5 * width): "your definition keeps scores and weights; the "
            "derivative of a softmax needs the weights alone",
        }
        if by_definition != right[0]:
            raise Mistake(
                named.get(
                    by_definition,
                    f"by the definition {right[0]} tokens fit and not {by_definition}: solve "
                    "n² + 3nd = number of floats for n",
                )
            )
        named = {
            numbers // (3 * width): "your blocks keep query, key and value alone; without the "
            "output and the two numbers a query nothing can be computed anew",
            numbers // (4 * width): "your blocks forget the maximum and the total of each query",
            numbers // (3 * width + 2): "your blocks forget the output, from which the row's "
            "common share comes",
            room // (4 * width + 2): "your blocks' numbers take one byte each; it is four",
        }
        raise Mistake(
            named.get(
                by_blocks,
                f"by blocks {right[1]} tokens fit and not {by_blocks}: "
                "divide by 4d + 2 numbers for each token",
            )
        )


def _square(numbers: float, linear: float) -> int:
    """The greatest whole n with n² + linear·n ≤ numbers."""
    n = int((math.sqrt(linear**2 + 4 * numbers) - linear) / 2)
    while n * n + linear * n > numbers:
        n -= 1
    return n


def _fits(room: int, width: int) -> tuple[int, int]:
    return _square(room // 4, 3 * width), room // 4 // (4 * width + 2)


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
        right = fft_convolution(x, _filter(lags / max_length, fading))
        got = require_tensor(convolve(x, _network, fading, max_length), (3, length), meaning="as x")
        if same(got, right):
            continue
        stretched = torch.linspace(0, 1, length, dtype=torch.float64)
        fixed = lags / max_length
        fading_alone = torch.exp(-fading * fixed) * _network(stretched)
        network_alone = torch.exp(-fading * stretched) * _network(fixed)
        circle = torch.fft.rfft(x) * torch.fft.rfft(_filter(fixed, fading))
        hypotheses = [
            (_filter(stretched, fading), "this is `broken` as it was: t runs from 0 to 1 over "
             "each text"),
            (_filter(lags / length, fading), "your t is still a share of the text's length: the "
             "same lag has another weight in a longer text"),
            (_filter(lags, fading), "your t counts the lags themselves; the network knows them "
             "as shares of max_length"),
            (_filter(lags / (max_length - 1), fading), "your t is the lag over max_length - 1; "
             "the lag over max_length is asked for, so that 1 is never reached"),
            (_filter((lags + 1) / max_length, fading), "your filter begins at the lag 1: a token's "
             "distance from itself is 0"),
            (fading_alone, "your network still reads the stretched t; only the fading is repaired"),
            (network_alone, "your fading is still stretched to the text; only what the network "
             "reads is repaired"),
            (_network(fixed), "your filter no longer fades; change nothing but t"),
            (_filter(fixed, fading).flip(0), "your filter is turned round"),
        ]  # fmt: skip
        name_first(got, [(fft_convolution(x, filter), words) for filter, words in hypotheses])
        name_first(
            got,
            [
                (
                    torch.fft.irfft(circle, n=length),
                    "t is right, and the zeros are gone: the end of the text wraps round to its "
                    "beginning",
                )
            ],
        )
        require_same(
            got,
            right,
            f"at length {length} yours is not the convolution with exp(-fading · t) · network(t), "
            "t being the lag over max_length",
            axes=("text", "place"),
            given={"x": x},
        )


def _network(t: Tensor) -> Tensor:
    """What stands for the small network: a function of t that is the same at no two lags."""
    return torch.cos(5.0 * t) + 0.3 * t


def _filter(t: Tensor, fading: float) -> Tensor:
    return torch.exp(-fading * t) * _network(t)


@exercise(
    "quadratic_wall",
    5,
    "return True if the function computes attention exactly, and False otherwise.",
    "it tells what is computed in another order from what is nearly the same.",
)
def check_is_exact(is_exact: Callable[[Attend], bool]) -> None:
    """Check a test for exact attention on right ones and on impostors."""
    asked: list[bool] = []

    def seen(functions: Mapping[str, Attend]) -> dict[str, Attend]:
        return {name: partial(_noting_large, each, asked) for name, each in functions.items()}

    try:
        judge(is_exact, seen(honest()), seen(impostors()))
    except Mistake as mistake:
        if not asked:
            raise Mistake("your test never calls the function that it is to judge") from mistake
        if "impostors through" in str(mistake) and not any(asked):
            raise Mistake(
                f"{mistake}. All your scores are small, where nothing overflows and no weight "
                "vanishes: ask about large ones, too"
            ) from mistake
        raise


def _noting_large(
    attend: Attend, asked: list[bool], query: Tensor, key: Tensor, value: Tensor
) -> Tensor:
    """What the function gives; beside it is noted whether it was asked about large scores."""
    tensors = (query, key, value)
    if not all(isinstance(each, Tensor) and each.dim() >= 2 for each in tensors):
        raise Mistake("you asked about something else than tensors (…, tokens, width)")
    scores = (query @ key.mT / math.sqrt(query.size(-1))).abs()
    asked.append(bool(scores.max() > 100.0))
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
