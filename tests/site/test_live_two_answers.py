"""Two models asked the same, as a reader asks them: taught questions, others, nonsense."""

import json

import pytest
from built import ROOT
from live_pages import open_figure

NAME = "two-answers"
KNOWN = json.loads((ROOT / f"tests/live/expected/{NAME}.json").read_text("utf-8"))["cases"]
APART = "apart, over the whole answer"


@pytest.fixture
def reader(browser, tmp_path, made):
    """A reader at a desk, who has loaded the GPT."""
    reader = open_figure(browser, tmp_path, NAME, made=made)
    yield reader
    assert reader.heard == []
    reader.close()


def is_the_librarys(reader, case):
    """What is shown of a question at the adapters' own factor."""
    assert reader.number(APART) == f"{sum(case['apart']):.1f} nats"
    assert reader.number("tokens of the answer") == str(len(case["answer"]))


def test_what_was_taught_and_what_was_not(reader):
    taught, other = (case for case in KNOWN if case["factor"] == 1)
    is_the_librarys(reader, taught)
    assert reader.outcome().startswith("A question that was taught. They part at token 1")
    reader.page.get_by_label("A question").select_option(label=f"not taught: {other['question']}")
    is_the_librarys(reader, other)
    assert reader.outcome().startswith("A question that was not taught.")
    assert reader.page.get_by_label("The question").input_value() == other["question"]


def test_at_factor_zero_both_say_the_same(reader):
    slider = reader.page.get_by_label("The adapters’ factor")
    slider.fill("2")
    assert slider.get_attribute("aria-valuetext") == "0: the GPT itself"
    assert reader.number(APART) == "0.0 nats"
    assert "Both say the same." in reader.outcome()
    reader.page.get_by_role("button", name="Start again").click()
    is_the_librarys(reader, KNOWN[0])


def test_a_question_of_ones_own(reader):
    reader.page.get_by_label("The question").fill("What is a head?")
    assert reader.page.get_by_label("A question").input_value() == "own"
    assert "taught" not in reader.outcome()
    assert "With the adapters: " in reader.figure.inner_text()


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (" ", "Write a question"),
        ("what " * 50, "Ask in up to 200"),
        ("¿" * 100, "Shorten it, so that there is room for an answer"),
    ],
)
def test_what_cannot_be_asked_is_told(reader, typed, said):
    assert said in reader.refused("The question", typed)


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 375)])
def test_nothing_is_wrong_in_any_state(browser, tmp_path, made, theme, width):
    reader = open_figure(browser, tmp_path, NAME, theme, width, made=made)
    assert reader.faults() == []
    reader.page.get_by_label("The adapters’ factor").fill("9")
    assert reader.faults() == []
    reader.close()


def test_adapters_without_their_factor_are_found(browser, tmp_path, made):
    planted = ("figures/two-answers", "this.times * scale", "this.times")
    reader = open_figure(browser, tmp_path, NAME, planted=planted, made=made)
    with pytest.raises(AssertionError):
        is_the_librarys(reader, KNOWN[0])
    reader.close()
