"""Positional encodings: what each kind does to a model, and that it does nothing else."""

import pytest
import torch
from softlookup.layers.positional_encodings import (
    ALiBiPositions,
    ClippedBiasPositions,
    GridPositions,
    HalvedRotaryPositions,
    LearnedPositions,
    RotaryPositions,
    SinusoidalPositions,
    make_grid_positions,
    make_positions,
)
from softlookup.layers.positions import (
    alibi_bias,
    rotate,
    rotate_halves,
    sinusoidal,
    sinusoidal_grid,
)

LENGTH, D_MODEL, HEADS, OFFSET = 11, 14, 7, 3
# kind: whether it adds to embeddings, turns queries and keys, biases the scores
KINDS = {
    "learned": (True, False, False),
    "sinusoidal": (True, False, False),
    "rotary": (False, True, False),
    "alibi": (False, False, True),
    "none": (False, False, False),
}


@pytest.mark.parametrize("kind", [SinusoidalPositions, LearnedPositions])
@pytest.mark.parametrize("offset", [0, 4])
def test_positions_are_added_along_the_length(kind, offset):
    torch.manual_seed(0)
    module = kind(LENGTH, D_MODEL)
    x = torch.randn(3, 7, D_MODEL)
    added = module(x, offset) - x
    for batch in range(3):
        torch.testing.assert_close(added[batch], module.table[offset : offset + 7])
    assert not torch.allclose(added[:, 0], added[:, 1])


def test_only_learned_positions_are_stored_and_learned():
    assert not SinusoidalPositions(LENGTH, D_MODEL).state_dict()
    assert not list(SinusoidalPositions(LENGTH, D_MODEL).parameters())
    torch.testing.assert_close(
        SinusoidalPositions(LENGTH, D_MODEL).table, sinusoidal(LENGTH, D_MODEL)
    )
    learned = LearnedPositions(LENGTH, D_MODEL)
    learned(torch.zeros(3, 7, D_MODEL)).sum().backward()
    assert (learned.table.grad[:7] == 3).all()
    assert (learned.table.grad[7:] == 0).all()
    assert LearnedPositions(997, 101).table.std().item() == pytest.approx(0.02, rel=0.02)


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_does_one_thing_and_leaves_the_rest(kind):
    positions, x = make_positions(kind, LENGTH, D_MODEL, HEADS), torch.randn(3, 5, D_MODEL)
    adds, turns, biases = KINDS[kind]
    assert torch.equal(positions(x, OFFSET), x) != adds
    assert torch.equal(positions.rotate(x, OFFSET), x) != turns
    assert (positions.bias(x, OFFSET) is not None) == biases


def test_rotary_and_alibi_are_their_formulas():
    x = torch.randn(3, HEADS, 5, D_MODEL, dtype=torch.float64)
    assert torch.equal(RotaryPositions().rotate(x, OFFSET), rotate(x, OFFSET))
    bias = ALiBiPositions(HEADS).bias(x[:, 0], OFFSET)
    assert bias.dtype == x.dtype
    assert torch.equal(bias, alibi_bias(HEADS, 5, OFFSET + 5).double())


def test_halved_rotary_turns_by_its_base_and_does_nothing_else():
    x = torch.randn(3, HEADS, 5, D_MODEL, dtype=torch.float64)
    positions = HalvedRotaryPositions(base=70.0)
    assert torch.equal(positions.rotate(x, OFFSET), rotate_halves(x, OFFSET, 70.0))
    assert torch.equal(HalvedRotaryPositions().rotate(x), rotate_halves(x, 0, 10000.0))
    assert torch.equal(positions(x[0], OFFSET), x[0])
    assert positions.bias(x[0], OFFSET) is None
    assert not positions.state_dict()
    with pytest.raises(ValueError, match=r"base is 1\.0; expected more than 1"):
        HalvedRotaryPositions(base=1.0)


@pytest.mark.parametrize("furthest", [0, 2, 13])
def test_a_clipped_bias_is_shaws_clipping_written_out_key_by_key(furthest):
    positions = ClippedBiasPositions(HEADS, furthest).double()
    torch.nn.init.normal_(positions.table)
    bias = positions.bias(torch.zeros(3, 5, D_MODEL, dtype=torch.float64), OFFSET)
    assert bias.shape == (HEADS, 5, OFFSET + 5)
    for head in range(HEADS):
        for query in range(5):
            for key in range(OFFSET + 5):
                offset = OFFSET + query - key
                if abs(offset) > furthest:
                    offset = furthest if offset > 0 else -furthest
                assert bias[head, query, key] == positions.table[head, furthest + offset]


def test_a_clipped_bias_begins_as_alibi_and_learns_every_offset_that_it_meets():
    positions, x = ClippedBiasPositions(HEADS, 3), torch.zeros(1, 5, D_MODEL)
    assert torch.equal(positions.bias(x[:, :4]), alibi_bias(HEADS, 4))
    positions.bias(x).sum().backward()
    # Five tokens: of the pairs, 3 stand 3 or more apart on a side; 3 stand 2 apart; 4 are next.
    assert torch.equal(positions.table.grad, torch.tensor([3.0, 3, 4, 5, 4, 3, 3]).repeat(HEADS, 1))
    assert [*ClippedBiasPositions(HEADS, 3).state_dict()] == ["table"]


def test_sinusoids_alone_ask_for_embeddings_with_a_spread_of_one():
    scales = {k: make_positions(k, LENGTH, D_MODEL, HEADS).embedding_scale(0.02) for k in KINDS}
    assert scales == {kind: 50.0 if kind == "sinusoidal" else 1.0 for kind in KINDS}


@pytest.mark.parametrize("class_token", [False, True])
def test_positions_of_a_grid(class_token):
    rows, columns, d_model = 3, 5, 12
    n_tokens = rows * columns + class_token
    x = torch.randn(2, n_tokens, d_model)

    def make(kind, spread=0.3):
        return make_grid_positions(kind, rows, columns, d_model, class_token, spread)

    grid = make("sinusoidal")
    assert isinstance(grid, GridPositions)
    torch.testing.assert_close(
        grid.table[int(class_token) :], sinusoidal_grid(rows, columns, d_model)
    )
    assert (grid.table[: int(class_token)] == 0).all()
    assert make("learned").table.shape == (n_tokens, d_model)
    assert torch.equal(make("none")(x), x)
