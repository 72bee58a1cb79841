"""Checks for the exercises of the chapter on positions."""

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.probes import draw, require_tensor, same
from softlookup.course.exercises.verdict import Mistake
from softlookup.layers.positions import rotate, shift_matrix, sinusoidal

LENGTH, WIDTH = 11, 14

_draw = partial(draw, seed=8)


def _angles(length: int, width: int, share: float = 1.0, base: float = 10000.0) -> Tensor:
    """The clocks' angles, with the exponent of each frequency multiplied by a share."""
    exponents = torch.arange(0, width, 2, dtype=torch.float64) / width * share
    return torch.arange(length, dtype=torch.float64)[:, None] * base**-exponents


def _interleave(even: Tensor, odd: Tensor) -> Tensor:
    return torch.stack((even, odd), dim=-1).flatten(start_dim=-2)


@exercise(
    "positions",
    1,
    "return the table of sinusoids, a row for each position from 0 on.",
    "sines in the even columns, cosines in the odd ones, each pair slower than the last.",
)
def check_sinusoids(sinusoids: Callable[[int, int], Tensor]) -> None:
    """Check a table of sinusoidal positions."""
    right = sinusoidal(LENGTH, WIDTH, dtype=torch.float64)
    got = require_tensor(sinusoids(LENGTH, WIDTH), (LENGTH, WIDTH), "your table").double()
    angles, halved = _angles(LENGTH, WIDTH), _angles(LENGTH, WIDTH, share=0.5)
    # What a column's own number in the exponent gives, in place of its pair's.
    own = torch.arange(LENGTH, dtype=torch.float64)[:, None] * 10000.0 ** (
        -torch.arange(WIDTH, dtype=torch.float64) / WIDTH
    )
    later = sinusoidal(LENGTH + 1, WIDTH, dtype=torch.float64)[1:]
    wrong = {
        "your sines and cosines have changed places: even columns are sines, so that position 0 "
        "begins 0, 1, 0, 1": _interleave(angles.cos(), angles.sin()),
        "your sines fill the first half and your cosines the second; here they alternate, and "
        "a clock's two numbers stand side by side": torch.cat((angles.sin(), angles.cos()), -1),
        "your frequencies fall too slowly: the exponent is 2i / d_model, and 2i is the number of "
        "the even column itself": _interleave(halved.sin(), halved.cos()),
        "your sine and its cosine run at different speeds: columns 2i and 2i + 1 share one "
        "frequency, or they are no clock": _interleave(own[:, 0::2].sin(), own[:, 1::2].cos()),
        "your positions are counted from 1; here the first token stands at 0": later,
        "your later clocks turn faster, not slower: divide the position by the power of 10000": (
            _interleave(
                _angles(LENGTH, WIDTH, share=-1.0).sin(), _angles(LENGTH, WIDTH, share=-1.0).cos()
            )
        ),
    }
    for message, table in wrong.items():
        if same(got, table):
            raise Mistake(message)
    if not same(got, right):
        row, column = (int(i) for i in ((got - right).abs() > 1e-5).nonzero()[0])
        raise Mistake(
            f"at d_model = {WIDTH}, PE({row}, {column}) should be {right[row, column]:.4f}, and "
            f"yours is {got[row, column]:.4f}"
        )
    require_tensor(sinusoids(3, 2), (3, 2), "your table")


@exercise(
    "positions",
    2,
    "return the matrix M with M @ PE(p) = PE(p + offset) at every position p.",
    "it moves every position by the same step, forwards and backwards, and keeps all lengths.",
)
def check_shift(shift: Callable[[int, int], Tensor]) -> None:
    """Check a matrix that moves every position by an offset."""
    far = sinusoidal(5003, WIDTH, dtype=torch.float64)
    for offset in (3, 0, -2, 101):
        got = require_tensor(shift(offset, WIDTH), (WIDTH, WIDTH), "your matrix").double()
        right = shift_matrix(offset, WIDTH)
        if torch.allclose(got, right, atol=1e-5):
            continue
        if torch.allclose(got, right.T, atol=1e-5):
            raise Mistake(
                f"your matrix moves by {-offset} in place of {offset}: the signs of the two "
                "sines are exchanged, or the matrix is transposed"
            )
        order = torch.cat((torch.arange(0, WIDTH, 2), torch.arange(1, WIDTH, 2)))
        if torch.allclose(got, right[order][:, order], atol=1e-5):
            raise Mistake(
                "your matrix turns column i together with column i + d_model / 2; here a clock's "
                "sine and cosine are neighbours, so its four numbers stand in a block on the "
                "diagonal"
            )
        angle = torch.tensor(float(offset), dtype=torch.float64)
        one = torch.stack((angle.cos(), angle.sin(), -angle.sin(), angle.cos())).view(2, 2)
        if torch.allclose(got, torch.block_diag(*[one] * (WIDTH // 2)), atol=1e-5):
            raise Mistake(
                "your matrix turns every clock by the same angle; each has its own speed, and "
                "turns by the offset times its frequency"
            )
        near = (far[2:32] @ got.T - far[2 + offset : 32 + offset]).abs().max()
        if offset == 3 and near < 1e-4:
            raise Mistake(
                "your matrix is right at the first positions and wrong far away: it was fitted "
                "to a few of them, and many matrices fit. Build it from the angle-sum formulas"
            )
        raise Mistake(
            f"M @ PE(2) should be PE({2 + offset}) for an offset of {offset}; the first numbers "
            f"of yours are {(got @ far[2])[:3].tolist()}"
        )


@exercise(
    "positions",
    3,
    "turn each pair of neighbouring columns by the position times the pair's frequency.",
    "lengths are kept, and a score knows the distance and nothing else of the places.",
)
def check_rotary(rotary: Callable[[Tensor], Tensor]) -> None:
    """Check rotary positions on queries or keys of shape (batch, heads, length, d_head)."""
    x = _draw(3, 5, LENGTH, WIDTH)
    got = require_tensor(rotary(x), tuple(x.shape), "your result").double()
    angles = _angles(LENGTH, WIDTH)
    cosine, sine = angles.cos(), angles.sin()
    even, odd = x[..., 0::2], x[..., 1::2]
    half = WIDTH // 2
    first, second = x[..., :half], x[..., half:]
    by_head = rotate(x.transpose(1, 2)).transpose(1, 2)
    wrong = {
        "you added the sinusoids; rotary positions add nothing, they turn": (
            x + sinusoidal(LENGTH, WIDTH, dtype=torch.float64)
        ),
        "your pairs are column i and column i + d_head / 2, as in some well-known models; here "
        "neighbours make a pair. Both work, but weights trained with one fail with the other": (
            torch.cat((first * cosine - second * sine, first * sine + second * cosine), -1)
        ),
        "your pairs are turned as they should be, but their first numbers stand together, and "
        "their second ones behind: put the two numbers of a pair side by side again": (
            torch.cat((even * cosine - odd * sine, even * sine + odd * cosine), -1)
        ),
        "you turned the other way. Scores come out the same if queries and keys both do, but "
        "beside a library that turns by plus the angle they would not": (
            _interleave(even * cosine + odd * sine, odd * cosine - even * sine)
        ),
        "your angle grows along the heads and not along the tokens: the length is the second "
        "axis from the right": by_head,
        "both of your results carry the same sign before the sine: that is no rotation, and "
        "lengths change": _interleave(even * cosine + odd * sine, even * sine + odd * cosine),
        "you only multiplied by the cosine: half of the rotation is missing": (
            _interleave(even * cosine, odd * cosine)
        ),
    }
    for message, answer in wrong.items():
        if same(got, answer):
            raise Mistake(message)
    if not same(got, rotate(x)):
        if not torch.allclose(got.norm(dim=-1), x.norm(dim=-1), atol=1e-5):
            raise Mistake("your result has other lengths than x: what turns keeps its length")
        raise Mistake(
            "your result keeps the lengths, but the angles are others: pair i at position p "
            "turns by p / 10000^(2i / d_head), the positions counted from 0"
        )


@exercise(
    "positions",
    4,
    "return True if the same vector is added at a place in every sentence, to every word, and "
    "another at every other place.",
    "it knows a table of places from everything that only has its shape.",
)
def check_tells_order(tells_order: Callable[[Callable[[Tensor], Tensor], Tensor], bool]) -> None:
    """Check a test of positions on right ones, and on several that go wrong silently."""
    batch, length = 5, 7
    x = _draw(batch, length, WIDTH)
    table = sinusoidal(64, WIDTH, dtype=torch.float64)

    def judge(add: Callable[[Tensor], Tensor]) -> bool:
        return bool(tells_order(add, x))

    if not judge(lambda x: x + table[: x.size(1)]):
        raise Mistake("you reject sinusoids that are added as they should be")
    small = 0.02 * _draw(64, WIDTH)
    if not judge(lambda x: x + small[: x.size(1)]):
        raise Mistake(
            "you reject a learned table at its start: its vectors are small, and they are "
            "different all the same. Compare with a tolerance near rounding"
        )
    if judge(lambda x: x):
        raise Mistake("you accept a function that adds nothing at all")
    if judge(lambda x: x + table[: x.size(0), None]):
        raise Mistake(
            "you accept a table added along the batch: every word of a sentence gets the same "
            "vector. Compare what is added at two places of one sentence"
        )
    if judge(lambda x: x + table[: x.size(0) * x.size(1)].view(x.size(0), x.size(1), -1)):
        raise Mistake(
            "you accept a table that runs on from one sentence to the next: place 1 gets "
            "another vector in each of them. Compare what is added in two sentences"
        )
    if judge(lambda x: x + table[:3].repeat(3, 1)[: x.size(1)]):
        raise Mistake(
            "you accept positions that repeat after 3 places. Compare every two places, not "
            "neighbours alone"
        )
    if judge(lambda x: x + x.cumsum(1)):
        raise Mistake(
            "you accept what depends on the words: two sentences with other words get other "
            "vectors at one place"
        )
