"""Tensor parallelism: each worker computes a part of every matrix product, on the whole batch.

The first matrix of a pair is cut by its outputs (whole heads, whole inner units) and the second by
its inputs. So nothing need be said between the two, and one sum follows: two all-reduces a block
forwards, and two backwards.
"""

import torch.distributed as dist
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh
from torch.distributed.tensor import Replicate
from torch.distributed.tensor.parallel import (
    ColwiseParallel,
    ParallelStyle,
    PrepareModuleInput,
    RowwiseParallel,
    parallelize_module,
)

from softlookup.layers.blocks import Block
from softlookup.layers.grouped_query import GroupedQueryAttention
from softlookup.models.llama import Llama
from softlookup.parallel.memory import held
from softlookup.parallel.trainings import (
    Outcome,
    Training,
    make_model,
    make_optimizer,
    take_steps,
    whole_weights,
)


def cut(model: Llama, mesh: DeviceMesh | None = None) -> None:
    """Cut the matrices of every block over workers, in place; tables and norms stay whole.

    Args:
        model: the same in every worker.
        mesh: the workers, in one dimension; None is all of them.

    Raises:
        ValueError: if the workers do not divide the heads of keys and values, or the inner width.

    Source: Shoeybi et al. 2019 (Megatron-LM), section 3.
    """
    workers = mesh.size() if mesh is not None else dist.get_world_size()
    config = model.config
    for name, size in (
        ("n_key_value_heads", config.n_key_value_heads),
        ("n_heads", config.n_heads),
        ("d_ff", config.d_ff),
    ):
        if size % workers:
            raise ValueError(
                f"{name} is {size} and there are {workers} workers; expected that they divide it"
            )
    if mesh is None:
        mesh = init_device_mesh("cpu", (workers,))
    for block in model.stack.blocks:
        parallelize_module(block, mesh, plan())
        assert isinstance(block, Block)
        attention = block.self_attention
        assert isinstance(attention, GroupedQueryAttention)
        attention.n_heads //= workers
        attention.n_key_value_heads //= workers


def plan() -> dict[str, ParallelStyle]:
    """How each part of a block is cut.

    The input of both parts is made one distributed tensor first. Were it left to each projection,
    the gradients of the three that read it would be summed over the workers one by one.
    """
    # Each part reads the whole stream; the gradients that come back to it are summed.
    whole = {
        part: PrepareModuleInput(input_layouts=(Replicate(),), desired_input_layouts=(Replicate(),))
        for part in ("self_attention", "feed_forward")
    }
    # Each worker has some of the outputs: whole heads, whole inner units.
    by_outputs = {
        projection: ColwiseParallel()
        for projection in (
            "self_attention.query_projection",
            "self_attention.key_projection",
            "self_attention.value_projection",
            "feed_forward.gate_projection",
            "feed_forward.inner_projection",
        )
    }
    # Each reads the inputs that it has itself; what the workers give is summed.
    by_inputs = {
        projection: RowwiseParallel()
        for projection in ("self_attention.output_projection", "feed_forward.output_projection")
    }
    return {**whole, **by_outputs, **by_inputs}


def tensor_parallel(training: Training) -> Outcome:
    """A training whose matrices are cut over all workers."""
    model = make_model(training)
    cut(model)
    optimizer = make_optimizer(model.parameters(), training)
    losses, sent = take_steps(model, optimizer, training)
    return Outcome(losses, whole_weights(model), held(model, optimizer), sent)
