"""A language model of blocks made to order: what stays the same when a block's parts change.

The chapter on today's model trains it once for every change to the block since GPT-2. Embedding,
last norm, start and output are those of ``GPT``; only what the config makes is exchanged.
"""

from jaxtyping import Float, Int
from torch import Tensor, nn

from softlookup.layers.blocks import BlockConfig
from softlookup.layers.embeddings import TokenEmbedding
from softlookup.layers.positional_encodings import Positions
from softlookup.layers.stacks import Stack, draw_weights
from softlookup.layers.visibility import Visibility

# The standard deviation of the untrained weights, as in GPT-2.
INITIAL_STD = 0.02


class NextTokenModel(nn.Module):
    """Embeddings, blocks as the config makes them under a causal mask, and the embeddings again.

    Args:
        vocab_size: how many tokens there are.
        max_length: the longest text, the context window.
        n_layers: how many blocks.
        block: how each is built. Positions that turn queries and keys are given here, too, as its
            ``rotate_positions``.
        positions: what is added to the embeddings, or to the scores.

    Raises:
        ValueError: if a size is not positive.

    Source: Radford et al. 2019, section 2.3.
    """

    def __init__(
        self,
        vocab_size: int,
        max_length: int,
        n_layers: int,
        block: BlockConfig,
        positions: Positions | None = None,
    ) -> None:
        super().__init__()
        self.embedding = TokenEmbedding(vocab_size, block.d_model, max_length, INITIAL_STD)
        self.positions = Positions() if positions is None else positions
        self.embedding.scale = self.positions.embedding_scale(INITIAL_STD)
        self.stack = Stack(n_layers, block)
        draw_weights(self.stack, INITIAL_STD)

    def forward(
        self, tokens: Int[Tensor, "batch length"]
    ) -> Float[Tensor, "batch length vocab_size"]:
        """Score every next token at once: at each position a score for each token that may follow.

        Raises:
            ValueError: if the tokens are empty, too long, or outside the vocabulary.
        """
        x = self.embedding(tokens)
        visible = Visibility(causal=True, bias=self.positions.bias(x))
        return self.embedding.scores(self.stack(self.positions(x), visible))
