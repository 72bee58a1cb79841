"""The same exports as plugins for nbgrader.

::

    nbgrader export --exporter=softlookup_coursework.exports.plugins.PlainExport
    nbgrader export --exporter=softlookup_coursework.exports.plugins.CanvasExport
        --assignment='["positions"]' --CanvasExport.roster=canvas.csv --to=filled.csv

Without ``--assignment`` every assignment of the gradebook is exported, each into a file of its
own; ``--to`` then names their folder.
"""

from pathlib import Path
from typing import Any

from nbgrader.plugins import ExportPlugin
from traitlets import Bool, Unicode

from softlookup_coursework.exports import write
from softlookup_coursework.grading.gradebook import marks


class _Export(ExportPlugin):  # type: ignore[misc]
    """The base class of the plugins."""

    form = ""
    roster = Unicode("", help="the file of Canvas or Moodle, to be filled").tag(config=True)
    column = Unicode("", help="the assignment's name in Canvas").tag(config=True)
    provisional = Bool(False, help="whether to export marks with unread answers").tag(config=True)

    def export(self, gradebook: Any) -> None:  # noqa: ANN401
        """Export the marks.

        Args:
            gradebook: nbgrader's, open. The course folder is taken from nbgrader's configuration.

        Raises:
            ValueError: if the roster cannot be filled, or an assignment is unknown.
        """
        course = Path(self.parent.coursedir.root)
        there = [assignment.name for assignment in gradebook.assignments]
        names = [str(name) for name in self.assignment] or there
        for unknown in sorted({*names} - {*there}):
            raise ValueError(f"the gradebook has no assignment {unknown}; it has {there}")
        students = {str(student) for student in self.student}
        for name in names:
            ours = [m for m in marks(course, [name]) if not students or m.student in students]
            report = write(
                self.form,
                course,
                name,
                ours,
                roster=Path(self.roster) if self.roster else None,
                destination=self._destination(name, alone=bool(self.assignment)),
                column=self.column or None,
                provisional=self.provisional,
            )
            self.log.info("%d marks in %s", report.written, report.path)
            for note in report.notes:
                self.log.info("%s", note)
            for one in report.left:
                if not students or one.student in students:
                    self.log.warning("%s: %s", one.student, one.why)

    def _destination(self, name: str, alone: bool) -> Path | None:
        if not self.to:
            return None
        if alone and len(self.assignment) == 1:
            return Path(self.to)
        ending = "" if self.form == "gradescope" else ".csv"
        return Path(self.to) / f"{name}_{self.form}{ending}"


class CanvasExport(_Export):
    """For Canvas: the gradebook's CSV."""

    form = "canvas"


class MoodleExport(_Export):
    """For Moodle: the grading worksheet."""

    form = "moodle"


class GradescopeExport(_Export):
    """For Gradescope: a ``results.json`` for each submission."""

    form = "gradescope"


class PlainExport(_Export):
    """A plain table, with a column for each cell and test."""

    form = "plain"
