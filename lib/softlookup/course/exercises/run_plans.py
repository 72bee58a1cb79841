"""A plan for a budget of operations, with the parts that can each go wrong.

The chapter on training past one machine has the learner write it. Every budget holds the
operations, the tokens for each parameter, a device's bytes and what it does in a second.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from softlookup.course.exercises.slips import Slips


def alike(got: Tensor, right: Tensor) -> bool:
    """Whether two results are the same but for rounding."""
    return torch.allclose(got, right, rtol=1e-6, atol=0.0)


def parameters(
    budgets: Tensor,
    operations: float = 6.0,
    size: Callable[[Tensor, Tensor], Tensor] = lambda work, each: (work / each).sqrt(),
) -> Tensor:
    """How many parameters a model should have; as the parts stand, the right number."""
    work, each, _, _ = budgets
    return size(work / operations, each)


SIZES: Slips = {
    "operations": {
        "2 N D is the forward pass alone; backwards it is twice as much": 2.0,
        "4 N D is the backward pass alone; the forward pass takes 2 N D more": 4.0,
        "each token takes six operations for each parameter; you count one": 1.0,
        "each token takes six operations for each parameter; you count three": 3.0,
        "each token takes six operations for each parameter; you count eight": 8.0,
        "each token takes six operations for each parameter; you count twelve": 12.0,
        "you multiply by six; divide the operations by it": 1 / 6,
    },
    "size": {
        "that is N², and not N: the tokens grow with the model": lambda work, each: work / each,
        "you gave each parameter one token": lambda work, each: work.sqrt(),
        "you gave each parameter 20 tokens, which are an example; how many is given": (
            lambda work, each: (work / 20).sqrt()
        ),
        "that is the number of tokens; the parameters come first": (
            lambda work, each: (work * each).sqrt()
        ),
        "the tokens for each parameter stand outside your root; N² is work / (6 tokens)": (
            lambda work, each: work.sqrt() / each
        ),
        "six and the tokens for each parameter stand outside your root; N² is work / (6 tokens)": (
            lambda work, each: (6 * work).sqrt() / (6 * each)
        ),
        "that is N² by the square of the tokens; N D is N² times the tokens for each": (
            lambda work, each: work / each**2
        ),
        "you took the cube root: N D grows with the square of N": (
            lambda work, each: (work / each) ** (1 / 3)
        ),
    },
}


def tokens(
    budgets: Tensor, many: Callable[[Tensor, Tensor], Tensor] = lambda size, each: size * each
) -> Tensor:
    """How many tokens it reads."""
    return many(parameters(budgets), budgets[1])


_READ = "your parameters are right, and your tokens are not"

TOKENS: Slips = {
    "many": {
        f"{_READ}: that is how many each reads; all of them together are asked for": (
            lambda size, each: each
        ),
        f"{_READ}: that is how many parameters there are": lambda size, each: size,
        f"{_READ}: you divide by the tokens for each parameter": lambda size, each: size / each,
        f"{_READ}: that is work / N, and each token takes six operations for each parameter": (
            lambda size, each: 6 * size * each
        ),
        f"{_READ}: that is work / (2 N), and each token takes six operations for each parameter": (
            lambda size, each: 3 * size * each
        ),
        f"{_READ}: 20 for each parameter are an example; the number is given": (
            lambda size, each: 20 * size
        ),
    }
}


def devices(
    budgets: Tensor,
    held: float = 16.0,
    rounded: Callable[[Tensor], Tensor] = torch.ceil,
    what: Callable[[Tensor, Tensor], Tensor] = lambda size, each: size,
) -> Tensor:
    """How many devices hold it in training."""
    _, each, memory, _ = budgets
    return rounded(held * what(parameters(budgets), each) / memory)


DEVICES: Slips = {
    "rounded": {
        "you rounded down, and the last bytes have no place": torch.floor,
        "you rounded to the nearest, and the last bytes have no place where that is below": (
            torch.round
        ),
        "you add one to what is rounded up": lambda number: number.ceil() + 1,
        "you round down and add one, which is one too many where a whole number just holds it": (
            lambda number: number.floor() + 1
        ),
        "you take at least two": lambda number: number.ceil().clamp(min=2),
        "you count one device; they share the model": torch.ones_like,
    },
    "held": {
        "four bytes hold the weight alone; a gradient and two averages are kept beside it": 4.0,
        "two bytes hold the weight alone; sixteen are kept for a parameter in training": 2.0,
        "eight bytes hold weight and gradient; Adam keeps two averages more": 8.0,
        "twelve bytes leave one of the four numbers out": 12.0,
        "one byte does not hold a parameter; sixteen are kept in training": 1.0,
        "you count bits, and a device's memory is given in bytes": 128.0,
        "sixteen bytes are all that is kept; you add four": 20.0,
        "sixteen bytes are all that is kept; you add two": 18.0,
    },
    "what": {
        "your devices hold the tokens; they hold the parameters": lambda size, each: size * each,
    },
}


def days(
    budgets: Tensor,
    by: Callable[[Tensor], Tensor] = lambda number: 1 / number,
    unit: float = 86_400,
    share: float = 1.0,
    number: Callable[[Tensor], Tensor] = devices,
) -> Tensor:
    """How many days they take."""
    work, _, _, speed = budgets
    return share * work * by(number(budgets)) / speed / unit


_SHARE = "all operations of the budget are to be done, 6 N D"

DAYS: Slips = {
    "by": {
        "these are the days of one device, and all of them work": torch.ones_like,
        "you multiply by the number of devices; they share the work": lambda number: number,
    },
    "unit": {
        "these are seconds; a day has 86,400 of them": 1,
        "these are minutes; a day has 1,440 of them": 60,
        "these are hours; a day has 24 of them": 3600,
        "these are years": 86_400 * 365,
    },
    "share": {
        f"{_SHARE}; 2 N D is the forward pass alone": 1 / 3,
        f"{_SHARE}; 4 N D is the backward pass alone": 2 / 3,
        f"{_SHARE}; you count N D": 1 / 6,
        f"{_SHARE}; six times the budget is too much": 6.0,
    },
    "number": {
        "the days are those of whole devices, and you divide by a part of one": (
            lambda budgets: devices(budgets, rounded=lambda number: number)
        ),
        "you divide by one device too few": lambda budgets: devices(budgets, rounded=torch.floor),
    },
}
