"""The sum of all workers' tensors, round a ring: how an all-reduce sends so little.

Each worker sends to the next alone. In the first round trip each part of the tensor collects its
sum, and in the second each sum is handed to all. ``count_ways`` holds it against the naive way.
"""

import torch
import torch.distributed as dist
from jaxtyping import Float
from torch import Tensor

from softlookup.parallel.traffic import bytes_sent


def ring_all_reduce(tensor: Float[Tensor, " size"]) -> None:
    """Replace the tensor by the sum over all workers, in place.

    In round ``r`` worker ``n`` sends part ``n - r``. After p - 1 rounds it holds the whole sum of
    part ``n + 1``; in p - 1 rounds more the sums go round, and are copied instead of added.

    Source: Patarasuk and Yuan 2009, section 3.
    """
    rank, workers = dist.get_rank(), dist.get_world_size()
    parts = list(tensor.tensor_split(workers))
    for step in range(2 * (workers - 1)):
        sent = parts[(rank - step) % workers]
        target = parts[(rank - step - 1) % workers]
        received = torch.empty_like(target)
        sending = dist.isend(sent.clone(), (rank + 1) % workers)
        dist.recv(received, (rank - 1) % workers)
        if sending is not None:  # None outside the group
            sending.wait()
        if step < workers - 1:  # the first trip: the sums grow
            target += received
        else:  # the second: what is complete goes round
            target.copy_(received)


def naive_all_reduce(tensor: Float[Tensor, " size"]) -> None:
    """The same sum, and everyone sends the whole tensor to everyone."""
    gathered = [torch.empty_like(tensor) for _ in range(dist.get_world_size())]
    dist.all_gather(gathered, tensor)
    tensor.copy_(torch.stack(gathered).sum(dim=0))


def torch_all_reduce(tensor: Float[Tensor, " size"]) -> None:
    """The same sum by torch, which leaves the way to its backend."""
    dist.all_reduce(tensor)


def torch_reduce_scatter(tensor: Float[Tensor, " size"]) -> None:
    """Half of an all-reduce: this worker's part of the tensor becomes its sum, the rest stays.

    By gloo it sends as much as the whole: an all-reduce, of which a part is kept.

    Source: pull request 118911 of pytorch/pytorch.
    """
    part = torch.empty_like(tensor.tensor_split(dist.get_world_size())[0])
    dist.reduce_scatter_tensor(part, tensor)
    tensor.tensor_split(dist.get_world_size())[dist.get_rank()].copy_(part)


WAYS = {
    "ring by hand": ring_all_reduce,
    "torch's all-reduce": torch_all_reduce,
    "everyone to everyone": naive_all_reduce,
    "torch's reduce-scatter": torch_reduce_scatter,
}


def count_ways(size: int) -> dict[str, tuple[int, Tensor]]:
    """What this worker sends by each way, for a tensor of ``size`` float64 numbers.

    Args:
        size: how many numbers; the workers divide it.

    Returns:
        For each way the bytes sent, and the tensor afterwards. Worker n begins with the numbers
        n, n + 1, n + 2, and so on.

    Raises:
        ValueError: if the workers do not divide the size.
    """
    if size % dist.get_world_size():
        raise ValueError(
            f"size is {size} and there are {dist.get_world_size()} workers; expected that they "
            "divide it"
        )
    counted = {}
    for name, way in WAYS.items():
        tensor = torch.arange(size, dtype=torch.float64) + dist.get_rank()
        # Two workers that meet for the first time exchange greetings; they are not counted.
        way(tensor.clone())
        dist.barrier()
        before = bytes_sent()
        way(tensor)
        sent = bytes_sent() - before
        dist.barrier()
        counted[name] = sent, tensor
    return counted
