"""Six ways to mix the tokens of a text under a causal rule, side by side.

The chapter on the quadratic wall derives each of them, and ``benchmarks/times_in_chapters.py``
measures their CPU times.
"""

from collections.abc import Callable

from torch import Tensor

from softlookup.alternatives.blockwise_attention import blockwise_attention
from softlookup.alternatives.hyena import Hyena, gated_convolutions
from softlookup.alternatives.linear_attention import linear_attention, window_attention
from softlookup.layers import masks
from softlookup.layers.attention import attention, fused_attention

# From query, key and value, each (1, 1, length, width), to what each token took from the earlier.
Mixer = Callable[[Tensor, Tensor, Tensor], Tensor]


def causal_mixers(width: int, max_length: int, window: int = 64) -> dict[str, Mixer]:
    """Attention by its definition and in five other ways.

    The first three compute the same, the others something else. Hyena takes the query and the
    key as its two gates, and computes its filters anew each time, as a layer does.

    Args:
        width: of query, key and value.
        max_length: the longest text.
        window: how many tokens the window looks at, its own among them.

    Returns:
        By name, functions of query, key and value, each (1, 1, length, width).
    """
    hyena = Hyena(width, max_length=max_length)
    return {
        "definition": lambda q, k, v: attention(q, k, v, masks.causal(q.size(-2)))[0],
        "blocks": lambda q, k, v: blockwise_attention(q, k, v, causal=True),
        "kernel": lambda q, k, v: fused_attention(q, k, v, causal=True),
        "Hyena": lambda q, k, v: gated_convolutions(
            v[0].mT, [k[0].mT, q[0].mT], hyena.long_filters(q.size(-2))
        ).mT[None],
        "window": lambda q, k, v: window_attention(q, k, v, window),
        "linear": linear_attention,
    }
