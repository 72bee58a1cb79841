"""Hugging Face's models with random weights, and their files as they are on disk.

The weights are drawn far larger than untrained ones, norms and biases too, so that every part
of a model matters: a matrix that is not transposed or a norm that is swapped shows at once.
"""

import contextlib
import io
import json

import torch
import transformers
from safetensors.torch import load_file, save_file

TOLERANCE = {torch.float32: 1e-4, torch.float64: 1e-9}

transformers.logging.set_verbosity_error()
transformers.logging.disable_progress_bar()


def scattered(model, generator, dtype=torch.float64):
    """The model with all parameters drawn anew; positions the largest, so that texts vary."""
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            numbers = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
            if parameter.dim() == 1:
                parameter.add_(0.3 * numbers)
            elif "wpe" in name or "position" in name:
                parameter.copy_(1.5 * numbers)
            elif "wte" in name or "embed" in name:
                parameter.copy_(0.7 * numbers)
            else:
                parameter.copy_(1.5 * numbers / parameter[0].numel() ** 0.5)
    return model.to(dtype).eval()


def save(model, directory, **choices):
    with contextlib.redirect_stderr(io.StringIO()):
        model.save_pretrained(directory, **choices)
    return directory


def edit_config(directory, **fields):
    """Change fields of the configuration; one that is ``...`` is taken away."""
    path = directory / "config.json"
    content = json.loads(path.read_text()) | fields
    path.write_text(json.dumps({name: v for name, v in content.items() if v is not ...}))
    return directory


def edit_tensors(directory, change):
    """Give the file the tensors that ``change`` makes of the ones it holds."""
    changed = change(tensors(directory)).items()
    changed = {name: tensor.clone().contiguous() for name, tensor in changed}
    save_file(changed, directory / "model.safetensors", {"format": "pt"})
    return directory


def tensors(directory):
    held = load_file(directory / "model.safetensors")
    return {name: tensor.clone() for name, tensor in held.items()}


def names(directory):
    return set(tensors(directory))


def assert_close(ours, theirs, dtype):
    torch.testing.assert_close(ours, theirs, rtol=0, atol=TOLERANCE[dtype])


def states_of_blocks(model, *inputs):
    """What our model's first block got, what each block gave, and what the last norm gave."""
    states, handles = [], []
    for number, block in enumerate(model.stack.blocks):
        if number == 0:
            handles.append(block.register_forward_pre_hook(lambda _, args: states.append(args[0])))
        handles.append(block.register_forward_hook(lambda _, args, output: states.append(output)))
    handles.append(
        model.stack.final_norm.register_forward_hook(lambda _, args, output: states.append(output))
    )
    try:
        model(*inputs)
    finally:
        for handle in handles:
            handle.remove()
    return states
