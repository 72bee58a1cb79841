"""Linear attention that forgets: before a token is added, the state is scaled by a gate.

The chapter on the quadratic wall races it. The gate is the LSTM's forget gate, one number below 1
for each token and head, which the text sets; it fades all that was filed before.
"""

import torch
from jaxtyping import Float
from torch import Tensor

from softlookup.alternatives.linear_attention import FeatureMap, positive_features
from softlookup.layers import masks
from softlookup.layers.fit import require_query_for_each_key, require_value_for_each_key


def gated_linear_attention(
    query: Float[Tensor, "*batch length d_head"],
    key: Float[Tensor, "*batch length d_head"],
    value: Float[Tensor, "*batch length d_value"],
    log_gate: Float[Tensor, "*batch length"],
    features: FeatureMap = positive_features,
) -> Float[Tensor, "*batch length d_value"]:
    """Causal linear attention whose state fades: S ← g S + φ(k)(v, 1)ᵀ; y = Sᵀφ(q), normalised.

    A key that was filed at place j weighs g_{j+1} … g_i times as much at place i. Token by token
    this is a recurrence with a state that does not grow; here all weights of a text are computed
    at once, which is quadratic.

    Args:
        query: what is asked.
        key: what each entry answers to.
        value: what each entry holds.
        log_gate: log g of each token, finite and at most 0.
        features: φ, as in ``linear_attention``.

    Raises:
        ValueError: if query, key, value and gate do not fit.

    Source: Dao and Gu 2024 (Mamba-2), section 5, for a gate a head; Yang et al. 2024 (gated linear
    attention), section 4. The normaliser is that of Katharopoulos et al. 2020, equation 9.
    """
    require_query_for_each_key(query, key)
    require_value_for_each_key(key, value)
    if log_gate.size(-1) != key.size(-2):
        raise ValueError(
            f"there are {key.size(-2)} keys and {log_gate.size(-1)} gates; expected one for each"
        )
    faded = log_gate.cumsum(dim=-1)
    since = faded.unsqueeze(-1) - faded.unsqueeze(-2)
    # Ahead of the query the sums would grow without bound, so they are hidden before the exponent.
    hidden = ~masks.causal(key.size(-2)).to(key.device)
    kept = since.masked_fill(hidden, -torch.inf).exp()
    weights = features(query) @ features(key).mT * kept
    return weights @ value / weights.sum(dim=-1, keepdim=True)
