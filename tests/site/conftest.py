"""The built site, for the tests that read it as readers do."""

import pytest
from built import ROOT, SITE

import gpt_script  # isort: skip


@pytest.fixture(scope="session")
def site():
    """The folder of the built site."""
    if not (SITE / "index.html").exists():
        pytest.fail(f"there is no site in {SITE.relative_to(ROOT)}: run make book first")
    return SITE


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """The folder of the GPT's weights, as they are made with the book."""
    folder = tmp_path_factory.mktemp("made")
    gpt_script.write(folder)
    return folder
