"""The course folder: created once, its secret kept, and no term's release overwritten."""

import json
import stat

import course_bank
import pytest
from softlookup_coursework.assignments.course import Course
from softlookup_coursework.common.usage_error import UsageError
from softlookup_coursework.grading.receive import receive
from softlookup_coursework.intake.collect import Taken


@pytest.fixture
def wheel(tmp_path):
    path = tmp_path / "softlookup-0.1.0-py3-none-any.whl"
    path.write_bytes(b"a wheel")
    return path


@pytest.fixture
def released(tmp_path, wheel):
    course_bank.write_source(tmp_path / "sources")
    course = Course.make(tmp_path / "autumn", "first")
    course.release(str(tmp_path / "sources" / "scales"), wheel)
    return course


def test_a_course_is_created_on_first_use_and_readable_by_its_owner_only(tmp_path):
    course = Course.make(tmp_path / "autumn")
    secret = json.loads((course.folder / "term.json").read_text())["seed"]
    assert len(secret) == 32
    assert stat.S_IMODE((course.folder / "term.json").stat().st_mode) == 0o600
    for name in ("assignments", "collected", "results", "feedback"):
        assert stat.S_IMODE((course.folder / name).stat().st_mode) == 0o700
    assert Course.make(tmp_path / "autumn").term == course.term
    assert Course.open(tmp_path / "autumn").term == course.term
    assert Course.make(tmp_path / "spring").term != course.term
    with pytest.raises(UsageError, match="is not a course folder"):
        Course.open(tmp_path / "nowhere")


def test_a_course_refuses_the_seed_of_another_term(tmp_path):
    course = Course.make(tmp_path / "autumn", "first")
    assert Course.make(tmp_path / "autumn", "first").term == course.term
    with pytest.raises(UsageError, match="belongs to a term with another seed"):
        Course.make(tmp_path / "autumn", "second")
    assert Course.open(tmp_path / "autumn").term == course.term
    before = course.term
    assert Course.make(tmp_path / "autumn", "second", another_term=True).term != before


def test_another_terms_release_is_replaced_only_on_request(tmp_path, wheel, released):
    source = str(tmp_path / "sources" / "scales")
    before = (released.folder / "release/scales/scales.ipynb").read_bytes()
    released.release(source, wheel)  # for the same term it may be released again, and is the same
    assert (released.folder / "release/scales/scales.ipynb").read_bytes() == before
    second = Course.make(released.folder, "second", another_term=True)
    with pytest.raises(UsageError, match="released for another term; say --another-term"):
        second.release(source, wheel)
    assert (released.folder / "release/scales/scales.ipynb").read_bytes() == before
    second.release(source, wheel, another_term=True)
    assert (released.folder / "release/scales/scales.ipynb").read_bytes() != before
    with pytest.raises(UsageError, match="no such assignment"):
        second.release("ladders", wheel)
    with pytest.raises(UsageError, match=r"was not released .* released: scales"):
        second.assignment("ladders")


def test_a_release_that_would_show_a_solution_keeps_the_old_one(tmp_path, wheel, released):
    path = tmp_path / "sources" / "scales" / "scales.ipynb"
    path.write_text(path.read_text().replace("# Scales", "def reduces(reduce, *, kind):"))
    before = (released.folder / "release/scales/scales.ipynb").read_bytes()
    with pytest.raises(ValueError, match="hidden tests"):
        released.release(str(path.parent), wheel)
    assert (released.folder / "release/scales/scales.ipynb").read_bytes() == before
    assert released.released == ["scales"]


def test_a_refused_submission_replaces_an_older_one(tmp_path, released):
    handed_in = tmp_path / "handed_in"
    handed_in.mkdir()
    (handed_in / "ada.ipynb").write_text(course_bank.hand_in(released.folder))
    (handed_in / "max.ipynb").write_text("{")
    rows = receive(released, "scales", handed_in)
    assert [(row.student, row.taken) for row in rows] == [
        ("ada", Taken.TAKEN),
        ("max", Taken.REFUSED),
    ]
    folders = {folder.name: folder for folder in released.collected("scales")}
    assert list(folders) == ["ada", "max"]
    assert (folders["max"] / "refused.txt").read_text() == "the notebook is not valid JSON\n"
    (handed_in / "ada.ipynb").write_text("[]")
    (handed_in / "max.ipynb").write_text(course_bank.hand_in(released.folder))
    receive(released, "scales", handed_in)
    assert not (folders["ada"] / "notebook.ipynb").exists()
    assert (folders["max"] / "notebook.ipynb").exists()
    assert not (folders["max"] / "refused.txt").exists()
    with pytest.raises(UsageError, match="was not released"):
        receive(released, "ladders", handed_in)
