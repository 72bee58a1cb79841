"""Values over the channel: valid ones are exact, and malformed ones are refused."""

import json
import math
from collections import deque
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import torch
from softlookup_coursework.sandbox.inside.frames import Malformed
from softlookup_coursework.sandbox.inside.trees import decode, encode


def refuse(value):
    raise TypeError(type(value).__name__)


def there_and_back(value):
    tree, payload = encode(value, refuse)
    return decode(json.loads(json.dumps(tree)), payload, lambda number, kind: (number, kind))


@pytest.mark.parametrize(
    "dtype",
    ["bool", "uint8", "int64", "float16", "bfloat16", "float32", "float64", "complex64"],
)
@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 5), (3, 5, 7)])
def test_tensors_round_trip_bit_for_bit(dtype, shape):
    tensor = (torch.randn(shape) * 2).to(getattr(torch, dtype))
    answer = there_and_back(tensor)
    assert type(answer) is torch.Tensor
    assert answer.dtype == tensor.dtype
    assert torch.equal(answer, tensor)


def test_views_gradients_and_subclasses_become_plain_tensors():
    tensor = torch.randn(5, 3, requires_grad=True)
    for value in (tensor.T, torch.nn.Parameter(tensor), tensor[::2]):
        answer = there_and_back(value)
        assert type(answer) is torch.Tensor
        assert not answer.requires_grad
        assert torch.equal(answer, value.detach())


def test_structures_round_trip():
    value = {"a": [1, -(2**70), True, None, "ü"], "b": (0.1, math.inf, torch.float32)}
    assert there_and_back(value) == value
    array = np.arange(6, dtype=np.int16).reshape(2, 3)
    assert np.array_equal(there_and_back(array), array)
    assert there_and_back(iter("ab")) == ["a", "b"]
    assert math.isnan(there_and_back(math.nan))


@pytest.mark.parametrize(
    ("value", "same"),
    [
        (Fraction(1, 4), 0.25), (Decimal("0.1"), 0.1),
        (np.float64(0.1), 0.1), (np.float32(0.5), 0.5), (np.int64(-3), -3), (np.bool_(True), True),
        ({"a": 1, "b": 2}.values(), [1, 2]), ({"a": 1}.keys(), ["a"]),
        ({"a": 1}.items(), [("a", 1)]),
        (range(3), [0, 1, 2]), ({3}, [3]), (frozenset({3}), [3]), (deque([1, 2]), [1, 2]),
        ({("a", "b"): 0, ("b", "c"): 1}, {("a", "b"): 0, ("b", "c"): 1}), ({1: 2}, {1: 2}),
        ([np.float64(0.5), {np.int64(1): range(2)}], [0.5, {1: [0, 1]}]),
    ],
)  # fmt: skip
def test_what_is_plainly_the_same_answer_is_sent_as_the_same(value, same):
    answer = there_and_back(value)
    assert answer == same
    assert type(answer) is type(same)
    if isinstance(same, dict):
        assert [*answer] == [*same]


@pytest.mark.parametrize(
    "value", [object(), {object(): 2}, {torch.ones(1): 2}, np.array([None]), np.array(["x"]), print]
)
def test_other_types_are_not_encoded(value):
    with pytest.raises(TypeError):
        encode(value, refuse)


ARRAY = {"array": "torch", "dtype": "float32", "shape": [2]}
DEEP = {"int": "1"}
for _ in range(20):
    DEEP = {"list": [DEEP]}


@pytest.mark.parametrize(
    ("tree", "payload"),
    [
        (None, b""), ([], b""), ({}, b""), ({"plain": [1]}, b""), ({"plain": 1}, b""),
        ({"int": 1}, b""), ({"int": "x"}, b""), ({"int": "9" * 200}, b""), ({"float": 1.0}, b""),
        ({"float": "nonsense"}, b""), ({"plain": "x" * 10_001}, b""), ({"set": []}, b""),
        ({"int": "1", "plain": None}, b""), ({"list": 3}, b""), ({"dict": [[1]]}, b""),
        ({"dtype": "load"}, b""), ({"dtype": ["float32"]}, b""), ({"handle": "x"}, b""),
        (DEEP, b""), ({"list": [{"int": "1"}] * 10_001}, b""), ({"int": "1"}, b"x"),
        (ARRAY, b"1234567"), (ARRAY, b"123456789"), ({**ARRAY, "dtype": "object"}, b"12345678"),
        ({**ARRAY, "dtype": "O"}, b"12345678"), ({**ARRAY, "dtype": "U2"}, b"12345678"),
        ({**ARRAY, "dtype": ["float32"]}, b"12345678"), ({**ARRAY, "array": "pickle"}, b"12345678"),
        ({**ARRAY, "shape": [-2]}, b"12345678"), ({**ARRAY, "shape": [2.0]}, b"12345678"),
        ({**ARRAY, "shape": [True, 2]}, b"12345678"), ({**ARRAY, "shape": 2}, b"12345678"),
        ({**ARRAY, "shape": [2**62, 4]}, b"12345678"), ({**ARRAY, "shape": [0, 2**70]}, b""),
        ({**ARRAY, "shape": [1] * 17}, b"1234"), ({"array": "torch"}, b""),
        ({"array": "torch", "dtype": "bool", "shape": [2]}, b"\x01\x02"),
        ({"pairs": [[{"list": []}, {"int": "1"}]]}, b""), ({"pairs": [[{"int": "1"}]]}, b""),
        ({"pairs": [[{"handle": "1", "type": "x"}, {"int": "1"}]]}, b""), ({"pairs": 3}, b""),
        ({"pairs": [[ARRAY, {"int": "1"}]]}, b"12345678"),
        ({"dict": [[1, {"plain": None}]]}, b""), ({"dict": [["x" * 10_001, {"plain": None}]]}, b""),
    ],
)  # fmt: skip
def test_a_malformed_answer_is_refused(tree, payload):
    with pytest.raises(Malformed):
        decode(tree, payload, lambda number, kind: object())


def test_a_key_is_read_as_any_other_text():
    tree = {"dict": [["a\ud800", {"int": "1"}]]}
    assert decode(tree, b"", lambda number, kind: number, str.upper) == {"A?": 1}


def test_keys_of_a_kind_of_their_own_are_sent_as_texts():
    """What a test received, in which texts may be wrapped, it may hand on."""

    class Wrapped(str):
        """A text that is more than a text."""

    tree, payload = encode({Wrapped("w_q"): 1}, refuse)
    ((key, _),) = tree["dict"]
    assert (type(key), key) == (str, "w_q")
    assert decode(tree, payload, lambda number, kind: number) == {"w_q": 1}


def test_an_array_with_too_few_bytes_is_refused():
    tree, payload = encode(np.arange(6.0).reshape(2, 3), refuse)
    with pytest.raises(Malformed, match="shorter than its shape says"):
        decode(tree, payload[:-8], lambda number, kind: number)
