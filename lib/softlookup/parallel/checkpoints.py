"""Checkpoints of a sharded training, which any number of workers can read again.

Every worker writes its own shards, and the index, which is written last, says where each lies. So
a folder with an index is a whole checkpoint, and one without is what a killed worker left.
"""

import warnings
from pathlib import Path
from typing import Any

from torch import nn
from torch.distributed.checkpoint import state_dict_loader, state_dict_saver
from torch.distributed.checkpoint.state_dict import get_state_dict, set_state_dict
from torch.optim import Optimizer

_INDEX = ".metadata"


def save(folder: Path, step: int, model: nn.Module, optimizer: Optimizer) -> None:
    """Write weights and the optimiser's state; all workers call it together.

    Args:
        folder: of the run; a folder for the step is made in it.
        step: how many steps have been taken.
        model: whose weights.
        optimizer: of the model's parameters.

    Source: torch.distributed.checkpoint.
    """
    weights, averages = get_state_dict(model, optimizer)
    stored = {"model": weights, "optimizer": averages}
    state_dict_saver.save(stored, checkpoint_id=folder / f"step-{step}")


def latest(folder: Path) -> int:
    """The step of the last whole checkpoint of a run; 0 if there is none."""
    whole = [index.parent.name for index in folder.glob(f"step-*/{_INDEX}")]
    return max((int(name.removeprefix("step-")) for name in whole), default=0)


def load(folder: Path, step: int, model: nn.Module, optimizer: Optimizer) -> None:
    """Read weights and the optimiser's state into what is there; all workers call it together.

    The model may be sharded otherwise than the one that was saved, or not at all.

    Args:
        folder: of the run.
        step: as given to ``save``.
        model: whose weights change.
        optimizer: of the model's parameters.

    Raises:
        ValueError: if there is no whole checkpoint of this step.
    """
    _require(folder, step)
    weights, averages = get_state_dict(model, optimizer)
    stored: dict[str, Any] = {"model": weights, "optimizer": averages}
    _read(stored, folder, step)
    set_state_dict(
        model, optimizer, model_state_dict=stored["model"], optim_state_dict=stored["optimizer"]
    )


def load_weights_alone(folder: Path, step: int, model: nn.Module, optimizer: Optimizer) -> None:
    """A mistake, for comparison: the optimiser begins again with nothing behind it.

    Args:
        folder: as in ``load``.
        step: as in ``load``.
        model: as in ``load``.
        optimizer: is left as it is.

    Raises:
        ValueError: as ``load``.
    """
    _require(folder, step)
    weights, _ = get_state_dict(model, optimizer)
    stored = {"model": weights}
    _read(stored, folder, step)
    model.load_state_dict(weights)


def _read(stored: dict[str, Any], folder: Path, step: int) -> None:
    """Into what is stored. A process without a group means to be alone, and need not be told so."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "torch.distributed is disabled", UserWarning)
        state_dict_loader.load(stored, checkpoint_id=folder / f"step-{step}")


def _require(folder: Path, step: int) -> None:
    if not (folder / f"step-{step}" / _INDEX).exists():
        raise ValueError(
            f"{folder} has no whole checkpoint of step {step}; expected one of "
            f"{sorted(path.parent.name for path in folder.glob(f'step-*/{_INDEX}'))}"
        )
