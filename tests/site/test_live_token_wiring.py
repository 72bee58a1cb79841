"""The wired tokens, as a reader uses them: skip, norm, parts and depth."""

import json

import pytest
from built import ROOT
from live_pages import open_figure

NAME = "token-wiring"
KNOWN = json.loads((ROOT / f"tests/live/expected/{NAME}.json").read_text("utf-8"))
NORMS = {"pre": "in front (pre-norm)", "post": "behind (post-norm)", "none": "none"}
PARTS = {
    "both": "attention and feed-forward",
    "attention": "attention alone",
    "feed_forward": "feed-forward alone",
}
DEPTH = "Look after block"
SAME = "below 10⁻⁵"
DIGITS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


@pytest.fixture
def reader(browser, tmp_path):
    """A reader at a desk."""
    reader = open_figure(browser, tmp_path, NAME)
    yield reader
    assert reader.heard == []
    reader.close()


def wire(reader, case):
    """Join the blocks as a case has them."""
    page = reader.page
    page.get_by_label("skip", exact=True).set_checked(case["skip"])
    page.get_by_label("Norm").select_option(NORMS[case["norm"]])
    page.get_by_label("A block has").select_option(PARTS[case["parts"]])


def told(share):
    """A share as the figure tells it."""
    if share < 1e-5:
        return SAME
    if share >= 1e-3:
        return f"{float(f'{share:.1e}'):g}"
    digits, order = f"{share:.1e}".split("e")
    return f"{digits} × 10{str(int(order)).translate(DIGITS)}"


def name_of(case):
    """What a case is called."""
    return f"{case['norm']}-{'skip' if case['skip'] else 'no skip'}-{case['parts']}"


@pytest.mark.parametrize("case", KNOWN["cases"], ids=name_of)
def test_tokens_are_as_unlike_as_pytorchs(reader, case):
    wire(reader, case)
    (other,) = (
        each
        for each in KNOWN["cases"]
        if each["skip"] != case["skip"]
        and (each["norm"], each["parts"]) == (case["norm"], case["parts"])
    )
    otherwise = "Without the skip" if case["skip"] else "With the skip"
    for block in (1, 2, 12):
        reader.page.get_by_label(DEPTH).fill(str(block))
        share = case["distinctness"][block]
        same = ": the eight tokens are the same" if share < 1e-5 else ""
        assert reader.outcome() == (
            f"After block {block}, the tokens’ distinctness is {told(share)}{same}. "
            f"{otherwise} it would be {told(other['distinctness'][block])}."
        )
        assert reader.number("with the skip") == told(
            (case if case["skip"] else other)["distinctness"][block]
        )


def test_the_tokens_themselves_are_shown(reader):
    page = reader.page
    assert "all rows look the same" in reader.seen()
    rows = page.evaluate(
        """() => {
          const bars = [...document.querySelectorAll("svg.live-picture rect")].slice(1);
          const heights = bars.map((bar) => Number(bar.getAttribute("height")).toFixed(2));
          return Array.from({ length: 8 }, (_, i) => heights.slice(32 * i, 32 * (i + 1)).join());
        }"""
    )
    assert len(set(rows)) == 1
    assert rows[0].count(",") == 31
    page.get_by_label("skip", exact=True).check()
    assert "the rows differ" in reader.seen()


def test_by_keyboard_alone(reader):
    page = reader.page
    page.get_by_label("skip", exact=True).focus()
    page.keyboard.press("Space")
    assert "Without the skip it would be" in reader.outcome()
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    page.keyboard.press("Tab")
    page.keyboard.press("Home")
    assert reader.outcome().startswith("Before the first block, the tokens’ distinctness is 0.9,")
    page.keyboard.press("ArrowRight")
    assert reader.outcome().startswith("After block 1,")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert reader.outcome().startswith(f"After block 12, the tokens’ distinctness is {SAME}:")
    assert not page.get_by_label("skip", exact=True).is_checked()
    assert page.get_by_label("Norm").input_value() == "pre"


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 375)])
def test_nothing_is_wrong_in_any_state(browser, tmp_path, theme, width):
    reader = open_figure(browser, tmp_path, NAME, theme, width)
    assert reader.faults() == []
    reader.page.get_by_label("skip", exact=True).check()
    assert reader.faults() == []
    reader.page.get_by_label("skip", exact=True).uncheck()
    reader.page.get_by_label("Norm").select_option("none")
    reader.page.get_by_label("A block has").select_option("feed-forward alone")
    reader.page.get_by_label(DEPTH).press("Home")
    assert reader.faults() == []
    reader.close()


def test_a_skip_that_is_lost_is_found(browser, tmp_path):
    planted = ("maths/wirings", "skip ? add(x, given) : given", "given")
    reader = open_figure(browser, tmp_path, NAME, planted=planted)
    reader.page.get_by_label("skip", exact=True).check()
    assert SAME in reader.number("with the skip")
    reader.close()
