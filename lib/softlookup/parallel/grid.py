"""Two kinds at once: a grid of workers, data parallel from row to row and tensor parallel within.

The workers of a row share one copy of the model, cut by its matrix products, and read one part of
the batch. The workers of a column hold the same part of the model, and average its gradients.
"""

import torch
import torch.distributed as dist
from jaxtyping import Int
from torch import Tensor, nn
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh
from torch.distributed.tensor import DTensor

from softlookup.parallel.memory import held
from softlookup.parallel.tensor_parallel import cut
from softlookup.parallel.trainings import (
    Outcome,
    Training,
    make_model,
    make_optimizer,
    mean_of_workers,
    take_steps,
    whole_weights,
)


def average_along(model: nn.Module, mesh: DeviceMesh, axis: str) -> None:
    """Replace what this worker holds of each gradient by the mean along an axis of the mesh.

    All go in one message: that is what torch's wrapper calls a bucket.
    """
    gradients = [_local(each.grad) for each in model.parameters() if each.grad is not None]
    bucket = torch.cat([each.flatten() for each in gradients])
    dist.all_reduce(bucket, group=mesh.get_group(axis))
    bucket /= mesh[axis].size()
    for gradient, mean in zip(gradients, bucket.split([g.numel() for g in gradients]), strict=True):
        gradient.copy_(mean.view_as(gradient))


def share_of_row(
    batch: Int[Tensor, "batch length"], rows: int, row: int
) -> Int[Tensor, "share length"]:
    """What a row of the grid reads of a batch.

    Raises:
        ValueError: if the grid's rows do not divide the batch.
    """
    if len(batch) % rows:
        raise ValueError(
            f"the batch has {len(batch)} rows and the grid {rows}; expected that these divide it"
        )
    return batch.chunk(rows)[row]


def grid(training: Training, data: int, tensor: int) -> Outcome:
    """A training on ``data`` times ``tensor`` workers.

    Args:
        training: what is trained.
        data: how many rows share each batch.
        tensor: how many workers a row has, which cut the products.

    Source: Narayanan et al. 2021, section 3, without the pipeline.
    """
    mesh = init_device_mesh("cpu", (data, tensor), mesh_dim_names=("data", "tensor"))
    model = make_model(training)
    cut(model, mesh["tensor"])
    optimizer = make_optimizer(model.parameters(), training)
    losses, sent = take_steps(
        model,
        optimizer,
        training,
        lambda batch: share_of_row(batch, data, mesh.get_local_rank("data")),
        lambda: average_along(model, mesh, "data"),
    )
    return Outcome(mean_of_workers(losses), whole_weights(model), held(model, optimizer), sent)


def _local(tensor: Tensor) -> Tensor:
    return tensor.to_local() if isinstance(tensor, DTensor) else tensor
