"""The reach of a gradient, as a reader uses it: gain, forget bias and lag are turned."""

import json
import math

import pytest
from built import ROOT
from live_pages import open_figure

NAME = "gradient-reach"
KNOWN = json.loads((ROOT / f"tests/live/expected/{NAME}.json").read_text("utf-8"))
GAIN, BIAS, STEPS = "Gain of the RNN", "Forget bias of the LSTM", "Steps back"
TANH = "take the RNN’s tanh away"
DIGITS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


@pytest.fixture
def reader(browser, tmp_path):
    """A reader at a desk."""
    reader = open_figure(browser, tmp_path, NAME)
    yield reader
    assert reader.heard == []
    reader.close()


def told(orders):
    """A length as the figure tells it, with what has become of the gradient."""
    length = 10**orders
    if not 1e-3 <= length <= 1e3:
        fate = "vanished" if length < 1e-3 else "exploded"
        return f"10{str(round(orders)).translate(DIGITS)}", fate
    digits = 2 - 1 - math.floor(math.log10(length))
    return f"{round(length, digits):g}", "arrives"


@pytest.mark.parametrize("case", KNOWN["rnn"], ids=lambda case: f"{case['gain']}-{case['tanh']}")
def test_the_rnn_leaves_what_pytorch_leaves(reader, case):
    page = reader.page
    page.get_by_label(GAIN).fill(str(case["gain"]))
    page.get_by_label(TANH).set_checked(not case["tanh"])
    length, fate = told(case["lengths"][100])
    assert f"{length} in the RNN ({fate})" in reader.outcome()
    assert reader.number("RNN, factor a step") == f"{case['factor']:.2f}"
    assert reader.number("by the formula") == f"{case['formula']:.2f}"
    page.get_by_label(STEPS).fill("10")
    length, fate = told(case["lengths"][10])
    assert f"10 steps back, the gradient has length {length} in the RNN ({fate})" in (
        reader.outcome()
    )


@pytest.mark.parametrize("case", KNOWN["lstm"], ids=lambda case: str(case["bias"]))
def test_the_lstm_leaves_what_pytorch_leaves(reader, case):
    reader.page.get_by_label(BIAS).fill(str(case["bias"]))
    length, fate = told(case["lengths"][100])
    looked, arrived = told(KNOWN["attention"][100])
    assert (
        f"{length} in the LSTM ({fate}) and {looked} in attention ({arrived})." in reader.outcome()
    )
    assert reader.number("LSTM, factor a step") == f"{case['factor']:.2f}"


def test_no_slider_moves_attention(reader):
    page = reader.page
    looked, arrived = told(KNOWN["attention"][100])
    for label, key in ((GAIN, "End"), (BIAS, "Home")):
        page.get_by_label(label).press(key)
        assert f"{looked} in attention ({arrived})" in reader.outcome()
        assert f"attention: {told(KNOWN['attention'][10])[0]}," in reader.seen()


def test_by_keyboard_alone(reader):
    page = reader.page
    page.get_by_label(GAIN).focus()
    page.keyboard.press("End")
    assert "in the RNN (exploded)" in reader.outcome()
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    page.keyboard.press("Tab")
    page.keyboard.press("Home")
    assert reader.outcome().startswith("One step back")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert "RNN, no tanh" in reader.seen()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert reader.outcome().startswith("100 steps back")
    assert "in the RNN (vanished)" in reader.outcome()
    assert not page.get_by_label(TANH).is_checked()


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 375)])
def test_nothing_is_wrong_in_any_state(browser, tmp_path, theme, width):
    reader = open_figure(browser, tmp_path, NAME, theme, width)
    assert reader.faults() == []
    reader.page.get_by_label(GAIN).press("End")
    reader.page.get_by_label(BIAS).press("End")
    assert reader.faults() == []
    reader.page.get_by_label(TANH).check()
    reader.page.get_by_label(BIAS).press("Home")
    reader.page.get_by_label(STEPS).press("Home")
    assert reader.faults() == []
    reader.close()


def test_a_gate_turned_round_is_found(browser, tmp_path):
    planted = ("maths/gradients", "sigmoid(value + forgetBias)", "sigmoid(value - forgetBias)")
    reader = open_figure(browser, tmp_path, NAME, planted=planted)
    (case,) = [each for each in KNOWN["lstm"] if each["bias"] == 3.0]
    reader.page.get_by_label(BIAS).fill("3")
    length, fate = told(case["lengths"][100])
    assert f"{length} in the LSTM ({fate})" not in reader.outcome()
    reader.close()
