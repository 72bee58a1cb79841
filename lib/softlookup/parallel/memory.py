"""What a worker holds of a model in training: bytes counted, and the formula to hold them against.

The weights are the smallest part of it. What stays from step to step is counted by ``held``, what a
forward pass leaves behind for its backward pass by ``kept_for_backward``, and the most of that at
one time in a whole training by ``most_kept_while``. The chapter on training past one machine counts
all three.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.autograd.graph import saved_tensors_hooks
from torch.distributed.tensor import DTensor


@dataclass(frozen=True)
class Held:
    """Bytes that a process keeps from step to step; activations come and go, and do not count.

    Attributes:
        parameters: of the weights.
        gradients: of their gradients.
        optimizer: of what the optimiser remembers of each weight.
    """

    parameters: int
    gradients: int
    optimizer: int

    @property
    def total(self) -> int:
        """All three together."""
        return self.parameters + self.gradients + self.optimizer


def held(model: nn.Module, optimizer: torch.optim.Optimizer) -> Held:
    """Count what this process holds, of a sharded tensor its own shard.

    Args:
        model: after a backward pass whose gradients are still there.
        optimizer: of the model's parameters, after a step.
    """
    parameters = list(model.parameters())
    # One number a tensor is the count of steps.
    remembered = [
        value
        for state in optimizer.state.values()
        for value in state.values()
        if isinstance(value, Tensor) and value.dim() > 0
    ]
    return Held(
        _bytes(parameters),
        _bytes(each.grad for each in parameters if each.grad is not None),
        _bytes(remembered),
    )


def training_bytes(parameters: float, dtype: torch.dtype = torch.float32) -> float:
    """The bytes of a training by Adam: weights, gradients and two averages, all of one type.

    Args:
        parameters: how many the model has.
        dtype: of all four.

    Source: Rajbhandari et al. 2020 (ZeRO), section 3.1. Its mixed precision comes to the same 16
        bytes: 2 and 2 for weights and gradients, and 12 for a weight and two averages in float32.
    """
    return 4.0 * parameters * dtype.itemsize


def kept_for_backward(model: nn.Module, compute: Callable[[], Tensor]) -> int:
    """The bytes that a forward pass keeps for its backward pass: the activations.

    What several operations keep counts once, and weights do not count.

    Args:
        model: whose weights are left out.
        compute: runs the forward pass and returns what a backward pass would begin at.
    """
    weights = {each.untyped_storage().data_ptr() for each in model.parameters()}
    # The storages themselves, so that none is freed and its address used again meanwhile.
    kept: dict[int, torch.UntypedStorage] = {}

    def note(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in weights:
            kept[storage.data_ptr()] = storage
        return tensor

    with saved_tensors_hooks(note, lambda tensor: tensor):
        compute()
    return sum(storage.nbytes() for storage in kept.values())


def most_kept_while(run: Callable[[], object]) -> int:
    """The most bytes kept at one time for backward passes, of all that begin while something runs.

    As ``kept_for_backward`` counts, but what a backward pass has used is no longer kept; and of a
    distributed tensor this process's own part counts.

    Args:
        run: trains, for as many steps as it likes.
    """
    books = _Books()

    def note(tensor: Tensor) -> Tensor | _Note:
        base = tensor if tensor._base is None else tensor._base
        return tensor if isinstance(base, nn.Parameter) else _Note(tensor, books)

    with saved_tensors_hooks(note, lambda kept: kept.tensor if isinstance(kept, _Note) else kept):
        run()
    return books.most


class _Books:
    """How many notes there are on each storage, and how many bytes these storages have."""

    def __init__(self) -> None:
        self.notes: Counter[int] = Counter()
        self.now = self.most = 0

    def add(self, storage: int, size: int) -> None:
        if not self.notes[storage]:
            self.now += size
        self.notes[storage] += 1
        self.most = max(self.most, self.now)

    def remove(self, storage: int, size: int) -> None:
        self.notes[storage] -= 1
        if not self.notes[storage]:
            self.now -= size


class _Note:
    """A tensor kept for a backward pass; when that is done, the note is dropped."""

    def __init__(self, tensor: Tensor, books: _Books) -> None:
        # Detached, or an operation that keeps its own result would keep itself for ever.
        self.tensor = tensor.detach()
        local = self.tensor.to_local() if isinstance(self.tensor, DTensor) else self.tensor
        storage = local.untyped_storage()
        self.storage, self.size, self.books = storage.data_ptr(), storage.nbytes(), books
        books.add(self.storage, self.size)

    def __del__(self) -> None:
        self.books.remove(self.storage, self.size)


def _bytes(tensors: Iterable[Tensor]) -> int:
    local = (each.to_local() if isinstance(each, DTensor) else each for each in tensors)
    return sum(each.numel() * each.itemsize for each in local)
