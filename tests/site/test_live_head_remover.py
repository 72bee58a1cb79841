"""The head remover, as a reader uses it: heads taken out and put back, other questions asked."""

import json
import re

import pytest
from built import ROOT
from live_pages import open_figure

NAME = "head-remover"
KNOWN = json.loads((ROOT / f"tests/live/expected/{NAME}.json").read_text("utf-8"))
FIRST, SECOND = "first answers right", "second answers right"
QUESTIONS = 4000


@pytest.fixture
def reader(browser, tmp_path):
    """A reader at a desk."""
    reader = open_figure(browser, tmp_path, NAME)
    yield reader
    assert reader.heard == []
    reader.close()


def head(page, number):
    return page.get_by_role("button", name=f"head {number}", exact=True)


def shares(reader):
    """The shares of right answers that are shown now."""
    return [float(reader.number(which).split(";")[0]) for which in (FIRST, SECOND)]


def case_of(heads, seed, cut):
    (model,) = [each for each in KNOWN["models"] if (each["heads"], each["seed"]) == (heads, seed)]
    (case,) = [each for each in model["cases"] if each["cut"] == cut]
    return model, case


@pytest.mark.parametrize(
    ("heads", "seed", "cut"),
    [
        *((2, seed, cut) for seed in (0, 1, 2) for cut in ([], [0], [1], [0, 1])),
        *((8, seed, cut) for seed in (0, 1, 2) for cut in ([5], [2, 5, 7])),
    ],
)
def test_what_is_lost_is_what_pytorch_loses(reader, heads, seed, cut):
    page = reader.page
    page.get_by_label("Model").select_option(f"{heads} heads, seed {seed}")
    for each in cut:
        head(page, each + 1).click()
    model, case = case_of(heads, seed, cut)
    wanted = [count / QUESTIONS for count in case["right"]]
    assert shares(reader) == pytest.approx(wanted, abs=0.0053)
    said = [row.index(max(row)) for row in case["logits"][0]]
    assert f"the model answers {said[0]} and {said[1]}:" in reader.outcome()
    places = page.evaluate(
        f"SoftLookup.twoQuestions.questions(SoftLookup.weights.get('{NAME}').config)[0].places"
    )
    looked = re.findall(r"head \d(?:, out of the sum)?: (\d\.\d\d) and (\d\.\d\d)", reader.seen())
    assert looked == [tuple(f"{row[place]:.2f}" for place in places) for row in model["weights"][0]]


def test_each_of_two_heads_carries_one_answer(reader):
    page = reader.page
    assert "All heads are in the sum." in reader.outcome()
    assert "both are right" in reader.outcome()
    head(page, 1).click()
    without_first = shares(reader)
    assert "Head 1 is out." in reader.outcome()
    head(page, 1).click()
    head(page, 2).click()
    without_second = shares(reader)
    # One of the two answers falls to a guess, and with the other head it is the other answer.
    assert min(without_first) < 0.2
    assert max(without_first) > 0.98
    assert without_first.index(min(without_first)) != without_second.index(min(without_second))
    head(page, 1).click()
    assert "No head is in the sum; only the biases answer." in reader.outcome()
    assert max(shares(reader)) < 0.2
    page.get_by_role("button", name="Start again").click()
    assert min(shares(reader)) > 0.98


def test_other_questions_are_asked(reader):
    page = reader.page
    first = page.get_by_label("Asked first for")
    second = page.get_by_label("and then for")
    before = (first.input_value(), second.input_value())
    first.select_option(second.input_value())
    assert (first.input_value(), second.input_value()) == before[::-1]
    assert "both are right" in reader.outcome()
    said = reader.outcome()
    page.get_by_role("button", name="Other records").click()
    assert reader.outcome() != said
    page.get_by_role("button", name="Start again").click()
    assert (first.input_value(), second.input_value()) == before


def test_by_keyboard_alone(reader):
    page = reader.page
    page.get_by_label("Model").focus()
    page.keyboard.press("End")
    assert page.get_by_label("Model").input_value() == "8.2"
    for _ in range(4):
        page.keyboard.press("Tab")
    for _ in range(3):
        page.keyboard.press("Space")
        page.keyboard.press("Tab")
    assert "Heads 1, 2 and 3 are out." in reader.outcome()
    for _ in range(5):
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Start again"


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 375)])
def test_nothing_is_wrong_in_any_state(browser, tmp_path, theme, width):
    reader = open_figure(browser, tmp_path, NAME, theme, width)
    page = reader.page
    assert reader.faults() == []
    head(page, 2).click()
    assert reader.faults() == []
    page.get_by_label("Model").select_option("8 heads, seed 1")
    head(page, 3).click()
    head(page, 8).click()
    assert reader.faults() == []
    reader.close()


def test_a_head_that_stays_in_the_sum_is_found(browser, tmp_path):
    planted = ("maths/two_questions", "if (on[h])", "if (on[h] || h === 0)")
    reader = open_figure(browser, tmp_path, NAME, planted=planted)
    head(reader.page, 1).click()
    _, case = case_of(2, 0, [0])
    wanted = [count / QUESTIONS for count in case["right"]]
    assert shares(reader) != pytest.approx(wanted, abs=0.0053)
    reader.close()
