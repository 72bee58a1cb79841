"""Where the tests of grading run, and a course with marks to export."""

import platform

import pytest
from outgoing import a_result, write_result


@pytest.fixture(scope="session", autouse=True)
def _a_system_that_can_grade():
    """Skip these tests except on Linux, where a missing sandbox is a failure."""
    if platform.system() != "Linux":
        pytest.skip("grading needs Linux")


@pytest.fixture
def handed_in(tmp_path):
    """A course with three submissions, one of which has no mark yet."""
    for student in ("101", "102", "ada"):
        write_result(tmp_path, "positions", student, a_result())
        (tmp_path / "collected" / "positions" / student).mkdir(parents=True)
    (tmp_path / "collected" / "positions" / "late").mkdir()
    return tmp_path
