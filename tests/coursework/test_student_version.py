"""What students receive contains no line of a solution, a hidden test or the rubric."""

import json
import subprocess
import sys
import zipfile

import course_bank
import nbformat
import pytest
from softlookup_coursework.assignments import source, student_version
from softlookup_coursework.assignments.term import Term


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return student_version.build_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture
def assignment(tmp_path):
    course_bank.write_source(tmp_path / "sources")
    source.render(tmp_path / "sources" / "scales", tmp_path / "assignment", Term("first"))
    return tmp_path / "assignment"


def everything_in(folder):
    """All the bytes in a folder, with archives unpacked."""
    content = b""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            content += path.name.encode() + path.read_bytes()
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                content += b"".join(archive.read(name) for name in archive.namelist())
    return content


def changed(folder, name, **values):
    """Change a cell of the assignment."""
    path = folder / "scales.ipynb"
    stored = json.loads(path.read_text())
    for cell in stored["cells"]:
        if cell["metadata"]["nbgrader"]["grade_id"] == name:
            cell.update(values)
    path.write_text(json.dumps(stored))


def test_a_release_contains_no_hidden_line(assignment, tmp_path, wheel):
    student_version.make(assignment, tmp_path / "release", wheel)
    content = everything_in(tmp_path / "release")
    drawn = json.loads((assignment / "term.json").read_text())
    visible = {line.strip() for line in course_bank.VISIBLE.splitlines()}
    hidden = (course_bank.HIDDEN + (assignment / "rubric.md").read_text()).splitlines()
    hidden += [f"return {drawn['parameters']['factor']} * values", "It cancels, since"]
    hidden = [line.strip() for line in hidden if line.strip() not in visible]
    telling = [line for line in hidden if len(line) > 9 and not line.startswith("#")]
    assert len(telling) >= 9
    for line in [*telling, "SOLUTION", "hidden.reduces", str(drawn["seed"])]:
        assert line.encode() not in content, line
    assert course_bank.VISIBLE.splitlines()[6].encode() in content  # the search finds what is there
    assert b"def attention(" in content


def test_the_notebook_has_nbgraders_metadata_and_is_locked(assignment, tmp_path, wheel):
    path = student_version.make(assignment, tmp_path / "release", wheel)
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    cells = {cell.metadata.nbgrader.grade_id: cell for cell in notebook.cells}
    assert cells["scale"].source == (
        "def scale(values):\n    # YOUR CODE HERE\n    raise NotImplementedError()\n"
    )
    assert cells["essay"].source.strip() == "YOUR ANSWER HERE"
    assert cells["test_scale"].metadata.editable is False
    assert cells["scale"].metadata.nbgrader.schema_version == 3
    assert "softlookup" not in cells["test_reduce"].metadata
    assert notebook.metadata.softlookup == {"title": "Scales", "hours": 1}


def test_the_wheel_contains_only_the_library_and_can_be_installed(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert "softlookup/course/exercises/coursework.py" in names
    assert not [n for n in names if "softlookup_coursework" in n or n.endswith("entry_points.txt")]
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*command, "--target", tmp_path / "site", wheel], check=True)
    code = "import softlookup.course.exercises.coursework as c; print(c.__file__)"
    ran = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": str(tmp_path / "site")},
        capture_output=True, text=True, check=True, cwd=tmp_path,
    )  # fmt: skip
    assert ran.stdout.startswith(str(tmp_path / "site"))


@pytest.mark.parametrize(
    ("name", "values", "what"),
    [
        ("title", {"source": course_bank.HIDDEN.splitlines()[-1]}, "hidden tests"),
        ("setup", {"source": "def reduces(reduce, *, kind):"}, "hidden tests"),
        ("title", {"source": "Full marks: says that the factor"}, None),
        ("title", {"metadata": {
            "note": "It cancels, since it multiplies both sides.",
            "nbgrader": {"grade_id": "title", "schema_version": 3, "cell_type": "markdown",
                         **course_bank.graded(False, False)}}}, "solution"),
    ],
)  # fmt: skip
def test_a_hidden_line_is_refused_anywhere_in_the_notebook(
    assignment, tmp_path, wheel, name, values, what
):
    changed(assignment, name, **values)
    if what is None:  # what the author shows in the notebook is not hidden
        student_version.make(assignment, tmp_path / "release", wheel)
        return
    with pytest.raises(ValueError, match=f"would show a line of the {what}"):
        student_version.make(assignment, tmp_path / "release", wheel)
    assert not (tmp_path / "release").exists()


def test_a_solution_without_an_end_mark_is_refused(assignment, tmp_path, wheel):
    changed(assignment, "scale", source="### BEGIN SOLUTION\nreturn 3 * values")
    with pytest.raises(RuntimeError, match="no end solution"):
        student_version.make(assignment, tmp_path / "release", wheel)


def test_without_the_librarys_source_it_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setattr(student_version, "PROJECT", tmp_path)
    with pytest.raises(RuntimeError, match="in a clone of the course"):
        student_version.build_wheel(tmp_path)


@pytest.mark.parametrize("name", source.names())
def test_each_assignment_of_the_course_can_be_released(tmp_path, wheel, name):
    source.render(source.find(name), tmp_path / name, Term("some term"))
    path = student_version.make(tmp_path / name, tmp_path / "release", wheel)
    content = path.read_text()
    nbformat.validate(nbformat.reads(content, as_version=4))
    secret = json.loads((tmp_path / name / "term.json").read_text())["seed"]
    for word in ("SOLUTION", "hidden.", str(secret), "«", "»"):
        assert word not in content
    assert "raise NotImplementedError()" in content
    described = source.describe(path)
    stored = json.loads(content)["metadata"]["softlookup"]
    assert described.points == stored["points"] > 0
    assert described.hours > 0
    assert 3 <= len(stored["goals"]) <= 5
