"""What must not be called is noticed, under whatever name and however deep."""

import contextlib
import sys

import pytest
import torch
import torch.nn.functional as F
from softlookup.course.exercises.prohibited import without
from softlookup.course.exercises.verdict import Mistake
from softlookup.layers.attention import attention
from softlookup.layers.multi_head import MultiHeadAttention
from torch import nn

X = torch.randn(2, 3, 4)
softly = torch.softmax
CALLS = [
    (F.cross_entropy, lambda: nn.CrossEntropyLoss()(X[0], torch.tensor([0, 1, 2]))),
    (torch.softmax, lambda: softly(X, -1)),
    (torch.Tensor.softmax, lambda: X.softmax(-1)),
    (torch.Tensor.softmax, lambda: F.softmax(X, dim=-1)),
    (F.scaled_dot_product_attention, lambda: F.scaled_dot_product_attention(X, X, X)),
    (F.scaled_dot_product_attention, lambda: MultiHeadAttention(4, 2)(X)),
    (MultiHeadAttention.forward, lambda: nn.Sequential(MultiHeadAttention(4, 2))(X)),
    (attention, lambda: [attention(X, X, X) for _ in range(2)]),
    (torch.autograd.grad, lambda: torch.autograd.grad((x := X.clone().requires_grad_()).sum(), x)),
    (torch.Tensor.backward, lambda: X.clone().requires_grad_().sum().backward()),
]


@pytest.mark.parametrize(("prohibited", "call"), CALLS)
def test_a_call_is_noticed(prohibited, call):
    with (
        pytest.raises(Mistake, match=r"^write it yourself$"),
        without({prohibited: "write it yourself"}),
    ):
        call()


def test_a_call_is_noticed_though_its_error_was_caught():
    def sly():
        with without({torch.softmax: "write it"}), contextlib.suppress(Mistake):
            torch.softmax(X, -1)

    with pytest.raises(Mistake, match="write it"):
        sly()


def test_of_some_functions_only_some_calls_are_noticed():
    def of_nothing(called_with):
        return None if called_with["query"].numel() else "there is no query"

    with without({attention: of_nothing}):
        attention(X, X, X)
    with pytest.raises(Mistake, match="there is no query"), without({attention: of_nothing}):
        attention(X[:, :0], X, X)


def test_other_calls_are_free():
    others = {F.cross_entropy: "a", torch.softmax: "b", torch.Tensor.softmax: "c", attention: "d"}
    with without(others):
        listed = [{}, [1]]
        listed.append({"x": X.exp() / X.exp().sum(-1, keepdim=True)})
        listed[0].update(a=sorted("abc"))
        assert len(listed) == 3


@pytest.mark.parametrize("prohibited", [{}, {torch.softmax: "write it"}])
def test_afterwards_nothing_is_watched(prohibited):
    def own(*_):
        return None

    before = sys.getprofile()
    sys.setprofile(own)
    try:
        with without(prohibited):
            pass
        assert sys.getprofile() is own
        torch.softmax(X, -1)
    finally:
        sys.setprofile(before)
