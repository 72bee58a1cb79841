"""Serialises values for the channel: arrays as raw bytes, and a tree of plain values around them.

Neither pickle nor any file format is used. An array is a dtype from a short list, a shape, and
exactly as many bytes as these two imply. Decoding yields only ``Tensor``s, ``ndarray``s, numbers,
strings, tuples, lists and dictionaries of exactly these types, and nothing that could hold code.
What is plainly the same answer is sent as the same: a number of NumPy's as a number, and the values
of a dictionary, a set, a range or a deque as a list, and a fraction or a decimal as a number.
"""

import math
from collections import deque
from collections.abc import Callable, Iterator, MappingView, Set
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import torch

from .frames import Malformed

DTYPES = {
    name: np.dtype(name)
    for name in (
        "bool", "int8", "int16", "int32", "int64", "uint8",
        "float16", "float32", "float64", "complex64", "complex128",
    )
}  # fmt: skip
DEEPEST, MOST_NODES, LONGEST_TEXT, MOST_AXES = 8, 10_000, 10_000, 16
# Of one array. Its sizes may not multiply to more either when one of them is zero: a test may draw
# by the other.
MOST_NUMBERS = 1 << 24
LISTED: Any = (Iterator, MappingView, Set, range, deque)
# What is handed over is made before anything is withheld, by these as they are at the start: a cell
# may have put something of its own in their places, which would see it first.
ARRAY, FROM_ARRAY, CONVERTED = np.array, torch.from_numpy, torch.Tensor.to
BYTES, BRAIN_FLOAT = np.uint8, torch.bfloat16


def encode(value: object, keep: Callable[[object], dict[str, Any]]) -> tuple[Any, bytes]:
    """Serialise a value as a tree and a payload.

    Args:
        value: arrays and plain values, in tuples, lists and dictionaries with strings as keys.
        keep: returns a node for any other object, or raises ``TypeError``.
    """
    payload: list[bytes] = []
    return _encode(value, keep, payload), b"".join(payload)


def _encode(value: object, keep: Callable[[object], dict[str, Any]], payload: list[bytes]) -> Any:  # noqa: ANN401
    if value is None or isinstance(value, bool | np.bool_):
        return {"plain": value if value is None else bool(value)}
    if isinstance(value, str):
        return {"plain": str.__str__(value)}
    if isinstance(value, int | np.integer):
        return {"int": int.__repr__(value if isinstance(value, int) else int(value))}
    if isinstance(value, float | np.floating | Fraction | Decimal):
        return {"float": float.hex(value if isinstance(value, float) else float(value))}
    if isinstance(value, torch.Tensor):
        # A subclass of a student's may have a `detach` of its own.
        plain = torch.Tensor.detach(value).cpu()
        brain = plain.dtype == BRAIN_FLOAT
        array = (plain.float() if brain else plain).resolve_conj().contiguous().numpy()
        return _array(array, "bfloat16" if brain else "torch", payload)
    if isinstance(value, np.ndarray | np.generic):
        return _array(np.asarray(value), "numpy", payload)
    if isinstance(value, torch.dtype):
        return {"dtype": str(value).removeprefix("torch.")}
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        items = value.items()
        return {"dict": [[str.__str__(key), _encode(item, keep, payload)] for key, item in items]}
    if isinstance(value, dict) and all(map(_plain, value)):
        pairs = [
            [_encode(key, keep, payload), _encode(item, keep, payload)]
            for key, item in value.items()
        ]
        return {"pairs": pairs}
    if isinstance(value, tuple):
        return {"tuple": [_encode(item, keep, payload) for item in value]}
    if isinstance(value, list):
        return {"list": [_encode(item, keep, payload) for item in value]}
    if isinstance(value, LISTED):
        return {"list": [_encode(item, keep, payload) for _, item in zip(range(MOST_NODES), value)]}  # noqa: B905
    return keep(value)


def _plain(key: object) -> bool:
    """Whether something may be a dictionary's key: a text, a number, or a tuple of such."""
    if isinstance(key, tuple):
        return all(map(_plain, key))
    return key is None or isinstance(key, str | int | float | np.integer | np.floating | np.bool_)


def _array(array: np.ndarray, kind: str, payload: list[bytes]) -> dict[str, Any]:
    if array.dtype.name not in DTYPES:
        raise TypeError(f"an array of {array.dtype} cannot be sent")
    payload.append(array.tobytes())
    return {"array": kind, "dtype": array.dtype.name, "shape": list(array.shape)}


def decode(
    tree: object,
    payload: bytes,
    find: Callable[[int, str], object],
    text: Callable[[str], str] = str,
) -> Any:  # noqa: ANN401
    """Deserialise what ``encode`` wrote, or what an attacker wrote in its place.

    Args:
        tree: as it was received; nothing in it is trusted.
        payload: the arrays' bytes, in the tree's order.
        find: returns the stand-in for a kept object, from its number and its type's name.
        text: what a string becomes.

    Raises:
        Malformed: if the tree breaks the form, or the payload has another length than it implies.
    """
    reader = _Reader(payload, find, text)
    value = reader.value(tree, 0)
    if reader.at != len(payload):
        raise Malformed(f"{len(payload) - reader.at} bytes belong to no array")
    return value


def _short(shape: list[int]) -> str:
    text = str(tuple(shape))
    return text if len(text) <= 80 else f"{text[:80]}…"


class _Reader:
    """Walks a tree once and consumes the arrays' bytes as it goes."""

    def __init__(
        self, payload: bytes, find: Callable[[int, str], object], text: Callable[[str], str]
    ) -> None:
        self.payload, self.find, self.text = payload, find, text
        self.at = self.nodes = 0

    def value(self, node: object, depth: int) -> Any:  # noqa: ANN401
        self.nodes += 1
        if depth > DEEPEST or self.nodes > MOST_NODES or not isinstance(node, dict):
            raise Malformed("the answer is nested too deeply, too large, or malformed")
        try:
            if "array" in node:
                return self.array(str(node["array"]), node["dtype"], node["shape"])
            (kind, content), *more = node.items()
            if kind == "handle":
                return self.find(int(content), str(node.get("type"))[:80])
            if more:
                raise Malformed("a part of the answer is of two kinds")
            if kind == "plain" and (content is None or isinstance(content, bool)):
                return content
            if kind == "plain" and isinstance(content, str):
                return self.word(content)
            if kind == "int" and isinstance(content, str) and len(content) <= 100:
                return int(content)
            if kind == "float" and isinstance(content, str) and len(content) <= 40:
                return float.fromhex(content)
            if kind == "dtype":
                return getattr(torch, content if content in (*DTYPES, "bfloat16") else "")
            if kind == "dict":
                return {self.word(key): self.value(item, depth + 1) for key, item in content}
            if kind == "pairs":
                return {self.key(key, depth + 1): self.value(i, depth + 1) for key, i in content}
            if kind in ("tuple", "list"):
                items = [self.value(item, depth + 1) for item in content]
                return tuple(items) if kind == "tuple" else items
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise Malformed("a part of the answer is malformed") from error
        raise Malformed("a part of the answer is of an unknown kind")

    def key(self, node: object, depth: int) -> Any:  # noqa: ANN401
        key = self.value(node, depth)
        if not _plain(key):
            raise Malformed("a key of the answer is neither a text nor a number")
        return key

    def word(self, content: object) -> str:
        if not isinstance(content, str) or len(content) > LONGEST_TEXT:
            raise Malformed("a text of the answer is too long, or none")
        # A lone surrogate cannot be encoded as UTF-8, in a message or in a file.
        return self.text(content.encode("utf-8", "replace").decode())

    def array(self, kind: str, dtype: str, shape: list[int]) -> Any:  # noqa: ANN401
        if kind not in ("torch", "bfloat16", "numpy") or dtype not in DTYPES:
            raise Malformed(f"an array of type {str(dtype)[:40]!r} is not accepted")
        if len(shape) > MOST_AXES or any(type(size) is not int or size < 0 for size in shape):
            raise Malformed("an array's shape is not a short list of sizes")
        if math.prod(size or 1 for size in shape) > MOST_NUMBERS:
            raise Malformed(f"an array of the shape {_short(shape)} is too large")
        length = math.prod(shape) * DTYPES[dtype].itemsize
        if length > len(self.payload) - self.at:
            raise Malformed("an array is shorter than its shape says")
        content = ARRAY(memoryview(self.payload)[self.at : self.at + length], BYTES)
        self.at += length
        if dtype == "bool" and (content > 1).any():
            raise Malformed("a boolean is neither 0 nor 1")
        array = content.view(DTYPES[dtype]).reshape(shape)
        if kind == "numpy":
            return array
        tensor = FROM_ARRAY(array)
        return CONVERTED(tensor, BRAIN_FLOAT) if kind == "bfloat16" else tensor
