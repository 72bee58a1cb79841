"""The parts that blocks are built of today: what a ``BlockConfig`` may ask for instead of 2017's.

Each function here makes a part from a config, or returns a function that does. The block's own
formula stays as it is, so one change at a time can be tried, as in the chapter on today's model.
"""

from torch import nn

from softlookup.layers.blocks import BlockConfig, MakePart
from softlookup.layers.feed_forward import SwiGLU
from softlookup.layers.grouped_query import GroupedQueryAttention, NormedQueryKeyAttention
from softlookup.layers.mixture_of_experts import MixtureOfExperts


def rms_norm(config: BlockConfig) -> nn.Module:
    """An RMSNorm in one kernel, which takes the squares of 16-bit numbers in 32 bits.

    Source: Zhang and Sennrich 2019, equation 4.
    """
    return nn.RMSNorm(config.d_model, eps=config.epsilon)


def swiglu(config: BlockConfig) -> nn.Module:
    """A gated network without biases. It is of the size of 2017's at two thirds of its ``d_ff``.

    Source: Shazeer 2020, equation 6.
    """
    return SwiGLU(config.d_model, config.d_ff)


def grouped_query(n_key_value_heads: int, d_head: int | None = None) -> MakePart:
    """Attention whose heads share heads of keys and values, without biases.

    Args:
        n_key_value_heads: how many heads of keys and values; as many as heads for multi-head
            attention, one for multi-query attention.
        d_head: as in ``GroupedQueryAttention``.

    Source: Ainslie et al. 2023, section 2.2.
    """

    def make(config: BlockConfig) -> nn.Module:
        return GroupedQueryAttention(
            config.d_model, config.n_heads, n_key_value_heads, d_head, config.rotate_positions
        )

    return make


def normed_query_key(n_key_value_heads: int, d_head: int | None = None) -> MakePart:
    """The same, with queries and keys normalised.

    Args:
        n_key_value_heads: as in ``grouped_query``.
        d_head: as in ``grouped_query``.

    Source: Henry et al. 2020; Yang et al. 2025 (Qwen3), section 2.
    """

    def make(config: BlockConfig) -> nn.Module:
        return NormedQueryKeyAttention(
            config.d_model,
            config.n_heads,
            n_key_value_heads,
            d_head,
            config.rotate_positions,
            config.epsilon,
        )

    return make


def experts(n_experts: int, n_chosen: int) -> MakePart:
    """Gated networks of the config's ``d_ff``, of which each token passes through a few.

    Args:
        n_experts: how many there are.
        n_chosen: how many each token passes through.

    Source: Shazeer et al. 2017; Jiang et al. 2024 (Mixtral), section 2.1.
    """

    def make(config: BlockConfig) -> nn.Module:
        return MixtureOfExperts(config.d_model, config.d_ff, n_experts, n_chosen)

    return make


def without_biases(make: MakePart) -> MakePart:
    """The same part, with the biases of all its linear layers and norms taken away.

    Args:
        make: makes the part with them.

    Source: Chowdhery et al. 2022 (PaLM), section 2, for models without any.
    """

    def make_bare(config: BlockConfig) -> nn.Module:
        part = make(config)
        for module in part.modules():
            if isinstance(module, nn.Linear | nn.LayerNorm):
                module.register_parameter("bias", None)
        return part

    return make_bare
