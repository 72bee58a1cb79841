"""The feed-forward network: the same two layers for each token, one token at a time.

The chapter on the feed-forward network derives it, and shows what it adds to attention: attention
moves what tokens hold from place to place, and this changes it in place. ``SwiGLU`` is its gated
relative.
"""

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

ActivationFunction = Callable[[Tensor], Tensor]


def gelu(x: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
    """Weight x by the probability that a standard normal number lies below it: x Φ(x).

    Source: Hendrycks and Gimpel 2016, section 2.
    """
    return x * 0.5 * (1.0 + torch.erf(x / math.sqrt(2.0)))


def gelu_tanh(x: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
    """GELU by the tanh formula, which GPT-2 was trained with.

    Source: Hendrycks and Gimpel 2016, section 2.
    """
    return F.gelu(x, approximate="tanh")


class FeedForward(nn.Module):
    """Widen each token, apply the activation, and project it back: W₂ max(0, W₁ x + b₁) + b₂.

    Args:
        d_model: the width of a token.
        d_ff: the width between the two layers; the 2017 paper takes four times ``d_model``.
        activation: the nonlinearity; ReLU as in the paper, or ``gelu_tanh`` as in GPT-2.

    Raises:
        ValueError: if a width is not positive.

    Source: Vaswani et al. 2017, equation 2.
    """

    def __init__(self, d_model: int, d_ff: int, activation: ActivationFunction = F.relu) -> None:
        super().__init__()
        _require_widths(d_model, d_ff)
        self.activation = activation
        self.inner_projection = nn.Linear(d_model, d_ff)
        self.output_projection = nn.Linear(d_ff, d_model)

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """Change each token by itself.

        Raises:
            ValueError: if the tokens have another width.
        """
        _require_width(x, self.inner_projection.in_features)
        return self.output_projection(self.activation(self.inner_projection(x)))


class SwiGLU(nn.Module):
    """Widen each token twice, let one copy gate the other, and project it back.

    It computes W₂ (silu(W x) ⊙ V x), with silu(z) = z sigmoid(z) and without biases. It has three
    matrices where ``FeedForward`` has two, so at two thirds of the width it is of equal size.

    Args:
        d_model: the width of a token.
        d_ff: the width between the layers.

    Raises:
        ValueError: if a width is not positive.

    Source: Shazeer 2020, equation 6.
    """

    def __init__(self, d_model: int, d_ff: int) -> None:
        super().__init__()
        _require_widths(d_model, d_ff)
        self.gate_projection = nn.Linear(d_model, d_ff, bias=False)
        self.inner_projection = nn.Linear(d_model, d_ff, bias=False)
        self.output_projection = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """Change each token by itself.

        Raises:
            ValueError: if the tokens have another width.
        """
        _require_width(x, self.inner_projection.in_features)
        gate = F.silu(self.gate_projection(x))
        return self.output_projection(gate * self.inner_projection(x))


def _require_widths(d_model: int, d_ff: int) -> None:
    if d_model < 1 or d_ff < 1:
        raise ValueError(f"d_model is {d_model} and d_ff is {d_ff}; expected at least 1")


def _require_width(x: Tensor, d_model: int) -> None:
    if x.size(-1) != d_model:
        raise ValueError(
            f"the tokens have width {x.size(-1)}; expected {d_model}, the module's d_model"
        )
