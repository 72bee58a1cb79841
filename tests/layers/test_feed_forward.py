"""The feed-forward network: the formula, and one token at a time."""

import pytest
import torch
from softlookup.layers.feed_forward import FeedForward, SwiGLU, gelu, gelu_tanh
from torch import nn


@pytest.mark.parametrize(
    ("activation", "layer"),
    [(torch.relu, nn.ReLU()), (gelu, nn.GELU()), (gelu_tanh, nn.GELU(approximate="tanh"))],
)
def test_is_two_layers(activation, layer):
    torch.manual_seed(0)
    module = FeedForward(7, 11, activation).double()
    twin = nn.Sequential(nn.Linear(7, 11), layer, nn.Linear(11, 7)).double()
    twin.load_state_dict(dict(zip(twin.state_dict(), module.state_dict().values(), strict=True)))
    x = torch.randn(3, 5, 7, dtype=torch.float64)
    torch.testing.assert_close(module(x), twin(x), rtol=0, atol=1e-12)


def test_is_relu_by_default_by_hand():
    module = FeedForward(1, 2)
    with torch.no_grad():
        module.inner_projection.weight.copy_(torch.tensor([[1.0], [-1.0]]))
        module.inner_projection.bias.copy_(torch.tensor([0.0, 0.5]))
        module.output_projection.weight.copy_(torch.tensor([[2.0, 10.0]]))
        module.output_projection.bias.fill_(1.0)
    # 2 max(0, x) + 10 max(0, 0.5 - x) + 1
    output = module(torch.tensor([[[-1.0], [0.25], [3.0]]]))
    assert output.flatten().tolist() == [16.0, 4.0, 7.0]


@pytest.mark.parametrize("kind", [FeedForward, SwiGLU])
def test_tokens_do_not_meet(kind):
    torch.manual_seed(0)
    module, x = kind(7, 11), torch.randn(3, 5, 7)
    jacobian = torch.autograd.functional.jacobian(module, x[:1])  # 1, 5, 7, 1, 5, 7
    between = jacobian.abs().sum((0, 2, 3, 5))
    assert (between[~torch.eye(5, dtype=torch.bool)] == 0).all()
    assert (between.diagonal() > 0).all()


def test_gelu_tanh_is_the_formula():
    x = torch.linspace(-4, 4, 101, dtype=torch.float64)
    formula = 0.5 * x * (1 + torch.tanh((2 / torch.pi) ** 0.5 * (x + 0.044715 * x**3)))
    torch.testing.assert_close(gelu_tanh(x), formula, rtol=0, atol=1e-12)
    assert (gelu_tanh(x) - nn.functional.gelu(x)).abs().max() > 1e-5


def test_gelu_is_x_times_the_chance_to_lie_below_it():
    x = torch.linspace(-5, 5, 101, dtype=torch.float64)
    chance = torch.distributions.Normal(0.0, 1.0).cdf(x)
    torch.testing.assert_close(gelu(x), x * chance, rtol=0, atol=1e-12)
    assert gelu(torch.tensor([0.0, 9.0])).tolist() == [0.0, 9.0]


def test_swiglu_is_a_gate_times_a_copy():
    torch.manual_seed(0)
    module = SwiGLU(7, 11).double()
    gate, copy, out = (weight.detach().numpy() for weight in module.parameters())
    x = torch.randn(3, 5, 7, dtype=torch.float64)
    widened = x.numpy() @ gate.T
    by_hand = (
        widened / (1 + torch.from_numpy(-widened).exp().numpy()) * (x.numpy() @ copy.T)
    ) @ out.T
    torch.testing.assert_close(module(x), torch.from_numpy(by_hand), rtol=0, atol=1e-12)


def test_swiglu_gates_with_the_right_copy():
    """By hand, one unit: silu(x1) times x2; the gate and the copy are not interchangeable."""
    module = SwiGLU(2, 1)
    with torch.no_grad():
        module.gate_projection.weight.copy_(torch.tensor([[1.0, 0.0]]))
        module.inner_projection.weight.copy_(torch.tensor([[0.0, 1.0]]))
        module.output_projection.weight.copy_(torch.tensor([[1.0], [0.0]]))
    output = module(torch.tensor([[-30.0, 2.0], [30.0, 2.0], [2.0, -30.0]]))
    silu_of_two = 2 / (1 + torch.tensor(-2.0).exp().item())
    assert output[:, 0].tolist() == pytest.approx([0.0, 60.0, -30 * silu_of_two], abs=1e-4)
    assert (output[:, 1] == 0).all()


def test_swiglu_at_two_thirds_of_the_width_is_of_equal_size():
    def count(module):
        return sum(parameter.numel() for parameter in module.parameters())

    biases = 4 * 12 + 12
    assert count(SwiGLU(12, 4 * 12 * 2 // 3)) == count(FeedForward(12, 4 * 12)) - biases


def test_a_wrong_width_is_refused_in_words():
    with pytest.raises(ValueError, match="d_model is 7 and d_ff is 0; expected at least 1"):
        SwiGLU(7, 0)
    with pytest.raises(ValueError, match=r"width 5; expected 7, the module's d_model"):
        SwiGLU(7, 11)(torch.zeros(3, 5))
