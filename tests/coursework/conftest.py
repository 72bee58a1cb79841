"""The browser in which what goes out to students and teachers is opened."""

import pytest
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
