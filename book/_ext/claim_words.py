"""A claim's numbers as people write them, and the anchor that leads to the claim."""

from softlookup.course.claims import Spread

RELATION_SIGNS = {"<=": "≤", "<": "<", ">=": "≥", ">": ">"}
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def pretty(value: float) -> str:
    """A number as people write it: ``6.1e-05`` becomes ``6.1 × 10⁻⁵``."""
    text = f"{value:.3g}"
    if "e" not in text:
        return text.replace("-", "−")
    digits, exponent = text.split("e")
    power = f"10{str(int(exponent)).translate(SUPERSCRIPTS)}"
    return power if digits == "1" else f"{digits.replace('-', '−')} × {power}"


def spread(measured: Spread) -> str:
    """The least and the greatest of some runs, or the one number that they share."""
    ends = (pretty(measured.least), pretty(measured.greatest))
    return " to ".join(dict.fromkeys(ends))


def anchor(claim_id: str) -> str:
    """The anchor of a claim in its chapter."""
    return f"claim-{claim_id}"
