"""Networks that read images without attention: the Vision Transformer's rivals.

The chapter on vision races them. Most are short stacks of torch's own layers; they differ in how
far a number of the last map sees, and in what becomes of the map's places: they are read place by
place (``nn.Flatten``), or pooled over all places (``MeanOverPlaces``, ``LargestOfPlaces``), which
forgets where each number stood.
``exchange_attention`` keeps everything else of a Vision Transformer and lets its patches meet in
another way: ``MixFixed`` keeps attention's values and heads, with weights that are the same for
every image. ``blindfold`` makes each lookup a plain average, and two more functions take out what
works on each patch before it is averaged.
"""

from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor, nn

from softlookup.layers.blocks import Block
from softlookup.layers.multi_head import MultiHeadAttention, merge_heads, split_heads


class MeanOverPlaces(nn.Module):
    """Average a map over its rows and columns: global average pooling."""

    def forward(
        self, maps: Float[Tensor, "batch channels height width"]
    ) -> Float[Tensor, "batch channels"]:
        """Forget where each number stood."""
        return maps.mean(dim=(2, 3))


class LargestOfPlaces(nn.Module):
    """Take each channel's largest number over rows and columns: global max pooling."""

    def forward(
        self, maps: Float[Tensor, "batch channels height width"]
    ) -> Float[Tensor, "batch channels"]:
        """Forget where each number stood."""
        return maps.amax(dim=(2, 3))


class PaperIsZero(nn.Module):
    """Shift greys so that paper is 0, as what a convolution pads is: else kernels feel an edge."""

    def forward(
        self, images: Float[Tensor, "batch 1 height width"]
    ) -> Float[Tensor, "batch 1 height width"]:
        """From -1 (paper) to 1 (ink), to 0 (paper) to 2 (ink)."""
        return images + 1.0


def small_cnn(width: int, n_classes: int, side: int = 8) -> nn.Sequential:
    """Two layers of 3 × 3 kernels, each followed by a pooling of 2 × 2, then place by place.

    Args:
        width: the channels of the first layer; the second has twice as many.
        n_classes: how many classes are scored.
        side: of an image in pixels, a multiple of four.
    """
    return nn.Sequential(
        *_convolution(1, width),
        nn.MaxPool2d(2),
        *_convolution(width, 2 * width),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(2 * width * (side // 4) ** 2, n_classes),
    )


def plain_cnn(width: int, n_classes: int, side: int = 8, *, pooled: bool = False) -> nn.Sequential:
    """Three layers of 3 × 3 kernels and stride 1, with no pooling between them.

    Args:
        width: the channels of each layer.
        n_classes: how many classes are scored.
        side: of an image in pixels.
        pooled: score the classes from each channel's largest number, or else place by place.
    """
    layers = [*_convolution(1, width), *_convolution(width, width), *_convolution(width, width)]
    head = (
        [LargestOfPlaces(), nn.Linear(width, n_classes)]
        if pooled
        else [nn.Flatten(), nn.Linear(width * side**2, n_classes)]
    )
    return nn.Sequential(PaperIsZero(), *layers, *head)


def deep_cnn(width: int, n_classes: int, *, normalised: bool = False) -> nn.Sequential:
    """Four layers, the first three of stride 2, then the mean over places and two layers more.

    A number of the last map sees 31 pixels along a side.

    Args:
        width: the channels of the first layer; the others have twice as many.
        n_classes: how many classes are scored.
        normalised: put batch normalisation after each convolution, and let paper be zero.
    """
    sizes = ((1, width, 2), (width, 2 * width, 2), (2 * width, 2 * width, 2))
    layers: list[nn.Module] = [PaperIsZero()] if normalised else []
    for channels, wider, stride in (*sizes, (2 * width, 2 * width, 1)):
        convolution, relu = _convolution(channels, wider, stride)
        norm = [nn.BatchNorm2d(wider)] if normalised else []
        layers += [convolution, *norm, relu]
    return nn.Sequential(*layers, *_compare(2 * width, n_classes))


def pooled_patches(width: int, n_classes: int, patch_size: int) -> nn.Sequential:
    """Each patch through the same three layers by itself, then the mean over patches.

    A Vision Transformer without the lookup: patches meet nowhere but in the mean.

    Args:
        width: the width of a patch's token.
        n_classes: how many classes are scored.
        patch_size: the side of a patch in pixels.
    """
    return nn.Sequential(
        nn.Conv2d(1, width, patch_size, stride=patch_size),
        nn.ReLU(),
        nn.Conv2d(width, width, 1),
        nn.ReLU(),
        nn.Conv2d(width, width, 1),
        nn.ReLU(),
        *_compare(width, n_classes),
    )


class MixFixed(nn.Module):
    """Attention whose weights are learned numbers, one for each pair of places and head.

    Values, heads and output are those of attention; queries and keys are gone, so the mixture is
    linear and the same for every image. The weights may be negative and need not sum to one.

    Args:
        d_model: the width of a token.
        n_tokens: how many tokens an image has.
        n_heads: how many mixtures stand side by side.

    Source: after Tay et al. 2021 (Synthesizer, "random"), without their softmax.
    """

    def __init__(self, d_model: int, n_tokens: int, n_heads: int) -> None:
        super().__init__()
        self.n_heads = n_heads
        self.value_projection = nn.Linear(d_model, d_model)
        self.output_projection = nn.Linear(d_model, d_model)
        self.weights = nn.Parameter(torch.empty(n_heads, n_tokens, n_tokens))
        nn.init.uniform_(self.weights, -(n_tokens**-0.5), n_tokens**-0.5)

    def forward(
        self, x: Float[Tensor, "batch tokens d_model"], **_visible: object
    ) -> Float[Tensor, "batch tokens d_model"]:
        """Mix the values by the fixed weights; what attention would be told to see is ignored."""
        values = split_heads(self.value_projection(x), self.n_heads)
        return self.output_projection(merge_heads(self.weights @ values))


class MixTokens(nn.Module):
    """Mix tokens by a small network across their places, the same one for each of their numbers.

    Args:
        n_tokens: how many tokens an image has.

    Source: Tolstikhin et al. 2021, equation 1.
    """

    def __init__(self, n_tokens: int) -> None:
        super().__init__()
        self.network = nn.Sequential(
            nn.Linear(n_tokens, 4 * n_tokens), nn.GELU(), nn.Linear(4 * n_tokens, n_tokens)
        )

    def forward(
        self, x: Float[Tensor, "batch tokens d_model"], **_visible: object
    ) -> Float[Tensor, "batch tokens d_model"]:
        """Mix the tokens by their places alone; what attention would be told to see is ignored."""
        return self.network(x.mT).mT


class MixNeighbours(nn.Module):
    """Mix each patch with the eight around it by kernels of 3 × 3 patches.

    Args:
        d_model: the width of a token.
        columns: how many patches stand in a row; there is no class token.

    Source: after Trockman and Kolter 2022, whose kernels are larger and mix no channels.
    """

    def __init__(self, d_model: int, columns: int) -> None:
        super().__init__()
        self.columns = columns
        self.kernels = nn.Conv2d(d_model, d_model, 3, padding=1)

    def forward(
        self, x: Float[Tensor, "batch tokens d_model"], **_visible: object
    ) -> Float[Tensor, "batch tokens d_model"]:
        """Convolve the grid of patches; what attention would be told to see is ignored."""
        grid = x.mT.unflatten(2, (-1, self.columns))
        return self.kernels(grid).flatten(start_dim=2).mT


def exchange_attention(model: nn.Module, make: Callable[[], nn.Module]) -> nn.Module:
    """Put something else in the place of every self-attention of a model.

    Args:
        model: its blocks are changed in place; patches, positions, norms, residuals and
            feed-forward networks stay.
        make: a module that turns tokens into as many tokens, new for each block.

    Returns:
        The model itself.
    """
    for part in model.modules():
        if isinstance(part, Block):
            part.self_attention = make()
    return model


def blindfold(model: nn.Module) -> nn.Module:
    """Let every query of a model be zero for good, so that each lookup is a plain average.

    Args:
        model: its attentions are changed in place.

    Returns:
        The model itself.
    """
    for part in model.modules():
        if isinstance(part, MultiHeadAttention):
            for parameter in part.query_projection.parameters():
                parameter.requires_grad = False
                parameter.zero_()
    return model


class AddsNothing(nn.Module):
    """In the place of a feed-forward network: zeros, so that the residual goes on as it came."""

    def forward(
        self, x: Float[Tensor, "batch tokens d_model"]
    ) -> Float[Tensor, "batch tokens d_model"]:
        """Zeros in the shape of x."""
        return torch.zeros_like(x)


def without_first_network(model: nn.Module) -> nn.Module:
    """Take the feed-forward network out of a model's first block.

    Args:
        model: its first block is changed in place.

    Returns:
        The model itself.
    """
    first = next(part for part in model.modules() if isinstance(part, Block))
    first.feed_forward = AddsNothing()
    return model


def without_norms_before_attention(model: nn.Module) -> nn.Module:
    """Let every attention of a pre-norm model read its tokens as they are.

    Args:
        model: its blocks are changed in place; the norms before the feed-forward networks and
            after the last block stay.

    Returns:
        The model itself.
    """
    for part in model.modules():
        if isinstance(part, Block):
            part.norm_1 = nn.Identity()
    return model


def _convolution(channels: int, width: int, stride: int = 1) -> tuple[nn.Conv2d, nn.ReLU]:
    """Kernels of 3 × 3, padded so that only the stride makes the map smaller."""
    return nn.Conv2d(channels, width, 3, stride=stride, padding=1), nn.ReLU()


def _compare(width: int, n_classes: int) -> tuple[nn.Module, ...]:
    """The mean over places, and two layers that read it."""
    hidden = nn.Linear(width, 2 * width)
    return MeanOverPlaces(), hidden, nn.ReLU(), nn.Linear(2 * width, n_classes)
