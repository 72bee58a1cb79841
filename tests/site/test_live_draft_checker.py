"""The draft and its judge, as a reader tries them: texts, drafts, and rules that are not exact."""

import json

import pytest
from built import ROOT
from live_pages import open_figure

NAME = "draft-checker"
KNOWN = json.loads((ROOT / f"tests/live/expected/{NAME}.json").read_text("utf-8"))["cases"]
FIRST = KNOWN[0]["text"]
KEPT, WRONG = "proposals that are kept", "tokens that come out wrong"


@pytest.fixture
def reader(browser, tmp_path):
    """A reader at a desk."""
    reader = open_figure(browser, tmp_path, NAME)
    yield reader
    assert reader.heard == []
    reader.close()


def numbers_are_the_librarys(reader, draft, other="left"):
    """What is shown at the exact factor is what the library computed."""
    (case,) = [
        case
        for case in KNOWN
        if (case["text"], case["draft"], case["often"], case["from"]) == (FIRST, draft, 1, other)
    ]
    assert reader.number(KEPT) == f"{case['share']:.2f}"
    for token in case["tokens"]:
        assert f"comes out {token:.2f}" in reader.seen()


def test_every_draft_gives_the_target(reader):
    for draft in sorted({case["draft"] for case in KNOWN}):
        reader.page.get_by_label("The draft").select_option(draft)
        numbers_are_the_librarys(reader, draft)
        assert reader.number(WRONG) == "none"
        assert "is the target’s distribution, whatever the draft says" in reader.outcome()


def test_a_rule_that_keeps_too_often_is_seen(reader):
    page = reader.page
    slider = page.get_by_label("Kept, times as often")
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert slider.get_attribute("aria-valuetext") == "1.25 times"
    assert reader.number(WRONG) != "none"
    assert "too often" in reader.outcome()
    page.keyboard.press("ArrowLeft")
    assert reader.number(WRONG) == "none"


def test_replacing_from_the_target_is_seen_and_forgotten(reader):
    page = reader.page
    page.get_by_label("What is not kept").select_option("target")
    numbers_are_the_librarys(reader, KNOWN[0]["draft"], "target")
    assert "is not the target’s" in reader.outcome()
    page.get_by_role("button", name="Start again").click()
    numbers_are_the_librarys(reader, KNOWN[0]["draft"])


def test_another_text_is_told(reader):
    other = next(case["text"] for case in KNOWN if case["text"] != FIRST)
    reader.page.get_by_label("The text so far").select_option("1")
    assert reader.seen().startswith(f"After “{other}”.")


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 375)])
def test_nothing_is_wrong_in_any_state(browser, tmp_path, theme, width):
    reader = open_figure(browser, tmp_path, NAME, theme, width)
    assert reader.faults() == []
    reader.page.get_by_label("What is not kept").select_option("target")
    assert reader.faults() == []
    reader.close()


def test_a_residual_of_absolute_differences_is_found(browser, tmp_path):
    planted = ("maths/speculation", "Math.max(0, p - draft[i])", "Math.abs(p - draft[i])")
    reader = open_figure(browser, tmp_path, NAME, planted=planted)
    with pytest.raises(AssertionError):
        numbers_are_the_librarys(reader, KNOWN[0]["draft"])
    reader.close()
