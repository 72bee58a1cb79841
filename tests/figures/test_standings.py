import pytest
from softlookup.figures import style
from softlookup.figures.standings import standings

ROWS = {
    "counting": ([1.92], [1.83]),
    "a network": ([1.89, 1.91, 1.90], [1.80, 1.82, 1.81]),
    "both": ([1.77, 1.78], [1.70, 1.72]),
}


@pytest.mark.mpl_image_compare
def test_standings_look_as_judged():
    style.use_style()
    figure, (axes,) = style.canvas("normal")
    standings(axes, ROWS, title="Both together are best", x_label="bits per character")
    return figure


def test_rows_are_ordered_by_the_text_that_was_chosen_on():
    _, (axes,) = style.canvas("narrow")
    standings(axes, {"b": ([1.0], [3.0]), "a": ([2.0, 4.0], [1.0])}, title="", x_label="")
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "b"]
    dots = [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "o"]
    assert dots == [3.0, 1.0, 1.0, 3.0]


def test_rows_can_keep_the_order_in_which_they_are_given():
    _, (axes,) = style.canvas("narrow")
    rows = {name: ([mean], [mean]) for name, mean in (("b", 2.0), ("c", 3.0), ("a", 1.0))}
    standings(axes, rows, title="", x_label="", as_given=True)
    heights = dict(zip(axes.get_yticklabels(), axes.get_yticks(), strict=True))
    assert [label.get_text() for label in sorted(heights, key=heights.get)] == ["b", "c", "a"]
    assert axes.yaxis_inverted()
    dots = [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "o"]
    assert dots == [2.0, 2.0, 3.0, 3.0, 1.0, 1.0]


def test_doors():
    _, (axes,) = style.canvas("narrow")
    for rows in ({}, {"a": ([], [1.0])}):
        with pytest.raises(ValueError, match="nothing to draw"):
            standings(axes, rows, title="", x_label="")
