"""The commands as a teacher runs them, from the release to the marks."""

import csv
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import course_bank
import pytest
from softlookup_coursework import command_line
from softlookup_coursework.assignments import student_version
from softlookup_coursework.assignments.course import Course
from softlookup_coursework.common.verdicts import Result, Verdict
from softlookup_coursework.grading import gradebook

COMMAND = Path(sys.executable).parent / "softlookup-coursework"
COMMANDS = (
    "release", "collect", "grade", "feedback", "export", "likeness", "one", "template", "check",
    "doctor",
)  # fmt: skip


def run(folder, *arguments, expected=0):
    """Run a command in a folder, and return what it prints."""
    ran = subprocess.run(
        [COMMAND, *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=600,
        check=False, env={**os.environ, "COLUMNS": "120", "NO_COLOR": "1"},
    )  # fmt: skip
    assert ran.returncode == expected, ran.stdout + ran.stderr
    return ran.stdout + ran.stderr


@pytest.fixture
def said(tmp_path, monkeypatch, capsys):
    """Ask the command line in this process, in an empty folder, for what it says and exits with.

    It imports nothing anew. What each command does, others here and in the transcript see of a
    process of its own.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("NO_COLOR", "1")

    def ask(*arguments, expected=0):
        monkeypatch.setattr(sys, "argv", [COMMAND.name, *arguments])
        with pytest.raises(SystemExit) as ended:
            command_line.main()
        printed = "".join(capsys.readouterr())
        assert (ended.value.code or 0) == expected, printed
        return printed

    return ask


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_each_command_has_an_example(command, said):
    assert f"Example: softlookup-coursework {command}" in said(command, "--help")


def test_the_help_imports_no_heavy_package():
    code = "import sys, softlookup_coursework.command_line as c; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"torch", "numpy", "nbgrader", "distributed", "IPython", "softlookup"}
    assert not heavy & set(ran.stdout.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["grade", "--course", "nowhere"], "nowhere is not a course folder"),
        (["collect", "scales"], "Missing argument"),
        (["release", "ladders"], "no such assignment"),
        (["release", "--private", "nowhere"], "nowhere: expected a folder, or the name of an"),
        (["release", "--seed", " "], "the term's seed is empty"),
        (["template", "a name"], "expected a name of letters, digits and _"),
        (["check", "nowhere"], "does not exist"),
        (["likeness", "scales", "--course", "nowhere"], "nowhere is not a course folder"),
        (["grade", "--workers", "0"], "Invalid value"),
        (["one", ".", ".", "marks.json"], "expected a path that ends in result.json"),
        (["anew"], "No such command"),
    ],
)
def test_a_usage_error_exits_with_2_and_says_what_to_do(tmp_path, arguments, message, said):
    output = said(*arguments, expected=2)
    assert message in " ".join(output.split())
    assert "Traceback" not in output
    assert not [*tmp_path.iterdir()], "a refused command has left something behind"


def test_a_course_from_the_release_to_the_marks(tmp_path):
    """Three right submissions, a wrong one, a broken file, and one that ends its kernel."""
    course_bank.write_source(tmp_path / "sources")
    output = run(tmp_path, "release", "sources/scales", "--course", "autumn", "--seed", "the word")
    assert "autumn/release/scales" in output
    assert "the word" not in output
    course = tmp_path / "autumn"
    assert {path.suffix for path in (course / "release/scales").iterdir()} == {".ipynb", ".whl"}
    assert "belongs to a term" in run(
        tmp_path, "release", "sources/scales", "--course", "autumn", "--seed", "other", expected=2
    )

    wrong = "def reduce(values):\n    return 2 * values.sum(-1)\n"
    ends = "import os\nos._exit(0)\n"
    notebooks = {
        "ada": course_bank.hand_in(course),
        "emmy": course_bank.hand_in(course),
        "grace": course_bank.hand_in(course),
        "max": course_bank.hand_in(course, reduce=wrong),
        "=cmd|' /C calc'": course_bank.hand_in(course),
        "bert": "{",
        "carl": course_bank.hand_in(course, reduce=ends),
    }
    with zipfile.ZipFile(tmp_path / "handed_in.zip", "w") as archive:
        for student, text in notebooks.items():
            archive.writestr(f"{student}.ipynb", text)
    output = run(tmp_path, "collect", "scales", "handed_in.zip", "--course", "autumn", expected=1)
    assert "bert" in output
    assert "not valid JSON" in output
    assert "characters that a folder's name may not have" in " ".join(output.split())

    output = run(tmp_path, "grade", "--course", "autumn", "--workers", "2", expected=1)
    assert "unreadable" in output
    marks = {mark.student: mark for mark in gradebook.marks(course, ["scales"])}
    assert {student: mark.earned for student, mark in marks.items()} == {
        "ada": 3.0, "emmy": 3.0, "grace": 3.0, "max": 1.0, "bert": 0.0, "carl": 0.0,
    }  # fmt: skip
    assert marks["bert"].verdict == Verdict.UNREADABLE
    assert marks["carl"].why
    assert not (course / ".grading").exists()
    assert "Because it cancels" in (course / "autograded/ada/scales/scales.ipynb").read_text()

    output = run(tmp_path, "feedback", "--course", "autumn", expected=1)
    assert "not final" in output
    assert output.count("a written answer, or a test in doubt, waits for a person") == 1
    assert "5 students" in output
    for student in marks:
        course_bank.by_hand(Course(course), student, 2.0)
    run(
        tmp_path, "grade", "--course", "autumn", "--workers", "1", expected=1
    )  # the broken file is still there
    run(tmp_path, "feedback", "--course", "autumn")
    page = (course / "feedback/max/scales/scales.html").read_text()
    assert "it reduces in another way or along another axis" in page
    assert "not valid JSON" in (course / "feedback/bert/scales/scales.html").read_text()

    # Whose name no folder can have is not in the marks, and named until somebody renames it.
    assert "=cmd|" in run(tmp_path, "export", "plain", "scales", "--course", "autumn", expected=1)
    with (course / "exports/scales_plain.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["student"]: float(row["earned"]) for row in csv.DictReader(file)}
    assert rows == {
        "ada": 5.0, "emmy": 5.0, "grace": 5.0, "max": 3.0, "bert": 2.0, "carl": 2.0,
    }  # fmt: skip
    run(tmp_path, "export", "canvas", "scales", "--course", "autumn", expected=1)
    assert "expected one of canvas" in run(
        tmp_path, "export", "papyrus", "scales", "--course", "autumn", expected=2
    )


def test_collect_names_the_student_what_was_left_and_what_is_untouched(tmp_path):
    course = course_bank.make_course(tmp_path).folder
    given = (course / "release/scales/scales.ipynb").read_text()
    kind = "assignsubmission_file_"
    with zipfile.ZipFile(tmp_path / "moodle.zip", "w") as archive:
        for name, day in (("scales.ipynb", 1), ("scales (1).ipynb", 2)):
            member = zipfile.ZipInfo(f"Ada Lovelace_101_{kind}/{name}", (2026, 3, day, 9, 0, 0))
            archive.writestr(member, course_bank.hand_in(course))
        archive.writestr(f"Ema Núñez_102_{kind}/scales.ipynb", given)
        archive.writestr(f"Max Born_103_{kind}/work.zip", b"PK")
    output = run(tmp_path, "collect", "scales", "moodle.zip", "--course", course, expected=1)
    assert "Ada Lovelace" in output
    assert "no answer differs" in output
    assert "work.zip was handed in" in output
    assert Course(course).names("scales") == {
        "101": "Ada Lovelace",
        "102": "Ema Núñez",
        "103": "Max Born",
    }


def test_a_second_release_keeps_a_corrected_test_unless_it_is_told_to_overwrite(
    tmp_path, monkeypatch, said
):
    def wheel(folder):
        (folder / "softlookup-0.0-py3-none-any.whl").touch()
        return folder / "softlookup-0.0-py3-none-any.whl"

    monkeypatch.setattr(student_version, "build_wheel", wheel)
    course_bank.write_source(tmp_path / "sources")
    release = ("release", "sources/scales", "--course", "autumn")
    said(*release)
    hidden = tmp_path / "autumn/assignments/scales/tests/hidden.py"
    written = hidden.read_text()
    hidden.write_text("# corrected")
    output = " ".join(said(*release, expected=1).split())
    assert "scales was not released: assignments/scales/tests/hidden.py in" in output
    assert "Released" not in output
    assert "term.json. Keep it" not in output
    assert "say --overwrite" in output
    assert hidden.read_text() == "# corrected"
    said(*release, "--overwrite")
    assert hidden.read_text() == written


def test_grade_keeps_a_result_that_one_has_written(tmp_path):
    course = course_bank.make_course(tmp_path, {"ada": {}}).folder
    result = "results/scales/ada/result.json"
    run(course, "one", "assignments/scales", "collected/scales/ada", result)
    assert Result.read(course / result).earned == 3.0
    written = (course / result).stat().st_mtime_ns
    output = run(course, "grade", "scales", "--workers", "1")
    assert "1 graded" in output
    assert (course / result).stat().st_mtime_ns == written  # it was not graded again
    assert [mark.earned for mark in gradebook.marks(course, ["scales"])] == [3.0]


def test_grading_without_a_sandbox_needs_its_option(tmp_path):
    course = course_bank.make_course(tmp_path, {"ada": {}}).folder
    places = ("assignments/scales", "collected/scales/ada", "results/scales/ada/result.json")
    environment = {**os.environ, "PATH": str(COMMAND.parent)}  # without bubblewrap
    one = [COMMAND, "one", *places]
    refused = subprocess.run(one, cwd=course, env=environment, capture_output=True, text=True)
    assert refused.returncode == 1
    assert "bubblewrap is not installed" in refused.stderr
    assert not (course / places[2]).exists()
    subprocess.run([*one, "--without-a-sandbox"], cwd=course, env=environment, check=True)
    result = Result.read(course / places[2])
    assert result.earned == 3.0
    assert any("without a sandbox" in note for note in result.notes)


def test_doctor_reports_what_this_machine_has(tmp_path):
    output = run(tmp_path, "doctor")
    assert "bubblewrap" in output
    assert "no shared disk" in " ".join(output.split())
