"""The built site, for the tests that read it as readers do."""

import pytest
from built import ROOT, SITE


@pytest.fixture(scope="session")
def site():
    """The folder of the built site."""
    if not (SITE / "index.html").exists():
        pytest.fail(f"there is no site in {SITE.relative_to(ROOT)}: run make book first")
    return SITE
