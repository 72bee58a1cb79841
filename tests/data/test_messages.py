import pytest
import torch
from softlookup.data import messages
from softlookup.data.messages import Message, near
from softlookup.data.vocabulary import END, PADDING, START


def message(english, french="le …"):
    return Message(tuple(english.split()), tuple(french.split()))


def drawn(n_test=60, seed=0):
    return messages.split(n_test, torch.Generator().manual_seed(seed))


def test_the_messages_are_real_and_in_words():
    found = messages.messages()
    assert len(found) == 485
    assert message("environment variable", "variable d' environnement") in found
    assert all(2 <= len(each.english) <= 12 and 1 <= len(each.french) <= 16 for each in found)
    assert len({each.english for each in found}) == len(found)


def test_the_licence_stands_with_the_messages():
    head = messages.FILE.read_text("utf-8").split("\n\n")[0]
    for words in ("Copyright (c) 2007-2024 by the Sphinx team", "provided that", "AS IS"):
        assert words in head


def test_other_bytes_are_refused(tmp_path):
    changed = tmp_path / "messages.txt"
    changed.write_bytes(messages.FILE.read_bytes().replace(b"\n", b"\r\n"))
    with pytest.raises(ValueError, match="SHA-256"):
        messages.read(changed)


def test_near_is_a_third_of_the_words_in_either_language():
    assert near(message("the epub file is in …", "a"), message("the html file is in …", "b"))
    assert near(message("a b", "le fichier x"), message("c d", "le fichier y"))
    assert not near(message("no file …", "a"), message("a b …", "b"))
    # The same words in another order are not the same sentence.
    assert not near(message("a b c", "x"), message("c a b", "y"))


@pytest.mark.parametrize("seed", [0, 1])
def test_nothing_that_is_tested_is_near_to_what_was_learned(seed):
    parts = drawn(seed=seed)
    assert len(parts.test) == 60
    assert set(parts.train) | set(parts.test) == set(messages.messages())
    assert len(parts.train) + len(parts.test) == 485
    assert not any(near(one, other) for one in parts.test for other in parts.train)
    learned = {word for each in parts.train for word in each.english}
    assert all(learned.issuperset(each.english) for each in parts.test)


def test_the_split_is_drawn():
    assert drawn() == drawn()
    assert drawn(seed=1) != drawn()
    for n_test in (0, 480):
        with pytest.raises(ValueError, match=f"n_test is {n_test}"):
            drawn(n_test)


def test_what_the_decoder_reads_is_what_it_should_say_shifted():
    chosen = [
        message("environment variable", "variable d' environnement"),
        message("in …", "dans …"),
    ]
    batch = messages.encode(chosen)
    assert batch.messages == tuple(chosen)
    assert batch.source_lengths.tolist() == [2, 2]
    assert messages.french().decode(batch.target_out[0]) == [*chosen[0].french]
    assert batch.target_out[1].tolist()[-2:] == [END, PADDING]
    assert (batch.target_in[:, 0] == START).all()
    assert torch.equal(batch.target_in[0, 1:], batch.target_out[0, :-1])
    with pytest.raises(ValueError, match="not in the vocabulary"):
        messages.encode([message("wug", "wug")])


def test_batches_hold_the_messages_in_both_languages():
    chosen = messages.messages()[:10]
    batch = next(messages.batches(chosen, 5, torch.Generator().manual_seed(0)))
    again = messages.encode(batch.messages)
    assert torch.equal(batch.source, again.source)
    assert torch.equal(batch.target_out, again.target_out)
