"""What goes out to students and teachers: a course of it."""

import pytest
from outgoing import a_result, write_result


@pytest.fixture
def handed_in(tmp_path):
    """A course in which three handed in, and one of them has no mark yet."""
    for student in ("101", "102", "ada"):
        write_result(tmp_path, "positions", student, a_result())
        (tmp_path / "collected" / "positions" / student).mkdir(parents=True)
    (tmp_path / "collected" / "positions" / "late").mkdir()
    return tmp_path
