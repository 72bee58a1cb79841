"""What every test runs under: shapes enforced, one thread, one seed, figures without a screen."""

import random

import enforcement
import hypothesis
import matplotlib
import numpy as np
import pytest
import torch

enforcement.install()
matplotlib.use("Agg")

hypothesis.settings.register_profile(
    "course", derandomize=True, deadline=None, database=None, print_blob=True
)
hypothesis.settings.load_profile("course")


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
    from softlookup.seeding import seed_everything

    return seed_everything(0)
