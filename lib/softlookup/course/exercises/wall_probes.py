"""What a wrong formula of the chapter on the quadratic wall does, where no known slip explains it.

It is asked at numbers that differ in one of them, and what comes back tells how that one enters.
"""

import math
from collections.abc import Callable, Collection, Sequence

import torch
from torch.utils._python_dispatch import TorchDispatchMode


class Transforms(TorchDispatchMode):
    """Notes in ``seen`` whether a Fourier transform was computed while it is active."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = False

    def __torch_dispatch__(
        self,
        func: Callable[..., object],
        types: Collection[type],
        args: tuple[object, ...] = (),
        kwargs: dict[str, object] | None = None,
    ) -> object:
        self.seen = self.seen or "fft" in str(func)
        return func(*args, **(kwargs or {}))


def how_it_grows(crosstalk: Callable[[int, int, int], float]) -> str:
    """With which power of each of its numbers a standard deviation grows, where it is a wrong one.

    Args:
        crosstalk: the learner's, of the numbers of keys, coordinates and labels.

    Returns:
        A sentence for each number that enters wrongly; nothing if none of them can be told.
    """
    told = []
    for name, few, many, right in (
        ("other keys", (65, 16, 4), (257, 16, 4), 0.5),
        ("coordinates", (65, 16, 4), (65, 64, 4), -0.5),
        ("labels", (65, 16, 4), (65, 16, 16), -0.5),
    ):
        try:
            power = math.log(float(crosstalk(*many)) / float(crosstalk(*few))) / math.log(4)
        except (ArithmeticError, ValueError):
            continue
        if not math.isclose(power, right, abs_tol=0.02):
            told.append(
                f" With four times as many {name} your number is {4**power:.3g} times as large; it "
                f"should be {'twice' if right > 0 else 'half'} as large."
            )
    yours = float(crosstalk(65, 16, 4))
    if not told and yours > 0 and abs(yours - 1) > 1e-2:
        return (
            f" Yours is {yours:.3g} times the right one for 65 keys of width 16 and 4 labels, and "
            "grows with each of the three numbers as it should"
        )
    return "".join(told).rstrip(".")


def what_is_kept(longest_text: Callable[[int, int], Sequence[int]]) -> tuple[str, str]:
    """How many numbers a learner's counts keep, by the definition and by blocks, as two clauses.

    Both are read off at large memories: of the definition by n² and nd, of the blocks by d and 1
    a token. A clause is empty where the counts follow no such sum.
    """
    width, wide = 1000, 3000

    def fits(floats: int, d: int, which: int) -> float:
        return float(longest_text(4 * floats, d)[which])

    try:
        small, large, between = (fits(10**power, width, 0) for power in (8, 12, 10))
        # 10**8 = s n² + l n at two sizes; a third one has to agree.
        system = torch.tensor([[small**2, small], [large**2, large]], dtype=torch.float64)
        sizes = torch.tensor([1e8, 1e12], dtype=torch.float64)
        squares, linear = torch.linalg.solve(system, sizes).tolist()
        agrees = math.isclose(squares * between**2 + linear * between, 1e10, rel_tol=1e-3)
        by_definition = (
            f". Yours keeps {squares:.3g} n² + {linear / width:.3g} nd of them" if agrees else ""
        )
        one, other = (10**15 / fits(10**15, d, 1) for d in (width, wide))
        third = 10**14 / fits(10**14, 2 * width, 1)
        each = (other - one) / (wide - width)
        beside = round(one - each * width, 2) + 0.0
        agrees = math.isclose(third, each * 2 * width + beside, rel_tol=1e-6)
        by_blocks = f". Yours divides by {each:.4g} d + {beside:.3g}" if agrees else ""
        if math.isclose(fits(10**15, width, 1), 10 * fits(10**13, width, 1), rel_tol=1e-2):
            by_blocks = (
                ". Yours grows with the root of the memory: by blocks nothing is kept that grows "
                "as n²"
            )
    except (ArithmeticError, ValueError, RuntimeError, TypeError, IndexError):
        return "", ""
    return by_definition, by_blocks
