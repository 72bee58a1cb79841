"""Whose a submission is: a folder around all students is none, and nobody takes another's name."""

import os
import pwd
import zipfile

import pytest
from softlookup_coursework.common.limits import IntakeLimits
from softlookup_coursework.common.untrusted_files import Refused
from softlookup_coursework.intake.collect import MISREAD, Taken, collect
from softlookup_coursework.intake.folder import members
from softlookup_coursework.intake.owners import owner_of
from test_intake import GOOD, archive, folder, notebook

WRAPPED = {
    "folders of students": ["ada/attention.ipynb", "ben/attention.ipynb", "ben/data.txt"],
    "a notebook a student": ["ada.ipynb", "ben.ipynb"],
    "nbgrader's submitted": ["ada/attention/attention.ipynb", "ben/attention/attention.ipynb"],
    "nbgrader's inbound": ["ada+attention+2026-03-01 10:00:00 UTC/attention.ipynb",
                           "ben+attention+2026-03-01 11:00:00 UTC/attention.ipynb"],
    "moodle": ["Ada_101_assignsubmission_file_/x.ipynb",
               "Ben_102_assignsubmission_file_/y.ipynb"],
    "moodle without folders": ["Ada_101_assignsubmission_file_x.ipynb",
                               "Ben_102_assignsubmission_file_data.txt",
                               "Ben_102_assignsubmission_file_y.ipynb"],
    "canvas": ["adaada_101_5003_attention.ipynb", "benben_102_5004_attention.ipynb"],
}  # fmt: skip


@pytest.mark.parametrize("make", [archive, folder])
@pytest.mark.parametrize("around", ["handed_in", "all/handed_in"])
@pytest.mark.parametrize("name", WRAPPED)
def test_a_folder_around_the_students_is_no_student(name, around, make, tmp_path):
    files = {f"{around}/{path}": GOOD for path in WRAPPED[name]}
    rows = collect(make(tmp_path / "in", files), "attention", tmp_path / "out")
    taken = {row.student for row in rows}
    assert taken == ({"101", "102"} if name.startswith(("moodle", "canvas")) else {"ada", "ben"}), (
        rows
    )
    assert {row.taken for row in rows} == {Taken.TAKEN}
    assert {path.name for path in (tmp_path / "out").iterdir()} == taken


@pytest.mark.parametrize(
    ("handed_in", "left", "litter"),
    [
        (["ada/attention.ipynb"], "ben", None),
        (["all/ada/attention.ipynb", "all/cleo/attention.ipynb"], "all/ben", ".DS_Store"),
        (["ada/attention/attention.ipynb"], "ben/attention", None),
        (
            ["inbound/ada+attention+2026-03-01 10:00:00 UTC/attention.ipynb"],
            "inbound/ben+attention+2026-03-01 11:00:00 UTC",
            "timestamp.txt",
        ),
    ],
)
def test_a_student_whose_folder_is_empty_is_not_lost(handed_in, left, litter, tmp_path):
    source = folder(tmp_path / "in", dict.fromkeys(handed_in, GOOD))
    (source / left).mkdir(parents=True)
    if litter:
        (source / left / litter).write_text("2026-03-01 11:00:00 UTC")
    rows = {row.student: row for row in collect(source, "attention", tmp_path / "out")}
    assert rows.keys() >= {"ada", "ben"}
    assert rows["ada"].taken == Taken.TAKEN
    assert (rows["ben"].taken, rows["ben"].why) == (Taken.REFUSED, "no notebook was handed in")


@pytest.mark.parametrize("left", ["ben/", "ben/.attention.ipynb", "ben/attention/"])
@pytest.mark.parametrize("around", ["", "all/"])
def test_a_student_whose_folder_in_a_zip_is_empty_is_not_lost(around, left, tmp_path):
    names = [f"{around}{name}" for name in ("ada/attention.ipynb", left, "cleo/attention.ipynb")]
    rows = collect(
        archive(tmp_path / "in", dict.fromkeys(names, GOOD)), "attention", tmp_path / "out"
    )
    assert [(row.student, row.taken, row.why) for row in rows] == [
        ("ada", Taken.TAKEN, ""),
        ("ben", Taken.REFUSED, "no notebook was handed in"),
        ("cleo", Taken.TAKEN, ""),
    ]


def test_what_a_mac_packs_beside_a_folder_is_no_student(tmp_path):
    names = ("handed_in/ada/attention.ipynb", "handed_in/ben/attention.ipynb")
    hidden = ("._handed_in", "handed_in/._ada", "handed_in/ada/._attention.ipynb")
    files = dict.fromkeys((*names, "handed_in/.DS_Store"), GOOD)
    files |= dict.fromkeys(("__MACOSX/", *(f"__MACOSX/{name}" for name in hidden)), b"")
    rows = collect(archive(tmp_path / "in.zip", files), "attention", tmp_path / "out")
    assert [(row.student, row.taken) for row in rows] == [("ada", "taken"), ("ben", "taken")]


def unflagged(path, files):
    """An archive in whose headers nothing says that the names are UTF-8; names are bytes."""
    with zipfile.ZipFile(path, "w") as file:
        for number, content in enumerate(files.values()):
            file.writestr(f"{number:02}".ljust(len([*files][number]), "x"), content)
    packed = path.read_bytes()
    for number, name in enumerate(files):
        packed = packed.replace(f"{number:02}".ljust(len(name), "x").encode(), name)
    path.write_bytes(packed)
    return path


@pytest.mark.parametrize("around", ["", "all/"])
def test_names_in_a_zip_are_read_as_they_were_written_whatever_it_says_of_them(around, tmp_path):
    students = ["José", "Zoe\u0308 Müller", "李", "さくら", "あい", "Ada"]
    files = {f"{around}{name}/attention.ipynb".encode(): GOOD for name in students}
    files |= {f"{around}Ben Ä/".encode(): b"", f"{around}李/größe.txt".encode(): b"1"}
    rows = collect(unflagged(tmp_path / "in.zip", files), "attention", tmp_path / "out")
    taken = {row.student: row.why for row in rows if row.taken == Taken.TAKEN}
    assert taken == dict.fromkeys(["José", "Zoë Müller", *students[2:]], "")
    assert [row.student for row in rows if row.taken == Taken.REFUSED] == ["Ben Ä"]
    assert (tmp_path / "out/李/files/größe.txt").exists()


def test_a_name_in_a_zip_that_may_be_another_is_pointed_out(tmp_path):
    files = {name + b"/attention.ipynb": GOOD for name in (b"Jos\x82", b"Ada", "José".encode())}
    rows = collect(unflagged(tmp_path / "in.zip", files), "attention", tmp_path / "out")
    (ada, jose) = rows
    assert (ada.student, ada.why) == ("Ada", "")
    assert (jose.student, jose.taken) == ("José", Taken.REFUSED)
    assert "2 notebooks" in jose.why
    alone = {b"Jos\x82/attention.ipynb": GOOD, b"Ada/attention.ipynb": GOOD}
    _, jose = collect(unflagged(tmp_path / "in.zip", alone), "attention", tmp_path / "out")
    assert (jose.student, jose.taken) == ("José", Taken.TAKEN)
    assert jose.why == MISREAD


@pytest.mark.parametrize("name", ["b\u0085d", "bad/..", "b\u2028d"])
def test_a_name_leads_nowhere_else_whatever_it_is_read_as(name, tmp_path):
    files = {f"{name}/attention.ipynb".encode(): GOOD, "Ö/attention.ipynb".encode(): GOOD}
    rows = collect(unflagged(tmp_path / "in.zip", files), "attention", tmp_path / "out")
    assert sorted(row.taken for row in rows) == [Taken.REFUSED, Taken.TAKEN]
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["Ö"]


def test_no_folder_is_exchanged_for_a_link_before_it_is_read(tmp_path):
    for name in ("in/mal", "teachers"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "attention.ipynb").write_bytes(GOOD)
    with members(tmp_path / "in", IntakeLimits()) as (theirs,):
        (tmp_path / "in/mal").rename(tmp_path / "own")
        (tmp_path / "in/mal").symlink_to(tmp_path / "teachers")
        with pytest.raises(Refused, match="unreadable: Not a directory"):
            theirs.read(1000)


def test_a_folder_of_another_assignment_is_no_student_of_this_one(tmp_path):
    name = "inbound/ada+{}+2026-03-01 10:00:00 UTC"
    source = folder(tmp_path / "in", {f"{name.format('attention')}/attention.ipynb": GOOD})
    (source / name.format("other").replace("ada", "ben")).mkdir()
    rows = collect(source, "attention", tmp_path / "out")
    assert [row.student for row in rows] == ["ada"]


def test_a_student_alone_is_not_taken_for_a_folder_around_others(tmp_path):
    for number, path in enumerate(("attention.ipynb", "attention/attention.ipynb", "own.ipynb")):
        files = {f"ada/{path}": GOOD, "ada/data/numbers.txt": b"1"}
        rows = collect(folder(tmp_path / f"in{number}", files), "attention", tmp_path / "out")
        assert [(row.student, row.taken) for row in rows] == [("ada", Taken.TAKEN)], path


def test_a_folder_that_may_be_a_student_or_around_one_is_asked_about(tmp_path):
    source = archive(tmp_path / "late.zip", {"late/ada/attention.ipynb": GOOD})
    (row,) = collect(source, "attention", tmp_path / "out")
    assert (row.student, row.taken) == ("", Taken.REFUSED)
    assert "is late a student, or a folder around the student ada?" in row.why
    assert not (tmp_path / "out").exists()


def test_a_notebook_that_compresses_well_is_taken(tmp_path):
    flat = notebook("x = 1" + " " * 190_000)
    with zipfile.ZipFile(tmp_path / "in.zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("ada/attention.ipynb", flat)
    (packed,) = zipfile.ZipFile(tmp_path / "in.zip").infolist()
    assert packed.file_size > 500 * packed.compress_size
    (row,) = collect(tmp_path / "in.zip", "attention", tmp_path / "out")
    assert (row.student, row.taken) == ("ada", Taken.TAKEN)


OWN, OTHER = notebook("own"), notebook("other")


@pytest.mark.parametrize("make", [archive, folder])
@pytest.mark.parametrize("numbers", [(1001, 1002), (1002, 1001)])
@pytest.mark.parametrize("late", ["", "LATE_"])
@pytest.mark.parametrize("beside", [("helper.py", b"x = 1"), ("scratch.ipynb", OTHER)])
def test_a_file_beside_the_notebook_is_no_attempt_in_canvas(beside, late, numbers, make, tmp_path):
    name, content = beside
    files = {
        f"adaada_{late}11_{numbers[0]}_attention.ipynb": OWN,
        f"adaada_{late}11_{numbers[1]}_{name}": content,
        "benben_12_1003_attention.ipynb": GOOD,
    }
    rows = collect(make(tmp_path / "in", files), "attention", tmp_path / "out")
    assert [(row.student, row.taken) for row in rows] == [("11", "taken"), ("12", "taken")]
    assert (tmp_path / "out/11/notebook.ipynb").read_bytes() == OWN
    assert (tmp_path / "out/11/files" / name).read_bytes() == content
    assert rows[0].why == (
        f"attention.ipynb was taken, and not {name} (Canvas's number {numbers[1]}) beside it"
        if content is OTHER
        else ""
    )


@pytest.mark.parametrize("make", [archive, folder])
@pytest.mark.parametrize(("plain", "again"), [("", "-1"), ("-1", "-2"), ("", "")])
def test_of_two_uploads_to_canvas_the_later_is_graded_and_both_are_named(
    plain, again, make, tmp_path
):
    files = {
        f"adaada_11_999_attention{plain}.ipynb": OTHER,
        f"adaada_11_1001_attention{again}.ipynb": OWN,
        "adaada_11_998_helper.py": b"older",
        "adaada_11_1000_helper.py": b"newer",
    }
    (row,) = collect(make(tmp_path / "in", files), "attention", tmp_path / "out")
    assert row.taken == Taken.TAKEN
    assert row.why == (
        f"attention{again}.ipynb (Canvas's number 1001) was taken, and the older "
        f"attention{plain}.ipynb (Canvas's number 999) left; helper.py was left out: another file "
        "has its name"
    )
    assert (tmp_path / "out/11/notebook.ipynb").read_bytes() == OWN
    assert (tmp_path / "out/11/files/helper.py").read_bytes() == b"newer"


@pytest.mark.parametrize("make", [archive, folder])
def test_what_canvas_may_have_numbered_is_kept_under_both_names(make, tmp_path):
    there = {"helper-2.py": b"2", "day-1.csv": b"a", "day-02.csv": b"b", "a.txt": b"0",
             "a-1.txt": b"1"}  # fmt: skip
    files = {"adaada_11_1_attention-2.ipynb": GOOD}
    files |= {f"adaada_11_{number}_{name}": there[name] for number, name in enumerate(there, 5)}
    (row,) = collect(make(tmp_path / "in", files), "attention", tmp_path / "out")
    kept = {path.name: path.read_bytes() for path in (tmp_path / "out/11/files").iterdir()}
    assert kept == there | {"helper.py": b"2", "day.csv": b"b"}
    assert "a-1.txt lies beside a.txt, and may be a newer upload of it" in row.why
    assert "day" not in row.why


@pytest.mark.parametrize("make", [archive, folder])
def test_canvas_loses_nobody_who_is_marked_blind_or_typed_instead_of_uploading(make, tmp_path):
    files = {
        "anon_x7Fq2_1001_attention.ipynb": GOOD,
        "anon_x7Fq2_1002_helper.py": b"x = 1",
        "LATE_anon_7b2Rz_1003_attention.ipynb": GOOD,
        "evaeva_13_text.html": b"<p>It did not run.",
        "leoleo_LATE_14_link.html": b"<a>",
    }
    rows = collect(make(tmp_path / "in", files), "attention", tmp_path / "out")
    assert [(row.student, row.taken) for row in rows] == [
        ("13", "refused"), ("14", "refused"), ("anon_7b2Rz", "taken"), ("anon_x7Fq2", "taken"),
    ]  # fmt: skip
    assert (tmp_path / "out/anon_x7Fq2/files/helper.py").exists()


@pytest.mark.parametrize("make", [archive, folder])
def test_moodle_without_folders_tells_whose_each_file_is(make, tmp_path):
    files = {
        "Ada Byron_101_assignsubmission_file_attention.ipynb": GOOD,
        "Ada Byron_101_assignsubmission_onlinetext_onlinetext.html": b"<p>see the file",
        "Ben_Li_102_assignsubmission_file_attention.zip": b"PK",
    }
    ada, ben = collect(make(tmp_path / "in", files), "attention", tmp_path / "out")
    assert (ada.student, ada.name, ada.taken) == ("101", "Ada Byron", Taken.TAKEN)
    assert (ben.student, ben.name, ben.taken) == ("102", "Ben_Li", Taken.REFUSED)
    assert "attention.zip was handed in, and a packed file is not opened" in ben.why


@pytest.mark.parametrize("make", [archive, folder])
def test_the_name_of_a_file_does_not_say_whose_it_is(make, tmp_path):
    given = "Mal_111_assignsubmission_file_"
    files = {f"{given}Ben_102_assignsubmission_file_attention.ipynb": GOOD}
    (row,) = collect(make(tmp_path / "in", files), "attention", tmp_path / "out")
    assert (row.student, row.name, row.taken) == ("111", "Mal", Taken.TAKEN)


def test_a_name_in_the_exchange_may_hold_a_plus(tmp_path):
    name = "ada+spring@example.org+attention+2026-03-01 10:00:00 UTC"
    source = folder(tmp_path / "in", {f"{name}/attention.ipynb": GOOD})
    (row,) = collect(source, "attention", tmp_path / "out")
    assert (row.student, row.taken) == ("ada+spring@example.org", Taken.TAKEN)


@pytest.mark.parametrize("make", [archive, folder])
def test_what_lies_among_the_notebooks_and_is_none_stands_in_the_table(make, tmp_path):
    left = {"ben.zip", "cleo.docx", "marks.csv"}
    files = {"ada.ipynb": GOOD, ".DS_Store": b"", **dict.fromkeys(left, b"PK")}
    rows = collect(make(tmp_path / "in", files), "attention", tmp_path / "out")
    assert {(row.student, row.source) for row in rows} == {("ada", "ada.ipynb")} | {
        ("", name) for name in left
    }
    assert all("whose is it?" in row.why for row in rows if row.taken == Taken.REFUSED)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["ada"]


@pytest.mark.parametrize("make", [archive, folder])
@pytest.mark.parametrize("ending", [".IPYNB", ".ipynb.txt", ".ipynb.json", ".Ipynb.TXT"])
@pytest.mark.parametrize("path", ["ada", "ada/attention", "adaada_101_5003_attention"])
def test_a_notebook_is_one_whatever_a_browser_made_of_its_ending(path, ending, make, tmp_path):
    source = make(tmp_path / "in", {f"{path}{ending}": GOOD, "ben/attention.ipynb": GOOD})
    rows = collect(source, "attention", tmp_path / "out")
    assert {row.taken for row in rows} == {Taken.TAKEN}, rows
    assert {row.student for row in rows} == {"101" if "101" in path else "ada", "ben"}


EXCHANGE = {
    "ada+attention+2026-03-01 10:00:00 UTC": "ada",
    "ada+attention+2026-03-02 10:00:00 UTC": "mal",
    "ben+attention+2026-03-01 10:00:00 UTC": "mal",
    "mal+attention+2026-03-01 10:00:00 UTC": "mal",
    "mal+attention+2026-03-02 10:00:00 UTC": "mal",
}


@pytest.mark.parametrize(
    ("owners", "ada", "ben", "mal"),
    [
        (EXCHANGE, "ada's own", "belongs to mal, who is not this student", ""),
        (dict.fromkeys(EXCHANGE, "teacher"), "mal's", "", "cannot be told here"),
    ],
    ids=["in the exchange", "copied by the teacher"],
)
def test_nobody_silently_supersedes_another_in_the_exchange(
    owners, ada, ben, mal, tmp_path, monkeypatch
):
    contents = {name: notebook(f"{maker}'s own") for name, maker in EXCHANGE.items()}
    files = {f"{name}/attention.ipynb": content for name, content in contents.items()}
    source = folder(tmp_path / "inbound", files)
    monkeypatch.setattr(
        "softlookup_coursework.intake.folder.owner_of", lambda path: owners[path.parent.name]
    )
    rows = collect(source, "attention", tmp_path / "out")
    taken = {row.student: row for row in rows if row.taken == Taken.TAKEN}
    assert ada in (tmp_path / "out/ada/notebook.ipynb").read_text()
    assert ben in taken["ben"].why
    assert mal in taken["mal"].why
    aside = [row for row in rows if row.taken == Taken.SET_ASIDE]
    if owners is EXCHANGE:
        assert [(row.student, row.source[:27]) for row in aside] == [
            ("ada", "ada+attention+2026-03-02 10")
        ]
        assert "belongs to mal" in aside[0].why
        assert not taken["ada"].why
    else:
        assert not aside
        assert "cannot be told here" in taken["ada"].why


def test_a_files_owner_is_known_by_name(tmp_path):
    (tmp_path / "mine").touch()
    assert owner_of(tmp_path / "mine") == pwd.getpwuid(os.getuid()).pw_name
    assert owner_of(tmp_path / "gone") == ""


@pytest.mark.parametrize("make", [archive, folder])
def test_a_name_in_canvas_that_can_be_read_in_two_ways_moves_nobodys_mark(make, tmp_path):
    files = {
        "x_105_104_5004_attention.ipynb": OTHER,
        "group_1_102_5002_attention.ipynb": OTHER,
        "max_power_103_5003_attention.ipynb": GOOD,
        "test_student_101_5005_attention.ipynb": GOOD,
        "test_student_101_5006_helper.py": b"x = 1",
        "adaada_LATE_11_1001_01_attention.ipynb": GOOD,
        "_13_1003_attention.ipynb": GOOD,
    }
    rows = collect(make(tmp_path / "in", files), "attention", tmp_path / "out")
    assert [row.student for row in rows if row.taken == "taken"] == ["101", "103", "11", "13"]
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"101", "103", "11", "13"}
    assert (tmp_path / "out/101/files/helper.py").exists()
    first, second = (row for row in rows if row.taken == "refused")
    assert (first.student, second.student) == ("", "")
    assert "whose is it? By its name of 1, called group or 102, called group_1" in first.why
    assert "of 105, called x or 104, called x_105; nobody got it" in second.why
    put = folder(
        tmp_path / "told",
        {
            "104/x_105_104_5004_attention.ipynb": OTHER,
            "103/max_power_103_5003_attention.ipynb": GOOD,
        },
    )
    rows = collect(put, "attention", tmp_path / "out")
    assert [(row.student, row.taken) for row in rows] == [("103", "taken"), ("104", "taken")]
    alone = make(tmp_path / "alone", {"104/x_105_104_5004_attention.ipynb": OTHER})
    rows = collect(alone, "attention", tmp_path / "out")
    assert [(row.student, row.taken) for row in rows] == [("104", "taken")]


@pytest.mark.parametrize("make", [archive, folder])
def test_what_a_student_handed_in_beside_it_tells_how_a_name_in_canvas_is_read(make, tmp_path):
    files = {
        "x_105_104_5004_attention.ipynb": OTHER,
        "vicvic_105_5001_attention.ipynb": OWN,
        "anon_power_106_5007_attention.ipynb": GOOD,
        "anon_abcde_107_5008_attention.ipynb": GOOD,
    }
    rows = collect(make(tmp_path / "in", files), "attention", tmp_path / "out")
    assert [(row.student, row.taken) for row in rows] == [
        ("104", "taken"), ("105", "taken"), ("106", "taken"), ("107", "taken"),
    ]  # fmt: skip
    assert [row.name for row in rows] == ["x_105", "vicvic", "anon_power", "anon_abcde"]
    assert (tmp_path / "out/105/notebook.ipynb").read_bytes() == OWN
    blind = ["anon_aB3x9_1001_12_attention.ipynb", "anon_12345_1002_attention.ipynb",
             "LATE_anon_7b2Rz_1003_attention.ipynb"]  # fmt: skip
    rows = collect(make(tmp_path / "blind", dict.fromkeys(blind, GOOD)), "attention",
                   tmp_path / "out")  # fmt: skip
    assert [row.student for row in rows] == ["anon_12345", "anon_7b2Rz", "anon_aB3x9"]
    assert not any(row.name for row in rows)


def test_a_file_of_a_student_alone_makes_no_download_of_their_folder(tmp_path):
    files = {"ada/attention.ipynb": GOOD, "ada/my_run_3_5_data.csv": b"1"}
    (row,) = collect(folder(tmp_path / "in", files), "attention", tmp_path / "out")
    assert (row.student, row.taken) == ("ada", Taken.TAKEN)


@pytest.mark.parametrize("make", [archive, folder])
@pytest.mark.parametrize("around", ["", "all/"])
@pytest.mark.parametrize(
    "name", ["moodle", "moodle without folders", "canvas", "nbgrader's inbound"]
)
def test_two_downloads_in_one_folder_are_no_two_students(name, around, make, tmp_path):
    files = {f"{around}{group}/{path}": GOOD for group in ("G1", "G2") for path in WRAPPED[name]}
    files |= {f"{around}eve/attention.ipynb": GOOD, f"{around}eve/run_3_5_my.ipynb": GOOD}
    rows = collect(make(tmp_path / "in", files), "attention", tmp_path / "out")
    assert [row.student for row in rows] == ["", "", "eve"], rows
    assert all("holds a whole download" in row.why for row in rows[:2])
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["eve"]
