"""Patches: cut and put back exactly; a strided convolution is a linear layer on them."""

import pytest
import torch
import torch.nn.functional as F
from properties import given
from properties import st as some
from softlookup.layers.patches import PatchEmbedding, assemble, cut, embed_by_cutting, grid

BATCH, CHANNELS, PATCH, ROWS, COLUMNS, D_MODEL = 3, 2, 5, 7, 11, 13
SIZE = (ROWS * PATCH, COLUMNS * PATCH)


def draw(generator, channels=CHANNELS, dtype=torch.float64):
    return torch.randn(BATCH, channels, *SIZE, generator=generator, dtype=dtype)


def test_each_patch_is_a_square_of_the_image_in_reading_order(generator):
    images = draw(generator)
    patches = cut(images, PATCH)
    assert patches.shape == (BATCH, ROWS * COLUMNS, CHANNELS * PATCH * PATCH)
    for row in range(ROWS):
        for column in range(COLUMNS):
            down = slice(row * PATCH, (row + 1) * PATCH)
            across = slice(column * PATCH, (column + 1) * PATCH)
            square = images[:, :, down, across].reshape(BATCH, -1)
            assert torch.equal(patches[:, row * COLUMNS + column], square)


def test_cutting_agrees_with_unfold(generator):
    images = draw(generator)
    unfolded = F.unfold(images, PATCH, stride=PATCH).transpose(1, 2)
    assert torch.equal(cut(images, PATCH), unfolded)


@given(
    batch=some.integers(1, 3),
    channels=some.integers(1, 3),
    rows=some.integers(1, 5),
    columns=some.integers(1, 5),
    patch=some.integers(1, 5),
)
def test_assemble_puts_back_exactly(batch, channels, rows, columns, patch):
    images = torch.randn(batch, channels, rows * patch, columns * patch)
    assert torch.equal(assemble(cut(images, patch), images.shape[2:], channels), images)


def test_a_view_would_mix_squares(generator):
    images = draw(generator)
    viewed = images.view(BATCH, ROWS * COLUMNS, -1)
    assert viewed.shape == cut(images, PATCH).shape
    assert not torch.equal(viewed, cut(images, PATCH))


def test_the_convolution_is_a_linear_layer_on_patches(generator):
    module = PatchEmbedding(PATCH, CHANNELS, D_MODEL).double()
    direction = torch.randn(
        BATCH, ROWS * COLUMNS, D_MODEL, generator=generator, dtype=torch.float64
    )
    results = []
    for embed in (module, lambda images: embed_by_cutting(module, images)):
        images = draw(torch.Generator().manual_seed(1)).requires_grad_()
        module.zero_grad()
        output = embed(images)
        (output * direction).sum().backward()
        results.append((output, images.grad, *(p.grad.clone() for p in module.parameters())))
    for convolved, by_hand in zip(*results, strict=True):
        assert by_hand.abs().max() > 0.1
        torch.testing.assert_close(convolved, by_hand, rtol=0, atol=1e-12)


def test_a_token_hears_its_own_patch_alone(generator):
    module, images = PatchEmbedding(PATCH, CHANNELS, D_MODEL).double(), draw(generator)
    changed = images.clone()
    changed[:, 1, 2 * PATCH, 3 * PATCH - 1] += 1.0  # the last pixel of a row of patch (2, 2)
    with torch.no_grad():
        moved = (module(images) != module(changed)).any(dim=-1)
    assert moved.nonzero()[:, 1].unique().tolist() == [2 * COLUMNS + 2]


@pytest.mark.parametrize(
    ("mistake", "words"),
    [
        (lambda: grid((35, 56), 5), "35 × 56 pixels and patch_size is 5; expected a patch_size"),
        (lambda: grid((35, 55), 0), "patch_size is 0"),
        (lambda: cut(torch.zeros(3, 2, 36, 55), 5), "36 × 55 pixels and patch_size is 5"),
        (
            lambda: assemble(torch.zeros(3, 77, 50), (35, 55), 3),
            "77 patches of 50 numbers; expected square patches .* 3 channels and 35 × 55",
        ),
        (lambda: assemble(torch.zeros(3, 76, 50), (35, 55), 2), "there are 76 patches"),
        (lambda: PatchEmbedding(0, 2, 13), "patch_size is 0, n_channels is 2"),
        (
            lambda: PatchEmbedding(5, 2, 13)(torch.zeros(3, 1, 35, 55)),
            r"shape \(3, 1, 35, 55\); expected \(batch, 2, height, width\)",
        ),
        (
            lambda: PatchEmbedding(5, 2, 13)(torch.zeros(3, 35, 55, 2)),
            r"expected \(batch, 2, height, width\), with the channels before",
        ),
        (lambda: PatchEmbedding(5, 2, 13)(torch.zeros(3, 2, 36, 55)), "36 × 55 pixels"),
        (
            lambda: embed_by_cutting(PatchEmbedding(5, 2, 13), torch.zeros(3, 3, 35, 55)),
            r"expected \(batch, 2, height, width\)",
        ),
    ],
)
def test_doors(mistake, words):
    with pytest.raises(ValueError, match=words):
        mistake()
