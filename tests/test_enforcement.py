"""The annotations of the library are enforced while its tests run."""

import sys

import jaxtyping
import pytest
import torch

LYING = """
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn


def transposed(x: Float[Tensor, "queries keys"]) -> Float[Tensor, "queries keys"]:
    return x.mT


def product(
    x: Float[Tensor, "rows inner"], y: Float[Tensor, "inner columns"]
) -> Float[Tensor, "rows columns"]:
    if x.size(-1) != y.size(0):
        raise ValueError(f"the inner sizes are {x.size(-1)} and {y.size(0)}; expected the same")
    return x @ y


def silent(x: Float[Tensor, "width"]) -> float:
    return 0


class Layer(nn.Module):
    def forward(self, x: Float[Tensor, "batch width"]) -> Float[Tensor, "batch 1"]:
        return x.sum(dim=1)


@dataclass(frozen=True)
class Config:
    d_model: int

    def __post_init__(self):
        if self.d_model == 0.5:
            raise ValueError("d_model is a half")
"""


@pytest.fixture(scope="module")
def lying(tmp_path_factory):
    """A module that lies about its shapes, imported as if it were a part of the library."""
    import softlookup

    directory = tmp_path_factory.mktemp("lying")
    (directory / "lying.py").write_text(LYING)
    softlookup.__path__.append(str(directory))
    import softlookup.lying

    yield softlookup.lying
    softlookup.__path__.remove(str(directory))
    del sys.modules["softlookup.lying"], softlookup.lying


def test_a_function_that_lies_about_what_it_returns_fails(lying):
    with pytest.raises(jaxtyping.TypeCheckError, match="return value"):
        lying.transposed(torch.zeros(7, 11))


def test_a_method_that_lies_about_what_it_returns_fails(lying):
    with pytest.raises(jaxtyping.TypeCheckError, match="return value"):
        lying.Layer()(torch.zeros(3, 13))


def test_the_functions_own_words_come_before_the_annotations(lying):
    with pytest.raises(ValueError, match="inner sizes are 11 and 7"):
        lying.product(torch.zeros(3, 11), torch.zeros(7, 5))


def test_what_no_words_refuse_the_annotations_refuse(lying):
    with pytest.raises(jaxtyping.TypeCheckError, match="parameters"):
        lying.silent(torch.zeros(3, 11))


def test_after_a_refusal_the_annotations_are_enforced_again(lying):
    with pytest.raises(ValueError, match="inner sizes"):
        lying.product(torch.zeros(3, 11), torch.zeros(7, 5))
    with pytest.raises(jaxtyping.TypeCheckError):
        lying.transposed(torch.zeros(7, 11))


def test_a_whole_number_is_good_where_a_float_is_asked_for(lying):
    assert lying.silent(torch.zeros(3)) == 0


def test_dataclasses_are_held_to_their_annotations(lying):
    assert lying.Config(13).d_model == 13
    with pytest.raises(jaxtyping.TypeCheckError):
        lying.Config("13")
    with pytest.raises(ValueError, match="a half"):
        lying.Config(0.5)


def test_the_library_itself_is_enforced():
    from softlookup.layers import masks

    with pytest.raises(jaxtyping.TypeCheckError):
        masks.to_torch_multihead(torch.zeros(3, 7))
