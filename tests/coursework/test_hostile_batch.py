"""The whole bank of attacks, collected and graded in one batch, a good submission around each.

No attack gains anything, each gets a verdict that says what happened, and no other submission is
affected. Each attack limits itself (see its file), and none is run before every limit has been
checked. The network attack knows one address: a server that this test opens.
"""

import os
import re
import socket
import sqlite3
import tempfile
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import hostile_bank as bank
import hostile_course
import hostile_malformed
import hostile_table
import pytest
from hostile_course import ATTACKS, LIMITS, NAME
from softlookup_coursework.assignments.assignment import Assignment
from softlookup_coursework.assignments.course import Course
from softlookup_coursework.commands.batches import run_batches
from softlookup_coursework.common.verdicts import Result, Verdict
from softlookup_coursework.exports import plain
from softlookup_coursework.feedback import feedback
from softlookup_coursework.grading import gradebook
from softlookup_coursework.grading.grade_one import grade
from softlookup_coursework.grading.receive import receive
from softlookup_coursework.sandbox import processes, zygote

UNREADABLE = [made for made in hostile_malformed.MADE if made.verdict == "unreadable"]


@dataclass
class Done:
    """The batch's results and side effects."""

    course: Course
    handed_in: list[hostile_course.HandedIn]
    results: dict[str, Result]
    fine: bool
    called: bool
    left: list[tuple[int, bytes]]
    changed: dict[str, object] = field(default_factory=dict)


@pytest.fixture(scope="module")
def batch(tmp_path_factory):
    """Collect and grade everything, and compare the machine before and afterwards."""
    hostile_course.check_limits()
    zygote.close_all()
    folder = tmp_path_factory.mktemp("hostile")
    home, temporary, neighbour = (folder / name for name in ("home", "temporary", "neighbour"))
    for path in (home, temporary, neighbour):
        path.mkdir()
    (home / "notes.txt").write_text("mine")
    (neighbour / "gradebook.db").write_bytes(b"another course's")
    course = hostile_course.make_course(folder / "course")
    solution = folder / "solutions" / f"{NAME}.ipynb"
    solution.parent.mkdir()
    solution.write_text(bank.notebook(bank.cells()))
    with (
        pytest.MonkeyPatch.context() as patch,
        socket.create_server(("127.0.0.1", 0)) as listener,
        hostile_course.adopted_orphans(),
    ):
        outside = hostile_course.names_outside()
        patch.setenv("HOME", str(home))
        patch.setenv("TMPDIR", str(temporary))
        patch.setattr(tempfile, "tempdir", None)
        port = listener.getsockname()[1]
        handed_in = hostile_course.hand_in(folder / "handed_in", solution, port)
        receive(course, NAME, folder / "handed_in")
        kept = [course.folder / name for name in ("assignments", "collected", "term.json")]
        kept += [home, temporary, neighbour, folder / "solutions", folder / "handed_in"]
        before = hostile_course.snapshot(*kept)
        running = set(processes.process_tree(os.getpid()))

        fine = run_batches(course, [NAME], LIMITS, 2)

        left = hostile_course.left_over(running)
        after = hostile_course.snapshot(*kept)
        listener.settimeout(0.01)
        try:
            listener.accept()
            called = True
        except TimeoutError:
            called = False
    read = {
        one.student: Result.read(course.results(NAME, one.student) / "result.json")
        for one in handed_in
    }
    done = Done(course, handed_in, read, fine, called, left)
    # Dask writes its settings into the home folder, and locks and sockets while it works.
    ours = re.compile(r"/home/\.config|/temporary/(pymp-|dask-scratch-space|torchinductor_)")
    done.changed = {
        str(path): (before.get(path), after.get(path))
        for path in before.keys() | after.keys()
        if before.get(path) != after.get(path) and not ours.search(str(path))
    }
    new = hostile_course.names_outside() - outside
    done.changed |= {str(path): "outside" for path in new}
    return done


def test_there_are_at_least_a_hundred_attacks_with_different_names():
    names = [attack.name for attack in ATTACKS]
    assert len(names) == len(set(names)) >= 100


def test_every_good_submission_gets_exactly_its_marks(batch):
    good = [one.student for one in batch.handed_in if one.attack is None]
    assert len(good) == len(ATTACKS) + 1
    for student in good:
        result = batch.results[student]
        assert (result.verdict, result.why, result.notes) == (Verdict.GRADED, "", ()), student
        assert [cell.earned for cell in result.cells] == [1.0, 4.0, 3.0, None], student
        assert not any(test.message for cell in result.cells for test in cell.tests), student


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_an_attack_gets_the_expected_verdict_points_and_message(attack, batch):
    (student,) = (one.student for one in batch.handed_in if one.attack == attack)
    result = batch.results[student]
    messages = [test.message for cell in result.cells for test in cell.tests]
    words = [result.why, *result.notes, *messages]
    assert result.verdict == Verdict(attack.verdict), words
    assert result.earned == attack.earns, words
    assert any(attack.says in word for word in words), words
    assert result.points == 13
    assert not any(character in "\x1b\x00\u202e" for word in words for character in word)


def test_no_file_outside_the_attacks_own_folders_changed(batch):
    assert batch.changed == {}


def test_no_process_is_left(batch):
    assert batch.left == []


def test_no_attack_reached_the_server_on_this_machine(batch):
    assert not batch.called


def test_the_batch_reports_that_a_person_has_to_look(batch):
    assert not batch.fine


def test_the_gradebook_is_intact_and_holds_what_was_earned(batch):
    with sqlite3.connect(batch.course.folder / "gradebook.db") as database:
        assert database.execute("pragma integrity_check").fetchall() == [("ok",)]
        assert database.execute("pragma foreign_key_check").fetchall() == []
        students = {row[0] for row in database.execute("select id from student")}
    database.close()
    assert students == {one.student for one in batch.handed_in}
    marks = gradebook.marks(batch.course.folder, [NAME])
    expected = {one.student: one.attack.earns if one.attack else 8.0 for one in batch.handed_in}
    assert {mark.student: mark.tests_earned for mark in marks} == expected
    assert {mark.points for mark in marks} == {13.0}
    assert {mark.by_hand for mark in marks} <= {None, 0.0}


class Acting(HTMLParser):
    """Collects the active elements and outside addresses of a page."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        if tag in ("script", "iframe", "object", "embed", "base", "form", "svg"):
            self.found.append(tag)
        for name, value in attributes:
            address = (value or "").strip().lower()
            outside = name in ("src", "href") and not address.startswith(
                ("#", "data:image/png;", "data:,")
            )
            if name.startswith("on") or outside:
                self.found.append(f"{tag} {name}={address[:80]}")


def test_every_submission_has_a_harmless_feedback_page(batch):
    folder = batch.course.folder
    rows = feedback.publish(folder, NAME, gradebook.marks(folder, [NAME]))
    assert {row.student for row in rows if row.path} == set(batch.results)
    for row in rows:
        page = Acting()
        page.feed(Path(row.path).read_text(encoding="utf-8"))
        assert page.found == [], row.student


def test_no_cell_of_the_exported_table_is_a_formula(batch, tmp_path):
    marks = gradebook.marks(batch.course.folder, [NAME])
    plain.write(tmp_path / "marks.csv", [(mark, batch.results[mark.student]) for mark in marks])
    text = (tmp_path / "marks.csv").read_text(encoding="utf-8-sig")
    cells = re.findall(r'(?:^|,)"?([^",\n]*)', text, re.M)
    assert len(cells) > len(marks)
    assert not [cell for cell in cells if re.match(r"[=+@\t\r]|-(?!\d)", cell)]


@pytest.mark.parametrize("made", UNREADABLE, ids=lambda made: made.name)
def test_malformed_notebooks_that_bypass_intake_are_unreadable(made, tmp_path):
    (tmp_path / "assignment").mkdir()
    assignment = Assignment.load(bank.write_assignment(tmp_path / "assignment"))
    submission = bank.write_submission(tmp_path / "student", made.make())
    result = grade(assignment, submission, LIMITS)
    assert (result.verdict, result.earned, result.points) == (Verdict.UNREADABLE, 0.0, 13.0)
    assert made.says in result.why


def test_the_documented_table_matches_the_bank():
    assert hostile_table.PAGE.read_text(encoding="utf-8") == hostile_table.text()
