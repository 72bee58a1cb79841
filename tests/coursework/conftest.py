"""Where grading is tried at all, and a course that has something to give out."""

import platform

import pytest
from outgoing import a_result, write_result


@pytest.fixture(scope="session", autouse=True)
def _a_system_that_can_grade():
    """On Linux a sandbox that cannot be had is a failure; elsewhere there is none to be had."""
    if platform.system() != "Linux":
        pytest.skip("grading needs Linux")


@pytest.fixture
def handed_in(tmp_path):
    """A course in which three handed in, and one of them has no mark yet."""
    for student in ("101", "102", "ada"):
        write_result(tmp_path, "positions", student, a_result())
        (tmp_path / "collected" / "positions" / student).mkdir(parents=True)
    (tmp_path / "collected" / "positions" / "late").mkdir()
    return tmp_path
