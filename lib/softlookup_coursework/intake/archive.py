"""Reads a zip file that may be broken or hostile, member by member, within limits.

Nothing is unpacked to disk under a name from the archive. The size in a member's header is checked
but not trusted: reading stops at the limit.
"""

import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

from softlookup_coursework.common.limits import IntakeLimits
from softlookup_coursework.common.untrusted_files import Refused
from softlookup_coursework.intake.names import leads_elsewhere

CHUNK = 1 << 16
# In a member's flags: its name is UTF-8.
UTF_8 = 0x800
# The date of a member that has none.
NO_DATE = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class Member:
    """A file in an archive.

    Attributes:
        name: as in the archive, for the report.
        parts: of the path; empty if the path leads out of the archive.
        read: returns the content, up to a number of bytes, or raises ``Refused``.
        owner: whose file it is; empty in an archive, which does not say.
        changed: when it was last changed, as far as is known.
        guessed: whether the archive does not say how its name is written, so that it may be
            another.
    """

    name: str
    parts: tuple[str, ...]
    read: Callable[[int], bytes]
    owner: str = ""
    changed: datetime | None = None
    guessed: bool = False


@contextmanager
def members(path: Path, limits: IntakeLimits) -> Iterator[list[Member]]:
    """The files of an archive, in its order. They can be read within the context.

    Raises:
        Refused: if it is not an archive, or has too many members. A fault of one member is raised
            when that member is read.
    """
    try:
        archive = zipfile.ZipFile(path)
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError) as error:
        raise Refused(f"{path.name} is not a readable zip file") from error
    with archive:
        listed = archive.infolist()
        if len(listed) > limits.archive_members:
            raise Refused(
                f"{path.name} has {len(listed):,} members; at most {limits.archive_members:,}: "
                "unpack it, and collect the folder"
            )
        left = [limits.archive_bytes]
        seen: set[str] = set()
        found = []
        for member in listed:
            name, guessed = _name(member)
            if name.endswith("/"):
                continue
            duplicate = name in seen
            seen.add(name)

            def read(
                limit: int, member: zipfile.ZipInfo = member, duplicate: bool = duplicate
            ) -> bytes:
                if duplicate:
                    raise Refused("its name occurs twice in the archive")
                return _read(archive, member, limit, left, limits.archive_bytes)

            changed = _changed(member)
            found.append(Member(name, _parts(name), read, changed=changed, guessed=guessed))
        yield found


def folders(path: Path, depth: int) -> list[tuple[str, ...]]:
    """The folders so many levels below an archive's own, as parts of their paths.

    Some programs store a folder beside its files, so that it is there where no file is.
    """
    with zipfile.ZipFile(path) as archive:
        names = [_name(member)[0] for member in archive.infolist()]
    listed = [_parts(name) if name.endswith("/") else _parts(name)[:-1] for name in names]
    return list(dict.fromkeys(parts[:depth] for parts in listed if len(parts) >= depth))


def _name(member: zipfile.ZipInfo) -> tuple[str, bool]:
    """A member's name, and whether the archive does not say how it is written.

    A Mac's own program and others write UTF-8 without saying so, and Python then reads the alphabet
    of the first PCs. What is valid UTF-8 is hardly ever a name in that.
    """
    if member.filename.isascii() or member.flag_bits & UTF_8:
        return member.filename, False
    try:
        return member.filename.encode("cp437").decode("utf-8"), False
    except UnicodeError:
        return member.filename, True


def _parts(name: str) -> tuple[str, ...]:
    """The parts of a member's path; empty if it leads out of the archive."""
    path = PurePosixPath(name.replace("\\", "/"))
    drive = path.parts and path.parts[0].endswith(":")
    odd = any(leads_elsewhere(part) for part in path.parts)
    return () if path.is_absolute() or drive or odd else path.parts


def _changed(member: zipfile.ZipInfo) -> datetime | None:
    """The date in a member's header, which may be missing or no date at all."""
    try:
        return None if member.date_time == NO_DATE else datetime(*member.date_time)
    except ValueError:
        return None


def _read(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, limit: int, left: list[int], whole: int
) -> bytes:
    """Read one member; ``left`` is what the whole archive may still unpack to, of ``whole``."""
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        raise Refused("it is a link or a device, not a regular file")
    if not _parts(_name(member)[0]):
        raise Refused("its path leads out of the archive")
    if member.flag_bits & 1:
        raise Refused("it is encrypted")
    # Other methods may allocate gigabytes at once, and no learning platform uses them.
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise Refused("it is compressed by another method than deflate")
    too_large = f"it is larger than {limit:,} bytes"
    if left[0] < limit:
        limit = left[0]
        too_large = (
            f"the archive unpacks to more than {whole:,} bytes: unpack it, and collect the folder"
        )
    if member.file_size > limit:
        raise Refused(too_large)
    content = bytearray()
    try:
        with archive.open(member) as file:
            while chunk := file.read(min(CHUNK, limit + 1 - len(content))):
                content += chunk
                if len(content) > limit:
                    raise Refused(too_large)
    except (OSError, ValueError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        raise Refused("it is damaged in the archive") from error
    finally:
        left[0] -= len(content)
    return bytes(content)
