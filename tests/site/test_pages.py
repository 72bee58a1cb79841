"""The pages beside the chapters in a real browser, and what a reader does on any page."""

import pytest
from built import SITE, is_chapter, pages
from reading import open_page, read, read_as_all

pytestmark = pytest.mark.site

PICTURE = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='100' height='9'/>"

# Each breaks one rule; without it the page would be a good one.
FAULTS = {
    "asked another host": '<img src="https://example.invalid/a.png" alt="A picture from afar">',
    "not loaded": '<img src="missing.png" alt="A picture that is not there">',
    "script": "<script>throw new Error('planted')</script>",
    "console": "<script>console.error('planted')</script>",
    "the page scrolls sideways": '<p style="width: 3000px">Wide.</p>',
    "scrolls, out of reach": '<pre style="overflow: auto; width: 5em">a line too long</pre>',
    "opens at its end": (
        '<div tabindex="0" style="display: flex; flex-direction: row-reverse; overflow: auto">'
        '<span style="min-width: 3000px">The beginning of a long formula.</span></div>'
    ),
    "a star is left over": "<p>From <em>it to</em> animal*, so it has understood.</p>",
    "figure too small": (
        f'<div class="cell_output"><img width="50" src="{PICTURE}" alt="A small picture"></div>'
    ),
    "formula not set": '<p><span class="math">\\(x^2\\)</span></p>',
    "formula not set: 12": (
        "<p><math><mfrac><mn>1</mn>"
        "<mn style='position: relative; top: -3em'>2</mn></mfrac></math></p>"
    ),
    "accessibility, color-contrast": '<p style="color: #bbb">Pale words on white paper.</p>',
    # One word of code is pale, among others of its block.
    "accessibility, color-contrast: ['<span style=": (
        '<code><span>one</span> <span>two</span> <span style="color: #bbb">three</span></code>'
    ),
    # Of the same colour as the words before it, on another ground.
    "accessibility, color-contrast: ['<p>On a dark": (
        '<p>On paper.</p><div style="background: #444"><p>On a dark ground.</p></div>'
    ),
    "accessibility, image-alt": '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">',
}
GOOD_PAGE = """<!DOCTYPE html><html lang="en"><head><title>A page</title>
<link rel="icon" href="data:,"></head><body><main><h1>A page</h1>{}</main></body></html>"""


@pytest.mark.parametrize("page", [name for name in pages() if not is_chapter(name)])
def test_nothing_is_wrong_with_the_page(browser, page):
    faults = read_as_all(browser, SITE / page)
    assert not faults, "\n".join(faults)


def test_there_are_pages(site):
    names = pages(site)
    assert "book/index.html" in names
    assert any(map(is_chapter, names))


def test_a_good_page_has_no_fault(browser, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(GOOD_PAGE.format("<p>Words.</p>"))
    assert read(browser, path, 1280) == []


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(browser, tmp_path, fault):
    path = tmp_path / "page.html"
    path.write_text(GOOD_PAGE.format(FAULTS[fault]))
    assert any(fault in found for found in read(browser, path, 1280))


COLOURS = """<style>p {{ color: #222; }}
@media (prefers-color-scheme: {scheme}) {{ p {{ color: #bbb; }} }}</style><p>Words.</p>"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 375])
def test_pale_words_are_found_in_the_one_scheme_that_has_them(browser, tmp_path, width, scheme):
    path = tmp_path / "page.html"
    path.write_text(GOOD_PAGE.format(COLOURS.format(scheme=scheme)))
    (found,) = read(browser, path, width)
    assert found.startswith(f"{scheme}, {width} px wide: accessibility, color-contrast")


def test_what_is_asked_for_after_loading_is_heard(browser, tmp_path):
    path = tmp_path / "page.html"
    later = "<script>setTimeout(() => { new Image().src = 'missing.png'; }, 400)</script>"
    path.write_text(GOOD_PAGE.format(later))
    assert any("not loaded" in found for found in read(browser, path, 1280))


def test_the_next_reader_finds_nothing_of_the_last(browser, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(GOOD_PAGE.format("<p>Words.</p>"))
    keep = "for (const each of [localStorage, sessionStorage]) each.setItem('seen', 'yes')"
    kept = "() => [localStorage.length, sessionStorage.length, innerWidth, history.length]"
    seen = []
    for width in (375, 1280):
        page, _ = open_page(browser, path, "light", width)
        seen.append(page.evaluate(kept))
        page.evaluate(keep)
        page.close()
    assert seen == [[0, 0, 375, 2], [0, 0, 1280, 2]]


def test_a_page_that_stays_light_is_found(browser, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(GOOD_PAGE.format("<p>Words.</p>").replace("<html", '<html data-theme="light"'))
    assert read(browser, path, 1280) == ["dark, 1280 px wide: the page stays light"]


def test_the_search_finds_what_the_book_is_about(browser, site):
    page, faults = open_page(browser, site / "search.html", "light", 1280)
    page.goto(f"{(site / 'search.html').as_uri()}?q=softmax")
    page.wait_for_selector("#search-results li a")
    assert page.locator("#search-results li a").count() >= 3
    page.close()
    assert faults == []


def test_the_first_key_leads_past_the_menus(browser, site):
    page, _ = open_page(browser, site / "book/notation.html", "light", 1280)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "#main-content"
    page.close()


def test_the_reader_chooses_light_or_dark_and_it_is_kept(browser, site):
    page, _ = open_page(browser, site / "book/notation.html", "light", 1280)
    ground = "getComputedStyle(document.body).backgroundColor"
    seen = {page.evaluate(ground)}
    for _ in range(3):
        page.click(".theme-switch-button")
        seen.add(page.evaluate(ground))
        chosen = page.evaluate(ground)
    assert len(seen) == 2
    page.goto((site / "book/glossary.html").as_uri())
    assert page.evaluate(ground) == chosen
    page.close()


def test_pages_read_well_without_scripts(browser, site):
    context = browser.new_context(
        java_script_enabled=False, viewport={"width": 1280, "height": 800}
    )
    page = context.new_page()
    chapter = next(filter(is_chapter, pages(site)))
    page.goto((site / chapter).as_uri())
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(251, 250, 247)"
    fold = page.locator("details.sd-dropdown").first
    inside = fold.locator(".sd-summary-content")
    assert not inside.is_visible()
    fold.locator("summary").click()
    assert inside.is_visible()
    page.click("nav.bd-docs-nav a:has-text('Notation')")
    assert "Notation" in page.title()
    context.close()


def test_paper_shows_the_text_with_folds_open_and_no_menus(browser, site):
    chapter = next(filter(is_chapter, pages(site)))
    page, _ = open_page(browser, site / chapter, "light", 1280)
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert not page.locator(".bd-sidebar-primary").is_visible()
    assert not page.locator(".bd-header-article").is_visible()
    assert page.locator("details:not([open])").count() == 0
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator("details:not([open])").count() > 0
    page.close()


# The last goes into the middle of a section, where no heading is in view.
JUMPS = [
    "location.hash = 'summary'",
    "summary.scrollIntoView()",
    "window.scrollTo(0, summary.getBoundingClientRect().bottom + scrollY - 0.35 * innerHeight)",
]


@pytest.mark.parametrize("jump", JUMPS)
def test_the_contents_show_where_the_reader_is(browser, site, jump):
    """On a long chapter they scroll too; after a jump the entry would be far below."""
    page, _ = open_page(browser, site / "notebooks/02_attention.html", "light", 1280)
    try:
        page.evaluate(jump)
        page.locator(".page-toc .nav-link.active", has_text="Summary").last.wait_for()
        page.wait_for_function(
            """() => {
              const entry = [...document.querySelectorAll(".page-toc .nav-link.active")].at(-1);
              const at = entry.getBoundingClientRect();
              return at.top >= 0 && at.bottom <= window.innerHeight;
            }""",
        )
    finally:
        page.close()
