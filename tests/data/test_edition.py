import hashlib
import re

import pytest
import torch
from softlookup.data import edition
from softlookup.data.edition import Characters, pages, split, text, visible, windows
from softlookup.data.overlap import shared, word_runs


def test_the_bytes_are_those_that_the_numbers_rest_on():
    stored = edition.FILE.read_bytes()
    assert hashlib.sha256(stored).hexdigest() == edition.SHA256
    assert text() == stored.decode("utf-8")
    assert b"\r" not in stored


@pytest.mark.parametrize("change", [lambda b: b[:-1], lambda b: b.replace(b"\n", b"\r\n", 1)])
def test_other_bytes_are_refused(tmp_path, change):
    other = tmp_path / "edition.txt"
    other.write_bytes(change(edition.FILE.read_bytes()))
    with pytest.raises(
        ValueError, match=f"edition.txt has the SHA-256 .* expected {edition.SHA256}"
    ):
        edition.read(other)


def test_the_text_is_english_prose_of_some_length():
    assert 380_000 < len(text()) < 550_000
    words = re.findall(r"[a-z]+", text().lower())
    # In English prose "the" is about one word in twenty.
    assert 0.03 < words.count("the") / len(words) < 0.1
    assert len(set(text())) < 100


def test_paragraphs_are_lines_and_no_markup_is_left():
    for line in text().split("\n"):
        assert line == " ".join(line.split())
    assert "\n\n\n\n" not in text()
    prose = text()
    for code in ("**kwargs", "n_values ** 2"):  # within a sentence, and the only stars in pairs
        prose = prose.replace(code, "")
    for mark in (
        *(":::", "```", "`", "$", "**", "\\", "http", "](", "{", "}", "| ---", "\t"),
        *('nbgrader":', ":class:", "<div", "&nbsp;"),
    ):
        assert mark not in prose, mark
    assert not re.search(r"^#|^\||^>", prose, flags=re.MULTILINE)


def test_pages_have_titles_of_their_own_and_are_the_whole_text():
    found = pages()
    assert len(found) == 25
    assert "\n\n\n".join(found.values()) + "\n" == text()
    for title, page in found.items():
        assert page.startswith(f"{title}\n\n")
        assert len(title) < 60
        assert len(page) > 2_000
    # Reading order: what the chapters build on each other is not lost.
    order = [*found]
    assert order.index("Attention") < order.index("Masking") < order.index("The next word")


def test_the_texts_held_back_come_from_chapters_and_were_not_read_before():
    parts = split(text())
    held_back = parts.validation + parts.test
    assert len(word_runs(parts.validation, 8)) > 5_000
    assert len(word_runs(parts.test, 8)) > 5_000
    assert shared(parts.train, held_back) < 0.005
    assert shared(parts.validation, parts.test) < 0.005
    assert held_back in "\n\n\n".join([*pages().values()][-5:]) + "\n"


def test_the_last_tenth_is_for_testing_and_the_one_before_it_for_choosing():
    whole = "".join(map(str, range(101)))
    parts = split(whole)
    assert parts.train + parts.validation + parts.test == whole
    assert len(parts.test) == len(parts.validation) == len(whole) // 10
    with pytest.raises(ValueError, match="the text has 9 characters; expected at least 10"):
        split("too short")


def test_what_cannot_be_seen_becomes_a_sign():
    assert visible("if x:\n    y") == "if␣x:⏎␣␣␣␣y"


def test_characters_go_there_and_back():
    characters = Characters(text())
    assert [*characters.characters] == sorted({*text()})
    piece = text()[-30_011:]
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
