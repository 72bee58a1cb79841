import pytest
from softlookup.figures import style
from softlookup.figures.standings import standings

ROWS = {
    "counts": ([1.92], [1.83]),
    "a network": ([1.89, 1.91, 1.90], [1.80, 1.82, 1.81]),
    "both": ([1.77, 1.78], [1.70, 1.72]),
    "not tested": ([1.75], []),
}
COLOURS = dict(zip(ROWS, (style.ORANGE, style.BLUE, style.GREEN, style.INK), strict=True))


@pytest.mark.mpl_image_compare
def test_standings_look_as_judged():
    style.use_style()
    figure, (axes,) = style.canvas("normal")
    standings(axes, ROWS, colours=COLOURS, title="Both together are best", x_label="bits")
    return figure


def test_a_filled_dot_lies_at_the_first_mean_and_a_hollow_one_at_the_second():
    _, (axes,) = style.canvas("narrow")
    rows = {"a": ([2.0], [1.0]), "b": ([1.0, 2.0], [3.0])}
    standings(axes, rows, colours=dict.fromkeys(rows, style.BLUE), title="", x_label="")
    means = [
        (line.get_markerfacecolor(), line.get_xdata()[0], line.get_ydata()[0])
        for line in axes.lines
        if line.get_markersize() == 9
    ]
    filled, hollow = style.BLUE, style.PAPER
    assert means == [(filled, 2.0, 0), (hollow, 1.0, 0), (filled, 1.5, 1), (hollow, 3.0, 1)]
    small = [line.get_xdata() for line in axes.lines if line.get_markersize() == 4]
    assert [list(each) for each in small] == [[1.0, 2.0]], "each of several runs has a dot"


def test_rows_stand_in_the_order_given_with_their_numbers_beside_them():
    _, (axes,) = style.canvas("narrow")
    standings(axes, ROWS, colours=COLOURS, title="", x_label="")
    assert axes.yaxis_inverted()
    labels = axes.get_yticklabels()
    assert [label.get_text() for label in labels] == list(ROWS)
    assert [label.get_color() for label in labels] == list(COLOURS.values())
    written = [text.get_text() for text in axes.texts]
    assert written[:2] == ["1.92", "1.83"]
    assert written[-3:] == ["1.75", "● validation", "○ test"]


def test_texts_are_not_told_apart_where_there_is_one():
    _, (axes,) = style.canvas("narrow")
    rows = {"not tested": ROWS["not tested"]}
    standings(axes, rows, colours=COLOURS, title="", x_label="")
    assert [text.get_text() for text in axes.texts] == ["1.75"]


@pytest.mark.parametrize("rows", [{}, {"one": ([], [1.0])}])
def test_doors(rows):
    _, (axes,) = style.canvas("narrow")
    with pytest.raises(ValueError, match="nothing to draw"):
        standings(axes, rows, colours={"one": style.BLUE}, title="", x_label="")
