"""What a learner's test for translation equivariance asked of a layer that it misjudges.

Two of its questions are one image and the same image moved, or the test asks for something else.
"""

import itertools
import math
from typing import NamedTuple

import torch
from torch import Tensor

from softlookup.course.exercises.judging import Questions

MOST_QUESTIONS = 24
# What differs by more than this share of the maps' size is no rounding.
DIFFERENCE = 1e-3


class Move(NamedTuple):
    """A move between two questions, and how far the maps are from having moved along."""

    down: int
    across: int
    apart: float


def why_unseen(asked: Questions) -> str:
    """Why a test believes an impostor: what it did not ask, or did not look at."""
    moves = _moves(asked)
    if not moves:
        return _no_move()
    if (apart := max(move.apart for move in moves)) > DIFFERENCE:
        return (
            f"It moved an image there, and was shown maps that differ by {apart:.2g} of their size "
            "from the moved ones; it says True. Compare them number by number, to the edges, in "
            "every image and for every step"
        )
    return f"What it asks does not show it: {'; '.join(_in_common(asked, moves))}"


def why_wronged(asked: Questions) -> str:
    """Why a layer that a test refuses moves along all the same."""
    if not _moves(asked):
        return _no_move()
    return (
        "In all that it asked there, the maps of the moved image are the moved maps, but for "
        "rounding: compare layer(images.roll(steps, dims=(2, 3))) with layer(images).roll(steps, "
        "dims=(2, 3)), the same steps for both"
    )


def _no_move() -> str:
    return (
        "No two of its questions are one image and the same image moved: draw one, and ask about "
        "it and about images.roll(steps, dims=(2, 3))"
    )


def _in_common(asked: Questions, moves: list[Move]) -> list[str]:
    """What all questions have in common, so that an impostor may hide in it."""
    images = [image for image, _ in asked]
    if all(bool((each == each[..., :1, :1]).all()) for each in images):
        return ["its images are the same everywhere, and no move changes them"]
    moves = [move for move in moves if any(move[:2])]
    if not moves:
        return [
            "it moves images by whole sides alone, or by nothing, after which they are what they "
            "were (does it return within its loop, after the first step?)"
        ]
    step = math.gcd(*(part for move in moves for part in move[:2]))
    found = {
        "it only moves to the side": all(move.down == 0 for move in moves),
        "it only moves up and down": all(move.across == 0 for move in moves),
        "it always moves as far down as to the side": all(
            move.down == move.across for move in moves
        ),
        f"all its steps are multiples of {step}": step > 1,
        "it asks about one image at a time, and never about a batch": all(
            len(each) == 1 for each in images
        ),
        "its images are zero at the edges, where what lies outside does not show": not any(
            bool(_edges(each).any()) for each in images
        ),
    }
    return [words for words, true in found.items() if true] or [
        "try steps of one pixel, down alone and to the side alone, with random images"
    ]


def _edges(images: Tensor) -> Tensor:
    return torch.cat([images[..., (0, -1), :].flatten(), images[..., (0, -1)].flatten()])


def _moves(asked: Questions) -> list[Move]:
    """All moves between two questions."""
    return [
        move
        for one, other in itertools.combinations(asked[:MOST_QUESTIONS], 2)
        if one[0].shape == other[0].shape and one[1].shape == other[1].shape
        for move in _between(*one, *other)
    ]


def _between(images: Tensor, maps: Tensor, moved: Tensor, their_maps: Tensor) -> list[Move]:
    """The move from one question to another, by no more than half of each side."""
    height, width = images.shape[2:]
    size = float(torch.maximum(maps.abs(), their_maps.abs()).max().clamp(min=1e-300))
    found = []
    for down, across in itertools.product(range(height), range(width)):
        if torch.equal(images.roll((down, across), dims=(2, 3)), moved):
            apart = (maps.roll((down, across), dims=(2, 3)) - their_maps).abs().max()
            found.append(Move(_short(down, height), _short(across, width), float(apart) / size))
    # An image that is alike everywhere has moved by nothing and by anything.
    return found[:1] if len(found) == 1 else [move._replace(apart=0.0) for move in found[1:2]]


def _short(step: int, side: int) -> int:
    return step if step <= side // 2 else step - side
