"""Pipeline parallelism: each worker has some of the blocks, and hands on what they give.

A batch is cut into micro-batches, so that the second stage computes with the first of them while
the first stage computes with the second. ``schedules`` counts how long stages wait all the same.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.distributed.pipelining import PipelineStage, Schedule1F1B, ScheduleGPipe
from torch.distributed.pipelining.schedules import PipelineScheduleSingle

from softlookup.layers.visibility import CAUSAL
from softlookup.models.llama import Llama
from softlookup.parallel.memory import held
from softlookup.parallel.schedules import Work
from softlookup.parallel.traffic import bytes_sent
from softlookup.parallel.trainings import (
    Outcome,
    Training,
    Weights,
    make_model,
    make_optimizer,
    next_token,
)

MakeSchedule = Callable[[PipelineStage, int], PipelineScheduleSingle]


def gpipe(stage: PipelineStage, micro_batches: int) -> PipelineScheduleSingle:
    """All forward passes, then all backward ones.

    Source: Huang et al. 2019, section 2.3.
    """
    return ScheduleGPipe(stage, micro_batches, next_token)


def one_forward_one_backward(stage: PipelineStage, micro_batches: int) -> PipelineScheduleSingle:
    """A backward pass as soon as there is one, so that fewer activations wait for theirs.

    Source: Narayanan et al. 2021, section 2.2.
    """
    return Schedule1F1B(stage, micro_batches, next_token)


class Stage(nn.Module):
    """Some of a model's blocks; the first stage looks tokens up, and the last scores them.

    Args:
        model: whose blocks they are; it shares them.
        number: which stage, from 0.
        n_stages: how many there are.

    Raises:
        ValueError: if the stages do not divide the blocks, or if the model's output is its table
            of embeddings, which would lie in two stages.
    """

    def __init__(self, model: Llama, number: int, n_stages: int) -> None:
        super().__init__()
        blocks = list(model.stack.blocks)
        if len(blocks) % n_stages or model.unembedding is None:
            raise ValueError(
                f"the model has {len(blocks)} blocks, tied={model.config.tied}, and there are "
                f"{n_stages} stages; expected as many blocks in each, and an output of its own"
            )
        share = len(blocks) // n_stages
        last = number == n_stages - 1
        self.embedding = model.embedding if number == 0 else None
        self.blocks = nn.ModuleList(blocks[number * share : (number + 1) * share])
        self.final_norm = model.stack.final_norm if last else nn.Identity()
        self.unembedding = model.unembedding if last else nn.Identity()

    def forward(self, x: Tensor) -> Tensor:
        """From tokens or from the stream of the stage before to the stream, or to the logits."""
        if self.embedding is not None:
            x = self.embedding(x)
        for block in self.blocks:
            x = block(x, CAUSAL)
        return self.unembedding(self.final_norm(x))


class WatchedStage(PipelineStage):
    """A stage of torch's pipeline that notes the order in which it works."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.order: list[Work] = []

    def forward_one_chunk(self, fwd_chunk_id: int, *rest: Any, **options: Any) -> object:
        """As torch's."""
        self.order.append(Work("forward", fwd_chunk_id))
        return super().forward_one_chunk(fwd_chunk_id, *rest, **options)

    def backward_one_chunk(self, bwd_chunk_id: int, *rest: Any, **options: Any) -> object:
        """As torch's."""
        self.order.append(Work("backward", bwd_chunk_id))
        return super().backward_one_chunk(bwd_chunk_id, *rest, **options)


@dataclass(frozen=True)
class PipelineOutcome:
    """What a stage has after a training.

    Attributes:
        outcome: as that of every kind; the losses are known to the last stage alone, and are
            handed to all.
        order: what this stage did in the last step, in order.
    """

    outcome: Outcome
    order: list[Work]


def pipeline(
    training: Training, micro_batches: int, make_schedule: MakeSchedule = gpipe
) -> PipelineOutcome:
    """A training in which each worker is a stage.

    Args:
        training: what is trained.
        micro_batches: into how many a batch is cut; they must divide it.
        make_schedule: which order the stages follow.

    Raises:
        ValueError: as ``Stage``, or if the micro-batches do not divide the batch.
    """
    batch = training.given.size(1)
    if micro_batches < 1 or batch % micro_batches:
        raise ValueError(
            f"the batch has {batch} rows and there are {micro_batches} micro-batches; expected as "
            "many rows in each"
        )
    rank, workers = dist.get_rank(), dist.get_world_size()
    model = make_model(training)
    module = Stage(model, rank, workers)
    stage = WatchedStage(module, rank, workers, torch.device("cpu"))
    schedule = make_schedule(stage, micro_batches)
    optimizer = make_optimizer(module.parameters(), training)
    losses, before = [], 0
    for given, following in zip(training.given, training.following, strict=True):
        before = bytes_sent()
        stage.order.clear()
        optimizer.zero_grad()
        own: list[Tensor] = []
        schedule.step(*([given] if stage.is_first else []), target=following, losses=own)
        optimizer.step()
        losses.append(torch.stack(own).mean().item() if stage.is_last else 0.0)
    sent = bytes_sent() - before
    everyone = torch.tensor(losses, dtype=torch.float64)
    dist.broadcast(everyone, workers - 1)
    weights = _gathered(model, module)
    keeps = held(module, optimizer)
    return PipelineOutcome(Outcome(everyone.tolist(), weights, keeps, sent), stage.order)


def _gathered(model: Llama, stage: Stage) -> Weights:
    """The weights of all stages, by their names in the whole model."""
    own = {id(weight) for weight in stage.parameters()}
    mine = {name: weight.detach() for name, weight in model.named_parameters() if id(weight) in own}
    parts: list[Weights] = [{} for _ in range(dist.get_world_size())]
    dist.all_gather_object(parts, mine)
    return {name: weight for part in parts for name, weight in part.items()}
