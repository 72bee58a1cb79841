"""A sharded training that can be killed: the script that torchrun runs.

    export TORCH_DISABLE_SHARE_RDZV_TCP_STORE=1
    torchrun --standalone --nproc-per-node=2 --max-restarts=1 -m softlookup.parallel.resumable RUN

It reads the course's text, takes its steps, and writes a checkpoint every so often. When a worker
dies, torchrun ends the others and starts all anew; they read the last checkpoint and go on. With a
GPU for each worker it uses them. The variable gives each start a store of its own: in a shared one
workers may look for those who died. ``benchmarks/cluster`` has the files for Slurm and Kubernetes.
"""

import argparse
import os
import signal
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.distributed as dist

from softlookup.data import edition
from softlookup.models.llama import LlamaConfig
from softlookup.parallel.checkpoints import latest, load, load_weights_alone, save
from softlookup.parallel.data_parallel import own_share
from softlookup.parallel.sharded import shard
from softlookup.parallel.trainings import (
    Training,
    make_model,
    make_optimizer,
    next_token,
    whole_weights,
)
from softlookup.parallel.workers import PATIENCE, end_with

BATCH, LENGTH, LEARNING_RATE = 8, 32, 3e-3


@dataclass(frozen=True)
class Plan:
    """What the command line asks for.

    Attributes:
        folder: of the run: its checkpoints, and ``weights.pt`` at its end.
        steps: how many to take in all.
        every: after how many a checkpoint is written.
        kill_at: before this step the last worker kills itself, the first time; -1 for never.
        forget: read the weights alone from a checkpoint; a mistake, for comparison.
    """

    folder: Path
    steps: int
    every: int
    kill_at: int
    forget: bool


def training_of(steps: int) -> Training:
    """The course's text in windows, drawn by one seed: every start sees the same batches.

    Raises:
        ValueError: if there is not at least one step.
    """
    if steps < 1:
        raise ValueError(f"steps is {steps}; expected at least 1")
    characters = edition.Characters(edition.text())
    ids = characters.encode(edition.split(edition.text()).train)
    generator = torch.Generator().manual_seed(0)
    given, following = edition.windows(ids, steps * BATCH, LENGTH, generator)
    config = LlamaConfig(
        vocab_size=len(characters),
        max_length=LENGTH,
        d_model=32,
        n_heads=4,
        n_key_value_heads=4,
        n_layers=4,
        d_ff=88,
    )
    shape = (steps, BATCH, LENGTH)
    return Training(config, given.view(shape), following.view(shape), LEARNING_RATE)


def train(plan: Plan) -> None:
    """One worker's part, from the last checkpoint to the end."""
    device = _join()
    training = training_of(plan.steps)
    model = make_model(training).to(device)
    shard(model, device.type)
    optimizer = make_optimizer(model.parameters(), training)
    done = latest(plan.folder)
    if done:
        # Told to forget, it reads the weights and no averages: a mistake, for comparison.
        (load_weights_alone if plan.forget else load)(plan.folder, done, model, optimizer)
    for step in range(done, plan.steps):
        # Only in its first life does the last worker die.
        if step == plan.kill_at and os.environ["TORCHELASTIC_RESTART_COUNT"] == "0":
            _die_if_last()
        given, following = (
            own_share(whole[step]).to(device) for whole in (training.given, training.following)
        )
        loss = next_token(model(given), following)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if (step + 1) % plan.every == 0:
            save(plan.folder, step + 1, model, optimizer)
    weights = whole_weights(model)
    if dist.get_rank() == 0:
        torch.save(
            {name: weight.cpu() for name, weight in weights.items()}, weights_of(plan.folder)
        )
        print(f"steps {done} to {plan.steps}, {dist.get_world_size()} workers on {device.type}")
    dist.destroy_process_group()


def weights_of(folder: Path) -> Path:
    """Where a run leaves its weights."""
    return folder / "weights.pt"


def _join() -> torch.device:
    """Join the group that torchrun describes; a GPU for each worker, or a core."""
    end_with(os.getppid())
    torch.set_num_threads(1)
    workers_here = int(os.environ["LOCAL_WORLD_SIZE"])
    if torch.cuda.is_available() and torch.cuda.device_count() >= workers_here:
        device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device)
        dist.init_process_group("nccl", timeout=PATIENCE)
        return device
    dist.init_process_group("gloo", timeout=PATIENCE)
    return torch.device("cpu")


def _die_if_last() -> None:
    """What a machine that fails does: no word, no clean-up."""
    if dist.get_rank() == dist.get_world_size() - 1:
        os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description="A sharded training that can be killed.")
    parser.add_argument("folder", type=Path, help="of the run, the same for all its starts")
    parser.add_argument("--steps", type=int, default=8)
    parser.add_argument("--every", type=int, default=2, help="steps from checkpoint to checkpoint")
    parser.add_argument("--kill-at", type=int, default=-1, help="a worker dies before this step")
    parser.add_argument("--forget", action="store_true", help="resume without the optimiser")
    train(Plan(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
