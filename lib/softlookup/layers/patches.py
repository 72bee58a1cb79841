"""Patches: an image cut into squares, which a Transformer reads as words.

The chapter on vision derives it: cut, flatten, project. The library projects by a convolution
whose stride is its size, and ``embed_by_cutting`` is the same from the definition.
"""

import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn


def cut(
    images: Float[Tensor, "batch channels height width"], patch_size: int
) -> Float[Tensor, "batch patches patch_width"]:
    """Cut each image into squares, and lay each square out as one row of numbers.

    The squares come in reading order. Within a square, the first channel's numbers come first,
    in reading order too: ``patch_width`` is channels · patch_size².

    Args:
        images: the images.
        patch_size: the side of a square in pixels.

    Raises:
        ValueError: if the squares do not cover the image exactly.

    Source: Dosovitskiy et al. 2021, section 3.1.
    """
    rows, columns = grid(images.shape[2:], patch_size)
    squares = images.unflatten(3, (columns, patch_size)).unflatten(2, (rows, patch_size))
    # (batch, channels, rows, up and down, columns, left and right): memory has it row of pixels
    # by row of pixels, so a view alone would put pieces of several squares into one patch.
    return squares.permute(0, 2, 4, 1, 3, 5).flatten(start_dim=3).flatten(1, 2)


def assemble(
    patches: Float[Tensor, "batch patches patch_width"],
    image_size: tuple[int, int],
    n_channels: int = 1,
) -> Float[Tensor, "batch channels height width"]:
    """Undo ``cut``: put the squares back where they were.

    Args:
        patches: what ``cut`` gave.
        image_size: height and width of the image in pixels.
        n_channels: how many channels it has.

    Raises:
        ValueError: if the patches do not cover such an image exactly.
    """
    _, n_patches, patch_width = patches.shape
    height, width = image_size
    patch_size = round((patch_width / n_channels) ** 0.5)
    fits = n_channels * patch_size**2 == patch_width
    if not fits or n_patches * patch_width != n_channels * height * width:
        raise ValueError(
            f"there are {n_patches} patches of {patch_width} numbers; expected square patches "
            f"that cover an image of {n_channels} channels and {height} × {width} pixels"
        )
    rows, columns = grid(image_size, patch_size)
    squares = patches.unflatten(2, (n_channels, patch_size, patch_size))
    squares = squares.unflatten(1, (rows, columns)).permute(0, 3, 1, 4, 2, 5)
    return squares.flatten(4, 5).flatten(2, 3)


def grid(image_size: tuple[int, ...], patch_size: int) -> tuple[int, int]:
    """How many rows and columns of patches an image has.

    Args:
        image_size: height and width of the image in pixels.
        patch_size: the side of a patch in pixels.

    Raises:
        ValueError: if the patches do not cover the image exactly.
    """
    height, width = image_size
    if patch_size < 1 or min(height, width) < 1 or height % patch_size or width % patch_size:
        raise ValueError(
            f"the image has {height} × {width} pixels and patch_size is {patch_size}; expected "
            "a patch_size that divides both: crop the image, pad it, or resize it"
        )
    return height // patch_size, width // patch_size


class PatchEmbedding(nn.Module):
    """Cut an image into patches and project each to the width of a token, in one convolution.

    A convolution lays its kernel over a square, multiplies and adds. With a stride of its own
    size it meets each patch once and no two at a time, which makes it a linear layer on patches.

    Args:
        patch_size: the side of a patch in pixels.
        n_channels: how many channels an image has: 1 for grey, 3 for colour.
        d_model: the width of a token.

    Raises:
        ValueError: if a size is not positive.

    Source: Dosovitskiy et al. 2021, equation 1.
    """

    def __init__(self, patch_size: int, n_channels: int, d_model: int) -> None:
        super().__init__()
        if min(patch_size, n_channels, d_model) < 1:
            raise ValueError(
                f"patch_size is {patch_size}, n_channels is {n_channels} and d_model is "
                f"{d_model}; expected at least 1 each"
            )
        self.patch_size = patch_size
        self.projection = nn.Conv2d(n_channels, d_model, patch_size, stride=patch_size)

    def forward(
        self, images: Float[Tensor, "batch channels height width"]
    ) -> Float[Tensor, "batch patches d_model"]:
        """Turn each patch into a token, in reading order.

        Raises:
            ValueError: if the images have another number of channels, or if the patches do not
                cover them exactly.
        """
        _require_images(images, self.projection.in_channels)
        grid(images.shape[2:], self.patch_size)
        return self.projection(images).flatten(start_dim=2).transpose(1, 2)


def embed_by_cutting(
    module: PatchEmbedding, images: Float[Tensor, "batch channels height width"]
) -> Float[Tensor, "batch patches d_model"]:
    """What the module computes, from the definition: cut, lay out as rows, multiply.

    The kernel of the convolution, (d_model, channels, patch_size, patch_size), laid out in the
    same order is the matrix.

    Raises:
        ValueError: as the module's ``forward``.
    """
    _require_images(images, module.projection.in_channels)
    matrix = module.projection.weight.flatten(start_dim=1)
    return F.linear(cut(images, module.patch_size), matrix, module.projection.bias)


def _require_images(images: Tensor, n_channels: int) -> None:
    if images.dim() != 4 or images.size(1) != n_channels:
        raise ValueError(
            f"the images have shape {tuple(images.shape)}; expected (batch, {n_channels}, "
            "height, width), with the channels before the pixels"
        )
