"""The word mover, as a reader uses it: words typed, exchanged, dragged, and looked from."""

import json
import re

import pytest
from built import ROOT
from live_pages import open_figure

NAME = "word-mover"
KNOWN = json.loads((ROOT / f"tests/live/expected/{NAME}.json").read_text("utf-8"))
KINDS = {"attention": "queries and keys", "places": "a table of places"}
CHANGED = "largest change"


@pytest.fixture
def reader(browser, tmp_path):
    """A reader at a desk."""
    reader = open_figure(browser, tmp_path, NAME)
    yield reader
    assert reader.heard == []
    reader.close()


def sentence(page):
    return page.get_by_label("A sentence of this language")


def word(page, place):
    """The button of the word at a place, from 1."""
    return page.get_by_role("group", name="The sentence").get_by_role("button").nth(place - 1)


def minus(number, digits):
    """As the page writes a number."""
    return f"{number:.{digits}f}".replace("-", "−")


@pytest.mark.parametrize("case", KNOWN["cases"], ids=lambda case: f"{case['kind']}-{case['text']}")
def test_it_shows_what_pytorch_computes(reader, case):
    page, steps = reader.page, case["steps"]
    sentence(page).fill(case["text"])
    page.get_by_label("The weights come from").select_option(KINDS[case["kind"]])
    words = case["text"].split()
    vocabulary = page.evaluate(f"SoftLookup.weights.get('{NAME}').config.vocabulary")
    said = [vocabulary[row.index(max(row))] for row in steps["said"]]
    assert reader.number("read off") == " ".join(said)
    for i in (0, len(words) - 1):
        word(page, i + 1).click()
        weights = re.findall(r" (\d\.\d\d)[;.]", reader.seen())
        assert weights == [f"{weight:.2f}" for weight in steps["weights"][i]]
        outputs = ", ".join(minus(number, 1) for number in steps["output"][i])
        assert f"Its row of Y: {outputs}." in reader.seen()
        assert f"is read as “{said[i]}”" in reader.outcome()


def test_what_is_moved_takes_its_output_along(reader):
    page = reader.page
    assert "0.88, to “robot”, word 2, and is read as “robot”" in reader.outcome()
    page.get_by_role("button", name="Move the word →").click()
    assert sentence(page).input_value() == "it a robot must obey the orders given"
    assert "“it”, word 1, gives its largest weight, 0.88, to “robot”, word 3" in reader.outcome()
    assert "each has taken its row of Y along, unchanged" in reader.outcome()
    assert reader.number(CHANGED) == "0.0"
    page.get_by_label("The weights come from").select_option(KINDS["places"])
    assert "have changed, by up to" in reader.outcome()
    assert float(reader.number(CHANGED)) > 1


def test_words_are_dragged(reader):
    page = reader.page
    robot, orders = word(page, 2).bounding_box(), word(page, 6).bounding_box()
    page.mouse.move(robot["x"] + 10, robot["y"] + 10)
    page.mouse.down()
    page.mouse.move(orders["x"] + orders["width"] - 4, orders["y"] + 10, steps=25)
    page.mouse.up()
    assert sentence(page).input_value() == "a must obey the orders robot given it"
    assert "“robot”, word 6" in reader.outcome()
    assert reader.number(CHANGED) == "0.0"


def test_a_word_is_exchanged_for_another(reader):
    page = reader.page
    page.get_by_label("The chosen word is").select_option("them")
    assert "0.78, to “orders”, word 6, and is read as “orders”" in reader.outcome()
    assert "The words stand as they were written." in reader.outcome()
    page.get_by_role("button", name="Start again").click()
    assert sentence(page).input_value() == KNOWN["cases"][0]["text"]


def test_by_keyboard_alone(reader):
    page = reader.page
    word(page, 8).focus()
    page.keyboard.press("ArrowLeft")
    assert "“given”, word 7," in reader.outcome()
    for _ in range(9):
        page.keyboard.press("Shift+ArrowLeft")
    assert sentence(page).input_value() == "given a robot must obey the orders it"
    assert page.evaluate("document.activeElement.textContent") == "given"
    for name in ("← Move the word", "Move the word →", "Start again"):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == name


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "at least two words"),
        ("a robot must obey the zebra", "“zebra” is not among the language’s 33 words"),
        ("a robot must ob", "It knows “obey”"),
        ("<b>it</b> it", "is not among"),
        ("it " * 13, "Those are 13 words"),
        ("x" * 10_000, "That is a long text"),
    ],
)
def test_what_cannot_be_read_is_said_kindly(reader, text, said):
    before = reader.outcome()
    sentence(reader.page).fill(text)
    assert said in reader.problem()
    assert sentence(reader.page).get_attribute("aria-invalid") == "true"
    assert reader.outcome() == before
    assert reader.faults() == []
    sentence(reader.page).fill("Obey the robot.")
    assert reader.problem() == ""


def test_a_table_of_places_takes_no_other_length(reader):
    page = reader.page
    sentence(page).fill("obey the robot")
    kinds = page.get_by_label("The weights come from")
    kinds.select_option(KINDS["places"])
    assert "takes 8 words; this sentence has 3" in reader.problem()
    assert kinds.input_value() == "attention"
    sentence(page).fill(KNOWN["cases"][0]["text"])
    kinds.select_option(KINDS["places"])
    sentence(page).fill("obey the robot")
    assert "takes 8 words; this sentence has 3" in reader.problem()
    assert len(reader.number("read off").split()) == 8


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 375)])
def test_nothing_is_wrong_in_any_state(browser, tmp_path, theme, width):
    reader = open_figure(browser, tmp_path, NAME, theme, width)
    page = reader.page
    assert reader.faults() == []
    page.get_by_role("button", name="← Move the word").click()
    page.get_by_label("The weights come from").select_option(KINDS["places"])
    assert reader.faults() == []
    page.get_by_label("The weights come from").select_option(KINDS["attention"])
    sentence(page).fill("children " * 12)
    assert reader.faults() == []
    reader.close()


def test_a_wrong_order_of_the_outputs_is_found(browser, tmp_path):
    planted = ("maths/carried", "row(before, from)", "row(before, to)")
    reader = open_figure(browser, tmp_path, NAME, planted=planted)
    reader.page.get_by_role("button", name="← Move the word").click()
    assert reader.number(CHANGED) != "0.0"
    reader.close()
