import itertools

import pytest
import torch
from num2words import num2words
from softlookup.data import numerals
from softlookup.data.vocabulary import END, PADDING, START

# Typed by hand: number, English, German as it is written, German in its parts.
KNOWN = [
    (0, "zero", "null", "null"),
    (1, "one", "eins", "eins"),
    (16, "sixteen", "sechzehn", "sechzehn"),
    (17, "seventeen", "siebzehn", "siebzehn"),
    (21, "twenty one", "einundzwanzig", "ein und zwanzig"),
    (30, "thirty", "dreißig", "dreißig"),
    (42, "forty two", "zweiundvierzig", "zwei und vierzig"),
    (100, "one hundred", "einhundert", "ein hundert"),
    (101, "one hundred and one", "einhunderteins", "ein hundert eins"),
    (
        999,
        "nine hundred and ninety nine",
        "neunhundertneunundneunzig",
        "neun hundert neun und neunzig",
    ),
    (1001, "one thousand and one", "eintausendeins", "ein tausend eins"),
    (
        12345,
        "twelve thousand three hundred and forty five",
        "zwölftausenddreihundertfünfundvierzig",
        "zwölf tausend drei hundert fünf und vierzig",
    ),
    (71000, "seventy one thousand", "einundsiebzigtausend", "ein und siebzig tausend"),
    (
        666_766,
        "six hundred and sixty six thousand seven hundred and sixty six",
        "sechshundertsechsundsechzigtausendsiebenhundertsechsundsechzig",
        "sechs hundert sechs und sechzig tausend sieben hundert sechs und sechzig",
    ),
]


@pytest.mark.parametrize(("number", "english", "written", "parts"), KNOWN)
def test_known_numerals(number, english, written, parts):
    assert numerals.english(number) == tuple(english.split())
    assert numerals.german(number) == tuple(parts.split())
    assert numerals.cut(written) == tuple(parts.split())


def test_every_number_below_ten_thousand_goes_there_and_back():
    seen = set()
    for number in range(10_000):
        parts = numerals.german(number)
        assert "".join(parts) == num2words(number, lang="de")
        words = numerals.english(number)
        in_english = num2words(number, lang="en")
        assert " ".join(words) == in_english.replace(", ", " ").replace("-", " ")
        assert {*parts} <= {*numerals.GERMAN.tokens}
        assert {*words} <= {*numerals.ENGLISH.tokens}
        seen.add(parts)
    assert len(seen) == 10_000


def test_every_thousand_is_written_as_by_num2words_whatever_follows_it():
    for thousands in range(10, 1000):
        for number in (1000 * thousands, 1000 * thousands + 457 * thousands % 1000):
            assert "".join(numerals.german(number)) == num2words(number, lang="de")
            in_english = num2words(number, lang="en").replace(", ", " ").replace("-", " ")
            assert " ".join(numerals.english(number)) == in_english


def test_cut_takes_the_longest_part():
    assert numerals.cut("siebzehn") == ("siebzehn",)
    assert numerals.cut("eins") == ("eins",)
    with pytest.raises(ValueError, match="'xig' in 'einsxig' begins with no part"):
        numerals.cut("einsxig")


@pytest.mark.parametrize("write", [numerals.english, numerals.german, numerals.alignment])
@pytest.mark.parametrize("number", [-1, 1_000_000])
def test_refuses_numbers_out_of_range(write, number):
    with pytest.raises(ValueError, match=f"number is {number}; expected .* 0 to 999,999"):
        write(number)


def test_alignment_of_numbers_aligned_by_hand():
    assert numerals.alignment(42) == (1, None, 0)
    assert numerals.alignment(100) == (0, 1)
    assert numerals.alignment(101) == (0, 1, 3)
    # twelve thousand three hundred and forty five; zwölf tausend drei hundert fünf und vierzig
    assert numerals.alignment(12345) == (0, 1, 2, 3, 6, None, 5)
    # The same words stand on both sides of the thousand.
    # twenty two thousand and twenty two; zwei und zwanzig tausend zwei und zwanzig
    assert numerals.alignment(22022) == (1, None, 0, 2, 5, None, 4)
    # two hundred and two thousand two hundred and two
    assert numerals.alignment(202_202) == (0, 1, 3, 4, 5, 6, 8)


def test_alignment_joins_words_of_the_same_meaning_and_uses_each_word_once():
    for number in range(0, 1_000_000, 997):
        words, parts = numerals.english(number), numerals.german(number)
        positions = [to for to in numerals.alignment(number) if to is not None]
        assert len(positions) == len(set(positions))
        assert len(positions) == sum(word != "and" for word in words)
        for part, to in zip(parts, numerals.alignment(number), strict=True):
            assert (to is None) == (part == "und")
            assert to is None or numerals.MEANING[part] == words[to]


def test_what_crosses_is_a_unit_and_its_ten():
    assert numerals.crossings(42) == ((0, 2),)
    assert numerals.crossings(12345) == ((4, 6),)
    assert numerals.crossings(22022) == ((0, 2), (4, 6))
    assert numerals.crossings(40) == numerals.crossings(12_013) == ()
    for number in range(10_000):
        parts = numerals.german(number)
        assert len(numerals.crossings(number)) == parts.count("und")
        for left, right in numerals.crossings(number):
            assert right == left + 2
            assert parts[left + 1] == "und"


def test_split_is_disjoint_and_below_the_limit(generator):
    split = numerals.split(701, 211, generator, limit=997)
    assert len(split.train) == 701
    assert len(split.test) == 211
    assert len({*split.train, *split.test}) == 701 + 211
    assert 0 <= min(*split.train, *split.test) <= max(*split.train, *split.test) < 997


def test_split_and_batches_follow_the_seed():
    def draw(seed):
        generator = torch.Generator().manual_seed(seed)
        split = numerals.split(53, 11, generator)
        few = itertools.islice(numerals.batches(split.train, 7, generator), 11)
        return split, [batch.numbers for batch in few]

    assert draw(3) == draw(3)
    assert draw(3)[0] != draw(4)[0]
    assert draw(3)[1] != draw(4)[1]


@pytest.mark.parametrize(
    ("n_train", "n_test", "limit", "message"),
    [
        (0, 5, 100, "n_train is 0 and n_test 5; expected at least 1"),
        (5, 0, 100, "n_test 0; expected at least 1"),
        (90, 11, 100, "at most 100 together"),
        (5, 5, 1_000_001, "limit is 1000001; expected 1 to 1000000"),
        (5, 5, 0, "limit is 0"),
    ],
)
def test_refuses_impossible_splits(generator, n_train, n_test, limit, message):
    with pytest.raises(ValueError, match=message):
        numerals.split(n_train, n_test, generator, limit)


def test_a_batch_holds_both_languages_shifted_by_one():
    batch = numerals.encode([42, 7, 12345])
    assert batch.source_lengths.tolist() == [2, 1, 7]
    assert batch.target_lengths.tolist() == [4, 2, 8]
    for row, number in enumerate(batch.numbers):
        english, german = batch.source[row], batch.target_out[row]
        assert tuple(numerals.ENGLISH.decode(english)) == numerals.english(number)
        assert tuple(numerals.GERMAN.decode(german)) == numerals.german(number)
        length = int(batch.target_lengths[row])
        assert batch.target_in[row, 0] == START
        assert batch.target_out[row, length - 1] == END
        assert torch.equal(batch.target_in[row, 1:length], batch.target_out[row, : length - 1])
        assert (batch.target_in[row, length:] == PADDING).all()
        assert (batch.target_out[row, length:] == PADDING).all()
        assert (english[int(batch.source_lengths[row]) :] == PADDING).all()


def test_batches_hold_the_numbers_in_both_languages(generator):
    batch = next(numerals.batches(range(35), 7, generator))
    again = numerals.encode(batch.numbers)
    assert torch.equal(batch.source, again.source)
    assert torch.equal(batch.target_out, again.target_out)


def weights_on(batch, position_of):
    """One matrix a number, each row with all its weight where ``position_of`` says."""
    weights = torch.zeros(len(batch.numbers), batch.target_out.size(1), batch.source.size(1))
    for row, number in enumerate(batch.numbers):
        for position, word in enumerate(numerals.alignment(number)):
            if word is not None:
                weights[row, position, position_of(position, word)] = 1.0
    return weights


def test_alignment_accuracy_of_weights_made_by_hand():
    batch = numerals.encode([42, 12345, 300])
    perfect = weights_on(batch, lambda position, word: word)
    assert numerals.alignment_accuracy(perfect, batch.numbers) == 1.0
    assert numerals.alignment_accuracy(perfect, batch.numbers, "crossing") == 1.0

    # Looking straight ahead is right for what does not cross: zwölf tausend drei hundert, drei
    # hundert. Of the four words that cross, only "vierzig" of 12,345 stands as far as its ten
    # would without the "and".
    straight = weights_on(batch, lambda position, word: min(position, 6))
    assert numerals.alignment_accuracy(straight, batch.numbers) == 6 / 10
    assert numerals.alignment_accuracy(straight, batch.numbers, "crossing") == 0.0

    late = weights_on(batch, lambda position, word: min(word + 1, 6))
    assert numerals.alignment_accuracy(late, batch.numbers, "crossing") == 1 / 4


def test_alignment_accuracy_refuses_what_it_cannot_judge():
    with pytest.raises(ValueError, match="weights for 3 sequences and 2 numbers"):
        numerals.alignment_accuracy(torch.rand(3, 5, 7), [42, 300])
    with pytest.raises(ValueError, match="no word crosses"):
        numerals.alignment_accuracy(torch.rand(2, 5, 7), [40, 300], "crossing")
    with pytest.raises(ValueError, match="words is 'crossed'; expected 'all' or 'crossing'"):
        numerals.alignment_accuracy(torch.rand(1, 5, 7), [42], "crossed")
