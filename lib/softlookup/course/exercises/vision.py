"""Checks for the exercises of the chapter on vision."""

from collections.abc import Callable, Mapping
from functools import partial

import torch
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.difference import require_same
from softlookup.course.exercises.judging import judge
from softlookup.course.exercises.moves_asked import why_unseen, why_wronged
from softlookup.course.exercises.moving_layers import Layer, honest, impostors
from softlookup.course.exercises.one_number import name_unused, require_number
from softlookup.course.exercises.pairs_drawn import (
    Pairs,
    pairs_of,
    require_any_that_fits,
    require_drawn,
    require_even,
    require_partners,
    require_true,
    some_labels,
)
from softlookup.course.exercises.probes import draw, require_tensor, same
from softlookup.course.exercises.receptive_fields import (
    Layers,
    field,
    name_fields,
    name_first_wrong,
)
from softlookup.course.exercises.resized_tables import name_length, name_resized, resized
from softlookup.course.exercises.rollout_slips import name_one_layer, name_rolled
from softlookup.course.exercises.verdict import Mistake
from softlookup.inside.rollout import rollout as library_rollout

BATCH, WIDTH, TOKENS, HEADS = 2, 20, 11, 5

_draw = partial(draw, seed=11)


@exercise(
    "vision",
    1,
    "bring a table of positions to another grid: the class token's row stays as it is.",
    "the class token kept its row, and the grid was resized as a picture is.",
)
def check_resize(resize: Callable[[Tensor, tuple[int, int], tuple[int, int]], Tensor]) -> None:
    """Check that learned positions are brought to another grid."""
    for old, new in (((5, 7), (11, 13)), ((7, 3), (5, 2)), ((4, 4), (6, 6))):
        table = _draw(1 + old[0] * old[1], WIDTH)
        right, got = resized(table, old, new), resize(table, old, new)
        name_length(got, old, new)
        got = require_tensor(
            got,
            (1 + new[0] * new[1], WIDTH),
            "what you return",
            "(1 + patches of the new grid, width)",
        )
        if same(got, right):
            continue
        name_resized(got, table, old, new)
        require_same(
            got,
            right,
            "your table is not the old grid, drawn larger as an image of `width` channels",
            axes=("place", "width"),
        )


@exercise(
    "vision",
    2,
    "return how many pixels, along one side, a number of the last layer depends on.",
    "each layer adds its reach, in steps as long as all strides before it make them.",
)
def check_receptive_field(receptive_field: Callable[[Layers], int]) -> None:
    """Check the receptive field of a stack of convolutions."""
    generator = torch.Generator().manual_seed(11)
    nets: list[Layers] = [[(3, 1, 1)], [(3, 1, 1), (3, 1, 1)], [(3, 2, 1), (3, 1, 1)]]
    # The first of these sees furthest with its first layer; none of the rest tells it by its last.
    nets.append([(5, 2, 3), (3, 1, 2), (2, 1, 1)])
    for depth in (2, 3, 4, 5):
        drawn = torch.randint(3, (depth, 3), generator=generator).tolist()
        nets.append([(2 + kernel, 1 + stride, 1 + dilation) for kernel, stride, dilation in drawn])
    answers = [receptive_field(list(net)) for net in nets]
    numbers = [require_number(answer) for answer in answers]
    if numbers == [field(net) for net in nets]:
        return
    name_fields(numbers, nets)

    def of_two(kernel: int, stride: int, dilation: int) -> Layers:
        return [(3, stride, 1), (kernel, 1, dilation)]

    name_unused(
        lambda *sizes: receptive_field(of_two(*sizes)),
        lambda *sizes: field(of_two(*sizes)),
        {"the last kernel": 3, "the first stride": 2, "the last dilation": 2},
        {"the last kernel": 4, "the first stride": 3, "the last dilation": 3},
    )
    for number in numbers:
        if number != int(number):
            raise Mistake(f"you return {number:g}; a whole number of pixels is expected")
    name_first_wrong(lambda net: require_number(receptive_field(list(net))))
    for net, number in zip(nets, numbers, strict=True):
        if number != field(net):
            raise Mistake(
                f"for the layers {[*net]} (kernel, stride, dilation) you return {number:g}; draw "
                "them as dots and lines, and count from the last layer back"
            )


@exercise(
    "vision",
    3,
    "repair `broken`, so that neither pixels nor labels give the answer away, and no label lies.",
    "two scans are never the same one, every label is true, and all else is as it was.",
)
def check_pairs(draw_pairs: Pairs) -> None:
    """Check the repair of a function that draws pairs of scans."""
    labels = some_labels()
    before = torch.random.get_rng_state()
    pairs, again, others = (pairs_of(draw_pairs, labels, seed) for seed in (2, 2, 3))
    if not torch.equal(before, torch.random.get_rng_state()):
        raise Mistake(
            "you draw from torch's global generator; every draw takes the generator that is given, "
            "or nobody can repeat it"
        )
    if not all(map(torch.equal, pairs, again)):
        raise Mistake("the same seed gives other pairs; draw from the generator that is given")
    require_drawn(pairs, others)
    require_true(*pairs, labels)
    first, second, equal = pairs
    require_even(first, equal, labels)
    require_partners(first, second, labels)
    require_any_that_fits(first, second, equal, labels)


@exercise(
    "vision",
    4,
    "return True if the maps move along with the image, and False otherwise.",
    "it moves the image both ways, by odd steps too, and tells rounding from a faint position.",
)
def check_moves_along(moves_along: Callable[[Layer], bool]) -> None:
    """Check a test for translation equivariance on right ones and on impostors."""

    def seen(layers: Mapping[str, Layer]) -> dict[str, Layer]:
        return {name: partial(_of_images, layer) for name, layer in layers.items()}

    judge(moves_along, seen(honest()), seen(impostors()), why_unseen, why_wronged)


def _of_images(layer: Layer, images: Tensor) -> Tensor:
    """What the layer gives, if it is asked about images."""
    fits = isinstance(images, Tensor) and images.dim() == 4 and images.size(1) == 1
    if not fits or images.size(2) % 4 or images.size(3) % 4 or not images.is_floating_point():
        raise Mistake(
            "you asked a layer about something else than images (batch, 1, height, width) of "
            "floats, with height and width multiples of four"
        )
    return layer(images)


@exercise(
    "vision",
    5,
    "multiply the layers' weights, each averaged over heads and mixed with the identity.",
    "each row is a distribution over the first layer's tokens.",
)
def check_rollout(rollout: Callable[[list[Tensor]], Tensor]) -> None:
    """Check attention roll-out."""
    # In float32, as a model's weights are: an identity that is made without a dtype fits them.
    layers = [
        (3 * draw(BATCH, HEADS, TOKENS, TOKENS, seed=seed)).softmax(-1).float()
        for seed in (11, 12, 13)
    ]
    right, got = library_rollout(layers), rollout(layers)
    if isinstance(got, Tensor) and got.shape == (HEADS, TOKENS, TOKENS):
        raise Mistake(
            "you took the mean over the images, axis 0, and kept the heads; heads are axis 1"
        )
    got = require_tensor(got, (BATCH, TOKENS, TOKENS), "your roll-out", "(batch, to, from)")
    if same(got, right):
        return
    name_rolled(got, layers)
    name_one_layer(rollout([layers[0]]), layers[0])
    require_same(
        got,
        right,
        "for one layer the roll-out should be half the identity and half the mean over heads; "
        "try yours with one layer, then with two",
        axes=("image", "query", "key"),
    )
