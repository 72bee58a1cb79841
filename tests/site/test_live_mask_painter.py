"""The painted mask, as a reader uses it: painted, deepened, put in the wrong place."""

import json
import re

import pytest
from built import ROOT
from live_pages import open_figure

NAME = "mask-painter"
KNOWN = json.loads((ROOT / f"tests/live/expected/{NAME}.json").read_text("utf-8"))
PAIRS = "later words that move an earlier one"


@pytest.fixture
def reader(browser, tmp_path):
    """A reader at a desk."""
    reader = open_figure(browser, tmp_path, NAME)
    yield reader
    assert reader.heard == []
    reader.close()


def cell(page, query, key):
    return page.get_by_role("button", name=f"{query} may look at {key}", exact=True)


def from_the_future(mask, layers, late):
    """How many pairs of words PyTorch finds that are moved from the future."""
    (case,) = [
        case
        for case in KNOWN["cases"]
        if (case["mask"], case["layers"], case["late"]) == (mask, layers, late)
    ]
    rows = enumerate(case["influence"])
    return sum(moved > 1e-5 for i, row in rows for j, moved in enumerate(row) if j > i)


def test_the_causal_mask_leaks_nothing(reader):
    assert "this mask leaks nothing" in reader.outcome()
    reader.page.get_by_label("Layers").fill("3")
    assert "this mask leaks nothing" in reader.outcome()
    assert reader.number(PAIRS) == "0 pairs"


def test_one_open_cell_is_heard_by_more_words_in_two_layers(reader):
    page = reader.page
    cell(page, "must", "given").click()
    assert "“given” moves “must”" in reader.outcome()
    assert "The mask lets it look there." in reader.outcome()
    assert reader.number(PAIRS) == "1 pair"
    page.get_by_label("Layers").fill("2")
    # "must" now hears of the four words after it that "given" has seen, itself included; and the
    # three between them hear of "given" from "must".
    assert reader.number(PAIRS) == "7 pairs"


@pytest.mark.parametrize("layers", [1, 2])
def test_a_mask_after_the_softmax_leaks_as_pytorch_says(reader, layers):
    reader.page.get_by_label("put the mask after the softmax").check()
    reader.page.get_by_label("Layers").fill(str(layers))
    assert "Its weight is zero" in reader.outcome()
    assert reader.number(PAIRS) == f"{from_the_future('causal', layers, True)} pairs"


def test_masks_to_begin_with_and_to_begin_again(reader):
    page = reader.page
    page.get_by_label("Begin with").select_option("sliding window, 3 tokens")
    for layers, reach in enumerate(KNOWN["reach"], start=1):
        page.get_by_label("Layers").fill(str(layers))
        (moved_by,) = re.findall(r"it: ([^;.]*)\.", reader.seen())
        assert len(moved_by.split(", ")) == reach - 1
    page.get_by_role("button", name="Start again").click()
    assert page.get_by_label("Begin with").input_value() == "causal"
    assert cell(page, "it", "A").get_attribute("aria-pressed") == "true"
    assert page.get_by_label("Layers").input_value() == "1"


def test_by_keyboard_alone(reader):
    page = reader.page
    page.get_by_label("put the mask after the softmax").focus()
    page.keyboard.press("Tab")
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
    page.keyboard.press("Space")
    assert cell(page, "A", "robot").get_attribute("aria-pressed") == "true"
    assert "“robot” moves “A”" in reader.outcome()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Start again"


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 375)])
def test_nothing_is_wrong_in_any_state(browser, tmp_path, theme, width):
    reader = open_figure(browser, tmp_path, NAME, theme, width)
    assert reader.faults() == []
    cell(reader.page, "A", "it").click()
    reader.page.get_by_label("put the mask after the softmax").check()
    reader.page.get_by_label("Layers").fill("3")
    assert reader.faults() == []
    reader.close()


def test_an_inverted_mask_is_found(browser, tmp_path):
    planted = ("figures/mask-painter", "this.mask[i][j] === 1);", "this.mask[i][j] === 0);")
    reader = open_figure(browser, tmp_path, NAME, planted=planted)
    assert "The future leaks" in reader.outcome()
    reader.close()
