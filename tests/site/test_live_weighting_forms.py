"""The seven forms of weighting, as a reader tries them: scores moved one by one and together."""

import json

import pytest
from built import ROOT
from live_pages import open_figure

NAME = "weighting-forms"
KNOWN = json.loads((ROOT / f"tests/live/expected/{NAME}.json").read_text("utf-8"))
FORMS = [case["form"] for case in KNOWN["cases"] if case["case"] == "start"]
SUM, READS, ERROR = "its weights sum to", "reads, where 20 is asked for", "error of the lookup"


@pytest.fixture
def reader(browser, tmp_path):
    """A reader at a desk."""
    reader = open_figure(browser, tmp_path, NAME)
    yield reader
    assert reader.heard == []
    reader.close()


def press(page, words):
    page.get_by_role("button", name=words, exact=True).click()


def choose(page, form):
    page.get_by_label("Tell about").select_option(form)


def written(number):
    return f"{number:.2f}".replace("-", "−")


def move(page, key, steps):
    """Move a score so many steps of 0.1 by keyboard."""
    page.locator(f"[data-key=score-{key}]").focus()
    for _ in range(abs(steps) // 10):
        page.keyboard.press("Shift+ArrowUp" if steps > 0 else "Shift+ArrowDown")
    for _ in range(abs(steps) % 10):
        page.keyboard.press("ArrowUp" if steps > 0 else "ArrowDown")


def numbers_are_pytorchs(reader, name):
    """What is shown of each form is what PyTorch computed."""
    for case in KNOWN["cases"]:
        if case["case"] != name:
            continue
        choose(reader.page, case["form"])
        total = sum(case["weights"])
        assert reader.number(SUM) == (written(total) if total else "0")
        assert reader.number(READS) == written(case["read"])
        assert reader.number(ERROR) == written(case["error"])
        weights = ", ".join(written(each) if each else "0" for each in case["weights"])
        assert f": {weights}, sum" in reader.seen()


@pytest.mark.parametrize(
    ("case", "presses"),
    [
        ("start", ()),
        ("raised", ("all + 1",)),
        ("lowered", ("all − 1",) * 5),
        ("doubled", ("all × 2",)),
        ("halved", ("all ÷ 2",)),
    ],
)
def test_each_change_gives_pytorchs_numbers(reader, case, presses):
    for words in presses:
        press(reader.page, words)
    numbers_are_pytorchs(reader, case)


def test_an_exact_lookup_by_hand(reader):
    for key, steps in (("A", -10), ("B", -15), ("C", 10), ("D", -5)):
        move(reader.page, key, steps)
    numbers_are_pytorchs(reader, "exact for ReLU")
    choose(reader.page, "ReLU")
    assert "gives key C the weight 1.00" in reader.outcome()
    assert reader.outcome().endswith("All other keys are cut off.")


def test_who_notices_a_number_added_and_who_a_factor(reader):
    page = reader.page
    for words, told, unmoved in (
        ("all + 1", "Adding 1 to every score", "softmax"),
        ("all × 2", "Doubling every score", "normalised ReLU"),
    ):
        press(page, words)
        still = []
        for form in FORMS:
            choose(page, form)
            said = reader.outcome()
            assert told in said
            if said.endswith("moved none of its weights."):
                still.append(form)
        assert still == [unmoved]
        press(page, "Start again")


def test_below_zero_the_two_relus_read_nothing(reader):
    page = reader.page
    for _ in range(5):
        press(page, "all − 1")
    for form in ("ReLU", "normalised ReLU"):
        choose(page, form)
        assert "No score is above zero, so nothing is read" in reader.outcome()
    choose(page, "linear")
    assert "All its weights are below zero." in reader.outcome()
    choose(page, "square")
    assert "Key A, with the score −7.00, counts like one with 7.00." in reader.outcome()
    press(page, "Start again")
    choose(page, "ReLU")
    assert "2 keys are cut off, with a weight of zero." in reader.outcome()
    move(page, "C", -50)
    assert "Key C is dead" in reader.outcome()


def test_scores_do_not_leave_the_picture(reader):
    page = reader.page
    press(page, "all × 2")
    before = reader.outcome()
    press(page, "all × 2")
    assert "Scores stay between −10 and 10" in reader.problem()
    assert reader.outcome() == before
    move(page, "C", 90)
    assert reader.problem() == ""
    label = page.locator("[data-key=score-C]").get_attribute("aria-label")
    assert label == "Score of key C: 10.00"


def test_steps_up_and_down_meet_zero_again(reader):
    page = reader.page
    move(page, "C", 30)
    for _ in range(7):
        press(page, "all − 1")
    choose(page, "ReLU")
    assert "No score is above zero" in reader.outcome()


def test_a_score_is_dragged(reader):
    page = reader.page
    box = page.locator("[data-key=score-B]").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 5, y + 30)
    page.mouse.up()
    label = page.locator("[data-key=score-B]").get_attribute("aria-label")
    assert label.startswith("Score of key B: −2.")


def test_by_keyboard_alone(reader):
    page = reader.page
    page.get_by_label("Tell about").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert "Adding 1 to every score moved none of its weights." in reader.outcome()
    for _ in range(4):
        page.keyboard.press("Tab")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.getAttribute('data-key')") == "score-A"
    assert "A −0.90" in reader.seen()


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 375)])
def test_nothing_is_wrong_in_any_state(browser, tmp_path, theme, width):
    reader = open_figure(browser, tmp_path, NAME, theme, width)
    assert reader.faults() == []
    for key in "ABDE":
        move(reader.page, key, -200)
    move(reader.page, "C", 200)
    choose(reader.page, "square")
    assert reader.faults() == []
    press(reader.page, "all × 2")
    assert reader.problem() != ""
    assert reader.faults() == []
    reader.close()


def test_a_forgotten_logarithm_is_found(browser, tmp_path):
    planted = ("maths/weightings", "score - Math.log(scores.length)", "score")
    reader = open_figure(browser, tmp_path, NAME, planted=planted)
    with pytest.raises(AssertionError):
        numbers_are_pytorchs(reader, "start")
    reader.close()
