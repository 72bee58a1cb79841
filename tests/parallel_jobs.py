"""What the tests of parallel training let workers do: functions that another process imports."""

import os
import signal
import time
from functools import partial

import torch
import torch.distributed as dist
from softlookup.models.llama import Llama, LlamaConfig
from softlookup.parallel import checkpoints, data_parallel, pipeline, slow_link, trainings
from softlookup.parallel.grid import grid
from softlookup.parallel.sharded import shard, sharded
from softlookup.parallel.tensor_parallel import tensor_parallel

KINDS = {
    "by hand": data_parallel.by_hand,
    "torch's data parallel": data_parallel.with_torch,
    "sharded": sharded,
    "tensor parallel": tensor_parallel,
}
MISTAKES = {
    "without averaging": data_parallel.without_averaging,
    "sums": data_parallel.with_sums,
}
GRIDS = {
    "two rows of two": partial(grid, data=2, tensor=2),
    "four rows": partial(grid, data=4, tensor=1),
}
SCHEDULES = {"gpipe": pipeline.gpipe, "1f1b": pipeline.one_forward_one_backward}


def sum_of_ranks(plus):
    total = torch.tensor(dist.get_rank() + plus)
    dist.all_reduce(total)
    return dist.get_rank(), int(total)


def own_and_parent_number():
    return os.getpid(), os.getppid()


def value_in_environment(name):
    return os.environ.get(name)


def raise_in_one(rank):
    if dist.get_rank() == rank:
        raise ArithmeticError("seven is not eight")
    dist.barrier()


def kill_one(rank):
    if dist.get_rank() == rank:
        os.kill(os.getpid(), signal.SIGKILL)
    dist.barrier()


def sleep_for_ever(folder):
    partial = folder / f"{dist.get_rank()}.partial"
    partial.write_text(str(os.getpid()))
    partial.rename(folder / f"{dist.get_rank()}.pid")
    while True:
        time.sleep(60)


def every_kind(training):
    """What each kind and each mistake gives, and each schedule of a pipeline."""
    kinds = {**KINDS, **MISTAKES}
    outcomes = dict(zip(kinds, trainings.in_turn([*kinds.values()], training), strict=True))
    staged = {
        name: pipeline.pipeline(training, 4, schedule) for name, schedule in SCHEDULES.items()
    }
    return outcomes, staged


def every_grid(training):
    """What each grid of four workers gives."""
    return dict(zip(GRIDS, trainings.in_turn([*GRIDS.values()], training), strict=True))


def train_save_and_go_on(training, folder, steps):
    """A sharded training, saved after so many steps, and what it comes to in the end."""
    model = trainings.make_model(training)
    shard(model)
    optimizer = trainings.make_optimizer(model.parameters(), training)
    trainings.take_steps(model, optimizer, training.first_steps(steps), data_parallel.own_share)
    checkpoints.save(folder, steps, model, optimizer)
    trainings.take_steps(model, optimizer, training.after(steps), data_parallel.own_share)
    return trainings.whole_weights(model)


def over_a_slow_link():
    """Gradients of a step on this worker's tokens by each way, and the pauses of the link."""
    config = LlamaConfig(8, 4, d_model=8, n_heads=2, n_key_value_heads=2, n_layers=3, d_ff=12)
    given = torch.randint(8, (2, 4), generator=torch.Generator().manual_seed(dist.get_rank()))
    found = {}
    for way in ("by hand", 1, 3):
        torch.manual_seed(0)
        model, pauses = Llama(config), []
        link = slow_link.SlowLink(0.25, 64, pause=pauses.append)
        if way == "by hand":
            trainings.next_token(model(given), given).backward()
            data_parallel.average_gradients(model)
        else:
            slow_link.send_when_full(model, link, way)
            slow_link.take_step(model, given, link)
        link.close()
        found[way] = [each.grad for each in model.parameters()], pauses
    return found
