"""Llama: the decoder that most released models share, GPT with each part in today's form.

RMSNorm in place of LayerNorm, SwiGLU in place of two layers, rotary positions in place of a table,
heads that share keys and values, and no biases. The chapter on today's model makes these changes
one at a time. Tests hold its logits equal to those of Hugging Face's Llama, Mistral and Qwen3.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from softlookup.layers.block_parts import grouped_query, normed_query_key, rms_norm, swiglu
from softlookup.layers.blocks import BlockConfig
from softlookup.layers.embeddings import TokenEmbedding
from softlookup.layers.grouped_query import width_of_heads
from softlookup.layers.multi_head import KeyValueCache
from softlookup.layers.positional_encodings import HalvedRotaryPositions
from softlookup.layers.stacks import Stack, draw_weights
from softlookup.layers.visibility import CAUSAL

# The standard deviation of untrained weights, in the released configurations as in GPT-2.
INITIAL_STD = 0.02


@dataclass(frozen=True)
class LlamaConfig:
    """The sizes and choices of a Llama.

    Llama 3 of 8 billion parameters is ``LlamaConfig(vocab_size=128256, max_length=8192,
    d_model=4096, n_heads=32, n_key_value_heads=8, n_layers=32, d_ff=14336, rotary_base=5e5)``.

    Attributes:
        vocab_size: how many tokens there are.
        max_length: the longest text, the context window.
        d_model: the width of a token.
        n_heads: how many heads ask in each attention.
        n_key_value_heads: how many heads of keys and values answer them.
        n_layers: how many blocks.
        d_ff: the inner width of the gated networks.
        d_head: the width of a head; ``d_model / n_heads`` where it is None.
        rotary_base: as ``base`` in ``positions.rotate_halves``.
        epsilon: of the norms.
        tied: whether the output is the table of embeddings once more.
        query_key_norm: whether queries and keys are normalised, as in Qwen3.

    Raises:
        ValueError: if no ``d_head`` is given and the heads do not divide the width.
    """

    vocab_size: int
    max_length: int
    d_model: int
    n_heads: int
    n_key_value_heads: int
    n_layers: int
    d_ff: int
    d_head: int | None = None
    rotary_base: float = 10000.0
    epsilon: float = 1e-5
    tied: bool = False
    query_key_norm: bool = False

    def __post_init__(self) -> None:
        """Refuse heads without a width."""
        width_of_heads(self.d_model, self.n_heads, self.d_head)


class Llama(nn.Module):
    """Embeddings, today's pre-norm blocks under a causal mask, and a score for every token.

    Args:
        config: the sizes and choices.

    Raises:
        ValueError: if a size is not positive, or if the heads do not divide.

    Source: Touvron et al. 2023, section 2.2, for the parts; Dubey et al. 2024 (Llama 3),
        section 3.2, for heads that share keys and values in all sizes.
    """

    def __init__(self, config: LlamaConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = TokenEmbedding(
            config.vocab_size, config.d_model, config.max_length, INITIAL_STD
        )
        self.positions = HalvedRotaryPositions(config.rotary_base)
        attention = normed_query_key if config.query_key_norm else grouped_query
        block = BlockConfig(
            config.d_model,
            config.n_heads,
            config.d_ff,
            rotate_positions=self.positions.rotate,
            epsilon=config.epsilon,
            make_attention=attention(config.n_key_value_heads, config.d_head),
            make_network=swiglu,
            make_norm=rms_norm,
        )
        self.stack = Stack(config.n_layers, block)
        draw_weights(self.stack, INITIAL_STD)
        self.unembedding: nn.Linear | None = None
        if not config.tied:
            self.unembedding = nn.Linear(config.d_model, config.vocab_size, bias=False)
            nn.init.normal_(self.unembedding.weight, std=INITIAL_STD)

    def forward(
        self,
        tokens: Int[Tensor, "batch length"],
        caches: list[KeyValueCache] | None = None,
    ) -> Float[Tensor, "batch length vocab_size"]:
        """Score every next token at once.

        Args:
            tokens: the text; with caches, what is new of it.
            caches: what ``make_caches`` gave, for generating without computing anything twice.

        Returns:
            The logits: at each position, a score for each token that may follow.

        Raises:
            ValueError: if the tokens are empty, too long together with what the caches hold, or
                outside the vocabulary.
        """
        x = self.embedding(tokens)
        end = tokens.size(1) + (0 if caches is None else caches[0].length)
        if end > self.config.max_length:
            raise ValueError(
                f"the text has {end} tokens; expected at most {self.config.max_length}, the "
                "model's max_length"
            )
        x = self.stack(x, CAUSAL, caches)
        return self.embedding.scores(x) if self.unembedding is None else self.unembedding(x)

    def make_caches(self, batch: int, length: int | None = None) -> list[KeyValueCache]:
        """A cache for each block, which holds the shared heads alone.

        Args:
            batch: how many texts are generated together.
            length: for how many tokens there is room; the context window where it is None.
        """
        config, like = self.config, self.embedding.table
        length = config.max_length if length is None else length
        shared = config.n_key_value_heads
        d_head = width_of_heads(config.d_model, config.n_heads, config.d_head)
        return [
            KeyValueCache(batch, shared, length, d_head, like.dtype, like.device)
            for _ in range(config.n_layers)
        ]


def cache_bytes_per_token(config: LlamaConfig, dtype: torch.dtype = torch.bfloat16) -> int:
    """How many bytes the caches of a model grow by with each token of a text.

    A key and a value for each shared head in each block: 2 n_layers n_key_value_heads d_head
    numbers. Multi-head attention has as many shared heads as heads.

    Args:
        config: the model's.
        dtype: the type of the keys and values.

    Source: Ainslie et al. 2023, section 2.2; Shazeer 2019, section 2.4, for what it costs to read.
    """
    d_head = width_of_heads(config.d_model, config.n_heads, config.d_head)
    return 2 * config.n_layers * config.n_key_value_heads * d_head * dtype.itemsize
