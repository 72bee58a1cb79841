"""Reads the code in the files beside a notebook, which its cells may import or run."""

from contextlib import suppress
from pathlib import Path

from softlookup_coursework.common.limits import IntakeLimits
from softlookup_coursework.common.untrusted_files import (
    Refused,
    python_source,
    read_regular_file,
)
from softlookup_coursework.intake.notebook import parse


def code_beside(files: Path) -> dict[str, str]:
    """The sources of the modules and the notebooks beside a submission's notebook.

    Args:
        files: the folder; it need not exist.

    Returns:
        By its path within the folder, each source; of a notebook, its code cells. What cannot be
        read is left out.
    """
    limits, found = IntakeLimits(), dict[str, str]()
    for path in sorted(files.rglob("*")) if files.is_dir() else []:
        if path.suffix not in (".py", ".ipynb"):
            continue
        with suppress(Refused):
            content = read_regular_file(path, limits.notebook_bytes)
            if path.suffix == ".py":
                source = python_source(content)
            else:
                cells = [cell.source for cell in parse(content, limits) if cell.kind == "code"]
                source = "\n".join(cells)
            found[path.relative_to(files).as_posix()] = source
    return found
