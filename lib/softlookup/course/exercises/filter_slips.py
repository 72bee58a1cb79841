"""What goes wrong where the filter of a convolution is to belong to its layer, not to its text.

The chapter on the quadratic wall has it repaired.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from softlookup.alternatives.hyena import fft_convolution
from softlookup.course.exercises.probes import same
from softlookup.course.exercises.slips import name_slips
from softlookup.course.exercises.verdict import Mistake


def filter_over(t: Tensor, fading: float, network: Callable[[Tensor], Tensor]) -> Tensor:
    """What the chapter's implicit filter weighs a lag with, at the lag's place t."""
    return torch.exp(-fading * t) * network(t)


def name_fixed_filter(
    got: Tensor, x: Tensor, network: Callable[[Tensor], Tensor], fading: float, max_length: int
) -> None:
    """Name what is wrong with a convolution whose filter is to belong to the layer.

    Args:
        got: the learner's, (texts, length).
        x: what is convolved, of the same shape.
        network: what the filter is made by, a function of the place t.
        fading: how fast it fades.
        max_length: the lag at which t would be 1.

    Raises:
        Mistake: with the words for the part that is wrong.
    """
    length = x.size(-1)
    lags = torch.arange(length, dtype=x.dtype)
    fixed, stretched = lags / max_length, torch.linspace(0, 1, length, dtype=x.dtype)

    def in_circle(x: Tensor, h: Tensor, size: int) -> Tensor:
        product = torch.fft.rfft(x, n=size) * torch.fft.rfft(h, n=size)
        return torch.fft.irfft(product, n=size)[..., :length]

    def second_half(x: Tensor, h: Tensor) -> Tensor:
        product = torch.fft.rfft(x, n=2 * length) * torch.fft.rfft(h, n=2 * length)
        return torch.fft.irfft(product, n=2 * length)[..., length:]

    whole = filter_over(torch.arange(max_length, dtype=x.dtype) / max_length, fading, network)

    def convolution(
        t: Tensor = fixed,
        read: Tensor | None = None,
        faded: Tensor | None = None,
        shaped: Callable[[Tensor], Tensor] = lambda h: h,
        convolved: Callable[[Tensor, Tensor], Tensor] = fft_convolution,
    ) -> Tensor:
        fade = torch.exp(-fading * (t if faded is None else faded))
        return convolved(x, shaped(fade * network(t if read is None else read)))

    to_one = "the lag over max_length is asked for, so that 1 is never reached"
    name_slips(
        got,
        convolution,
        {
            "t": {
                "this is `broken` as it was: t runs from 0 to 1 over each text": stretched,
                "your t is still a share of the text's length: the same lag has another weight in "
                "a longer text": lags / length,
                "your t counts the lags themselves; the network knows them as shares of "
                "max_length": lags,
                f"your t is the lag over max_length - 1; {to_one}": lags / (max_length - 1),
                "your t reaches its end, the text's length over max_length, at the last lag: "
                "linspace has both ends in it, so its steps still depend on the text's length": (
                    stretched * length / max_length
                ),
                "your t runs to one half over each text: it is still stretched to the text": (
                    torch.linspace(0, 1, 2 * length, dtype=x.dtype)[:length]
                ),
                "your filter begins at the lag 1: a token's distance from itself is 0": (
                    (lags + 1) / max_length
                ),
                "you take the last places of the layer's filter; a short text needs the first, "
                "from the lag 0 on": (lags + max_length - length) / max_length,
                "you take the last places of the layer's filter, and divide by max_length - 1; a "
                "short text needs the first, from the lag 0 on": (
                    (lags + max_length - length) / (max_length - 1)
                ),
                "your t runs backwards: at the lag 0 it should be 0": 1 - fixed,
                "your t is 0 at every lag: is it divided with // ?": 0 * lags,
            },
            "read": {
                "your network still reads the stretched t; only the fading is repaired": stretched,
                "your network reads the lags themselves; only the fading is repaired": lags,
            },
            "faded": {
                "your fading is still stretched to the text; only what the network reads is "
                "repaired": stretched,
                "your filter no longer fades; change nothing but t": 0 * lags,
                "your fading counts the lags themselves; only what the network reads is "
                "repaired": lags,
                "your filter grows with the lag; the fading has a minus": -fixed,
            },
            "shaped": {
                "your filter is turned round": lambda h: h.flip(0),
                "you divide the filter by its sum, which depends on the text's length; change "
                "nothing but t": lambda h: h / h.sum(),
                "you divide the filter by the sum of its sizes, which depends on the text's "
                "length; change nothing but t": lambda h: h / h.abs().sum(),
                "you divide the filter by its norm, which depends on the text's length; change "
                "nothing but t": lambda h: h / h.norm(),
                "you divide the filter by its largest weight; change nothing but t": (
                    lambda h: h / h.abs().max()
                ),
                "you multiply the filter by the text's length over max_length: its lags stay "
                "stretched, and t is what is to be repaired": lambda h: h * length / max_length,
            },
            "convolved": {
                "t is right, and the zeros are gone: the end of the text wraps round to its "
                "beginning": lambda x, h: in_circle(x, h, length),
                "t is right, and the zeros are too few: with max_length places in all, the end of "
                "a long text wraps round to its beginning": (
                    lambda x, h: in_circle(x, h, max(max_length, length))
                ),
                "t is right, and the circle is too small: with max_length places in all, the end "
                "of the layer's filter, which is longer than the text, wraps round to its "
                "beginning": (lambda x, _: in_circle(x, whole, max_length)),
                "t is right, and you return the second half of the product, where only the end of "
                "the convolution stands; its first n places are the outputs": (
                    lambda x, h: second_half(x, h)
                ),
                "t is right, and the text is read backwards; change nothing but t": (
                    lambda x, h: fft_convolution(x.flip(-1), h)
                ),
                "t is right, and the outputs are turned round; change nothing but t": (
                    lambda x, h: fft_convolution(x, h).flip(-1)
                ),
                "t is right, and an output reads what comes after it: the lag leads backwards, "
                "x at the place less the lag": (
                    lambda x, h: fft_convolution(x.flip(-1), h).flip(-1)
                ),
                "t is right, and x is added to the result; change nothing but t": (
                    lambda x, h: x + fft_convolution(x, h)
                ),
            },
        },
    )


def name_response(
    convolve: Callable[[Tensor], Tensor],
    network: Callable[[Tensor], Tensor],
    fading: float,
    length: int,
    max_length: int,
) -> None:
    """Name in which way a convolution is another one, by what it makes of a single token.

    Args:
        convolve: the learner's, from texts (texts, length) to outputs of that shape.
        network: what the filter is made by, a function of the place t.
        fading: how fast it fades.
        length: of the texts that are tried.
        max_length: the lag at which t would be 1.

    Raises:
        Mistake: if it is linear, and another one.
    """
    lags = torch.arange(length, dtype=torch.float64)
    right = filter_over(lags / max_length, fading, network)
    moved = convolve(torch.eye(length, dtype=torch.float64)).double()
    if moved.shape != (length, length) or not moved.isfinite().all():
        return
    there = f"in a text of {length} tokens your"
    later = moved.tril(-1).T.abs() > 1e-6
    if later.any():
        place, token = later.nonzero()[0].tolist()
        raise Mistake(
            f"{there} output at place {place} reads the token at place {token}, which comes after "
            "it: does the end wrap round to the beginning, or does the filter look ahead?"
        )
    for lag in range(length):
        weights = moved.diagonal(lag)
        if (weights - weights[0]).abs().max() > 1e-6:
            raise Mistake(
                f"{there} filter weighs the lag {lag} with {weights[0]:.4g} at the text's "
                f"beginning and with {weights[-1]:.4g} at its end; a filter has one for each "
                "lag"
            )
    weights = moved[0]
    if same(weights, weights[0] / right[0] * right):
        raise Mistake(
            f"{there} filter is {weights[0] / right[0]:.3g} times exp(-fading · t) · network(t); "
            "change nothing but t"
        )
    steps = torch.linspace(0, 2, 200_001, dtype=torch.float64)
    near = (filter_over(steps, fading, network) - weights[1]).abs().topk(8, largest=False).indices
    for step in steps[near].tolist():
        if same(filter_over(step * lags, fading, network), weights, atol=1e-3):
            raise Mistake(
                f"{there} t is {step:.4f} times the lag; 1 / max_length, here "
                f"{1 / max_length:.4f}, is right, whatever the text's length"
            )
    if (wrong := (weights - right).abs() > 1e-6).any():
        lag = int(wrong.nonzero()[0, 0])
        raise Mistake(
            f"{there} filter weighs the lag {lag} with {weights[lag]:.4g}, and exp(-fading · t) · "
            f"network(t) is {right[lag]:.4g} at t = {lag} / max_length: what has t become, or what "
            "else is done to the filter?"
        )
