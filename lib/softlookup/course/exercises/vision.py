"""Checks for the exercises of the chapter on vision."""

import functools
from collections.abc import Callable, Mapping
from functools import partial

import torch
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.difference import require_same
from softlookup.course.exercises.judging import judge
from softlookup.course.exercises.moving_layers import Layer, honest, impostors
from softlookup.course.exercises.pairs_drawn import (
    CHANCE,
    PAIRS,
    Pairs,
    pairs_of,
    require_even,
    require_partners,
)
from softlookup.course.exercises.probes import draw, name_first, require_tensor, same
from softlookup.course.exercises.receptive_fields import Layers, field, name_fields
from softlookup.course.exercises.resized_tables import name_length, name_resized, resized
from softlookup.course.exercises.slips import name_slips
from softlookup.course.exercises.verdict import Mistake
from softlookup.inside.rollout import rollout as library_rollout

BATCH, WIDTH, TOKENS = 2, 20, 11

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
    for depth in (2, 3, 4, 5):
        drawn = torch.randint(3, (depth, 3), generator=generator).tolist()
        nets.append([(2 + kernel, 1 + stride, 1 + dilation) for kernel, stride, dilation in drawn])
    answers = [receptive_field(list(net)) for net in nets]
    numbers = [_whole(answer) for answer in answers]
    if numbers == [field(net) for net in nets]:
        return
    name_fields(numbers, nets)
    for net, number in zip(nets, numbers, strict=True):
        if number != field(net):
            raise Mistake(
                f"for the layers {[*net]} (kernel, stride, dilation) you return {number}; draw "
                "them as dots and lines, and count from the last layer back"
            )


def _whole(answer: object) -> int:
    """A whole number, however it was computed."""
    number = answer.item() if isinstance(answer, Tensor) and answer.numel() == 1 else answer
    if not isinstance(number, int | float) or number != int(number):
        raise Mistake(f"you return {answer!r}; a whole number of pixels is expected")
    return int(number)


@exercise(
    "vision",
    3,
    "repair `broken`, so that neither pixels nor labels give the answer away, and no label lies.",
    "two scans are never the same one, every label is true, and all else is as it was.",
)
def check_pairs(draw_pairs: Pairs) -> None:
    """Check the repair of a function that draws pairs of scans."""
    # Unequal classes, in no order, one of two scans.
    labels = torch.tensor([0] * 30 + [1] * 20 + [2] * 12 + [3] * 8 + [4] * 2)
    labels = labels[torch.randperm(len(labels), generator=torch.Generator().manual_seed(1))]
    before = torch.random.get_rng_state()
    first, second, equal = pairs_of(draw_pairs, labels, seed=2)
    again = pairs_of(draw_pairs, labels, seed=2)
    if not torch.equal(before, torch.random.get_rng_state()):
        raise Mistake(
            "you draw from torch's global generator; every draw takes the generator that is given, "
            "or nobody can repeat it"
        )
    if not all(map(torch.equal, (first, second, equal), again)):
        raise Mistake("the same seed gives other pairs; draw from the generator that is given")
    if torch.equal(equal, pairs_of(draw_pairs, labels, seed=3)[2]):
        raise Mistake(
            "with another seed the same places hold equal pairs; draw for each pair whether it is "
            "to be equal, as `broken` does, or its place gives the answer away"
        )
    true = labels[first] == labels[second]
    lying = (equal & ~true).sum(), (~equal & true).sum()
    twice = first == second
    if twice.any() and lying[1]:
        raise Mistake(
            "two things of `broken` are still there: some pairs are one scan twice, and "
            f"{int(lying[1])} of the pairs that you call different show the same digit"
        )
    if twice[equal].all():
        raise Mistake(
            "your equal pairs are one scan twice: a model has to compare pixels, not digits, to "
            "see it"
        )
    if twice.any():
        raise Mistake(
            "in some of your pairs both are the same scan; among the scans that fit the first, "
            "it fits itself, and must be taken out"
        )
    if lying[1]:
        raise Mistake(
            f"of {PAIRS} pairs, {int(lying[1])} are called different and show the same digit: the "
            "second scan was drawn without a look at the first one's label"
        )
    if lying[0]:
        raise Mistake(f"{int(lying[0])} pairs are called equal and show two digits")
    if abs(equal.double().mean() - 0.5) > CHANCE:
        raise Mistake(
            f"{equal.double().mean():.0%} of your pairs are equal; `broken` has half of them so, "
            "and a model that always says 'different' should be right half the time"
        )
    require_even(first, labels, equal)
    require_partners(first, second, labels)


@exercise(
    "vision",
    4,
    "return True if the maps move along with the image, and False otherwise.",
    "it moves the image both ways, by odd steps too, and tells rounding from a faint position.",
)
def check_moves_along(moves_along: Callable[[Layer], bool]) -> None:
    """Check a test for translation equivariance on right ones and on impostors."""
    asked: list[int] = []

    def seen(layers: Mapping[str, Layer]) -> dict[str, Layer]:
        return {name: partial(_noting_batch, layer, asked) for name, layer in layers.items()}

    try:
        judge(moves_along, seen(honest()), seen(impostors()))
    except Mistake as mistake:
        if not asked:
            raise Mistake("your test never calls the function that it is to judge") from mistake
        if "first image of a batch" in str(mistake):
            advice = "You ask about one image at a time; try a batch"
            if max(asked) > 1:
                advice = "You ask about a batch; compare all images of it"
            raise Mistake(f"{mistake}. {advice}") from mistake
        raise


def _noting_batch(layer: Layer, asked: list[int], images: Tensor) -> Tensor:
    """What the layer gives; beside it is noted how many images it was asked about."""
    asked.append(len(images) if isinstance(images, Tensor) and images.dim() else 0)
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
    tokens = TOKENS
    layers = [(3 * draw(BATCH, 5, tokens, tokens, seed=seed)).softmax(-1) for seed in (11, 12, 13)]
    right = library_rollout(layers)
    got = require_tensor(rollout(layers), tuple(right.shape), "your roll-out", "(batch, to, from)")
    identity = torch.eye(tokens, dtype=torch.float64)

    def product(steps: list[Tensor]) -> Tensor:
        return functools.reduce(lambda total, step: step @ total, steps)

    def rolled(
        heads: Callable[[Tensor], Tensor] = lambda weights: weights.mean(1),
        mixed: Callable[[Tensor], Tensor] = lambda mean: (mean + identity) / 2,
        joined: Callable[[list[Tensor]], Tensor] = product,
    ) -> Tensor:
        return joined([mixed(heads(layer)) for layer in layers])

    name_slips(got, rolled, _OF_HEADS | {"mixed": _mixtures(identity), "joined": _joints(product)})
    name_first(
        got,
        [
            (
                torch.stack(
                    [
                        product([(layer[:, head] + identity) / 2 for layer in layers])
                        for head in range(layers[0].size(1))
                    ]
                ).mean(0),
                "you rolled each head out by itself and averaged at the end; a head reads what all "
                "heads of the layer before wrote, so average in each layer",
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


_OF_HEADS = {
    "heads": {
        "you took the strongest head; the roll-out of Abnar and Zuidema averages the "
        "heads": lambda weights: weights.amax(1) / weights.amax(1).sum(-1, keepdim=True),
        "you took the largest weight over the heads; the roll-out averages the "
        "heads": lambda weights: weights.amax(1),
        "you summed the heads; their mean is a distribution": lambda weights: weights.sum(1),
        "you took the first head alone; average all of them": lambda weights: weights[:, 0],
        "you took the last head alone; average all of them": lambda weights: weights[:, -1],
    }
}


def _mixtures(identity: Tensor) -> dict[str, Callable[[Tensor], Tensor]]:
    """What a layer might be taken for instead of half its weights and half the identity."""
    return {
        "you left the residual out: a layer hands on half of what was there, so mix each "
        "layer's weights with the identity": lambda mean: mean,
        "your rows sum to 2 for each layer: the identity was added and not averaged in; "
        "take half of each": lambda mean: mean + identity,
        "the identity alone is halved; halve the weights as well, or set brackets around the "
        "sum": lambda mean: mean + identity / 2,
        "the weights alone are halved; halve the identity as well, or set brackets around the "
        "sum": lambda mean: mean / 2 + identity,
        "your weights are transposed: a row tells where one token looks": lambda mean: (
            (mean.mT + identity) / 2
        ),
        "your columns are made to sum to one; it is the rows that are distributions": lambda mean: (
            (mean + identity) / (mean + identity).sum(-2, keepdim=True)
        ),
        "you mix in ones everywhere; the identity has ones on its diagonal alone": lambda mean: (
            (mean + 1) / 2
        ),
    }


def _joints(
    product: Callable[[list[Tensor]], Tensor],
) -> dict[str, Callable[[list[Tensor]], Tensor]]:
    """What might become of the layers instead of their product, the last on the left."""
    return {
        "your layers are multiplied in the wrong order: the last layer reads what the ones before "
        "have mixed, so it stands on the left": lambda steps: product(steps[::-1]),
        "you averaged the layers; information passes one after the other, which is a product of "
        "matrices": lambda steps: torch.stack(steps).mean(0),
        "you added the layers; information passes one after the other, which is a product of "
        "matrices": lambda steps: torch.stack(steps).sum(0),
        "you multiplied number by number (*); layers follow each other by the matrix product "
        "(@)": lambda steps: torch.stack(steps).prod(0),
        "you return the last layer alone; multiply all of them": lambda steps: steps[-1],
        "you return the first layer alone; multiply all of them": lambda steps: steps[0],
        "the last layer is missing in your product": lambda steps: product(steps[:-1]),
        "the first layer is missing in your product": lambda steps: product(steps[1:]),
        "your product begins with ones, which sums what it meets; begin with the "
        "identity": lambda steps: product([torch.ones_like(steps[0]), *steps]),
    }
