"""Canvases of two digits: true labels, no scan twice, and every place and partner as likely."""

import pytest
import torch
from softlookup.data.canvases import batches, pairs, two_digits
from softlookup.data.digits import digits

N = 6000
LABELS = torch.tensor([3] * 5 + [0] * 11 + [7] * 2)[torch.randperm(18).argsort()]


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def scans(n=30, side=5):
    """Scans that can be told apart: all numbers of a scan are its place."""
    return torch.arange(n, dtype=torch.float32)[:, None, None, None].expand(n, 1, side, side)


def test_labels_are_true_and_no_scan_meets_itself():
    first, second, equal = pairs(LABELS, N, generator())
    assert torch.equal(LABELS[first] == LABELS[second], equal)
    assert (first != second).all()
    assert equal.double().mean() == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize("called", [True, False])
def test_every_partner_that_fits_is_as_likely(called):
    first, second, equal = pairs(LABELS, 10 * N, generator())
    for one in range(len(LABELS)):
        met = second[(first == one) & (equal == called)].bincount(minlength=len(LABELS))
        fits = (LABELS[one] == LABELS) == called
        fits[one] = False
        share = met.double() / met.sum()
        assert (share[~fits] == 0).all()
        assert (share[fits] * fits.sum() - 1).abs().max() < 0.4


def test_every_scan_comes_first_as_often():
    first, _, equal = pairs(LABELS, 10 * N, generator())
    for chosen in (first[equal], first[~equal]):
        share = chosen.bincount(minlength=len(LABELS)) * len(LABELS) / len(chosen)
        assert (share - 1).abs().max() < 0.15


def test_two_digits_stand_whole_on_two_different_squares():
    labels = torch.arange(30) % 3
    drawn = two_digits(scans(), labels, 200, generator(), squares=3)
    assert drawn.images.shape == (200, 1, 15, 15)
    assert len(drawn) == 200
    for image, equal in zip(drawn.images, drawn.equal, strict=True):
        squares = image[0].unfold(0, 5, 5).unfold(1, 5, 5).reshape(9, 25)
        assert (squares == squares[:, :1]).all()
        shown = squares[squares[:, 0] >= 0, 0].long()
        assert len(shown) == 2
        assert int(equal) == int(labels[shown[0]] == labels[shown[1]])
    taken = (drawn.images[:, 0, ::5, ::5] >= 0).double().mean(dim=0)
    assert (taken - 2 / 9).abs().max() < 0.12


def test_what_is_no_digit_is_paper():
    all_digits = digits()
    drawn = two_digits(all_digits.images, all_digits.labels, 50, generator())
    squares = drawn.images.unfold(2, 8, 8).unfold(3, 8, 8).flatten(4)
    assert ((squares == -1).all(dim=-1).flatten(1).sum(dim=1) == 7).all()


def test_a_seed_gives_the_same_canvases_and_batches_are_new():
    labels = torch.arange(30) % 3
    one, other = (two_digits(scans(), labels, 20, generator(4)) for _ in range(2))
    assert torch.equal(one.images, other.images)
    stream = batches(scans(), labels, 20, generator(4))
    first, second = next(stream), next(stream)
    assert torch.equal(first.images, one.images)
    assert not torch.equal(first.images, second.images)


def test_doors():
    with pytest.raises(ValueError, match="squares is 1; expected at least 2"):
        two_digits(scans(4), torch.tensor([0, 0, 1, 1]), 3, generator(), squares=1)
    for labels in ([0, 0, 1], [2, 2, 2], []):
        with pytest.raises(ValueError, match="each in two scans or more"):
            pairs(torch.tensor(labels, dtype=torch.long), 3, generator())
