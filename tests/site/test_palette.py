"""The site's colours are the figures' own, and they can be told apart from their ground."""

import re

import pytest
from built import ROOT
from softlookup.figures import style

STATIC = ROOT / "book" / "_static"
LEAST_CONTRAST_OF_TEXT = 4.5
LEAST_CONTRAST_OF_MARKS = 3.0


def variables(selector: str) -> dict[str, str]:
    """The variables that the first rule with a selector sets."""
    css = (STATIC / "palette.css").read_text(encoding="utf-8")
    rule = re.search(re.escape(selector) + r"[^{]*\{([^}]*)\}", css)
    assert rule, selector
    return dict(re.findall(r"--([a-z-]+): ([^;]+);", rule[1]))


def resolved(theme: str) -> dict[str, str]:
    """A theme's colours as hexadecimal numbers."""
    base = variables(":root")
    named = variables(f'html[data-theme="{theme}"]')
    return {name: base.get(value[6:-1], value) for name, value in named.items()}


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21 (WCAG 2.2, 1.4.3)."""

    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_is_computed_as_the_guidelines_do():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_site_and_figures_share_their_colours():
    colours = variables(":root")
    assert set(colours) >= {"paper", "ink", "muted", "grid", "blue", "orange", "green", "purple"}
    assert colours == {name: getattr(style, name.upper()) for name in colours}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("ground", ["page", "raised"])
@pytest.mark.parametrize("text", ["text", "quiet", "accent", "caution", "proof", "question-text"])
def test_text_stands_out(theme, ground, text):
    colours = resolved(theme)
    assert contrast(colours[text], colours[ground]) >= LEAST_CONTRAST_OF_TEXT


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_ring_around_what_has_the_focus_stands_out(theme):
    colours = resolved(theme)
    for ground in ("page", "raised"):
        assert contrast(colours["question"], colours[ground]) >= LEAST_CONTRAST_OF_MARKS


def test_both_themes_set_the_same_colours():
    assert resolved("light").keys() == resolved("dark").keys()


def test_styles_and_scripts_of_ours_ask_no_other_host():
    ours = [*STATIC.glob("*.css"), *STATIC.glob("*.js"), *STATIC.glob("*.svg")]
    assert len(ours) >= 8
    for path in ours:
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"(https?:)?//[a-z]", text), path.name
