"""Interventions: run a model with something inside it exchanged, and see what comes out.

Looking says what is there; only exchanging it says what it is for. Chapter 14 silences heads,
carries what a head found from one run into another, and forbids looking where a head looks most.
Models are left as they were: everything happens in hooks, which are gone afterwards.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from softlookup.layers.multi_head import (
    MultiHeadAttention,
    attention_weights,
    merge_heads,
    split_heads,
)

# A head: the name of its module within the model, and its number there, counted from 0.
Head = tuple[str, int]


@torch.no_grad()
def head_outputs(
    model: nn.Module, *inputs: Tensor | None
) -> dict[str, Float[Tensor, "batch heads queries d_head"]]:
    """Run the model, and keep what each head found, before the heads are mixed.

    Args:
        model: a model that attends by ``MultiHeadAttention``.
        inputs: what the model is called with.

    Returns:
        The heads' outputs, by the name of the module within the model.
    """
    found: dict[str, Tensor] = {}
    handles = []
    for name, module in _attentions(model).items():

        def keep(
            _: nn.Module,
            arguments: tuple[Tensor, ...],
            name: str = name,
            n_heads: int = module.n_heads,
        ) -> None:
            found[name] = split_heads(arguments[0], n_heads).clone()

        handles.append(module.output_projection.register_forward_pre_hook(keep))
    try:
        model(*inputs)
    finally:
        for handle in handles:
            handle.remove()
    return found


@contextmanager
def replaced(
    model: nn.Module, heads: Mapping[Head, Float[Tensor, "*#batch #queries #d_head"] | float]
) -> Iterator[None]:
    """Within the block, some heads give what they are told to, whatever they find.

    With values of another run, this is activation patching.

    Args:
        model: a model that attends by ``MultiHeadAttention``.
        heads: for each head what it gives: a number, or a tensor that broadcasts to
            (batch, queries, d_head).

    Raises:
        ValueError: if the model has no such head.

    Source: Vig et al. 2020; Meng et al. 2022, section 2, for whole layers.
    """
    attentions = _attentions(model)
    of_module: dict[str, dict[int, Tensor | float]] = {}
    for (name, head), values in heads.items():
        if name not in attentions or not 0 <= head < attentions[name].n_heads:
            raise ValueError(
                f"there is no head {head} of {name!r}; expected one of "
                f"{ {each: module.n_heads for each, module in attentions.items()} }, "
                "modules with their number of heads, counted from 0"
            )
        of_module.setdefault(name, {})[head] = values
    handles = []
    for name, told in of_module.items():

        def exchange(
            _: nn.Module,
            arguments: tuple[Tensor, ...],
            told: dict[int, Tensor | float] = told,
            n_heads: int = attentions[name].n_heads,
        ) -> tuple[Tensor]:
            # A copy, so that a tensor which someone else holds stays as it is.
            outputs = split_heads(arguments[0], n_heads).clone()
            for head, values in told.items():
                outputs[:, head] = values
            return (merge_heads(outputs),)

        projection = attentions[name].output_projection
        handles.append(projection.register_forward_pre_hook(exchange))
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


@contextmanager
def ablated(model: nn.Module, heads: Sequence[Head]) -> Iterator[None]:
    """Within the block, some heads are silent: they give zeros.

    Raises:
        ValueError: if the model has no such head.

    Source: Michel et al. 2019, section 2.3.
    """
    with replaced(model, dict.fromkeys(heads, 0.0)):
        yield


@contextmanager
def reweighted(
    model: nn.Module,
    names: Sequence[str],
    change: Callable[[Tensor], Float[Tensor, "batch heads queries keys"]],
) -> Iterator[None]:
    """Within the block, some attentions mix their values by changed weights.

    For self-attention, on whole sequences.

    Args:
        model: a model that attends by ``MultiHeadAttention``.
        names: the modules' names within the model.
        change: from the weights to those that take their place.

    Raises:
        ValueError: if there is no such module.

    Source: Jain and Wallace 2019, section 4, for weights exchanged after training.
    """
    attentions = _attentions(model)
    unknown = [name for name in names if name not in attentions]
    if unknown:
        raise ValueError(f"names has {unknown}; expected some of {[*attentions]}")

    def attend(
        module: MultiHeadAttention,
        arguments: tuple[Any, ...],
        named_arguments: dict[str, Any],
        _: Tensor,
    ) -> Tensor:
        named_arguments = {key: given for key, given in named_arguments.items() if key != "cache"}
        weights = change(attention_weights(module, *arguments, **named_arguments))
        value = split_heads(module.value_projection(arguments[0]), module.n_heads)
        return module.output_projection(merge_heads(weights @ value))

    handles = [attentions[name].register_forward_hook(attend, with_kwargs=True) for name in names]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def without_the_largest(
    weights: Float[Tensor, "*batch queries keys"],
) -> Float[Tensor, "*batch queries keys"]:
    """Set each query's largest weight to zero, and scale the others up to a sum of one.

    A query whose whole weight lies on one key is left with zeros.
    """
    largest = weights.argmax(dim=-1, keepdim=True)
    rest = weights.scatter(-1, largest, 0.0)
    total = rest.sum(dim=-1, keepdim=True)
    return torch.where(total > 0, rest / total.clamp(min=torch.finfo(rest.dtype).tiny), 0.0)


def _attentions(model: nn.Module) -> dict[str, MultiHeadAttention]:
    return {
        name: module
        for name, module in model.named_modules()
        if isinstance(module, MultiHeadAttention)
    }
