"""A test for translation equivariance is told what all its questions have in common."""

import pytest
import torch
from softlookup.course.exercises.moves_asked import why_unseen, why_wronged
from softlookup.course.exercises.moving_layers import honest, impostors
from softlookup.course.exercises.probes import draw

IMAGES = draw(2, 1, 8, 12, seed=4)
HONEST = honest()["a convolution of stride 1 on the torus"]
EDGES = impostors()["a convolution that pads with zeros at the edges"]


def asked(layer, images, *steps):
    return [(each, layer(each)) for each in (images, *(images.roll(s, (2, 3)) for s in steps))]


@pytest.mark.parametrize(
    ("images", "steps", "words"),
    [
        (IMAGES, [(0, 1), (0, 3)], "it only moves to the side"),
        (IMAGES, [(1, 0)], "it only moves up and down"),
        (IMAGES, [(1, 1), (-2, -2)], "it always moves as far down as to the side"),
        (IMAGES, [(2, 0), (0, 4)], "all its steps are multiples of 2"),
        (IMAGES, [(8, 0), (0, 12)], "by whole sides alone"),
        (IMAGES[:1], [(1, 0), (0, 1)], "it asks about one image at a time"),
        (torch.ones(2, 1, 8, 8), [(1, 0), (0, 1)], "the same everywhere"),
        (IMAGES, [(1, 0), (0, 1)], "try steps of one pixel"),
    ],
)
def test_what_all_questions_have_in_common_is_named(images, steps, words):
    assert why_unseen(asked(HONEST, images, *steps)).endswith(words) or words in why_unseen(
        asked(HONEST, images, *steps)
    )


def test_edges_that_are_empty_are_named():
    images = torch.zeros(2, 1, 8, 8)
    images[..., 3:5, 3:5] = draw(2, 1, 2, 2, seed=1)
    assert "zero at the edges" in why_unseen(asked(EDGES, images, (1, 0), (0, 1)))


def test_what_was_shown_and_overlooked_is_named():
    words = why_unseen(asked(EDGES, IMAGES, (1, 0)))
    assert "was shown maps that differ by" in words
    assert "was shown" not in why_unseen(asked(HONEST, IMAGES, (1, 0)))


def test_questions_that_are_no_moves_are_named():
    others = [(each, HONEST(each)) for each in (IMAGES, IMAGES.flip(2), 2 * IMAGES)]
    assert "No two of its questions" in why_unseen(others)
    assert "No two of its questions" in why_wronged(others)
    assert "the moved maps, but for rounding" in why_wronged(asked(HONEST, IMAGES, (1, 0)))
