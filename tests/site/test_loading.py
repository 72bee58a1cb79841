"""What a page loads: at most 1.5 MB before its pictures, and no script before its words."""

import re
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest
from built import SITE, built_page, is_chapter, pages
from reading import blank_page, open_page
from sphinx.errors import ExtensionError

import loading  # isort: skip

HEAVIEST = 1_500_000
# What the figures that move add to a page before one comes near the view.
HEAVIEST_ADDED = 60_000
TEXT_PARTS = ("sa", "s1", "s2", "si")
SEARCH = (
    '<script src="../_static/searchtools.js"></script>\n'
    '<script src="../_static/language_data.js"></script>\n'
    '<script src="../searchindex.js"></script>'
)
OPTIONS = '<script src="../_static/documentation_options.js?v=1"></script>'
PAGE = f'{OPTIONS}<script src="a.js"></script><script defer src="b.js"></script>{SEARCH}'


@pytest.mark.site
@pytest.mark.parametrize("name", [name for name in pages() if is_chapter(name)])
def test_a_chapter_is_light_before_its_pictures(browser, name):
    asked: list[str] = []
    page, _ = blank_page(browser, "light", 1280)
    try:
        page.on("request", lambda request: asked.append(request.url))
        page.goto((SITE / name).as_uri())
        page.wait_for_load_state("networkidle")
    finally:
        page.close()
    files = {Path(unquote(urlparse(url).path)) for url in asked if url.startswith("file:")}
    weights = {path: path.stat().st_size for path in files if path.suffix != ".png"}
    assert sum(weights.values()) < HEAVIEST, sorted(weights.items(), key=lambda item: -item[1])[:5]
    ours = [size for path, size in weights.items() if "live" in path.parts]
    assert sum(ours) < HEAVIEST_ADDED


@pytest.mark.site
@pytest.mark.parametrize("name", [name for name in pages() if name != "search.html"])
def test_no_script_keeps_a_page_from_being_painted(name):
    page = built_page(SITE / name)
    sources = page.soup.find_all("script", src=True)
    assert page.forwards or sources
    assert [each["src"] for each in sources if not each.has_attr("defer")] == []


@pytest.mark.site
def test_a_page_finds_what_is_searched(browser, site):
    page, faults = open_page(browser, site / "notebooks/02_attention.html", "light", 1280)
    try:
        page.keyboard.press("Control+k")
        page.keyboard.type("softmax")
        page.keyboard.press("Enter")
        page.wait_for_selector("#search-results li a")
        assert "search.html" in page.url
        assert faults == []
    finally:
        page.close()


def test_scripts_wait_and_keep_their_order():
    light = loading.lighten(PAGE, "const DOCUMENTATION_OPTIONS = {};", searches=False)
    assert light == (
        "<script>const DOCUMENTATION_OPTIONS = {};</script>"
        '<script defer src="a.js"></script><script defer src="b.js"></script>'
    )


@pytest.mark.parametrize("missing", [OPTIONS, SEARCH])
def test_a_changed_theme_stops_the_build(missing):
    with pytest.raises(ExtensionError, match="found"):
        loading.lighten(PAGE.replace(missing, ""), "", searches=False)


def test_plain_code_is_not_marked():
    code = '<span class="kn">import</span><span class="w"> </span><span class="nn">math</span>'
    light = loading.lighten(PAGE + code, "", searches=False)
    assert light.endswith('<span class="kn">import</span> <span class="nn">math</span>')


def test_a_text_has_one_mark_and_what_is_no_operator_none():
    text = (
        '<span class="n">x</span><span class="o">.</span><span class="n">y</span>'
        '<span class="w"> </span><span class="o">=</span><span class="w"> </span>'
        '<span class="o">+</span><span class="sa">f</span><span class="s2">"a </span>'
        '<span class="si">{</span><span class="n">b</span><span class="si">}</span>'
        '<span class="s2">"</span>'
    )
    light = loading.lighten(PAGE + text, "", searches=False)
    assert light.endswith(
        'x.y = <span class="o">+</span><span class="sa">f"a {</span>b<span class="si">}"</span>'
    )


@pytest.mark.site
def test_what_is_not_marked_has_the_colour_of_plain_code():
    styles = (SITE / "_static/pygments.css").read_text("utf-8")
    for theme in ("light", "dark"):
        start = rf'html\[data-theme="{theme}"\] \.highlight'
        plain = re.search(rf"{start} {{ background: \S+; color: (\S+) }}", styles)
        assert plain is not None
        for kind in ("n", "p", "w"):
            assert re.search(rf"{start} \.{kind} {{ color: {plain[1]} }}", styles)
        text = {re.search(rf"{start} \.{k} {{ color: (\S+) }}", styles)[1] for k in TEXT_PARTS}
        assert len(text) == 1
