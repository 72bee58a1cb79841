"""Compares submissions part by part, less what their authors did not write and what all share.

The measure of two parts is the share of tokens that they have in common in the same order (the
normalised Indel similarity, by RapidFuzz). Parts that are alike make two submissions alike, in
whatever order they stand: of two submissions, the likeness is the share of the tokens of one that
lie in parts with a counterpart in the other, for the one of which more does. So it is no lower when
somebody adds to what was copied.

What many of a class wrote alike does not count between classmates. It does count in the comparison
with the course's own solution, or else a class that handed in the solution would look like one that
copied nothing.
"""

import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Indel

from softlookup_coursework.likeness.normal_form import Part

# Two parts of which less is common are not alike.
ALIKE = 0.8
# A part is everybody's if so large a share of a class, and so many, have one like it.
COMMON_SHARE, COMMON_STUDENTS = 0.25, 4
# What stands out: so many deviations above the median pair, and at least so much.
DEVIATIONS, LEAST = 3.0, 0.5
# Of so few pairs the median says nothing.
FEWEST_PAIRS = 10
# Where more of what a class wrote does not count, the rest does not tell who worked together.
MOSTLY = 0.5
SHARED = -1  # in place of the owner of a token that several people use
NORMAL = 1.4826  # the standard deviation of a normal distribution, in median absolute deviations


@dataclass(frozen=True)
class Submission:
    """Somebody's parts.

    Attributes:
        name: of the student, or what else it is.
        parts: those that are compared.
        graded: whether it is one of the class that is looked at, and no earlier one.
        published: whether it is the course's own solution, with which everything counts.
        cut: whether there was more of it than is compared.
    """

    name: str
    parts: tuple[Part, ...]
    graded: bool = True
    published: bool = False
    cut: bool = False


@dataclass(frozen=True)
class Passage:
    """Two parts that are alike, and how much they are: 1 is the same but for names and layout."""

    left: Part
    right: Part
    alike: float


@dataclass(frozen=True)
class Pair:
    """Two submissions.

    Attributes:
        left: a name of the class.
        right: another, or an earlier one, or the solution.
        likeness: from 0 to 1.
        passages: the parts that are alike, the longest first.
    """

    left: str
    right: str
    likeness: float
    passages: tuple[Passage, ...]


@dataclass(frozen=True)
class Compared:
    """What a comparison found.

    Attributes:
        pairs: those that stand out, the most alike first.
        baseline: the likeness of the median pair of the class; ``None`` of too few.
        bound: the likeness from which on a pair stands out.
        common: the share of the class's tokens that lie in everybody's parts, and do not count
            between classmates.
        cut: the names of those in the class of whom only a part was compared.
    """

    pairs: tuple[Pair, ...]
    baseline: float | None
    bound: float
    common: float
    cut: tuple[str, ...] = ()

    @property
    def tells_little(self) -> bool:
        """Whether most of what the class wrote does not count between classmates."""
        return self.common > MOSTLY


def without_frame(submission: Submission, frame: Sequence[Part]) -> Submission:
    """A submission less the parts that were handed out with the assignment."""
    given = {part.tokens for part in frame}
    kept = tuple(part for part in submission.parts if part.tokens not in given)
    return replace(submission, parts=kept)


def compare(submissions: Sequence[Submission]) -> Compared:
    """Compare each submission of the class with each other, and with the earlier ones.

    Args:
        submissions: less their frame.
    """
    listed = [one for one in submissions if one.parts]
    whose = np.array([n for n, one in enumerate(listed) for _ in one.parts], dtype=int)
    flat = [part for one in listed for part in one.parts]
    sizes = np.array([len(part.tokens) for part in flat])
    alike = _likenesses(flat, whose)
    graded = np.array([one.graded for one in listed], dtype=bool)
    common = _common(alike, whose, graded)
    pairs = [
        (pair, bool(graded[right]))
        for left in np.flatnonzero(graded)
        for right in range(len(listed))
        if right > left or not graded[right]
        if (
            pair := _pair(
                listed,
                flat,
                sizes,
                alike,
                whose,
                common & (not listed[right].published),
                int(left),
                right,
            )
        )
    ]
    # By whose it is: a student may bear the name of the solution.
    values = [pair.likeness for pair, in_class in pairs if in_class]
    baseline, bound = _bound(values)
    ours = graded[whose] if len(flat) else np.zeros(0, dtype=bool)
    share = float(sizes[ours & common].sum() / max(1, sizes[ours].sum())) if len(flat) else 0.0
    standing = sorted((pair for pair, _ in pairs if pair.likeness >= bound), key=_order)
    cut = tuple(sorted(one.name for one in submissions if one.graded and one.cut))
    return Compared(tuple(standing), baseline, bound, share, cut)


def _order(pair: Pair) -> tuple[float, str, str]:
    return -pair.likeness, pair.left, pair.right


def _likenesses(flat: Sequence[Part], whose: np.ndarray) -> np.ndarray:
    """The likeness of each part and each other, ``(parts, parts)``; 0 below ``ALIKE``."""
    texts = _as_texts(flat, whose.tolist())
    if not texts:
        return np.zeros((0, 0), dtype=np.float32)
    return process.cdist(
        texts, texts, scorer=Indel.normalized_similarity, score_cutoff=ALIKE, dtype=np.float32
    )


def _as_texts(flat: Sequence[Part], whose: Sequence[int]) -> list[str]:
    """Parts with a character for each token, since RapidFuzz compares texts fastest.

    No two tokens of different people share one, or else somebody could write so many that the
    others' begin to coincide. A token that only one person uses is like nobody's, so it becomes
    that person's own character; so do all others, should there be none left.
    """
    owners: dict[str, int] = {}
    for part, owner in zip(flat, whose, strict=True):
        for token in {*part.tokens}:
            if owners.setdefault(token, owner) != owner:
                owners[token] = SHARED
    letters = map(chr, range(max(whose, default=0) + 1, sys.maxunicode + 1))
    shared = (token for token, owner in owners.items() if owner == SHARED)
    letter = dict(zip(shared, letters, strict=False))
    return [
        "".join(letter.get(token, chr(owner)) for token in part.tokens)
        for part, owner in zip(flat, whose, strict=True)
    ]


def _common(alike: np.ndarray, whose: np.ndarray, graded: np.ndarray) -> np.ndarray:
    """Which parts are everybody's: so many of the class have one like it."""
    least = max(COMMON_STUDENTS, COMMON_SHARE * int(graded.sum()))
    having = [np.unique(whose[(row > 0) & graded[whose]]).size for row in alike]
    return np.array(having, dtype=int) > least


def _pair(
    listed: Sequence[Submission],
    flat: Sequence[Part],
    sizes: np.ndarray,
    alike: np.ndarray,
    whose: np.ndarray,
    common: np.ndarray,
    left: int,
    right: int,
) -> Pair | None:
    """Two submissions compared; ``None`` if one has nothing but what is everybody's."""
    ours, theirs = np.flatnonzero((whose == left) & ~common), np.flatnonzero(whose == right)
    theirs = theirs[~common[theirs]]
    if not len(ours) or not len(theirs):
        return None
    block = alike[np.ix_(ours, theirs)]
    shares = [
        float((block.max(1) * sizes[ours]).sum() / sizes[ours].sum()),
        float((block.max(0) * sizes[theirs]).sum() / sizes[theirs].sum()),
    ]
    found = [
        Passage(flat[ours[row]], flat[theirs[column]], float(block[row, column]))
        for row, column in enumerate(block.argmax(1))
        if block[row, column] > 0
    ]
    found.sort(key=lambda passage: (-len(passage.left.tokens), passage.left.source))
    return Pair(listed[left].name, listed[right].name, max(shares), tuple(found))


def _bound(values: Sequence[float]) -> tuple[float | None, float]:
    """The median likeness of the class, and the likeness from which on a pair stands out."""
    if len(values) < FEWEST_PAIRS:
        return None, LEAST
    median = statistics.median(values)
    deviation = NORMAL * statistics.median(abs(value - median) for value in values)
    return median, min(1.0, max(LEAST, median + DEVIATIONS * deviation))
