"""Two models beside each other: the names of either config, each new one in blue and bold."""

import matplotlib.pyplot as plt
from matplotlib.colors import to_hex
from softlookup.figures import style
from softlookup.figures.two_blocks import GPT_2, TODAY, two_blocks


def names_of(stack):
    return [key for _, keys in stack.parts for key in keys]


def test_every_part_and_every_name_is_written():
    _, (axes,) = style.canvas()
    two_blocks(axes, title="any")
    written = [text.get_text() for text in axes.texts]
    for stack in (GPT_2, TODAY):
        assert {stack.name, stack.reads, *names_of(stack)} <= {*written}
        assert f"one of {stack.layers} blocks" in written
        assert all(written.count(part) >= 1 for part, _ in stack.parts)
    assert written.count("+") == 4
    plt.close("all")


def test_new_names_are_blue_and_bold_and_no_others_are():
    _, (axes,) = style.canvas()
    two_blocks(axes, title="any")
    names = {*names_of(GPT_2), *names_of(TODAY)}
    blue = {
        text.get_text()
        for text in axes.texts
        if text.get_text() in names and text.get_color() == style.BLUE
    }
    bold = {
        text.get_text()
        for text in axes.texts
        if text.get_text() in names and text.get_fontweight() == "bold"
    }
    assert blue == bold == {*TODAY.new}
    assert not {*TODAY.new} & {*names_of(GPT_2)}
    assert {*names_of(TODAY)} >= {*TODAY.new}
    plt.close("all")


def test_every_change_is_numbered_and_the_boxes_of_unmet_ones_are_filled_and_blue():
    _, (axes,) = style.canvas()
    two_blocks(axes, title="any")
    numbers = [int(text.get_text()) for text in axes.texts if text.get_text().isdigit()]
    # That of a norm stands at its box, and not once more at the name beside it.
    words = [each for part, names in TODAY.parts for each in (part, *names)]
    told = [{**TODAY.new, **TODAY.changed}.get(each) for each in words if each != "rms_norm_eps"]
    assert sorted(numbers) == sorted(filter(None, told))
    assert {*numbers} == {1, 2, 3, 4, 5, 6, 7}
    boxes = [patch for patch in axes.patches if patch.get_fill()]
    blue = [place for place, box in enumerate(boxes) if to_hex(box.get_edgecolor()) == style.BLUE]
    filled = [
        place for place, box in enumerate(boxes) if to_hex(box.get_facecolor()) != style.PAPER
    ]
    assert len(boxes) == 14
    assert blue == filled == [7 + 2, 7 + 6]  # attention and the output of the newer model
    plt.close("all")


def test_no_name_leaves_its_box():
    style.use_style()
    figure, (axes,) = style.canvas("wide")
    figure.set_size_inches(8.6, 5.6)
    two_blocks(axes, title="any")
    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()
    boxes = [patch.get_window_extent(renderer) for patch in axes.patches]
    names = {*names_of(GPT_2), *names_of(TODAY)}
    for text in axes.texts:
        if text.get_text() in names:
            seen = text.get_window_extent(renderer)
            assert any(
                box.x0 <= seen.x0 and seen.x1 <= box.x1 and box.y0 <= seen.y0 and seen.y1 <= box.y1
                for box in boxes
            )
    plt.close("all")
