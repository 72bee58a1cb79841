"""Untrusted text on display: nothing in it is invisible, overwrites other text, or is endless."""

import time

import pytest
from softlookup_coursework.common.display_text import number, one_line, readable
from softlookup_coursework.feedback.markup import to_html, to_markdown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]8;;https://a.b\x07word\x1b]8;;\x07", "word"),
        ("a\u202eb", "a⟨U+202E⟩b"),
        ("a\u00adb\u200ec\u200fd", "a⟨U+00AD⟩b⟨U+200E⟩c⟨U+200F⟩d"),
        ("a\x00b\x7f", "a␀b⟨U+007F⟩"),
        ("10%\r20%\r100%\n", "100%\n"),
        ("a\r\nb\tc", "a\nb\tc"),
        ("e\u0301 e" + "\u0301" * 99, "e\u0301 e" + "\u0301" * 4),
        ("👩\u200d🔬 עברית", "👩\u200d🔬 עברית"),
        ("\ud800", "⟨U+D800⟩"),
    ],
)
def test_invisible_characters_are_shown_or_removed(text, shown):
    assert readable(text) == shown


def test_a_text_that_is_too_long_says_how_much_is_left_out():
    assert readable("x" * 1_000_000, 10) == "x" * 10 + "\n… and 999,990 more characters"
    assert one_line("a\n b\t" + "c" * 300, 10) == "a b cccccc…"


@pytest.mark.parametrize(
    ("points", "text"),
    [(3.0, "3"), (2.5, "2.5"), (1 / 3, "0.33"), (-1.0, "-1"), (1e6, "1000000.00"),]
)  # fmt: skip
def test_points_have_at_most_two_decimals(points, text):
    assert number(points) == text


def test_markdown_is_rendered_without_links_scripts_or_pictures():
    html = to_html("# A\n\n*b* [c](https://d.e) <f> ![g](h.png) <https://i.j>\n\n```k\n<l>\n```")
    assert html == (
        "<p><strong>A</strong></p>\n<p><em>b</em> c (https://d.e) &lt;f&gt; [picture: g] "
        "https://i.j</p>\n<pre><code>&lt;l&gt;\n</code></pre>\n"
    )
    assert "<em>b</em>" in to_markdown("*b*")
    assert to_markdown("$x$ [a](b)").endswith("<p>&#36;x&#36; a &#40;b&#41;</p> </div>")


PATTERNS = ["[", "![[", "*a ", "*_", ">", "- ", "`", "<", "&", "[a]: x\n", "[a](<", "a|", "1. "]


@pytest.mark.parametrize("pattern", [*PATTERNS, "| a\n", "a\n-|-\n|\n", "\x1b[", "\x1b]", "\u0301"])
def test_no_text_takes_long_to_render(pattern):
    started = time.process_time()
    to_markdown(pattern * (12_000 // len(pattern)))
    readable(pattern * (1_000_000 // len(pattern)), 1_000_000)
    assert time.process_time() - started < 5
