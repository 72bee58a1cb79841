"""What every kind of parallelism trains here, so that their results can be compared.

Each kind stands in a file of its own and must reach the weights that ``train_alone`` reaches in one
process.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import torch
import torch.distributed as dist
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.distributed.tensor import DTensor

from softlookup.models.llama import Llama, LlamaConfig
from softlookup.parallel.memory import Held, held, most_kept_while
from softlookup.parallel.traffic import bytes_sent

Weights = dict[str, Tensor]
Result = TypeVar("Result")


@dataclass(frozen=True)
class Training:
    """A training of a model from its first draw.

    Attributes:
        config: the model's sizes.
        given: what it reads, a batch a step.
        following: the next tokens, which it should predict.
        learning_rate: of AdamW, without decay of the weights.
        seed: of the weights' first draw.
        dtype: of the weights. In float64 two orders of addition differ by next to nothing.
    """

    config: LlamaConfig
    given: Int[Tensor, "steps batch length"]
    following: Int[Tensor, "steps batch length"]
    learning_rate: float
    seed: int = 0
    dtype: torch.dtype = torch.float64

    def __post_init__(self) -> None:
        """Refuse tokens of which the next ones are not known."""
        if self.given.shape != self.following.shape or self.given.dim() != 3:
            raise ValueError(
                f"given has shape {tuple(self.given.shape)} and following has "
                f"{tuple(self.following.shape)}; expected (steps, batch, length) of both"
            )

    def first_steps(self, steps: int) -> "Training":
        """The same training, ended after so many steps."""
        return replace(self, given=self.given[:steps], following=self.following[:steps])

    def after(self, steps: int) -> "Training":
        """The batches that come after so many steps, for a model that has taken them."""
        return replace(self, given=self.given[steps:], following=self.following[steps:])


@dataclass(frozen=True)
class Outcome:
    """What a worker has after a training.

    Attributes:
        losses: at each step, the mean loss of the whole batch, in nats.
        weights: those of the whole model, by their names in ``Llama``.
        held: the bytes that this worker keeps from step to step.
        sent: the bytes that this worker sent in the last step; 0 in a process that is alone.
    """

    losses: list[float]
    weights: Weights
    held: Held
    sent: int


def make_model(training: Training) -> Llama:
    """The model before its first step: the same weights in every process."""
    # A process of workers has no other randomness than this.
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(training.seed)
        return Llama(training.config).to(training.dtype)


def make_optimizer(parameters: Iterable[nn.Parameter], training: Training) -> torch.optim.AdamW:
    """AdamW, one parameter after the other: whole and sharded ones cannot share a kernel."""
    return torch.optim.AdamW(parameters, lr=training.learning_rate, weight_decay=0.0, foreach=False)


def next_token(
    logits: Float[Tensor, "batch length vocab_size"], following: Int[Tensor, "batch length"]
) -> Float[Tensor, ""]:
    """The mean cross-entropy of the next tokens, in nats."""
    return F.cross_entropy(logits.flatten(0, 1), following.flatten())


def whole_batch(batch: Int[Tensor, "batch length"]) -> Int[Tensor, "batch length"]:
    """All of it: what a worker reads that shares the model and not the data."""
    return batch


def take_steps(
    model: Callable[[Tensor], Tensor],
    optimizer: torch.optim.Optimizer,
    training: Training,
    share: Callable[[Tensor], Tensor] = whole_batch,
    after_backward: Callable[[], None] = lambda: None,
) -> tuple[list[float], int]:
    """Train, one step a batch.

    Args:
        model: from tokens to logits.
        optimizer: of the model's parameters.
        training: the batches.
        share: which of a batch's rows this worker reads.
        after_backward: what is done with the gradients before the step.

    Returns:
        The losses of this worker's share, and the bytes that it sent in the last step.
    """
    losses, before = [], 0
    for given, following in zip(training.given, training.following, strict=True):
        before = bytes_sent()  # so that the last step's can be told
        loss = next_token(model(share(given)), share(following))
        optimizer.zero_grad()
        loss.backward()
        after_backward()  # here data parallelism averages the gradients
        optimizer.step()
        losses.append(loss.item())
    return losses, bytes_sent() - before


def train_alone(training: Training) -> Outcome:
    """The training in one process, which needs no group: what all others are compared with."""
    model = make_model(training)
    optimizer = make_optimizer(model.parameters(), training)
    losses, _ = take_steps(model, optimizer, training)
    return Outcome(losses, whole_weights(model), held(model, optimizer), 0)


def whole_weights(model: nn.Module) -> Weights:
    """The weights of a model, each put together again from the shards of all workers."""
    return {
        name: (weight.full_tensor() if isinstance(weight, DTensor) else weight).detach()
        for name, weight in model.named_parameters()
    }


def mean_of_workers(losses: list[float]) -> list[float]:
    """The mean over all workers of the losses of their shares, at each step."""
    mean = torch.tensor(losses, dtype=torch.float64)
    dist.all_reduce(mean)
    return (mean / dist.get_world_size()).tolist()


def farthest(one: Weights, other: Weights) -> float:
    """The greatest difference between two models' weights.

    Raises:
        ValueError: if they have other names or shapes.
    """
    if {name: w.shape for name, w in one.items()} != {name: w.shape for name, w in other.items()}:
        raise ValueError(
            f"one has the weights {sorted(one)} and the other {sorted(other)}; expected the same "
            "names and shapes"
        )
    return max(float((one[name] - other[name]).abs().max()) for name in one)


def in_turn(kinds: Sequence[Callable[[Training], Result]], training: Training) -> list[Result]:
    """What several kinds of training give in the same workers, one after the other."""
    return [kind(training) for kind in kinds]


def kept_in_turn(kinds: Sequence[Callable[[Training], object]], training: Training) -> list[int]:
    """The most bytes that this worker keeps for its backward passes in each of several kinds."""
    return [most_kept_while(partial(kind, training)) for kind in kinds]


def each_in_turn(
    kinds: Sequence[Callable[[Training], Result]], courses: Sequence[Training]
) -> list[list[Result]]:
    """For each of several trainings, what ``in_turn`` gives: one start of the workers for all."""
    return [in_turn(kinds, training) for training in courses]
