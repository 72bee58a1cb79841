"""Claims: sentences that could have been false, checked where they are made.

A chapter states a claim with the value it measured and the bound that the value must keep.
The line that it prints is stored with the chapter, and the page "Every claim, checked" is
made from those lines, so ``check`` writes and ``parse`` reads one and the same form.
"""

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import SupportsFloat

RELATIONS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
}

_ID = re.compile(r"\d+(-[a-z0-9]+)+")
_LINE = re.compile(
    r"claim (?P<id>\S+) holds: (?P<statement>.+)"
    r" \[measured (?P<measured>\S+), claimed (?P<relation>[<>]=?) (?P<bound>\S+)\]"
)


class ClaimError(AssertionError):
    """A claim is false: what was measured does not keep the bound."""


@dataclass(frozen=True)
class Claim:
    """A checked claim.

    Attributes:
        id: the chapter's number and a few words, as in ``5-causal-no-leak``; never reused.
        statement: the claim as a sentence, without its full stop.
        measured: the value that the chapter measured.
        relation: one of ``<=``, ``<``, ``>=``, ``>``.
        bound: what the measured value is held against.
    """

    id: str
    statement: str
    measured: float
    relation: str
    bound: float

    def __str__(self) -> str:
        """The line that a chapter stores."""
        # Three digits, unless rounding to three would seem to break the bound.
        shown = f"{self.measured:.3g}"
        if not RELATIONS[self.relation](float(shown), self.bound):
            shown = repr(self.measured)
        return (
            f"claim {self.id} holds: {self.statement}"
            f" [measured {shown}, claimed {self.relation} {self.bound:g}]"
        )


def check(
    id: str, statement: str, measured: SupportsFloat, relation: str, bound: SupportsFloat
) -> None:
    """Print the claim in one line, or fail loudly when it is false.

    Args:
        id: the chapter's number and a few words, as in ``5-causal-no-leak``.
        statement: the claim as a sentence in one line, without its full stop.
        measured: the value measured; a tensor of one number will do.
        relation: one of ``<=``, ``<``, ``>=``, ``>``.
        bound: the bound, with a margin that matters.

    Raises:
        ClaimError: if ``measured relation bound`` is false; not-a-number keeps no bound.
        ValueError: if the id, the statement or the relation is malformed.
    """
    if not _ID.fullmatch(id):
        raise ValueError(f"claim id is {id!r}; expected a form like '5-causal-no-leak'")
    if not statement or "\n" in statement or "[" in statement or statement.endswith("."):
        raise ValueError(
            f"claim {id}: the statement is {statement!r}; expected one line without brackets "
            "and without a full stop at its end"
        )
    if relation not in RELATIONS:
        raise ValueError(f"claim {id}: relation is {relation!r}; expected one of {[*RELATIONS]}")
    claim = Claim(id, statement, float(measured), relation, float(bound))
    if not RELATIONS[relation](claim.measured, claim.bound):
        raise ClaimError(
            f"claim {id} is FALSE: {statement}. "
            f"Measured {claim.measured!r}, claimed {relation} {claim.bound!r}."
        )
    print(claim)


def parse(line: str) -> Claim | None:
    """Read a claim from a line that ``check`` printed; None if the line is something else."""
    match = _LINE.fullmatch(line.strip())
    if match is None:
        return None
    return Claim(
        match["id"],
        match["statement"],
        float(match["measured"]),
        match["relation"],
        float(match["bound"]),
    )
