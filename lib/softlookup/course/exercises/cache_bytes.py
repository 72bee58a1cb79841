"""The bytes of caches of which most end at a window, with the parts that can each go wrong.

The chapter on today's model has the learner write the formula.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from softlookup.course.exercises.slips import Slips

# A text's length, layers, one in how many sees it all, the window, shared heads, and their width.
Sizes = tuple[int, int, int, int, int, int]


def bytes_of_caches(
    sizes: Sizes,
    factor: float = 4,  # keys and values, of two bytes a number
    heads: int = 1,
    widths: int = 1,
    far: Callable[[int, int], float] = lambda layers, every: layers // every,
    near: Callable[[int, float], float] = lambda layers, far: layers - far,
    seen: Callable[[int, int], int] = min,
    whole: Callable[[int, int], int] = lambda length, window: length,
) -> float:
    """The bytes of all caches; as the parts stand, the right number."""
    length, layers, every, window, shared, d_head = sizes
    layers_far = far(layers, every)
    tokens = layers_far * whole(length, window) + near(layers, layers_far) * seen(length, window)
    return factor * shared**heads * d_head**widths * tokens


def in_cases(cases: tuple[Sizes, ...], **parts: object) -> Tensor:
    """The bytes in several cases, with parts that may be wrong."""
    return torch.tensor(
        [bytes_of_caches(sizes, **parts) for sizes in cases],  # type: ignore[arg-type]
        dtype=torch.float64,
    )


SLIPS: Slips = {
    "factor": {
        "this is half of it: are there keys and values, of two bytes a number?": 2,
        "these are the keys alone, of one byte a number": 1,
        "this is twice as much: a number of 16 bits takes two bytes": 8,
        "these are bits, and eight of them are a byte": 32,
        "two bytes a number are no bits: there is nothing to divide by eight": 1 / 2,
    },
    "heads": {
        "each of the `shared` heads has keys and values of its own; you counted one": 0,
        "`shared` stands in your product twice": 2,
    },
    "widths": {
        "a key has `d_head` numbers; you counted one": 0,
        "`d_head` stands in your product twice: keys and values each have `d_head` numbers": 2,
    },
    "far": {
        "you exchanged the two kinds: one layer in `every` sees the whole text": (
            lambda layers, every: layers - layers // every
        ),
        "`every` is no number of layers: one layer in so many sees the whole text": (
            lambda layers, every: every
        ),
        "of `every` layers one sees the whole text, so there are `layers // every`; you have "
        "`layers - every`": lambda layers, every: layers - every,
        "the one layer in `every` that sees the whole text is itself one of the `every`": (
            lambda layers, every: layers // (every + 1)
        ),
        "you counted one layer that sees the whole text, and there is one in every `every`": (
            lambda layers, every: 1
        ),
        "`layers / every` layers see the whole text; you divide `every` by `layers`": (
            lambda layers, every: every / layers
        ),
    },
    "near": {
        "you count the layers that see the whole text a second time, with a window": (
            lambda layers, far: layers
        ),
        "the layers with windows have caches too, and you left them out": lambda layers, far: 0,
        "you counted one layer with a window": lambda layers, far: 1,
        "you counted the layers with windows of one group of `every` alone": (
            lambda layers, far: layers // max(far, 1) - 1
        ),
    },
    "seen": {
        "all your layers keep the whole text": lambda length, window: length,
        "your windows are full from the first token on; a text that is shorter fills them only "
        "so far": lambda length, window: window,
        "your windows take the larger of `length` and `window`; it is the smaller": max,
        "the last `window` tokens are kept, and yours keep one more": (
            lambda length, window: min(length, window + 1)
        ),
        "the last `window` tokens are kept, and yours keep one less": (
            lambda length, window: min(length, window - 1)
        ),
        "the windows keep the last `window` tokens, and yours what lies before them": (
            lambda length, window: max(length - window, 0)
        ),
    },
    "whole": {
        "all your layers look through the window": min,
        "the layers that see the whole text keep all of it, and you took the window off": (
            lambda length, window: length - window
        ),
        "in a text that is shorter than the window, the layers that see all of it keep `length` "
        "tokens, and yours less": lambda length, window: length - window + min(length, window),
        "the layers that see the whole text keep its end too, and yours only what lies before the "
        "window": lambda length, window: max(length - window, 0),
    },
}


def of_one_group(got: Tensor, cases: tuple[Sizes, ...]) -> bool:
    """Whether these are the bytes of one group of `every` layers, and not of all groups."""
    groups = torch.tensor([sizes[1] // sizes[2] for sizes in cases])
    return torch.equal(got * groups, in_cases(cases))
