"""Hyena: its convolution against the direct sum, its matrix, its causality, its filters."""

import pytest
import torch
from softlookup.alternatives.hyena import (
    Hyena,
    ImplicitFilter,
    ShortConvolution,
    data_controlled_matrix,
    fft_convolution,
    gated_convolutions,
    toeplitz,
)

BATCH, WIDTH, LENGTH, LONGEST = 3, 5, 11, 17


def normal(*shape):
    return torch.randn(*shape, dtype=torch.float64)


def close(one, other):
    torch.testing.assert_close(one, other, rtol=1e-10, atol=1e-12)


def test_toeplitz_by_hand():
    expected = torch.tensor([[2.0, 0.0, 0.0], [3.0, 2.0, 0.0], [5.0, 3.0, 2.0]])
    assert torch.equal(toeplitz(torch.tensor([2.0, 3.0, 5.0])), expected)


def test_the_fast_convolution_is_the_direct_sum_and_the_toeplitz_product():
    x, filter = normal(BATCH, WIDTH, LENGTH), normal(WIDTH, LENGTH)
    direct = torch.zeros_like(x)
    for i in range(LENGTH):
        for j in range(i + 1):
            direct[..., i] += filter[..., i - j] * x[..., j]
    close(fft_convolution(x, filter), direct)
    close((toeplitz(filter) @ x.unsqueeze(-1)).squeeze(-1), direct)


def test_the_end_does_not_wrap_round_to_the_beginning():
    x, filter = torch.zeros(LENGTH).double(), normal(LENGTH)
    x[-1] = 1.0
    y = fft_convolution(x, filter)
    close(y[:-1], torch.zeros(LENGTH - 1).double())
    close(y[-1], filter[0])


@pytest.mark.parametrize("order", [1, 2, 3])
def test_the_recurrence_is_a_product_of_diagonal_and_toeplitz_matrices(order):
    value = normal(BATCH, WIDTH, LENGTH)
    gates = [normal(BATCH, WIDTH, LENGTH) for _ in range(order)]
    filters = [normal(WIDTH, LENGTH) for _ in range(order)]
    got = gated_convolutions(value, gates, filters)
    for channel in range(WIDTH):
        matrix = data_controlled_matrix(
            [gate[:, channel] for gate in gates], [filter[channel] for filter in filters]
        )
        assert matrix.triu(1).abs().max() == 0.0
        close((matrix @ value[:, channel].unsqueeze(-1)).squeeze(-1), got[:, channel])


def test_order_two_by_hand():
    x1, x2, v = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 5.0]), torch.tensor([7.0, 11.0])
    first, second = torch.tensor([1.0, 1.0]), torch.tensor([2.0, -1.0])
    # h1 * v = (7, 18); times x1 = (7, 36); h2 * that = (14, 65); times x2 = (42, 325)
    got = gated_convolutions(v[None], [x1[None], x2[None]], [first[None], second[None]])
    torch.testing.assert_close(got, torch.tensor([[42.0, 325.0]]))


def test_a_missing_gate_is_refused():
    with pytest.raises(ValueError, match="shorter"):
        gated_convolutions(normal(1, 1, 2), [normal(1, 1, 2)], [])


@pytest.mark.parametrize("order", [1, 2, 3])
def test_the_future_does_not_move_the_past(order):
    module = Hyena(WIDTH, LONGEST, order).double()
    x = normal(BATCH, LENGTH, WIDTH)
    before = module(x)
    for place in range(1, LENGTH):
        changed = x.clone()
        changed[:, place:] += 1.0
        after = module(changed)
        close(after[:, :place], before[:, :place])
        assert (after[:, place:] - before[:, place:]).abs().min(0).values.max() > 1e-3


def test_a_prefix_gives_the_beginning_of_the_outputs():
    module = Hyena(WIDTH, LONGEST).double()
    x = normal(BATCH, LENGTH, WIDTH)
    close(module(x[:, :7]), module(x)[:, :7])


def test_every_earlier_token_reaches_every_later_one():
    module = Hyena(WIDTH, LONGEST).double()
    jacobian = torch.autograd.functional.jacobian(
        lambda x: module(x[None])[0], normal(LENGTH, WIDTH)
    )
    size = jacobian.norm(dim=(1, 3))
    assert size[torch.ones(LENGTH, LENGTH).tril().bool()].min() > 1e-9
    assert size.triu(1).max() < 1e-12


def test_filters_fade_and_a_shorter_one_is_the_beginning_of_a_longer_one():
    filters = ImplicitFilter(13, 101)
    long = filters(101)
    assert long.shape == (13, 101)
    torch.testing.assert_close(filters(11), long[:, :11])
    early, late = (part.abs().mean(1) for part in (long[:, :20], long[:, -20:]))
    assert (late[-3:] < 1e-3 * early[-3:]).all()
    assert late[0] / early[0] > 10 * late[-1] / early[-1]


def test_the_length_costs_no_parameters():
    counts = [sum(p.numel() for p in Hyena(7, length).parameters()) for length in (11, 1009)]
    assert counts[0] == counts[1]


def test_the_filters_learn():
    module = Hyena(WIDTH, LONGEST)
    module(torch.randn(BATCH, LENGTH, WIDTH)).square().sum().backward()
    assert all(p.grad.abs().max() > 0 for p in module.parameters())


def test_the_short_convolution_is_torchs_cut_off():
    module = ShortConvolution(WIDTH, 3).double()
    x = normal(BATCH, LENGTH, WIDTH)
    weight, bias = module.convolution.weight, module.convolution.bias
    twin = torch.nn.functional.conv1d(x.transpose(1, 2), weight, bias, padding=2, groups=WIDTH)
    close(module(x), twin[..., :LENGTH].transpose(1, 2))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: fft_convolution(normal(11), normal(7)), "x has length 11 and the filter 7"),
        (lambda: ImplicitFilter(0, 17), "width is 0"),
        (lambda: ImplicitFilter(5, 17)(18), "the length is 18; expected 1 to 17"),
        (lambda: Hyena(5, 17, order=0), "order 0"),
        (lambda: Hyena(5, 17, channels=0), "channels 0"),
        (lambda: Hyena(5, 17)(torch.zeros(3, 11, 7)), "tokens have width 7; expected 5"),
        (lambda: Hyena(5, 17)(torch.zeros(3, 19, 5)), "the length is 19; expected 1 to 17"),
    ],
)
def test_bad_input_is_refused_in_words(call, words):
    with pytest.raises((ValueError, TypeError), match=words):
        call()


def test_a_layer_hands_its_sharpness_to_its_filters():
    assert Hyena(5, max_length=7).filters.sharpness == 1.0
    assert Hyena(5, max_length=7, sharpness=10.0).filters.sharpness == 10.0


def test_a_layer_may_have_more_channels_than_a_token_has_numbers():
    module = Hyena(WIDTH, LONGEST, channels=13)
    assert [each.shape for each in module.long_filters(LENGTH)] == [(13, LENGTH)] * 2
    assert module(torch.randn(BATCH, LENGTH, WIDTH)).shape == (BATCH, LENGTH, WIDTH)
    assert [each.shape for each in Hyena(WIDTH, LONGEST).long_filters(3)] == [(WIDTH, 3)] * 2
