"""Visibility: what the queries of an attention may see, said once for all that it goes through.

A model states it, a stack gives it to every block, and the attention of the block applies it.
``EVERYTHING`` and ``CAUSAL`` are the two that need no tensors.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from softlookup.layers.fit import require_boolean


@dataclass(frozen=True, eq=False)
class Visibility:
    """What each query may see of the keys, and what is added to its scores.

    Attributes:
        mask: True where a query may look, (queries, keys) or (batch, queries or 1, keys); it
            serves all heads.
        causal: look only at yourself and at what came before; it adds to the mask. The queries
            are the last tokens among the keys.
        bias: added to the scores after scaling, such as ``positions.alibi_bias``.

    Raises:
        ValueError: if the mask is not boolean.
    """

    mask: Bool[Tensor, "*#batch #queries keys"] | None = None
    causal: bool = False
    bias: Float[Tensor, "*#batch_heads queries keys"] | None = None

    def __post_init__(self) -> None:
        require_boolean(self.mask)

    def needs_no_mask(
        self,
        query: Float[Tensor, "batch heads queries d_head"],
        key: Float[Tensor, "batch key_heads keys d_head"],
    ) -> bool:
        """Whether the kernel's own causal mask is all there is: the fastest way.

        It is aligned to the first key, so it is right for as many queries as keys alone.
        """
        alone = self.mask is None and self.bias is None
        return self.causal and alone and query.size(2) == key.size(2)

    def joined_mask(
        self,
        query: Float[Tensor, "batch heads queries d_head"],
        key: Float[Tensor, "batch key_heads keys d_head"],
    ) -> Bool[Tensor, "*#batch_heads #queries keys"] | None:
        """The mask over the scores of all heads: the given one, joined with the causal one.

        Raises:
            ValueError: if the given mask does not fit the queries and keys.
        """
        batch, _, queries, _ = query.shape
        keys = key.size(2)
        mask = self.mask
        if mask is not None:
            if mask.shape not in {(queries, keys), (batch, queries, keys), (batch, 1, keys)}:
                raise ValueError(
                    f"the mask has shape {tuple(mask.shape)}; expected {(queries, keys)}, "
                    f"{(batch, queries, keys)} or {(batch, 1, keys)}, True where a query may look"
                )
            if mask.dim() == 3:
                mask = mask.unsqueeze(1)  # one mask for all heads
        if not self.causal or queries == 1:
            return mask
        # The queries are the last tokens: the diagonal ends in the last corner, not in the first.
        triangle = torch.ones(queries, keys, dtype=torch.bool, device=query.device)
        triangle = triangle.tril(keys - queries)
        return triangle if mask is None else mask & triangle


EVERYTHING = Visibility()
CAUSAL = Visibility(causal=True)
