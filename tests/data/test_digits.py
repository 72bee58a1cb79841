"""Digits and photographs: the known ones, and folds in which nothing is tested on its own."""

import numpy as np
import pytest
import torch
from sklearn.datasets import load_digits, load_sample_image
from softlookup.data.digits import deal_out, digits, folds, photograph


def test_the_digits_are_scikit_learns():
    drawn, loaded = digits(), load_digits()
    assert len(drawn) == 1797
    assert np.array_equal((drawn.images[:, 0].numpy() + 1) * 8, loaded.images)
    assert np.array_equal(drawn.labels.numpy(), loaded.target)
    assert (drawn.images.min(), drawn.images.max()) == (-1, 1)


def test_take_keeps_image_and_label_together():
    drawn = digits()
    places = torch.tensor([1009, 2, 777])
    taken = drawn.take(places)
    assert len(taken) == 3
    for image, label, place in zip(taken.images, taken.labels, places, strict=True):
        assert torch.equal(image, drawn.images[place])
        assert label == drawn.labels[place]


@pytest.mark.parametrize("n_folds", [3, 7])
def test_each_image_is_tested_once_and_never_trained_on_then(n_folds):
    labels = digits().labels
    dealt = folds(labels, n_folds, seed=0)
    assert len(dealt) == n_folds
    assert sorted(torch.cat([test for _, test in dealt]).tolist()) == [*range(1797)]
    for training, test in dealt:
        assert sorted([*training.tolist(), *test.tolist()]) == [*range(1797)]
        share = labels[test].bincount(minlength=10) * n_folds / labels.bincount()
        assert ((share - 1).abs() < 0.05).all()


def test_folds_follow_their_seed():
    labels = digits().labels
    first, again, other = (folds(labels, 3, seed)[0][1] for seed in (0, 0, 1))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


def test_batches_go_round_in_a_new_order(generator):
    drawn = digits().take(torch.arange(23))
    stream = drawn.batches(7, generator)
    rounds = [[next(stream) for _ in range(3)] for _ in range(2)]
    seen = []
    for batches in rounds:
        images = torch.cat([images for images, _ in batches])
        labels = torch.cat([labels for _, labels in batches])
        places = [
            next(p for p in range(23) if torch.equal(image, drawn.images[p])) for image in images
        ]
        assert len({*places}) == 21  # three batches of seven, no image twice
        assert torch.equal(labels, drawn.labels[places])
        seen.append(places)
    assert seen[0] != seen[1]


@pytest.mark.parametrize("name", ["china", "flower"])
def test_photographs_are_cropped_at_the_lower_right(name):
    image = photograph(name, 31, 37)
    expected = load_sample_image(f"{name}.jpg")[:31, :37].transpose(2, 0, 1) / 255
    assert image.shape == (1, 3, 31, 37)
    assert image.is_contiguous()
    assert np.allclose(image[0].numpy(), expected)
    assert photograph(name).shape == (1, 3, 416, 640)


@pytest.mark.parametrize(
    ("mistake", "words"),
    [
        (lambda: folds(digits().labels, 1, seed=0), "n_folds is 1; expected 2 to 174"),
        (lambda: folds(digits().labels, 175, seed=0), "n_folds is 175; expected 2 to 174"),
        (lambda: photograph("temple"), "name is 'temple'; expected one of"),
        (lambda: photograph("china", 428), "428 × 640 pixels; expected at most 427 × 640"),
        (lambda: photograph("china", 416, 0), "416 × 0 pixels"),
        (
            lambda: digits().batches(0, torch.Generator()),
            "batch_size is 0; expected 1 to 1797",
        ),
        (lambda: digits().batches(1798, torch.Generator()), "batch_size is 1798"),
    ],
)
def test_doors(mistake, words):
    with pytest.raises(ValueError, match=words):
        mistake()


def test_four_parts_share_no_image_and_hold_all_digits_alike():
    drawn = digits()
    # Its place is written on each image, so that it can be known again.
    numbered = type(drawn)(
        torch.arange(1797.0)[:, None, None, None].expand(-1, 1, 8, 8), drawn.labels
    )
    parts = deal_out(numbered, seed=3)
    sets = [parts.training, parts.validation, parts.test, parts.second_test]
    assert [len(part) for part in sets] == [898, 300, 449, 150]
    places = torch.cat([part.images[:, 0, 0, 0] for part in sets]).long()
    assert sorted(places.tolist()) == [*range(1797)]
    for part in sets:
        assert torch.equal(part.labels, drawn.labels[part.images[:, 0, 0, 0].long()])
        share = part.labels.bincount(minlength=10) / len(part)
        assert (share - drawn.labels.bincount() / 1797).abs().max() < 0.02
