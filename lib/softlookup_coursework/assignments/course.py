"""A teacher's course folder: its layout, and the term whose assignments it holds.

::

    term.json                               the term's secret
    nbgrader_config.py, gradebook.db        nbgrader's, for the marks and the grading by hand
    assignments/<name>/                     the term's assignment, with solutions and hidden tests
    release/<name>/                         what students receive
    collected/<name>/<student>/             what they handed in
    results/<name>/<student>/               result.json and graded.ipynb
    autograded/, feedback/, exports/        what is made of the results
    likeness/                               which submissions are alike
"""

import json
import shutil
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from softlookup_coursework.assignments import private, released, source, student_version
from softlookup_coursework.assignments.term import Term, drawn_secret, secret_of
from softlookup_coursework.common.atomic_files import write_atomically
from softlookup_coursework.common.usage_error import UsageError

# Folders that only teachers may read.
PRIVATE = (
    "assignments", "collected", "results", "autograded", "feedback", "exports", "likeness",
)  # fmt: skip
NBGRADER_CONFIG = '''"""Opens nbgrader's formgrader on this course, for written answers."""

from pathlib import Path

c = get_config()  # noqa: F821 - defined by nbgrader
c.CourseDirectory.root = str(Path(__file__).parent)
# Formgrader lists the assignments that have a source. Its button "generate" copies the source, so
# that is what students were given anyway, and the copy goes to a folder that nobody hands out.
c.CourseDirectory.source_directory = "release"
c.CourseDirectory.release_directory = "generated"
c.CourseDirectory.db_url = f"sqlite:///{Path(__file__).parent / 'gradebook.db'}"
# Students' notebooks are run by `softlookup-coursework grade`, in a sandbox, and nowhere else:
# formgrader's own button for it runs nothing.
c.Execute.enabled = False
'''


@dataclass(frozen=True)
class Course:
    """A course folder.

    Args:
        folder: its path.
    """

    folder: Path

    @classmethod
    def open(cls, folder: Path) -> "Course":
        """Open an existing course.

        Raises:
            UsageError: if there is none.
        """
        if not (folder / "term.json").is_file():
            raise UsageError(
                f"{folder} is not a course folder: it has no term.json; `release` makes one, "
                "or name yours with --course"
            )
        return cls(folder.resolve())

    @classmethod
    def make(cls, folder: Path, seed: str | None = None, another_term: bool = False) -> "Course":
        """Open a course, or create it if there is none.

        Args:
            folder: its path.
            seed: words from which the term's secret follows; without any, a new course draws one.
            another_term: whether this seed may replace another one of the course.

        Raises:
            UsageError: if the seed is empty, or the course belongs to another term.
        """
        try:
            secret = None if seed is None else secret_of(seed)
        except ValueError as error:
            raise UsageError(str(error)) from error
        course = cls(folder.resolve())
        path = course.folder / "term.json"
        stored = json.loads(path.read_text(encoding="utf-8"))["seed"] if path.is_file() else None
        if secret and stored and secret != stored and not another_term:
            raise UsageError(
                f"{folder} belongs to a term with another seed; take another folder for a new "
                "term, or say --another-term to draw its assignments again"
            )
        course.folder.mkdir(parents=True, exist_ok=True)
        for name in PRIVATE:
            (course.folder / name).mkdir(mode=0o700, exist_ok=True)
        config = course.folder / "nbgrader_config.py"
        if not config.exists():
            config.write_text(NBGRADER_CONFIG, encoding="utf-8")
        if stored is None or (secret and secret != stored):
            write_atomically(path, json.dumps({"seed": secret or drawn_secret()}) + "\n")
        return course

    @property
    def term(self) -> Term:
        """The term."""
        stored = json.loads((self.folder / "term.json").read_text(encoding="utf-8"))
        return Term(stored["seed"])

    @property
    def released(self) -> list[str]:
        """The names of the assignments that were released."""
        return sorted(path.parent.name for path in self.folder.glob("assignments/[!.]*/term.json"))

    def assignment(self, name: str) -> Path:
        """The folder of a released assignment.

        Raises:
            UsageError: if it was not released.
        """
        if name not in self.released:
            known = ", ".join(self.released) or "none so far"
            raise UsageError(f"{name} was not released in {self.folder}; released: {known}")
        return self.folder / "assignments" / name

    def release(
        self,
        name: str,
        wheel: Path,
        another_term: bool = False,
        part: Path | None = None,
        overwrite: bool = False,
    ) -> Path:
        """Draw an assignment and write what students receive.

        Args:
            name: one of ``source.names()`` or of the private part's, or the path of a source.
            wheel: the library's wheel.
            another_term: whether a release of another term may be replaced.
            part: a private part, which lies over the public sources.
            overwrite: whether files may be replaced that were changed since they were released.

        Returns:
            The students' notebook.

        Raises:
            UsageError: if there is no such assignment, or it was released for another term.
            ValueError: if the source is malformed, a solution would remain visible, or a file was
                changed since it was released.
        """
        with ExitStack() as stack:
            try:
                found = stack.enter_context(private.whole(name, part))
            except ValueError as error:
                raise UsageError(str(error)) from error
            if not found.name.isidentifier():
                raise UsageError(
                    f"{found.name}: expected a name of letters, digits and _, such as soft_choice"
                )
            replaced = self._of_another_term(found.name, another_term)
            return self._release(found, wheel, overwrite or replaced)

    def _of_another_term(self, name: str, allowed: bool) -> bool:
        """Whether an assignment was released for another term, and may be replaced."""
        drawn = self.folder / "assignments" / name / "term.json"
        if not drawn.is_file():
            return False
        seed = json.loads(drawn.read_text(encoding="utf-8"))["seed"]
        other = bool(seed != self.term.seed(name, "tests"))
        if other and not allowed:
            raise UsageError(
                f"{name} was released for another term; say --another-term to replace it"
            )
        return other

    def _release(self, found: Path, wheel: Path, overwrite: bool) -> Path:
        whole = self.folder / "assignments" / found.name
        partial = whole.with_name(f".{found.name}.partial")
        shutil.rmtree(partial, ignore_errors=True)
        try:
            source.render(found, partial, self.term)
            if not overwrite:
                released.refuse_if_changed(self.folder, found.name, partial)
            # The old release is kept until the new one is known to show no solution.
            notebook = student_version.make(partial, self.folder / "release" / found.name, wheel)
            shutil.rmtree(whole, ignore_errors=True)
            partial.replace(whole)
            released.remember(self.folder, found.name)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
        return notebook

    def collected(self, name: str) -> list[Path]:
        """The folders of an assignment's submissions, sorted by student."""
        folders = (self.folder / "collected" / name).glob("[!.]*/")
        return sorted(folder for folder in folders if folder.is_dir())

    def names_file(self, name: str) -> Path:
        """The file with the names that intake knows of an assignment's students."""
        return self.folder / "collected" / name / ".names.json"

    def names(self, name: str) -> dict[str, str]:
        """The names that intake knows of an assignment's students, by their identifiers."""
        try:
            stored = json.loads(self.names_file(name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return {str(student): str(known) for student, known in stored.items()}

    def refused_file(self, name: str) -> Path:
        """The file with the students who were refused and whose names can be kept nowhere."""
        return self.folder / "collected" / name / ".refused.json"

    def refused(self, name: str) -> list[tuple[str, str, str]]:
        """The students who were refused and whose names no folder can have: who, why, and where."""
        try:
            stored = json.loads(self.refused_file(name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return []
        return [
            (str(who), str(why), str(lay)) for rows in stored.values() for who, why, lay in rows
        ]

    def results(self, name: str, student: str) -> Path:
        """The folder of a submission's results."""
        return self.folder / "results" / name / student
