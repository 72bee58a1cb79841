"""Files: where a model's weights are stored, and which tensors the files hold.

A model in Hugging Face's layout is a directory with ``config.json`` and either one
``model.safetensors`` or several, called shards, with an index. A name on the hub becomes such a
directory by downloading it. The chapter on looking inside loads a model in this way.
"""

import json
import re
from pathlib import Path

import huggingface_hub
from huggingface_hub.errors import RepositoryNotFoundError, RevisionNotFoundError
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

CONFIG = "config.json"
WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"
# What is downloaded of a repository, which often holds the same weights in other formats too.
WANTED = [CONFIG, WEIGHTS, INDEX, "model-*.safetensors"]

_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt")
_HUB_NAME = re.compile(r"(?!.*(?:--|\.\.))\w[\w.-]*(?:/\w[\w.-]*)?", re.ASCII)


def find(source: str | Path, revision: str | None = None) -> Path:
    """The directory of a model: the one that is given, or the one that the hub's name stands for.

    A directory of that name comes first. Else the name is looked up on the hub, or in the hub's
    cache on this computer; with ``HF_HUB_OFFLINE=1`` in the environment, in the cache alone.

    Args:
        source: a directory, or a name on the hub such as ``"openai-community/gpt2"``.
        revision: on the hub, a branch, a tag or a commit; the newest where it is None.

    Raises:
        ValueError: if there is no such directory, or no such model on the hub.
        ConnectionError: if the hub cannot be reached and the cache does not hold the model. It
            says how to do without.
    """
    name, path = str(source), Path(source).expanduser()
    if name and path.is_dir():
        if revision is not None:
            raise ValueError(
                f"{path} is a directory and revision is {revision!r}; expected no revision: "
                "only a name on the hub has them"
            )
        return path
    if path.is_file():
        raise ValueError(
            f"{name} is a file; expected the directory that it stands in, with its {CONFIG}"
        )
    if isinstance(source, Path) or not _HUB_NAME.fullmatch(name):
        raise ValueError(
            f"{name} does not exist; expected a directory with {CONFIG} and {WEIGHTS}, or a name "
            "on the hub such as 'openai-community/gpt2'"
        )
    try:
        return Path(
            huggingface_hub.snapshot_download(name, revision=revision, allow_patterns=WANTED)
        )
    except RevisionNotFoundError as error:
        raise ValueError(
            f"the hub has {name} but no revision {revision!r} of it; expected a branch, a tag or "
            "a commit of that repository"
        ) from error
    except RepositoryNotFoundError as error:
        raise ValueError(
            f"there is no directory {name}, and the hub shows no model of that name; expected "
            "either: check the spelling, or log in if the model is private"
        ) from error
    # The hub's client has changed its network library, and with it its errors, more than once.
    except Exception as error:
        raise ConnectionError(_advice(name, revision, error)) from error


def read_tensors(directory: Path) -> dict[str, Tensor]:
    """The tensors of a model's files, by the names that they carry there.

    Only safetensors files are read: they hold numbers alone, while a pickle can run code. The
    tensors are views of the files on disk, to be copied before they are kept.

    Raises:
        ValueError: if there is no safetensors file, if one cannot be read, or if the index and
            the shards do not agree.
    """
    if (directory / WEIGHTS).is_file():
        return _read_file(directory / WEIGHTS)
    if (directory / INDEX).is_file():
        return _read_shards(directory)
    pickles = sorted(path.name for pattern in _PICKLES for path in directory.glob(pattern))
    found = (
        f"it holds {', '.join(pickles)}, which are pickles: reading one can run any code in it. "
        "Convert them where you trust them, by transformers: "
        f"AutoModel.from_pretrained('{directory}').save_pretrained('converted'), "
        "then load 'converted'"
        if pickles
        else f"it holds {_names(directory)}. If these come from the hub, that model may have no "
        "safetensors: look for a branch or a copy of it that has"
    )
    raise ValueError(f"{directory} has no {WEIGHTS} and no {INDEX}; {found}")


def _read_shards(directory: Path) -> dict[str, Tensor]:
    """All shards together, held to what the index says."""
    shard_of = read_json(directory / INDEX).get("weight_map")
    if not isinstance(shard_of, dict) or not shard_of:
        raise ValueError(
            f"{directory / INDEX} has no weight_map; expected one, which says where each tensor is"
        )
    tensors: dict[str, Tensor] = {}
    for shard in sorted(set(shard_of.values())):
        if Path(shard).name != shard:
            raise ValueError(f"{directory / INDEX} names {shard!r}; expected files beside it")
        if not (directory / shard).is_file():
            raise ValueError(
                f"{directory} has no {shard}, which its {INDEX} names; expected all shards: "
                "download it again"
            )
        held = _read_file(directory / shard)
        named = {name for name, place in shard_of.items() if place == shard}
        if held.keys() != named:
            raise ValueError(
                f"{directory / shard} and the index differ in {sorted(held.keys() ^ named)}; "
                "expected the same tensors: the files are of different versions"
            )
        tensors |= held
    return tensors


def _read_file(path: Path) -> dict[str, Tensor]:
    try:
        return load_file(path)
    except SafetensorError as error:
        pointer = path.stat().st_size < 1000 and path.read_bytes().startswith(b"version https")
        cause = "it is a pointer of Git LFS: run git lfs pull" if pointer else "download it again"
        raise ValueError(
            f"{path} cannot be read ({error}); expected a safetensors file: {cause}"
        ) from error


def read_json(path: Path) -> dict[str, object]:
    """What a JSON file holds.

    Raises:
        ValueError: if it is not there, or holds anything but named fields.
    """
    if not path.is_file():
        raise ValueError(
            f"{path.parent} has no {path.name}; expected one, and it holds {_names(path.parent)}"
        )
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is no JSON file ({error}); download it again") from error
    if not isinstance(content, dict):
        raise ValueError(f"{path} holds a {type(content).__name__}; expected named fields")
    return content


def _names(directory: Path) -> str:
    return ", ".join(sorted(path.name for path in directory.iterdir())) or "nothing"


def _advice(name: str, revision: str | None, error: Exception) -> str:
    of = f" --revision {revision}" if revision else ""
    cause = " ".join(f"{type(error).__name__}: {error}".split())
    return (
        f"{name} is no directory here, and it could not be had from the hub ({cause}). Without a "
        f"network, download it on another computer: hf download {name} {CONFIG} {WEIGHTS}{of} "
        f"--local-dir {name.split('/')[-1]} (of a model in shards {INDEX} and every shard). Copy "
        "that directory here, and give its path in place of the name"
    )
