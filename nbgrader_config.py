"""Opens nbgrader's formgrader on this course, for written answers."""

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
