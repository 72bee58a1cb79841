"""The soft dictionary, as a reader uses it: asked, heated, cooled, edited, and asked nonsense."""

import json
import re

import pytest
from built import ROOT
from live_pages import lone_page, open_figure
from reading import open_page

NAME = "soft-dictionary"
KNOWN = json.loads((ROOT / f"tests/live/expected/{NAME}.json").read_text("utf-8"))


@pytest.fixture
def reader(browser, tmp_path):
    """A reader at a desk."""
    reader = open_figure(browser, tmp_path, NAME)
    yield reader
    assert reader.heard == []
    reader.close()


def test_it_shows_what_the_chapter_computes(reader):
    asked = reader.page.get_by_label("Ask for", exact=True)
    slider = reader.page.get_by_label("Temperature")
    stops = reader.page.evaluate("SoftLookup.weights.get('soft-dictionary').config.temperatures")
    for known in KNOWN["lookups"]:
        asked.fill(known["question"])
        slider.fill(str(stops.index(known["temperature"])))
        assert reader.number("blended") == f"{known['answer']:,.0f} m"
        weights = re.findall(r": (\d\.\d\d)", reader.seen().partition("open: ")[2])
        assert weights == [f"{weight:.2f}" for weight in known["weights"]]
    assert "Asked for z at temperature 0.01" in reader.outcome()


def test_by_keyboard_alone(reader):
    page = reader.page
    page.get_by_label("Ask for", exact=True).focus()
    page.keyboard.press("Tab")
    for _ in range(30):
        page.keyboard.press("ArrowLeft")
    assert "temperature 0.01" in reader.outcome()
    assert "as flat as a hard lookup" in reader.outcome()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert reader.number("blended") == "6,961 m"
    assert "Mont Blanc" in reader.outcome()
    assert reader.number("Python’s dictionary") == "KeyError: 'Mont Blanc'"


def test_the_exact_key_is_in_both_dictionaries(reader):
    reader.page.get_by_role("button", name="Everest", exact=True).click()
    assert reader.number("Python’s dictionary") == "8,849 m"


def test_drawers_are_edited_added_and_removed(reader):
    page = reader.page
    page.get_by_text("Edit the drawers").click()
    page.get_by_label("Metres in drawer 2").fill("100")
    assert reader.number("best drawer") == "100 m"
    page.get_by_label("Label of drawer 1").fill("Kilimandscharo")
    assert reader.number("best drawer") == "3,776 m"
    page.get_by_role("button", name="Add a drawer").click()
    assert "Mont Blanc, 4,806 m" in reader.seen()
    page.get_by_role("button", name="Remove drawer 1, Kilimandscharo").click()
    assert "3,776 m" not in reader.seen()
    page.get_by_role("button", name="Start again").click()
    assert reader.number("blended") == "6,036 m"
    assert reader.seen().count(" m: ") == 5


@pytest.mark.parametrize(
    ("said", "answered"),
    [
        ("", "Write a name"),
        ("   ", "Write a name"),
        ("K2", "does not know 2"),
        ("富士", "does not know 富 士"),
        ("a" * 10_000, "10,000 characters"),
    ],
)
def test_bad_input_is_answered_kindly_and_nothing_breaks(reader, said, answered):
    asked = reader.page.get_by_label("Ask for", exact=True)
    asked.fill(said)
    assert answered in reader.problem()
    assert asked.get_attribute("aria-invalid") == "true"
    assert reader.number("blended") == "6,036 m"
    assert reader.faults() == []
    asked.fill("Denali")
    assert reader.problem() == ""
    assert asked.get_attribute("aria-invalid") is None


@pytest.mark.parametrize("said", ["", "tall", "-1", "1e9", "NaN"])
def test_a_height_that_is_none_is_refused(reader, said):
    reader.page.get_by_text("Edit the drawers").click()
    reader.page.get_by_label("Metres in drawer 3").fill(said)
    assert "A height is a number from 0 to 30,000" in reader.problem()
    assert reader.number("blended") == "6,036 m"


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 375)])
def test_nothing_is_wrong_in_any_state(browser, tmp_path, theme, width):
    reader = open_figure(browser, tmp_path, NAME, theme, width)
    page = reader.page
    assert reader.faults() == []
    page.get_by_text("Edit the drawers").click()
    for _ in range(3):
        page.get_by_role("button", name="Add a drawer").click()
    assert page.get_by_role("button", name="Add a drawer").is_disabled()
    assert reader.faults() == []
    page.get_by_label("Temperature").fill("0")
    page.get_by_label("Label of drawer 1").fill("")
    assert reader.faults() == []
    reader.close()


def test_on_paper_there_is_the_picture_and_nothing_to_press(reader):
    reader.page.emulate_media(media="print")
    assert reader.figure.locator("svg.live-picture").is_visible()
    assert not reader.figure.get_by_role("button").first.is_visible()
    assert not reader.page.get_by_text("moves on the site").is_visible()


def test_on_paper_a_figure_that_was_never_loaded_says_where_it_moves(browser, tmp_path):
    tall = '<div style="height: 4000px"></div>'
    page, _ = open_page(browser, lone_page(NAME, tmp_path, before=tall), "light", 1280)
    assert not page.get_by_text("moves on the site").is_visible()
    page.emulate_media(media="print")
    assert page.get_by_text("moves on the site").is_visible()
    page.close()


@pytest.mark.parametrize("name", [NAME, "gpt-writer"])
def test_without_scripts_its_words_stand(browser, tmp_path, name):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(lone_page(name, tmp_path).as_uri())
    assert page.get_by_text("moves on the site").is_visible()
    assert page.get_by_text("Try it.").is_visible()
    context.close()


def test_nothing_is_loaded_until_the_reader_comes_near(browser, tmp_path):
    tall = '<div style="height: 4000px"></div>'
    page, heard = open_page(browser, lone_page(NAME, tmp_path, before=tall), "light", 1280)
    figure = page.locator(NAME)
    assert page.locator("script").count() == 1
    assert figure.get_attribute("data-state") == "waiting"
    figure.scroll_into_view_if_needed()
    page.wait_for_selector(f"{NAME}[data-state=ready]")
    assert heard == []
    page.close()


def test_a_script_that_is_missing_is_told(browser, tmp_path):
    page_at = lone_page(NAME, tmp_path)
    page_at.write_text(page_at.read_text("utf-8").replace("maths/attention", "maths/none"), "utf-8")
    page, _ = open_page(browser, page_at, "light", 1280)
    page.wait_for_selector(f"{NAME}[data-state=failed]")
    assert "could not be loaded" in page.locator(NAME).inner_text()
    page.close()


# What a hurried hand could do, and what a reader would notice.
def test_a_missing_label_is_found(browser, tmp_path):
    planted = ("drawing/controls", "wrapped.append(words, control);", "wrapped.append(control);")
    reader = open_figure(browser, tmp_path, NAME, planted=planted)
    assert any("label" in fault for fault in reader.faults())
    reader.close()


def test_a_picture_without_words_is_found(browser, tmp_path):
    planted = ("drawing/pictures", 'svg.attr("aria-label", alt);', "")
    reader = open_figure(browser, tmp_path, NAME, planted=planted)
    assert any("svg-img-alt" in fault for fault in reader.faults())
    reader.close()


def test_a_wrong_weight_is_found(browser, tmp_path):
    planted = ("weights/soft-dictionary", "5895", "5985")
    reader = open_figure(browser, tmp_path, NAME, planted=planted)
    assert reader.number("blended") != "6,036 m"
    reader.close()
