"""The built site and the browser, for the tests that read it as readers do."""

import pytest
from built import ROOT, SITE
from playwright.sync_api import sync_playwright

from browser import ADVICE, arguments, find_browser  # isort: skip


@pytest.fixture(scope="session")
def site():
    """The folder of the built site."""
    if not (SITE / "index.html").exists():
        pytest.fail(f"there is no site in {SITE.relative_to(ROOT)}: run make book first")
    return SITE


@pytest.fixture(scope="session")
def browser():
    """One browser for all pages."""
    executable = find_browser()
    if executable is None:
        pytest.fail(f"no Chromium or Chrome was found. {ADVICE}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(executable), args=arguments())
        yield browser
        browser.close()
