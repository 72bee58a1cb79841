"""What exercises' checks see of a call, they see through the frames of the enforced annotations."""

import enforcement
import pytest


@pytest.fixture(autouse=True)
def _seen_through(monkeypatch):
    from softlookup.course.exercises import compared

    monkeypatch.setattr(compared, "_BETWEEN", compared._BETWEEN + enforcement.FRAMES)
