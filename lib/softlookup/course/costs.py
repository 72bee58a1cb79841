"""What a computation costs: memory in use and multiplications, counted, and CPU time.

A time tells what this processor did today; a count tells what any processor has to do, and is
the same tomorrow. The chapter on the quadratic wall uses both.
"""

import time
import weakref
from collections.abc import Callable, Collection

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from torch.utils.flop_counter import FlopCounterMode
from torch.utils.weak import WeakIdKeyDictionary


class _AliveBytes(TorchDispatchMode):
    """Watches every operation, backward ones too, and keeps account of the storages they make."""

    def __init__(self) -> None:
        super().__init__()
        self.alive = 0
        self.peak = 0
        self._known: WeakIdKeyDictionary = WeakIdKeyDictionary()

    def __torch_dispatch__(
        self,
        func: Callable[..., object],
        types: Collection[type],
        args: tuple[object, ...] = (),
        kwargs: dict[str, object] | None = None,
    ) -> object:
        # What went in was there before: a view of it, or a change in place, is nothing new.
        for tensor in tree_leaves((args, kwargs)):
            if isinstance(tensor, Tensor) and tensor.untyped_storage() not in self._known:
                self._known[tensor.untyped_storage()] = 0
        result = func(*args, **(kwargs or {}))
        for tensor in tree_leaves(result):
            if isinstance(tensor, Tensor):
                self._add(tensor.untyped_storage())
        return result

    def _add(self, storage: torch.UntypedStorage) -> None:
        if storage in self._known:
            return
        size = storage.nbytes()
        self._known[storage] = size
        self.alive += size
        self.peak = max(self.peak, self.alive)
        weakref.finalize(storage, self._remove, size)

    def _remove(self, size: int) -> None:
        self.alive -= size


def peak_memory(function: Callable[[], object]) -> int:
    """The most bytes that the tensors made by a computation take at one time.

    Tensors that were there before are not counted. Neither is what a kernel, such as a Fourier
    transform, needs inside itself for the time that it runs.

    Args:
        function: the computation, without arguments; its result is alive until it ends.
    """
    with _AliveBytes() as watch:
        function()
    return watch.peak


def multiplications(function: Callable[[], object]) -> int:
    """The multiplications in all matrix products of a computation.

    torch counts an addition with each multiplication; half of its number is ours. It does not
    count element-wise work or Fourier transforms.
    """
    with FlopCounterMode(display=False) as counter:
        function()
    return counter.get_total_flops() // 2


def cpu_milliseconds(function: Callable[[], object], at_least: float = 60.0) -> float:
    """The least CPU time of several runs, after one to warm up, in milliseconds.

    The least and not the mean: what disturbs a run only ever adds to its time.

    Args:
        function: the computation, without arguments.
        at_least: runs go on until they took so many milliseconds in all, and are never fewer
            than five.
    """
    function()
    taken: list[float] = []
    while len(taken) < 5 or sum(taken) < at_least:
        start = time.process_time()
        function()
        taken.append(1e3 * (time.process_time() - start))
    return min(taken)
