"""The commands on a full disk, ended half-way, and over a broken file: nothing is lost by it."""

import errno
import os
import sqlite3
from pathlib import Path

import course_bank
import pytest
from softlookup_coursework import command_line
from softlookup_coursework.assignments import released
from softlookup_coursework.commands import batches
from softlookup_coursework.common.limits import RunLimits
from softlookup_coursework.common.usage_error import UsageError, disk_fault
from softlookup_coursework.common.verdicts import Verdict
from softlookup_coursework.exports import write
from softlookup_coursework.feedback.feedback import publish
from softlookup_coursework.grading import gradebook
from softlookup_coursework.grading.receive import receive


@pytest.fixture
def course(tmp_path):
    """A course with what Ada handed in, and a newer one of hers to be collected."""
    made = course_bank.make_course(tmp_path, {"ada": {}})
    (tmp_path / "new").mkdir()
    (tmp_path / "new/ada.ipynb").write_text(course_bank.hand_in(made.folder, essay="newer"))
    return made


def held(course):
    """What is collected of Ada's."""
    return (course.folder / "collected/scales/ada/notebook.ipynb").read_text()


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EDQUOT, errno.EACCES])
@pytest.mark.parametrize("content", ["newer", "{"], ids=["taken", "refused"])
def test_a_full_disk_costs_nobody_what_they_handed_in_before(
    course, tmp_path, monkeypatch, code, content
):
    before = held(course)
    if content == "{":
        (tmp_path / "new/ada.ipynb").write_text("{")

    def refuse(path, data):
        raise OSError(code, os.strerror(code), str(path))

    monkeypatch.setattr(Path, "write_bytes", refuse)
    with pytest.raises(OSError, match=os.strerror(code)) as raised:
        receive(course, "scales", tmp_path / "new")
    assert "What was done is kept" in disk_fault(raised.value)
    monkeypatch.undo()
    assert held(course) == before
    receive(course, "scales", tmp_path / "new")
    assert not (course.folder / "collected/scales/ada/notebook.ipynb").exists() or (
        "newer" in held(course)
    )


def test_a_command_on_a_full_disk_ends_with_a_sentence(monkeypatch, capsys):
    def app():
        raise OSError(errno.ENOSPC, "No space left on device", "autumn/exports")

    monkeypatch.setattr(command_line, "app", app)
    with pytest.raises(SystemExit) as ended:
        command_line.main()
    assert ended.value.code == 1
    assert "autumn/exports: the disk is full. What was done is kept" in capsys.readouterr().err
    monkeypatch.setattr(command_line, "app", lambda: (_ for _ in ()).throw(OSError("a mistake")))
    with pytest.raises(OSError, match="a mistake"):
        command_line.main()


@pytest.mark.parametrize("step", [1, 2])
def test_a_student_is_not_lost_where_collecting_ends_half_way(course, tmp_path, monkeypatch, step):
    before, done = held(course), []
    plain = Path.rename

    def ends(path, target):
        done.append(path)
        if len(done) == step:
            raise KeyboardInterrupt
        return plain(path, target)

    monkeypatch.setattr(Path, "rename", ends)
    with pytest.raises(KeyboardInterrupt):
        receive(course, "scales", tmp_path / "new")
    monkeypatch.undo()
    if step == 2:
        # Whoever grades before collecting again finds the student, too.
        batches.run_batches(course, ["scales"], RunLimits(), number=1)
        assert held(course) == before
        assert (course.folder / "results/scales/ada/result.json").exists()
    (tmp_path / "others").mkdir()
    (tmp_path / "others/ben.ipynb").write_text(before)
    receive(course, "scales", tmp_path / "others")
    assert held(course) == before
    receive(course, "scales", tmp_path / "new")
    assert "newer" in held(course)
    there = {path.name for path in (course.folder / "collected/scales").iterdir()}
    assert there == {"ada", "ben"}


def test_a_release_that_ended_half_way_is_not_taken_for_a_correction(course, tmp_path, monkeypatch):
    source, wheel = tmp_path / "sources/scales", tmp_path / "softlookup-0.1.0-py3-none-any.whl"
    (source / "rubric.md").write_text("# Rubric\n\nOne sentence more, for the teacher alone.\n")
    notebook = source / "scales.ipynb"
    notebook.write_text(notebook.read_text().replace("# Scales", "# Other scales"))

    def ends(*given):
        raise KeyboardInterrupt

    monkeypatch.setattr(released, "remember", ends)
    with pytest.raises(KeyboardInterrupt):
        course.release(str(source), wheel)
    monkeypatch.undo()
    course.release(str(source), wheel)
    (course.folder / "assignments/scales/rubric.md").write_text("corrected")
    with pytest.raises(ValueError, match=r"rubric\.md in .*--overwrite"):
        course.release(str(source), wheel)


@pytest.mark.parametrize("content", ["", "{}", None], ids=["empty", "another", "lost"])
def test_a_broken_result_keeps_nobody_elses_mark_back(course, content):
    for student in ("ada", "ben"):
        course_bank.put(course, student)
    gradebook.record(course, "scales")
    broken = course.folder / "results/scales/ben/result.json"
    if content is None:
        broken.unlink()
    else:
        broken.write_text(content)
    assert gradebook.record(course, "scales") >= 1
    marks = {mark.student: mark for mark in gradebook.marks(course.folder, ["scales"])}
    assert marks["ada"].tests_earned == 3.0
    if content is not None:
        assert marks["ben"].verdict == Verdict.NEEDS_A_HUMAN
        assert "grade it again" in marks["ben"].why
    report = write("plain", course.folder, "scales", [*marks.values()], provisional=True)
    assert report.written == 1
    assert "ben" in {one.student for one in report.left}
    pages = {row.student: row.path for row in publish(course.folder, "scales", marks.values())}
    assert pages["ada"]
    assert not pages.get("ben")


def test_a_gradebook_that_cannot_be_written_is_a_sentence(course, monkeypatch):
    course_bank.put(course, "ada")
    gradebook.record(course, "scales")
    other = sqlite3.connect(course.folder / "gradebook.db")
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    plain = gradebook.api.Gradebook
    monkeypatch.setattr(gradebook.api, "Gradebook", lambda url: plain(f"{url}?timeout=0.05"))
    with pytest.raises(UsageError, match=r"database is locked. What was graded is kept"):
        gradebook.record(course, "scales")
    other.close()
    assert gradebook.record(course, "scales") == 1
