"""Hyena: long convolutions and gates, in place of attention.

The chapter on the quadratic wall derives it. A convolution with a filter as long as the text lets
every token reach every earlier one; a fast Fourier transform makes it cheap; a small network
writes the filter, so that its length costs no parameters; and gates, which are projections of the
input, make what is carried depend on what is read.
"""

import math
from collections.abc import Sequence

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn


def toeplitz(filter: Float[Tensor, "*batch length"]) -> Float[Tensor, "*batch length length"]:
    """The convolution as a matrix: S[i, j] = h[i - j] for j ≤ i, and zero above the diagonal."""
    places = torch.arange(filter.size(-1), device=filter.device)
    lags = places[:, None] - places
    return filter[..., lags.clamp(min=0)] * (lags >= 0)


def fft_convolution(
    x: Float[Tensor, "*batch length"], filter: Float[Tensor, "*#batch length"]
) -> Float[Tensor, "*batch length"]:
    """Causal convolution, y_i = Σ_{j ≤ i} h_{i-j} x_j, as a product of spectra.

    Both are padded with zeros to twice their length: a discrete Fourier transform lives on a
    circle, and without the padding the end of the text would wrap round to its beginning.

    Raises:
        ValueError: if the filter is not as long as x.

    Source: Poli et al. 2023, section 2.1.
    """
    length = x.size(-1)
    if filter.size(-1) != length:
        raise ValueError(
            f"x has length {length} and the filter {filter.size(-1)}; expected the same"
        )
    spectrum = torch.fft.rfft(x, n=2 * length) * torch.fft.rfft(filter, n=2 * length)
    return torch.fft.irfft(spectrum, n=2 * length)[..., :length]


def gated_convolutions(
    value: Float[Tensor, "*batch width length"],
    gates: Sequence[Float[Tensor, "*batch width length"]],
    filters: Sequence[Float[Tensor, "width length"]],
) -> Float[Tensor, "*batch width length"]:
    """The recurrence of order N: z ← x^n ⊙ (h^n ∗ z) for n = 1 to N, from z = v.

    Source: Poli et al. 2023, definition 3.1.
    """
    for gate, filter in zip(gates, filters, strict=True):
        value = gate * fft_convolution(value, filter)
    return value


def data_controlled_matrix(
    gates: Sequence[Float[Tensor, "*batch length"]],
    filters: Sequence[Float[Tensor, "length"]],
) -> Float[Tensor, "*batch length length"]:
    """The same for one channel as a matrix, D_N S_N … D_1 S_1: to look at, not to compute with.

    D_n holds the gate on its diagonal, S_n is the Toeplitz matrix of the filter.

    Source: Poli et al. 2023, section 3.2.
    """
    matrix = torch.eye(gates[0].size(-1), dtype=gates[0].dtype, device=gates[0].device)
    for gate, filter in zip(gates, filters, strict=True):
        matrix = gate.unsqueeze(-1) * (toeplitz(filter) @ matrix)
    return matrix


class ImplicitFilter(nn.Module):
    """Filters of any length from a few parameters: a small network from a lag to a value.

    It reads the lag as a number from 0 to 1 and as sines and cosines of whole frequencies, applies
    sines to them, and lets the filter fade exponentially, in each channel at another rate.

    Args:
        width: how many filters.
        max_length: the lag that is 1. It belongs to the filter and not to the text: a filter
            that is stretched to each text would tell the beginning how long the whole is.
        n_frequencies: how many sines and cosines.
        d_hidden: the width of the network.
        sharpness: by what the sines' arguments are multiplied; more lets filters change faster.

    Raises:
        ValueError: if a size is not positive.

    Source: Poli et al. 2023, section 3.3, with the rates of decay of the authors' code.
    """

    lags: Tensor
    rates: Tensor

    def __init__(
        self,
        width: int,
        max_length: int,
        n_frequencies: int = 8,
        d_hidden: int = 32,
        sharpness: float = 1.0,
    ) -> None:
        super().__init__()
        if min(width, max_length, n_frequencies, d_hidden) < 1:
            raise ValueError(
                f"width is {width}, max_length {max_length}, n_frequencies {n_frequencies} and "
                f"d_hidden {d_hidden}; expected at least 1 each"
            )
        self.sharpness = sharpness
        # Within 0.3 to 1.5 times the greatest length a filter fades to a hundredth.
        rates = torch.linspace(math.log(100) / 1.5, math.log(100) / 0.3, width)
        self.register_buffer("lags", _lag_features(max_length, n_frequencies), persistent=False)
        self.register_buffer("rates", rates, persistent=False)
        self.inner = nn.Linear(1 + 2 * n_frequencies, d_hidden)
        self.hidden = nn.Linear(d_hidden, d_hidden)
        self.outer = nn.Linear(d_hidden, width, bias=False)

    @property
    def max_length(self) -> int:
        """The longest filter."""
        return self.lags.size(0)

    def forward(self, length: int) -> Float[Tensor, "width length"]:
        """The filters up to a lag; shorter ones are the beginnings of longer ones.

        Raises:
            ValueError: if the length is not between 1 and ``max_length``.
        """
        if not 1 <= length <= self.max_length:
            raise ValueError(f"the length is {length}; expected 1 to {self.max_length}")
        lags = self.lags[:length]
        bent = torch.sin(self.sharpness * self.inner(lags))
        bent = torch.sin(self.sharpness * self.hidden(bent))
        return (self.outer(bent) * torch.exp(-lags[:, :1] * self.rates)).T


class Hyena(nn.Module):
    """The Hyena operator: a drop-in for causal self-attention.

    Args:
        d_model: the width of a token.
        max_length: the longest text.
        order: N, how many times a convolution and a gate follow each other.
        short_length: how many tokens the short convolution after the projections sees.
        sharpness: of the implicit filters.
        channels: how many filters each convolution has, a gate to each; the width of a token
            where None.

    Raises:
        ValueError: if a size is not positive.

    Source: Poli et al. 2023, section 3 and algorithms 1 to 3.
    """

    def __init__(
        self,
        d_model: int,
        max_length: int,
        order: int = 2,
        short_length: int = 3,
        sharpness: float = 1.0,
        channels: int | None = None,
    ) -> None:
        super().__init__()
        channels = d_model if channels is None else channels
        if min(d_model, order, short_length, channels) < 1:
            raise ValueError(
                f"d_model is {d_model}, order {order}, short_length {short_length} and channels "
                f"{channels}; expected at least 1 each"
            )
        self.order = order
        width = (order + 1) * channels
        self.input_projection = nn.Linear(d_model, width)
        self.short_convolution = ShortConvolution(width, short_length)
        self.filters = ImplicitFilter(order * channels, max_length, sharpness=sharpness)
        # The lag 0 of each filter once more: a smooth network is slow to grow a spike there.
        self.spike = nn.Parameter(torch.randn(order * channels))
        self.output_projection = nn.Linear(channels, d_model)

    def forward(
        self, x: Float[Tensor, "batch length d_model"]
    ) -> Float[Tensor, "batch length d_model"]:
        """Let each token gather from what came before it.

        Raises:
            ValueError: if the tokens have another width, or there are more than ``max_length``.
        """
        if x.size(-1) != self.input_projection.in_features:
            raise ValueError(
                f"the tokens have width {x.size(-1)}; expected "
                f"{self.input_projection.in_features}, the module's d_model"
            )
        projected = self.short_convolution(self.input_projection(x)).transpose(1, 2)
        *gates, value = projected.chunk(self.order + 1, dim=1)
        return self.output_projection(
            gated_convolutions(value, gates, self.long_filters(x.size(1))).transpose(1, 2)
        )

    def long_filters(self, length: int) -> tuple[Float[Tensor, "channels length"], ...]:
        """The filters h^1 to h^N up to a lag."""
        filters = self.filters(length)
        spikes = F.pad(self.spike[:, None], (0, length - 1))
        return (filters + spikes).chunk(self.order)


class ShortConvolution(nn.Module):
    """Mix each token with the few before it, each channel by itself.

    Args:
        width: how many channels.
        length: how many tokens it sees, the token itself the last of them.
    """

    def __init__(self, width: int, length: int = 3) -> None:
        super().__init__()
        self.convolution = nn.Conv1d(width, width, length, groups=width)

    def forward(
        self, x: Float[Tensor, "batch length width"]
    ) -> Float[Tensor, "batch length width"]:
        """Mix, with zeros before the first token."""
        before = self.convolution.kernel_size[0] - 1
        return self.convolution(F.pad(x.transpose(1, 2), (before, 0))).transpose(1, 2)


def _lag_features(max_length: int, n_frequencies: int) -> Tensor:
    """Each lag as a number from 0 to 1, and as sines and cosines of it."""
    lag = torch.arange(max_length, dtype=torch.float64)[:, None] / max_length
    angles = 2 * math.pi * lag * torch.arange(1, n_frequencies + 1)
    return torch.cat((lag, angles.cos(), angles.sin()), dim=1).float()
