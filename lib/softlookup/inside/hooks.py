"""Hooks: what all that looks into a running model has in common.

A hook is a function that a module calls on what it is given or on what it gives. ``hooked``
takes hooks away again, and ``AttentionCall`` reads what an attention was called with.
"""

import inspect
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from jaxtyping import Float
from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle

from softlookup.layers.multi_head import MultiHeadAttention, attention_weights
from softlookup.layers.visibility import Visibility

_FORWARD = inspect.signature(MultiHeadAttention.forward)


@contextmanager
def hooked(handles: Sequence[RemovableHandle]) -> Iterator[None]:
    """Within the block the hooks are in place; after it they are gone, whatever happened."""
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def attentions(model: nn.Module) -> dict[str, MultiHeadAttention]:
    """Every attention within a model, by its name there."""
    return {
        name: module
        for name, module in model.named_modules()
        if isinstance(module, MultiHeadAttention)
    }


@dataclass(frozen=True, eq=False)
class AttentionCall:
    """One call of an attention, as a hook sees it.

    The cache is left out: hooks serve whole sequences, so there is none.

    Attributes:
        module: the attention.
        x: the tokens that ask.
        memory: the tokens that answer; ``x`` itself where it is None.
        visible: what the tokens that ask may see.
    """

    module: MultiHeadAttention
    x: Float[Tensor, "batch queries d_model"]
    memory: Float[Tensor, "batch keys d_model"] | None
    visible: Visibility

    @classmethod
    def of(
        cls,
        module: MultiHeadAttention,
        arguments: tuple[Any, ...],
        named_arguments: Mapping[str, Any],
    ) -> "AttentionCall":
        """The call with these arguments."""
        call = _FORWARD.bind(module, *arguments, **named_arguments)
        call.apply_defaults()
        given = call.arguments
        return cls(module, given["x"], given["memory"], given["visible"])

    def weights(self) -> Float[Tensor, "batch heads queries keys"]:
        """How much each query takes from each key, computed anew."""
        return attention_weights(self.module, self.x, self.memory, self.visible)
