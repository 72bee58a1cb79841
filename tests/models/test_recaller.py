"""The models of the race: each way mixes causally, and learns what it is to learn."""

import pytest
import torch
import torch.nn.functional as F
from softlookup.alternatives.delta_rule import delta_rule
from softlookup.alternatives.gated_linear_attention import gated_linear_attention
from softlookup.alternatives.hyena import Hyena
from softlookup.alternatives.linear_attention import linear_attention, window_attention
from softlookup.layers.attention import fused_attention
from softlookup.layers.positions import rotate
from softlookup.models.recaller import (
    DeltaRuleLayer,
    FixedLayer,
    GatedLinearLayer,
    MixingLayer,
    Recaller,
    SelectiveLayer,
    mixing_layer,
)

WAYS = (
    "attention",
    "attention, no neighbours",
    "attention, rotary",
    "convolution",
    "window",
    "window, no convolution",
    "linear",
    "linear, wide heads",
    "linear, eight heads",
    "linear, one head",
    "window beside linear",
    "gated linear",
    "delta rule",
    "selective",
    "selective, fixed",
    "Hyena",
    "Hyena, four times the channels",
    "Hyena, rates dealt out",
)
BOUNDED = (("window",), ("window, no convolution",), ("convolution",))
SYMBOLS, LENGTH, WIDTH = 11, 37, 12


def recaller(*ways):
    torch.manual_seed(0)
    return Recaller(ways, SYMBOLS, LENGTH, WIDTH).double()


def moved(model, tokens, place):
    """How far the answers at each place move when one token is exchanged."""
    changed = tokens.clone()
    changed[:, place] = (changed[:, place] + 1) % SYMBOLS
    with torch.no_grad():
        return (model(changed) - model(tokens)).abs().amax(dim=(0, 2))


@pytest.mark.parametrize("ways", [(way,) for way in WAYS] + [("window", "linear")])
def test_a_token_moves_answers_from_its_place_on_and_none_before(ways):
    tokens = torch.randint(SYMBOLS, (3, LENGTH))
    change = moved(recaller(*ways), tokens, place=5)
    assert change[:5].max() < 1e-12
    assert change[5:].min() > 0 or ways in BOUNDED


def test_the_window_sees_sixteen_tokens_behind_two_neighbours():
    change = moved(recaller("window"), torch.randint(SYMBOLS, (3, LENGTH)), place=5)
    assert (change[5 : 5 + 18] > 1e-9).all()
    assert (change[5 + 18 :] == 0).all()


def test_without_its_convolution_the_window_sees_sixteen_tokens_and_not_their_order():
    model, tokens = recaller("window, no convolution"), torch.randint(SYMBOLS, (3, LENGTH))
    change = moved(model, tokens, place=5)
    assert (change[5 : 5 + 16] > 1e-9).all()
    assert (change[5 + 16 :] == 0).all()
    swapped = tokens.clone()
    swapped[:, [6, 9]] = tokens[:, [9, 6]]
    with torch.no_grad():
        assert (model(swapped) - model(tokens))[:, 15].abs().max() < 1e-12


def test_without_neighbours_attention_does_not_see_the_order():
    first = torch.randint(SYMBOLS, (3, LENGTH))
    swapped = first.clone()
    swapped[:, [3, 8]] = first[:, [8, 3]]
    last = {}
    for way in ("attention", "attention, no neighbours"):
        model = recaller(way)
        with torch.no_grad():
            last[way] = (model(swapped) - model(first))[:, -1].abs().max()
    assert last["attention, no neighbours"] < 1e-12 < 1e-6 < last["attention"]


def test_the_convolution_sees_two_neighbours_and_nothing_else():
    change = moved(recaller("convolution"), torch.randint(SYMBOLS, (3, LENGTH)), place=5)
    assert (change[5:8] > 1e-9).all()
    assert (change[8:] == 0).all()


def test_rotary_attention_turns_queries_and_keys():
    layer = mixing_layer("attention, rotary", WIDTH, LENGTH).double()
    x = torch.randn(1, LENGTH, WIDTH, dtype=torch.float64)
    with torch.no_grad():
        query, key, value = layer.heads(layer.short_convolution(x))
        heads = fused_attention(rotate(query), rotate(key), value, causal=True)
        expected = layer.output_projection(heads.transpose(1, 2).flatten(2))
        torch.testing.assert_close(layer(x), expected)


def test_the_delta_rule_has_a_rate_for_each_token_and_head():
    layer = mixing_layer("delta rule", WIDTH, LENGTH).double()
    assert isinstance(layer, DeltaRuleLayer)
    assert layer.rate_projection.out_features == layer.n_heads == 2
    x = torch.randn(3, LENGTH, WIDTH, dtype=torch.float64)
    with torch.no_grad():
        near = layer.short_convolution(x)
        rate = torch.sigmoid(layer.rate_projection(near)).mT
        heads = delta_rule(*layer.heads(near), rate)
        expected = layer.output_projection(heads.transpose(1, 2).flatten(2))
        torch.testing.assert_close(layer(x), expected)


def test_the_gated_layer_has_a_gate_for_each_token_and_head():
    layer = GatedLinearLayer(WIDTH).double()
    assert layer.gate_projection.out_features == layer.n_heads == 2
    x = torch.randn(3, LENGTH, WIDTH, dtype=torch.float64)
    with torch.no_grad():
        near = layer.short_convolution(x)
        log_gate = torch.sigmoid(layer.gate_projection(near)).mT.log() / 16
        heads = gated_linear_attention(*layer.heads(near), log_gate)
        expected = layer.output_projection(heads.transpose(1, 2).flatten(2))
        torch.testing.assert_close(layer(x), expected)


def test_of_the_two_beside_each_other_one_looks_and_one_asks_a_state():
    layer = mixing_layer("window beside linear", WIDTH, LENGTH).double()
    x = torch.randn(3, LENGTH, WIDTH, dtype=torch.float64)
    with torch.no_grad():
        query, key, value = layer.heads(layer.short_convolution(x))
        near = window_attention(query[:, :1], key[:, :1], value[:, :1], 16)
        far = linear_attention(query[:, 1:], key[:, 1:], value[:, 1:])
        heads = torch.cat((near, far), dim=1)
        expected = layer.output_projection(heads.transpose(1, 2).flatten(2))
        torch.testing.assert_close(layer(x), expected)


def test_the_fixed_layer_is_the_recurrence_with_one_step_for_all_tokens():
    fixed = FixedLayer(WIDTH).double()
    layer, x = fixed.layer, torch.randn(3, LENGTH, WIDTH, dtype=torch.float64)
    torch.nn.init.normal_(fixed.write)
    with torch.no_grad():
        held, gate = layer.input_projection(x).chunk(2, dim=-1)
        held = F.silu(layer.convolution(F.pad(held.mT, (3, 0))).mT)
        duration = F.softplus(layer.duration_projection.bias)
        state, read = None, []
        decay = torch.exp(-duration[:, None] * layer.log_speed.exp())
        for token in held.unbind(1):
            added = (duration * token)[..., None] * fixed.write
            state = added if state is None else decay * state + added
            read.append((state * fixed.read).sum(dim=-1))
        found = torch.stack(read, dim=1) + layer.passing * held
        torch.testing.assert_close(fixed(x), layer.output_projection(found * F.silu(gate)))


def test_no_token_chooses_in_the_fixed_layer_and_nothing_else_is_frozen():
    fixed = FixedLayer(WIDTH)
    fixed(torch.randn(3, LENGTH, WIDTH)).square().sum().backward()
    frozen = [name for name, each in fixed.named_parameters() if each.grad is None]
    assert frozen == ["layer.choice_projection.weight", "layer.duration_projection.weight"]
    assert fixed.layer.choice_projection.weight.abs().max() == 0


def test_each_way_has_its_own_layer():
    assert isinstance(mixing_layer("Hyena", WIDTH, LENGTH), Hyena)
    assert isinstance(mixing_layer("delta rule", WIDTH, LENGTH), DeltaRuleLayer)
    assert isinstance(mixing_layer("gated linear", WIDTH, LENGTH), GatedLinearLayer)
    selective = mixing_layer("selective", 33, LENGTH)
    assert isinstance(selective, SelectiveLayer)
    assert selective.layer.log_speed.shape == (66, 16)
    assert selective.layer.duration_projection.in_features == 3
    wide = ("linear, wide heads", "window beside linear", "linear, one head")
    n_heads = {"linear, one head": 1, "linear, eight heads": 8}
    bare = ("attention, no neighbours", "attention, rotary", "window, no convolution")
    for way in ("attention", "window", "linear", *wide, *bare, "linear, eight heads"):
        layer = mixing_layer(way, WIDTH, LENGTH)
        assert isinstance(layer, MixingLayer)
        seen = layer.short_convolution.convolution.kernel_size[0]
        assert seen == (1 if way in bare else 3)
        heads = layer.heads(torch.zeros(1, LENGTH, WIDTH))
        d_head = WIDTH if way in wide else WIDTH // 2
        assert [each.shape for each in heads] == 3 * [(1, n_heads.get(way, 2), LENGTH, d_head)]
    assert mixing_layer("Hyena", WIDTH, LENGTH).filters.sharpness == 1.0
    first, second = mixing_layer("Hyena, four times the channels", WIDTH, LENGTH).long_filters(5)
    assert first.shape == second.shape == (4 * WIDTH, 5)
    rates = mixing_layer("Hyena", WIDTH, LENGTH).filters.rates
    dealt_out = mixing_layer("Hyena, rates dealt out", WIDTH, LENGTH).filters.rates
    assert dealt_out.tolist() == [*rates[::2].tolist(), *rates[1::2].tolist()]
    with pytest.raises(ValueError, match="the way is 'mean'"):
        mixing_layer("mean", WIDTH, LENGTH)


def test_the_feed_forward_networks_are_as_wide_as_asked():
    def widths(model):
        return [each.inner_projection.out_features for each in model.feed_forward]

    assert widths(Recaller(["linear", "window"], SYMBOLS, LENGTH, WIDTH)) == [2 * WIDTH] * 2
    assert widths(Recaller(["linear", "window"], SYMBOLS, LENGTH, WIDTH, 5)) == [5, 5]


def test_each_block_mixes_and_thinks_behind_a_norm_of_its_own():
    model = recaller("linear", "window")
    tokens = torch.randint(SYMBOLS, (3, LENGTH))
    with torch.no_grad():
        for norm in model.norms:
            norm.weight.normal_()
        x = model.embedding(tokens)
        for block in range(2):
            x = x + model.mixing[block](model.norms[2 * block](x))
            x = x + model.feed_forward[block](model.norms[2 * block + 1](x))
        torch.testing.assert_close(model(tokens), model.answer(model.norms[4](x)))
