"""The Vision Transformer: an encoder whose words are patches of an image.

The chapter on vision builds it. Only the input is new, the patches and their positions; the stack
behind it is the encoder of the translator. With a class token and learned positions it is the
ViT of Dosovitskiy et al., number for number; a test holds its states and logits equal to those
of Hugging Face's model.
"""

from dataclasses import dataclass
from typing import Literal, get_args

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from softlookup.layers.blocks import BlockConfig
from softlookup.layers.patches import PatchEmbedding, grid
from softlookup.layers.positional_encodings import (
    PositionKind,
    make_grid_positions,
    require_kind,
)
from softlookup.layers.stacks import Stack

Pooling = Literal["class", "mean"]


@dataclass(frozen=True)
class ViTConfig:
    """The sizes and choices of a Vision Transformer.

    ViT-B/16 is ``ViTConfig(image_size=224, patch_size=16, n_channels=3, d_model=768, n_heads=12,
    d_ff=3072, n_layers=12, n_classes=1000)``, with 86,567,656 parameters.

    Attributes:
        image_size: height and width of an image in pixels; one number for a square.
        patch_size: the side of a patch in pixels.
        n_channels: how many channels an image has: 1 for grey, 3 for colour.
        d_model: the width of a token.
        n_heads: how many heads in each attention.
        d_ff: the inner width of the feed-forward networks.
        n_layers: how many blocks.
        n_classes: how many classes are scored.
        pooling: what the classes are scored from: ``"class"``, a token of its own that stands
            before the patches, or ``"mean"``, the mean over the patches.
        positions: how a token is told where its patch stands: ``"learned"``, a vector for each
            place; ``"sinusoidal"``, clocks for its row and its column; or ``"none"``.
        position_spread: the standard deviation of untrained learned positions.
        epsilon: of the norms. The authors' code has 1e-6; files of Hugging Face state their own.
        dropout: the share of what is dropped in training.
    """

    image_size: tuple[int, int] | int
    patch_size: int
    n_channels: int
    d_model: int
    n_heads: int
    d_ff: int
    n_layers: int
    n_classes: int
    pooling: Pooling = "class"
    positions: PositionKind = "learned"
    position_spread: float = 0.02
    epsilon: float = 1e-6
    dropout: float = 0.0

    def __post_init__(self) -> None:
        """Refuse choices that do not exist, and patches that do not cover the image."""
        if self.pooling not in get_args(Pooling):
            raise ValueError(f"pooling is {self.pooling!r}; expected one of {[*get_args(Pooling)]}")
        require_kind(self.positions, ("learned", "sinusoidal", "none"))
        if self.n_classes < 1:
            raise ValueError(f"n_classes is {self.n_classes}; expected at least 1")
        grid(self.height_and_width, self.patch_size)

    @property
    def height_and_width(self) -> tuple[int, int]:
        """The size of an image in pixels."""
        size = self.image_size
        return (size, size) if isinstance(size, int) else size

    @property
    def rows_and_columns(self) -> tuple[int, int]:
        """How many rows and columns of patches an image has."""
        return grid(self.height_and_width, self.patch_size)


class ViT(nn.Module):
    """Patches, a class token, positions, pre-norm blocks, and a linear layer on one vector.

    Args:
        config: the sizes and choices.

    Raises:
        ValueError: if the sizes do not fit each other.

    Source: Dosovitskiy et al. 2021, equations 1 to 4.
    """

    def __init__(self, config: ViTConfig) -> None:
        super().__init__()
        self.config = config
        rows, columns = config.rows_and_columns
        d_model, has_class_token = config.d_model, config.pooling == "class"
        self.embedding = PatchEmbedding(config.patch_size, config.n_channels, d_model)
        self.class_token = (
            nn.Parameter(0.02 * torch.randn(1, 1, d_model)) if has_class_token else None
        )
        self.positions = make_grid_positions(
            config.positions, rows, columns, d_model, has_class_token, config.position_spread
        )
        self.dropout = nn.Dropout(config.dropout)
        block = BlockConfig(
            d_model,
            config.n_heads,
            config.d_ff,
            dropout=config.dropout,
            activation=F.gelu,
            epsilon=config.epsilon,
        )
        self.stack = Stack(config.n_layers, block)
        self.head = nn.Linear(d_model, config.n_classes)

    def forward(
        self, images: Float[Tensor, "batch channels height width"]
    ) -> Float[Tensor, "batch classes"]:
        """Score every class.

        Returns:
            The logits.

        Raises:
            ValueError: if the images have another size or number of channels than the config.
        """
        return self.head(self.pool(self.stack(self.tokens(images))))

    def tokens(
        self, images: Float[Tensor, "batch channels height width"]
    ) -> Float[Tensor, "batch tokens d_model"]:
        """The tokens that the first block gets: a class token if there is one, then the patches.

        Raises:
            ValueError: as ``forward``.
        """
        _require_fitting(images, self.config)
        x = self.embedding(images)
        if self.class_token is not None:
            x = torch.cat((self.class_token.expand(len(x), -1, -1), x), dim=1)
        return self.dropout(self.positions(x))

    def pool(self, states: Float[Tensor, "batch tokens d_model"]) -> Float[Tensor, "batch d_model"]:
        """The one vector that stands for the image: the class token, or the mean."""
        return states[:, 0] if self.class_token is not None else states.mean(dim=1)


def _require_fitting(images: Tensor, config: ViTConfig) -> None:
    """Refuse images that are not what a config describes.

    Raises:
        ValueError: if the images have another size or number of channels.
    """
    channels, (height, width) = config.n_channels, config.height_and_width
    if images.dim() != 4 or images.shape[1:] != (channels, height, width):
        raise ValueError(
            f"the images have shape {tuple(images.shape)}; expected (batch, {channels}, "
            f"{height}, {width}), the config's channels, height and width"
        )
