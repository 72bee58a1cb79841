"""The far copier, as a reader uses it: near and far, moved along, asked at any digit."""

import json

import pytest
from built import ROOT
from live_pages import open_figure

NAME = "far-copier"
KNOWN = json.loads((ROOT / f"tests/live/expected/{NAME}.json").read_text("utf-8"))
TRAINED = 32
LATER = "right at later places"
KINDS = {"rotary": "rotation of queries and keys", "sinusoidal": "sinusoids"}


@pytest.fixture
def reader(browser, tmp_path):
    """A reader at a desk."""
    reader = open_figure(browser, tmp_path, NAME)
    yield reader
    assert reader.heard == []
    reader.close()


def right(case, digits, places):
    """How many digits PyTorch's reader names, of those at these places."""
    return sum(case["said"][at] == int(digits[at - 4]) for at in places)


def counted(text):
    """The two numbers of "28 of 96"."""
    return [int(number) for number in text.split(" of ")]


@pytest.mark.parametrize("case", KNOWN["cases"], ids=lambda case: f"{case['kind']}-{case['first']}")
def test_it_is_right_where_pytorch_is(reader, case):
    page = reader.page
    digits = page.get_by_label("Digits to read").input_value()
    page.get_by_label("Told the order by").select_option(KINDS[case["kind"]])
    page.get_by_label("The text begins at place").fill(str(case["first"]))
    reader.outcome()
    places = range(4, len(case["said"]))
    later = [at for at in places if at + case["first"] >= TRAINED]
    assert counted(reader.number(LATER)) == [right(case, digits, later), len(later)]
    assert f"model names {right(case, digits, places)}." in reader.outcome()


def test_rotary_positions_do_not_mind_where_a_text_begins(reader):
    page = reader.page
    page.get_by_label("Digits to read").fill("31415926535897932384")
    before = reader.outcome()
    page.get_by_label("The text begins at place").fill("60")
    assert reader.outcome() == before
    page.get_by_label("Told the order by").select_option(KINDS["sinusoidal"])
    assert reader.outcome() != before


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Write 4 digits or more"),
        ("12", "Write 4 digits or more"),
        ("<b>12345</b>", "the digits 0 to 9"),
        ("7" * 10_000, "the models have 128 places"),
    ],
)
def test_what_cannot_be_read_is_said_kindly(reader, text, said):
    assert said in reader.refused("Digits to read", text)


def test_by_keyboard_alone(reader):
    page = reader.page
    page.get_by_label("Look from the digit").focus()
    page.keyboard.press("Home")
    assert "At digit 4" in reader.outcome()
    page.keyboard.press("ArrowRight")
    assert "At digit 5" in reader.outcome()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Start again"


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 375)])
def test_nothing_is_wrong_in_any_state(browser, tmp_path, theme, width):
    reader = open_figure(browser, tmp_path, NAME, theme, width)
    assert reader.faults() == []
    reader.page.get_by_label("Told the order by").select_option(KINDS["sinusoidal"])
    reader.page.get_by_label("The text begins at place").fill("64")
    assert reader.faults() == []
    reader.page.get_by_label("Digits to read").fill("x")
    assert reader.faults() == []
    reader.close()


def test_a_lost_mask_is_found(browser, tmp_path):
    planted = ("maths/copier", "mask: causal(tokens.length),", "")
    reader = open_figure(browser, tmp_path, NAME, planted=planted)
    (case,) = [c for c in KNOWN["cases"] if (c["kind"], c["first"]) == ("rotary", 0)]
    digits = reader.page.get_by_label("Digits to read").input_value()
    assert (
        f"model names {right(case, digits, range(4, len(case['said'])))}." not in reader.outcome()
    )
    reader.close()
