"""``nbgrader export`` makes the same exports from nbgrader's gradebook."""

import subprocess
import sys

import pytest
from outgoing import a_result, cells, write_result
from softlookup_coursework.assignments.course import NBGRADER_CONFIG
from softlookup_coursework.grading.gradebook import opened

CANVAS = """\
Student,ID,SIS Login ID,Section,Positions (77)
    Points Possible,,,,18
"Lovelace, Ada",101,ada,A,
"Hopper, Grace",102,grace,A,
"""


@pytest.fixture
def gradebook(tmp_path):
    """A course whose gradebook has one final mark and one that is not final."""
    (tmp_path / "nbgrader_config.py").write_text(NBGRADER_CONFIG)
    (tmp_path / "canvas.csv").write_text(CANVAS)
    with opened(tmp_path) as book:
        for name in ("positions", "other"):
            book.update_or_create_assignment(name)
            book.update_or_create_notebook(name, name)
            for cell, points in (("rows", 13), ("essay", 5)):
                book.update_or_create_grade_cell(
                    cell, name, name, max_score=points, cell_type="code"
                )
            book.update_or_create_solution_cell("essay", name, name)
            for student in ("101", "102"):
                book.update_or_create_student(student)
                book.add_submission(name, student)
                rows = book.find_grade("rows", name, name, student)
                rows.auto_score, rows.needs_manual_grade = 7, False
                essay = book.find_grade("essay", name, name, student)
                essay.needs_manual_grade = student == "102"
                essay.manual_score = None if student == "102" else 4.5
                write_result(tmp_path, name, student, a_result())
        book.db.commit()
    return tmp_path


def export(course, exporter, *arguments):
    """Run ``nbgrader export``."""
    plugin = f"--exporter=softlookup_coursework.exports.plugins.{exporter}"
    command = [sys.executable, "-m", "nbgrader", "export", plugin, *arguments]
    return subprocess.run(command, cwd=course, capture_output=True, text=True)


def test_nbgrader_exports_with_the_plugins(gradebook):
    ran = export(
        gradebook, "CanvasExport", '--assignment=["positions"]', "--to=filled.csv",
        "--CanvasExport.roster=canvas.csv",
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert [row[4] for row in cells(gradebook / "filled.csv")[1:]] == ["18", "11.5", ""]
    assert "102: the written answer waits" in ran.stderr


def test_without_a_name_every_assignment_is_exported_to_its_own_file(gradebook):
    ran = export(gradebook, "PlainExport", "--to=out")
    assert ran.returncode == 0, ran.stderr
    files = sorted(path.name for path in (gradebook / "out").iterdir())
    assert files == ["other_plain.csv", "positions_plain.csv"]
    ran = export(gradebook, "GradescopeExport", '--assignment=["other"]', '--student=["101"]')
    assert ran.returncode == 0, ran.stderr
    results = [str(p.relative_to(gradebook)) for p in gradebook.rglob("results.json")]
    assert results == ["exports/other_gradescope/101/results.json"]


def test_an_unknown_assignment_is_an_error(gradebook):
    ran = export(gradebook, "MoodleExport", '--assignment=["none"]')
    assert ran.returncode != 0
    assert "the gradebook has no assignment none" in ran.stderr
