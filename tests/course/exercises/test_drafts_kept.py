"""How a row of drafted tokens is written wrongly is told in a sentence."""

import pytest
import torch
from softlookup.course.exercises.drafts_kept import NEAR, RIGHT, how_wrong, pairs, rows

# Of the first row with three tokens the first two pass.
ROW = next(row for row in rows() if len(row[2]) == 3 and len(RIGHT(row)) == 3)


@pytest.mark.parametrize(
    ("written", "words"),
    [
        (lambda right: right[1:], "you keep 1 of them, and 2 pass before the first that does not"),
        (lambda right: torch.cat([right, right]), "goes on behind the token that is drawn"),
        (lambda right: right + torch.tensor([0, 0, 1]), "another is drawn behind them"),
        (lambda right: right + 1, "as many are kept, and they are others"),
        (lambda right: right[:0], "you keep 0 of them"),
    ],
)
def test_what_is_wrong_with_a_row_is_told(written, words):
    told = how_wrong(ROW, written(RIGHT(ROW)))
    assert words in told
    assert "pass, in turn: [True, True, False]. So " in told


def test_one_mistake_made_in_two_steps_is_told_once():
    told = [words for _, words in pairs()]
    assert len(told) > len(NEAR)
    for _, words in NEAR:
        assert f"two mistakes: {words}; and {words}" not in told
