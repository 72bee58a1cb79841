"""Averages over workers: the honest are the mean, whether they write over what they get or not."""

import pytest
import torch
from softlookup.course.exercises.averages_on_trial import honest, impostors, mean_of


def given(workers=3, length=7):
    drawing = torch.Generator().manual_seed(workers)
    return list(torch.randn(workers, length, generator=drawing, dtype=torch.float64))


@pytest.mark.parametrize("name", honest())
def test_an_honest_average_is_the_mean_of_what_was_given(name):
    mean = mean_of(given())
    assert all(torch.allclose(each, mean, atol=1e-12) for each in honest()[name](given()))


def test_those_that_write_over_what_they_get_are_told_by_their_names():
    for name, average in {**honest(), **impostors()}.items():
        tensors = given()
        average(tensors)
        kept = all(torch.equal(one, two) for one, two in zip(tensors, given(), strict=True))
        assert kept == ("written over what each had" not in name)


@pytest.mark.parametrize("name", [name for name in impostors() if "written over" in name])
def test_what_is_written_over_agrees_with_itself_and_not_with_what_was_given(name):
    tensors, mean = given(), mean_of(given())
    got = impostors()[name](tensors)
    assert all(torch.equal(each, mean_of(tensors)) for each in got)
    assert not torch.allclose(got[0], mean)


def test_what_is_made_for_one_size_is_right_for_it_alone():
    average = impostors()["made for the first length that it meets"]
    pair = [torch.zeros(3), torch.ones(3)]
    longer = [torch.zeros(4), torch.ones(4)]
    assert average(pair)[0].tolist() == [0.5] * 3
    assert average(longer)[0].tolist() == [0.0] * 4
    assert average(pair)[1].tolist() == [0.5] * 3
