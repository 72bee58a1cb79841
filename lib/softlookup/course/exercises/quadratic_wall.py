"""Checks for the exercises of the chapter on the quadratic wall."""

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from softlookup.alternatives.blockwise_attention import Partial, attend_block
from softlookup.alternatives.blockwise_attention import merge as merge_partials
from softlookup.alternatives.hyena import data_controlled_matrix, fft_convolution, toeplitz
from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.difference import require_same
from softlookup.course.exercises.probes import draw, name_first, require_tensor, same
from softlookup.course.exercises.verdict import Mistake

LENGTH, WIDTH, VALUES = 11, 5, 3


@exercise(
    "quadratic_wall",
    1,
    "return the Partial of two sets of keys from the Partials of each.",
    "two halves of a softmax make a whole, however large the scores.",
)
def check_merge(merge: Callable[[Partial, Partial], Partial]) -> None:
    """Check the merging of two partial softmaxes."""
    query, key = draw(7, WIDTH, seed=131), draw(LENGTH, WIDTH, seed=132)
    value = draw(LENGTH, VALUES, seed=133)
    # The first half has the greater scores for some queries, the second for others.
    one = attend_block(3 * query, key[:4], value[:4])
    other = attend_block(3 * query, key[4:], value[4:])
    right = merge_partials(one, other)
    got = merge(one, other)
    if not isinstance(got, Partial):
        raise Mistake(f"your function returned {type(got).__name__}; a Partial is expected")
    require_tensor(got.maximum, (7,), "your maximum", "one number a query")
    require_tensor(got.total, (7,), "your total", "one number a query")
    require_tensor(got.weighted, (7, VALUES), "your weighted sum", "(queries, width of a value)")
    if not same(got.maximum, right.maximum):
        raise Mistake("your maximum is not the greater of the two, query by query")
    total, weighted = one.total + other.total, one.weighted + other.weighted
    if same(got.total, total) or same(got.weighted, weighted):
        raise Mistake(
            "you added what was summed against two different maxima. Each side was divided by "
            "e to the power of its own maximum: bring both to the common one first"
        )
    up, other_up = ((part.maximum - right.maximum).exp() for part in (one, other))
    swapped = one.total / up + other.total / other_up
    if same(got.total, swapped):
        raise Mistake(
            "your correction has the wrong sign: when the maximum rises, old sums must shrink. "
            "It is e to the power of the old maximum less the new one"
        )
    if same(got.total, right.total):
        means = up[:, None] * one.output() + other_up[:, None] * other.output()
        name_first(
            got.weighted,
            [
                (
                    right.output(),
                    "your weighted sum is divided already; the division by the total comes once, "
                    "at the very end, or the next merge will divide again",
                ),
                (
                    means,
                    "you merged the two finished outputs; a side with many keys has to count for "
                    "more than a side with few, so merge the sums and not the means",
                ),
            ],
        )
    if not (same(got.total, right.total) and same(got.weighted, right.weighted)):
        raise Mistake(
            "your sums differ from those over both sets of keys: each side times "
            "exp(its maximum - common maximum), added up, for the total and for the values"
        )
    high = attend_block(400 * query, key[:4], value[:4])
    low = attend_block(400 * query, key[4:], value[4:])
    large = merge(high, low)
    if not same(large.output(), merge_partials(high, low).output()):
        raise Mistake(
            "with scores of some hundreds your sums overflow: never take the exponential of a "
            "maximum itself, only of a difference of maxima"
        )


@exercise(
    "quadratic_wall",
    2,
    "return how many tokens fit, by the definition and by blocks.",
    "what is kept for the backward pass decides how long a text can be.",
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
            "common share D comes",
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
    3,
    "return causal linear attention from features of queries and keys.",
    "the brackets are moved, the past is summed up once, and the shares add up to one.",
)
def check_linear_attention(linear: Callable[[Tensor, Tensor, Tensor], Tensor]) -> None:
    """Check causal linear attention on features that are given."""
    asked, answering = (draw(LENGTH, WIDTH, seed=seed).exp() for seed in (134, 135))
    value = draw(LENGTH, VALUES, seed=136)
    products = asked @ answering.T
    causal = products.tril()
    right = causal / causal.sum(-1, keepdim=True) @ value
    got = require_tensor(linear(asked, answering, value), (LENGTH, VALUES), meaning="as the values")
    if same(got, right):
        small = linear(asked / 100, answering / 100, value)
        if not same(require_tensor(small, (LENGTH, VALUES)), right):
            raise Mistake(
                "right for features near one, and wrong where they are a hundredth of it: a "
                "factor in all features cancels, unless something holds the denominator up"
            )
        return
    strict = products.tril(-1)
    softmax = products.masked_fill(products.triu(1) > 0, float("-inf")).softmax(-1)
    name_first(
        got,
        [
            (causal @ value, "you left out the denominator: the shares do not sum to one"),
            (
                products / products.sum(-1, keepdim=True) @ value,
                "your outputs know the future: sum over the tokens up to each, with cumsum, "
                "and not over all",
            ),
            (
                causal / products.sum(-1, keepdim=True) @ value,
                "your denominator knows the future: it sums over all keys, "
                "and its numerator over those so far",
            ),
            (
                strict / strict.sum(-1, keepdim=True).clamp(min=1e-12) @ value,
                "your token does not count itself: add it to the state before you ask",
            ),
            (softmax @ value, "you took a softmax of the products; the point is to have none"),
            (
                causal / causal.sum(0, keepdim=True) @ value,
                "your shares sum to one over the queries: divide each query's sum by its own total",
            ),
            (
                causal @ value / torch.arange(1, LENGTH + 1)[:, None],
                "you divided by the number of tokens so far; the weights have another sum",
            ),
            (
                (exchanged := (answering @ asked.T).tril())
                / exchanged.sum(-1, keepdim=True)
                @ value,
                "asked and answering have changed places: what is collected is found again by the "
                "features of the key, and read with those of the query",
            ),
            (
                value.cumsum(0),
                "every token gets the sum of all values so far: you multiplied the running sums; "
                "sum up the products of features and values",
            ),
            (
                value.cumsum(0) / torch.arange(1, LENGTH + 1)[:, None],
                "every token gets the mean of all values so far: the features have no say",
            ),
        ],
    )
    require_same(
        got,
        right,
        "your outputs are not Σ φ(q_i)·φ(k_j) v_j / Σ φ(q_i)·φ(k_j) over j ≤ i",
        axes=("place", "width"),
        given={"value": value},
    )


@exercise(
    "quadratic_wall",
    4,
    "convolve by Fourier transform, without a leak from the future.",
    "n log n steps, and nothing comes round the back.",
)
def check_convolve(convolve: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Check a causal convolution by fast Fourier transform."""
    for length in (LENGTH, 16):
        x, filter = draw(3, length, seed=137), draw(length, seed=138)
        right = fft_convolution(x, filter)
        got = convolve(x, filter)
        if isinstance(got, Tensor) and got.is_complex():
            raise Mistake("your result is complex: torch.fft.irfft, or .real, brings it back")
        if isinstance(got, Tensor) and got.shape == (3, 2 * length):
            raise Mistake("you kept the zeros' outputs: cut off all but the first n")
        got = require_tensor(got, (3, length), meaning="as x")
        if same(got, right):
            continue
        spectra = torch.fft.fft(x), torch.fft.fft(filter)
        circular = torch.fft.ifft(spectra[0] * spectra[1]).real
        padded = F.pad(x, (0, length)), F.pad(filter, (0, length))
        whole = torch.fft.ifft(torch.fft.fft(padded[0]) * torch.fft.fft(padded[1])).real
        half = torch.fft.irfft(
            torch.fft.rfft(x, n=length + length // 2)
            * torch.fft.rfft(filter, n=length + length // 2),
            n=length + length // 2,
        )[..., :length]
        turned = torch.fft.ifft(torch.fft.fft(padded[0]) * torch.fft.fft(padded[1]).conj()).real
        name_first(
            got,
            [
                (
                    circular,
                    "your text is bent to a circle: its end wraps round to its beginning, and "
                    "every output but the last knows the future. Pad with n zeros",
                ),
                (
                    half,
                    "your zeros are too few: what wraps round has up to n - 1 places to go",
                ),
                (whole[..., length:], "you kept the last n outputs; the first n are the text's"),
                (
                    turned[..., :length],
                    "you turned the filter round: this is a correlation, and looks ahead. "
                    "No conjugate is needed",
                ),
                (
                    right * math.sqrt(2 * length),
                    "your transforms there and back are scaled differently; leave norm alone",
                ),
                (
                    right / math.sqrt(2 * length),
                    "norm='ortho' on both sides scales a product of two spectra once too often",
                ),
                (x * filter, "you multiplied before the transform; multiply the spectra"),
            ],
        )
        require_same(
            got,
            right,
            f"at length {length} your outputs are not the sums of h[i-j] x[j] over j ≤ i",
            axes=("place",),
            given={"x": x},
        )


@exercise(
    "quadratic_wall",
    5,
    "return the matrix that Hyena of order 2 applies to its value.",
    "two gates and two filters are one triangle that the text controls.",
)
def check_hyena_matrix(
    hyena_matrix: Callable[[Tensor, Tensor, Tensor, Tensor], Tensor],
) -> None:
    """Check the data-controlled matrix of order 2."""
    first, second, h1, h2 = (draw(LENGTH, seed=seed) for seed in (139, 140, 141, 142))
    right = data_controlled_matrix([first, second], [h1, h2])
    shape = (LENGTH, LENGTH)
    got = require_tensor(hyena_matrix(first, second, h1, h2), shape, meaning="(outputs, inputs)")
    if same(got, right):
        return
    one, two = toeplitz(h1), toeplitz(h2)
    columns = (two * second) @ (one * first)
    name_first(
        got,
        [
            (
                right.T,
                "your matrix is transposed: it would hand each token its future",
            ),
            (
                data_controlled_matrix([second, first], [h2, h1]),
                "you applied the pairs in the wrong order: the first gate and filter act on the "
                "value first, so they stand on the right",
            ),
            (
                columns,
                "your gates multiply columns: they act before their convolutions. In the "
                "recurrence a gate comes after, so it multiplies rows",
            ),
            (
                (first * second)[:, None] * (two @ one),
                "you put both gates after both convolutions; the first gate stands between them",
            ),
            (two @ one, "your matrix has no gates: it is the same for every text"),
            (
                second[:, None] * two * (first[:, None] * one),
                "you multiplied cell by cell; one layer after another is a product of matrices",
            ),
            (
                second[:, None] * (two.T @ (first[:, None] * one.T)),
                "your Toeplitz matrices look ahead: the filter's lag is i - j, below the diagonal",
            ),
        ],
    )
    raise Mistake(
        "your matrix times v is not x2 ⊙ (h2 ∗ (x1 ⊙ (h1 ∗ v))); write each of the four steps "
        "as a matrix and multiply them from the right"
    )
