"""The induction circuit, as a reader uses it: heads switched off, and brought from another text."""

import json

import pytest
from built import ROOT
from live_pages import open_figure

NAME = "induction-circuit"
KNOWN = json.loads((ROOT / f"tests/live/expected/{NAME}.json").read_text("utf-8"))
LETTERS = "abcdefghijklmnop"
KINDS = {"charged": "penalised for its heads", "free": "before, without the penalty"}
WAYS = {"off": "give nothing", "patch": "are brought to the shuffled text"}
TYPED = "Your text, its end a repetition"
COUNTED = "!document.querySelector('.live-numbers').textContent.includes('being counted')"
TRIED = [[], [[0, 2]], [[1, 3]], [[1, 0], [1, 1], [1, 2], [1, 3]]]


@pytest.fixture
def reader(browser, tmp_path):
    """A reader at a desk."""
    reader = open_figure(browser, tmp_path, NAME)
    yield reader
    assert reader.heard == []
    reader.close()


def press(reader, layer, head):
    """Press the switch of a head, counted from 0."""
    name = f"layer {layer + 1}, head {head + 1}"
    reader.page.get_by_role("button", name=name, exact=True).click()


def take(reader, case):
    """Set the figure as in a case that PyTorch computed."""
    reader.page.get_by_role("button", name="Start again").click()
    reader.page.get_by_label("The model").select_option(KINDS[case["kind"]])
    reader.page.get_by_label("Heads that you press").select_option(WAYS[case["way"]])
    for layer, head in case["heads"]:
        press(reader, layer, head)
    reader.page.wait_for_function(COUNTED)


def answer(reader):
    """The right next symbol of the first question."""
    text = reader.page.get_by_label(TYPED).input_value()
    return text[text.index(text[8]) + 1]


def share(case):
    """PyTorch's share of the exam in a case."""
    heads = [f"{layer}-{head}" for layer, head in case["heads"]]
    return KNOWN["shares"][" ".join([case["kind"], case["way"], *heads])]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_page_says_what_pytorch_says(reader, kind, way):
    for case in KNOWN["cases"]:
        if (case["kind"], case["way"]) != (kind, way) or case["heads"] not in TRIED:
            continue
        take(reader, case)
        right = answer(reader)
        first = case["probabilities"][0]
        shown = reader.number(f"“{right}”" if way == "off" else f"“{right}”, your text’s answer")
        assert float(shown) == pytest.approx(first[LETTERS.index(right)], abs=0.0051)
        assert f"says “{LETTERS[first.index(max(first))]}”" in reader.outcome()
        part = "share right" if way == "off" else "share of clean answers"
        assert float(reader.number(part)[:4]) == pytest.approx(share(case), abs=0.0051)


def test_the_writer_brings_what_stands_at_the_place(reader):
    take(reader, {"kind": "charged", "way": "patch", "heads": [[0, 2]]})
    assert "which stands where “m” stood in yours" in reader.outcome()
    assert "(printed above: 0.89)" in reader.number("what stands in their place")
    press(reader, 0, 2)
    press(reader, 1, 3)
    assert "says “m”, your text’s answer" in reader.outcome()
    assert "(brought)" in reader.seen()


def test_any_question_of_any_text(reader):
    page = reader.page
    page.get_by_role("group", name="Ask what follows").get_by_text("e", exact=True).click()
    assert "After “e” stood “h”" in reader.outcome()
    page.get_by_label(TYPED).fill("ABCD EFGH bc")
    assert "After “b” stood “c”" in reader.outcome()
    assert reader.number("right in your text").endswith("of 2")
    page.get_by_role("button", name="Draw a text").click()
    assert reader.number("right in your text") == "6 of 6"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Write 9 letters or more"),
        ("bkofejidz", "“z” is none of them"),
        ("<b>", "“<” is none of them"),
        ("bbofejidb", "“b” stands there twice"),
        ("bkofejidd", "Repeat something"),
        ("a" * 10_000, "the model has 16 places"),
    ],
)
def test_what_cannot_be_read_is_said_kindly(reader, text, said):
    assert said in reader.refused(TYPED, text)


def test_by_keyboard_alone(reader):
    page = reader.page
    page.get_by_role("group", name="Ask what follows").get_by_role("button").first.focus()
    page.keyboard.press("ArrowRight")
    assert "After “m” stood “l”" in reader.outcome()
    for _ in range(3):
        page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert "without head 3 of layer 1" in reader.outcome()
    page.keyboard.press("Space")
    assert "without" not in reader.outcome()


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 375)])
def test_nothing_is_wrong_in_any_state(browser, tmp_path, theme, width):
    reader = open_figure(browser, tmp_path, NAME, theme, width)
    assert reader.faults() == []
    take(reader, {"kind": "free", "way": "patch", "heads": [[0, 0], [0, 1], [1, 3]]})
    assert "these 3 heads" in reader.outcome()
    assert reader.faults() == []
    reader.page.get_by_label(TYPED).fill("z")
    assert reader.faults() == []
    reader.close()


def test_a_head_that_is_not_brought_is_found(browser, tmp_path):
    planted = ("maths/induction", "patched(heads, clean.layers);", "patched(heads, whole.layers);")
    reader = open_figure(browser, tmp_path, NAME, planted=planted)
    take(reader, {"kind": "charged", "way": "patch", "heads": [[1, 3]]})
    assert "your text’s answer" not in reader.outcome()
    reader.close()
