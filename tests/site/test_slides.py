"""Chapters as slides: what is shown is the page's own, it fits, and it can be used in a browser."""

import json

import pytest
from bs4 import BeautifulSoup
from built import NOTEBOOKS, SITE, built_page
from reading import axe_faults, open_page, settle

import deck  # isort: skip
import slide_words  # isort: skip
import slides  # isort: skip
from contents import read_chapter  # isort: skip

NAMES = sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))
SMALLEST = 19

ARTICLE = """<article><section id="attention"><h1><span class="section-number">2. </span>Attention<a
class="headerlink" href="#attention">#</a></h1><p>You are asked. {long}</p>
<section id="one"><h2>One</h2><p>It is so:</p><div class="math">x</div>
<p>Then more<a class="claim-mark" href="#claim-1-a">law</a>.</p>
<div class="admonition predict measured-b"><p class="admonition-title">Predict</p><p>What?</p>
<ul class="options"><li class="option option-a"><p>(a) No.</p></li>
<li class="option option-b"><p>(b) Yes.</p></li></ul></div>
<details class="answer"><summary>Answer</summary><div class="reason reason-b"><p>(b). So.</p></div>
<div class="reason reason-a"><p>(a) would.</p></div></details>
<div class="cell tag_predict"><div class="cell_input"><div class="highlight-ipython3">p = None</div>
</div></div>
<div class="cell"><div class="cell_input"><div class="highlight-ipython3">a = 1</div></div>
<div class="cell_output"><div class="output">1</div><div class="claim finding" id="claim-1-b"></div>
</div></div>
<div class="cell"><div class="cell_input"><div class="highlight-ipython3">{code}</div></div>
<div class="cell_output"><img src="p.png" alt="A picture"></div><p class="claim-marks">Checked:
<a class="claim-mark claim-mark-finding" href="#claim-1-b">finding</a></p></div>
<p>See <a href="03_more.html">there</a> and <a href="#one">here</a>.</p></section>
<section id="exercises"><h2>Exercises</h2><p>Try.</p></section></section></article>"""


def article():
    html = ARTICLE.format(long="It is long. " * 60, code="b = 2\n" * 20)
    return BeautifulSoup(html, "html.parser").article


def chapter(name="02_attention"):
    number = NAMES.index(name) + 1
    return read_chapter(NOTEBOOKS / f"{name}.ipynb", number, f"notebooks/{name}")


def test_a_page_is_cut_into_stacks_of_slides_in_its_order():
    kinds = [[slide.kind for slide in stack] for stack in deck.Deck(article()).stacks]
    assert kinds == [["title", "opening"], ["opening", "poll", "reasons", "code", "picture"]]


def test_long_prose_is_cut_between_sentences_and_the_whole_is_said():
    first, _ = deck.Deck(article()).stacks
    shown, said = first[1].body[0], first[1].notes[0]
    assert shown.get_text().startswith("You are asked. It is long.")
    assert shown.get_text().endswith("It is long.")
    assert len(shown.get_text()) <= deck.OPENING < len(said.get_text())


def test_what_leads_to_a_formula_stands_with_it():
    opening = deck.Deck(article()).stacks[1][0]
    assert [part.get_text() for part in opening.body] == ["It is so:", "x"]
    assert [part.get_text() for part in opening.notes] == ["It is so:", "Then more."]


def test_a_poll_tells_nothing_before_the_next_step():
    poll, reasons = deck.Deck(article()).stacks[1][1:3]
    page = BeautifulSoup("".join(map(str, poll.body)), "html.parser")
    assert [item["class"] for item in page.select("li")] == [
        ["option", "option-a"],
        ["option", "option-b", "measured", "fragment", "custom"],
    ]
    told = [part.get_text() for part in reasons.body]
    assert told == ["Measured: (b)", "(b). So.", "(a) would."]
    assert "fragment" in reasons.body[2]["class"]


def test_a_picture_has_the_finding_that_it_shows_and_no_code():
    code, picture = deck.Deck(article()).stacks[1][3:]
    assert [part.get_text() for part in code.body] == ["a = 1", "1"]
    assert [part.get("id") or part.name for part in picture.body] == ["img", "claim-1-b"]


@pytest.mark.parametrize(
    ("limit", "last", "kept"),
    [(9, False, "One. Two."), (1, False, "One."), (12, True, "Two. <em>Three</em>.")],
)
def test_a_part_of_a_paragraph_is_whole_sentences(limit, last, kept):
    paragraph = BeautifulSoup("<p>One. Two. <em>Three</em>.</p>", "html.parser").p
    part = slide_words.part_of(paragraph, limit, last)
    assert " ".join(part.decode_contents().split()) == kept


def test_runs_of_a_list_are_short_and_lose_nothing():
    items = BeautifulSoup("<li>aaaa</li><li>bb</li><li>cc</li>", "html.parser").find_all("li")
    found = [[item.get_text() for item in run] for run in slide_words.runs(items, 4)]
    assert found == [["aaaa"], ["bb", "cc"]]


def test_links_lead_where_they_led_from_the_page():
    page = BeautifulSoup(
        slides.slides_page(
            str(article()).replace("<article>", '<article class="bd-article">'), chapter()
        ),
        "html.parser",
    )
    links = {link.get_text(): link["href"] for link in page.select("main a")}
    assert links["there"] == "../notebooks/03_more.html"
    assert links["here"] == "../notebooks/02_attention.html#one"
    assert links["Read the chapter"] == "../notebooks/02_attention.html"
    assert slides.address("https://example.org", "x.html") == "https://example.org"


# Each slide is shown in turn, every step taken, and measured once its pictures are there.
WALK = """async () => {
  const faults = [];
  const next = () => new Promise((done) => requestAnimationFrame(done));
  for (const slide of Reveal.getSlides()) {
    const { h, v } = Reveal.getIndices(slide);
    Reveal.slide(h, v, 99);
    await Promise.all([...slide.querySelectorAll("img")].map((image) => image.decode()));
    await next();
    await next();
    const name = `${slide.id} (${slide.className.split(" ")[0]})`;
    const box = document.querySelector(".slides").getBoundingClientRect();
    const shown = slide.querySelector(".shown");
    if (shown && !slide.matches(".tall")) {
      if (shown.scrollHeight > shown.clientHeight + 1) faults.push(`${name}: too high`);
      for (const part of [shown, ...shown.querySelectorAll("*")]) {
        const at = part.getBoundingClientRect();
        if (part.closest("[tabindex], annotation, mpadded, mphantom")) continue;
        if (at.width && (at.right > box.right + 2 || at.bottom > box.bottom + 2))
          faults.push(`${name}: ${part.localName} reaches beyond the slide`);
      }
      const scrolls = "pre, div.math, .pst-scrollable-table-container";
      for (const part of shown.querySelectorAll(scrolls))
        if (part.scrollWidth > part.clientWidth + 1) faults.push(`${name}: ${scrolls} is cut`);
    }
    const size = parseFloat(getComputedStyle(slide).fontSize);
    if (size < SMALLEST) faults.push(`${name}: its words are ${size} px high`);
    for (const image of slide.querySelectorAll("img"))
      if (image.getBoundingClientRect().height < 200) faults.push(`${name}: a small picture`);
    if (slide.querySelectorAll("h1, h2").length !== 1) faults.push(`${name}: not one heading`);
  }
  return [...new Set(faults)];
}""".replace("SMALLEST", str(SMALLEST))


def open_slides(browser, path, scheme="light"):
    """Slides on a wide screen, and what goes wrong with them."""
    page, faults = open_page(browser, path, scheme, 1280)
    page.set_viewport_size({"width": 1280, "height": 720})
    page.wait_for_function("Reveal.isReady()")
    page.evaluate("document.fonts.ready.then(() => null)")
    return page, faults


@pytest.mark.site
@pytest.mark.parametrize("name", NAMES)
def test_every_slide_fits_and_can_be_read(browser, name):
    page, faults = open_slides(browser, SITE / "slides" / f"{name}.html")
    try:
        assert [*page.evaluate(WALK), *faults] == []
    finally:
        page.close()


@pytest.mark.site
@pytest.mark.parametrize("name", NAMES)
def test_slides_have_what_the_chapter_has(name):
    shown = built_page(SITE / "slides" / f"{name}.html").soup
    read = built_page(SITE / "notebooks" / f"{name}.html").soup
    assert len(shown.select(".poll")) == len(read.select(".admonition.predict"))
    for of in (".cell_output img", "[data-scripts]"):
        own = [each for each in read.select(of) if not each.find_parent(id="exercises")]
        slide = of.replace(".cell_output img", ".picture .shown > img")
        assert len(shown.select(slide)) == len(own), of
    # A finding that bears two pictures stands by both.
    findings = {each.get_text() for each in shown.select(".claim.finding")}
    assert findings == {each.get_text() for each in read.select(".claim.finding")}
    titles = [each.get_text().removesuffix("#") for each in read.select("#summary > h2")]
    assert titles == [shown.select(".list h2")[-1].get_text()]
    assert not [each for each in shown.select("h2") if each.get_text().startswith("Exercise")]
    taken = [each["href"] for each in read.select("a.btn-slides-button")]
    assert taken == [f"../slides/{name}.html"]


@pytest.mark.site
def test_what_does_not_fit_is_found(browser):
    page, _ = open_slides(browser, SITE / "slides" / "02_attention.html")
    try:
        page.evaluate(
            """() => {
              for (const slide of document.querySelectorAll(".poll .shown"))
                slide.insertAdjacentHTML("beforeend", "<p>Words.</p>".repeat(40));
            }"""
        )
        found = page.evaluate(WALK)
        assert len([fault for fault in found if "(poll): too high" in fault]) == 6
    finally:
        page.close()


@pytest.mark.site
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["02_attention", "10_next_word"])
def test_slides_of_every_kind_are_accessible(browser, name, scheme):
    page, faults = open_slides(browser, SITE / "slides" / f"{name}.html", scheme)
    try:
        kinds = "opening poll reasons picture finding code statement confusion list live-slide"
        for kind in ["title", *kinds.split()]:
            page.evaluate(
                """(kind) => {
                  const slide = document.querySelector(`section.${kind}`);
                  const { h, v } = Reveal.getIndices(slide);
                  Reveal.slide(h, v, 99);
                }""",
                kind,
            )
            settle(page)
            assert [kind, *axe_faults(page)] == [kind]
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert ground == ("rgb(251, 250, 247)" if scheme == "light" else "rgb(21, 25, 31)")
        assert faults == []
    finally:
        page.close()


@pytest.mark.site
def test_the_keyboard_leads_through_a_poll(browser):
    path = SITE / "slides" / "02_attention.html"
    page, faults = open_slides(browser, path)
    try:
        kind = "Reveal.getCurrentSlide().className.split(' ')[0]"
        while page.evaluate(kind) != "poll":
            page.keyboard.press("Space")
        measured = page.locator(".poll.present li.measured")
        assert "visible" not in measured.get_attribute("class")
        page.keyboard.press("Space")
        assert "visible" in measured.get_attribute("class")
        assert page.evaluate(kind) == "poll"
        page.keyboard.press("Space")
        assert page.evaluate(kind) == "reasons"
        assert page.locator(".reasons.present .reason").first.is_visible()
        assert page.locator(".reasons.present .reason.visible").count() == 0
        # The address is written once a second at most, by the page's own clock.
        page.evaluate("() => new Promise((done) => setTimeout(done, 1200))")
        assert "#/s" in page.url
        page.reload()
        page.wait_for_function("Reveal.isReady()")
        assert page.evaluate(kind) == "reasons"
        assert faults == []
    finally:
        page.close()


@pytest.mark.site
def test_a_live_figure_comes_to_life_on_its_slide_and_fits(browser):
    page, faults = open_slides(browser, SITE / "slides" / "02_attention.html")
    try:
        page.evaluate(
            """() => {
              const { h, v } = Reveal.getIndices(document.querySelector("section.live-slide"));
              Reveal.slide(h, v);
            }"""
        )
        figure = page.locator("soft-dictionary")
        page.wait_for_selector("soft-dictionary[data-state=ready]")
        figure.locator("input[type=text]").first.fill("Everest")
        page.wait_for_function(
            "document.querySelector('soft-dictionary').innerText.includes('Everest')"
        )
        # The slide is measured anew whenever the figure has grown, on a busy machine a bit later.
        fits = """() => {
          const shown = document.querySelector(".live-slide.present .shown");
          return shown.scrollHeight <= shown.clientHeight + 1;
        }"""
        page.wait_for_function(fits)
        page.evaluate(
            """() => {
              const more = document.createElement("div");
              more.style.height = "200px";
              document.querySelector("soft-dictionary").append(more);
            }"""
        )
        page.wait_for_function(fits)
        assert faults == []
    finally:
        page.close()


@pytest.mark.site
def test_notes_are_there_for_the_speaker_alone(browser):
    page, _ = open_slides(browser, SITE / "slides" / "02_attention.html")
    try:
        page.keyboard.press("Space")
        notes = page.evaluate("Reveal.getSlideNotes()")
        assert "by these rules" in json.dumps(notes)
        assert page.locator("aside.notes:visible").count() == 0
    finally:
        page.close()
