import pytest
from softlookup.figures import style
from softlookup.figures.standings import standings

GROUPS = {
    "counting": {"counts": ([1.83], [1.92]), "with a cache": ([1.81], [1.87])},
    "networks": {"a network": ([1.80, 1.82, 1.81], [1.89, 1.91, 1.90])},
    "mixtures": {"both": ([1.70, 1.72], [1.77, 1.78])},
}


@pytest.mark.mpl_image_compare
def test_standings_look_as_judged():
    style.use_style()
    figure, (axes,) = style.canvas("normal")
    standings(axes, GROUPS, than=1.81, title="Both together are best", x_label="bits saved")
    return figure


def test_a_dot_lies_at_what_is_saved_and_each_run_has_its_own():
    _, (axes,) = style.canvas("narrow")
    groups = {"one": {"a": ([2.0], [1.0])}, "two": {"b": ([1.0, 2.0], [3.0])}}
    standings(axes, groups, than=2.0, title="", x_label="")
    dots = [[*line.get_xdata()] for line in axes.lines if line.get_marker() == "o"]
    assert dots == [[0.0], [1.0, 0.0], [0.5]]
    (first,), _, (second,) = (line.get_ydata() for line in axes.lines[:3])
    assert second - first > 1, "a gap parts two groups"


def test_rows_stand_in_the_order_given_with_their_numbers_beside_them():
    _, (axes,) = style.canvas("narrow")
    standings(axes, GROUPS, than=1.81, title="", x_label="")
    assert axes.yaxis_inverted()
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names == ["counts", "with a cache", "a network", "both"]
    written = [text.get_text() for text in axes.texts]
    assert written[:2] == ["1.83", "1.92"]
    assert written[-2:] == ["test", "validation"]


@pytest.mark.parametrize("groups", [{}, {"none": {}}, {"one": {"a": ([], [1.0])}}])
def test_doors(groups):
    _, (axes,) = style.canvas("narrow")
    with pytest.raises(ValueError, match="nothing to draw"):
        standings(axes, groups, than=0.0, title="", x_label="")
