"""The reach of a gradient: the first network of each kind of the chapter on recurrence."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from softlookup.layers.attention import attention
from softlookup.layers.recurrent import LSTMCell, RNNCell
from torch import Tensor, nn

from live_figures import chapter, files

# The cells that tell what is left after a hundred steps: of the RNN's gradient, and of the others'.
OF_THE_RNN = "5714fc9c"
OF_THE_OTHERS = "64cb1449"
# What the chapter trains before, and tells of it; the gradients do not depend on it.
TRAINING = tuple(f"a1d0c0{number}" for number in ("06", "07", "08", "09", "10", "12", "13"))
SEED = 0
GAINS = (0.5, 0.8, 1.0, 1.5, 2.0, 2.5)
BIASES = (-2.0, 0.0, 1.0, 3.0, 5.0)
Lengths = list[float]


def rounded(tensor: Tensor) -> Tensor:
    """The numbers as they travel, in double precision."""
    return tensor.half().double()


def drawn(names: dict[str, Any]) -> tuple[dict[str, Tensor], dict[str, nn.Module]]:
    """What the chapter draws for its first networks, in the chapter's order, not yet rounded."""
    width = names["WIDTH"]
    tokens, direction = names["draw_task"](SEED)
    rnn = RNNCell(width, width).double()
    nn.init.normal_(rnn.input_projection.weight, std=1 / math.sqrt(width))
    nn.init.normal_(rnn.state_projection.weight, std=1 / math.sqrt(width))
    names["draw_task"](SEED)
    lstm = LSTMCell(width, width).double()
    names["draw_task"](SEED)
    looks = torch.randn(3, width, width, dtype=torch.float64) / math.sqrt(width)
    others = {"tokens": tokens[:, 0], "direction": direction}
    others |= dict(zip(("query", "key", "value"), looks, strict=True))
    return others, {"rnn": rnn, "lstm": lstm}


def measures(
    names: dict[str, Any], others: dict[str, Tensor], cells: dict[str, nn.Module]
) -> tuple[Callable[..., tuple[Lengths, float]], Callable[[float], Lengths], Lengths]:
    """The chapter's measurement on given numbers: of the RNN, of the LSTM and of attention."""
    gradient_by_lag = names["gradient_by_lag"]
    tokens, direction = others["tokens"][:, None], others["direction"]
    zeros = torch.zeros(1, direction.numel(), dtype=torch.float64)

    def of_rnn(gain: float, tanh: bool = True) -> tuple[Lengths, float]:
        cell = cells["rnn"]

        def step(token: Tensor, state: tuple[Tensor, ...]) -> tuple[Tensor]:
            carried = nn.functional.linear(state[0], gain * cell.state_projection.weight)
            sum_ = cell.input_projection(token) + carried + cell.state_projection.bias
            return (torch.tanh(sum_) if tanh else sum_,)

        lengths, states = gradient_by_lag(step, (zeros,), tokens, direction)
        slopes = 1 - torch.cat(states[10:]).detach() ** 2 if tanh else torch.ones(1)
        return lengths, (gain * slopes.square().mean().sqrt()).item()

    def of_lstm(bias: float) -> Lengths:
        cell = cells["lstm"]
        width = direction.numel()
        forget = torch.zeros(4 * width, dtype=torch.float64)
        forget[width : 2 * width] = bias
        before = cell.input_projection.bias.detach().clone()
        with torch.no_grad():
            cell.input_projection.bias += forget
        lengths = gradient_by_lag(
            lambda token, state: cell(token, *state), (zeros, zeros), tokens, direction
        )[0]
        with torch.no_grad():
            cell.input_projection.bias.copy_(before)
        return lengths

    x = others["tokens"].clone().requires_grad_()
    shown, _ = attention(x @ others["query"], x @ others["key"], x @ others["value"])
    (shown[-1] @ direction).backward()
    return of_rnn, of_lstm, x.grad.norm(dim=-1).flip(0).tolist()


def same_as_the_chapter(names: dict[str, Any]) -> None:
    """Hold what is drawn here, before it is rounded, to the chapter's own runs.

    Raises:
        ValueError: if they differ.
    """
    of_rnn, of_lstm, looked = measures(names, *drawn(names))
    pairs = [
        (of_rnn(0.8)[0], names["runs"]["RNN, gain 0.8"][SEED]),
        (of_lstm(3.0), names["runs"]["LSTM, forget bias 3"][SEED]),
        (looked, names["runs"]["attention"][SEED]),
    ]
    if not all(np.allclose(np.log(ours), np.log(theirs), atol=1e-6) for ours, theirs in pairs):
        raise ValueError("the networks drawn here are not the chapter's")


def export() -> list[Path]:
    """Run the chapter up to its gradients, and write what the figure needs."""
    ran = chapter.run("01_rnn_limits", until=OF_THE_OTHERS, skip=TRAINING)
    ran.agree(OF_THE_RNN)
    ran.agree(OF_THE_OTHERS)
    same_as_the_chapter(ran.names)
    others, cells = drawn(ran.names)
    others = {name: rounded(each) for name, each in others.items()}
    for cell in cells.values():
        for parameter in cell.parameters():
            parameter.data = rounded(parameter.data)
    of_rnn, of_lstm, looked = measures(ran.names, others, cells)
    rnns = []
    for gain in GAINS:
        for tanh in (True, False):
            lengths, formula = of_rnn(gain, tanh)
            case = {"gain": gain, "tanh": tanh, "lengths": np.log10(lengths).tolist()}
            case |= {"formula": formula, "factor": 10 ** ran.names["rate_of"](lengths)}
            rnns.append(case)
    lstms = []
    for bias in BIASES:
        lengths = of_lstm(bias)
        case = {"bias": bias, "lengths": np.log10(lengths).tolist()}
        lstms.append(case | {"factor": 10 ** ran.names["rate_of"](lengths)})
    tensors = dict(others)
    for name, cell in cells.items():
        tensors |= {f"{name}.{key}": each for key, each in cell.state_dict().items()}
    expected = {"rnn": rnns, "lstm": lstms, "attention": np.log10(looked).tolist()}
    return [
        files.write_weights("gradient-reach", {"lags": ran.names["LAGS"]}, tensors),
        files.write_expected("gradient-reach", expected),
    ]
