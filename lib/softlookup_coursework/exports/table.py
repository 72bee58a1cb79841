"""Reads other programs' tables of marks, and writes tables without formulas.

A spreadsheet treats a text that begins with ``=``, ``+``, ``-`` or ``@`` as a formula, also where
another locale's separator makes a new cell begin within a text. Such a text gets an apostrophe
before it. Numbers stay numbers.

Source: the Open Worldwide Application Security Project's page "CSV Injection".
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from softlookup_coursework.common.atomic_files import write_atomically
from softlookup_coursework.common.display_text import number

NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?")
SIGN = r"[=+\-@\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b]"
# Where a cell may begin for another program, and what is not seen before a sign and may be taken
# away. The second leaves out the first, or a text of line ends would take the square of its length.
BEGINS = r"[;\t\r\n\v\f\x85\u2028\u2029]"
UNSEEN = r"[\s\x00-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
FORMULA = re.compile(
    rf"^(?=[\t\r\n])|(?:^|{BEGINS})(?:(?!{BEGINS}){UNSEEN})*(?={SIGN})|,(?={SIGN})"
)
LARGEST = 50 * 2**20


class Unfit(ValueError):  # noqa: N818 - shown to the teacher, with what to do instead
    """Raised when a table cannot be read or filled; the text says why and what to give instead."""


@dataclass(frozen=True)
class Table:
    """A table that was read.

    Attributes:
        header: the names of its columns.
        rows: the other rows, each as long as the header.
        separator: the separator of its cells.
        mark: whether it began with a byte-order mark.
    """

    header: list[str]
    rows: list[list[str]]
    separator: str = ","
    mark: bool = False

    def column(self, *names: str) -> int | None:
        """The index of the first column with one of the names; ``None`` if there is none."""
        plain = [name.strip().casefold() for name in self.header]
        return next((plain.index(n.casefold()) for n in names if n.casefold() in plain), None)


def escape_formula(value: str | float | None) -> str:
    """The text of a cell, escaped so that it is not a formula.

    Args:
        value: points, which stay a number, or a text; ``None`` for an empty cell.
    """
    if value is None:
        return ""
    if not isinstance(value, str):
        return number(value)
    return value if NUMBER.fullmatch(value) else FORMULA.sub(r"\g<0>'", value)


def read(path: Path) -> Table:
    """Read a table that another program wrote, with commas, semicolons or tabs.

    Raises:
        Unfit: if it is not a table, saying why and what to do.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise Unfit(f"{path} cannot be read: {error.strerror}") from error
    if len(content) > LARGEST:
        raise Unfit(f"{path.name} is larger than {LARGEST:,} bytes; expected a table of marks")
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        raise Unfit(
            f"{path.name} is not UTF-8 text; take the file as it was downloaded, or save it in "
            "the spreadsheet as “CSV UTF-8”"
        ) from error
    # A student may have written a cell as long as the file: a name, or a text handed in online.
    csv.field_size_limit(LARGEST)
    try:
        first = next(iter(text.splitlines()), "")
        separator = max(
            (",", ";", "\t"), key=lambda mark: len(next(csv.reader([first], delimiter=mark), []))
        )
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    except csv.Error as error:
        raise Unfit(f"{path.name} is not a table: {error}") from error
    rows = [row for row in rows if row]
    if not rows:
        raise Unfit(f"{path.name} is empty")
    width = len(rows[0])
    if long := next((row for row in rows if len(row) > width), None):
        raise Unfit(f"{path.name}: a row has {len(long)} cells; the header has {width}")
    padded = [row + [""] * (width - len(row)) for row in rows]
    return Table(padded[0], padded[1:], separator, content.startswith(b"\xef\xbb\xbf"))


def save(
    path: Path,
    rows: Iterable[Sequence[str | float | None]],
    separator: str = ",",
    mark: bool = False,
    as_given: bool = False,
) -> Path:
    """Write a table atomically.

    Args:
        path: the file to write.
        rows: its rows, the header first.
        separator: of the cells.
        mark: whether to begin with a byte-order mark, from which Excel recognizes UTF-8.
        as_given: whether to write cells unescaped, because the caller has escaped them.

    Returns:
        The path.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=separator, lineterminator="\r\n")
    for row in rows:
        writer.writerow([cell if as_given else escape_formula(cell) for cell in row])
    return write_atomically(path, ("\ufeff" if mark else "") + text.getvalue())
