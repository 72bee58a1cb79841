"""The files of a live figure: weights as a script, expected values as JSON; the same every time."""

import base64
import copy
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

ROOT = Path(__file__).resolve().parents[2]
WEIGHTS = ROOT / "book" / "_static" / "live" / "weights"
EXPECTED = ROOT / "tests" / "live" / "expected"


def rounded(model: nn.Module, in_bytes: bool = False) -> nn.Module:
    """A copy of a model whose weights have half precision's digits, as they travel.

    Args:
        model: the model.
        in_bytes: whether matrices travel as bytes, of half the size.
    """
    copied = copy.deepcopy(model).eval()
    with torch.no_grad():
        for tensor in copied.state_dict().values():
            if tensor.is_floating_point():
                if in_bytes and tensor.dim() == 2:
                    scales, steps = as_bytes(tensor)
                    tensor.copy_(scales[:, None] * steps)
                else:
                    tensor.copy_(tensor.half())
    return copied


def as_bytes(matrix: Tensor) -> tuple[Tensor, Tensor]:
    """A matrix in steps from -127 to 127, with the size of a step for each row, in half precision.

    What was rounded so comes out as it went in.
    """
    scales = (matrix.abs().amax(dim=1) / 127).half().float()
    steps = (matrix / scales.clamp(min=1e-12)[:, None]).round().clamp(-127, 127)
    return scales, steps


def weights_script(
    name: str,
    config: Mapping[str, Any],
    tensors: Mapping[str, Tensor] | None = None,
    in_bytes: bool = False,
) -> str:
    """A script that registers weights, and whatever else a figure has to know."""
    held = dict(tensors or {})
    steps = []
    if in_bytes:
        for key, tensor in held.items():
            if tensor.dim() == 2:
                held[key], each = as_bytes(tensor)
                steps.append(each)
    for key, tensor in held.items():
        if not torch.isfinite(tensor.half()).all():
            raise ValueError(f"{key} has numbers that half precision does not hold")
    packed: dict[str, Any] = {"config": dict(config)}
    if held:
        data = b"".join(each.half().numpy().astype("<f2").tobytes() for each in held.values())
        packed["tensors"] = [[key, list(each.shape)] for key, each in (tensors or {}).items()]
        packed["data"] = base64.b64encode(data).decode()
    if steps:
        data = b"".join(each.to(torch.int8).numpy().tobytes() for each in steps)
        packed["bytes"] = base64.b64encode(data).decode()
    written = json.dumps(packed, ensure_ascii=False, separators=(",", ":"))
    return (
        "// Made by tools/export_live.py; not to be edited by hand.\n"
        f'SoftLookup.weights.register("{name}", {written});\n'
    )


def write_weights(
    name: str,
    config: Mapping[str, Any],
    tensors: Mapping[str, Tensor] | None = None,
    in_bytes: bool = False,
) -> Path:
    """Write the script of a figure's weights: a state dict, and its config."""
    path = WEIGHTS / f"{name}.js"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(weights_script(name, config, tensors, in_bytes), "utf-8")
    return path


def write_expected(name: str, expected: object) -> Path:
    """Write what the figure's maths is held to; tensors become lists, to eight digits."""
    path = EXPECTED / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(plain(expected), ensure_ascii=False, separators=(",", ":")) + "\n")
    return path


def plain(value: object) -> object:
    """The same as JSON has it."""
    if isinstance(value, Tensor):
        return plain(value.tolist())
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, float):
        return float(f"{value:.8g}")
    return value
