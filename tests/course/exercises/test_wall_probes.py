import math

import pytest
import torch
from softlookup.course.exercises.wall_probes import Transforms, how_it_grows, what_is_kept


@pytest.mark.parametrize(
    ("crosstalk", "words"),
    [
        (
            lambda n, d, labels: math.sqrt((n - 1) / labels) / d,
            "four times as many coordinates your number is 0.25 times as large; it should be half",
        ),
        (
            lambda n, d, labels: (n - 1) / math.sqrt(d * labels),
            "four times as many other keys your number is 4 times as large; it should be twice",
        ),
        (
            lambda n, d, labels: math.sqrt((n - 1) / d),
            "four times as many labels your number is 1 times as large; it should be half",
        ),
        (lambda n, d, labels: 1.7 * math.sqrt((n - 1) / (d * labels)), "Yours is 1.7 times"),
    ],
)
def test_the_number_that_enters_wrongly_is_told(crosstalk, words):
    told = how_it_grows(crosstalk)
    assert words in told
    assert told.count("should") == 1


def test_what_cannot_be_told_is_not():
    assert how_it_grows(lambda n, d, labels: 0.0) == ""


def counts(squares, linear, tensors, beside):
    def longest_text(room, d):
        b = linear * d
        square = (math.sqrt(b * b + 4 * squares * (room // 4)) - b) / (2 * squares)
        return int(square), room // 4 // (tensors * d + beside)

    return longest_text


@pytest.mark.parametrize(
    "kept", [(1, 3, 4, 2), (2, 3, 4, 2), (1, 7, 5, 4), (0.5, 2, 3, 0), (3, 1, 9, 7)]
)
def test_what_is_kept_is_read_off(kept):
    by_definition, by_blocks = what_is_kept(counts(*kept))
    assert f"keeps {kept[0]} n² + {kept[1]} nd" in by_definition
    assert f"divides by {kept[2]} d + {kept[3]}" in by_blocks


def test_what_follows_no_such_sum_is_not_read_off():
    assert what_is_kept(lambda room, d: (room**0.3, room**0.7)) == ("", "")
    assert what_is_kept(lambda room, d: (0, 0)) == ("", "")


def test_blocks_that_grow_as_a_table_are_told_so():
    assert "with the root of the memory" in what_is_kept(lambda room, d: (room**0.3, room**0.5))[1]


@pytest.mark.parametrize("transform", [torch.fft.fft, torch.fft.rfft])
def test_a_fourier_transform_is_noticed(transform):
    with Transforms() as transforms:
        torch.ones(7) @ torch.ones(7)
        assert not transforms.seen
        transform(torch.ones(7))
        torch.ones(7) @ torch.ones(7)
    assert transforms.seen
