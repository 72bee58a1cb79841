"""Attacks by the archive of submissions.

Each is a function that writes an archive. Its first and last members are good submissions, which
must be taken unchanged. ``says`` is part of the report's row for the member between them.
"""

import io
import os
import stat
import struct
import warnings
import zipfile

import hostile_bank as bank

GOOD = bank.notebook(bank.cells()).encode()
NAME = "bad/attention.ipynb"
MADE: list[bank.Attack] = []
comes_to = bank.entering(MADE)


def member(name=NAME, content=GOOD, mode=stat.S_IFREG, packed=zipfile.ZIP_DEFLATED):
    """A member of an archive."""
    info = zipfile.ZipInfo(name)
    info.external_attr, info.compress_type = (mode | 0o644) << 16, packed
    return info, content


def between(path, *members):
    """Write an archive with these members between two good ones."""
    with zipfile.ZipFile(path, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        everything = [member("aaa/attention.ipynb"), *members, member("zzz/attention.ipynb")]
        for info, content in everything:
            archive.writestr(info, content)


def change(path, old, new):
    """Replace bytes everywhere in an archive by others of the same length."""
    content = path.read_bytes()
    assert old in content
    assert len(old) == len(new)
    path.write_bytes(content.replace(old, new))


def zipped(**members):
    """The bytes of an archive."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


@comes_to("refused", says="the notebook is not valid JSON")
def flat_bomb(path):
    """Packs 8 MB of zeros into 8 kB."""
    between(path, member(content=bytes(8_000_000)))


@comes_to("refused", says="it is larger than 52,428,800 bytes")
def large_bomb(path):
    """Packs 90 MB of zeros into 90 kB."""
    between(path, member(content=bytes(90_000_000)))


@comes_to("refused", says="a packed file is not opened; hand in the .ipynb itself")
def nested_bomb(path):
    """Packs an archive into an archive into an archive."""
    inner = zipped(a=zipped(b=zipped(c=bytes(4_000_000))))
    between(path, member("bad/attention.zip", inner))


@comes_to("refused", says="damaged in the archive")
def lying_size(path):
    """Says that 11 MB are 900 bytes."""
    size = 11_000_003
    between(path, member(content=os.urandom(1000) * 11_000 + bytes(3)))
    change(path, struct.pack("<I", size), struct.pack("<I", 900))


@comes_to("refused", says="damaged in the archive")
def members_that_overlap(path):
    """Unpacks a good submission's bytes under another name."""
    between(path, member())
    content = path.read_bytes()
    start = content.index(b"PK\x01\x02")
    directory = content[start:]
    entry = directory.index(b"bad/") - 46
    first = directory.index(b"aaa/") - 46
    offset = directory[first + 42 : first + 46]
    directory = directory[: entry + 42] + offset + directory[entry + 46 :]
    path.write_bytes(content[:start] + directory)


@comes_to("refused", says="leads out of the archive")
def traversal(path):
    """Leads upwards."""
    between(path, member("../../bad/attention.ipynb"))


@comes_to("refused", says="leads out of the archive")
def traversal_to_a_neighbour(path):
    """Leads upwards and into another student's folder."""
    between(path, member("bad/../aaa/attention.ipynb", b"{}"))


@comes_to("refused", says="leads out of the archive")
def absolute_path(path):
    """Leads to the root."""
    between(path, member("/etc/attention.ipynb"))


@comes_to("refused", says="leads out of the archive")
def backslashes(path):
    """Leads upwards as Windows writes it."""
    between(path, member("..\\..\\bad\\attention.ipynb"))


@comes_to("refused", says="leads out of the archive")
def drive(path):
    """Names a drive."""
    between(path, member("C:\\bad\\attention.ipynb"))


@comes_to("refused", says="leads out of the archive")
def empty_name(path):
    """Has a member without a name."""
    between(path, member("b"))
    content = path.read_bytes()
    central = content.rindex(b"PK\x01\x02", 0, content.rindex(b"zzz/"))
    entry = content.rindex(b"PK\x01\x02", 0, central)
    name = entry + 46
    shorter = content[: entry + 28] + b"\0\0" + content[entry + 30 : name] + content[name + 1 :]
    end = shorter.index(b"PK\x05\x06")
    size = struct.unpack_from("<I", shorter, end + 12)[0] - 1
    path.write_bytes(shorter[: end + 12] + struct.pack("<I", size) + shorter[end + 16 :])


@comes_to("refused", says="a link or a device")
def link(path):
    """Is a link to the teacher's solution."""
    between(path, member(content=b"../assignments/attention.ipynb", mode=stat.S_IFLNK))


@comes_to("refused", says="a link or a device")
def device(path):
    """Is a device."""
    between(path, member(content=b"", mode=stat.S_IFCHR))


@comes_to("refused", says="2 notebooks were handed in")
def member_twice(path):
    """Has two members of one name."""
    between(path, member(), member(content=b"{}"))


@comes_to("refused", says="it is encrypted")
def encrypted(path):
    """Is encrypted."""
    between(path, member())
    content = bytearray(path.read_bytes())
    content[content.rindex(NAME.encode()) - 46 + 8] |= 1
    path.write_bytes(content)


@comes_to("refused", says="damaged in the archive")
def wrong_checksum(path):
    """Has another checksum than its content."""
    between(path, member())
    content = bytearray(path.read_bytes())
    content[content.rindex(NAME.encode()) - 46 + 16] ^= 0xFF
    path.write_bytes(content)


@comes_to("refused", says="another method than deflate")
def unusual_packing(path):
    """Is packed by LZMA, with a dictionary of 4 GiB that is broken as well."""
    between(path, member(packed=zipfile.ZIP_LZMA))
    content = bytearray(path.read_bytes())
    at = content.index(NAME.encode()) + len(NAME) + 4
    content[at : at + 5] = b"\xff" * 5
    path.write_bytes(content)


@comes_to("refused", says="differ only in their spelling")
def names_of_one_spelling(path):
    """Names two students alike but for capital letters and accents."""
    between(path, member("jose\u0301/attention.ipynb"), member("JOS\u00c9/attention.ipynb", b"{}"))


@comes_to("refused", says="characters that a folder's name may not have")
def formula_as_a_name(path):
    """Calls its student ``=HYPERLINK("…")``."""
    between(path, member('=HYPERLINK("http:,,x","y")/attention.ipynb'))


@comes_to("refused", says="characters that a folder's name may not have")
def markup_as_a_name(path):
    """Calls its student ``<script>``."""
    between(path, member("<script>alert()/attention.ipynb"))


@comes_to("refused", says="characters that a folder's name may not have")
def option_as_a_name(path):
    """Calls its student ``-rf``."""
    between(path, member("-rf/attention.ipynb"))


@comes_to("refused", says="leads out of the archive")
def line_break_in_a_name(path):
    """Breaks the line in a student's name."""
    between(path, member("bad\n/attention.ipynb"))


@comes_to("refused", says="2 notebooks were handed in")
def two_notebooks(path):
    """Hands in two notebooks, neither of which has the assignment's name."""
    between(path, member("bad/a.ipynb"), member("bad/b.ipynb"))


@comes_to("taken", says="left out: its name cannot be kept")
def names_of_windows(path):
    """Brings files named ``NUL:``, ``con.`` and ``a|b`` beside its notebook."""
    between(
        path, member(), *(member(f"bad/{n}", b"x") for n in ("NUL:", "a|b", "con. ", "x" * 150))
    )
