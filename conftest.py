"""What every test needs to have been set first, and how a notebook is collected."""

import os

# Set before any kernel or numerical library starts; see the Makefile for the reason.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("GOMP_SPINCOUNT", "0")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

# How several workers share the tests, and which chapters need no new run.
pytest_plugins = ["workers", "receipts"]
# The sources of the assignments are templates: they have no outputs, and cannot run as they stand.
collect_ignore = ["notebooks/coursework", "notebooks/coursework_template"]


def pytest_collect_file(file_path, parent):
    """Collect a notebook; nbval takes two seconds to import, so only a notebook brings it."""
    if file_path.suffix != ".ipynb":
        return None
    from strict_nbval import collect_notebook

    return collect_notebook(file_path, parent)
