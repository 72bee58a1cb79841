"""The drawn Transformer: as it was judged, and with a road into every decoder block."""

import matplotlib.pyplot as plt
import pytest
from matplotlib.figure import Figure
from softlookup.figures import style
from softlookup.figures.encoder_decoder import encoder_decoder

WORDS = {"source": "forty two", "target_in": "<start> zwei", "target_out": "zwei und", "title": "T"}


@pytest.mark.mpl_image_compare(tolerance=2, style="default")
def test_encoder_decoder_looks_as_judged() -> Figure:
    style.use_style()
    figure, (axes,) = style.canvas("tall")
    encoder_decoder(axes, n_layers=2, **WORDS)
    return figure


@pytest.mark.parametrize("n_layers", [1, 2, 3])
def test_the_memory_goes_into_every_cross_attention(n_layers):
    _, (axes,) = style.canvas("tall")
    encoder_decoder(axes, n_layers=n_layers, **WORDS)
    texts = [(text.get_text(), text.get_position()[1]) for text in axes.texts]
    heights = [height for text, height in texts if text == "cross-attention"]
    roads = [text.xy[1] for text in axes.texts if getattr(text, "arrow_patch", None)]
    assert len(heights) == n_layers
    for height in heights:
        assert any(abs(road - height) < 1e-9 for road in roads)
    (named,) = [height for text, height in texts if text.startswith("memory")]
    assert named > max(height for text, height in texts if text == "self-attention")
    plt.close("all")


def test_no_layer_is_refused():
    _, (axes,) = style.canvas()
    with pytest.raises(ValueError, match="n_layers is 0; expected at least 1"):
        encoder_decoder(axes, n_layers=0, **WORDS)
    plt.close("all")
