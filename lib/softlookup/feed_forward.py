"""The feed-forward network: the same two layers for each token, one token at a time.

Chapter 6 derives it, and shows what it adds to attention: attention moves what tokens hold from
place to place, and this changes it in place.
"""

from collections.abc import Callable

import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

Activation = Callable[[Tensor], Tensor]


def gelu_tanh(x: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
    """GELU by the tanh formula, which GPT-2 was trained with.

    Source: Hendrycks and Gimpel 2016, section 2.
    """
    return F.gelu(x, approximate="tanh")


class FeedForward(nn.Module):
    """Widen each token, bend it, and bring it back: W₂ max(0, W₁ x + b₁) + b₂.

    Args:
        d_model: the width of a token.
        d_ff: the width between the two layers; the 2017 paper takes four times ``d_model``.
        activation: what bends; ReLU as in the paper, or ``gelu_tanh`` as in GPT-2.

    Raises:
        ValueError: if a width is not positive.

    Source: Vaswani et al. 2017, equation 2.
    """

    def __init__(self, d_model: int, d_ff: int, activation: Activation = F.relu) -> None:
        super().__init__()
        if d_model < 1 or d_ff < 1:
            raise ValueError(f"d_model is {d_model} and d_ff is {d_ff}; expected at least 1")
        self.activation = activation
        self.inner_projection = nn.Linear(d_model, d_ff)
        self.output_projection = nn.Linear(d_ff, d_model)

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """Change each token by itself.

        Raises:
            ValueError: if the tokens have another width.
        """
        if x.size(-1) != self.inner_projection.in_features:
            raise ValueError(
                f"the tokens have width {x.size(-1)}; expected "
                f"{self.inner_projection.in_features}, the module's d_model"
            )
        return self.output_projection(self.activation(self.inner_projection(x)))
