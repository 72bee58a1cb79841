import pytest
import torch
from softlookup.data.vocabulary import END, PADDING, START, Vocabulary, exact_match, pad

VOCABULARY = Vocabulary(["one", "two", "three", "four", "five"])


def test_encodes_and_decodes():
    assert VOCABULARY.encode(["two", "five", "two"]) == [4, 7, 4]
    assert VOCABULARY.decode(torch.tensor([START, 4, 7, END, 3, PADDING])) == ["two", "five"]
    assert len(VOCABULARY) == 8


def test_refuses_a_word_twice():
    with pytest.raises(ValueError, match="'one' occurs twice"):
        Vocabulary(["one", "two", "one"])
    with pytest.raises(ValueError, match="'<end>' occurs twice"):
        Vocabulary(["<end>"])


def test_refuses_what_it_does_not_know():
    with pytest.raises(ValueError, match=r"'six' is not in the vocabulary; expected .*'one'"):
        VOCABULARY.encode(["two", "six"])
    for id in (8, -1):
        with pytest.raises(ValueError, match=f"id {id} is not in the vocabulary; expected 0 to 7"):
            VOCABULARY.decode(torch.tensor([4, id]))


def test_pads_at_the_end():
    rows, lengths = pad([[5, 3], [4, 4, 6, 7], [6]])
    assert rows.tolist() == [[5, 3, 0, 0], [4, 4, 6, 7], [6, 0, 0, 0]]
    assert lengths.tolist() == [2, 4, 1]
    with pytest.raises(ValueError, match="no sequences to pad"):
        pad([])


def test_exact_match_counts_whole_sequences():
    expected = torch.tensor([[3, 4, END, 0], [5, END, 0, 0], [6, 6, 6, END], [7, END, 0, 0]])
    predicted = torch.tensor(
        [
            [3, 4, END, 7, 7],  # what follows the end does not count
            [5, 5, END, 0, 0],  # says more
            [6, 6, END, 0, 0],  # says less
            [7, 0, 0, 0, 0],  # never ends
        ]
    )
    assert exact_match(predicted, expected) == 0.25
    assert exact_match(expected, expected) == 1.0
    # Cut off before the end that it needs.
    assert exact_match(expected[:, :2], expected) == 0.5


def test_exact_match_refuses_what_it_cannot_judge():
    with pytest.raises(ValueError, match=r"no end token \(2\): \[3, 4\]"):
        exact_match(torch.tensor([[3, 4]]), torch.tensor([[3, 4]]))
    with pytest.raises(ValueError, match="no sequences to compare"):
        exact_match(torch.zeros(0, 3, dtype=torch.long), torch.zeros(0, 3, dtype=torch.long))
    with pytest.raises(ValueError, match="3 predictions for 2 expected"):
        exact_match(torch.full((3, 5), END), torch.full((2, 5), END))
