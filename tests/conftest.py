"""What every test runs under: shapes enforced, one thread, one seed, figures without a screen.

And the browser, which is one for all of them: Playwright starts once in a process.
"""

import random

import enforcement
import matplotlib
import numpy as np
import pytest
import torch

enforcement.install()
matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def _style():
    """A test that sets the course's look does not set it for the next one."""
    with matplotlib.rc_context():
        yield


@pytest.fixture(autouse=True)
def _seed():
    """Each test starts from the same state of chance, in whatever order the tests run."""
    random.seed(0)
    np.random.seed(0)
    torch.manual_seed(0)
    torch.set_num_threads(1)


@pytest.fixture
def generator():
    """A seeded generator, with PyTorch set to compute deterministically."""
    from softlookup.course.seeding import seed_everything

    return seed_everything(0)


@pytest.fixture(scope="session")
def browser():
    """One browser for all pages."""
    # Few tests drive it, and it takes long to import.
    from browser import ADVICE, arguments, find_browser
    from playwright.sync_api import sync_playwright

    executable = find_browser()
    if executable is None:
        pytest.fail(f"no Chromium or Chrome was found. {ADVICE}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(executable), args=arguments())
        yield browser
        browser.close()
