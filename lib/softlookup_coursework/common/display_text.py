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
# Control characters, soft hyphens, marks and overrides of direction, and tags; not the joiners of
# emoji or letters.
INVISIBLE = (
    (0x00, 0x08), (0x0B, 0x1F), (0x7F, 0x9F), (0xAD, 0xAD), (0x061C, 0x061C), (0x180E, 0x180E),
    (0x200B, 0x200B), (0x200E, 0x200F), (0x2028, 0x202E), (0x2060, 0x206F),
    (0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB), (0xE0000, 0xE007F), (0xD800, 0xDFFF),
)  # fmt: skip
# Their names, by code: a table, since a text may consist of nothing else.
NAMED = {
    code: chr(0x2400 + code) if code < 0x20 else f"⟨U+{code:04X}⟩"
    for first, last in INVISIBLE
    for code in range(first, last + 1)
}
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
    text = STACKED.sub(r"\1", text.translate(NAMED))
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
