"""Receptive fields of stacks of convolutions, rightly and as likely mistakes would have them."""

import itertools
import math
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from softlookup.course.exercises.slips import name_slips
from softlookup.course.exercises.verdict import Mistake

# Kernel, stride and dilation of each layer, from the first to the last.
Layers = Sequence[tuple[int, int, int]]


def field(net: Layers) -> int:
    """The receptive field along one side."""
    return int(_fields([net]).item())


def _before(net: Layers) -> list[int]:
    """How many pixels one place of each layer's input is wide."""
    return [math.prod(stride for _, stride, _ in net[:layer]) for layer in range(len(net))]


def _fields(
    nets: Sequence[Layers],
    reach: Callable[[int, int], int] = lambda kernel, dilation: (kernel - 1) * dilation,
    steps: Callable[[Layers], list[int]] = _before,
    start: int = 1,
    end: Callable[[int], int] = lambda seen: seen,
    layers: Callable[[Layers], Layers] = lambda net: net,
    whole: Callable[[Layers], float] | None = None,
) -> Tensor:
    def seen(net: Layers) -> float:
        net = layers(net)
        if whole and net:
            return whole(net)
        reaches = (reach(kernel, dilation) for kernel, _, dilation in net)
        return end(start + sum(map(math.prod, zip(reaches, steps(net), strict=False))))

    return torch.tensor([seen(net) for net in nets], dtype=torch.float64)


def name_fields(got: Sequence[float], nets: Sequence[Layers]) -> None:
    """Name what is wrong with the receptive fields of several nets.

    Args:
        got: the learner's, one a net.
        nets: their layers, with strides and dilations among them.

    Raises:
        Mistake: with the words for the part that is wrong.
    """
    reaches = "a kernel of k reaches k - 1 places beyond the one it stands on"
    before = "the strides that count are those before a layer"
    name_slips(
        torch.tensor(got, dtype=torch.float64),
        lambda **slips: _fields(nets, **slips),
        {
            "reach": {
                "your dilation does nothing: the taps of a dilated kernel lie that many places "
                "apart": lambda k, _: k - 1,
                f"you add the kernel's size; {reaches}": lambda k, d: k * d,
                f"you take one off the size times the dilation; {reaches}, each of them dilated": (
                    lambda k, d: k * d - 1
                ),
                f"you add the kernel's size with its gaps; {reaches}": (
                    lambda k, d: (k - 1) * d + 1
                ),
                "you add the dilation to the reach; each of the k - 1 steps between taps is as "
                "long as the dilation": lambda k, d: k - 1 + d - 1,
                "your taps lie one place too far apart: a dilation of 1 is none": (
                    lambda k, d: (k - 1) * (d + 1)
                ),
                "you count half a kernel; the field goes to both sides": lambda k, d: k // 2 * d,
                "you go half a kernel to both sides, as if each had a middle; with 4 taps, 3 steps "
                "lie between the first and the last": lambda k, d: k // 2 * 2 * d,
                f"you add one place more than the kernel has; {reaches}": lambda k, d: (k + 1) * d,
                "you divide by the dilation; it sets the taps further apart": (
                    lambda k, d: (k - 1) / d
                ),
                "you divide by the dilation, and cut off; it sets the taps further apart": (
                    lambda k, d: (k - 1) // d
                ),
                "you count half a layer's reach; the field goes to both sides": (
                    lambda k, d: (k - 1) * d // 2
                ),
            },
            "steps": {
                "your strides do nothing: behind a stride of 2, one place is two pixels wide": (
                    lambda net: [1] * len(net)
                ),
                "a layer's own stride counts for the layers behind it, and not for its own reach": (
                    lambda net: [math.prod(s for _, s, _ in net[: i + 1]) for i in range(len(net))]
                ),
                "you went from the last layer to the first with a formula that goes the other "
                f"way: {before}": (
                    lambda net: [math.prod(s for _, s, _ in net[i + 1 :]) for i in range(len(net))]
                ),
                f"you multiply by the strides of a layer and of those behind it; {before}": (
                    lambda net: [math.prod(s for _, s, _ in net[i:]) for i in range(len(net))]
                ),
                "you multiply by a layer's own stride alone; it is those of all layers before it "
                "that count": lambda net: [s for _, s, _ in net],
                "you multiply by the stride of the one layer before; those of all layers before "
                "it count, multiplied": lambda net: [1, *(s for _, s, _ in net[:-1])],
                "you add the strides before a layer to one; they multiply": (
                    lambda net: [1 + sum(s for _, s, _ in net[:i]) for i in range(len(net))]
                ),
                "you add the strides before a layer; they multiply": (
                    lambda net: [1, *itertools.accumulate(s for _, s, _ in net[:-1])]
                ),
                "you divide by the strides; behind a stride of 2, one place is two pixels wide": (
                    lambda net: [1 / step for step in _before(net)]
                ),
                f"you multiply every reach by all strides; {before}": (
                    lambda net: [math.prod(s for _, s, _ in net)] * len(net)
                ),
                "your dilation spreads to the layers behind it; unlike a stride, it makes no "
                "layer's map smaller": (
                    lambda net: [math.prod(s * d for _, s, d in net[:i]) for i in range(len(net))]
                ),
            },
            "start": {
                "you start at 0: a net without layers sees the one pixel it stands on": 0,
                "you start at 2: a net without layers sees the one pixel it stands on": 2,
            },
            "end": {
                "you counted pixels of an area; one side is asked for": lambda seen: seen**2,
                "you counted how far it sees to one side; the field goes to both": (
                    lambda seen: seen // 2
                ),
                "you counted how far it sees to one side, with the middle; the field goes to "
                "both": lambda seen: (seen + 1) // 2,
            },
            "layers": {
                "the last layer is missing in yours": lambda net: net[:-1],
                "the first layer is missing in yours; its own stride is none of its reach, and "
                "its kernel counts": lambda net: net[1:],
                "you return what the first layer sees: does the return stand in the loop?": (
                    lambda net: net[:1]
                ),
                "you return what the last layer sees of the map before it; go on to the pixels": (
                    lambda net: net[-1:]
                ),
                "you take the second number for the dilation and the third for the stride; it is "
                "(kernel, stride, dilation)": lambda net: [(k, d, s) for k, s, d in net],
            },
            "whole": {
                "you return how wide a place of the last map is, all strides multiplied; the field "
                "is how far it sees": lambda net: math.prod(s for _, s, _ in net),
                "you multiply the layers' fields; their reaches add, in steps as wide as all "
                "strides before it make them": lambda net: math.prod(
                    ((k - 1) * d + 1) * s for k, s, d in net
                ),
                "you multiply what each layer sees of the map before it; reaches add": (
                    lambda net: math.prod((k - 1) * d + 1 for k, _, d in net)
                ),
                "you multiply the kernels' sizes; reaches add": (
                    lambda net: math.prod(k for k, _, _ in net)
                ),
                "you return the reach of the layer that sees furthest; those of all layers add": (
                    lambda net: (
                        1
                        + max(
                            (k - 1) * d * step
                            for (k, _, d), step in zip(net, _before(net), strict=True)
                        )
                    )
                ),
                "you multiplied the reaches; they add": _product,
                "you left out the pixels between the taps of dilated kernels; the field reaches "
                "from the first pixel to the last": _touched,
                f"you sum the kernels' sizes; {reaches}, in places as wide as all strides before "
                "it make them": lambda net: sum(k for k, _, _ in net),
                "going back, you multiply all places by the stride; r places have r - 1 steps "
                "between them": _places_for_steps,
                "you return the last layer's reach alone; those of all layers add": (
                    lambda net: 1 + (net[-1][0] - 1) * net[-1][2] * _before(net)[-1]
                ),
            },
        },
        torch.equal,
    )


_GROWING: dict[str, Layers] = {
    "one layer without stride and dilation": [(3, 1, 1)],
    "one layer with a stride, which counts for the layers behind it alone": [(3, 2, 1)],
    "one dilated layer": [(4, 1, 3)],
    "two layers without strides": [(3, 1, 1), (4, 1, 1)],
    "two layers, of which the second has a stride": [(3, 1, 1), (4, 2, 1)],
    "two layers, of which the first has a stride": [(3, 3, 1), (4, 1, 1)],
    "two layers, of which the first is dilated": [(3, 1, 3), (4, 1, 1)],
    "three layers, of which two have strides": [(3, 2, 1), (3, 3, 1), (3, 1, 1)],
}


def name_first_wrong(receptive_field: Callable[[Layers], float]) -> None:
    """Name the smallest net whose field is wrong.

    Args:
        receptive_field: the learner's.

    Raises:
        Mistake: naming what is wrong first, and what is right until there.
    """
    fine: list[str] = []
    for what, net in _GROWING.items():
        if (got := receptive_field(net)) != field(net):
            so_far = f"is right for {fine[-1]}, and " if fine else ""
            raise Mistake(
                f"yours {so_far}goes wrong with {what}: for {[*net]} you return {got:g}, and "
                f"{field(net)} is right"
            )
        fine.append(what.partition(",")[0] if what.startswith("one layer with a") else what)


def _places_for_steps(net: Layers) -> int:
    """From the last layer back, with as many steps as places."""
    seen = 1
    for kernel, stride, dilation in reversed(net):
        seen = seen * stride + (kernel - 1) * dilation
    return seen


def _product(net: Layers) -> int:
    """All reaches multiplied."""
    seen, step = 1, 1
    for kernel, stride, dilation in net:
        seen *= 1 + (kernel - 1) * dilation * step
        step *= stride
    return seen


def _touched(net: Layers) -> int:
    """How many pixels a number of the last layer touches, without the gaps between them."""
    offsets, step = {0}, 1
    for kernel, stride, dilation in net:
        offsets = {o + tap * dilation * step for o in offsets for tap in range(kernel)}
        step *= stride
    return len(offsets)
