"""Says so where a cell is no Python here and the notebook was written with a newer one.

Python 3.12 reads ``type Mask = Tensor`` and quotation marks of one kind within an f-string; 3.11
does not. The student could not see it, and the error alone does not tell it.
"""

import json
import re
import sys
from collections.abc import Iterable

UNREADABLE_CELL = re.compile(r"cell \d+: SyntaxError")
VERSION = re.compile(r"3\.(\d{1,2})(?!\d)")
NEWER = "was written with Python "


def newer_python(
    content: bytes, notes: Iterable[str], ours: tuple[int, int] = sys.version_info[:2]
) -> str:
    """A note for the teacher, where a newer Python may be why a cell could not be read.

    Args:
        content: the notebook's file, which has been parsed within limits.
        notes: of the run, with the error of each cell that failed.
        ours: the Python that grades.

    Returns:
        A sentence, or nothing.
    """
    if not any(map(UNREADABLE_CELL.match, notes)):
        return ""
    theirs: object = json.loads(content.decode(json.detect_encoding(content))).get("metadata")
    for key in ("language_info", "version"):
        theirs = theirs.get(key) if isinstance(theirs, dict) else None
    found = VERSION.match(theirs) if isinstance(theirs, str) else None
    if not found or (3, int(found[1])) <= ours:
        return ""
    return f"the notebook {NEWER}{found[0]}, and this is {'.'.join(map(str, ours))}"
