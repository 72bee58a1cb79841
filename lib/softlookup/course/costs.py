"""What a computation costs: memory in use and multiplications, counted, and CPU time.

A time tells what this processor did today; a count tells what any processor has to do, and is
the same tomorrow. The chapter on the quadratic wall uses both, and the race of architectures in
``open_runs`` the count.
"""

import math
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


def _fused_forward(
    query: torch.Size, key: torch.Size, value: torch.Size, *_: object, **__: object
) -> int:
    """FLOPs of attention in one kernel: the scores, then the averages of the values."""
    # Grouped heads: each head of the queries is multiplied, however many share a head of keys.
    scores = math.prod(query[:-1]) * key[-2]
    return 2 * scores * (query[-1] + value[-1])


def _fused_backward(
    gradient: torch.Size,
    query: torch.Size,
    key: torch.Size,
    value: torch.Size,
    *_: object,
    **__: object,
) -> int:
    """FLOPs of its backward pass: scores anew, gradients of weights, values, query and key."""
    scores = math.prod(query[:-1]) * key[-2]
    return 2 * scores * (3 * query[-1] + 2 * value[-1])


# torch has formulas for the kernels of GPUs and none for that of CPUs, as of 2.13.
_FUSED_ON_CPU = {
    torch.ops.aten._scaled_dot_product_flash_attention_for_cpu: _fused_forward,
    torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward: _fused_backward,
}


def multiplications(function: Callable[[], object]) -> int:
    """The multiplications in all matrix products and convolutions of a computation.

    Counted are the operations that the computation calls, so attention is counted in whichever
    form it is computed. For ``n`` queries and ``m`` keys of width ``d``, a head takes ``2nmd``
    forwards in every form. Backwards it takes ``4nmd`` where the weights were kept, as in
    ``attention`` and in torch's unfused fallback. The fused kernel takes ``5nmd``: it keeps no
    weights and computes the scores anew.

    Causal attention counts the full square, masked scores included. ``attention`` computes it,
    and so does the fused kernel on a CPU: it works in blocks of 512 keys and leaves out only
    blocks that lie wholly in the future. Up to 512 tokens the count is exact, beyond that it is
    an upper bound.

    Not counted are element-wise work (softmax's exponentials, norms, gates), Fourier transforms,
    products with a tensor of one dimension, and kernels that nobody has a formula for, such as
    that of torch's ``nn.LSTM``.

    Args:
        function: the computation, without arguments.

    Source: torch.utils.flop_counter, whose number is halved because it counts an addition with
    each multiplication; Dao et al. 2022, algorithm 4, for the products of the backward pass.
    """
    with FlopCounterMode(display=False, custom_mapping=_FUSED_ON_CPU) as counter:
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
