"""Predictions, answered in a real browser as a reader answers them."""

import pytest
from built import SITE, is_chapter, pages
from reading import axe_faults, layout_faults, open_page, settle

CHAPTER = "notebooks/02_attention.html"
FIRST = "#predict-02_attention-1"
# Chapter 2 measures (c) in its first prediction and (a) in its second.
SECOND = "#predict-02_attention-2"


@pytest.fixture(params=[(1280, "light"), (375, "dark")], ids=["desk", "telephone"])
def page(browser, request):
    width, scheme = request.param
    page, faults = open_page(browser, SITE / CHAPTER, scheme, width)
    yield page
    page.close()
    assert not faults


def choose(page, question, letter):
    """Press an option; again, if a figure that was loading moved the page under the pointer."""
    option = page.locator(f"{question} .option-{letter} button")
    for _ in range(5):
        option.click()
        if option.get_attribute("aria-pressed") == "true":
            return
    pytest.fail(f"({letter}) cannot be chosen")


def outcome(page, question):
    return page.locator(f"{question} .outcome")


@pytest.mark.site
def test_nothing_is_told_before_the_reader_has_chosen(page):
    assert not outcome(page, FIRST).is_visible()
    assert page.locator(f"{FIRST} .measured").count() == 0
    assert "none of the 6 predictions of this chapter" in page.locator(".tally").inner_text()


@pytest.mark.site
def test_a_wrong_choice_shows_what_was_measured_and_both_reasons(page):
    choose(page, FIRST, "a")
    said = outcome(page, FIRST).inner_text()
    assert "You chose (a). Measured: (c)." in said
    assert "Softmax knows differences between scores" in said
    assert "(a) is what Python" in said
    assert "(b) would be right" not in said
    assert page.locator(f"{FIRST} [role=status]").inner_text() == "You chose (a). Measured: (c)."
    page.locator(f"{FIRST} .others summary").click()
    assert "(b) would be right" in outcome(page, FIRST).inner_text()
    assert not page.locator(f"{FIRST} ~ details.answer").first.is_visible()


@pytest.mark.site
def test_a_right_choice_is_told_so_and_kept_in_this_browser(page):
    choose(page, SECOND, "a")
    assert "As you predicted: (a) was measured." in outcome(page, SECOND).inner_text()
    page.reload()
    settle(page)
    assert "As you predicted" in outcome(page, SECOND).inner_text()
    assert page.locator(f"{SECOND} .option-a button").get_attribute("aria-pressed") == "true"
    tally = page.locator(".tally").inner_text()
    assert "you answered 1, and 1 came out as you said. 5 still to be answered." in tally


@pytest.mark.site
def test_a_choice_can_be_changed_and_forgotten(page):
    choose(page, FIRST, "a")
    choose(page, FIRST, "c")
    assert "As you predicted" in outcome(page, FIRST).inner_text()
    page.locator(f"{FIRST} button.again").click()
    assert not outcome(page, FIRST).is_visible()
    assert page.locator(f"{FIRST} ~ details.answer").first.is_visible()
    assert page.evaluate("document.activeElement.textContent").startswith("(a)")
    assert page.evaluate("localStorage.getItem('softlookup.predictions')") == "{}"


@pytest.mark.site
def test_the_keyboard_alone_is_enough(page):
    page.locator(f"{FIRST} .option-a button").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert "You chose (b)" in outcome(page, FIRST).inner_text()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert "As you predicted" in outcome(page, FIRST).inner_text()


@pytest.mark.site
def test_what_was_missed_is_worth_a_second_look(page):
    choose(page, FIRST, "a")
    link = page.locator(".tally li a")
    assert link.count() == 1
    link.click()
    assert page.url.endswith(FIRST)


@pytest.mark.site
def test_every_state_is_sound(page):
    choose(page, FIRST, "a")
    choose(page, SECOND, "a")
    page.locator(f"{FIRST} .others summary").click()
    page.locator("button.depth").click()
    assert [*layout_faults(page), *axe_faults(page)] == []


@pytest.mark.site
def test_the_last_chapter_of_a_part_counts_the_part(browser):
    page, _ = open_page(browser, SITE / "notebooks/05_masking.html", "light", 1280)
    try:
        assert "predictions of Part I: from recurrence to attention" in page.inner_text(".tally")
    finally:
        page.close()


@pytest.mark.site
@pytest.mark.parametrize("kept", ["not json", "[]", '{"02_attention-1": {"chosen": "z"}}', "null"])
def test_what_a_browser_keeps_may_be_broken(browser, kept):
    page, faults = open_page(browser, SITE / CHAPTER, "light", 1280)
    try:
        page.evaluate("(kept) => localStorage.setItem('softlookup.predictions', kept)", kept)
        page.reload()
        settle(page)
        choose(page, SECOND, "a")
        assert "As you predicted" in outcome(page, SECOND).inner_text()
        assert not faults
    finally:
        page.close()


@pytest.mark.site
def test_without_scripts_the_answer_stands_folded(browser):
    context = browser.new_context(java_script_enabled=False)
    try:
        page = context.new_page()
        page.goto((SITE / CHAPTER).as_uri())
        answer = page.locator(f"{FIRST} ~ details.answer").first
        assert "Answer, with a reason for each" in answer.inner_text()
        assert not answer.locator(".reason").first.is_visible()
        answer.locator("summary").click()
        assert "Softmax knows differences" in answer.inner_text()
        assert not page.locator(".tally").is_visible()
        assert page.locator(f"{FIRST} button").count() == 0
    finally:
        context.close()


@pytest.mark.site
@pytest.mark.parametrize("name", [name for name in pages() if is_chapter(name)])
def test_every_prediction_can_be_answered(browser, name):
    page, faults = open_page(browser, SITE / name, "light", 1280)
    try:
        asked = page.locator(".admonition.predict")
        assert asked.count() > 0
        for at in range(asked.count()):
            asked.nth(at).locator("button.choice").first.click()
            assert asked.nth(at).locator(".outcome .verdict").is_visible()
        assert f"you answered {asked.count()}" in page.inner_text(".tally")
        assert not faults
    finally:
        page.close()


@pytest.mark.site
def test_the_switch_unfolds_all_code_and_is_kept(page):
    fold = page.locator(".cell details.hide").first
    assert fold.get_attribute("open") is None
    page.locator("button.depth").click()
    assert fold.get_attribute("open") is not None
    page.reload()
    settle(page)
    assert fold.get_attribute("open") is not None
    assert page.locator("button.depth").get_attribute("aria-pressed") == "true"
    page.locator("button.depth").click()
    assert fold.get_attribute("open") is None
