"""Makes what strangers wrote fit to be read: what cannot be seen is shown, what is endless ends.

Nothing here makes text safe in HTML or in a spreadsheet; whoever writes those does that. It only
takes away what would deceive a reader: escape codes that paint over other words, characters that
turn the direction of a line around, lines that never end.
"""

import re

ESCAPES = re.compile(
    r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"  # titles and links of terminals
    r"|[\x1b\x9b]\[?[0-?]*[ -/]*[@-~]"  # colours and movements of the cursor
)
# Controls, the characters that reorder a line, the invisible tags; not what joins emoji or letters.
UNSEEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    r"\U000e0000-\U000e007f\ud800-\udfff]"
)
# Marks above and below a letter; a fifth one would paint over the lines around it.
MARK = r"[\u0300-\u036f\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
STACKED = re.compile(rf"({MARK}{{4}}){MARK}+")


def readable(text: str, longest: int = 20_000) -> str:
    """A text of several lines, as a person can read it.

    Args:
        text: anything at all.
        longest: how many characters are kept; how many are left out is said.

    Returns:
        The text without escape codes, with unseen characters named (``⟨U+202E⟩``).
    """
    left_out = len(text) - longest
    # What is cut could be cut in the middle of an escape code: cut first, then take them out.
    text = ESCAPES.sub("", text[:longest]).replace("\r\n", "\n")
    if "\r" in text:
        # A progress bar writes its line again and again; what stood last was seen.
        text = "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
    text = STACKED.sub(r"\1", UNSEEN.sub(_name, text))
    return f"{text}\n… and {left_out:,} more characters" if left_out > 0 else text


def one_line(text: str, longest: int = 200) -> str:
    """A text on one line: a name, a file's name, a cell's."""
    # Spaces are joined, so more is read than is kept.
    beginning = text[: 2 * longest + 1]
    text = " ".join(readable(beginning, len(beginning)).split())
    return text if len(text) <= longest else f"{text[:longest]}…"


def number(value: float) -> str:
    """Points as people write them: ``3``, ``2.5``, ``0.33``."""
    return f"{round(value, 2):g}" if abs(value) < 100_000 else f"{value:.2f}"


def _name(found: re.Match[str]) -> str:
    code = ord(found[0])
    return chr(0x2400 + code) if code < 0x20 else f"⟨U+{code:04X}⟩"
