"""Batches without end: each example once in a pass, whole batches, another order each time."""

import itertools

import pytest
from softlookup.data.epochs import endless_batches


def test_all_examples_come_before_any_returns(generator):
    batches = endless_batches(range(35), tuple, 7, generator)
    first, second = ([next(batches) for _ in range(5)] for _ in range(2))
    assert sorted(itertools.chain(*first)) == sorted(itertools.chain(*second)) == [*range(35)]
    assert first != second


def test_what_does_not_fill_a_batch_is_left_out(generator):
    batches = endless_batches(range(17), tuple, 5, generator)
    taken = [next(batches) for _ in range(7)]
    assert {len(examples) for examples in taken} == {5}
    for passed in (taken[:3], taken[3:6]):
        assert len({*itertools.chain(*passed)}) == 15


@pytest.mark.parametrize("batch_size", [0, 14])
def test_impossible_batch_sizes_are_refused(generator, batch_size):
    with pytest.raises(ValueError, match=f"batch_size is {batch_size}; expected 1 to 13"):
        endless_batches(range(13), tuple, batch_size, generator)
