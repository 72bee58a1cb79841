"""Normalisation: each token on its own scale, whatever came before.

The chapter on residuals and norms derives both and shows where in a block they belong. They are
written out to be read; the models use ``torch.nn.LayerNorm``, which is the same function in one
kernel and seven times as fast, and ``torch.nn.RMSNorm``, which also squares 16-bit numbers in 32.
"""

import torch
from jaxtyping import Float
from torch import Tensor, nn


class LayerNorm(nn.Module):
    """Subtract each token's mean and divide by its standard deviation: a z-score per token.

    Args:
        width: how many numbers a token has.
        epsilon: added to the variance, under the root, so that a constant token gives zeros.

    Source: Ba, Kiros and Hinton 2016, equation 4.
    """

    def __init__(self, width: int, epsilon: float = 1e-5) -> None:
        super().__init__()
        _require_width(width)
        self.epsilon = epsilon
        self.weight = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width))

    def forward(self, x: Float[Tensor, "*batch width"]) -> Float[Tensor, "*batch width"]:
        """Normalise each token, then scale and shift it by what was learned.

        Raises:
            ValueError: if the tokens have another width.
        """
        _require_same_width(x, self.weight)
        centred = x - x.mean(dim=-1, keepdim=True)
        # The variance over all numbers of the token, not the sample's estimate over one fewer.
        variance = centred.square().mean(dim=-1, keepdim=True)
        return centred / torch.sqrt(variance + self.epsilon) * self.weight + self.bias


class RMSNorm(nn.Module):
    """Divide each token by its root mean square; the mean stays where it is.

    Args:
        width: how many numbers a token has.
        epsilon: added to the mean square, under the root.

    Source: Zhang and Sennrich 2019, equation 4.
    """

    def __init__(self, width: int, epsilon: float = 1e-5) -> None:
        super().__init__()
        _require_width(width)
        self.epsilon = epsilon
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: Float[Tensor, "*batch width"]) -> Float[Tensor, "*batch width"]:
        """Normalise each token, then scale it by what was learned.

        Raises:
            ValueError: if the tokens have another width.
        """
        _require_same_width(x, self.weight)
        mean_square = x.square().mean(dim=-1, keepdim=True)
        return x / torch.sqrt(mean_square + self.epsilon) * self.weight


def _require_width(width: int) -> None:
    if width < 1:
        raise ValueError(f"width is {width}; expected at least 1")


def _require_same_width(x: Tensor, weight: Tensor) -> None:
    # Without this, a token of width 1 would broadcast against the weight without complaint.
    if x.size(-1) != weight.size(0):
        raise ValueError(
            f"the tokens have width {x.size(-1)}; expected {weight.size(0)}, the module's width"
        )
