"""The real comparison of pages, whose outcome is stored."""

import pytest
import torch
from softlookup.course.exercises.cached_pages import MEAN_SAVING, surprises
from softlookup.course.exercises.pages_compared import MODELS, PAGES
from softlookup.course.exercises.verdict import Mistake


def test_the_stored_saving_is_that_of_all_pages():
    gains = torch.stack(
        [(surprises("plain", p) - surprises("cached", p)).mean() for p in range(PAGES)]
    )
    assert gains.mean().item() == pytest.approx(MEAN_SAVING, abs=5e-4)


def test_pages_are_of_one_length_nearly_and_hold_surprises():
    lengths = {len(surprises(model, page)) for model in MODELS for page in range(PAGES)}
    assert max(lengths) - min(lengths) <= 1
    assert surprises("plain", 0).min() > 0


def test_what_is_not_in_the_book_is_refused():
    with pytest.raises(Mistake, match="page 120"):
        surprises("plain", PAGES)
