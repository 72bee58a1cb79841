"""Questions: the glossary of the frozen edition, and numbers below a million."""

import pytest
from num2words import num2words
from softlookup.data import edition
from softlookup.data.questions import glossary, in_digits, number, what_is


def test_asks_for_terms_of_the_glossary_and_answers_with_its_words():
    asked = {each.about: each for each in glossary()}
    assert asked["ablation"].prompt == 'What does "ablation" mean?\n\n'
    assert asked["ablation"].answer == (
        "Removing one part of a trained model, such as a head, and measuring what is lost.\n"
    )
    assert asked["value"].answer == "The vector that a token gives when it is found.\n"


def test_every_answer_is_the_beginning_of_its_definition():
    page = edition.pages()["Glossary"]
    assert len(glossary()) == len({each.about for each in glossary()}) > 150
    for each in glossary():
        assert not each.about.endswith(".")
        assert each.prompt == what_is(each.about)
        definition = page.split(f"\n\n{each.about}\n\n")[1]
        said = each.answer.removesuffix(".\n")
        assert definition[: len(said)].lower() == said.lower()
        assert definition[len(said)] in ".:;"
        assert "Chapter" not in each.answer
        assert each.answer.count("\n") == 1


def test_a_definition_of_a_word_or_two_goes_on():
    of = {each.about: each.answer for each in glossary()}
    assert of["recurrent neural network"].startswith("RNN: a network that reads")


def test_a_formula_begins_with_its_own_letter():
    of = {each.about: each.answer for each in glossary()}
    assert of["permutation invariance"].startswith("f(PX)")


@pytest.mark.parametrize("value", [0, 7, 42, 100, 342, 907, 12_345, 999_999])
def test_numbers_are_asked_for_in_words_and_answered_in_digits(value):
    asked = number(value)
    assert asked.answer == f"{value}\n"
    assert asked.about == num2words(value).replace("-", " ").replace(",", "")
    assert asked.prompt == in_digits(asked.about) == f"{asked.about}, in digits?\n"


@pytest.mark.parametrize("value", [-1, 1_000_000])
def test_refuses_numbers_out_of_range(value):
    with pytest.raises(ValueError, match="expected a whole number"):
        number(value)
