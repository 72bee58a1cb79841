"""Softmax in instalments, as a reader uses it: block by block, corrected and not, other scores."""

import json

import pytest
from built import ROOT
from live_pages import open_figure

NAME = "softmax-instalments"
KNOWN = json.loads((ROOT / f"tests/live/expected/{NAME}.json").read_text("utf-8"))
SCORES = "Scores of the keys"
SIZE = "Keys in a block"
TAKEN = "Blocks taken in"


@pytest.fixture
def reader(browser, tmp_path):
    """A reader at a desk."""
    reader = open_figure(browser, tmp_path, NAME)
    yield reader
    assert reader.heard == []
    reader.close()


def write(reader, scores, size):
    """Write scores, and choose the size of a block."""
    reader.page.get_by_label(SCORES).fill(" ".join(f"{score:g}" for score in scores))
    reader.page.get_by_label(SIZE).fill(str(size))


@pytest.mark.parametrize("forget", [False, True])
def test_each_block_brings_what_pytorch_says(reader, forget):
    page = reader.page
    page.get_by_label("forget the correction").set_checked(forget)
    for case in KNOWN["cases"]:
        write(reader, case["scores"], case["size"])
        notes = case["forgetful" if forget else "right"]
        for at, (maximum, _, weighted, output) in enumerate(notes, start=1):
            page.get_by_label(TAKEN).fill(str(at))
            shown = reader.number("output so far").replace("−", "-")
            assert float(shown.split(" = ")[1]) == pytest.approx(output, abs=6e-5)
            assert float(shown.split(" / ")[0]) == pytest.approx(weighted, abs=6e-5)
            assert reader.number("maximum").replace("−", "-").startswith(f"{maximum:g}")
        equal = abs(notes[-1][3] - case["at_once"]) < 1e-6
        assert ("gives the same" in reader.outcome()) == equal


def test_it_opens_where_a_greater_score_arrives_and_goes_on(reader):
    page = reader.page
    assert "the maximum moves from 2 to 4" in reader.outcome()
    assert reader.number("correction") == "e^(2 − 4) = 0.1353"
    page.get_by_role("button", name="Next block").click()
    assert "brings no greater score" in reader.outcome()
    page.get_by_role("button", name="Next block").click()
    assert "gives the same" in reader.outcome()
    page.get_by_label("forget the correction").check()
    assert "too much weight" in reader.outcome()
    page.get_by_role("button", name="From the first").click()
    assert "nothing to give yet" in reader.outcome()


def test_the_memory_is_that_of_a_block(reader):
    assert reader.number("held at once, by blocks") == "2 scores + 3 notes = 5"
    assert reader.number("held at once, the whole row") == "8 scores"
    reader.page.get_by_label(SIZE).fill("1")
    assert reader.number("held at once, by blocks") == "1 score + 3 notes = 4"
    assert reader.number("with 100,000 keys") == "4 against 100,000"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "one score or more"),
        ("2 mountains", "“mountains” is not a number"),
        ("<b>2</b>", "is not a number"),
        ("5000", "farther from zero"),
        ("1 " * 10_000, "room for 24 scores"),
    ],
)
def test_what_cannot_be_read_is_said_kindly(reader, line, said):
    assert said in reader.refused(SCORES, line)


def test_by_keyboard_alone(reader):
    page = reader.page
    page.get_by_label(TAKEN).focus()
    page.keyboard.press("End")
    assert "Block 4 of 4" in reader.outcome()
    page.keyboard.press("ArrowLeft")
    assert "Block 3 of 4" in reader.outcome()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert "Block 4 of 4" in reader.outcome()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert "too much weight" in reader.outcome()


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 375)])
def test_nothing_is_wrong_in_any_state(browser, tmp_path, theme, width):
    reader = open_figure(browser, tmp_path, NAME, theme, width)
    assert reader.faults() == []
    reader.page.get_by_label("forget the correction").check()
    reader.page.get_by_label(TAKEN).fill("4")
    assert reader.faults() == []
    write(reader, [(-1) ** j * 41.5 * j for j in range(24)], 5)
    reader.page.get_by_label(TAKEN).fill("3")
    assert reader.faults() == []
    reader.page.get_by_label(TAKEN).fill("0")
    reader.page.get_by_label(SCORES).fill("x")
    assert reader.faults() == []
    reader.close()


def test_a_correction_upside_down_is_found(browser, tmp_path):
    planted = ("maths/instalments", "Math.exp(maximum - greatest)", "Math.exp(greatest - maximum)")
    reader = open_figure(browser, tmp_path, NAME, planted=planted)
    reader.page.get_by_label(TAKEN).fill("4")
    assert "gives the same" not in reader.outcome()
    reader.close()
