"""Packs an assignment's feedback pages into a zip that Moodle hands on to its students.

Moodle, "Upload multiple feedback files in a zip", knows a student by a folder's name, made as in
its own download of submissions: a name without underscores, the participant's number, the kind.

Canvas takes back no more than the files that were handed in, under their own names; a page cannot
be returned that way.

Source: Moodle, ``mod/assign/feedback/file/importziplib.php``.
"""

import io
import zipfile
from pathlib import Path

from softlookup_coursework.common.written import write
from softlookup_coursework.exports.report import Left, Report

# Of a zip's entries: a time that is always the same, so that the same pages make the same zip.
MOMENT = (2000, 1, 1, 0, 0, 0)


def pack(course: Path, name: str, destination: Path | None = None) -> Report:
    """Write ``exports/<name>_feedback.zip``.

    Args:
        course: the course's folder, with the pages that ``feedback.publish`` made.
        name: the assignment.
        destination: where to.

    Returns:
        How many pages were packed, and whose could not be: students whom Moodle did not name.
    """
    content, left, packed = io.BytesIO(), [], 0
    with zipfile.ZipFile(content, "w") as archive:
        for page in sorted(course.glob(f"feedback/*/{name}/{name}.html")):
            student = page.parents[1].name
            if not student.isdecimal():
                left.append(Left(student, "has no number of Moodle's; hand them the page yourself"))
                continue
            inside = f"Participant_{student}_assignsubmission_file_/{name}.html"
            entry = zipfile.ZipInfo(inside, MOMENT)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, page.read_bytes(), zipfile.ZIP_DEFLATED)
            packed += 1
    path = destination or course / "exports" / f"{name}_feedback.zip"
    note = "in Moodle: Submissions, Actions, Upload multiple feedback files in a zip"
    return Report(write(path, content.getvalue()), packed, tuple(left), (note,))
