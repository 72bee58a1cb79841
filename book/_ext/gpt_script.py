"""The small GPT as a script for the page, made from the file that comes with the library.

It is made when the book is built, so that the repository does not hold the same numbers twice; and
without PyTorch, since the numbers are copied as they are.
"""

import base64
import importlib.resources
import json
from pathlib import Path

# Found without importing the module beside it, which would bring PyTorch.
FILE = importlib.resources.files("softlookup") / "pretrained" / "small_gpt.safetensors"
SCRIPT = Path("weights", "gpt-writer.js")
# The beginning with which the chapter lets it write.
PROMPT = "The weights of the heads"


def byte_characters() -> dict[str, int]:
    """The byte behind each visible character of the tokenizer's alphabet.

    Source: Radford et al. 2019, the code that was released with it.
    """
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in shown]
    return {chr(byte): byte for byte in shown} | {
        chr(256 + place): byte for place, byte in enumerate(hidden)
    }


def packed() -> dict:
    """The model's config and tokens, the table of its weights, and their bytes.

    Raises:
        ValueError: if the file is not as the page's tokenizer and reader expect it.
    """
    stored = FILE.read_bytes()
    length = int.from_bytes(stored[:8], "little")
    header = json.loads(stored[8 : 8 + length])
    described = json.loads(header.pop("__metadata__")["softlookup"])
    config, model = described["config"], json.loads(described["tokens"])["model"]
    placed = sorted(header.items(), key=lambda item: item[1]["data_offsets"])
    if {each["dtype"] for each in header.values()} != {"F16"}:
        raise ValueError(f"{FILE.name} has other numbers than half precision")
    vocabulary = sorted(model["vocab"], key=model["vocab"].__getitem__)
    bytes_of = byte_characters()
    alphabet = [bytes_of[character] for character in vocabulary[:256]]
    merges = [[model["vocab"][part] for part in pair] for pair in model["merges"]]
    made = ["".join(vocabulary[part] for part in pair) for pair in merges]
    if vocabulary[256:] != made:
        raise ValueError("the merges of the tokenizer did not make its tokens in their order")
    return {
        "config": config | {"alphabet": alphabet, "merges": merges, "prompt": PROMPT},
        "tensors": [[name, each["shape"]] for name, each in placed],
        "data": base64.b64encode(stored[8 + length :]).decode(),
    }


def write(folder: Path) -> Path:
    """Write the script into a folder like ``_static/live``, and say where it lies."""
    path = folder / SCRIPT
    path.parent.mkdir(parents=True, exist_ok=True)
    written = json.dumps(packed(), separators=(",", ":"))
    path.write_text(f'SoftLookup.weights.register("gpt-writer", {written});\n', "utf-8")
    return path
