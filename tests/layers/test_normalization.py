"""The norms, written out, held to torch's."""

import pytest
import torch
import torch_twins
from softlookup.layers.normalization import LayerNorm, RMSNorm
from torch import nn

TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-10}


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("epsilon", [1e-5, 0.1])
@pytest.mark.parametrize(("ours", "torchs"), [(LayerNorm, nn.LayerNorm), (RMSNorm, nn.RMSNorm)])
def test_agrees_with_torch(ours, torchs, epsilon, dtype):
    torch.manual_seed(0)
    module = torch_twins.scatter_norms_and_biases(ours(13, epsilon)).to(dtype)
    twin = torchs(13, eps=epsilon).to(dtype)
    twin.load_state_dict(module.state_dict())
    # A shift shows a forgotten mean; a small scale shows where epsilon stands.
    x = (0.2 * torch.randn(3, 7, 13, dtype=dtype) + 1).requires_grad_()
    copy = x.detach().clone().requires_grad_()
    close = {"rtol": TOLERANCE[dtype], "atol": TOLERANCE[dtype]}
    torch.testing.assert_close(module(x), twin(copy), **close)
    direction = torch.randn(3, 7, 13, dtype=dtype)
    (module(x) * direction).sum().backward()
    (twin(copy) * direction).sum().backward()
    torch.testing.assert_close(
        x.grad,
        copy.grad,
        rtol=1e-4 if dtype == torch.float32 else 1e-10,
        atol=1e-4 if dtype == torch.float32 else 1e-10,
    )
    expected = {name: parameter.grad for name, parameter in module.named_parameters()}
    torch_twins.assert_same_gradients(expected, twin, TOLERANCE[dtype])


def test_layer_norm_is_a_z_score_per_token():
    x = 5 * torch.randn(3, 7, 13, generator=torch.Generator().manual_seed(0)).double() + 2
    z = LayerNorm(13).double()(x)
    torch.testing.assert_close(z.mean(-1), torch.zeros(3, 7).double(), rtol=0, atol=1e-12)
    variance = z.var(-1, correction=0)
    torch.testing.assert_close(variance, torch.ones(3, 7).double(), rtol=0, atol=1e-4)
    other = x.clone()
    other[:, 3:] += 100  # other tokens do not matter
    assert torch.equal(LayerNorm(13).double()(other)[:, :3], z[:, :3])


def test_a_constant_token_gives_zeros_and_finite_gradients():
    x = torch.full((3, 13), 7.0, requires_grad=True)
    output = LayerNorm(13)(x)
    output.square().sum().backward()
    assert (output == 0).all()
    assert x.grad.isfinite().all()


def test_rms_norm_keeps_the_mean_and_ignores_the_scale():
    x = torch.rand(3, 13, generator=torch.Generator().manual_seed(0)).double() + 1
    module = RMSNorm(13, epsilon=0.0).double()
    torch.testing.assert_close(module(x), module(9 * x), rtol=0, atol=1e-12)
    torch.testing.assert_close(module(x).square().mean(-1), torch.ones(3).double())
    assert (module(x).mean(-1) > 0.9).all()
