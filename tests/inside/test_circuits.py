"""The matrices of a head act as the head does, and the baseline keeps what it should keep."""

import pytest
import torch
from softlookup.inside.circuits import composition, head_matrices, same_spectrum
from softlookup.layers.multi_head import MultiHeadAttention, attention_weights, split_heads
from torch import nn

LENGTH, WIDTH, HEADS = 7, 15, 3


def attention_and_tokens(seed: int) -> tuple[MultiHeadAttention, torch.Tensor]:
    draw = torch.Generator().manual_seed(seed)
    attend = MultiHeadAttention(WIDTH, HEADS).double()
    with torch.no_grad():
        for each in attend.parameters():
            each.copy_(torch.randn(each.shape, dtype=torch.float64, generator=draw))
        for projection in (attend.query_projection, attend.key_projection, attend.value_projection):
            projection.bias.zero_()
        attend.output_projection.bias.zero_()
    return attend, torch.randn(LENGTH, WIDTH, dtype=torch.float64, generator=draw)


@pytest.mark.parametrize("head", range(HEADS))
def test_qk_gives_the_heads_scores_and_ov_what_it_moves(head):
    attend, x = attention_and_tokens(1)
    qk, ov = head_matrices(attend, head)
    weights = attention_weights(attend, x[None])[0, head]
    torch.testing.assert_close((x @ qk @ x.T).softmax(dim=-1), weights)
    found = torch.zeros(1, HEADS, LENGTH, WIDTH // HEADS, dtype=torch.float64)
    found[0, head] = weights @ split_heads(attend.value_projection(x[None]), HEADS)[0, head]
    moved = attend.output_projection(found.transpose(1, 2).flatten(2))[0]
    torch.testing.assert_close(weights @ x @ ov, moved)


def test_a_norm_is_folded_in_but_for_the_spread():
    attend, x = attention_and_tokens(2)
    norm = nn.LayerNorm(WIDTH, eps=0.0).double()
    with torch.no_grad():
        norm.weight.copy_(torch.linspace(0.5, 2.0, WIDTH))
    qk, ov = head_matrices(attend, 1, norm)
    plain_qk, plain_ov = head_matrices(attend, 1)
    spread = x.std(dim=-1, correction=0, keepdim=True)
    z = norm(x)
    torch.testing.assert_close((x / spread) @ qk @ (x / spread).T, z @ plain_qk @ z.T)
    torch.testing.assert_close((x / spread) @ ov, z @ plain_ov)


def test_there_is_no_head_beyond_the_last():
    attend, _ = attention_and_tokens(3)
    with pytest.raises(ValueError, match="expected 0 to 2"):
        head_matrices(attend, HEADS)
    with pytest.raises(ValueError, match="expected 0 to 2"):
        head_matrices(attend, -1)


def test_composition_is_one_where_all_is_read_and_zero_where_nothing_is():
    one, other = torch.eye(5)[:, :1], torch.eye(5)[:, 1:2]
    assert composition(one @ one.T, one @ other.T) == 1.0
    assert composition(one @ one.T, other @ one.T) == 0.0
    draw = torch.Generator().manual_seed(0)
    a, b = torch.randn(5, 7, generator=draw), torch.randn(7, 3, generator=draw)
    assert 0.0 < composition(a, b) < 1.0
    torch.testing.assert_close(composition(3 * a, b / 7), composition(a, b))
    with pytest.raises(ValueError, match="expected a head that does something"):
        composition(a, 0 * b)


def test_the_baseline_keeps_the_spectrum_and_nothing_else():
    draw = torch.Generator().manual_seed(0)
    matrix = torch.randn(7, 2, generator=draw) @ torch.randn(2, 5, generator=draw)
    drawn = [same_spectrum(matrix, draw) for _ in range(200)]
    for each in drawn[:5]:
        torch.testing.assert_close(
            torch.linalg.svdvals(each), torch.linalg.svdvals(matrix), rtol=1e-4, atol=1e-5
        )
        assert each.dtype == matrix.dtype
    # Neither what is read nor what is written stays: both directions average out.
    mean = torch.stack(drawn).mean(dim=0)
    assert mean.norm() < 0.15 * matrix.norm()
    # And each side is turned: left to itself, it would keep its few directions.
    for sides in ([each @ each.T for each in drawn], [each.T @ each for each in drawn]):
        square = torch.stack(sides).mean(dim=0)
        even = torch.eye(len(square)) * square.trace() / len(square)
        assert (square - even).norm() < 0.25 * even.norm()
