"""The course folder: created once, its secret kept, and no term's release overwritten."""

import json
import stat
import sys
import time
from collections import Counter

import course_bank
import pytest
from softlookup_coursework.assignments.assignment import run_file
from softlookup_coursework.assignments.course import Course
from softlookup_coursework.assignments.term import secret_of
from softlookup_coursework.commands import batches
from softlookup_coursework.commands.returning import export
from softlookup_coursework.common.usage_error import UsageError
from softlookup_coursework.common.verdicts import Result, Verdict
from softlookup_coursework.grading import gradebook
from softlookup_coursework.grading.receive import receive
from softlookup_coursework.grading.untouched import untouched
from softlookup_coursework.intake.collect import Taken, collect
from typer import Exit


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


def test_words_are_stretched_and_not_kept(tmp_path):
    course = Course.make(tmp_path / "autumn", "three cups of green tea")
    secret = json.loads((course.folder / "term.json").read_text())["seed"]
    assert "tea" not in secret
    assert course.term == Course.make(tmp_path / "again", " three cups  of green tea\n").term
    assert course.term != Course.make(tmp_path / "other", "three cups of black tea").term
    secret_of.cache_clear()
    began = time.process_time()
    assert secret_of("three cups of green tea") == secret
    # A thousand guesses a second would find a sentence; this leaves a processor under twenty.
    assert time.process_time() - began > 0.05
    with pytest.raises(UsageError, match="seed is empty"):
        Course.make(tmp_path / "empty", "  ")
    assert not (tmp_path / "empty").exists()


def test_the_seed_of_a_term_gives_that_term_again(tmp_path):
    term = Course.make(tmp_path / "autumn").term
    assert Course.make(tmp_path / "again", f" {term.secret}\n").term == term


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


def test_a_file_that_was_changed_since_the_release_is_replaced_only_on_request(
    tmp_path, wheel, released
):
    source = str(tmp_path / "sources" / "scales")
    hidden = released.folder / "assignments/scales/tests/hidden.py"
    written = hidden.read_text()
    hidden.write_text(written + "# corrected\n")
    (released.folder / "assignments/scales/tests/__pycache__").mkdir()
    (released.folder / "assignments/scales/tests/__pycache__/hidden.pyc").write_bytes(b"x")
    with pytest.raises(ValueError, match=r"scales/tests/hidden\.py in .*--overwrite") as e:
        released.release(source, wheel)
    assert "pycache" not in str(e.value)
    assert hidden.read_text() == written + "# corrected\n"
    assert released.released == ["scales"]
    released.release(source, wheel, overwrite=True)
    assert hidden.read_text() == written
    released.release(source, wheel)

    own = released.folder / "assignments/scales/tests/own.py"
    own.write_text("")
    (released.folder / "release/scales/scales.ipynb").write_text("{}")
    with pytest.raises(ValueError, match=r"tests/own.py, release/scales/scales.ipynb"):
        released.release(source, wheel)


def test_without_digests_the_assignment_is_compared_with_what_would_be_released(
    tmp_path, wheel, released
):
    source = str(tmp_path / "sources" / "scales")
    digests = released.folder / "assignments/.released/scales.json"
    digests.unlink()
    released.release(source, wheel)
    digests.unlink()
    (released.folder / "assignments/scales/rubric.md").write_text("mine")
    with pytest.raises(ValueError, match=r"assignments/scales/rubric.md in"):
        released.release(source, wheel)


def test_a_release_that_would_show_a_solution_keeps_the_old_one(tmp_path, wheel, released):
    path = tmp_path / "sources" / "scales" / "scales.ipynb"
    path.write_text(path.read_text().replace("# Scales", "def reduces(reduce, *, kind):"))
    before = (released.folder / "release/scales/scales.ipynb").read_bytes()
    with pytest.raises(ValueError, match="hidden tests"):
        released.release(str(path.parent), wheel)
    assert (released.folder / "release/scales/scales.ipynb").read_bytes() == before
    assert released.released == ["scales"]


def test_moodles_names_are_kept_beside_the_numbers(tmp_path, released):
    kind = "assignsubmission_file_/scales.ipynb"
    people = {"Ada Lovelace": 101, "Participant": 102, "Ema Núñez <b>": 103}
    content = course_bank.hand_in(released.folder)
    for name, student in people.items():
        path = tmp_path / "moodle" / f"{name}_{student}_{kind}"
        path.parent.mkdir(parents=True)
        path.write_text(content if student != 103 else "{")
    rows = receive(released, "scales", tmp_path / "moodle")
    assert [(row.student, row.name) for row in rows] == [
        ("101", "Ada Lovelace"), ("102", ""), ("103", "Ema Núñez <b>"),
    ]  # fmt: skip
    assert released.names("scales") == {"101": "Ada Lovelace", "103": "Ema Núñez <b>"}
    assert [folder.name for folder in released.collected("scales")] == ["101", "102", "103"]
    for student in ("101", "102"):
        course_bank.put(released, student)
    gradebook.record(released, "scales")
    marks = {mark.student: mark for mark in gradebook.marks(released.folder, ["scales"])}
    assert marks["101"].full_name == "Ada Lovelace"
    assert marks["102"].full_name == "102"
    (late,) = receive(released, "scales", _a_late_one(tmp_path, content))
    assert (late.student, late.why) == ("eve", "")
    assert released.names("scales")["101"] == "Ada Lovelace"


def _a_late_one(tmp_path, content):
    (tmp_path / "late").mkdir()
    (tmp_path / "late" / "eve.ipynb").write_text(content)
    return tmp_path / "late"


def test_a_notebook_in_which_nothing_was_written_is_named(tmp_path, released):
    given = (released.folder / "release/scales/scales.ipynb").read_text()
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ada.ipynb").write_text(given)
    own = json.loads(given)
    own["cells"][-1]["source"] = "It cancels."
    (tmp_path / "in" / "max.ipynb").write_text(json.dumps(own))
    rows = {row.student: row for row in receive(released, "scales", tmp_path / "in")}
    assert "no answer differs from what was handed out" in rows["ada"].why
    assert not rows["max"].why
    assert rows["ada"].taken == Taken.TAKEN
    assert untouched(released, "scales", "ada")
    assert not untouched(released, "scales", "max")
    assert not untouched(released, "scales", "nobody")


def test_a_notebook_that_answers_another_assignment_is_named(tmp_path, wheel, released, capsys):
    source = course_bank.write_source(tmp_path / "sources", "chords")
    text = (source / "chords.ipynb").read_text()
    for name in ("scale", "reduce", "essay", "test_scale", "test_reduce", "question"):
        text = text.replace(f'"grade_id": "{name}"', f'"grade_id": "{name}_of_chords"')
    (source / "chords.ipynb").write_text(text)
    released.release(str(source), wheel)
    (tmp_path / "in").mkdir()
    for student, name in (("ada", "scales"), ("max", "chords")):
        text = course_bank.hand_in(released.folder, name, scale_of_chords="scale = 2")
        (tmp_path / "in" / f"{student}.ipynb").write_text(text)
    rows = {row.student: row for row in receive(released, "scales", tmp_path / "in")}
    assert (rows["ada"].why, rows["max"].why) == ("", "it answers chords")
    rows = {row.student: row for row in receive(released, "chords", tmp_path / "in")}
    assert (rows["ada"].why, rows["max"].why) == ("it answers scales", "")
    result = Result(Verdict.NEEDS_A_HUMAN, "no cell answers scale, reduce")
    found = {"scales": {"ada": result, "max": result}}
    batches.report(released, found, Counter(), {"scales": 0})
    said = " ".join(capsys.readouterr().out.replace("│", " ").split())
    assert said.count("it answers chords") == 1


@pytest.mark.parametrize("twin", ["Ali\u200c Reza", "ali reza", "\uff21li Reza", "Ali Reza\ufe0f"])
def test_names_that_look_the_same_are_pointed_out(tmp_path, released, twin):
    content = course_bank.hand_in(released.folder)
    for number, student in enumerate(("Ali Reza", "Eve", twin)):
        (tmp_path / f"in {number}").mkdir()
        (tmp_path / f"in {number}" / f"{student}.ipynb").write_text(content)
        (row,) = receive(released, "scales", tmp_path / f"in {number}")
        assert ("looks the same and is another" in row.why) == (student == twin)
    assert len(released.collected("scales")) == 3


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
    rows = receive(released, "scales", handed_in)
    assert "; it replaces the notebook that was taken before, which will" in rows[0].why
    assert "replaces" not in (folders["ada"] / "refused.txt").read_text()
    assert not (folders["ada"] / "notebook.ipynb").exists()
    assert (folders["max"] / "notebook.ipynb").exists()
    assert not (folders["max"] / "refused.txt").exists()
    with pytest.raises(UsageError, match="was not released"):
        receive(released, "ladders", handed_in)


def test_whose_names_no_folder_can_have_are_in_later_tables_until_they_are_renamed(
    tmp_path, released, capsys
):
    handed_in, given = tmp_path / "handed_in", course_bank.hand_in(released.folder)
    for name in ("ada", "=Eva", ".hidden", "Ann Lee", "ann lee"):
        (handed_in / name).mkdir(parents=True)
        (handed_in / name / "scales.ipynb").write_text(given)
    rows = {row.student: row for row in receive(released, "scales", handed_in)}
    assert {name: row.taken for name, row in rows.items()} == {
        "ada": Taken.TAKEN, **dict.fromkeys((".hidden", "=Eva", "Ann Lee", "ann lee"),
                                            Taken.REFUSED),
    }  # fmt: skip
    assert "rename it" in rows[".hidden"].why
    assert "rename one" in rows["Ann Lee"].why
    assert {path.name for path in released.collected("scales")} == {"ada", "Ann Lee", "ann lee"}
    assert [student for student, _, _ in released.refused("scales")] == [".hidden", "=Eva"]
    assert not batches.report(released, {"scales": {}}, Counter(), {"scales": 0})
    with pytest.raises(Exit):
        export("plain", "scales", released.folder)
    graded, exported = capsys.readouterr().out.split("Exported")
    for name in (".hidden", "=Eva"):
        assert name in graded
        assert name in exported
    (handed_in / "=Eva").rename(handed_in / "Eva")
    (handed_in / ".hidden").rename(handed_in / "hidden")
    receive(released, "scales", handed_in)
    assert not released.refused("scales")


def test_of_names_that_look_alike_none_is_lost_for_what_is_not_seen(tmp_path):
    handed_in = tmp_path / "handed_in"
    for name in ("J\u00fcrgen", "Ju\u0308rgen", "ada"):
        (handed_in / name).mkdir(parents=True)
        (handed_in / name / "scales.ipynb").write_text("{}")
    (row,) = [r for r in collect(handed_in, "scales", tmp_path / "out") if r.student != "ada"]
    assert (row.student, row.taken) == ("J\u00fcrgen", Taken.REFUSED)
    assert "what is not seen" in row.why


@pytest.mark.parametrize(
    "later",
    [{"ada": None}, {"ada/helper.py": "x"}, {"ada/a.ipynb": "{}", "ada/b.ipynb": "{}"},
     {"adaada_11_9_helper.py": "x"}],
    ids=["empty", "helper", "unclear", "canvas"],
)  # fmt: skip
def test_an_attempt_without_a_notebook_costs_nobody_the_one_before(tmp_path, released, later):
    content = course_bank.hand_in(released.folder)
    for student in ("ada", "11"):
        path = tmp_path / "first" / f"{student}.ipynb"
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
    receive(released, "scales", tmp_path / "first")
    for name, text in {**later, "ben/scales.ipynb": content}.items():
        path = tmp_path / "second" / name
        (path.parent if text else path).mkdir(parents=True, exist_ok=True)
        if text:
            path.write_text(text)
    rows = {row.student: row for row in receive(released, "scales", tmp_path / "second")}
    assert rows.keys() - {"ben"} <= {"ada", "11"}
    assert rows["ben"].taken == Taken.TAKEN
    refused = rows.get("ada") or rows["11"]
    assert refused.taken == Taken.REFUSED
    assert refused.why.endswith("; the notebook that was taken before is kept, and will be graded")
    for folder in released.collected("scales"):
        assert (folder / "notebook.ipynb").read_text() == content
        assert not (folder / "refused.txt").exists()


def test_a_refused_attempt_names_the_older_ones_that_were_not_taken(tmp_path, released):
    for day, text in (("01", course_bank.hand_in(released.folder)), ("02", "{")):
        path = tmp_path / "inbound" / f"ada+scales+2026-03-{day} 10:00:00 UTC" / "scales.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(text)
    rows = receive(released, "scales", tmp_path / "inbound")
    assert [row.taken for row in rows] == [Taken.SUPERSEDED, Taken.REFUSED]
    assert rows[0].why == "there is a newer attempt"
    assert rows[1].why.endswith("; of ada's older attempts none was taken")


def test_a_teachers_file_leaves_no_bytecode_beside_it(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path / "hidden.py").write_text("answer = 42\n")
    assert run_file(tmp_path / "hidden.py").answer == 42
    assert [path.name for path in tmp_path.iterdir()] == ["hidden.py"]


def test_no_notebook_replaces_another_unseen(tmp_path, released):
    content = course_bank.hand_in(released.folder)
    for week, text in (("week2", content), ("week1", content.replace("# Scales", "# Old scales"))):
        path = tmp_path / week / f"lovelaceada_101_{700 - ord(week[-1])}_scales.ipynb"
        path.parent.mkdir()
        path.write_text(text if week == "week2" else text.replace("\n", "\n "))
    (first,) = receive(released, "scales", tmp_path / "week2")
    (again,) = receive(released, "scales", tmp_path / "week2")
    assert (first.why, again.why) == ("", "")
    (older,) = receive(released, "scales", tmp_path / "week1")
    assert older.taken == Taken.TAKEN
    assert older.why.startswith("it replaces another notebook, which was collected at 20")
    assert "if that one was newer, collect it again" in older.why
    receive(released, "scales", tmp_path / "week2")
    assert (released.folder / "collected/scales/101/notebook.ipynb").read_text() == content
