"""Makes untrusted text fit to display: shows invisible characters, and shortens what is too long.

This does not make text safe in HTML or in a spreadsheet; the code that writes those escapes it. It
removes only what would deceive a reader: escape codes that overwrite other words, characters that
reverse the direction of a line, lines that never end.
"""

import re

ESCAPES = re.compile(
    r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"  # OSC: titles and links
    r"|[\x1b\x9b]\[?[0-?]*[ -/]*[@-~]"  # CSI: colours and movements of the cursor
)
# Control characters, bidirectional overrides and tags; not the joiners of emoji or letters.
INVISIBLE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    r"\U000e0000-\U000e007f\ud800-\udfff]"
)
# Combining marks above and below a letter; more than four would cover the lines around it.
COMBINING = r"[\u0300-\u036f\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
STACKED = re.compile(rf"({COMBINING}{{4}}){COMBINING}+")


def readable(text: str, longest: int = 20_000) -> str:
    """A text of several lines, fit to display.

    Args:
        text: anything at all.
        longest: how many characters are kept; a note gives the number that are left out.

    Returns:
        The text without escape codes, and with invisible characters by name (``⟨U+202E⟩``).
    """
    left_out = len(text) - longest
    # Cutting may split an escape code: so cut first, and remove the escape codes afterwards.
    text = ESCAPES.sub("", text[:longest]).replace("\r\n", "\n")
    if "\r" in text:
        # A progress bar rewrites its line after "\r"; only the last version was visible.
        text = "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
    text = STACKED.sub(r"\1", INVISIBLE.sub(_name, text))
    return f"{text}\n… and {left_out:,} more characters" if left_out > 0 else text


def one_line(text: str, longest: int = 200) -> str:
    """A short text on one line, such as the name of a student, a file or a cell."""
    # Whitespace is collapsed, so more is read than is kept.
    beginning = text[: 2 * longest + 1]
    text = " ".join(readable(beginning, len(beginning)).split())
    return text if len(text) <= longest else f"{text[:longest]}…"


def number(value: float) -> str:
    """Points with at most two decimals: ``3``, ``2.5``, ``0.33``."""
    return f"{round(value, 2):g}" if abs(value) < 100_000 else f"{value:.2f}"


def _name(found: re.Match[str]) -> str:
    code = ord(found[0])
    return chr(0x2400 + code) if code < 0x20 else f"⟨U+{code:04X}⟩"
