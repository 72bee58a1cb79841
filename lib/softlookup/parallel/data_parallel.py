"""Data parallelism: every worker has the whole model, and a share of each batch.

After the backward pass the workers average their gradients; so all take the same step, and the
models stay the same. Two mistakes stand beside it for comparison: both train, and look well.
"""

import torch.distributed as dist
from jaxtyping import Int
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

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


def own_share(batch: Int[Tensor, "batch length"]) -> Int[Tensor, "share length"]:
    """This worker's rows of a batch: as many as every other's.

    Raises:
        ValueError: if the workers do not divide the batch: a mean of unequal shares' means is not
            the mean of the whole.
    """
    workers = dist.get_world_size()
    if len(batch) % workers:
        raise ValueError(
            f"the batch has {len(batch)} rows and there are {workers} workers; expected as many "
            "rows for each"
        )
    return batch.chunk(workers)[dist.get_rank()]


def average_gradients(model: nn.Module) -> None:
    """Replace each gradient by the mean over all workers, in place: the whole of the method."""
    for gradient in [each.grad for each in model.parameters() if each.grad is not None]:
        dist.all_reduce(gradient)
        gradient /= dist.get_world_size()


def by_hand(training: Training) -> Outcome:
    """Data parallelism in so many words."""
    model = make_model(training)
    optimizer = make_optimizer(model.parameters(), training)
    losses, sent = take_steps(
        model, optimizer, training, own_share, lambda: average_gradients(model)
    )
    return Outcome(mean_of_workers(losses), whole_weights(model), held(model, optimizer), sent)


def with_torch(training: Training) -> Outcome:
    """The same by torch's wrapper, which averages in buckets while the backward pass goes on.

    The gradients are views of the buckets; by default the wrapper keeps them twice.

    Source: Li et al. 2020, section 3.
    """
    model = make_model(training)
    wrapped = DistributedDataParallel(model, gradient_as_bucket_view=True)
    optimizer = make_optimizer(model.parameters(), training)
    losses, sent = take_steps(wrapped, optimizer, training, own_share)
    return Outcome(mean_of_workers(losses), whole_weights(model), held(model, optimizer), sent)


def without_averaging(training: Training) -> Outcome:
    """A mistake: everyone trains on its own share, and nobody hears of the others."""
    model = make_model(training)
    optimizer = make_optimizer(model.parameters(), training)
    losses, sent = take_steps(model, optimizer, training, own_share)
    return Outcome(mean_of_workers(losses), whole_weights(model), held(model, optimizer), sent)


def with_sums(training: Training) -> Outcome:
    """A mistake: the gradients are summed over the workers, and nobody divides by their number."""

    def sum_gradients() -> None:
        for gradient in [each.grad for each in model.parameters() if each.grad is not None]:
            dist.all_reduce(gradient)

    model = make_model(training)
    optimizer = make_optimizer(model.parameters(), training)
    losses, sent = take_steps(model, optimizer, training, own_share, sum_gradients)
    return Outcome(mean_of_workers(losses), whole_weights(model), held(model, optimizer), sent)
