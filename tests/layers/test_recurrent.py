import pytest
import torch
from softlookup.layers.recurrent import LSTM, RNN, LSTMCell, RNNCell
from torch import nn

BATCH, LENGTH, D_INPUT, D_HIDDEN = 3, 11, 5, 7
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-10}


def copy_from_torch(ours, theirs):
    """Copy the weights of torch's one-layer network into the cell of ours."""
    ours.cell.input_projection.load_state_dict(
        {"weight": theirs.weight_ih_l0, "bias": theirs.bias_ih_l0}
    )
    ours.cell.state_projection.load_state_dict(
        {"weight": theirs.weight_hh_l0, "bias": theirs.bias_hh_l0}
    )


def gradients(network):
    ours = getattr(network, "cell", None)
    if ours is None:
        names = ("weight_ih_l0", "bias_ih_l0", "weight_hh_l0", "bias_hh_l0")
        return [getattr(network, name).grad for name in names]
    layers = (ours.input_projection, ours.state_projection)
    return [parameter.grad for layer in layers for parameter in (layer.weight, layer.bias)]


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("kind", ["RNN", "LSTM"])
@pytest.mark.parametrize("given_state", [True, False])
def test_agrees_with_torch_in_values_and_gradients(kind, dtype, given_state):
    torch.manual_seed(0)
    ours = {"RNN": RNN, "LSTM": LSTM}[kind](D_INPUT, D_HIDDEN).to(dtype)
    theirs = getattr(nn, kind)(D_INPUT, D_HIDDEN, batch_first=True).to(dtype)
    copy_from_torch(ours, theirs)
    x = torch.randn(BATCH, LENGTH, D_INPUT, dtype=dtype)
    hidden, memory = torch.randn(2, BATCH, D_HIDDEN, dtype=dtype)
    state = (hidden, memory) if kind == "LSTM" else hidden
    their_state = (hidden[None], memory[None]) if kind == "LSTM" else hidden[None]

    results = []
    for network, begin in ((ours, state), (theirs, their_state)):
        read = x.clone().requires_grad_()
        states, final = network(read, begin) if given_state else network(read)
        final = torch.cat([*final]) if kind == "LSTM" else final
        final = final.reshape(-1, D_HIDDEN)
        (states.square().sum() + final.sin().sum()).backward()
        results.append([states, final, read.grad, *gradients(network)])
    for mine, reference in zip(*results, strict=True):
        torch.testing.assert_close(mine, reference, atol=TOLERANCE[dtype], rtol=TOLERANCE[dtype])


@pytest.mark.parametrize("kind", ["RNN", "LSTM"])
def test_initialises_as_torch_does(kind):
    ours = {"RNN": RNN, "LSTM": LSTM}[kind](31, 101)
    torch.manual_seed(0)
    theirs = getattr(nn, kind)(31, 101)
    for mine, reference in zip(ours.parameters(), theirs.parameters(), strict=True):
        assert mine.abs().max() <= 101**-0.5
        assert mine.detach().std() == pytest.approx(reference.std().item(), rel=0.2)


def test_forget_bias_raises_the_forget_gate_alone():
    torch.manual_seed(0)
    plain = LSTMCell(D_INPUT, D_HIDDEN)
    torch.manual_seed(0)
    biased = LSTMCell(D_INPUT, D_HIDDEN, forget_bias=3.0)
    difference = biased.input_projection.bias - plain.input_projection.bias
    assert torch.allclose(difference[D_HIDDEN : 2 * D_HIDDEN], torch.tensor(3.0))
    assert difference[:D_HIDDEN].abs().max() == 0
    assert difference[2 * D_HIDDEN :].abs().max() == 0


def test_a_large_forget_bias_keeps_the_memory_and_a_very_negative_one_drops_it():
    memory = torch.randn(BATCH, D_HIDDEN)
    nothing = torch.zeros(BATCH, D_INPUT), torch.zeros(BATCH, D_HIDDEN)
    kept, dropped = (LSTMCell(D_INPUT, D_HIDDEN, forget_bias=bias) for bias in (50.0, -50.0))
    with torch.no_grad():
        for cell in (kept, dropped):
            # Close the input gate, so that only what the forget gate passes remains.
            cell.input_projection.bias[:D_HIDDEN] = -50.0
        assert torch.allclose(kept(*nothing, memory)[1], memory)
        assert dropped(*nothing, memory)[1].abs().max() < 1e-6


@pytest.mark.parametrize("network", [RNN, LSTM])
def test_the_past_does_not_know_the_future(network):
    model = network(D_INPUT, D_HIDDEN)
    x = torch.randn(BATCH, LENGTH, D_INPUT)
    changed = x.clone()
    changed[:, 6] += 1
    before, after = model(x)[0], model(changed)[0]
    assert torch.equal(before[:, :6], after[:, :6])
    assert (before[:, 6:] - after[:, 6:]).abs().amax(dim=(0, 2)).min() > 0


@pytest.mark.parametrize("network", [RNN, LSTM])
def test_reading_in_two_parts_is_reading_at_once(network):
    model = network(D_INPUT, D_HIDDEN)
    x = torch.randn(BATCH, LENGTH, D_INPUT)
    states, final = model(x)
    first, carried = model(x[:, :4])
    second, final_of_parts = model(x[:, 4:], carried)
    torch.testing.assert_close(torch.cat([first, second], dim=1), states)
    torch.testing.assert_close(final_of_parts, final)


@pytest.mark.parametrize("make", [RNNCell, LSTMCell, RNN, LSTM])
def test_refuses_widths_that_are_not_positive(make):
    with pytest.raises(ValueError, match="d_input is 0 and d_hidden is 7; expected both"):
        make(0, 7)
    with pytest.raises(ValueError, match="d_hidden is -1"):
        make(5, -1)


@pytest.mark.parametrize("network", [RNN, LSTM])
def test_refuses_an_empty_sequence(network):
    with pytest.raises(ValueError, match=r"shape \(3, 0, 5\), so no tokens"):
        network(D_INPUT, D_HIDDEN)(torch.zeros(BATCH, 0, D_INPUT))
