"""Eight-bit weights: the nearest step, the bound on the error, and the bytes."""

import pytest
import torch
from softlookup.layers.quantized import (
    QuantizedLinear,
    count_bytes,
    matrix_step,
    quantize,
    quantize_linears,
    row_steps,
)
from softlookup.models.gpt import GPT, GPTConfig
from torch import nn


def weight():
    drawn = torch.randn(11, 7, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    drawn[3] *= 20
    return drawn


def nearest(number, step):
    """The whole number whose multiple of the step is nearest, of all from -127 to 127."""
    return min(range(-127, 128), key=lambda whole: abs(whole * step - number))


def test_a_row_by_hand():
    row = torch.tensor([[-2.54, 0.0, 0.031, 1.0]], dtype=torch.float64)
    assert row_steps(row).item() == pytest.approx(0.02)
    assert quantize(row, row_steps(row)).tolist() == [[-127, 0, 2, 50]]


@pytest.mark.parametrize("make_steps", [row_steps, matrix_step])
def test_takes_the_nearest_number_of_steps(make_steps):
    given = weight()
    steps = make_steps(given)
    found = quantize(given, steps)
    assert found.dtype == torch.int8
    steps = steps.expand(11, 1)
    for row in range(11):
        for column in range(7):
            step = steps[row, 0].item()
            assert found[row, column] == nearest(given[row, column].item(), step)


@pytest.mark.parametrize("bits", range(2, 9))
@pytest.mark.parametrize("make_steps", [row_steps, matrix_step])
def test_no_weight_is_wrong_by_more_than_half_a_step(make_steps, bits):
    given = weight()
    steps = make_steps(given, bits)
    numbers = quantize(given, steps)
    error = (numbers * steps - given).abs()
    assert (error <= steps / 2 * (1 + 1e-9)).all()
    # The bound is nearly met, and the largest number is used.
    assert (error / steps).max() > 0.4
    assert numbers.abs().max() == 2 ** (bits - 1) - 1


def test_rows_have_steps_of_their_own():
    given = weight()
    assert torch.equal(row_steps(given)[:, 0] * 127, given.abs().amax(dim=1))
    assert matrix_step(given).shape == (1, 1)
    assert matrix_step(given).item() * 127 == pytest.approx(given.abs().max().item())
    assert (quantize(given, row_steps(given)).abs().amax(dim=1) == 127).all()


def test_a_row_of_zeros_stays_zero():
    zeros = torch.zeros(2, 3)
    assert quantize(zeros, row_steps(zeros)).tolist() == [[0, 0, 0], [0, 0, 0]]
    assert quantize(zeros, matrix_step(zeros)).tolist() == [[0, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize("bias", [True, False])
def test_a_layer_computes_with_what_it_has_stored(bias):
    torch.manual_seed(0)
    layer = nn.Linear(7, 11, bias=bias).double()
    made = QuantizedLinear(layer)
    x = torch.randn(2, 5, 7, dtype=torch.float64)
    restored = quantize(layer.weight.detach(), row_steps(layer.weight.detach())).double()
    restored = restored * row_steps(layer.weight.detach())
    assert torch.equal(made.weight, restored)
    expected = torch.einsum("bni,oi->bno", x, restored) + (layer.bias if bias else 0.0)
    torch.testing.assert_close(made(x), expected, rtol=0, atol=1e-12)
    assert (made(x) - layer(x)).abs().max() > 1e-5
    assert (made.in_features, made.out_features) == (7, 11)
    assert not list(made.parameters())


def test_a_model_is_a_quarter_where_its_linear_layers_are():
    torch.manual_seed(0)
    model = GPT(GPTConfig(23, 13, 10, 5, 2, positions="rotary"))
    before = count_bytes(model)
    assert before == 4 * sum(each.numel() for each in model.parameters())
    linears = [each for each in model.modules() if isinstance(each, nn.Linear)]
    saved = sum(3 * each.weight.numel() - 4 * each.out_features for each in linears)
    tokens = torch.randint(23, (3, 13))
    said = model(tokens)
    assert quantize_linears(model) is model
    assert count_bytes(model) == before - saved
    assert not any(isinstance(each, nn.Linear) for each in model.modules())
    assert 0 < (model(tokens) - said).abs().max() < 0.05 * said.abs().max()


def test_a_quantised_layer_does_not_share_the_bias_of_the_first():
    layer = nn.Linear(7, 11)
    made = QuantizedLinear(layer)
    with torch.no_grad():
        layer.bias.fill_(5.0)
    assert not (made.bias == 5.0).any()


def test_what_is_stored_comes_back_from_a_state():
    torch.manual_seed(0)
    one, other = QuantizedLinear(nn.Linear(7, 11)), QuantizedLinear(nn.Linear(7, 11))
    other.load_state_dict(one.state_dict())
    x = torch.randn(5, 7)
    assert torch.equal(one(x), other(x))


def test_refuses_what_does_not_fit():
    given = weight()
    for bits in (1, 9):
        with pytest.raises(ValueError, match=f"bits is {bits}; expected 2 to 8"):
            row_steps(given, bits)
    with pytest.raises(ValueError, match="3 steps for 11 rows"):
        quantize(given, torch.ones(3, 1))
    with pytest.raises(ValueError, match="smallest step is 0"):
        quantize(given, torch.zeros(11, 1))
    with pytest.raises(ValueError, match="steps from zero; expected at most 127"):
        quantize(given, matrix_step(given) / 2)
    with pytest.raises(ValueError, match="no linear layer"):
        quantize_linears(nn.Sequential(nn.LayerNorm(3)))
