"""The margin turner, as a reader uses it: tokens dragged into line, starts moved, w sent out."""

import json
import math

import pytest
from built import ROOT
from live_pages import open_figure

NAME = "margin-turner"
KNOWN = json.loads((ROOT / f"tests/live/expected/{NAME}.json").read_text("utf-8"))
# The chapter's three tokens, and the places from which descent starts: those that the buttons set.
ON_RAYS = {"on a’s ray": KNOWN["cases"][1], "on b’s ray": KNOWN["cases"][2]}
OPENING = KNOWN["cases"][0]


@pytest.fixture
def reader(browser, tmp_path):
    """A reader at a desk."""
    reader = open_figure(browser, tmp_path, NAME)
    yield reader
    assert reader.heard == []
    reader.close()


def press(reader, *names):
    for name in names:
        reader.page.get_by_role("button", name=name, exact=True).click()


def token(reader, name):
    """The point of a token, or of the start."""
    return reader.figure.locator(f'[data-key="{name}"]')


def keys(reader, name, *pressed):
    token(reader, name).focus()
    for key in pressed:
        reader.page.keyboard.press(key)


def cells(reader, name):
    """What the table says of a token: worth, weight, angle, support tokens, locally optimal."""
    row = reader.figure.locator("table tr").filter(
        has=reader.page.get_by_role("rowheader", name=name, exact=True)
    )
    return row.locator("td").all_inner_texts()


def degrees(w, ray):
    cosine = sum(a * b for a, b in zip(w, ray, strict=True)) / math.hypot(*w) / math.hypot(*ray)
    return math.degrees(math.acos(max(-1.0, min(1.0, cosine))))


def same_as_the_library(reader, case, steps):
    """Each row of the table is what the library computes, to the digits shown."""
    at = case["steps"].index(steps)
    w = case["way"][at]
    for i, ray in enumerate(case["rays"]):
        worth, weight, angle, support, local = cells(reader, "abcd"[i])
        assert float(worth.replace("−", "-")) == case["tokens"][i][1]
        shown, known = weight.replace("−", "-"), case["weights"][at][i]
        if shown.startswith(">"):
            assert known > 0.9995
        elif "e" in shown:
            assert float(shown) == pytest.approx(known, rel=0.5)
        else:
            assert float(shown) == pytest.approx(known, abs=6e-4)
        if ray is None:
            assert (angle, support, local) == ("–", "–", "–")
            continue
        assert float(angle.rstrip("°")) == pytest.approx(degrees(w, ray["w"]), abs=0.06)
        assert support == ", ".join("abcd"[rival] for rival in ray["support"])
        assert local == ("yes" if ray["local"] else "no")


def test_it_shows_what_the_library_computes(reader):
    same_as_the_library(reader, OPENING, 300)
    for name, case in ON_RAYS.items():
        press(reader, name, "0 steps")
        same_as_the_library(reader, case, 0)
        press(reader, "100 more")
        same_as_the_library(reader, case, 100)
        press(reader, "1,000 more", "1,000 more", "1,000 more", "1,000 more")
        press(reader, "0 steps", "1,000 more", "1,000 more", "1,000 more", "1,000 more")
        same_as_the_library(reader, case, 4_000)


def test_b_keeps_its_lead_though_a_is_worth_more(reader):
    assert "After 300 steps w is" in reader.outcome()
    assert "b has the largest weight, over 0.999" in reader.outcome()
    assert "from w to b’s widest margin is 1.7°; at the start it was 5.0°" in reader.outcome()
    assert "b is not the best token, but it is worth more than its support token, c" in (
        reader.outcome()
    )
    assert "Its lead over its nearest rival, c, grows with the next step." in reader.outcome()


def test_c_is_given_up(reader):
    press(reader, "on c’s ray", "0 steps")
    assert "c is not worth more than each of its support tokens, a and b" in reader.outcome()
    press(reader, "100 more")
    assert "a has the largest weight, over 0.999" in reader.outcome()
    assert "a is the best token." in reader.outcome()


def test_from_zero_nobody_leads_at_first(reader):
    press(reader, "at zero", "0 steps")
    assert reader.outcome() == "At the start w is 0.0 long, and all tokens weigh the same."
    assert [cells(reader, name)[2] for name in "abc"] == ["–", "–", "–"]
    press(reader, "100 more")
    assert "a has the largest weight" in reader.outcome()
    assert "at the start it was" not in reader.outcome()


def test_the_start_is_dragged_from_one_end_to_the_other(reader):
    box = token(reader, "start").bounding_box()
    page, x, y = reader.page, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y - 5, steps=5)
    page.mouse.up()
    assert "a has the largest weight" in reader.outcome()
    press(reader, "Start again")
    assert "b has the largest weight" in reader.outcome()


def test_a_token_lowered_is_no_longer_locally_optimal(reader):
    before = cells(reader, "a")[3:]
    keys(reader, "b", "Shift+ArrowDown")
    assert cells(reader, "b")[0] == "−0.40"
    keys(reader, "b", "ArrowDown")
    assert cells(reader, "b")[0] == "−0.45"
    assert cells(reader, "b")[4] == "no"
    assert cells(reader, "a")[3:] == before
    assert "b at −1.00, −0.45" in reader.seen()


def test_a_token_is_dragged(reader):
    box = token(reader, "a").bounding_box()
    page, x, y = reader.page, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 4_000, steps=3)
    page.mouse.up()
    assert cells(reader, "a")[0] == "−1.25"
    assert token(reader, "a").get_attribute("aria-label").endswith("worth −1.25")


def test_by_keyboard_alone(reader):
    page = reader.page
    page.get_by_role("button", name="on a’s ray").focus()
    for name in ("on b’s ray", "on c’s ray"):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == name
    page.keyboard.press("Enter")
    for _ in range(2):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert "At the start" in reader.outcome()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert "After 100 steps" in reader.outcome()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert len(cells(reader, "d")) == 5
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowLeft")
    assert "a at 0.95, 0.50" in reader.seen()
    assert page.evaluate("document.activeElement.dataset.key") == "a"


def test_what_no_direction_selects_is_said_kindly(reader):
    page = reader.page
    page.get_by_label("a fourth token").check()
    assert "d lies among the others: no direction puts it ahead of them all" in reader.problem()
    assert cells(reader, "d")[2:] == ["–", "–", "–"]
    assert page.get_by_role("button", name="on d’s ray").is_disabled()
    page.get_by_label("a fourth token").uncheck()
    assert reader.problem() == ""
    # c to the middle of a and b: 0.5 to the right, and 0.7 up.
    keys(reader, "c", "Shift+ArrowRight", "Shift+ArrowUp", *["ArrowUp"] * 4)
    assert "c at 0.00, 0.30" in reader.seen()
    assert "c lies among the others" in reader.problem()
    keys(reader, "c", *["Shift+ArrowRight"] * 2, *["ArrowUp"] * 4)
    assert "a and c lie in one place" in reader.problem()
    assert "a and c are worth the same: there is no single best token." in reader.problem()
    press(reader, "on b’s ray")
    assert reader.faults() == []


def test_tokens_of_one_worth_teach_nothing(reader):
    keys(reader, "b", *["ArrowUp"] * 8)
    assert "a and b are worth the same" in reader.problem()
    keys(reader, "c", "Shift+ArrowUp", *["ArrowUp"] * 8)
    assert "All tokens are worth the same: there is nothing to learn" in reader.problem()
    assert "w is 12.0 long" in reader.outcome()


def test_it_stops_after_five_thousand_steps(reader):
    press(reader, *["1,000 more"] * 5)
    assert "This figure stops at 5,000 steps" in reader.problem()
    assert "After 5,000 steps" in reader.outcome()
    press(reader, "0 steps")
    assert reader.problem() == ""


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 375)])
def test_nothing_is_wrong_in_any_state(browser, tmp_path, theme, width):
    reader = open_figure(browser, tmp_path, NAME, theme, width)
    assert reader.faults() == []
    press(reader, "on c’s ray", "100 more", "1,000 more")
    assert reader.faults() == []
    reader.page.get_by_label("a fourth token").check()
    press(reader, "at zero", "0 steps")
    assert reader.faults() == []
    keys(reader, "d", *["Shift+ArrowRight"] * 4, *["Shift+ArrowUp"] * 4)
    press(reader, "on d’s ray", *["1,000 more"] * 5)
    assert reader.faults() == []
    reader.close()


def test_a_margin_that_is_not_the_widest_is_found(browser, tmp_path):
    planted = ("maths/selection", "dot(b, b) < dot(a, a) ? b : a", "dot(b, b) > dot(a, a) ? b : a")
    reader = open_figure(browser, tmp_path, NAME, planted=planted)
    with pytest.raises(AssertionError):
        same_as_the_library(reader, OPENING, 300)
    reader.close()
