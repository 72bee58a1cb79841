"""The hinges, as a reader places them: dragged, moved by keys, added and taken away."""

import json

import pytest
from built import ROOT
from live_pages import open_figure

NAME = "hinge-placer"
KNOWN = json.loads((ROOT / f"tests/live/expected/{NAME}.json").read_text("utf-8"))
ERROR, EVENLY, BEST = "your greatest error", "evenly spaced", "at the best places"
NEEDED = "evenly spaced units that do as well"


@pytest.fixture
def reader(browser, tmp_path):
    """A reader at a desk."""
    reader = open_figure(browser, tmp_path, NAME)
    yield reader
    assert reader.heard == []
    reader.close()


def bend(page, number):
    """The handle of a bend, from 1."""
    return page.locator(f"[data-key=bend-{number}]")


def move(page, number, steps):
    """Move a bend so many steps of 0.05 by keyboard."""
    bend(page, number).focus()
    for _ in range(abs(steps)):
        page.keyboard.press("ArrowRight" if steps > 0 else "ArrowLeft")


def best_error(units):
    """PyTorch's greatest error at the best places, which follow five that were chosen by hand."""
    return KNOWN["cases"][5 + units - 1]["error"]


@pytest.mark.parametrize("units", [1, 4, 8, 10])
def test_even_and_best_places_err_as_pytorch_says(reader, units):
    page = reader.page
    page.get_by_label("Hidden units").fill(str(units))
    page.get_by_role("button", name="Space them evenly").click()
    even = KNOWN["even"][units - 1]
    assert reader.number(ERROR) == f"{even:.3f}"
    assert f"{even:.3f}" in reader.outcome()
    page.get_by_role("button", name="Show the best places").click()
    assert reader.number(ERROR) == reader.number(BEST) == f"{best_error(units):.3f}"
    last = "No places in steps of 0.05 do better." if units > 1 else "no bend to move"
    assert last in reader.outcome()


def test_five_at_the_tops_and_bottoms_need_nine_evenly_spaced(reader):
    assert "Even spacing misses by as much; the best places leave 0.232." in reader.outcome()
    move(reader.page, 1, -1)
    assert "Even spacing misses by as much; the best places leave 0.232." in reader.outcome()
    for number, steps in ((1, -7), (2, -1), (3, 7), (4, 14)):
        move(reader.page, number, steps)
    by_hand = KNOWN["cases"][3]
    assert "bends on it at 0.80, 2.35, 3.95, 5.50" in reader.seen()
    assert reader.number(ERROR) == f"{by_hand['error']:.3f}"
    needed = 1 + [error <= by_hand["error"] for error in KNOWN["even"]].index(True)
    assert reader.number(NEEDED) == str(needed)


def test_a_bend_is_dragged_and_stays_between_its_neighbours(reader):
    page = reader.page
    box = bend(page, 4).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y)
    page.mouse.move(x - 600, y + 30)
    page.mouse.up()
    assert bend(page, 4).get_attribute("aria-label") == "Bend 4 of 4: x = 3.65"
    assert "Even spacing misses by 0.626" in reader.outcome()


def test_units_are_added_where_the_error_is_and_the_others_stay(reader):
    page = reader.page
    move(page, 1, -8)
    units = page.get_by_label("Hidden units")
    units.fill("6")
    assert "bends on it at 0.80, 2.40, 3.60, 4.80, 5.45." in reader.seen()
    assert "Your 6 units" in reader.outcome()
    units.fill("1")
    assert "One unit makes a straight line" in reader.outcome()
    page.get_by_role("button", name="Start again").click()
    assert units.input_value() == "5"
    assert "bends on it at 1.20, 2.40, 3.60, 4.80." in reader.seen()


def test_by_keyboard_alone(reader):
    page = reader.page
    page.get_by_label("Hidden units").focus()
    page.keyboard.press("ArrowRight")
    for _ in range(3):
        page.keyboard.press("Tab")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+ArrowLeft")
    assert page.evaluate("document.activeElement.getAttribute('data-key')") == "bend-1"
    assert bend(page, 1).get_attribute("aria-label") == "Bend 1 of 5: x = 0.65"
    for _ in range(5):
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Start again"


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 375)])
def test_nothing_is_wrong_in_any_state(browser, tmp_path, theme, width):
    reader = open_figure(browser, tmp_path, NAME, theme, width)
    assert reader.faults() == []
    for units in ("10", "1"):
        reader.page.get_by_label("Hidden units").fill(units)
        reader.page.get_by_role("button", name="Show the best places").click()
        assert reader.faults() == []
    reader.page.get_by_role("button", name="Start again").click()
    for number in (4, 3, 2, 1):
        move(reader.page, number, 30)
    assert reader.faults() == []
    reader.close()


def test_a_weight_that_forgets_the_slope_before_is_found(browser, tmp_path):
    planted = ("maths/hinges", "slope - slopes[i - 1]", "slope")
    reader = open_figure(browser, tmp_path, NAME, planted=planted)
    assert reader.number(ERROR) != f"{KNOWN['even'][4]:.3f}"
    reader.close()
