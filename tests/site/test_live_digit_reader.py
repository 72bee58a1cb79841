"""The digit reader, as a reader uses it: digits drawn, moved, covered in part."""

import json
import re

import pytest
from built import ROOT
from live_pages import open_figure

NAME = "digit-reader"
KNOWN = json.loads((ROOT / f"tests/live/expected/{NAME}.json").read_text("utf-8"))
WAYS = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}
BY = "Rank the patches by"
ALIKE = "this ranking and ink"
STEPS = "a pixel left, right, up, down of its place"


@pytest.fixture
def reader(browser, tmp_path):
    """A reader at a desk."""
    reader = open_figure(browser, tmp_path, NAME)
    yield reader
    assert reader.heard == []
    reader.close()


def cell(page, row, column):
    """A pixel of the paper, both from 1."""
    return page.locator(".live-paper > button").nth(8 * (row - 1) + column - 1)


def way(page, name):
    return page.get_by_role("button", name=re.compile(f"^. {name}$"))


def patch(page, number):
    return page.locator(".live-tiles > button").nth(number - 1)


def take(page, model, digit=None):
    page.get_by_label("Model").select_option(model)
    if digit is not None:
        page.get_by_label("Digit", exact=True).select_option(str(digit))


def probabilities(reader):
    return [float(each) for each in re.findall(r"\d: (\d\.\d\d)", reader.seen())]


def ranked(page):
    """The numbers on the patches."""
    return [float(each) for each in page.locator(".live-share").all_inner_texts()]


def softmax(page, logits):
    return page.evaluate("logits => Array.from(SoftLookup.attention.softmax(logits))", logits)


@pytest.mark.parametrize("case", [each for each in KNOWN["cases"] if "digit" in each])
def test_verdict_and_rankings_are_pytorchs(reader, case):
    page = reader.page
    take(page, case["model"], case["digit"])
    for name, (down, across) in WAYS.items():
        steps = case["move"][0] * down + case["move"][1] * across
        for _ in range(max(0, steps)):
            way(page, name).click()
    for number in case["hidden"]:
        patch(page, number + 1).click()
    wanted = softmax(page, case["logits"])
    assert probabilities(reader) == pytest.approx(wanted, abs=0.0052)
    said = case["logits"].index(max(case["logits"]))
    assert f"says {said}, with probability" in reader.outcome()
    assert ranked(page) == pytest.approx(case["rollout"], abs=0.0052)
    agreement = reader.number(ALIKE)
    if case["correlation"] is None:
        assert agreement == "none: all patches are alike"
    else:
        assert float(agreement.replace("−", "-")) == pytest.approx(case["correlation"], abs=0.0052)
    for kind, wanted in (
        ("last", case["last"]),
        ("ink", [(mean + 1) / 2 for mean in case["ink"]]),
        ("0.2", case["weights"][0][2]),
        ("1.3", case["weights"][1][3]),
    ):
        page.get_by_label(BY).select_option(kind)
        assert ranked(page) == pytest.approx(wanted, abs=0.0052)


def test_a_digit_drawn_by_mouse_is_read_as_pytorch_reads_it(reader):
    """Each stroke leaves soft edges; PyTorch was asked about the drawing without them."""
    page = reader.page
    (case,) = [each for each in KNOWN["cases"] if "drawn" in each and each["model"] == "still"]
    page.get_by_role("button", name="Clear").click()
    assert "The model gets empty paper" in reader.outcome()
    for i, row in enumerate(case["drawn"], start=1):
        for j, ink in enumerate(row, start=1):
            if ink == "#":
                cell(page, i, j).click()
    assert page.get_by_label("Digit", exact=True).input_value() == "own"
    assert "Your drawing: the model says 7" in reader.outcome()
    # A press on an edge inks it, and another clears it.
    for i, row in enumerate(case["drawn"], start=1):
        for j, ink in enumerate(row, start=1):
            if ink != "#" and "ink 4 of 16" in cell(page, i, j).get_attribute("aria-label"):
                page.evaluate(
                    "([i, j]) => { const figure = document.querySelector('digit-reader');"
                    " figure.dot(i, j, false); }",
                    [i - 1, j - 1],
                )
    assert probabilities(reader) == pytest.approx(softmax(page, case["logits"]), abs=0.0052)


def test_a_stroke_is_drawn_and_cleared_with_mouse_and_finger(browser, tmp_path, reader):
    page = reader.page
    page.get_by_role("button", name="Clear").click()
    for ink in ("16", "0"):
        cell(page, 2, 4).hover()
        page.mouse.down()
        for row in range(3, 8):
            cell(page, row, 4).hover()
        page.mouse.up()
        cell(page, 8, 8).hover()
        labels = [cell(page, row, 4).get_attribute("aria-label") for row in range(2, 8)]
        assert all(label.endswith(f": ink {ink} of 16") for label in labels)
    touched = page.evaluate(
        """() => {
            const cells = [...document.querySelectorAll(".live-paper > button")];
            const send = (kind, at, target) => {
                const { x, y, width, height } = cells[at].getBoundingClientRect();
                target.dispatchEvent(new PointerEvent(kind, { bubbles: true, pointerType: "touch",
                    clientX: x + width / 2, clientY: y + height / 2 }));
            };
            send("pointerdown", 9, cells[9]);
            for (const at of [10, 11, 12]) send("pointermove", at, cells[9]);
            send("pointerup", 12, cells[9]);
            send("pointermove", 13, cells[9]);
            return cells.slice(9, 14).map((cell) => cell.getAttribute("aria-pressed"));
        }"""
    )
    assert touched == ["true", "true", "true", "true", "false"]


def test_what_the_page_says_of_it_is_so(reader):
    page = reader.page
    assert reader.outcome() == "The 0: the model says 0, with probability 0.99, which is right."
    for name, back in (("left", "right"), ("right", "left")):
        way(page, name).click()
        said = reader.outcome()
        assert said.startswith(f"The 0, moved 1 pixel to the {name}: the model says")
        assert "which is wrong. Unmoved, it is read as 0." in said
        way(page, back).click()
    take(page, "moved")
    left, right, up, down = reader.number(STEPS).split(", ")
    assert (left, right) == ("0", "0")
    assert "0" not in (up, down)
    take(page, "still", 8)
    assert "says 8" in reader.outcome()
    page.get_by_role("button", name="Hide the highest-ranked").click()
    said = reader.outcome()
    assert said.startswith("The 8, with 1 patch of 16 hidden: the model says")
    assert "which is wrong. Whole, it is read as 8." in said


def test_it_goes_three_pixels_far_and_comes_back_whole(reader):
    page = reader.page
    before = page.locator(".live-paper").inner_html()
    for _ in range(3):
        way(page, "up").click()
        way(page, "left").click()
    assert reader.problem() == ""
    assert "moved 3 pixels up and 3 pixels to the left" in reader.outcome()
    way(page, "up").click()
    assert "goes no farther" in reader.problem()
    for _ in range(3):
        way(page, "down").click()
        way(page, "right").click()
    assert reader.problem() == ""
    assert page.locator(".live-paper").inner_html() == before


def test_all_patches_are_hidden_and_one_is_shown_again(reader):
    page = reader.page
    hide = page.get_by_role("button", name="Hide the highest-ranked")
    for _ in range(16):
        hide.click()
    assert reader.problem() == ""
    assert "The model gets empty paper" in reader.outcome()
    hide.click()
    assert "All 16 patches are hidden" in reader.problem()
    patch(page, 10).click()
    assert reader.problem() == ""
    assert "with 15 patches of 16 hidden" in reader.outcome()


def test_by_keyboard_alone(reader):
    page = reader.page
    page.get_by_label(BY).focus()
    page.keyboard.press("Tab")
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowLeft", "ArrowUp", "ArrowUp"):
        page.keyboard.press(key)
    page.keyboard.press("Space")
    assert cell(page, 1, 2).get_attribute("aria-label") == "row 1, column 2: ink 16 of 16"
    assert reader.outcome().startswith("Your drawing: the model says")
    page.keyboard.press("Enter")
    assert cell(page, 1, 2).get_attribute("aria-pressed") == "false"
    for _ in range(2):
        page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert "moved 1 pixel to the right" in reader.outcome()
    for _ in range(4):
        page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    assert "with 1 patch of 16 hidden" in reader.outcome()
    assert patch(page, 2).get_attribute("aria-pressed") == "true"
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert "with 2 patches of 16 hidden" in reader.outcome()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Start again"
    page.keyboard.press("Space")
    assert reader.outcome() == "The 0: the model says 0, with probability 0.99, which is right."


def test_a_drawing_is_kept_while_a_scan_is_shown(reader):
    page = reader.page
    page.get_by_role("button", name="Clear").click()
    cell(page, 4, 4).click()
    take(page, "still", 3)
    assert reader.outcome().startswith("The 3: the model says")
    take(page, "still", "own")
    assert cell(page, 4, 4).get_attribute("aria-pressed") == "true"


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 375)])
def test_nothing_is_wrong_in_any_state(browser, tmp_path, theme, width):
    reader = open_figure(browser, tmp_path, NAME, theme, width)
    page = reader.page
    assert reader.faults() == []
    way(page, "right").click()
    page.get_by_role("button", name="Hide the highest-ranked").click()
    page.get_by_label(BY).select_option("1.0")
    assert reader.faults() == []
    for _ in range(3):
        way(page, "right").click()
    take(page, "moved", 9)
    page.get_by_label(BY).select_option("ink")
    assert reader.faults() == []
    page.get_by_role("button", name="Clear").click()
    assert reader.faults() == []
    reader.close()


def test_a_patch_that_is_only_said_to_be_hidden_is_found(browser, tmp_path):
    planted = ("maths/digit_reading", "hidden.has(patchOf(i, j)) ? 0 :", "hidden.has(-1) ? 0 :")
    reader = open_figure(browser, tmp_path, NAME, planted=planted)
    take(reader.page, "still", 8)
    before = probabilities(reader)
    reader.page.get_by_role("button", name="Hide the highest-ranked").click()
    assert "hidden" in reader.outcome()
    assert probabilities(reader) == before
    reader.close()
