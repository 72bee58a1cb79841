"""The direction of the gradient where the gradient itself is too small for float64.

As W grows, the weights of the tokens that lose fall below 1e-308, and the gradient of the loss with
them: float64 holds only zeros. Its direction does not vanish. Each of its terms has one such weight
for a factor, so that all of them can be scaled by the largest, in logarithms, before anything is
lost. The chapter on support vector machines tells with it what a training does from what float64
does.
"""

import math

import torch
from jaxtyping import Float
from torch import Tensor

from softlookup.margins.token_selection import TokenSelection, token_worths


def selection_direction(
    problem: TokenSelection, W: Float[Tensor, "*runs d_model d_model"]
) -> Float[Tensor, "*runs d_model d_model"]:
    """The gradient of the loss, divided by the largest weight of a token that is not the favourite.

    For each run the terms ℓ'(m) a_t (γ_t - m) (x_t - x_s) zᵀ, with the favourite token s, are
    those of ``selection_gradient``; the a_t are divided by the greatest of them over all inputs.
    The direction is that of the gradient, at scores of any size.
    """
    asked = problem.queries @ W.transpose(-2, -1)
    scores = (problem.tokens @ asked[..., None]).squeeze(-1)
    worths, log_weights = token_worths(problem), torch.log_softmax(scores, dim=-1)
    favourite = log_weights.argmax(dim=-1, keepdim=True)
    of_losers = log_weights.scatter(-1, favourite, -math.inf)
    scaled = (of_losers - of_losers.amax(dim=(-2, -1), keepdim=True)).exp()
    signed_output = (worths * log_weights.exp()).sum(dim=-1, keepdim=True)
    factors = -torch.sigmoid(-signed_output) * scaled * (worths - signed_output)
    chosen = favourite[..., None].expand(*favourite.shape, problem.tokens.size(-1))
    differences = problem.tokens - problem.tokens.gather(-2, chosen)
    pulls = (factors[..., None, :] @ differences).squeeze(-2)
    return pulls.transpose(-2, -1) @ problem.queries / problem.tokens.size(-3)
