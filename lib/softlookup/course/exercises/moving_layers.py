"""Functions on which a learner's test for translation equivariance is tried.

Each takes images (batch, 1, height, width) on a torus, where what leaves at one edge comes back
at the other, and gives maps (batch, channels, height, width). Heights and widths are multiples
of four.
"""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from softlookup.course.exercises.probes import draw

Layer = Callable[[Tensor], Tensor]

CHANNELS = 3
# A bias for each place, too small to be seen, and far above what rounding does.
FAINT = 0.01
# How far the gain of a place may be from one.
GAIN = 0.05


def _kernel(size: int = 3) -> Tensor:
    return draw(CHANNELS, 1, size, size, seed=size)


def _convolve(images: Tensor) -> Tensor:
    """A convolution of stride 1 on the torus."""
    wrapped = F.pad(images.double(), (1, 1, 1, 1), mode="circular")
    return F.conv2d(wrapped, _kernel())


def _by_fourier(images: Tensor) -> Tensor:
    """The same convolution as a product of spectra, in float32, which rounds."""
    height, width = images.shape[2:]
    kernel = torch.zeros(CHANNELS, height, width, dtype=torch.float32)
    kernel[:, :3, :3] = _kernel()[:, 0]
    kernel = kernel.roll((-1, -1), dims=(1, 2))
    product = torch.fft.rfft2(images.float()) * torch.fft.rfft2(kernel).conj()
    return torch.fft.irfft2(product, s=(height, width))


def _look_around(images: Tensor) -> Tensor:
    """Attention among the pixels, without positions."""
    pixels = images.double().flatten(2).mT
    tokens = pixels @ draw(1, CHANNELS, seed=7)
    weights = (tokens @ tokens.mT).softmax(dim=-1)
    return (weights @ tokens).mT.unflatten(2, images.shape[2:])


def _less_the_mean(images: Tensor) -> Tensor:
    """A convolution, less the mean of the whole image."""
    return _convolve(images).relu() - images.double().mean(dim=(2, 3), keepdim=True)


def honest() -> dict[str, Layer]:
    """What moves along with its input, by what it is; the second rounds in float32."""
    return {
        "a convolution of stride 1 on the torus": _convolve,
        "a convolution by Fourier transforms, in float32": _by_fourier,
        "attention among pixels without positions": _look_around,
        "a convolution, its negative part cut off, less the mean of the image": _less_the_mean,
    }


def _patches(images: Tensor, size: int = 4) -> Tensor:
    """A patch embedding, each token drawn over its whole patch."""
    tokens = F.conv2d(images.double(), _kernel(size), stride=size)
    return tokens.repeat_interleave(size, dim=2).repeat_interleave(size, dim=3)


def _places(images: Tensor) -> Tensor:
    return draw(CHANNELS, *images.shape[2:], seed=5)


def _one_way(images: Tensor, dim: int) -> Tensor:
    """A convolution, and a bias for each row (dim 2) or for each column (dim 3)."""
    other = 5 - dim
    return _convolve(images) + _places(images).mean(dim=other - 1, keepdim=True)


def _all_but_the_first(images: Tensor) -> Tensor:
    """Places are added to all images but the first of a batch."""
    later = (torch.arange(len(images)) > 0).double()[:, None, None, None]
    return _convolve(images) + later * _places(images)


def _diagonally(images: Tensor) -> Tensor:
    """A convolution, and a bias for each diagonal: a step down and one to the side leave it."""
    rows, columns = (torch.arange(side) for side in images.shape[2:])
    biases = draw(CHANNELS, 4, seed=9)
    return _convolve(images) + biases[:, (rows[:, None] - columns) % 4]


def _with_gains(images: Tensor) -> Tensor:
    """A convolution, and a gain for each place that is all but one."""
    return _convolve(images) * (1 + GAIN * _places(images).tanh())


def _at_the_edges(images: Tensor) -> Tensor:
    """A convolution that takes what lies outside for zero."""
    return F.conv2d(images.double(), _kernel(), padding=1)


def impostors() -> dict[str, Layer]:
    """What does not move along, by what is wrong with it."""
    return {
        "a convolution that pads with zeros at the edges": _at_the_edges,
        "a patch embedding of 4 by 4 pixels": _patches,
        "a convolution of stride 2": lambda images: _patches(images, 2),
        "positions added to a convolution": lambda images: _convolve(images) + _places(images),
        "positions so faint that they change a hundredth": lambda images: (
            _convolve(images) + FAINT * _places(images)
        ),
        "a layer that moves along to the side only": lambda images: _one_way(images, dim=2),
        "a gain for each place that is one but for a twentieth": _with_gains,
        "a layer that moves along up and down only": lambda images: _one_way(images, dim=3),
        "a layer whose maps move the other way": lambda images: _convolve(images).flip(2, 3),
        "a layer that is honest about the first image of a batch only": _all_but_the_first,
        "a running sum along each row": lambda images: images.double().cumsum(dim=3),
        "the pixels of each column, sorted": lambda images: images.double().sort(dim=2).values,
        "a layer that moves along the diagonal only": _diagonally,
    }
