import pytest
import torch
from softlookup.alternatives.hyena import fft_convolution
from softlookup.course.exercises.filter_slips import filter_over, name_response
from softlookup.course.exercises.verdict import Mistake

FADING, LENGTH, MAX_LENGTH = 2.5, 11, 29
LAGS = torch.arange(LENGTH, dtype=torch.float64)


def network(t):
    return torch.cos(5.0 * t) + 0.3 * t


def over(t):
    return filter_over(t, FADING, network)


RIGHT = over(LAGS / MAX_LENGTH)


def named(convolve):
    name_response(convolve, network, FADING, LENGTH, MAX_LENGTH)


@pytest.mark.parametrize(
    ("convolve", "words"),
    [
        (lambda x: fft_convolution(x.flip(-1), RIGHT).flip(-1), "place 0 reads the token at place"),
        (lambda x: x @ RIGHT.repeat(LENGTH, 1), "reads the token at place 1, which comes after it"),
        (lambda x: fft_convolution(x * (1 + LAGS), RIGHT), "at the text's beginning and with"),
        (lambda x: 0.5 * fft_convolution(x, RIGHT), "filter is 0.5 times"),
        (lambda x: fft_convolution(x, over(LAGS / 20)), "t is 0.0500 times the lag; 1 / max_"),
        (lambda x: x + fft_convolution(x, RIGHT), "filter weighs the lag 0 with 2, and"),
    ],
)
def test_a_convolution_is_told_by_what_it_makes_of_one_token(convolve, words):
    with pytest.raises(Mistake, match=words):
        named(convolve)


def test_what_cannot_be_told_by_one_token_is_not():
    named(lambda x: x[:2])
    named(lambda x: x / 0)
