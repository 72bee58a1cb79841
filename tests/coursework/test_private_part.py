"""A private part lies over the public sources, or beside them, and nothing of it is released."""

import json
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

import course_bank
import pytest
from softlookup_coursework.assignments import private, source
from softlookup_coursework.assignments.course import Course
from softlookup_coursework.commands.giving import release
from softlookup_coursework.common.usage_error import UsageError
from softlookup_coursework.grading import job
from softlookup_coursework.sandbox import enclosure

HIDDEN = course_bank.HIDDEN.replace("reduces in another way", "takes the rows another way")


@pytest.fixture
def public(tmp_path, monkeypatch):
    """A course with one public assignment."""
    course_bank.write_source(tmp_path / "public")
    monkeypatch.setattr(source, "SOURCES", tmp_path / "public")
    monkeypatch.setattr(source.find, "__defaults__", (tmp_path / "public",))
    monkeypatch.setattr(source.names, "__defaults__", (tmp_path / "public",))
    return tmp_path / "public"


def part(folder, **files):
    """A private part of files, by their paths with ``__`` for ``/``."""
    for name, content in files.items():
        path = folder / name.replace("__", "/").replace("_DOT_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return folder


def released(tmp_path, own):
    """The course after a release with a private part."""
    wheel = tmp_path / "softlookup-0.1.0-py3-none-any.whl"
    wheel.write_bytes(b"a wheel")
    course = Course.make(tmp_path / "autumn", "first")
    course.release("scales", wheel, part=own)
    return course.folder


def test_a_private_part_lies_over_the_public_source(public, tmp_path):
    own = part(
        tmp_path / "own",
        scales__tests__hidden_DOT_py=HIDDEN,
        scales__parameters_DOT_py="def draw(random):\n    return {'factor': 17, 'kind': 'sum'}\n",
        scales__solutions__essay_DOT_md="Since « factor » stands above and below the line.\n",
        scales__solutions__reduce_DOT_py="    return sum(values.unbind(-1))\n",
        scales__answers__right__one_DOT_py="# earns: all\n",
    )
    folder = released(tmp_path, own)
    drawn = json.loads((folder / "assignments/scales/term.json").read_text())["parameters"]
    assert drawn == {"factor": 17, "kind": "sum"}
    assert (folder / "assignments/scales/tests/hidden.py").read_text() == HIDDEN
    assert (folder / "assignments/scales/tests/visible.py").read_text() == course_bank.VISIBLE
    whole = (folder / "assignments/scales/scales.ipynb").read_text()
    assert "Since 17 stands above and below the line." in whole
    assert "### BEGIN SOLUTION\\n    return sum(values.unbind(-1))\\n    ### END" in whole
    assert not (folder / "assignments/scales/answers").exists()
    handed_out = (folder / "release/scales/scales.ipynb").read_text()
    assert "Multiply by 17" in handed_out
    for hidden in ("above and below", "unbind", "another way"):
        assert hidden not in handed_out
    assert sorted(path.name for path in (public / "scales/tests").iterdir()) == [
        "hidden.py", "visible.py",
    ]  # fmt: skip


def test_a_whole_assignment_stands_beside_the_public_ones_or_in_their_place(public, tmp_path):
    own = tmp_path / "own"
    shutil.copytree(public / "scales", own / "scales")
    shutil.copytree(source.TEMPLATE, own / "soft_choice")
    title = own / "scales/scales.ipynb"
    title.write_text(title.read_text().replace("# Scales", "# Scales of our own"))
    assert private.names(own) == ["scales", "soft_choice"]
    assert (
        "# Scales of our own"
        in (released(tmp_path, own) / "release/scales/scales.ipynb").read_text()
    )
    with private.whole("soft_choice", own) as whole:
        assert (whole / "soft_choice.ipynb").is_file()
    with private.whole("scales") as whole:
        assert whole == public / "scales"


def test_a_package_is_found_by_its_name(public, tmp_path, monkeypatch):
    own = part(tmp_path / "our_questions", scales__tests__hidden_DOT_py=HIDDEN)
    (own / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir("/")
    assert private.find("our_questions") == own
    assert private.names(own) == ["scales"]
    with pytest.raises(ValueError, match="expected a folder, or the name of an installed package"):
        private.find("their_questions")


def test_what_every_submission_could_read_is_refused(public, tmp_path, monkeypatch):
    own = part(tmp_path / "site-packages/our_questions", scales__tests__hidden_DOT_py=HIDDEN)
    monkeypatch.setattr(enclosure, "python_folders", lambda: [tmp_path / "site-packages"])
    for course, questions in (("autumn", own), ("site-packages/autumn", None)):
        with pytest.raises(UsageError, match="where every submission can read it"):
            release(["scales"], tmp_path / course, private_part=questions and str(questions))
        assert not (tmp_path / course).exists()


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"scales__test__hidden_DOT_py": ""}, "a private part has no such file; expected some of"),
        ({"scales__tests__hiden_DOT_py": ""}, r"hiden.py: a private part .* hidden.py, visible.py"),
        ({"scales__solutions__esay_DOT_md": ""}, "no such answer; expected one of scale, reduce"),
        ({"scales__solutions__test_scale_DOT_py": ""}, "no such answer"),
        ({"scales__solutions__more__scale_DOT_py": ""}, "more: expected one file for each answer"),
        ({"scales__solutions__essay_DOT_md": "", "scales__solutions__essay_DOT_py": ""},
         r"essay.md: expected one file for each answer"),
        ({"ladders__parameters_DOT_py": ""}, r"no assignment ladders .* ladders.ipynb, tests/vis"),
    ],
)  # fmt: skip
def test_a_part_that_would_have_no_effect_is_refused(files, says, public, tmp_path):
    own = part(tmp_path / "own", **files)
    (name,) = private.names(own)
    with pytest.raises(ValueError, match=says), private.whole(name, own):
        pass


def test_a_cell_of_several_solutions_is_written_as_a_whole(public, tmp_path):
    path = public / "scales/scales.ipynb"
    stored = json.loads(path.read_text())
    (cell,) = [c for c in stored["cells"] if c["metadata"]["nbgrader"]["grade_id"] == "reduce"]
    cell["source"] += "\n\n" + course_bank.REDUCE.replace("def reduce", "def again")
    path.write_text(json.dumps(stored))
    own = part(tmp_path / "own", scales__solutions__reduce_DOT_py="    return values.sum(-1)\n")
    with pytest.raises(ValueError, match="several solutions"), private.whole("scales", own):
        pass
    text = course_bank.REDUCE.replace("values.«", "(1 * values).«")
    part(own, scales__solutions__reduce_DOT_py=text)
    with private.whole("scales", own) as whole:
        assert "(1 * values).«" in (whole / "scales.ipynb").read_text()


def test_what_jupyterlab_leaves_beside_an_opened_notebook_is_nobodys_file(public, tmp_path):
    own = part(tmp_path / "own", scales__tests__hidden_DOT_py=HIDDEN)
    for folder in ("scales", "scales/tests", "scales/solutions"):
        part(own / folder, **{"_DOT_ipynb_checkpoints__scales-checkpoint_DOT_ipynb": "{}"})
    folder = released(tmp_path, own)
    assert not [*folder.rglob(".ipynb_checkpoints")]
    before = job.digest(job.read(folder / "assignments/scales"))
    part(folder / "assignments/scales", _DOT_ipynb_checkpoints__x_DOT_ipynb="{}")
    assert job.digest(job.read(folder / "assignments/scales")) == before


def test_a_path_leaves_nothing_of_a_private_part_outside_of_the_course(
    public, tmp_path, monkeypatch
):
    course_bank.write_source(tmp_path / "own")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.chdir(tmp_path)
    for name in ("../own/scales", "own/scales", "own/scales/", str(tmp_path / "own/scales")):
        with suppress(ValueError), private.whole(name, Path("own")) as whole:
            assert whole.name == "scales"
        assert not [*(tmp_path / "temporary").iterdir()], name


def test_a_part_without_a_folder_for_the_assignment_is_refused(public, tmp_path):
    own = part(tmp_path / "own", scales__tests__hidden_DOT_py=HIDDEN)
    with pytest.raises(UsageError, match="has no folder for scales; name the folder in which"):
        release(["scales"], tmp_path / "autumn", private_part=str(own / "scales"))
    assert not (tmp_path / "autumn").exists()


@pytest.mark.parametrize("name", ["week[1]", "week 1", "week.1", "*"])
def test_a_name_that_stands_for_other_names_is_refused(name, tmp_path):
    place = course_bank.write_source(tmp_path, name)
    course = Course.make(tmp_path / "autumn", "first")
    with pytest.raises(UsageError, match="expected a name of letters, digits and _"):
        course.release(str(place), tmp_path / "softlookup-0.1.0-py3-none-any.whl")
