"""Heads that share, as a reader uses the figure: heads, length and texts are turned."""

import json

import pytest
from built import ROOT
from live_pages import open_figure

NAME = "shared-cache"
KNOWN = json.loads((ROOT / f"tests/live/expected/{NAME}.json").read_text("utf-8"))
SHARED, LENGTH, TEXTS = "Shared heads of keys and values", "Tokens in a text", "Texts at once"
HEADS_AT, LENGTHS_AT = [1, 2, 4, 8, 16, 32], [2**power for power in range(8, 21)]


@pytest.fixture
def reader(browser, tmp_path):
    """A reader at a desk."""
    reader = open_figure(browser, tmp_path, NAME)
    yield reader
    assert reader.heard == []
    reader.close()


def turned(reader, label):
    """The slider; the picture's words hold its label, too."""
    return reader.page.get_by_label(label, exact=True)


def told(number):
    """Bytes, as the figure tells them."""
    units = ["bytes", "kB", "MB", "GB", "TB"]
    order = min(len(units) - 1, (len(str(number)) - 1) // 3)
    scaled = number / 1000**order
    return f"{scaled:.0f} {units[order]}" if scaled >= 100 else f"{scaled:.1f} {units[order]}"


@pytest.mark.parametrize("case", KNOWN["cases"], ids=lambda case: "-".join(map(str, case.values())))
def test_the_caches_are_those_of_pytorch(reader, case):
    turned(reader, SHARED).fill(str(HEADS_AT.index(case["shared"])))
    turned(reader, LENGTH).fill(str(LENGTHS_AT.index(case["length"])))
    turned(reader, TEXTS).fill(str([1, 2, 4, 8, 16, 32, 64].index(case["texts"])))
    assert f"the caches take {told(case['bytes'])}." in reader.outcome()
    assert reader.number("caches") == told(case["bytes"])
    per_token = case["bytes"] // (case["length"] * case["texts"])
    assert reader.number("bytes a token") == f"{per_token:,}"


def test_it_begins_with_one_full_window(reader):
    assert reader.outcome().startswith("One text of 8,192 tokens with 8 shared heads")
    assert "A dot marks 8,192 tokens, 1.1 GB" in reader.seen()


def test_by_keyboard_alone(reader):
    page = reader.page
    turned(reader, SHARED).focus()
    page.keyboard.press("End")
    assert "with 32 shared heads" in reader.outcome()
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    assert reader.outcome().startswith("64 texts of 1,048,576 tokens")
    assert "times as much as the weights" in reader.outcome()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert reader.outcome().startswith("One text of 8,192 tokens with 8 shared heads")


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 375)])
def test_nothing_is_wrong_in_any_state(browser, tmp_path, theme, width):
    reader = open_figure(browser, tmp_path, NAME, theme, width)
    assert reader.faults() == []
    for label in (SHARED, LENGTH, TEXTS):
        turned(reader, label).press("End")
    assert reader.faults() == []
    for label in (SHARED, LENGTH, TEXTS):
        turned(reader, label).press("Home")
    assert reader.faults() == []
    reader.close()


def test_a_forgotten_value_is_found(browser, tmp_path):
    planted = ("maths/shared_cache", "2 * model.layers", "model.layers")
    reader = open_figure(browser, tmp_path, NAME, planted=planted)
    assert "the caches take 1.1 GB" not in reader.outcome()
    reader.close()
