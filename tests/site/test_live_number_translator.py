"""The number translator, as a reader uses it: numbers typed and drawn, layers, single tokens."""

import json

import pytest
from built import ROOT
from live_pages import open_figure

NAME = "number-translator"
KNOWN = json.loads((ROOT / f"tests/live/expected/{NAME}.json").read_text("utf-8"))
CASES = {case["number"]: case for case in KNOWN["cases"]}
ASKED = "A number from 0 to 999,999"
LAYER = "Cross-attention, mean of the heads"
STEP = "Tokens written"


@pytest.fixture
def reader(browser, tmp_path):
    """A reader at a desk."""
    reader = open_figure(browser, tmp_path, NAME)
    yield reader
    assert reader.heard == []
    reader.close()


def verdict(case, search):
    return "right" if case[search] == case["true"] else "wrong"


@pytest.mark.parametrize("number", CASES)
def test_both_searches_write_what_pytorch_writes(reader, number):
    case = CASES[number]
    reader.page.get_by_label(ASKED).fill(str(number))
    said = reader.outcome()
    assert reader.number("the right numeral") == " ".join(case["true"])
    for name, search in (("greedy search", "greedy"), ("four beams", "beams")):
        written = f"{' '.join(case[search])} ({verdict(case, search)};"
        assert reader.number(name).startswith(written)
    assert ("without an error" in said) == (verdict(case, "greedy") == "right")
    assert ("write the same" in said) == (case["greedy"] == case["beams"])


@pytest.mark.parametrize("layer", [0, 1])
def test_it_looks_where_pytorchs_looks(reader, layer):
    case = CASES[73_247]
    page = reader.page
    page.get_by_label(LAYER).select_option(str(layer))
    source = ["seventy", "three", "thousand", "two", "hundred", "and", "forty", "seven"]
    for step, weights in enumerate(case["weights"][layer], start=1):
        page.get_by_label(STEP).fill(str(step))
        most = max(weights)
        told = f"layer {layer + 1} looks most at “{source[weights.index(most)]}”"
        assert f"{told}, with weight {most:.2f}." in reader.outcome()


def test_a_number_of_each_kind_can_be_drawn(reader):
    page = reader.page
    for kind in KNOWN["counts"]:
        before = page.get_by_label(ASKED).input_value()
        page.get_by_role("button", name=kind, exact=True).click()
        drawn = page.get_by_label(ASKED).input_value()
        assert drawn != before
        pressed = page.locator('number-translator .live-row [aria-pressed="true"]')
        assert pressed.all_inner_texts() == [kind]
        case = CASES[int(drawn.replace(",", ""))]
        assert f"({verdict(case, 'greedy')};" in reader.number("greedy search")


def test_what_is_new_is_told(reader):
    typed = reader.page.get_by_label(ASKED)
    for number, told in (
        ("8,147", "neither a pair nor its length nor its construction"),
        ("2134", "“thirty four” side by side"),
        ("73 234", "8 English words, where the training has 7 at most; “thirty four” side by side"),
        ("21000", "“twenty one” side by side"),
        ("100000", "a hundred before the thousand"),
        ("0", "the word “zero”"),
    ):
        typed.fill(number)
        assert reader.number("new to the model") == told


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Write a whole number from 0 to 999,999"),
        ("forty two", "Write digits alone"),
        ("-4", "Write digits alone"),
        ("<b>1</b>", "Write digits alone"),
        ("1000000", "end at 999,999"),
        ("7" * 10_000, "end at 999,999"),
    ],
)
def test_what_cannot_be_translated_is_said_kindly(reader, text, said):
    assert said in reader.refused(ASKED, text)
    assert reader.page.get_by_label(ASKED).input_value() == "73,247"


def test_by_keyboard_alone(reader):
    page = reader.page
    page.get_by_label(ASKED).focus()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("42")
    assert "writes 42 without an error" in reader.outcome()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Home")
    assert "Token 1, “zwei”" in reader.outcome()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.textContent") == "a greater length"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Start again"


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 375)])
def test_nothing_is_wrong_in_any_state(browser, tmp_path, theme, width):
    reader = open_figure(browser, tmp_path, NAME, theme, width)
    page = reader.page
    assert reader.faults() == []
    for number in ("999999", "7", "0"):
        page.get_by_label(ASKED).fill(number)
        assert reader.faults() == []
    page.get_by_label(STEP).fill("1")
    page.get_by_label(LAYER).select_option("0")
    assert reader.faults() == []
    page.get_by_label(ASKED).fill("x")
    assert reader.faults() == []
    reader.close()


def test_a_lost_mask_is_found(browser, tmp_path):
    planted = (
        "maths/translators",
        "const mask = causal(target.length);",
        "const mask = undefined;",
    )
    reader = open_figure(browser, tmp_path, NAME, planted=planted)
    reader.page.get_by_label(ASKED).fill("42")
    written = reader.number("greedy search")
    chance = 2.718281828 ** CASES[42]["log_probability"]
    assert not written.startswith("zwei und vierzig") or f"{chance:.2g}" not in written
    reader.close()
