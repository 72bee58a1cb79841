"""A small model for associative recall: blocks whose mixing layer is all that is exchanged.

The chapter on the quadratic wall races the ways to mix tokens in it, and the chapter on today's
model one more. Whatever the way, the embedding, the feed-forward networks, the norms and the
answers are the same.
"""

from collections.abc import Callable, Sequence
from functools import partial

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from softlookup.alternatives.delta_rule import delta_rule
from softlookup.alternatives.gated_linear_attention import gated_linear_attention
from softlookup.alternatives.hyena import Hyena, ShortConvolution, fft_convolution
from softlookup.alternatives.linear_attention import linear_attention, window_attention
from softlookup.alternatives.selective_scan import SelectiveStateSpace, scan_by_steps
from softlookup.layers.attention import fused_attention
from softlookup.layers.feed_forward import FeedForward
from softlookup.layers.multi_head import merge_heads, split_heads
from softlookup.layers.positions import rotate

# From the heads' query, key and value to what each token took from the earlier; and with a rate.
Mix = Callable[[Tensor, Tensor, Tensor], Tensor]
MixAtRate = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]

_window = partial(window_attention, window=16)


def _window_beside_linear(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """The first head looks through the window, the second asks the state."""
    near, far = zip(*(each.split(1, dim=1) for each in (query, key, value)), strict=True)
    return torch.cat((_window(*near), linear_attention(*far)), dim=1)


def _rotary_attention(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    return fused_attention(rotate(query), rotate(key), value, causal=True)


_MIXES: dict[str, Mix] = {
    "attention": partial(fused_attention, causal=True),
    "window": _window,
    "linear": linear_attention,
}


class _Projected(nn.Module):
    """A short convolution and the four projections, without what happens between them."""

    def __init__(
        self, d_model: int, n_heads: int, short_length: int, d_head: int | None = None
    ) -> None:
        super().__init__()
        self.n_heads = n_heads
        inner = d_model if d_head is None else n_heads * d_head
        self.short_convolution = ShortConvolution(d_model, short_length)
        self.query_projection = nn.Linear(d_model, inner)
        self.key_projection = nn.Linear(d_model, inner)
        self.value_projection = nn.Linear(d_model, inner)
        self.output_projection = nn.Linear(inner, d_model)

    def heads(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The heads' query, key and value, each (batch, heads, length, head_width)."""
        projections = (self.query_projection, self.key_projection, self.value_projection)
        query, key, value = (split_heads(project(x), self.n_heads) for project in projections)
        return query, key, value


class MixingLayer(_Projected):
    """Projections around a way to mix tokens, behind a short convolution.

    Args:
        mix: from query, key and value, each (batch, heads, length, head_width), to the
            heads' outputs.
        d_model: the width of a token.
        n_heads: how many heads.
        short_length: how many tokens the short convolution sees; 1 is no neighbour.
        d_head: the width of a head; the model's width shared among the heads where None.
    """

    def __init__(
        self,
        mix: Mix,
        d_model: int,
        n_heads: int = 2,
        short_length: int = 3,
        d_head: int | None = None,
    ) -> None:
        super().__init__(d_model, n_heads, short_length, d_head)
        self.mix = mix

    def forward(
        self, x: Float[Tensor, "batch length d_model"]
    ) -> Float[Tensor, "batch length d_model"]:
        """Let each token take from itself and from those before it."""
        heads = self.heads(self.short_convolution(x))
        return self.output_projection(merge_heads(self.mix(*heads)))


class DeltaRuleLayer(_Projected):
    """The delta rule between the same projections, and one more for the rate of each token.

    Args:
        d_model: the width of a token.
        n_heads: how many heads, each with a state and a rate of its own.
        short_length: how many tokens the short convolution sees.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int = 2,
        short_length: int = 3,
    ) -> None:
        super().__init__(d_model, n_heads, short_length)
        self.mix: MixAtRate = delta_rule
        self.rate_projection = nn.Linear(d_model, n_heads)

    def forward(
        self, x: Float[Tensor, "batch length d_model"]
    ) -> Float[Tensor, "batch length d_model"]:
        """Let each token correct the state, and ask it."""
        x = self.short_convolution(x)
        rate = torch.sigmoid(self.rate_projection(x)).transpose(1, 2)
        return self.output_projection(merge_heads(self.mix(*self.heads(x), rate)))


class GatedLinearLayer(_Projected):
    """Gated linear attention between the same projections, and one more for the gates.

    A gate is σ(…) to the power of 1/16, so that a text is long before it is forgotten.

    Args:
        d_model: the width of a token.
        n_heads: how many heads, each with a state and a gate of its own.
        short_length: how many tokens the short convolution sees.

    Source: Yang et al. 2024 (gated linear attention), section 4.4, for the power.
    """

    def __init__(self, d_model: int, n_heads: int = 2, short_length: int = 3) -> None:
        super().__init__(d_model, n_heads, short_length)
        self.gate_projection = nn.Linear(d_model, n_heads)

    def forward(
        self, x: Float[Tensor, "batch length d_model"]
    ) -> Float[Tensor, "batch length d_model"]:
        """Let each token fade the state, file itself, and ask."""
        x = self.short_convolution(x)
        log_gate = F.logsigmoid(self.gate_projection(x)).transpose(1, 2) / 16
        return self.output_projection(merge_heads(gated_linear_attention(*self.heads(x), log_gate)))


class SelectiveLayer(nn.Module):
    """A selective state space of the paper's proportions, which begins every text anew.

    It goes step by step, which takes less time than the scan on a processor's single core.

    Args:
        d_model: the width of a token.

    Source: Gu and Dao 2023, section 3.4, for twice as many channels; the rank is that of the
        models released with it.
    """

    def __init__(self, d_model: int) -> None:
        super().__init__()
        rank = -(-d_model // 16)
        self.layer = SelectiveStateSpace(d_model, 2 * d_model, rank=rank, scan=scan_by_steps)

    def forward(
        self, x: Float[Tensor, "batch length d_model"]
    ) -> Float[Tensor, "batch length d_model"]:
        """Let each token read a state that those before it have written."""
        output, _ = self.layer(x)
        return output


class FixedLayer(nn.Module):
    """The selective layer without its choice: Δ, B and C are learned and the same for all tokens.

    Each channel has a duration, keys and queries of its own, so that nothing is lost by fixing
    them but the choice. The recurrence is then a convolution, and is computed as one.

    Args:
        d_model: the width of a token.

    Source: Gu et al. 2022 (S4D), for a key of ones and a random query at the start.
    """

    def __init__(self, d_model: int) -> None:
        super().__init__()
        self.layer = SelectiveStateSpace(d_model, 2 * d_model, scan=self._convolved)
        # No token chooses: what is left of the durations is the bias of each channel.
        for projection in (self.layer.choice_projection, self.layer.duration_projection):
            nn.init.zeros_(projection.weight)
            projection.weight.requires_grad_(False)
        self.write = nn.Parameter(torch.ones_like(self.layer.log_speed))
        self.read = nn.Parameter(torch.randn_like(self.layer.log_speed))

    def forward(
        self, x: Float[Tensor, "batch length d_model"]
    ) -> Float[Tensor, "batch length d_model"]:
        """Let each token read a state into which all tokens before it went in the same way."""
        output, _ = self.layer(x)
        return output

    def filters(
        self, duration: Float[Tensor, "channels"], length: int
    ) -> Float[Tensor, "channels length"]:
        """What a channel still reads of a token that came so many tokens before."""
        lags = torch.arange(length, dtype=duration.dtype, device=duration.device)
        rates = duration[:, None] * -self.layer.log_speed.exp()
        kept = torch.exp(rates[..., None] * lags)
        return duration[:, None] * torch.einsum("cs,csl->cl", self.write * self.read, kept)

    def _convolved(
        self,
        x: Tensor,
        duration: Tensor,
        fading: Tensor,
        write: Tensor,
        read: Tensor,
        state: Tensor | None,
    ) -> tuple[Tensor, Tensor]:
        """In place of the scan, for whole texts: all tokens have the first one's duration.

        Nobody asks for the state after the last, and zeros stand there.
        """
        filters = self.filters(duration[0, 0], x.size(1))
        return fft_convolution(x.mT, filters).mT, x.new_zeros(len(x), *fading.shape)


def mixing_layer(way: str, d_model: int, max_length: int) -> nn.Module:
    """The layer of one way to mix, with two heads where its name says nothing else.

    Args:
        way: ``attention``, ``window`` (of 16 tokens), ``linear``, ``linear, wide heads`` (each as
            wide as the model, so the state is four times as large), ``linear, eight heads`` (of
            the width of the two, so about as large a state), ``linear, one head`` (as wide as the
            model), ``window beside linear`` (a head of each, as wide as the model),
            ``gated linear``, ``delta rule``, ``selective``, ``selective, fixed`` (no token
            chooses), ``Hyena``, ``Hyena, four times the channels`` or ``Hyena, rates dealt out``
            (to its two convolutions by turns, so that both have slow filters and fast ones), all
            of which see the two tokens before, and the selective ones three;
            ``convolution``, which sees these and nothing else; or, without a short convolution,
            ``window, no convolution``, ``attention, no neighbours``, and ``attention, rotary``,
            the last with rotary positions.
        d_model: the width of a token.
        max_length: the longest text, which Hyena's filters ask for.

    Raises:
        ValueError: if the way has another name.
    """
    if way == "Hyena":
        return Hyena(d_model, max_length)
    if way == "Hyena, four times the channels":
        return Hyena(d_model, max_length, channels=4 * d_model)
    if way == "Hyena, rates dealt out":
        return _hyena_with_rates_dealt_out(d_model, max_length)
    if way == "convolution":
        return ShortConvolution(d_model, 3)
    if way == "attention, no neighbours":
        return MixingLayer(_MIXES["attention"], d_model, short_length=1)
    if way == "attention, rotary":
        return MixingLayer(_rotary_attention, d_model, short_length=1)
    if way == "window, no convolution":
        return MixingLayer(_MIXES["window"], d_model, short_length=1)
    if way == "linear, one head":
        return MixingLayer(_MIXES["linear"], d_model, n_heads=1)
    if way == "linear, eight heads":
        return MixingLayer(_MIXES["linear"], d_model, n_heads=8, d_head=d_model // 2)
    if way == "linear, wide heads":
        return MixingLayer(_MIXES["linear"], d_model, d_head=d_model)
    if way == "window beside linear":
        return MixingLayer(_window_beside_linear, d_model, d_head=d_model)
    if way == "gated linear":
        return GatedLinearLayer(d_model)
    if way == "delta rule":
        return DeltaRuleLayer(d_model)
    if way == "selective":
        return SelectiveLayer(d_model)
    if way == "selective, fixed":
        return FixedLayer(d_model)
    if way not in _MIXES:
        raise ValueError(
            f"the way is {way!r}; expected 'Hyena', 'Hyena, four times the "
            "channels', 'Hyena, rates dealt out', 'delta rule', 'selective', 'selective, "
            "fixed', 'gated linear', 'convolution', 'attention, no neighbours', "
            "'attention, rotary', 'window, no convolution', 'linear, one head', "
            "'linear, eight heads', 'linear, wide heads', 'window beside linear' or one of "
            f"{[*_MIXES]}"
        )
    return MixingLayer(_MIXES[way], d_model)


def _hyena_with_rates_dealt_out(d_model: int, max_length: int) -> Hyena:
    """Hyena, but for the rates: as they come, the slow half is the first convolution's."""
    layer = Hyena(d_model, max_length)
    rates = layer.filters.rates
    layer.filters.rates = rates.view(d_model, layer.order).T.flatten()
    return layer


class Recaller(nn.Module):
    """An embedding, a block around each mixing layer, and for each token an answer.

    Args:
        ways: for each block the way it mixes, as in ``mixing_layer``.
        n_symbols: how many symbols a text is made of.
        max_length: the longest text.
        d_model: the width of a token.
        d_ff: the inner width of the feed-forward networks; twice the width of a token where None.
    """

    def __init__(
        self,
        ways: Sequence[str],
        n_symbols: int,
        max_length: int,
        d_model: int = 32,
        d_ff: int | None = None,
    ) -> None:
        super().__init__()
        d_ff = 2 * d_model if d_ff is None else d_ff
        self.embedding = nn.Embedding(n_symbols, d_model)
        self.mixing = nn.ModuleList(mixing_layer(way, d_model, max_length) for way in ways)
        self.feed_forward = nn.ModuleList(FeedForward(d_model, d_ff, F.gelu) for _ in ways)
        self.norms = nn.ModuleList(nn.LayerNorm(d_model) for _ in range(2 * len(ways) + 1))
        self.answer = nn.Linear(d_model, n_symbols)

    def forward(self, tokens: Int[Tensor, "batch length"]) -> Float[Tensor, "batch length symbols"]:
        """Logits of the answer to each token, as if that token were a question."""
        x = self.embedding(tokens)
        for block, (mix, think) in enumerate(zip(self.mixing, self.feed_forward, strict=True)):
            x = x + mix(self.norms[2 * block](x))
            x = x + think(self.norms[2 * block + 1](x))
        return self.answer(self.norms[-1](x))
