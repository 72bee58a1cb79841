"""Reads from a student's notebook what grading needs: the cells' kinds, sources and names.

The file is parsed as plain JSON within limits. Outputs, metadata, attachments, kernel names and
everything else are dropped, so they cannot have an effect later. A cell without a source, or of a
kind that format 4 does not have, such as the headings of older formats, does not cost the others:
it becomes a raw cell, which is never run and answers nothing, and is pointed out.
"""

import json
from dataclasses import dataclass
from typing import Literal, cast

from softlookup_coursework.common.limits import IntakeLimits
from softlookup_coursework.common.untrusted_files import Refused

Kind = Literal["code", "markdown", "raw"]
MOST_ODDITIES = 5
# With these bytes a zip begins, and so do the files of office programs.
ZIP = b"PK\x03\x04"


@dataclass(frozen=True)
class StudentCell:
    """A cell as it was handed in: its kind, its source, and the ``grade_id`` that it claims.

    ``odd`` says why it was taken for a raw cell, if it is none.
    """

    kind: Kind
    source: str
    claims: str | None = None
    odd: str = ""


def parse(content: bytes, limits: IntakeLimits) -> list[StudentCell]:
    """Read an untrusted notebook.

    Args:
        content: the file's bytes, as UTF-8, UTF-16 or UTF-32, with or without a byte-order mark.
        limits: how large it may be.

    Returns:
        Its cells, in order.

    Raises:
        Refused: if it is not a notebook of format 4, or exceeds the limits.
    """
    if len(content) > limits.notebook_bytes:
        raise Refused(
            f"the notebook is larger than {limits.notebook_bytes:,} bytes; clear its outputs, "
            "save it, and hand it in again"
        )
    if not content.strip():
        raise Refused("the notebook's file is empty")
    if content.startswith(ZIP):
        raise Refused(
            "it is a zip, or a file of Word's, under a notebook's name; hand in the notebook itself"
        )
    try:
        stored = json.loads(content.decode(json.detect_encoding(content)))
    except UnicodeDecodeError as error:
        raise Refused("the notebook is not UTF-8 text") from error
    except (ValueError, RecursionError) as error:
        reason = (
            "is nested too deeply" if isinstance(error, RecursionError) else "is not valid JSON"
        )
        raise Refused(f"the notebook {reason}") from error
    if not isinstance(stored, dict) or not isinstance(stored.get("cells"), list):
        raise Refused("the file is not a notebook of format 4: it has no list of cells")
    if not stored["cells"]:
        raise Refused("the notebook has no cells; save the one that holds your answers")
    if len(stored["cells"]) > limits.cells:
        raise Refused(f"the notebook has {len(stored['cells'])} cells; at most {limits.cells}")
    return [_cell(number, cell, limits) for number, cell in enumerate(stored["cells"], start=1)]


def oddities(cells: list[StudentCell]) -> list[str]:
    """What is odd about cells, in sentences; of many alike, one names the first."""
    numbers: dict[str, list[int]] = {}
    for number, cell in enumerate(cells, start=1):
        if cell.odd:
            numbers.setdefault(cell.odd, []).append(number)
    sentences = []
    for odd, (first, *others) in [*numbers.items()][:MOST_ODDITIES]:
        more = f" and {len(others)} more" if others else ""
        sentences.append(f"cell {first}{more}: {odd}; it was not run")
    return sentences


def _cell(number: int, cell: object, limits: IntakeLimits) -> StudentCell:
    """Read one cell, or say which one is broken and how."""
    if not isinstance(cell, dict):
        raise Refused(f"cell {number} is broken: it is not a JSON object")
    kind, source, odd = cell.get("cell_type"), cell.get("source"), ""
    if kind is not None and not isinstance(kind, str):
        raise Refused(f"cell {number} is broken: its type is {str(kind)[:40]!r}")
    if source is None:
        source, odd = "", "it has no source"
    if kind not in ("code", "markdown", "raw"):
        odd = f"it is of no kind that notebooks have ({str(kind)[:40]!r})"
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if not isinstance(source, str):
        raise Refused(f"cell {number} is broken: its source is not text")
    if len(source) > limits.cell_characters:
        raise Refused(f"cell {number} is longer than {limits.cell_characters:,} characters")
    # As some systems end a line; what else is equal was not changed.
    source = source.replace("\r\n", "\n").replace("\r", "\n")
    # A lone surrogate cannot be encoded as UTF-8, in a message or in a file.
    source = source.encode("utf-8", "replace").decode("utf-8")
    metadata = cell.get("metadata")
    graded = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    name = graded.get("grade_id") if isinstance(graded, dict) else None
    kind = cast(Kind, "raw" if odd else kind)
    return StudentCell(kind, source, name if isinstance(name, str) else None, odd)
