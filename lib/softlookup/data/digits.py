"""Digits and photographs: scikit-learn's own, as tensors, with folds for fair comparisons.

The chapter on vision reads them with a Vision Transformer. Nothing is downloaded: both ship with
scikit-learn. The digits are 1,797 scans of 8 × 8 pixels, written by 13 people.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import torch
from jaxtyping import Float, Int
from sklearn.datasets import load_digits, load_sample_image  # type: ignore[import-untyped]
from sklearn.model_selection import StratifiedKFold  # type: ignore[import-untyped]
from torch import Tensor

Photograph = Literal["china", "flower"]


@dataclass(frozen=True, eq=False)
class Digits:
    """Images of digits and what they show.

    Attributes:
        images: grey from -1 (paper) to 1 (ink), in steps of an eighth.
        labels: the digits, 0 to 9.
    """

    images: Float[Tensor, "images 1 8 8"]
    labels: Int[Tensor, " images"]

    def __len__(self) -> int:
        return len(self.labels)

    def take(self, places: Int[Tensor, " taken"]) -> "Digits":
        """The images at these places, in their order."""
        return Digits(self.images[places], self.labels[places])

    def batches(
        self, batch_size: int, generator: torch.Generator
    ) -> Iterator[tuple[Float[Tensor, "batch 1 8 8"], Int[Tensor, " batch"]]]:
        """Endless batches of images and labels: each round over the images in a new order.

        What a round leaves over, less than a batch, is left out of it.

        Raises:
            ValueError: if a batch is empty or larger than the set.
        """
        if not 1 <= batch_size <= len(self):
            raise ValueError(f"batch_size is {batch_size}; expected 1 to {len(self)}, the images")

        def endless() -> Iterator[tuple[Tensor, Tensor]]:
            while True:
                order = torch.randperm(len(self), generator=generator)
                for places in order.split(batch_size):
                    if len(places) == batch_size:
                        yield self.images[places], self.labels[places]

        return endless()


def digits() -> Digits:
    """All 1,797 digits.

    Source: scikit-learn's ``load_digits``, the test part of Optical Recognition of Handwritten
        Digits (UCI Machine Learning Repository).
    """
    loaded = load_digits()
    # scikit-learn counts ink from 0 to 16; around zero, a network learns faster.
    images = torch.tensor(loaded.images, dtype=torch.float32)[:, None] / 8.0 - 1.0
    return Digits(images, torch.tensor(loaded.target))


def folds(
    labels: Int[Tensor, " images"], n_folds: int, seed: int
) -> list[tuple[Int[Tensor, " training"], Int[Tensor, " test"]]]:
    """Cut a set into folds, each the test set once, with the digits in equal proportions.

    Args:
        labels: what the images show.
        n_folds: how many folds, at least 2.
        seed: for the order in which the images are dealt out.

    Returns:
        For each fold the places of the images to train on, and of those to test on.

    Raises:
        ValueError: if there are fewer than two folds, or more than images of some digit.
    """
    fewest = int(labels.bincount()[labels.unique()].min())
    if not 2 <= n_folds <= fewest:
        raise ValueError(
            f"n_folds is {n_folds}; expected 2 to {fewest}, so that each fold has every digit"
        )
    dealt = StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(labels, labels)
    return [(torch.from_numpy(training), torch.from_numpy(test)) for training, test in dealt]


@dataclass(frozen=True, eq=False)
class Parts:
    """Digits to learn from, digits to choose by, and digits that are looked at once.

    Attributes:
        training: half of the images.
        validation: a sixth, on which settings are chosen.
        test: a quarter, opened when nothing is left to choose.
        second_test: a twelfth, sealed for a second question.
    """

    training: Digits
    validation: Digits
    test: Digits
    second_test: Digits


def deal_out(images: Digits, seed: int) -> Parts:
    """Deal digits out into four parts, with the ten digits in equal proportions in each.

    Args:
        images: all digits.
        seed: for the order in which they are dealt out.

    Raises:
        ValueError: as ``folds``.
    """
    known, sealed = (images.take(places) for places in folds(images.labels, 3, seed)[0])
    training, validation = (known.take(places) for places in folds(known.labels, 4, seed)[0])
    # Any fold will do for the second test; this is one on which nothing was tried before.
    test, second_test = (sealed.take(places) for places in folds(sealed.labels, 4, seed)[1])
    return Parts(training, validation, test, second_test)


def photograph(
    name: Photograph, height: int = 416, width: int = 640
) -> Float[Tensor, "1 3 height width"]:
    """One of scikit-learn's two photographs, cropped at the lower and the right edge.

    They have 427 × 640 pixels, and no patch of 16 divides 427 = 7 · 61. The first 416 rows are 26
    patches of 16.

    Args:
        name: ``"china"``, a temple, or ``"flower"``.
        height: how many rows to keep, from the top.
        width: how many columns to keep, from the left.

    Returns:
        Red, green and blue from 0 to 1.

    Raises:
        ValueError: if there is no such photograph, or if it is smaller than asked.
    """
    if name not in get_args(Photograph):
        raise ValueError(f"name is {name!r}; expected one of {[*get_args(Photograph)]}")
    pixels = torch.from_numpy(load_sample_image(f"{name}.jpg").copy())
    if not (1 <= height <= pixels.size(0) and 1 <= width <= pixels.size(1)):
        raise ValueError(
            f"the crop has {height} × {width} pixels; expected at most {pixels.size(0)} × "
            f"{pixels.size(1)}, the photograph"
        )
    # Contiguous, as images that were never turned are: what lies side by side is side by side.
    return pixels[:height, :width].permute(2, 0, 1)[None].contiguous().float() / 255.0
