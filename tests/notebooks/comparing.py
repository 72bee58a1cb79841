"""What may differ between what a cell prints and what it stores, and what its tags say of that.

A float may differ a little, since other processors add in another order; integers and words may
not. A cell's tags state another tolerance with a reason. Where a model's training drifts so far
from processor to processor that its numbers do not agree, the words must, and the claims hold.
"""

import math
import re

DEFAULTS = {"rtol": 1e-3, "atol": 1e-12}
WIDEST_RTOL = 0.1
WORDS_ONLY = "nbval-words-only"
LESS_THAN_NUMBERS = {WORDS_ONLY, "nbval-ignore-output"}
# A float has a point with digits after it, or an exponent; all else is a word or an integer.
FLOAT = re.compile(
    r"(?P<pad> *)(?P<number>(?<![\w.])[-+]?(?:\d+\.\d+|\d+(?=e[-+]?\d))(?:e[-+]?\d+)?)"
)
TOLERANCE = re.compile(r"nbval-(rtol|atol):(.+)")
WAYS_PAST_THE_CHECK = {"nbval-skip", "nbval-raises-exception", "raises-exception"}
NUMBER = r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
RANGE = re.compile(rf"(?<![\w.])(?P<low>{NUMBER})(?: to (?P<high>{NUMBER}))?(?![\w])")
SPACES = re.compile(" +")
CLAIM = re.compile(r"(?P<said>(?P<kind>law|finding) \S+ holds: .*) \[(?P<measured>measured .*)\]")
# A law that claims less than this is an equality up to rounding.
BOUND = re.compile(r", claimed <=? (?P<bound>[\d.e-]+)$")
LARGEST_ROUNDING = 1e-3


def tolerances(tags, reason):
    """The tolerances that a cell's tags state, or the defaults.

    Raises:
        ValueError: if a tag is malformed, gives no reason, or is as wide as a wrong answer.
    """
    stated = {}
    for tag in tags:
        match = TOLERANCE.fullmatch(tag)
        if match:
            stated[match[1]] = float(match[2])
            if not stated[match[1]] > 0:
                raise ValueError(f"{tag}: expected a positive number")
        elif tag.startswith("nbval-") and tag not in LESS_THAN_NUMBERS:
            expected = "nbval-rtol:…, nbval-atol:…, nbval-words-only or nbval-ignore-output"
            raise ValueError(f"{tag}: expected {expected}")
        elif tag in WAYS_PAST_THE_CHECK:
            raise ValueError(f"{tag}: a chapter stores no errors")
    if stated.get("rtol", 0.0) > WIDEST_RTOL:
        raise ValueError(
            f"nbval-rtol:{stated['rtol']:g}: expected at most {WIDEST_RTOL:g}; "
            "print fewer digits, or state a claim with its bound"
        )
    if (stated or LESS_THAN_NUMBERS & set(tags)) and len((reason or "").split()) < 3:
        raise ValueError(
            f"the tags {sorted(tags)} loosen the check; expected the reason, in words, "
            'in the cell\'s metadata: "softlookup": {"reason": "…"}'
        )
    return DEFAULTS | stated


def compared(new, stored, tags, rtol, atol):
    """The new text with all that agrees with the stored one set as it is there.

    What then still differs between the two texts differs in earnest.
    """
    if WORDS_ONLY in tags and words(new) == words(stored):
        return stored
    news, olds = new.split("\n"), stored.split("\n")
    if len(news) == len(olds):
        new = "\n".join(
            old if same_claim(line, old, rtol, atol) else line
            for line, old in zip(news, olds, strict=True)
        )
    return snap(new, stored, rtol, atol)


def words(text):
    """A text without its numbers: one, or one to another, is a sign, wherever it stands."""
    return SPACES.sub(" ", RANGE.sub("#", text))


def same_claim(new, stored, rtol, atol):
    """Whether two lines state one claim, with measured numbers that agree.

    There a whole number is a float that was rounded, and a single one is the least and the
    greatest of all runs. What a law leaves of an equality is rounding: all that keeps its bound
    agrees.
    """
    one, other = CLAIM.fullmatch(new), CLAIM.fullmatch(stored)
    if not (one and other) or one["said"] != other["said"]:
        return False
    if words(one["measured"]) != words(other["measured"]):
        return False
    bounds = [BOUND.search(each["measured"]) for each in (one, other)]
    if one["kind"] == "law" and all(bounds) and bounds[0][0] == bounds[1][0]:
        bound = float(bounds[0]["bound"])
        atol = bound if atol < bound <= LARGEST_ROUNDING else atol
    pairs = zip(*(RANGE.finditer(each["measured"]) for each in (one, other)), strict=True)
    return all(
        math.isclose(
            float(a[end] or a["low"]), float(b[end] or b["low"]), rel_tol=rtol, abs_tol=atol
        )
        for a, b in pairs
        for end in ("low", "high")
    )


def snap(new, stored, rtol, atol):
    """Write the stored float in place of each new one that agrees with it."""
    old = list(FLOAT.finditer(stored))
    if len(old) != len(FLOAT.findall(new)):
        return new
    remaining = iter(old)

    def replace(match):
        twin = next(remaining)
        # In a column, a shorter number has more spaces before it; those may differ with it.
        same_layout = match["pad"] == twin["pad"] or len(match[0]) == len(twin[0])
        close = math.isclose(
            float(match["number"]), float(twin["number"]), rel_tol=rtol, abs_tol=atol
        )
        return twin[0] if close and same_layout else match[0]

    return FLOAT.sub(replace, new)
