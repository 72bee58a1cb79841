"""What goes out to students and teachers: a course of it, and the browser that opens it."""

import pytest
from outgoing import a_result, write_result
from playwright.sync_api import sync_playwright

from browser import ADVICE, arguments, find_browser  # isort: skip


@pytest.fixture(scope="session")
def chromium():
    """One browser for all pages."""
    executable = find_browser()
    if executable is None:
        pytest.fail(f"no Chromium or Chrome was found. {ADVICE}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(executable), args=arguments())
        yield browser
        browser.close()


@pytest.fixture
def handed_in(tmp_path):
    """A course in which three handed in, and one of them has no mark yet."""
    for student in ("101", "102", "ada"):
        write_result(tmp_path, "positions", student, a_result())
        (tmp_path / "collected" / "positions" / student).mkdir(parents=True)
    (tmp_path / "collected" / "positions" / "late").mkdir()
    return tmp_path
