"""Checks for the exercises of the chapter on vision."""

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.difference import require_same
from softlookup.course.exercises.probes import draw, name_first, require_tensor
from softlookup.course.exercises.verdict import Mistake
from softlookup.inside.rollout import rollout as library_rollout
from softlookup.layers import patches
from softlookup.layers.positions import sinusoidal, sinusoidal_grid

BATCH, CHANNELS, PATCH, ROWS, COLUMNS, WIDTH = 2, 3, 5, 7, 11, 20
HEIGHT, ACROSS, PATCHES, NUMBERS = ROWS * PATCH, COLUMNS * PATCH, ROWS * COLUMNS, CHANNELS * 25

_draw = partial(draw, seed=11)


@exercise(
    "vision",
    1,
    "cut each image into square patches, each laid out as one row of numbers.",
    "every patch is a square, in reading order, its channels one after the other.",
)
def check_cut(cut: Callable[[Tensor, int], Tensor]) -> None:
    """Check a function that cuts images into patches."""
    images = _draw(BATCH, CHANNELS, HEIGHT, ACROSS)
    right = patches.cut(images, PATCH)
    got = require_tensor(
        cut(images, PATCH),
        (BATCH, PATCHES, NUMBERS),
        "what you return",
        "(batch, patches, numbers in a patch)",
    )
    squares = right.view(BATCH, ROWS, COLUMNS, CHANNELS, PATCH, PATCH)
    name_first(
        got,
        [
            (
                images.reshape(BATCH, PATCHES, NUMBERS),
                "your patches are stretches of rows of pixels: a view or a reshape alone counts "
                "off numbers as they lie in memory, and a square does not lie in one piece",
            ),
            (
                squares.transpose(1, 2).reshape(right.shape),
                "your patches come column by column; reading order goes along a row of patches "
                "first, so patch 2 is to the right of patch 1",
            ),
            (
                squares.transpose(4, 5).reshape(right.shape),
                "each of your patches is mirrored on its diagonal: within a patch, too, pixels "
                "come row by row",
            ),
            (
                squares.movedim(3, 5).reshape(right.shape),
                "your channels come last, red, green and blue of each pixel side by side; here "
                "all of red comes first, as in the image and as in a convolution's kernel",
            ),
            (
                squares.permute(0, 3, 1, 2, 4, 5).reshape(right.shape),
                "your patches hold one channel each and other patches' pixels: the channels stand "
                "before the grid, and have to be brought behind it",
            ),
        ],
    )
    if not torch.equal(got, right):
        image, patch, number = (int(i) for i in (got != right).nonzero()[0])
        raise Mistake(
            f"number {number} of patch {patch} of image {image} is not the pixel that belongs "
            "there; cut an image whose pixels are 0, 1, 2, … and look"
        )
    narrow = _draw(1, 1, 3, 6)
    got = require_tensor(cut(narrow, 3), (1, 2, 9), "one grey image of 3 × 6, cut by 3,")
    if not torch.equal(got, patches.cut(narrow, 3)):
        raise Mistake("right for three channels, and wrong for a grey image of 3 × 6 pixels")


@exercise(
    "vision",
    2,
    "compute what the strided convolution computes, by cutting and one matrix product.",
    "a convolution whose stride is its size is a linear layer on patches.",
)
def check_embed(embed: Callable[[Tensor, Tensor, Tensor], Tensor]) -> None:
    """Check a patch embedding written with one matrix product."""
    images = _draw(BATCH, CHANNELS, HEIGHT, ACROSS)
    kernel, bias = _draw(WIDTH, CHANNELS, PATCH, PATCH), _draw(WIDTH)
    convolved = torch.nn.functional.conv2d(images, kernel, bias, stride=PATCH)
    right = convolved.flatten(2).mT
    got = embed(images, kernel, bias)
    if isinstance(got, Tensor) and got.shape == convolved.shape:
        raise Mistake(
            f"you return a map of shape {tuple(got.shape)}; tokens are rows: bring it to "
            f"{tuple(right.shape)}, the patches in reading order"
        )
    got = require_tensor(got, tuple(right.shape), "what you return", "(batch, patches, width)")
    cut = patches.cut(images, PATCH)
    name_first(
        got,
        [
            (right - bias, "your tokens lack the bias"),
            (
                cut @ kernel.reshape(NUMBERS, WIDTH) + bias,
                "you reshaped the kernel to (numbers, width), which mixes kernels; a row of the "
                "kernel belongs to one output: flatten its last three axes, then transpose",
            ),
            (
                cut @ kernel.permute(0, 2, 3, 1).flatten(1).T + bias,
                "you laid the kernel out with its channels last and the patches with their "
                "channels first; the matrix has to count as the patches do",
            ),
            (
                cut.unflatten(2, kernel.shape[1:]).permute(0, 1, 3, 4, 2).flatten(2)
                @ kernel.flatten(1).T
                + bias,
                "you laid the patches out with their channels last and the kernel with its "
                "channels first; both have to count alike",
            ),
            (
                cut @ kernel.flip(2, 3).flatten(1).T + bias,
                "you turned the kernel round. In mathematics a convolution does; in deep learning "
                "what is called a convolution lays the kernel down as it is",
            ),
            (
                images.reshape(BATCH, PATCHES, NUMBERS) @ kernel.flatten(1).T + bias,
                "your patches are stretches of rows of pixels, not squares; see exercise 11.1",
            ),
            (
                convolved.flatten(2).reshape(right.shape),
                "you reshaped (batch, width, patches) into (batch, patches, width), which mixes "
                "tokens; exchange the two axes",
            ),
        ],
    )
    require_same(
        got,
        right,
        "your tokens differ from those of F.conv2d(images, kernel, bias, stride=patch_size)",
        axes=("image", "patch", "width"),
    )


@exercise(
    "vision",
    3,
    "return a row for each patch: half of the width tells its row, half its column.",
    "each patch knows its row and its column, and steps are the same everywhere on the grid.",
)
def check_grid_positions(grid_positions: Callable[[int, int, int], Tensor]) -> None:
    """Check sinusoidal positions in two dimensions."""
    right = sinusoidal_grid(ROWS, COLUMNS, WIDTH, dtype=torch.float64)
    got = require_tensor(
        grid_positions(ROWS, COLUMNS, WIDTH), (PATCHES, WIDTH), "your table", "(patches, width)"
    )
    half = WIDTH // 2
    down, across = (sinusoidal(n, half, dtype=torch.float64) for n in (ROWS, COLUMNS))
    down_wide, across_wide = (sinusoidal(n, WIDTH, dtype=torch.float64) for n in (ROWS, COLUMNS))
    beside = torch.cat((down.repeat(COLUMNS, 1), across.repeat_interleave(ROWS, 0)), 1)
    name_first(
        got,
        [
            (
                torch.cat((right[:, half:], right[:, :half]), 1),
                "your halves are exchanged: the first tells the row, the second the column",
            ),
            (
                sinusoidal(PATCHES, WIDTH, dtype=torch.float64),
                "your positions count the patches in reading order, in one dimension; the patch "
                "beneath is then as far away as the whole row is long",
            ),
            (
                beside,
                "your patches come column by column; in reading order the row stays the same "
                "while the column runs, so rows repeat interleaved and columns as a whole",
            ),
            (
                (down_wide[:, None] + across_wide[None]).flatten(0, 1),
                "you added the row's clocks to the column's, which makes the patches (2, 5) and "
                "(5, 2) the same; each gets a half of its own",
            ),
            (
                torch.cat((down.repeat_interleave(COLUMNS, 0),) * 2, 1),
                "both of your halves tell the row, and none the column",
            ),
            (
                torch.cat((down.repeat(COLUMNS, 1), across.repeat(ROWS, 1)), 1),
                "your rows run as fast as your columns; along a row of patches the row stays the "
                "same, so each row's clocks come several times before the next row's",
            ),
        ],
    )
    if not torch.allclose(got.double(), right, atol=1e-5):
        place, number = (int(i) for i in ((got - right).abs() > 1e-5).nonzero()[0])
        raise Mistake(
            f"for the patch in row {place // COLUMNS}, column {place % COLUMNS}, number {number} "
            f"should be {right[place, number]:.4f}, and yours is {got[place, number]:.4f}"
        )


@exercise(
    "vision",
    4,
    "put the class token before the patches of every image, then add the positions.",
    "every image has its class token in front, and every token its own place.",
)
def check_prepare(prepare: Callable[[Tensor, Tensor, Tensor], Tensor]) -> None:
    """Check that class token and positions come to the patches."""
    embedded, token = _draw(BATCH, PATCHES, WIDTH), 3 + _draw(WIDTH)
    table = _draw(1 + PATCHES, WIDTH)
    front = token.expand(BATCH, 1, WIDTH)
    right = torch.cat((front, embedded), 1) + table
    got = require_tensor(
        prepare(embedded, token, table),
        (BATCH, 1 + PATCHES, WIDTH),
        "what you return",
        "(batch, 1 + patches, width)",
    )
    name_first(
        got,
        [
            (
                torch.cat((embedded, front), 1) + table,
                "your class token stands at the end; the model reads its answer from place 0",
            ),
            (
                torch.cat((front, embedded + table[:-1]), 1),
                "your positions miss the class token, and every patch got the place of its left "
                "neighbour: row 0 of the table is the class token's",
            ),
            (
                torch.cat((front, embedded + table[1:]), 1),
                "your class token has no position: row 0 of the table is left over",
            ),
            (
                torch.cat((front, embedded), 1),
                "your tokens have no positions: the table was not added",
            ),
            (
                torch.cat((front, embedded), 1) + table[:BATCH, None],
                "you added the positions along the batch: the first image got row 0 on all of its "
                "tokens, the second row 1",
            ),
        ],
    )
    if not torch.allclose(got, right):
        raise Mistake("place 0 should be token + table[0], and place 1 embedded[:, 0] + table[1]")
    square = _draw(1 + PATCHES, PATCHES, WIDTH)
    got = prepare(square, token, table)
    if not torch.allclose(got[:, 1:], square + table[1:]):
        raise Mistake(
            "right for a batch of two, and wrong for a batch of as many images as there are "
            "tokens: your table is added along the batch whenever the sizes allow it"
        )


@exercise(
    "vision",
    5,
    "multiply the layers' weights, each averaged over heads and mixed with the identity.",
    "each row is a distribution over the first layer's tokens.",
)
def check_rollout(rollout: Callable[[list[Tensor]], Tensor]) -> None:
    """Check attention roll-out."""
    tokens = PATCHES // 7
    layers = [(3 * draw(BATCH, 5, tokens, tokens, seed=seed)).softmax(-1) for seed in (11, 12, 13)]
    right = library_rollout(layers)
    got = require_tensor(rollout(layers), tuple(right.shape), "your roll-out", "(batch, to, from)")
    identity = torch.eye(tokens, dtype=torch.float64)
    means = [layer.mean(1) for layer in layers]
    maxima = [layer.amax(1) for layer in layers]
    maxima = [weights / weights.sum(-1, keepdim=True) for weights in maxima]

    def product(steps: list[Tensor]) -> Tensor:
        total = identity.expand(BATCH, -1, -1)
        for step in steps:
            total = step @ total
        return total

    def mixed(weights: list[Tensor]) -> list[Tensor]:
        return [(step + identity) / 2 for step in weights]

    name_first(
        got,
        [
            (
                product(means),
                "you left the residual out: a layer hands on half of what was there, so mix each "
                "layer's weights with the identity",
            ),
            (
                product([step + identity for step in means]),
                "your rows sum to 2 for each layer: the identity was added and not averaged in; "
                "take half of each",
            ),
            (
                product(mixed(means)[::-1]),
                "your layers are multiplied in the wrong order: the last layer reads what the "
                "ones before have mixed, so it stands on the left",
            ),
            (
                torch.stack(mixed(means)).mean(0),
                "you averaged the layers; information passes one after the other, which is a "
                "product of matrices",
            ),
            (
                torch.stack(mixed(means)).prod(0),
                "you multiplied number by number (*); layers follow each other by the matrix "
                "product (@)",
            ),
            (
                product(mixed(maxima)),
                "you took the strongest head; the roll-out of Abnar and Zuidema averages the heads",
            ),
        ],
    )
    require_same(
        got,
        right,
        "for one layer the roll-out should be half the identity and half the mean over heads; "
        "try yours with one layer, then with two",
        axes=("image", "query", "key"),
    )
