"""Interventions: run a model with something inside it exchanged, and see what comes out.

Looking says what is there; only exchanging it says what it is for. The chapter on looking inside
ablates heads, patches their outputs from another run (activation patching), and takes the
largest weight from a head. Models are left as they were: everything happens in hooks, which are
removed afterwards.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle

from softlookup.inside.hooks import AttentionCall, attentions, hooked
from softlookup.layers.multi_head import MultiHeadAttention, merge_heads, split_heads

# A head: the name of its module within the model, and its number there, counted from 0.
Head = tuple[str, int]


@torch.no_grad()
def head_outputs(
    model: nn.Module, *inputs: Tensor | None
) -> dict[str, Float[Tensor, "batch heads queries d_head"]]:
    """Run the model, and record what each head gives, before the heads are mixed.

    Args:
        model: a model that attends by ``MultiHeadAttention``.
        inputs: what the model is called with.

    Returns:
        The heads' outputs, by the name of the module within the model.
    """
    found: dict[str, Tensor] = {}

    def hook(name: str, module: MultiHeadAttention) -> RemovableHandle:
        def record(_: nn.Module, arguments: tuple[Tensor, ...]) -> None:
            found[name] = split_heads(arguments[0], module.n_heads).clone()

        return module.output_projection.register_forward_pre_hook(record)

    with hooked([hook(name, module) for name, module in attentions(model).items()]):
        model(*inputs)
    return found


@contextmanager
def replaced(
    model: nn.Module, heads: Mapping[Head, Float[Tensor, "*#batch #queries #d_head"] | float]
) -> Iterator[None]:
    """Within the block, the outputs of some heads are patched: they give the values named here.

    With values of another run, this is activation patching.

    Args:
        model: a model that attends by ``MultiHeadAttention``.
        heads: for each head what it gives: a number, or a tensor that broadcasts to
            (batch, queries, d_head).

    Raises:
        ValueError: if the model has no such head.

    Source: Vig et al. 2020; Meng et al. 2022, section 2, for whole layers.
    """
    modules = attentions(model)
    of_module: dict[str, dict[int, Tensor | float]] = {}
    for (name, head), values in heads.items():
        if name not in modules or not 0 <= head < modules[name].n_heads:
            raise ValueError(
                f"there is no head {head} of {name!r}; expected one of "
                f"{ {each: module.n_heads for each, module in modules.items()} }, "
                "modules with their number of heads, counted from 0"
            )
        of_module.setdefault(name, {})[head] = values

    def hook(module: MultiHeadAttention, patches: dict[int, Tensor | float]) -> RemovableHandle:
        def patch(_: nn.Module, arguments: tuple[Tensor, ...]) -> tuple[Tensor]:
            # A copy, so that a tensor which someone else holds stays as it is.
            outputs = split_heads(arguments[0], module.n_heads).clone()
            for head, values in patches.items():
                outputs[:, head] = values
            return (merge_heads(outputs),)

        return module.output_projection.register_forward_pre_hook(patch)

    with hooked([hook(modules[name], patches) for name, patches in of_module.items()]):
        yield


@contextmanager
def ablated(model: nn.Module, heads: Sequence[Head]) -> Iterator[None]:
    """Within the block, some heads are ablated: they give zeros.

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
    modules = attentions(model)
    unknown = [name for name in names if name not in modules]
    if unknown:
        raise ValueError(f"names has {unknown}; expected some of {[*modules]}")

    def attend(
        module: MultiHeadAttention,
        arguments: tuple[Any, ...],
        named: dict[str, Any],
        _: Tensor,
    ) -> Tensor:
        call = AttentionCall.of(module, arguments, named)
        value = split_heads(module.value_projection(call.x), module.n_heads)
        return module.output_projection(merge_heads(change(call.weights()) @ value))

    with hooked([modules[name].register_forward_hook(attend, with_kwargs=True) for name in names]):
        yield


def without_the_largest(
    weights: Float[Tensor, "*batch queries keys"],
) -> Float[Tensor, "*batch queries keys"]:
    """Set each query's largest weight to zero, and scale the others up to a sum of one.

    These are two changes. Where the largest weight lies on an attention sink, the second can do
    more than the first: the chapter on looking inside makes the first alone. A query whose whole
    weight lies on one key is left with zeros.
    """
    largest = weights.argmax(dim=-1, keepdim=True)
    rest = weights.scatter(-1, largest, 0.0)
    total = rest.sum(dim=-1, keepdim=True)
    return torch.where(total > 0, rest / total.clamp(min=torch.finfo(rest.dtype).tiny), 0.0)
