"""Tables of marks: read as others wrote them, and written so that no cell of them acts.

A spreadsheet takes a text that begins with ``=``, ``+``, ``-`` or ``@`` for a formula, also where
another country's separator makes a cell of its own begin inside a text. Such a text gets an
apostrophe before it. What is a number stays one.

Source: the Open Worldwide Application Security Project's page "CSV Injection".
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from softlookup_coursework.common.readable import number
from softlookup_coursework.common.written import write

NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?")
SIGN = r"[=+\-@\uff1d\uff0b\uff0d\uff20]"
FORMULA = re.compile(rf"^(?=[\t\r\n])|(?:^|[;\t\r\n])\s*(?={SIGN})|,(?={SIGN})")
LARGEST = 50 * 2**20


class Unfit(ValueError):  # noqa: N818 - said to the teacher, with what to do instead
    """Says why a table is none that can be filled, and what to bring instead."""


@dataclass(frozen=True)
class Table:
    """A table as it was read.

    Attributes:
        header: the names of its columns.
        rows: the others, each as long as the header.
        separator: what stood between its cells.
        mark: whether it began with a byte-order mark.
    """

    header: list[str]
    rows: list[list[str]]
    separator: str = ","
    mark: bool = False

    def column(self, *names: str) -> int | None:
        """The place of the first column that has one of the names; ``None`` if none has."""
        plain = [name.strip().casefold() for name in self.header]
        return next((plain.index(n.casefold()) for n in names if n.casefold() in plain), None)


def neutral(value: str | float | None) -> str:
    """What a cell says, as no formula.

    Args:
        value: points, which stay a number, or a text; ``None`` for an empty cell.
    """
    if value is None:
        return ""
    if not isinstance(value, str):
        return number(value)
    return value if NUMBER.fullmatch(value) else FORMULA.sub(r"\g<0>'", value)


def read(path: Path) -> Table:
    """Read a table that another program wrote, with commas, semicolons or tabulators.

    Raises:
        Unfit: if it is none, saying why and what to do.
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
    first = text.split("\n", 1)[0]
    separator = max(
        (",", ";", "\t"), key=lambda mark: len(next(csv.reader([first], delimiter=mark), []))
    )
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    except csv.Error as error:
        raise Unfit(f"{path.name} is no table: {error}") from error
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
    """Write a table, whole or not at all.

    Args:
        path: where to.
        rows: its rows, the header first.
        separator: between the cells.
        mark: whether to begin with a byte-order mark, by which Excel knows UTF-8.
        as_given: whether cells are written as they are, because whoever calls has looked at each.

    Returns:
        The path.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=separator, lineterminator="\r\n")
    for row in rows:
        writer.writerow([cell if as_given else neutral(cell) for cell in row])
    return write(path, ("\ufeff" if mark else "") + text.getvalue())
