"""Sharded data parallelism: each worker keeps a part of every weight, and borrows the others'.

Before a block computes, the workers gather its weights; after its backward pass each keeps the sum
of its own part's gradients. So weights, gradients and the optimiser's averages are all divided by
the number of workers, at the price of more bytes sent.
"""

import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

from softlookup.models.llama import Llama
from softlookup.parallel.data_parallel import own_share
from softlookup.parallel.memory import held
from softlookup.parallel.trainings import (
    Outcome,
    Training,
    make_model,
    make_optimizer,
    mean_of_workers,
    take_steps,
    whole_weights,
)


def shard(model: Llama, device: str = "cpu") -> None:
    """Shard a model in place over all workers, a block at a time, and what is left together.

    Args:
        model: the same in every worker.
        device: the kind of device that it lies on, ``"cpu"`` or ``"cuda"``.

    Source: Rajbhandari et al. 2020 (ZeRO), section 5.3; Zhao et al. 2023, section 3, for the units.
    """
    mesh = init_device_mesh(device, (dist.get_world_size(),))
    for block in model.stack.blocks:
        fully_shard(block, mesh=mesh)
    fully_shard(model, mesh=mesh)


def sharded(training: Training) -> Outcome:
    """A training whose weights, gradients and averages lie in parts on all workers."""
    model = make_model(training)
    shard(model)
    optimizer = make_optimizer(model.parameters(), training)
    losses, sent = take_steps(model, optimizer, training, own_share)
    keeps = held(model, optimizer)
    return Outcome(mean_of_workers(losses), whole_weights(model), keeps, sent)
