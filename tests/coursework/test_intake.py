"""Every item that is handed in gets a row, and what is taken is stored in its place."""

import io
import json
import os
import re
import stat
import zipfile
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from softlookup_coursework.common.limits import IntakeLimits
from softlookup_coursework.intake.collect import Taken, collect
from softlookup_coursework.intake.notebook import parse

SOMEBODY = 61234
LIMITS = IntakeLimits(
    handed_in_bytes=20_011,
    notebook_bytes=10_007,
    cells=5,
    extra_bytes=211,
    extra_files=2,
    archive_members=13,
    archive_bytes=100_003,
)


def notebook(*sources):
    cells = [{"cell_type": "code", "source": source, "metadata": {}} for source in sources]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()


GOOD = notebook("x = 1")


def archive(path, members):
    with zipfile.ZipFile(path, "w") as file:
        for name, content in members.items():
            file.writestr(name, content)
    return path


def folder(path, files):
    for name, content in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(content)
    return path


def states(rows):
    return {row.student: row.taken for row in rows}


@pytest.fixture
def take(tmp_path):
    """Collect an item between two good submissions, which must be taken in any case."""

    def take(source):
        rows = collect(source, "attention", tmp_path / "taken", LIMITS)
        for student in ("aaa", "zzz"):
            stored = tmp_path / "taken" / student / "notebook.ipynb"
            assert stored.read_bytes() == GOOD
            assert states(rows).pop(student) == Taken.TAKEN
        return [row for row in rows if row.student not in ("aaa", "zzz")]

    return take


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"PK\x03\x04\x14\x00\xe9\xff", "a file of Word's"),
        (json.dumps({"nbformat": 4, "cells": []}).encode(), "has no cells"),
        (b"\xe9\xff{", "not UTF-8"),
    ],
)
def test_what_a_file_is_and_what_to_do_is_said(content, says, take, tmp_path):
    (row,) = take(folder(tmp_path / "in", {**AROUND, "bad/attention.ipynb": content}))
    assert row.taken == Taken.REFUSED
    assert says in row.why


AROUND = {"aaa/attention.ipynb": GOOD, "zzz/attention.ipynb": GOOD}

LAYOUTS = {
    "canvas": ("liddellalice_LATE_101_5003_attention-2.ipynb", "101"),
    "canvas, on time": ("liddellalice_101_5003_attention.ipynb", "101"),
    "moodle": ("Alice P. Liddell_101_assignsubmission_file_/attention.ipynb", "101"),
    "moodle, blind": ("Participant_101_assignsubmission_file/a name of her own.ipynb", "101"),
    "exchange": ("alice+attention+2026-03-01 10:00:00.123 UTC/attention.ipynb", "alice"),
    "exchange, random": ("alice+attention+2026-03-01 10:00:00 UTC+a1b2/attention.ipynb", "alice"),
    "submitted": ("alice/attention/attention.ipynb", "alice"),
    "folder a student": ("alice/attention.ipynb", "alice"),
    "file a student": ("alice.ipynb", "alice"),
}


@pytest.mark.parametrize("make", [archive, folder])
@pytest.mark.parametrize("name", LAYOUTS)
def test_every_layout_is_read(name, make, tmp_path):
    path, student = LAYOUTS[name]
    source = make(tmp_path / "source", {path: GOOD, "__MACOSX/._x": b"", ".DS_Store": b"x"})
    (row,) = collect(source, "attention", tmp_path / "taken")
    assert (row.student, row.taken) == (student, Taken.TAKEN)
    assert (tmp_path / "taken" / student / "notebook.ipynb").read_bytes() == GOOD


def test_the_newest_attempt_is_taken(tmp_path):
    source = folder(
        tmp_path / "in",
        {
            "al+attention+2026-03-02 09:00:00 UTC/attention.ipynb": GOOD,
            "al+attention+2026-03-01 10:00:00 UTC/attention.ipynb": notebook("old"),
            "al+another+2026-03-03 10:00:00 UTC/another.ipynb": notebook("other"),
        },
    )
    rows = collect(source, "attention", tmp_path / "out")
    assert sorted(row.taken for row in rows) == [Taken.SUPERSEDED, Taken.TAKEN]
    assert (tmp_path / "out" / "al" / "notebook.ipynb").read_bytes() == GOOD


def test_files_beside_the_notebook_are_taken_within_limits(tmp_path):
    source = folder(
        tmp_path / "in",
        {
            "al/attention.ipynb": GOOD,
            "al/text.txt": b"tale",
            "al/x.bin": b"x" * 500,
            "al/.rc": b"",
        },
    )
    (row,) = collect(source, "attention", tmp_path / "out", LIMITS)
    assert row.taken == Taken.TAKEN
    assert "x.bin was left out" in row.why
    assert [file.name for file in (tmp_path / "out/al/files").iterdir()] == ["text.txt"]


BROKEN = {
    "empty": (b"", "file is empty"),
    "spaces": (b" \n", "file is empty"),
    "half": (GOOD[:40], "not valid JSON"),
    "not text": (b"\xff\xfe\x00\xd8", "not UTF-8"),
    "a list": (b"[]", "no list of cells"),
    "format 3": (b'{"nbformat": 3, "worksheets": []}', "no list of cells"),
    # How deeply JSON is read differs between Pythons: both of what is wrong here is a refusal.
    "deep": (b'{"cells":' + b"[" * 4500, "nested too deeply|not valid JSON"),
    "huge number": (b'{"cells":' + b"9" * 9000 + b"}", "not valid JSON"),
    "too large": (b" " * 10_008, "larger than 10,007"),
    "many cells": (notebook(*"abcdef"), "has 6 cells"),
    "cell no object": (b'{"cells": [3]}', "cell 1 is broken"),
    "odd type": (b'{"cells": [{"cell_type": ["code"], "source": ""}]}', "cell 1 is broken"),
    "odd source": (b'{"cells": [{"cell_type": "code", "source": {"a": 1}}]}', "source is not text"),
    "odd lines": (b'{"cells": [{"cell_type": "code", "source": ["a", 1]}]}', "source is not text"),
}


@pytest.mark.parametrize("make", [archive, folder])
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_notebook_is_refused_in_a_row(name, make, tmp_path, take):
    content, reason = BROKEN[name]
    (row,) = take(make(tmp_path / "in", {**AROUND, "bad/attention.ipynb": content}))
    assert (row.student, row.taken) == ("bad", Taken.REFUSED)
    assert re.search(reason, row.why)
    assert not (tmp_path / "taken" / "bad").exists()


@pytest.mark.parametrize("code", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_a_notebook_is_read_in_whatever_unicode_an_editor_saved_it(code, tmp_path, take):
    content = notebook("greeting = 'Grüße, 你好'").decode().encode(code)
    (row,) = take(folder(tmp_path / "in", {**AROUND, "b/attention.ipynb": content}))
    assert row.taken == Taken.TAKEN
    (cell,) = parse(content, IntakeLimits())
    assert cell.source == "greeting = 'Grüße, 你好'"


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_a_line_ends_as_elsewhere_whatever_system_wrote_it(end):
    (cell,) = parse(notebook(end.join(["def f():", "    return 1", ""])), IntakeLimits())
    assert cell.source == "def f():\n    return 1\n"


def test_malformed_metadata_is_ignored(tmp_path, take):
    odd = b'{"cells": [{"cell_type": "code", "source": "\\ud800", "metadata": {"nbgrader": 7}}]}'
    (row,) = take(folder(tmp_path / "in", {**AROUND, "b/attention.ipynb": odd}))
    assert row.taken == Taken.TAKEN


ODD = {
    "heading": ({"cell_type": "heading", "level": 1, "source": "Scores"}, "'heading'"),
    "no kind": ({"source": "x = 1"}, "'None'"),
    "no source": ({"cell_type": "code", "metadata": {}}, "it has no source"),
    "null": ({"cell_type": "markdown", "source": None}, "it has no source"),
}


@pytest.mark.parametrize("name", ODD)
def test_one_odd_cell_does_not_cost_the_notebook(name, tmp_path, take):
    cell, says = ODD[name]
    cell = {**cell, "metadata": {"nbgrader": {"grade_id": "attention"}}}
    stored = json.loads(GOOD)
    stored["cells"] += [cell, cell]
    content = json.dumps(stored).encode()
    (row,) = take(folder(tmp_path / "in", {**AROUND, "b/attention.ipynb": content}))
    assert row.taken == Taken.TAKEN
    assert row.why.startswith("cell 2 and 1 more: ")
    assert says in row.why
    first, odd, _ = parse(content, IntakeLimits())
    assert (first.kind, first.odd) == ("code", "")
    assert (odd.kind, odd.source, odd.claims) == ("raw", cell.get("source") or "", "attention")


def test_links_and_devices_are_refused(tmp_path, take):
    source = folder(tmp_path / "in", AROUND)
    secret = tmp_path / "secret.ipynb"
    secret.write_bytes(GOOD)
    for name in ("link", "hard", "pipe"):
        (source / name).mkdir()
    (source / "link" / "attention.ipynb").symlink_to(secret)
    os.link(secret, source / "hard" / "attention.ipynb")
    os.mkfifo(source / "pipe" / "attention.ipynb")
    (source / "whole").symlink_to(tmp_path)
    (source / "long").mkdir()
    (source / "long" / "attention.ipynb").symlink_to("a" * 300)
    rows = {row.student: row for row in take(source)}
    assert {row.taken for row in rows.values()} == {Taken.REFUSED}
    assert "is a link" in rows["link"].why
    assert "is a link" in rows["long"].why
    assert "hard link" in rows["hard"].why
    assert "not a regular file" in rows["pipe"].why


@contextmanager
def bound_by_permissions(folder):
    """As somebody who may write there, and whom permissions bind, which they do not bind root."""
    folder.chmod(0o777)
    user = os.geteuid()
    if user == 0:
        os.seteuid(SOMEBODY)
    try:
        yield
    finally:
        os.seteuid(user)


@pytest.mark.parametrize("closed", ["bad", "bad/below"])
@pytest.mark.parametrize("mode", [0o444, 0o111, 0o000])
def test_a_folder_that_may_not_be_read_or_passed_through_stops_nobody(closed, mode):
    with TemporaryDirectory(dir="/tmp") as temporary:
        source = folder(Path(temporary, "in"), {**AROUND, f"{closed}/attention.ipynb": GOOD})
        (source / closed).chmod(mode)
        try:
            with bound_by_permissions(Path(temporary)):
                rows = collect(source, "attention", Path(temporary, "out"), LIMITS)
        finally:
            (source / closed).chmod(0o755)
    assert states(rows)["aaa"] == states(rows)["zzz"] == Taken.TAKEN
    assert states(rows)["bad"] == Taken.REFUSED


def member(name, content=GOOD, mode=stat.S_IFREG, flags=0):
    info = zipfile.ZipInfo(name)
    info.external_attr, info.compress_type = (mode | 0o644) << 16, zipfile.ZIP_DEFLATED
    info.flag_bits = flags
    return info, content


HOSTILE = {
    "link": ([member("bad/attention.ipynb", b"/etc/passwd", stat.S_IFLNK)], "a link or a device"),
    "device": ([member("bad/attention.ipynb", b"", stat.S_IFCHR)], "a link or a device"),
    "bomb": ([member("bad/attention.ipynb", b"\0" * 10_000_000)], "larger than"),
    "too large": ([member("bad/attention.ipynb", os.urandom(10_008))], "larger than"),
    "traversal": ([member("../bad/attention.ipynb")], "leads out"),
    "traversal inside": ([member("bad/../../aaa/attention.ipynb")], "leads out"),
    "absolute": ([member("/etc/attention.ipynb")], "leads out"),
    "backslash": ([member("..\\bad\\attention.ipynb")], "leads out"),
    "drive": ([member("C:\\bad\\attention.ipynb")], "leads out"),
    "control": ([member("bad\x07/attention.ipynb")], "leads out"),
    "two notebooks": ([member("bad/a.ipynb"), member("bad/b.ipynb")], "2 notebooks"),
    "no notebook": ([member("bad/attention.py")], "no notebook"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_archive_member_is_refused_in_a_row(name, tmp_path, take):
    members, reason = HOSTILE[name]
    path = archive(tmp_path / "in.zip", AROUND)
    with zipfile.ZipFile(path, "a") as file:
        for info, content in members:
            file.writestr(info, content)
    before = {file for file in tmp_path.rglob("*") if "taken" not in file.parts}
    (row,) = take(path)
    assert row.taken == Taken.REFUSED
    assert reason in row.why
    assert {file for file in tmp_path.rglob("*") if "taken" not in file.parts} == before


def test_an_archive_member_with_a_false_size_is_refused_in_a_row(tmp_path, take):
    path = archive(tmp_path / "in.zip", AROUND)
    with zipfile.ZipFile(path, "a") as file:
        file.writestr(*member("bad/attention.ipynb", b"\0" * 90_000))
    content = path.read_bytes()
    lying = content.replace((90_000).to_bytes(4, "little"), (900).to_bytes(4, "little"))
    assert lying != content
    path.write_bytes(lying)
    (row,) = take(path)
    assert row.taken == Taken.REFUSED


def test_damaged_members_and_duplicate_names_are_refused_in_rows(tmp_path, take):
    path = archive(tmp_path / "in.zip", {**AROUND, "b/attention.ipynb": os.urandom(997)})
    with zipfile.ZipFile(path, "a") as file:
        file.writestr("c/attention.ipynb", GOOD)
        with pytest.warns(UserWarning, match="Duplicate"):
            file.writestr("c/attention.ipynb", notebook("another"))
    content = bytearray(path.read_bytes())
    content[content.index(b"b/attention.ipynb") + 40] ^= 0xFF
    path.write_bytes(content)
    rows = {row.student: row.taken for row in take(path)}
    assert rows == {"b": Taken.REFUSED, "c": Taken.REFUSED}


def test_a_file_that_is_not_an_archive_is_refused_in_one_row(tmp_path):
    broken = tmp_path / "broken.zip"
    for content in (b"", b"PK\x03\x04 and no more", io.BytesIO(b"\0" * 4001).read()):
        broken.write_bytes(content)
        (row,) = collect(broken, "attention", tmp_path / "out")
        assert row.taken == Taken.REFUSED
        assert "not a readable zip file" in row.why
    (row,) = collect(tmp_path / "absent", "attention", tmp_path / "out")
    assert row.taken == Taken.REFUSED


def test_an_archive_with_too_many_members_is_refused_in_one_row(tmp_path):
    path = archive(tmp_path / "in.zip", {f"s{i}/attention.ipynb": GOOD for i in range(14)})
    (row,) = collect(path, "attention", tmp_path / "out", LIMITS)
    assert "14 members" in row.why
    assert row.why.endswith("unpack it, and collect the folder")


def test_one_students_thousands_of_files_cost_nobody_else_anything(tmp_path):
    files = {"aaa/attention.ipynb": GOOD, "bad/attention.ipynb": GOOD}
    files |= {f"bad/site-packages/{number // 9000}/{number}.py": b"" for number in range(21_000)}
    source = archive(tmp_path / "in", {**files, "zzz/attention.ipynb": GOOD})
    rows = collect(source, "attention", tmp_path / "out")
    assert [(row.student, row.taken) for row in rows] == [
        ("aaa", "taken"), ("bad", "taken"), ("zzz", "taken"),
    ]  # fmt: skip
    assert rows[1].why.endswith("; 20995 more files were left out")
    assert len(rows[1].why) < 500


def test_the_unpacked_size_of_the_whole_archive_is_limited(tmp_path):
    files = {f"s{i}/attention.ipynb": notebook("#" * 211) for i in range(7)}
    limits = replace(LIMITS, archive_bytes=1009)
    rows = collect(archive(tmp_path / "in.zip", files), "attention", tmp_path / "out", limits)
    assert states(rows)["s0"] == Taken.TAKEN
    assert states(rows)["s6"] == Taken.REFUSED
    (why,) = {row.why for row in rows if row.taken == Taken.REFUSED}
    assert why == (
        "the archive unpacks to more than 1,009 bytes: unpack it, and collect the folder"
    )
    # A class of 3,000 who all hand in as much as they may.
    most = IntakeLimits()
    assert 3000 * (most.handed_in_bytes + most.extra_bytes) < most.archive_bytes


@pytest.mark.parametrize(
    "student",
    ["-rf", "a\nb", "a:b", "x" * 201, "é" * 101, "a\u202eb", "=1+1", "; rm", "!a", "a|b", "\u0301a",
     "a*", "Jos├⌐", "a`b`", "$HOME", '"a"', "<b>", "☃" * 70],
)  # fmt: skip
def test_an_invalid_student_name_is_refused_in_a_row(student, tmp_path, take):
    (row,) = take(archive(tmp_path / "in.zip", {**AROUND, f"{student}/attention.ipynb": GOOD}))
    assert row.taken == Taken.REFUSED
    assert row.student.isprintable()


@pytest.mark.parametrize(
    ("student", "odd"), [("a:b|c", "(: |)"), ("-rf", "(-)"), ("é" * 101, "more than 200 bytes")]
)
def test_a_refused_name_is_told_what_is_wrong_with_it(student, odd, tmp_path, take):
    (row,) = take(archive(tmp_path / "in.zip", {**AROUND, f"{student}/attention.ipynb": GOOD}))
    assert odd in row.why
    assert row.why.endswith("; rename it, and collect again")


NAMES = [
    "O'Brien, Sean",
    "d’Arc",
    "Li (Anna)",
    "अनुष्का",
    "محمد‌علی",
    "Núñez Ibáñez",
    "Gabriel·la",
    "Ben & Jerry",
    "#42; Anna!",
    "ada 🎉",
    "🦊\u200d👍🏽 ❤\ufe0f",
]


@pytest.mark.parametrize("name", NAMES)
def test_nobody_is_lost_for_a_name(name, tmp_path, take):
    (row,) = take(archive(tmp_path / "in.zip", {**AROUND, f"{name}/attention.ipynb": GOOD}))
    assert (row.student, row.taken) == (name, Taken.TAKEN), row
    assert (tmp_path / "taken" / name / "notebook.ipynb").read_bytes() == GOOD


@pytest.mark.parametrize("name", [*NAMES, "Anna\u00a0Maria", "a\u202eb"])
def test_moodles_folders_are_known_by_their_number(name, tmp_path, take):
    path = f"{name}_101_assignsubmission_file_/attention.ipynb"
    (row,) = take(archive(tmp_path / "in.zip", {**AROUND, path: GOOD}))
    assert (row.student, row.taken) == ("101", Taken.TAKEN), row


def test_one_long_name_of_a_file_does_not_cost_the_submission(tmp_path, take):
    files = {"al/attention.ipynb": GOOD, f"al/{'é' * 120}.txt": b"a", "al/b.txt": b"b"}
    (row,) = take(archive(tmp_path / "in.zip", AROUND | files))
    assert row.taken == Taken.TAKEN
    assert "its name cannot be kept" in row.why
    kept = (tmp_path / "taken" / "al" / "files").iterdir()
    assert [path.name for path in kept] == ["b.txt"]


def test_two_spellings_of_a_name_do_not_overwrite_each_other(tmp_path, take):
    twins = {"jose\u0301/attention.ipynb": GOOD, "jos\u00e9/attention.ipynb": notebook("y")}
    (row,) = take(archive(tmp_path / "in.zip", AROUND | twins))
    assert row.taken == Taken.REFUSED
    assert "differ only in what is not seen" in row.why


AGAIN = ["attention (1)", "attention(2)", "attention-1", "attention (copy)", "attention - Copy (2)",
         "attention copy 2", "attention-Copy1", "attention (another copy)"]  # fmt: skip
DAYS = {"older": (2026, 3, 1, 10, 0, 0), "newer": (2026, 3, 2, 9, 30, 0)}


def dated(make, path, files):
    """An archive or a folder whose files have dates; ``None`` leaves a member without one."""
    if make is folder:
        folder(path, {name: content for name, (content, _) in files.items()})
        for name, (_, date) in files.items():
            moment = datetime(*date).timestamp() if date else 315_532_800.0
            os.utime(path / name, (moment, moment))
        return path
    with zipfile.ZipFile(path, "w") as file:
        for name, (content, date) in files.items():
            file.writestr(zipfile.ZipInfo(name, date or (1980, 1, 1, 0, 0, 0)), content)
    return path


@pytest.mark.parametrize("make", [archive, folder])
@pytest.mark.parametrize("around", ["ada", "Ada_101_assignsubmission_file_"])
@pytest.mark.parametrize("again", AGAIN)
def test_of_a_repeated_download_the_newest_is_taken_and_both_are_named(
    again, around, make, tmp_path
):
    for number, (plain, repeated) in enumerate([("older", "newer"), ("newer", "older")]):
        files = {f"{around}/attention.ipynb": (notebook(plain), DAYS[plain]),
                 f"{around}/{again}.ipynb": (notebook(repeated), DAYS[repeated])}  # fmt: skip
        source = dated(make, tmp_path / f"in{number}", files)
        (row,) = collect(source, "attention", tmp_path / "out")
        assert row.taken == Taken.TAKEN
        stored = tmp_path / "out" / row.student
        assert (stored / "notebook.ipynb").read_bytes() == notebook("newer")
        assert not list((stored / "files").iterdir())
        taken, left = ("attention", again) if plain == "newer" else (again, "attention")
        assert row.why == (
            f"{taken}.ipynb of 2026-03-02 09:30:00 was taken, and the older {left}.ipynb of "
            "2026-03-01 10:00:00 left"
        )


@pytest.mark.parametrize("make", [archive, folder])
@pytest.mark.parametrize(
    "dates",
    [(DAYS["older"], DAYS["older"]), (DAYS["older"], (2026, 3, 1, 10, 0, 1)),
     (None, DAYS["newer"]), (None, None)],
)  # fmt: skip
def test_of_repeated_downloads_whose_dates_do_not_tell_none_is_guessed(dates, make, tmp_path):
    if make is folder and None in dates and dates[1]:
        pytest.skip("a file system has a date for each file")
    names = ("attention.ipynb", "attention (1).ipynb")
    files = {f"ada/{name}": (GOOD, date) for name, date in zip(names, dates, strict=True)}
    (row,) = collect(dated(make, tmp_path / "in", files), "attention", tmp_path / "out")
    assert row.taken == Taken.REFUSED
    assert "their dates do not tell which is the newest" in row.why
    assert all(name in row.why for name in names)


def test_a_members_impossible_date_is_none(tmp_path):
    files = {"ada/attention.ipynb": (GOOD, (2026, 15, 31, 9, 0, 0)),
             "ada/attention (1).ipynb": (GOOD, DAYS["newer"])}  # fmt: skip
    (row,) = collect(dated(archive, tmp_path / "in", files), "attention", tmp_path / "out")
    assert "attention.ipynb without a date" in row.why


@pytest.mark.parametrize("other", ["attention2", "attention_of_mine", "my attention (1)"])
def test_another_notebook_is_no_repeated_download(other, tmp_path):
    files = {"ada/attention.ipynb": (notebook("own"), DAYS["older"]),
             f"ada/{other}.ipynb": (notebook("other"), DAYS["newer"])}  # fmt: skip
    (row,) = collect(dated(archive, tmp_path / "in", files), "attention", tmp_path / "out")
    assert (row.taken, row.why) == (
        Taken.TAKEN,
        f"attention.ipynb was taken, and not {other}.ipynb of 2026-03-02 09:30:00 beside it",
    )
    assert (tmp_path / "out/ada/notebook.ipynb").read_bytes() == notebook("own")
    assert (tmp_path / "out/ada/files" / f"{other}.ipynb").read_bytes() == notebook("other")


@pytest.mark.parametrize("make", [archive, folder])
def test_a_notebook_of_the_right_name_is_found_below_others_with_what_it_needs(make, tmp_path):
    work = "ada/work"
    files = {"ada/scratch.ipynb": (notebook("scratch"), DAYS["newer"]),
             f"{work}/attention.ipynb": (notebook("own"), DAYS["newer"]),
             f"{work}/old/attention.ipynb": (notebook("old"), DAYS["older"]),
             f"{work}/helper.py": (b"x = 1", DAYS["older"]),
             "ada/helper.py": (b"x = 2", DAYS["newer"]),
             f"{work}/old/data.txt": (b"1", DAYS["older"])}  # fmt: skip
    (row,) = collect(dated(make, tmp_path / "in", files), "attention", tmp_path / "out")
    assert row.taken == Taken.TAKEN
    assert row.why == (
        "work/attention.ipynb of 2026-03-02 09:30:00 was taken, and the older "
        "work/old/attention.ipynb of 2026-03-01 10:00:00 left; work/attention.ipynb was taken, and "
        "not scratch.ipynb of 2026-03-02 09:30:00 beside it; helper.py was left out: another file "
        "has its name; data.txt was left out: its name cannot be kept"
    )
    assert (tmp_path / "out/ada/notebook.ipynb").read_bytes() == notebook("own")
    assert (tmp_path / "out/ada/files/helper.py").read_bytes() == b"x = 1"


def test_notebooks_of_other_names_are_named_where_none_is_taken(tmp_path):
    files = {f"ada/{number}.ipynb": GOOD for number in range(7)} | {"ben/attention.ipynb": GOOD}
    (row, _) = collect(archive(tmp_path / "in", files), "attention", tmp_path / "out")
    assert (row.taken, row.why) == (
        Taken.REFUSED,
        "7 notebooks were handed in, and none of them is named attention.ipynb: 0.ipynb and "
        "1.ipynb and 2.ipynb and 3.ipynb and 4.ipynb and 2 more",
    )


def test_a_packed_file_is_refused_by_its_name_and_says_what_to_hand_in(tmp_path):
    inner = archive(tmp_path / "work.zip", {"attention.ipynb": GOOD}).read_bytes()
    path = "Ada_101_assignsubmission_file_/work.zip"
    (row,) = collect(archive(tmp_path / "in.zip", {path: inner}), "attention", tmp_path / "out")
    assert row.taken == Taken.REFUSED
    assert row.why == (
        "work.zip was handed in, and a packed file is not opened; hand in the .ipynb itself"
    )


def test_collecting_again_replaces_what_was_taken(tmp_path):
    source = folder(tmp_path / "in", {"al/attention.ipynb": GOOD, "al/a.txt": b"a"})
    collect(source, "attention", tmp_path / "out")
    (source / "al" / "a.txt").unlink()
    collect(source, "attention", tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["al"]
    assert not list((tmp_path / "out" / "al" / "files").iterdir())
