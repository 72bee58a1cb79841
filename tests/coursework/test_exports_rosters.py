"""Marks are filled into the tables that Canvas and Moodle export."""

import csv
import io
from pathlib import Path

import pytest
from outgoing import HOSTILE, NAMES, a_result, acts, cells, mark, write_result
from softlookup_coursework.common.verdicts import Verdict
from softlookup_coursework.exports import Unfit, write
from softlookup_coursework.exports.canvas import fill as fill_canvas
from softlookup_coursework.exports.moodle import comment
from softlookup_coursework.exports.moodle import fill as fill_moodle
from softlookup_coursework.exports.table import read

SCHEMA = Path(__file__).parent / "gradescope_results.schema.json"


# ---------- Canvas ----------

CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,Notes,Positions (77),+Bonus (78),Final Score
,,,,,,Manual Posting,,
    Points Possible,,,,,,18.00,5.00,(read only)
"Lovelace, Ada",101,u1,ada@x.org,A,- ill in May,,3,50
"=cmd(), Bob",102,u2,bob@x.org,A,,7,,50
"Hopper, Grace",103,u3,grace,B,,EX,,50
"Noether, Emmy",104,u4,emmy,B,,2,,50
"Student, Test",105,,t,A,,,,0
"""


def canvas(tmp_path, text=CANVAS, encoding="utf-8", titles=("positions",), marks=(), **others):
    roster = tmp_path / "canvas.csv"
    roster.write_text(text, encoding)
    report = fill_canvas(tmp_path / "filled.csv", roster, titles, marks, **others)
    return report, cells(report.path)


def test_one_column_of_canvas_own_table_is_filled(tmp_path):
    marks = [mark("101"), mark("BOB@x.org", 0.0), mark("grace"), mark("nobody")]
    report, filled = canvas(tmp_path, marks=marks)
    before = list(csv.reader(io.StringIO(CANVAS)))
    changed = {(r, c) for r, row in enumerate(filled) for c, cell in enumerate(row)
               if cell != before[r][c]}  # fmt: skip
    assert changed == {(3, 6), (4, 6), (4, 0)}
    assert (filled[3][6], filled[4][6]) == ("11.5", "0")
    # Canvas identifies students by ID, not by name. A note is imported again.
    assert filled[4][0] == "'=cmd(), Bob"
    assert filled[3][5] == "- ill in May"
    assert filled[0] == before[0]
    left = {one.student: (one.why, one.lost) for one in report.left}
    assert left == {
        "nobody": ("is not in Canvas's CSV", True),
        "grace": ("Canvas says EX; left as it was", True),
        "Noether, Emmy": ("is in Canvas and has no mark here", False),
        "Student, Test": ("is in Canvas and has no mark here", False),
    }
    assert report.written == 2


@pytest.mark.parametrize(
    "titles", [("77",), ("POSITIONS",), ("Positions (77)",), ("no", "positions")]
)
def test_the_column_for_canvas_is_found_by_title_or_number(tmp_path, titles):
    report, _ = canvas(tmp_path, titles=titles, marks=[mark("101")])
    assert report.written == 1


def test_a_canvas_table_with_semicolons_and_decimal_commas(tmp_path):
    lines = [";".join(row) for row in csv.reader(io.StringIO(CANVAS))]
    text = "\n".join(lines).replace("18.00", "20,00")
    report, _ = canvas(tmp_path, text, "utf-8-sig", marks=[mark("101")])
    table = read(report.path)
    assert (table.separator, table.mark) == (";", True)
    assert table.rows[2][6] == "11,5"
    assert "Canvas has a maximum of 20 points, the assignment of 18" in report.notes[0]


def test_a_canvas_table_with_separate_first_and_last_names(tmp_path):
    text = CANVAS.replace("Student,ID", "LastName,FirstName,ID").replace(",,,,,,", ",,,,,,,")
    text = text.replace('"Lovelace, Ada"', "Lovelace,=Ada").replace('"=cmd(), Bob"', "=x,Bob")
    text = "\n".join(line for line in text.splitlines() if not line.startswith('"'))
    report, filled = canvas(tmp_path, text, marks=[mark("101"), mark("102")])
    assert report.written == 2
    assert filled[3][:2] == ["Lovelace", "'=Ada"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Name,Mark\nAda,1\n", "does not begin like Canvas"),
        (CANVAS.replace("Positions (77)", "Other (77)"), r"no column “positions”.*Other \(77\)"),
        (CANVAS.replace("+Bonus (78)", "positions (78)"), "2 columns"),
        (CANVAS.replace("18.00", "(read only)"), "no column"),
    ],
)
def test_a_table_that_is_not_from_canvas_is_refused(tmp_path, text, says):
    with pytest.raises(Unfit, match=says):
        canvas(tmp_path, text, marks=[mark("101")])
    assert not (tmp_path / "filled.csv").exists()


def test_a_student_may_bear_the_name_of_canvas_own_row(tmp_path):
    text = CANVAS.replace("Hopper, Grace", "Points Possible, Grace").replace("EX", "")
    report, filled = canvas(tmp_path, text, marks=[mark("103")])
    assert filled[5][6] == "11.5"
    assert report.written == 1
    assert not [one for one in report.left if one.lost]


def test_ambiguous_students_of_canvas_are_left_out_and_named(tmp_path):
    text = CANVAS.replace("102,u2,bob@x.org", "102,u2,ada@x.org")
    report, filled = canvas(tmp_path, text, marks=[mark("ada@x.org"), mark("103"), mark("u3")])
    whys = {one.student: one.why for one in report.left}
    assert whys["ada@x.org"] == "is not in Canvas's CSV"
    assert whys["u3"] == "is in Canvas's CSV as 103 is"
    assert filled[3][6] == ""


def test_nobody_takes_anothers_mark_by_a_user_name_in_canvas(tmp_path):
    """Here all are known by user names, of which one is the number of somebody else."""
    text = CANVAS.replace("103,u3,grace", "103,u3,101").replace("EX", "")
    marks = [mark("101", 3), mark("ada@x.org", 17), mark("emmy", 5)]
    report, filled = canvas(tmp_path, text, marks=marks)
    assert [row[6] for row in filled[3:7]] == ["17", "7", "3", "5"]
    assert not [one for one in report.left if one.lost]


def test_a_table_for_canvas_is_made_without_a_roster(handed_in):
    marks = [mark(str(n), first_name=a, last_name=b) for n, (a, b) in enumerate(NAMES)]
    for one in marks:
        write_result(handed_in, "positions", one.student, a_result())
    report = write("canvas", handed_in, "positions", marks)
    header, possible, *rows = cells(report.path)
    assert header == ["Student", "ID", "SIS Login ID", "Section", "Positions"]
    assert possible == ["    Points Possible", "", "", "", "18"]
    assert [row[1] for row in rows] == [str(n) for n in range(len(NAMES))]
    assert {row[4] for row in rows} == {"11.5"}
    assert not any(acts(cell) for row in rows for cell in row)
    assert rows[3][0] == "عمر, 🧑‍🔬"


# ---------- Moodle ----------

MOODLE = """\
\ufeffIdentifier,"Full name","Email address",Status,Grade,"Maximum Grade","Grade can be changed",\
"Last modified (submission)","Last modified (grade)","Feedback comments"
"Participant 101","Ada ""x"" Lovelace",ada@x.org,"Submitted for grading",,18.00,Yes,"Friday, 1",-,
"Participant 102","=cmd() Bob",bob@x.org,"Submitted for grading",7.00,18.00,Yes,-,-,"<p>Mine</p>"
"Participant 103","Grace Hopper",grace@x.org,"No submission",,18.00,No,-,-,
"Participant 104","Emmy Noether",emmy@x.org,"No submission",,10.00,Yes,-,-,
"Participant 105","Mary Lamb",mary@x.org,"No submission",,18.00,Yes,-,-,
"""


def moodle(tmp_path, text=MOODLE, marks=(), **others):
    roster = tmp_path / "moodle.csv"
    roster.write_text(text, "utf-8")
    report = fill_moodle(tmp_path / "filled.csv", roster, marks, **others)
    return report, read(report.path)


def test_grades_and_comments_of_moodles_worksheet_are_filled(tmp_path):
    why = "in cell 3, <script> & co"
    marks = [mark("101", verdict=Verdict.TIMED_OUT, why=why), mark("bob@x.org", 3),
             mark("103"), mark("104"), mark("nobody")]  # fmt: skip
    report, table = moodle(tmp_path, marks=marks)
    assert table.mark
    assert table.header[0] == "Identifier"
    ada, bob, grace, emmy, mary = table.rows
    assert (ada[4], bob[4], grace[4], emmy[4], mary[4]) == ("11.5", "3", "", "", "")
    assert ada[9].startswith("11.5 of 18 points. Timed out (in cell 3, &lt;script&gt; &amp; co)")
    assert bob[9] == "<p>Mine</p>"
    assert bob[1] == "'=cmd() Bob"
    assert ada[1] == 'Ada "x" Lovelace'
    left = {one.student: (one.why, one.lost) for one in report.left}
    assert left == {
        "103": ("Moodle has locked the grade; left as it was", True),
        "104": ("11.5 points are more than Moodle's maximum of 10", True),
        "nobody": ("is not in Moodle's worksheet", True),
        "Participant 105 Mary Lamb": ("is in Moodle and has no mark here", False),
    }
    assert report.written == 2


def test_what_a_student_wrote_into_moodles_worksheet_is_no_formula(tmp_path):
    text = MOODLE.replace('"Feedback comments"', '"Online text","Feedback comments"')
    text = text.replace("-,\n", '-,"=HYPERLINK(1)",\n').replace("ada@x.org", "=1+ada@x.org")
    report, table = moodle(tmp_path, text, [mark("101"), mark("=1+ada@x.org")])
    ada = table.rows[0]
    assert (ada[2], ada[9]) == ("'=1+ada@x.org", "'=HYPERLINK(1)")
    assert (ada[0], ada[8]) == ("Participant 101", "-")
    assert report.written == 1


def test_nobody_takes_anothers_mark_by_a_user_name_in_moodle(tmp_path):
    text = MOODLE.replace("Status", "Username,Status").replace('"Submitted', 'ada,"Submitted')
    text = text.replace("ada@x.org,ada", "ada@x.org,102").replace('"No s', 'someone,"No s')
    report, table = moodle(tmp_path, text, [mark("102", 3)])
    assert [row[3] for row in table.rows[:3]] == ["102", "ada", "someone"]
    assert [row[5] for row in table.rows[:3]] == ["", "3", ""]
    assert not [one for one in report.left if one.lost]


def test_nobody_takes_anothers_mark_by_a_user_name_that_is_a_number_of_moodle(tmp_path):
    header, *rows = MOODLE.splitlines()
    names = ["ada", "bob", "grace", "101", "mary"]
    lines = [f"{row},{name}" for row, name in zip(rows, names, strict=True)]
    text = "\n".join([f"{header},Username", *lines])
    report, table = moodle(tmp_path, text, [mark("101", 3), mark("ada", 17), mark("mary", 5)])
    assert [row[4] for row in table.rows] == ["17", "7.00", "", "3", "5"]
    assert not [one for one in report.left if one.lost]


@pytest.mark.parametrize(
    ("number", "folder", "group", "written"),
    [
        ("104", "Team Rocket", None, False),
        ("104", "Team Emmy Noether", "Team Emmy Noether", False),
        ("104", "Emmy Noether", "Emmy Noether", True),
        ("104", "Team Rocket-Emmy Noether", "Team Rocket", True),
        ("104", "Noether Amalie Emmy", None, True),
        ("104", "Emmy Dick", None, True),
        ("101", "Lovelace Ada x", None, True),
        ("104", "", None, True),
        ("emmy@x.org", "Team Rocket", None, True),
    ],
)
def test_a_teams_mark_goes_to_nobody_who_has_its_groups_number(
    number, folder, group, written, tmp_path
):
    text = MOODLE.replace("10.00", "18.00")
    if group:
        text = text.replace("Status", "Status,Group").replace('d for grading"', 'd for grading",-')
        text = text.replace('"No submission"', f'"No submission","{group}"')
    report, table = moodle(tmp_path, text, [mark(number, first_name=folder)])
    grades = [row[table.header.index("Grade")] for row in table.rows]
    assert (report.written, "11.5" in grades) == (written, written)
    told = {one.student: one.why for one in report.left if one.lost}
    assert [*told] == ([] if written else [number])
    assert all("this is the number of Emmy Noether" in why for why in told.values())


def test_another_maximum_in_moodle_is_reported(tmp_path):
    report, _ = moodle(tmp_path, MOODLE.replace("18.00", "100.00"), [mark("101")])
    assert report.notes == (
        "Moodle has a maximum of 100 points, the assignment of 18; marks are not scaled",
    )


@pytest.mark.parametrize("missing", ["Identifier", '"Last modified (grade)"', "Grade,"])
def test_a_worksheet_that_is_not_from_moodle_is_refused(tmp_path, missing):
    text = MOODLE.replace(missing, missing.replace("e", "ä"), 1)
    with pytest.raises(Unfit, match="Download grading worksheet"):
        moodle(tmp_path, text, [mark("101")])


def test_a_worksheet_for_moodle_is_made_without_a_roster(handed_in):
    marks = [mark("101", first_name=HOSTILE[0]), mark("102", 2), mark("ada")]
    report = write("moodle", handed_in, "positions", marks)
    table = read(report.path)
    assert [row[0] for row in table.rows] == ["Participant 101", "Participant 102"]
    assert [row[4] for row in table.rows] == ["11.5", "2"]
    assert "ada" in {one.student for one in report.left}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (mark("101"), "11.5 of 18 points. Graded. The feedback file says more."),
        (mark("101", 7, None, to_come=5.0),
         "7 of 18 points so far, 5 by hand to come. The feedback file says more."),
        (mark("101", 7, None), "7 of 18 points so far, more by hand to come. The feedback file"),
        (mark("101", 7, None, to_come=5.0, verdict=Verdict.TIMED_OUT, why="cell 3: 120 s"),
         "7 of 18 points so far, 5 by hand to come. Timed out (cell 3: 120 s). The feedback"),
    ],
)  # fmt: skip
def test_moodles_comment_says_what_is_still_to_come(given, words):
    assert comment(given).startswith(words)


# ---------- both ----------


@pytest.mark.parametrize("form", ["canvas", "moodle"])
def test_a_provisional_mark_is_exported_only_on_request(handed_in, form):
    marks = [mark("101", 7, None), mark("102")]
    (handed_in / "canvas.csv").write_text(CANVAS)
    (handed_in / "moodle.csv").write_text(MOODLE)
    for roster in (None, handed_in / f"{form}.csv"):
        report = write(form, handed_in, "positions", marks, roster=roster)
        assert report.written == 1
        assert [one.student for one in report.left if "waits" in one.why] == ["101"]
        both = write(form, handed_in, "positions", marks, roster=roster, provisional=True)
        assert both.written == 2
    again = write(form, handed_in, "positions", marks, roster=roster)
    place = {"canvas": 6, "moodle": 4}[form]
    rows = [row for row in cells(again.path) if "101" in " ".join(row[:2])]
    assert [row[place] for row in rows] == [""]
