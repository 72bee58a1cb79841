"""Keys on a circle: as judged, and the line cuts off the asked key alone."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from softlookup.figures import style
from softlookup.figures.circle import circle


@pytest.mark.mpl_image_compare(tolerance=2, style="default")
def test_circle_looks_as_judged() -> Figure:
    style.use_style()
    figure, (axes,) = style.canvas("narrow")
    circle(axes, 12, 2, title="Two numbers tell twelve keys apart")
    return figure


@pytest.mark.parametrize(("n_keys", "asked"), [(3, 0), (7, 4), (16, 15)])
def test_the_threshold_cuts_off_the_asked_key_alone(n_keys, asked):
    _, (axes,) = style.canvas("narrow")
    circle(axes, n_keys, asked, title="any")
    others, own, line = (np.stack(each.get_data(), axis=1) for each in axes.lines)
    assert others.shape == (n_keys - 1, 2)
    direction = own[0]
    threshold = line @ direction
    assert np.allclose(threshold[0], threshold[1])
    assert (others @ direction < threshold[0]).all()
    assert own[0] @ direction > threshold[0]
    assert np.allclose(np.linalg.norm(np.concatenate([others, own]), axis=1), 1.0)
    plt.close("all")


@pytest.mark.parametrize(("n_keys", "asked"), [(2, 0), (5, 5), (5, -1)])
def test_the_asked_key_is_one_of_three_or_more(n_keys, asked):
    _, (axes,) = style.canvas("narrow")
    with pytest.raises(ValueError, match="expected three keys or more"):
        circle(axes, n_keys, asked, title="any")
    plt.close("all")
