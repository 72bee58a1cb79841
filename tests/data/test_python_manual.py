import re

import pytest
import torch
from softlookup.data.python_manual import Characters, split, text, visible, windows


def test_the_manual_is_english_prose_of_some_length():
    manual = text()
    assert len(manual) > 300_000
    assert text() == manual
    words = re.findall(r"[a-z]+", manual.lower())
    # In English prose "the" is about one word in twenty.
    assert 0.03 < words.count("the") / len(words) < 0.1
    assert 'The "assert" statement\n***' in manual


def test_the_last_tenth_is_for_testing():
    whole = "".join(map(str, range(101)))
    parts = split(whole)
    assert parts.train + parts.test == whole
    assert len(parts.test) == len(whole) // 10
    with pytest.raises(ValueError, match="the text has 9 characters; expected at least 10"):
        split("too short")


def test_what_cannot_be_seen_becomes_a_sign():
    assert visible("if x:\n    y") == "if␣x:⏎␣␣␣␣y"


def test_characters_go_there_and_back():
    manual = text()
    characters = Characters(manual)
    assert [*characters.characters] == sorted({*manual})
    piece = manual[-30_011:]
    ids = characters.encode(piece)
    assert characters.decode(ids) == piece
    assert 0 <= int(ids.min()) < int(ids.max()) < len(characters)


def test_characters_refuse_what_they_do_not_know():
    characters = Characters("abcab")
    assert characters.encode("cab").tolist() == [2, 0, 1]
    with pytest.raises(ValueError, match="'x' is none of the 3 characters"):
        characters.encode("cax")
    for id in (3, -1):
        with pytest.raises(ValueError, match=f"id {id} is no character; expected 0 to 2"):
            characters.decode(torch.tensor([0, id]))
    with pytest.raises(ValueError, match="the text is empty"):
        Characters("")


def test_windows_lie_in_the_text_and_the_target_is_one_on(generator):
    ids = torch.arange(100, 117)
    read, predicted = windows(ids, 503, 11, generator)
    assert read.shape == predicted.shape == (503, 11)
    assert torch.equal(predicted, read + 1)
    assert torch.equal(read - read[:, :1], torch.arange(11).expand(503, 11))
    # Every place where a window fits is drawn, the first and the last too.
    assert {*read[:, 0].tolist()} == {*range(100, 106)}


def test_windows_follow_the_seed():
    ids = torch.arange(1009)

    def draw(seed):
        return windows(ids, 5, 7, torch.Generator().manual_seed(seed))[0]

    assert torch.equal(draw(3), draw(3))
    assert not torch.equal(draw(3), draw(4))


@pytest.mark.parametrize(("batch_size", "length"), [(0, 5), (3, 0), (3, 13)])
def test_windows_refuse_what_does_not_fit(generator, batch_size, length):
    with pytest.raises(ValueError, match=f"batch_size is {batch_size}, length is {length}.* 13"):
        windows(torch.arange(13), batch_size, length, generator)
