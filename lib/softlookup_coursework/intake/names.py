"""Which names of students and of files can be kept, as names of folders and of files.

People's names have marks above and below letters, apostrophes, joiners and brackets, in any
alphabet; none of these is a reason to lose somebody. Kept out is what leads elsewhere, what a
terminal or a spreadsheet would take for an order, and what not every file system holds. No name is
ever given to a shell, so what is special there is not kept out.
"""

import re
import unicodedata

# They stand inside words of Persian and of many Indian languages.
JOINERS = "\u200c\u200d"
AMONG_LETTERS = " .@+-_'’(),·&#;!" + JOINERS
AT_THE_START = "_&#"
# Pictures, and the colours of their skin; not the lines of boxes that a name read wrongly has.
EMOJI = ((0x2600, 0x27BF), (0x1F000, 0x1FAFF))
# What is not seen: joiners, selectors of a letter's form, and fillers.
UNSEEN = {
    *map(ord, JOINERS), 0x034F, 0x115F, 0x1160, 0x3164, 0xFFA0, *range(0x180B, 0x1810),
    *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0),
}  # fmt: skip
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
    seen = "".join(c for c in unicodedata.normalize("NFKC", name) if ord(c) not in UNSEEN)
    return canonical(seen).casefold()


def can_be_kept(name: str) -> bool:
    """Whether a name begins with a letter or a digit, and goes on with what names consist of."""
    return bool(name) and not unfit(name) and len(name.encode()) <= LONGEST_BYTES


def unfit(name: str) -> str:
    """The characters of a name that a folder's name may not have, or may not begin with."""
    found = [c for c in name if not _is_of_a_name(c) and c not in AMONG_LETTERS]
    if name and not found and not (_is_of_a_name(name[0]) or name[0] in AT_THE_START):
        found = [name[0]]
    if name and unicodedata.category(name[0])[0] == "M":
        found.insert(0, name[0])
    return "".join(dict.fromkeys(found))


def _is_of_a_name(character: str) -> bool:
    """Whether a character is a letter, a mark, a digit or a picture."""
    picture = any(first <= ord(character) <= last for first, last in EMOJI)
    kind = unicodedata.category(character)
    return kind[0] in "LMN" or (picture and kind in ("So", "Sk"))


def shown(name: str, longest: int = 200) -> str:
    """An untrusted name, fit for a table."""
    return "".join(c if c.isprintable() else "�" for c in name[:longest])


def leads_elsewhere(part: str) -> bool:
    """Whether a part of a path names the folder above, or holds what no name on a screen does."""
    return part == ".." or any(unicodedata.category(c) in ("Cc", "Cs") for c in part)
