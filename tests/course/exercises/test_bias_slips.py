import itertools
import math

import pytest
import torch
from softlookup.course.exercises.bias_slips import SLIPS, alike, bias, name_bias, where_right
from softlookup.course.exercises.verdict import Mistake

CASES = [(0.99, 6, 8), (0.5, 3, 17), (0.9, 12, 5), (0.03, 2, 29)]


def biases(**parts):
    return torch.tensor([bias(case, **parts) for case in CASES], dtype=torch.float64)


def test_the_bias_leaves_the_share():
    for (left, blocks, n), value in zip(CASES, biases().tolist(), strict=True):
        row = torch.cat([torch.tensor([value]), torch.zeros(n - 1)]).double().softmax(dim=0)
        assert math.isclose((row[0] - row[1]).item() ** blocks, left, rel_tol=1e-5)


def test_no_slip_gives_what_another_gives_or_what_is_right():
    results = {"right": biases()}
    for part, slips in SLIPS.items():
        results |= {words: biases(**{part: value}) for words, value in slips.items()}
    finite = {words: each for words, each in results.items() if each.isfinite().all()}
    assert len(finite) > 30
    for (one, a), (other, b) in itertools.combinations(finite.items(), 2):
        assert ((a - b).abs() / a.abs()).max() > 2e-3, (one, other)


def test_a_slip_is_named_and_what_is_right_is_not():
    name_bias(biases().tolist(), CASES)
    for part, slips in SLIPS.items():
        for words, value in slips.items():
            got = biases(**{part: value})
            with pytest.raises(Mistake) as told:
                name_bias(got.tolist(), CASES)
            assert words in str(told.value) or not got.isfinite().all()


def test_a_rounded_bias_is_told_to_how_many_decimals():
    with pytest.raises(Mistake, match="round the bias to 2 decimals"):
        name_bias([round(each, 2) for each in biases().tolist()], CASES)
    assert alike(biases().float(), biases().float() * (1 + 1e-6))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda left, blocks, n: bias((left**blocks * 0.9, 1, n)), ""),
        (lambda left, blocks, n: bias((left, 3, n)), "not depend on the number of blocks"),
        (lambda left, blocks, n: bias((left ** (2 - 1 / blocks), 1, n)), "For a single block"),
        (lambda left, blocks, n: bias((left, blocks, n)) + n - 2, "For two tokens"),
        (lambda left, blocks, n: bias((left**blocks, 1, n)) + n - 2, "one block and two tokens"),
    ],
)
def test_an_easier_case_in_which_a_wrong_answer_is_right_is_told(wrong, words):
    told = where_right(wrong)
    assert words in told
    assert bool(told) == bool(words)
