"""Packs an assignment's feedback pages into a zip that Moodle distributes to the students.

Moodle's "Upload multiple feedback files in a zip" identifies a student by a folder's name, formed
as in its download of submissions: a name without underscores, the participant's number, the kind.

Canvas accepts only the files that were handed in, under their own names, so a page cannot be
returned that way.

Source: Moodle, ``mod/assign/feedback/file/importziplib.php``.
"""

import io
import zipfile
from pathlib import Path

from softlookup_coursework.common.atomic_files import write_atomically
from softlookup_coursework.exports.report import Left, Report

# The same time for all entries, so that the same pages make the same zip.
MOMENT = (2000, 1, 1, 0, 0, 0)


def pack(course: Path, name: str, destination: Path | None = None) -> Report:
    """Write ``exports/<name>_feedback.zip``.

    Args:
        course: the course's folder, with the pages that ``feedback.publish`` made.
        name: the assignment.
        destination: another file to write.

    Returns:
        How many pages were packed, and whose were left out: students without a Moodle number.
    """
    content, left, packed = io.BytesIO(), [], 0
    with zipfile.ZipFile(content, "w") as archive:
        for page in sorted(course.glob(f"feedback/*/{name}/{name}.html")):
            student = page.parents[1].name
            if not student.isdecimal():
                left.append(Left(student, "has no Moodle number; send them the page yourself"))
                continue
            inside = f"Participant_{student}_assignsubmission_file_/{name}.html"
            entry = zipfile.ZipInfo(inside, MOMENT)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, page.read_bytes(), zipfile.ZIP_DEFLATED)
            packed += 1
    path = destination or course / "exports" / f"{name}_feedback.zip"
    note = "in Moodle: Submissions, Actions, Upload multiple feedback files in a zip"
    return Report(write_atomically(path, content.getvalue()), packed, tuple(left), (note,))
