"""A reader of pairs: what the chapter on open questions trains with and without skips.

Each token holds a key and its value; no positions, since a dictionary has no order.
"""

from jaxtyping import Float, Int
from torch import Tensor, nn

from softlookup.layers.stacks import Stack


class PairReader(nn.Module):
    """Embed pairs of symbols, pass them through a stack, and name a symbol at each.

    Args:
        n_symbols: how many symbols there are, for keys, values and answers alike.
        d_model: the width of the stack.
        stack: what lies between embedding and answer.
    """

    def __init__(self, n_symbols: int, d_model: int, stack: Stack) -> None:
        super().__init__()
        self.key_embedding = nn.Embedding(n_symbols, d_model)
        self.value_embedding = nn.Embedding(n_symbols, d_model)
        self.stack = stack
        self.to_symbols = nn.Linear(d_model, n_symbols)

    def embed(
        self, keys: Int[Tensor, "batch pairs"], values: Int[Tensor, "batch pairs"]
    ) -> Float[Tensor, "batch pairs d_model"]:
        """The sum of the embeddings of key and value."""
        return self.key_embedding(keys) + self.value_embedding(values)

    def forward(
        self, keys: Int[Tensor, "batch pairs"], values: Int[Tensor, "batch pairs"]
    ) -> Float[Tensor, "batch pairs n_symbols"]:
        """The logits of the answer at each pair."""
        return self.to_symbols(self.stack(self.embed(keys, values)))
