"""Training: one loop for every model of the course, and the schedules of its learning rate.

A model only computes; what it is trained on and for comes in as a stream of batches and a loss
function. Every chapter that trains a model does so with ``train``.
"""

import contextlib
import math
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import torch
from jaxtyping import Float
from torch import Tensor, nn
from tqdm import tqdm

Model = TypeVar("Model", bound=nn.Module)
Batch = TypeVar("Batch")

# From the step (0 is the first) and the number of steps to a factor for the learning rate.
Schedule = Callable[[int, int], float]


def constant(step: int, steps: int) -> float:
    """The same learning rate at every step."""
    return 1.0


def linear_decay(step: int, steps: int) -> float:
    """From the whole learning rate at the first step in a straight line towards zero."""
    return 1.0 - step / steps


def warmup_cosine(warmup_steps: int) -> Schedule:
    """Up in a straight line, then down to zero along half a cosine.

    Args:
        warmup_steps: after so many steps the learning rate is whole.

    Raises:
        ValueError: if there is not at least one step of warm-up; and from the schedule, if the
            warm-up takes all steps of the training.

    Source: Loshchilov and Hutter 2017, equation 5, without restarts.
    """
    _require_warmup(warmup_steps)

    def schedule(step: int, steps: int) -> float:
        if warmup_steps >= steps:
            raise ValueError(
                f"warmup_steps is {warmup_steps} and steps is {steps}; "
                "expected fewer steps of warm-up than of training"
            )
        if step < warmup_steps:
            return (step + 1) / warmup_steps
        return 0.5 * (1.0 + math.cos(math.pi * (step - warmup_steps) / (steps - warmup_steps)))

    return schedule


def inverse_square_root(warmup_steps: int, d_model: int) -> Schedule:
    """The 2017 schedule: up in a straight line, then down as one over the root of the step.

    It gives the learning rate itself and no share of one, so train with ``learning_rate=1.0``.

    Args:
        warmup_steps: after so many steps the learning rate is at its peak.
        d_model: the model's width; a wider model learns more slowly.

    Raises:
        ValueError: if either is not positive.

    Source: Vaswani et al. 2017, equation 3, which counts steps from 1.
    """
    _require_warmup(warmup_steps)
    if d_model < 1:
        raise ValueError(f"d_model is {d_model}; expected at least 1")

    def schedule(step: int, steps: int) -> float:
        return d_model**-0.5 * min((step + 1) ** -0.5, (step + 1) * warmup_steps**-1.5)

    return schedule


@dataclass(frozen=True)
class History:
    """What happened in training, a number for each step.

    Attributes:
        losses: the loss on the step's batch, before the step.
        learning_rates: the learning rate with which the step was taken.
        gradient_norms: the norm of all gradients together, before clipping.
    """

    losses: tuple[float, ...]
    learning_rates: tuple[float, ...]
    gradient_norms: tuple[float, ...]


def train(
    model: Model,
    loss: Callable[[Model, Batch], Float[Tensor, ""]],
    batches: Iterable[Batch],
    *,
    steps: int,
    learning_rate: float,
    schedule: Schedule = constant,
    clip: float | None = 1.0,
    weight_decay: float = 0.0,
    betas: tuple[float, float] = (0.9, 0.999),
    show_progress: bool = True,
) -> History:
    """Train the model in place with AdamW, one step a batch.

    Randomness comes in through the batches alone (and through dropout, if the model has it, which
    draws from torch's global generator), so a seeded stream gives the same history each time.
    The model is in training mode while it trains, and in evaluation mode afterwards: what
    follows training is measurement.

    In a notebook the progress bar takes away, at the end, all that its cell has shown so far;
    so print a cell's results after its last training, or set ``show_progress=False``.

    Args:
        model: the model, whose parameters change.
        loss: from the model and a batch to the number that is to become small.
        batches: at least as many batches as steps; may be endless.
        steps: how many steps to take.
        learning_rate: the learning rate that the schedule's factor multiplies.
        schedule: from a step (0 is the first) and the number of steps to that factor.
        clip: gradients whose common norm is above are scaled down to it; None leaves them.
        weight_decay: with 0 the optimiser is plain Adam.
        betas: the decay of the optimiser's two running averages.
        show_progress: show a bar while training; it leaves no trace.

    Raises:
        ValueError: if ``steps``, ``learning_rate`` or ``clip`` is not positive, the batches run
            out, or the loss is not a finite number.

    Source: Kingma and Ba 2015; Loshchilov and Hutter 2019 for the decay; Pascanu et al. 2013
        for clipping by the global norm.
    """
    if steps < 1:
        raise ValueError(f"steps is {steps}; expected at least 1")
    for name, given in (("learning_rate", learning_rate), ("clip", clip)):
        if given is not None and not given > 0:
            raise ValueError(f"{name} is {given}; expected a positive number")
    # Fused: torch updates all parameters in one kernel, which a small model notices most.
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=learning_rate, betas=betas, weight_decay=weight_decay, fused=True
    )
    losses: list[float] = []
    learning_rates: list[float] = []
    gradient_norms: list[float] = []
    stream = iter(batches)
    model.train()
    with _progress(steps, show_progress) as advance:
        for step in range(steps):
            try:
                batch = next(stream)
            except StopIteration:
                raise ValueError(
                    f"the batches ended after {step}; expected {steps}, one for each step"
                ) from None
            for group in optimizer.param_groups:
                group["lr"] = learning_rate * schedule(step, steps)
            value = loss(model, batch)
            losses.append(value.item())
            if not math.isfinite(losses[-1]):
                raise ValueError(
                    f"the loss is {losses[-1]} at step {step}; expected a finite number: "
                    "lower the learning rate, or look for a division by zero"
                )
            optimizer.zero_grad()
            value.backward()
            norm = nn.utils.clip_grad_norm_(model.parameters(), math.inf if clip is None else clip)
            optimizer.step()
            learning_rates.append(optimizer.param_groups[0]["lr"])
            gradient_norms.append(norm.item())
            advance(losses[-1])
    model.eval()
    return History(tuple(losses), tuple(learning_rates), tuple(gradient_norms))


@contextlib.contextmanager
def _progress(steps: int, shown: bool) -> Iterator[Callable[[float], None]]:
    """A bar that leaves no trace: neither in a stored notebook, nor in a log, nor on a screen.

    What it yields is to be called after each step, with the loss.

    A kernel stores every piece of what is written, a returned carriage too, so the bar is
    cleared there, and always: were it cleared only when it had been drawn, then what a notebook
    stores would depend on how fast the machine is.
    """
    in_kernel = _in_kernel()
    quiet = not shown or not (in_kernel or sys.stderr.isatty())
    bar = tqdm(
        total=steps, leave=False, disable=quiet, file=sys.stdout if in_kernel else sys.stderr
    )

    def advance(loss: float) -> None:
        bar.set_postfix_str(f"loss {loss:.3f}", refresh=False)
        bar.update()

    try:
        yield advance
    finally:
        bar.close()
        if in_kernel and shown:
            # Not imported above: outside a kernel the library does without IPython.
            from IPython.display import clear_output

            clear_output()


def _in_kernel() -> bool:
    """Whether a Jupyter kernel runs this, and not a terminal, IPython's own included."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return hasattr(shell, "kernel")


def _require_warmup(warmup_steps: int) -> None:
    if warmup_steps < 1:
        raise ValueError(f"warmup_steps is {warmup_steps}; expected at least 1")
