"""A scan's rounds drawn: what each box holds is what the arrows brought."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from softlookup.figures import style
from softlookup.figures.scan_rounds import scan_rounds


@pytest.mark.parametrize(("length", "rounds"), [(2, 1), (5, 3), (8, 3)])
def test_what_a_box_holds_came_by_the_arrows(length, rounds):
    _, (axes,) = style.canvas("wide")
    scan_rounds(axes, length, title="any")
    holds = [{token} for token in range(length)]
    arrows = [text for text in axes.texts if not text.get_text()]
    boxes = [text.get_text() for text in axes.texts if text.get_text()]
    for row in range(rounds):
        before = [{*held} for held in holds]
        for arrow in arrows:
            start, end = arrow.xyann, arrow.xy
            if np.floor(-start[1]) == row:
                token = round(end[0] + 0.12)
                assert not holds[token] & before[round(start[0])]
                holds[token] |= before[round(start[0])]
        for token, held in enumerate(holds):
            assert held == {*range(min(held), token + 1)}
            name = f"{min(held) + 1}–{token + 1}" if len(held) > 1 else f"{token + 1}"
            assert boxes[(row + 1) * length + token] == name
    assert all(min(held) == 0 for held in holds)
    assert len(axes.get_yticks()) == rounds + 1
    plt.close("all")


def test_what_holds_all_its_past_is_blue():
    _, (axes,) = style.canvas("wide")
    scan_rounds(axes, 4, title="any")
    names = [text.get_text() for text in axes.texts if text.get_text()]
    for name, patch in zip(names, axes.patches, strict=True):
        is_blue = np.allclose(patch.get_facecolor()[:3], to_rgb(style.BLUE))
        assert is_blue == name.startswith("1")
    plt.close("all")


def test_refuses_a_text_without_a_past():
    _, (axes,) = style.canvas("wide")
    with pytest.raises(ValueError, match="expected at least 2"):
        scan_rounds(axes, 1, title="any")
    plt.close("all")
