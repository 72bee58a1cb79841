"""Positions: the formulas of the papers, number by number, and the laws that they promise."""

import math

import pytest
import torch
from properties import given, settings, st
from softlookup.layers.positions import (
    alibi_bias,
    alibi_slopes,
    rotate,
    rotate_halves,
    shift_matrix,
    sinusoidal,
)

LENGTH, D_MODEL = 11, 14


@pytest.mark.parametrize("base", [10000.0, 70.0])
def test_sinusoidal_is_both_formulas_interleaved(base):
    table = sinusoidal(LENGTH, D_MODEL, base, dtype=torch.float64)
    for position in range(LENGTH):
        for i in range(D_MODEL // 2):
            angle = position / base ** (2 * i / D_MODEL)
            assert table[position, 2 * i].item() == pytest.approx(math.sin(angle), abs=1e-12)
            assert table[position, 2 * i + 1].item() == pytest.approx(math.cos(angle), abs=1e-12)


def test_sinusoidal_is_float32_unless_asked():
    table = sinusoidal(LENGTH, D_MODEL)
    assert table.dtype == torch.float32
    exact = sinusoidal(LENGTH, D_MODEL, dtype=torch.float64)
    torch.testing.assert_close(table.double(), exact, rtol=0, atol=1e-7)


@settings(deadline=None, max_examples=50)
@given(offset=st.integers(-512, 512), width=st.integers(1, 64).map(lambda half: 2 * half))
def test_a_shift_is_one_rotation_for_all_positions(offset, width):
    table = sinusoidal(1025, width, dtype=torch.float64)
    first = max(0, -offset)
    positions = torch.arange(first, min(1025, 1025 - offset))
    moved = table[positions] @ shift_matrix(offset, width).T
    assert (moved - table[positions + offset]).abs().max() <= 5e-13
    matrix = shift_matrix(offset, width)
    identity = torch.eye(width, dtype=torch.float64)
    torch.testing.assert_close(matrix @ matrix.T, identity, rtol=0, atol=1e-12)
    torch.testing.assert_close(matrix.T, shift_matrix(-offset, width), rtol=0, atol=1e-12)


def test_shift_matrix_takes_base_and_dtype():
    table = sinusoidal(LENGTH, D_MODEL, 70.0, dtype=torch.float64)
    moved = table[2:7] @ shift_matrix(3, D_MODEL, 70.0).T
    torch.testing.assert_close(moved, table[5:10], rtol=0, atol=1e-12)
    assert shift_matrix(3, D_MODEL, dtype=torch.float32).dtype == torch.float32


@settings(deadline=None, max_examples=50)
@given(
    seed=st.integers(0, 2**16),
    query_at=st.integers(0, 500),
    key_at=st.integers(0, 500),
    move=st.integers(0, 500),
)
def test_rotary_products_depend_on_the_distance_alone(seed, query_at, key_at, move):
    generator = torch.Generator().manual_seed(seed)
    query, key = torch.randn(2, 1, D_MODEL, generator=generator, dtype=torch.float64)
    here = (rotate(query, query_at) * rotate(key, key_at)).sum()
    there = (rotate(query, query_at + move) * rotate(key, key_at + move)).sum()
    torch.testing.assert_close(here, there, rtol=0, atol=1e-10)
    # Another distance gives another product, and the length stays.
    farther = (rotate(query, query_at + 1) * rotate(key, key_at)).sum()
    assert abs(farther - here) > 1e-6
    torch.testing.assert_close(rotate(query, query_at).norm(), query.norm())


def test_rotary_is_multiplication_by_complex_numbers():
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(3, 5, LENGTH, D_MODEL, generator=generator, dtype=torch.float64)
    angles = [
        [(position + 4) * 50.0 ** (-2 * i / D_MODEL) for i in range(D_MODEL // 2)]
        for position in range(LENGTH)
    ]
    turn = torch.exp(1j * torch.tensor(angles, dtype=torch.float64))
    as_complex = torch.view_as_complex(x.unflatten(-1, (-1, 2)))
    expected = torch.view_as_real(as_complex * turn).flatten(-2)
    torch.testing.assert_close(rotate(x, offset=4, base=50.0), expected, rtol=0, atol=1e-12)
    assert torch.equal(rotate(x[..., :1, :]), x[..., :1, :])  # position 0 stays
    assert rotate(x.float()).dtype == torch.float32


def test_alibi_slopes_of_the_paper():
    assert alibi_slopes(8).tolist() == [2.0**-i for i in range(1, 9)]
    assert alibi_slopes(16)[:2].tolist() == pytest.approx([2**-0.5, 2**-1])
    # Of twelve heads, eight as of eight, and four as every other of sixteen.
    expected = [2.0**-i for i in range(1, 9)] + [2 ** -(i / 2) for i in (1, 3, 5, 7)]
    assert alibi_slopes(12).tolist() == pytest.approx(expected)
    assert alibi_slopes(1).tolist() == [2.0**-8]


def test_alibi_bias_is_minus_slope_times_distance():
    bias, slopes = alibi_bias(5, 7, 11), alibi_slopes(5)
    for head in range(5):
        for query in range(7):
            for key in range(11):
                distance = abs((query + 4) - key)
                expected = -slopes[head].item() * distance
                assert bias[head, query, key].item() == pytest.approx(expected)
    assert torch.equal(alibi_bias(5, 7), alibi_bias(5, 7, 7))
    assert torch.equal(alibi_bias(5, 11)[:, -7:], bias)


@pytest.mark.parametrize("base", [10000.0, 70.0])
def test_halves_turn_by_the_formula_of_released_models(base):
    x = torch.randn(3, 5, LENGTH, D_MODEL, dtype=torch.float64)
    frequencies = base ** (-torch.arange(0, D_MODEL, 2, dtype=torch.float64) / D_MODEL)
    angles = torch.arange(4, 4 + LENGTH)[:, None] * frequencies
    cosine, sine = (torch.cat((f, f), dim=-1) for f in (angles.cos(), angles.sin()))
    first, second = x[..., : D_MODEL // 2], x[..., D_MODEL // 2 :]
    expected = x * cosine + torch.cat((-second, first), dim=-1) * sine
    torch.testing.assert_close(rotate_halves(x, 4, base), expected, rtol=0, atol=1e-12)
    assert (rotate_halves(x, 4, base) - rotate(x, 4, base)).abs().max() > 0.1


@settings(deadline=None, max_examples=20)
@given(offset=st.integers(0, 500), half=st.integers(1, 8))
def test_both_conventions_are_one_rotation_of_columns_in_another_order(offset, half):
    query, key = torch.randn(2, 7, 2 * half, dtype=torch.float64)
    order = [column + part * half for column in range(half) for part in (0, 1)]
    turned = rotate_halves(query, offset)
    torch.testing.assert_close(
        turned[..., order], rotate(query[..., order], offset), rtol=0, atol=1e-12
    )
    # So scores are the same where the columns of queries and keys are put in order together.
    scores = turned @ rotate_halves(key, offset).mT
    ordered = rotate(query[..., order], offset) @ rotate(key[..., order], offset).mT
    torch.testing.assert_close(scores, ordered, rtol=0, atol=1e-10)


def test_halves_of_an_odd_width_are_refused():
    with pytest.raises(ValueError, match="width is 13; expected an even number"):
        rotate_halves(torch.zeros(7, 13))
