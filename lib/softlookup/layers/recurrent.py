"""Recurrent networks: one state, carried from token to token.

The chapter on the limits of recurrence derives both cells and measures what they forget. A cell
takes one step; the network around it is a loop over the sequence, and that loop cannot be run in
parallel. The weights have torch's layout, so a test copies them over and compares the outputs
with torch's.
"""

import math

import torch
from jaxtyping import Float
from torch import Tensor, nn


class RNNCell(nn.Module):
    """One step of the plain recurrent network: h' = tanh(W x + b + U h + c).

    Args:
        d_input: width of what is read at each step.
        d_hidden: width of the state.

    Raises:
        ValueError: if a width is not positive.

    Source: Elman 1990; the initialisation is torch's.
    """

    def __init__(self, d_input: int, d_hidden: int) -> None:
        super().__init__()
        _require_widths(d_input, d_hidden)
        self.input_projection = nn.Linear(d_input, d_hidden)
        self.state_projection = nn.Linear(d_hidden, d_hidden)
        _initialise(self, d_hidden)

    def forward(
        self, x: Float[Tensor, "batch d_input"], hidden: Float[Tensor, "batch d_hidden"]
    ) -> Float[Tensor, "batch d_hidden"]:
        """Read one token and return the next state."""
        return torch.tanh(self.input_projection(x) + self.state_projection(hidden))


class LSTMCell(nn.Module):
    """One step of the long short-term memory: gates decide what is kept, written and shown.

    The memory is only ever scaled and added to, so a forget gate near one lets a gradient pass
    through many steps. With ``forget_bias`` 0 the gate starts near one half, and half of half
    of half is soon nothing.

    Args:
        d_input: width of what is read at each step.
        d_hidden: width of the state and of the memory.
        forget_bias: added to the forget gate's bias when the cell is made.

    Raises:
        ValueError: if a width is not positive.

    Source: Hochreiter and Schmidhuber 1997; Gers et al. 2000 for the forget gate; Jozefowicz et
        al. 2015 for its bias. The initialisation is otherwise torch's.
    """

    def __init__(self, d_input: int, d_hidden: int, forget_bias: float = 0.0) -> None:
        super().__init__()
        _require_widths(d_input, d_hidden)
        # Rows in torch's order: input gate, forget gate, candidate, output gate.
        self.input_projection = nn.Linear(d_input, 4 * d_hidden)
        self.state_projection = nn.Linear(d_hidden, 4 * d_hidden)
        _initialise(self, d_hidden)
        with torch.no_grad():
            self.input_projection.bias[d_hidden : 2 * d_hidden] += forget_bias

    def forward(
        self,
        x: Float[Tensor, "batch d_input"],
        hidden: Float[Tensor, "batch d_hidden"],
        memory: Float[Tensor, "batch d_hidden"],
    ) -> tuple[Float[Tensor, "batch d_hidden"], Float[Tensor, "batch d_hidden"]]:
        """Read one token and return the next state and the next memory."""
        together = self.input_projection(x) + self.state_projection(hidden)
        input_gate, forget_gate, candidate, output_gate = together.chunk(4, dim=-1)
        memory = torch.sigmoid(forget_gate) * memory + torch.sigmoid(input_gate) * torch.tanh(
            candidate
        )
        hidden = torch.sigmoid(output_gate) * torch.tanh(memory)
        return hidden, memory


class RNN(nn.Module):
    """The plain recurrent network: an ``RNNCell`` carried along the sequence.

    Args:
        d_input: width of the tokens.
        d_hidden: width of the state.

    Raises:
        ValueError: if a width is not positive.

    Source: Elman 1990.
    """

    def __init__(self, d_input: int, d_hidden: int) -> None:
        super().__init__()
        self.d_hidden = d_hidden
        self.cell = RNNCell(d_input, d_hidden)

    def forward(
        self,
        x: Float[Tensor, "batch length d_input"],
        hidden: Float[Tensor, "batch d_hidden"] | None = None,
    ) -> tuple[Float[Tensor, "batch length d_hidden"], Float[Tensor, "batch d_hidden"]]:
        """Read the sequence from left to right.

        Args:
            x: the tokens.
            hidden: the state to begin with; zeros by default.

        Returns:
            The state after each token, and the last of them.

        Raises:
            ValueError: if the sequence is empty.
        """
        _require_tokens(x)
        if hidden is None:
            hidden = x.new_zeros(x.size(0), self.d_hidden)
        states = []
        for token in x.unbind(1):
            hidden = self.cell(token, hidden)
            states.append(hidden)
        return torch.stack(states, dim=1), hidden


class LSTM(nn.Module):
    """The long short-term memory: an ``LSTMCell`` carried along the sequence.

    Args:
        d_input: width of the tokens.
        d_hidden: width of the state and of the memory.
        forget_bias: added to the forget gate's bias when the network is made.

    Raises:
        ValueError: if a width is not positive.

    Source: Hochreiter and Schmidhuber 1997; Gers et al. 2000.
    """

    def __init__(self, d_input: int, d_hidden: int, forget_bias: float = 0.0) -> None:
        super().__init__()
        self.d_hidden = d_hidden
        self.cell = LSTMCell(d_input, d_hidden, forget_bias)

    def forward(
        self,
        x: Float[Tensor, "batch length d_input"],
        state: tuple[Float[Tensor, "batch d_hidden"], Float[Tensor, "batch d_hidden"]]
        | None = None,
    ) -> tuple[
        Float[Tensor, "batch length d_hidden"],
        tuple[Float[Tensor, "batch d_hidden"], Float[Tensor, "batch d_hidden"]],
    ]:
        """Read the sequence from left to right.

        Args:
            x: the tokens.
            state: the hidden state and the memory to begin with; zeros by default.

        Returns:
            The hidden state after each token, and the last hidden state with its memory.

        Raises:
            ValueError: if the sequence is empty.
        """
        _require_tokens(x)
        zeros = x.new_zeros(x.size(0), self.d_hidden)
        hidden, memory = (zeros, zeros) if state is None else state
        states = []
        for token in x.unbind(1):
            hidden, memory = self.cell(token, hidden, memory)
            states.append(hidden)
        return torch.stack(states, dim=1), (hidden, memory)


def _initialise(cell: nn.Module, d_hidden: int) -> None:
    """Draw every parameter uniformly from ±1/√d_hidden, as torch's recurrent networks do."""
    for parameter in cell.parameters():
        nn.init.uniform_(parameter, -1 / math.sqrt(d_hidden), 1 / math.sqrt(d_hidden))


def _require_widths(d_input: int, d_hidden: int) -> None:
    if d_input < 1 or d_hidden < 1:
        raise ValueError(
            f"d_input is {d_input} and d_hidden is {d_hidden}; expected both to be at least 1"
        )


def _require_tokens(x: Tensor) -> None:
    if x.size(1) == 0:
        raise ValueError(
            f"the sequence has shape {tuple(x.shape)}, so no tokens; "
            "expected (batch, length, d_input) with a length of at least 1"
        )
