"""A Transformer of attention alone: no feed-forward networks, so that every step can be followed.

The chapter on looking inside grows an induction circuit in two layers of it. All that a layer
does is to move vectors between places of the residual stream.
"""

from jaxtyping import Float, Int
from torch import Tensor, nn

from softlookup.layers.embeddings import TokenEmbedding
from softlookup.layers.multi_head import MultiHeadAttention
from softlookup.layers.positional_encodings import LearnedPositions
from softlookup.layers.visibility import CAUSAL


class AttentionOnly(nn.Module):
    """Embeddings, learned positions, causal attention with residuals, a last norm, and scores.

    Args:
        vocab_size: how many tokens there are.
        max_length: the longest sequence.
        d_model: the width of a token.
        n_heads: how many heads in each layer.
        n_layers: how many layers.
        spread: the standard deviation of the layers' untrained matrices.

    Raises:
        ValueError: if there is no layer, or if another size does not fit.

    Source: Elhage et al. 2021, with a norm before each layer.
    """

    def __init__(
        self,
        vocab_size: int,
        max_length: int,
        d_model: int,
        n_heads: int,
        n_layers: int,
        spread: float = 0.02,
    ) -> None:
        super().__init__()
        if n_layers < 1:
            raise ValueError(f"n_layers is {n_layers}; expected at least 1")
        self.embedding = TokenEmbedding(vocab_size, d_model, max_length, spread=1.0)
        self.positions = LearnedPositions(max_length, d_model)
        nn.init.normal_(self.positions.table)
        self.layers = nn.ModuleList(MultiHeadAttention(d_model, n_heads) for _ in range(n_layers))
        self.norms = nn.ModuleList(nn.LayerNorm(d_model) for _ in range(n_layers))
        self.final_norm = nn.LayerNorm(d_model)
        self.scores = nn.Linear(d_model, vocab_size)
        for layer in self.layers.modules():
            if isinstance(layer, nn.Linear):
                nn.init.normal_(layer.weight, std=spread)
                nn.init.zeros_(layer.bias)

    def forward(
        self, tokens: Int[Tensor, "batch length"]
    ) -> Float[Tensor, "batch length vocab_size"]:
        """Score every next token.

        Raises:
            ValueError: if the tokens are empty, too long or outside the vocabulary.
        """
        x = self.positions(self.embedding(tokens))
        for norm, attend in zip(self.norms, self.layers, strict=True):
            x = x + attend(norm(x), visible=CAUSAL)
        return self.scores(self.final_norm(x))
