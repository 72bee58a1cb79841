"""A mixture of experts: many feed-forward networks, of which each token passes through a few.

A model learns more the more weights it has, and each token costs more the more it passes through.
Here a router chooses for each token which experts see it, so weights grow and work does not. What
is chosen is never differentiated, so nothing keeps the router from sending every token to the same
few; the two losses do. The chapter on today's model shows what happens without.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from softlookup.layers.feed_forward import SwiGLU


@dataclass(frozen=True, eq=False)
class Routing:
    """Where a router sends some tokens.

    Attributes:
        probabilities: of all experts, for each token.
        chosen: the numbers of the chosen experts, the likeliest first.
        weights: of the chosen experts, in the same order; they sum to one.
    """

    probabilities: Float[Tensor, "*batch experts"]
    chosen: Int[Tensor, "*batch chosen"]
    weights: Float[Tensor, "*batch chosen"]

    def loads(self) -> Float[Tensor, " experts"]:
        """The share of all choices that falls to each expert; it carries no gradients."""
        counts = torch.bincount(self.chosen.flatten(), minlength=self.probabilities.size(-1))
        return counts.to(self.probabilities) / self.chosen.numel()


class Router(nn.Module):
    """Scores every expert for each token, and chooses the likeliest few.

    With one expert a token its weight is always one, and so the router learns nothing from what
    the expert gives.

    Args:
        d_model: the width of a token.
        n_experts: how many experts there are.
        n_chosen: how many of them each token passes through.

    Raises:
        ValueError: if a size is not positive, or if more are to be chosen than there are.

    Source: Shazeer et al. 2017, equations 3 to 5, without noise; Jiang et al. 2024 (Mixtral),
        section 2.1; Fedus et al. 2022, section 2.4, for probabilities in 32 bits.
    """

    def __init__(self, d_model: int, n_experts: int, n_chosen: int) -> None:
        super().__init__()
        if d_model < 1 or not 1 <= n_chosen <= n_experts:
            raise ValueError(
                f"d_model is {d_model}, n_experts is {n_experts} and n_chosen is {n_chosen}; "
                "expected at least 1 each, and no more chosen than there are"
            )
        self.n_chosen = n_chosen
        self.score_projection = nn.Linear(d_model, n_experts, bias=False)

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Routing:
        """Choose the experts of each token, whatever the other tokens are.

        Raises:
            ValueError: if the tokens have another width.
        """
        if x.size(-1) != self.score_projection.in_features:
            raise ValueError(
                f"the tokens have width {x.size(-1)}; expected "
                f"{self.score_projection.in_features}, the module's d_model"
            )
        scores = self.score_projection(x)
        probabilities = scores.softmax(dim=-1, dtype=torch.promote_types(x.dtype, torch.float32))
        weights, chosen = probabilities.topk(self.n_chosen, dim=-1)
        return Routing(probabilities, chosen, weights / weights.sum(dim=-1, keepdim=True))


class MixtureOfExperts(nn.Module):
    """Experts that are SwiGLU networks, and a router that sends each token to a few of them.

    No expert is ever full: each takes all tokens that are sent to it, so what a token becomes does
    not depend on the others.

    Args:
        d_model: the width of a token.
        d_ff: the inner width of each expert.
        n_experts: how many experts there are.
        n_chosen: how many of them each token passes through.

    Raises:
        ValueError: as ``Router`` and ``SwiGLU``.

    Source: Shazeer et al. 2017, equation 1; Jiang et al. 2024 (Mixtral), section 2.1.
    """

    def __init__(self, d_model: int, d_ff: int, n_experts: int, n_chosen: int) -> None:
        super().__init__()
        self.router = Router(d_model, n_experts, n_chosen)
        self.experts = nn.ModuleList(SwiGLU(d_model, d_ff) for _ in range(n_experts))

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """Average what the chosen experts make of each token.

        Raises:
            ValueError: if the tokens have another width.
        """
        routing: Routing = self.router(x)
        tokens = x.flatten(end_dim=-2)
        chosen, weights = (part.flatten(end_dim=-2) for part in (routing.chosen, routing.weights))
        output = torch.zeros_like(tokens)
        for number, expert in enumerate(self.experts):
            token, place = (chosen == number).nonzero(as_tuple=True)
            found = expert(tokens[token]) * weights[token, place, None].to(x)
            output = output.index_add(0, token, found)
        return output.view_as(x)


def load_balancing_loss(routing: Routing) -> Float[Tensor, ""]:
    """The number of experts times Σ f_i P_i: expert i's share of choices, and of probability.

    It is one where all shares are even. The choices have no gradient, so it pushes down the
    probabilities of those experts that are chosen most.

    Args:
        routing: of all tokens of a batch, in one layer.

    Source: Fedus et al. 2022, equations 4 to 6; for several experts a token, f_i is the share of
        all choices.
    """
    probability = routing.probabilities.flatten(end_dim=-2).mean(dim=0)
    return probability.numel() * (routing.loads() * probability).sum()


def importance_loss(routing: Routing) -> Float[Tensor, ""]:
    """The squared coefficient of variation of what each expert's weights sum to.

    It is zero where all experts count for as much, however many tokens each has.

    Args:
        routing: of all tokens of a batch, in one layer.

    Source: Shazeer et al. 2017, equations 6 and 7.
    """
    n_experts = routing.probabilities.size(-1)
    importance = routing.weights.new_zeros(n_experts).index_add(
        0, routing.chosen.flatten(), routing.weights.flatten()
    )
    return importance.var(correction=0) / importance.mean().square()


@contextmanager
def watch_routing(model: nn.Module) -> Iterator[list[Routing]]:
    """Collect what every router of a model decides while it runs, in the order computed.

    Inside ``with watch_routing(model) as routings:`` each call of the model adds a ``Routing`` for
    every router, with its gradients, so that the losses can be added to the model's own.

    Args:
        model: the model.

    Raises:
        ValueError: if it has no router.
    """
    routers = [module for module in model.modules() if isinstance(module, Router)]
    if not routers:
        raise ValueError(f"{type(model).__name__} has no Router; expected at least one")
    routings: list[Routing] = []

    def collect(module: nn.Module, arguments: tuple[Tensor, ...], output: Routing) -> None:
        routings.append(output)

    handles = [router.register_forward_hook(collect) for router in routers]
    try:
        yield routings
    finally:
        for handle in handles:
            handle.remove()
