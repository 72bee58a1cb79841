"""Claims: sentences that could have been false, checked where they are made.

There are two kinds. A *law* holds by construction: an identity, code against its definition, an
invariance. A *finding* could have come out otherwise, so it says over what it was measured, and
names rivals: other explanations, run beside it, which must not give what the finding gives.

Each prints a line that is stored with its chapter. The page "Every claim, checked" is made from
those lines, so what prints a claim here and what reads it (``parse``) share one form.
"""

import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import SupportsFloat

RELATIONS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
}

# One measurement, or one for each run.
Runs = SupportsFloat | Iterable[SupportsFloat]

_ID = re.compile(r"\d+(-[a-z0-9]+)+")
_SPREAD = r"[^\s;]+(?: to [^\s;]+)?"
_LINE = re.compile(
    r"(?P<kind>law|finding) (?P<id>\S+) holds: (?P<statement>[^\[\]]+)"
    rf" \[measured (?P<measured>{_SPREAD})(?: over (?P<over>[^\[\];,]+))?,"
    r" claimed (?P<relation>[<>]=?) (?P<bound>[^\s;]+)"
    rf"(?P<rivals>(?:; rival: [^\[\];]+, {_SPREAD})*)\]"
)
_RIVAL = re.compile(rf"; rival: (?P<name>[^;]+), (?P<measured>{_SPREAD})")


class ClaimError(AssertionError):
    """A claim is false: what was measured does not keep the bound, or a rival keeps it too."""


@dataclass(frozen=True)
class Spread:
    """The least and the greatest of what some runs measured; the same for a single one."""

    least: float
    greatest: float

    def text(self, seen: Callable[[float], bool] = lambda number: True) -> str:
        """Three digits, or all of them where rounding to three would tell otherwise of a bound.

        Args:
            seen: whether a rounded number still tells the truth.
        """
        ends = dict.fromkeys((self.least, self.greatest))
        shown = [text if seen(float(text := f"{end:.3g}")) else repr(end) for end in ends]
        return " to ".join(dict.fromkeys(shown))


@dataclass(frozen=True)
class Rival:
    """Another explanation of a finding, and what it gives when it is run.

    Attributes:
        name: what is run in the finding's place, in a few words.
        measured: what it gives; it does not keep the finding's bound.
    """

    name: str
    measured: Spread


@dataclass(frozen=True)
class Claim:
    """A checked claim.

    Attributes:
        kind: ``"law"`` or ``"finding"``.
        id: the chapter's number and a few words, as in ``5-causal-no-leak``; never reused.
        statement: the claim as a sentence, without its full stop.
        measured: the values that the chapter measured.
        relation: one of ``<=``, ``<``, ``>=``, ``>``.
        bound: what each measured value is held against.
        over: of a finding, what was varied and how often, as in "3 seeds".
        rivals: of a finding, the explanations that were run beside it.
    """

    kind: str
    id: str
    statement: str
    measured: Spread
    relation: str
    bound: float
    over: str = ""
    rivals: tuple[Rival, ...] = ()

    def keeps(self, number: float) -> bool:
        """Whether a number keeps the claim's bound."""
        return RELATIONS[self.relation](number, self.bound)

    def __str__(self) -> str:
        """The line that a chapter stores."""
        measured = self.measured.text(self.keeps)
        over = f" over {self.over}" if self.over else ""
        rivals = "".join(
            f"; rival: {rival.name}, {rival.measured.text(lambda number: not self.keeps(number))}"
            for rival in self.rivals
        )
        return (
            f"{self.kind} {self.id} holds: {self.statement}"
            f" [measured {measured}{over}, claimed {self.relation} {self.bound:g}{rivals}]"
        )


def law(
    id: str, statement: str, measured: SupportsFloat, relation: str, bound: SupportsFloat
) -> None:
    """State what holds by construction: print it in one line, or fail loudly when it is false.

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
    _state("law", id, statement, [float(measured)], relation, float(bound))


def finding(
    id: str,
    statement: str,
    measured: Runs,
    relation: str,
    bound: SupportsFloat,
    *,
    over: str,
    rivals: Mapping[str, Runs],
) -> None:
    """State what could have come out otherwise, beside the explanations that it survived.

    A rival is the strongest other explanation: the dumbest baseline, the control that could
    win, the confound taken away. It is measured as the finding is, and must break the bound
    that the finding keeps, in every run. If it keeps it, then *that* is what was found.

    Args:
        id: the chapter's number and a few words, as in ``7-skip-trains``.
        statement: the finding as a sentence in one line, without its full stop.
        measured: the values measured, one for each run, of which each must keep the bound.
        relation: one of ``<=``, ``<``, ``>=``, ``>``.
        bound: the bound, with a margin that matters.
        over: what was varied, and how often: "3 seeds", "5 learning rates of 3 seeds".
        rivals: from the name of a rival to what it gives, the strongest first.

    Raises:
        ClaimError: if a run does not keep the bound, or a rival does not break it; not-a-number
            does neither.
        ValueError: if the id, a text or the relation is malformed, or there is no run or rival.
    """
    if not over or re.search(r"[\[\];,\n]", over):
        raise ValueError(
            f"finding {id}: over is {over!r}; expected what was varied and how often, as in "
            "'3 seeds', without commas, semicolons and brackets"
        )
    if not rivals:
        raise ValueError(
            f"finding {id} names no rival; expected the strongest other explanation, run beside "
            "it. What nothing else could explain is a law"
        )
    for name in rivals:
        if not name or re.search(r"[\[\];\n]", name):
            raise ValueError(
                f"finding {id}: a rival is called {name!r}; expected a few words in one line, "
                "without semicolons and brackets"
            )
    measured_rivals = {name: _runs(id, gives) for name, gives in rivals.items()}
    _state(
        "finding", id, statement, _runs(id, measured), relation, float(bound), over, measured_rivals
    )


def parse(line: str) -> Claim | None:
    """Read a claim from a line that was printed here; None if the line is something else."""
    match = _LINE.fullmatch(line.strip())
    if match is None:
        return None
    return Claim(
        match["kind"],
        match["id"],
        match["statement"],
        _spread(match["measured"]),
        match["relation"],
        float(match["bound"]),
        match["over"] or "",
        tuple(
            Rival(rival["name"], _spread(rival["measured"]))
            for rival in _RIVAL.finditer(match["rivals"])
        ),
    )


def _state(
    kind: str,
    id: str,
    statement: str,
    measured: list[float],
    relation: str,
    bound: float,
    over: str = "",
    rivals: Mapping[str, list[float]] | None = None,
) -> None:
    """Refuse what is malformed or false, and print the rest."""
    if not _ID.fullmatch(id):
        raise ValueError(f"claim id is {id!r}; expected a form like '5-causal-no-leak'")
    if not statement or re.search(r"[\n\[\]]", statement) or statement.endswith("."):
        raise ValueError(
            f"claim {id}: the statement is {statement!r}; expected one line without brackets "
            "and without a full stop at its end"
        )
    if relation not in RELATIONS:
        raise ValueError(f"claim {id}: relation is {relation!r}; expected one of {[*RELATIONS]}")
    rivals = rivals or {}
    claim = Claim(
        kind,
        id,
        statement,
        Spread(min(measured), max(measured)),
        relation,
        bound,
        over,
        tuple(Rival(name, Spread(min(gives), max(gives))) for name, gives in rivals.items()),
    )
    for number in measured:
        if not claim.keeps(number):
            raise ClaimError(
                f"{kind} {id} is FALSE: {statement}. "
                f"Measured {number!r}, claimed {relation} {bound!r}."
            )
    for name, gives in rivals.items():
        for number in gives:
            if claim.keeps(number) or math.isnan(number):
                raise ClaimError(
                    f"finding {id} is FALSE: {statement}. Its rival, {name}, gives {number!r}, "
                    f"which should break {relation} {bound!r}."
                )
    print(claim)


def _runs(id: str, measured: Runs) -> list[float]:
    """What was measured, as a list, of one run or of many."""
    try:
        numbers = [float(number) for number in measured]  # type: ignore[union-attr]
    except TypeError:  # A number, or a tensor of one, cannot be gone through.
        numbers = [float(measured)]  # type: ignore[arg-type]
    if not numbers:
        raise ValueError(f"finding {id} has no measurement; expected one for each run")
    return numbers


def _spread(text: str) -> Spread:
    """Read what ``Spread.text`` wrote."""
    ends = [float(end) for end in text.split(" to ")]
    return Spread(ends[0], ends[-1])
