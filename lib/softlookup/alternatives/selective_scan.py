"""A selective state space: a state of fixed size, and each token chooses what it does to it.

The state fades and is written to, as in a linear recurrent network, but how much it fades, what is
written and what is read depend on the token. Because the step from state to state is linear, all
states of a text can still be found at once. It stands here twice: ``selective_scan`` takes whole
texts, ``scan_by_steps`` takes a ``step`` for each token; a test holds the two equal. The layer
around it, which is called Mamba, is a ``SelectiveStateSpace``. The chapter on today's model sets it
beside attention.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

# From x, duration, fading, write, read and the state before to what is read and the state after.
Scan = Callable[[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor | None], tuple[Tensor, Tensor]]


def step(
    x: Float[Tensor, "*batch d_inner"],
    duration: Float[Tensor, "*batch d_inner"],
    fading: Float[Tensor, "d_inner d_state"],
    write: Float[Tensor, "*batch d_state"],
    read: Float[Tensor, "*batch d_state"],
    state: Float[Tensor, "*batch d_inner d_state"] | None = None,
) -> tuple[Float[Tensor, "*batch d_inner"], Float[Tensor, "*batch d_inner d_state"]]:
    """One token: H ← exp(Δ A) ⊙ H + (Δ x) Bᵀ; y = H C.

    Each channel of x has ``d_state`` numbers of the state to itself. The paper's equation 4 would
    write with the exact integral over the token's duration. Its code and all released models write
    with Δ B, the first term of it, and so does this.

    Args:
        x: what the token holds.
        duration: Δ, how long each channel lasts: near 0 the token is passed over, and where it is
            long the state forgets what came before.
        fading: A, below zero: how fast each number of the state fades.
        write: B, with what a channel is entered into the state.
        read: C, with what the state is asked.
        state: H before the token; None for zeros.

    Returns:
        What the token reads, and the state with the token in it, as large as before.

    Raises:
        ValueError: if the fading grows.

    Source: Gu and Dao 2023, equation 2a and algorithm 2.
    """
    _require_fading(fading)
    decay, added = _step_of_each(x, duration, fading, write)
    state = added if state is None else decay * state + added
    return (state @ read.unsqueeze(-1)).squeeze(-1), state


def selective_scan(
    x: Float[Tensor, "*batch length d_inner"],
    duration: Float[Tensor, "*batch length d_inner"],
    fading: Float[Tensor, "d_inner d_state"],
    write: Float[Tensor, "*batch length d_state"],
    read: Float[Tensor, "*batch length d_state"],
    state: Float[Tensor, "*batch d_inner d_state"] | None = None,
) -> tuple[Float[Tensor, "*batch length d_inner"], Float[Tensor, "*batch d_inner d_state"]]:
    """All tokens of a text, in as many rounds as the length can be halved.

    Two steps h ← a h + b are together one such step, (a₂ a₁) h + (a₂ b₁ + b₂). So each token
    first takes in the one before it, then the pair before those, then four, until all are in.

    Args:
        x: what each token holds.
        duration: Δ, as in ``step``.
        fading: A, below zero.
        write: B of each token.
        read: C of each token.
        state: H before the first token; None for zeros.

    Returns:
        What each token reads, and the state after the last.

    Raises:
        ValueError: if there is no token, or if the fading grows.

    Source: Gu and Dao 2023, section 3.3.2, for the scan; Hillis and Steele 1986 for its rounds.
    """
    _require_fading(fading)
    length = _require_tokens(x)
    decay, added = _step_of_each(x, duration, fading, write)
    reach = 1
    while reach < length:
        # Before the first token nothing is added, and nothing fades.
        added = added + decay * _moved(added, reach, 0.0)
        decay = decay * _moved(decay, reach, 1.0)
        reach *= 2
    states = added if state is None else added + decay * state.unsqueeze(-3)
    return (states @ read.unsqueeze(-1)).squeeze(-1), states[..., -1, :, :]


def scan_by_steps(
    x: Float[Tensor, "*batch length d_inner"],
    duration: Float[Tensor, "*batch length d_inner"],
    fading: Float[Tensor, "d_inner d_state"],
    write: Float[Tensor, "*batch length d_state"],
    read: Float[Tensor, "*batch length d_state"],
    state: Float[Tensor, "*batch d_inner d_state"] | None = None,
) -> tuple[Float[Tensor, "*batch length d_inner"], Float[Tensor, "*batch d_inner d_state"]]:
    """The same as ``selective_scan``, token after token: more rounds, and less to compute in all.

    Raises:
        ValueError: if there is no token, or if the fading grows.

    Source: Gu and Dao 2023, equation 2a.
    """
    _require_tokens(x)
    if state is None:
        state = x.new_zeros(*x.shape[:-2], *fading.shape)
    found = []
    for token in zip(*(each.unbind(-2) for each in (x, duration, write, read)), strict=True):
        held, lasts, entered, asked = token
        output, state = step(held, lasts, fading, entered, asked, state)
        found.append(output)
    return torch.stack(found, dim=-2), state


@dataclass(frozen=True, eq=False)
class ScanState:
    """What a layer keeps of a text, however long it was.

    Attributes:
        recent: what the convolution still needs of the last tokens.
        summary: the state H of the scan.
    """

    recent: Float[Tensor, "batch recent d_inner"]
    summary: Float[Tensor, "batch d_inner d_state"]


class SelectiveStateSpace(nn.Module):
    """Mamba's layer, which stands where attention and the feed-forward network stood.

    A convolution blends each token with the few before it, the scan carries it on, and a gate
    decides what of it comes out.

    Args:
        d_model: the width of a token.
        d_inner: how many channels there are; the paper takes twice ``d_model``.
        d_state: how many numbers of the state each channel has.
        kernel_size: how many tokens the convolution sees, the token itself the last.
        rank: the width through which the durations are computed; released models take a sixteenth
            of ``d_model``.
        scan: how the states of a text are found; ``scan_by_steps`` gives the same.

    Raises:
        ValueError: if a size is not positive.

    Source: Gu and Dao 2023, figure 3; section 3.6 for how it starts.
    """

    def __init__(
        self,
        d_model: int,
        d_inner: int,
        d_state: int = 16,
        kernel_size: int = 4,
        rank: int = 1,
        scan: Scan = selective_scan,
    ) -> None:
        super().__init__()
        if min(d_model, d_inner, d_state, kernel_size, rank) < 1:
            raise ValueError(
                f"d_model is {d_model}, d_inner is {d_inner}, d_state is {d_state}, kernel_size "
                f"is {kernel_size} and rank is {rank}; expected at least 1 each"
            )
        self.sizes = (rank, d_state, d_state)
        self.scan = scan
        self.input_projection = nn.Linear(d_model, 2 * d_inner, bias=False)
        self.convolution = nn.Conv1d(d_inner, d_inner, kernel_size, groups=d_inner)
        self.choice_projection = nn.Linear(d_inner, sum(self.sizes), bias=False)
        self.duration_projection = nn.Linear(rank, d_inner)
        self.output_projection = nn.Linear(d_inner, d_model, bias=False)
        # A = -1, -2, ..., -d_state in every channel, as its logarithm, so that it stays below zero.
        speeds = torch.arange(1, d_state + 1).log()
        self.log_speed = nn.Parameter(speeds.repeat(d_inner, 1))
        self.passing = nn.Parameter(torch.ones(d_inner))
        self._draw_durations()

    def forward(
        self, x: Float[Tensor, "batch length d_model"], state: ScanState | None = None
    ) -> tuple[Float[Tensor, "batch length d_model"], ScanState]:
        """Read some tokens: a whole text at once, or the next of it.

        Args:
            x: the tokens.
            state: what was kept of the tokens before them; None at the beginning of a text.

        Returns:
            What each token becomes, and what is kept for the tokens that follow.

        Raises:
            ValueError: if there is no token, or if the tokens have another width.
        """
        if x.size(-1) != self.input_projection.in_features or x.size(1) == 0:
            raise ValueError(
                f"the tokens have shape {tuple(x.shape)}; expected (batch, length, "
                f"{self.input_projection.in_features}) with a length of at least 1"
            )
        held, gate = self.input_projection(x).chunk(2, dim=-1)
        recent = self.convolution.kernel_size[0] - 1
        before = held.new_zeros(len(x), recent, held.size(-1)) if state is None else state.recent
        joined = torch.cat((before, held), dim=1)
        held = F.silu(self.convolution(joined.mT).mT)
        narrow, write, read = self.choice_projection(held).split(self.sizes, dim=-1)
        duration = F.softplus(self.duration_projection(narrow))
        summary = None if state is None else state.summary
        found, summary = self.scan(held, duration, -self.log_speed.exp(), write, read, summary)
        output = self.output_projection((found + self.passing * held) * F.silu(gate))
        return output, ScanState(joined[:, joined.size(1) - recent :], summary)

    @torch.no_grad()
    def _draw_durations(self, shortest: float = 0.001, longest: float = 0.1) -> None:
        """Start with durations from a thousandth to a tenth, as many in each octave."""
        spread = self.duration_projection.in_features**-0.5
        nn.init.uniform_(self.duration_projection.weight, -spread, spread)
        logarithms = torch.empty_like(self.duration_projection.bias)
        duration = logarithms.uniform_(math.log(shortest), math.log(longest)).exp()
        # The inverse of softplus.
        self.duration_projection.bias.copy_(duration + torch.log(-torch.expm1(-duration)))


def _step_of_each(
    x: Tensor, duration: Tensor, fading: Tensor, write: Tensor
) -> tuple[Tensor, Tensor]:
    """What the state is multiplied by and what is added to it, (..., d_inner, d_state)."""
    decay = torch.exp(duration.unsqueeze(-1) * fading)
    return decay, (duration * x).unsqueeze(-1) * write.unsqueeze(-2)


def _moved(states: Tensor, places: int, beginning: float) -> Tensor:
    """Each token's state handed on to the token so many places later."""
    return F.pad(states, (0, 0, 0, 0, places, 0), value=beginning)[..., : states.size(-3), :, :]


def _require_tokens(x: Tensor) -> int:
    if x.size(-2) == 0:
        raise ValueError("there are 0 tokens; expected at least 1")
    return x.size(-2)


def _require_fading(fading: Tensor) -> None:
    if (fading > 0).any():
        raise ValueError(
            f"the fading goes up to {fading.max():.3g}; expected nothing above zero, because a "
            "state that grows of itself has no bound"
        )
