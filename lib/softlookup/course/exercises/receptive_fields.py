"""Receptive fields of stacks of convolutions, rightly and as likely mistakes would have them."""

from collections.abc import Sequence

# Kernel, stride and dilation of each layer, from the first to the last.
Layers = Sequence[tuple[int, int, int]]


def other_fields(nets: Sequence[Layers]) -> dict[str, list[int]]:
    """From what to say of a likely mistake to what it gives for each net."""
    return {
        "your dilation does nothing: the taps of a dilated kernel lie that many places apart": [
            field([(k, s, 1) for k, s, _ in net]) for net in nets
        ],
        "your strides do nothing: behind a stride of 2, one place is two pixels wide": [
            field([(k, 1, d) for k, _, d in net]) for net in nets
        ],
        "a layer's own stride counts for the layers behind it, and not for its own reach": [
            field(net, own=True) for net in nets
        ],
        "you went from the last layer to the first with a formula that goes the other way: the "
        "strides that count are those before a layer": [field([*net][::-1]) for net in nets],
        "you add the kernel's size; a kernel of k reaches k - 1 places beyond the one it "
        "stands on": [field([(k + 1, s, d) for k, s, d in net]) for net in nets],
        "you start at 0: a net without layers sees the one pixel it stands on": [
            field(net) - 1 for net in nets
        ],
        "your dilation spreads to the layers behind it; unlike a stride, it makes no layer's "
        "map smaller": [field(net, spreads=True) for net in nets],
        "you multiplied the reaches; they add": [_product(net) for net in nets],
        "you counted pixels of an area; one side is asked for": [field(net) ** 2 for net in nets],
        "you counted the pixels that are missed between the taps of dilated kernels out; the "
        "field is from the first pixel to the last": [_touched(net) for net in nets],
    }


def field(net: Layers, *, own: bool = False, spreads: bool = False) -> int:
    """The receptive field, or what it is with a stride or a dilation in the wrong place."""
    seen, step = 1, 1
    for kernel, stride, dilation in net:
        step *= stride if own else 1
        seen += (kernel - 1) * dilation * step
        step *= 1 if own else stride
        step *= dilation if spreads else 1
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
