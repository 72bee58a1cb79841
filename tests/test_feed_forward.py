"""The feed-forward network: the formula, and one token at a time."""

import pytest
import torch
from softlookup.feed_forward import FeedForward, gelu_tanh
from torch import nn


@pytest.mark.parametrize(
    ("activation", "layer"), [(torch.relu, nn.ReLU()), (gelu_tanh, nn.GELU(approximate="tanh"))]
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


def test_tokens_do_not_meet():
    torch.manual_seed(0)
    module, x = FeedForward(7, 11), torch.randn(3, 5, 7)
    jacobian = torch.autograd.functional.jacobian(module, x[:1])  # 1, 5, 7, 1, 5, 7
    between = jacobian.abs().sum((0, 2, 3, 5))
    assert (between[~torch.eye(5, dtype=torch.bool)] == 0).all()
    assert (between.diagonal() > 0).all()


def test_gelu_tanh_is_the_formula():
    x = torch.linspace(-4, 4, 101, dtype=torch.float64)
    formula = 0.5 * x * (1 + torch.tanh((2 / torch.pi) ** 0.5 * (x + 0.044715 * x**3)))
    torch.testing.assert_close(gelu_tanh(x), formula, rtol=0, atol=1e-12)
    assert (gelu_tanh(x) - nn.functional.gelu(x)).abs().max() > 1e-5
