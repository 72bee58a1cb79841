"""Reads a graded notebook for display: its cells, and their outputs of two kinds.

``graded.ipynb`` lies beside each ``result.json``. Only text and small pictures are read from it.
"""

import base64
import binascii
import json
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from softlookup_coursework.common.untrusted_files import Refused, read_regular_file

PICTURE = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
# A browser may need a hundred thousand times a picture's size to decode it.
WIDEST, MOST_PIXELS = 10_000, 25_000_000
LARGEST = 200 * 2**20


@dataclass(frozen=True)
class Output:
    """What a cell printed or drew: text, or a picture in base 64."""

    kind: Literal["text", "picture"]
    content: str


@dataclass(frozen=True)
class Shown:
    """A cell as it was graded.

    Attributes:
        kind: ``code``, ``markdown`` or ``raw``.
        source: its text.
        name: its ``grade_id``, if it is one of the assignment's.
        outputs: what it printed and drew.
        given: whether it is the assignment's own and not graded.
    """

    kind: str
    source: str
    name: str = ""
    outputs: tuple[Output, ...] = ()
    given: bool = False


def read(path: Path) -> tuple[Shown, ...]:
    """Read ``graded.ipynb``.

    Returns:
        Its cells; none if there is no such file, as for a submission that could not be read, or
        if it is not a notebook.
    """
    if not path.exists():
        return ()
    try:
        stored = json.loads(read_regular_file(path, LARGEST).decode("utf-8"))
        return tuple(_cell(cell) for cell in stored["cells"])
    except (Refused, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return ()


def picture(content: object) -> str:
    """A picture, encoded again in base 64; empty if it is not a PNG, or too large."""
    try:
        data = base64.b64decode(_text(content).replace("\n", ""), validate=True)
        width, height = struct.unpack(">II", data[16:24])
    except (binascii.Error, struct.error, ValueError):
        return ""
    small = 0 < width <= WIDEST and 0 < height <= WIDEST and width * height <= MOST_PIXELS
    return base64.b64encode(data).decode() if data.startswith(PICTURE) and small else ""


def _cell(cell: dict[str, Any]) -> Shown:
    metadata = cell.get("metadata", {}).get("nbgrader", {})
    outputs = [_output(output) for output in cell.get("outputs", [])]
    kept = tuple(output for output in outputs if output.content)
    # A student's Markdown is stored as raw text, so that no program renders it unasked.
    meant = cell.get("metadata", {}).get("softlookup", {}).get("kind", cell["cell_type"])
    kind = meant if meant in ("code", "markdown") else "raw"
    given = bool(metadata.get("locked")) and not metadata.get("grade")
    return Shown(kind, _text(cell["source"]), str(metadata.get("grade_id", "")), kept, given)


def _output(output: dict[str, Any]) -> Output:
    """The form of an output to show: its picture if it has one, or else its text."""
    if output.get("output_type") == "stream":
        return Output("text", _text(output.get("text")))
    if output.get("output_type") == "error":
        lines = output.get("traceback") or [f"{output.get('ename')}: {output.get('evalue')}"]
        return Output("text", "\n".join(str(line) for line in lines))
    data = output.get("data", {})
    if drawn := picture(data.get("image/png", "")):
        return Output("picture", drawn)
    return Output("text", _text(data.get("text/plain")))


def _text(value: object) -> str:
    """A notebook's text, which may be stored as a list of lines."""
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""
