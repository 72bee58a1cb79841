"""Which names of students and of files can be kept, as names of folders and of files.

People's names have marks above and below letters, apostrophes, joiners and brackets, in any
alphabet; none of these is a reason to lose somebody. Kept out is what leads elsewhere, what a
terminal or a spreadsheet would take for an order, and what no file system holds.
"""

import re
import unicodedata

# They stand inside words of Persian and of many Indian languages.
JOINERS = "\u200c\u200d"
AMONG_LETTERS = " .@+-_'’(),·" + JOINERS
# A folder's name has at most 255 bytes, and what is not yet complete has a longer one.
LONGEST_BYTES = 200

# What browsers and systems add to the name of a file that is downloaded or copied once more.
AGAIN = re.compile(
    r" ?\(\d{1,3}\)| ?\((?:another |\d+\w\w )?copy(?: \d+)?\)|[-_ ]\d{1,3}"
    r"|(?: - |[- ])copy ?(?:\d{1,3}|\(\d{1,3}\))?",
    re.IGNORECASE,
)
# What browsers and editors make of a notebook's ending when they save it.
NOTEBOOK = re.compile(r"\.ipynb(?:\.(?:txt|json))?", re.IGNORECASE)


def with_plain_ending(file: str) -> str:
    """A file's name; a notebook's ends with ``.ipynb``, however it was saved."""
    start = file.lower().rfind(".ipynb")
    return f"{file[:start]}.ipynb" if start >= 0 and NOTEBOOK.fullmatch(file[start:]) else file


def names_assignment(file: str, assignment: str) -> bool:
    """Whether a file is an assignment's notebook by its name, or a download or copy of it."""
    stem, dot, kind = file.rpartition(".")
    again = stem.removeprefix(assignment)
    own = stem.startswith(assignment) and (not again or AGAIN.fullmatch(again) is not None)
    return bool(dot) and kind.lower() == "ipynb" and own


def canonical(name: str) -> str:
    """A name as it is kept: composed letters, and every kind of space the plain one."""
    composed = unicodedata.normalize("NFC", name)
    spaced = "".join(" " if unicodedata.category(c) == "Zs" else c for c in composed)
    return " ".join(part for part in spaced.split(" ") if part)


def look(name: str) -> str:
    """What a name looks like: names that nobody can tell apart by eye have the same.

    Joiners are not seen, nor which of several ways of writing a letter was taken (NFKC).
    """
    seen = "".join(c for c in unicodedata.normalize("NFKC", name) if c not in JOINERS)
    return canonical(seen).casefold()


def can_be_kept(name: str) -> bool:
    """Whether a name begins with a letter or a digit, and goes on with what names consist of."""
    kinds = [unicodedata.category(c)[0] for c in name]
    return (
        bool(name)
        and (kinds[0] in "LN" or name[0] == "_")
        and all(kind in "LMN" or c in AMONG_LETTERS for kind, c in zip(kinds, name, strict=True))
        and len(name.encode()) <= LONGEST_BYTES
    )


def shown(name: str, longest: int = 200) -> str:
    """An untrusted name, fit for a table."""
    return "".join(c if c.isprintable() else "�" for c in name[:longest])


def leads_elsewhere(part: str) -> bool:
    """Whether a part of a path names the folder above, or holds what no name on a screen does."""
    return part == ".." or any(unicodedata.category(c) in ("Cc", "Cs") for c in part)
