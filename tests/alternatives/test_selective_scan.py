"""The selective scan: at once as step by step, a state that stays small, and Mamba's layer."""

import copy

import pytest
import torch
from properties import given, settings, st
from softlookup.alternatives.selective_scan import (
    SelectiveStateSpace,
    scan_by_steps,
    selective_scan,
    step,
)
from transformers import MambaConfig
from transformers.models.mamba.modeling_mamba import MambaMixer

BATCH, LENGTH, D_MODEL, D_INNER, D_STATE, KERNEL, RANK = 3, 11, 7, 14, 5, 4, 2
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-10}


def inputs(length=LENGTH, seed=0, batch=(BATCH,)):
    """x, durations, fading, what is written and what is read."""
    generator = torch.Generator().manual_seed(seed)

    def draw(*shape):
        return torch.randn(shape, generator=generator, dtype=torch.float64)

    return (
        draw(*batch, length, D_INNER),
        draw(*batch, length, D_INNER).exp(),
        -draw(D_INNER, D_STATE).exp(),
        draw(*batch, length, D_STATE),
        draw(*batch, length, D_STATE),
    )


def by_hand(x, duration, fading, write, read):
    """Number by number, in plain Python."""
    output = torch.zeros_like(x)
    for row in range(x.size(0)):
        for channel in range(D_INNER):
            state = [0.0] * D_STATE
            for t in range(x.size(1)):
                lasts = duration[row, t, channel].item()
                for n in range(D_STATE):
                    kept = torch.tensor(lasts * fading[channel, n].item()).exp().item()
                    added = lasts * write[row, t, n].item() * x[row, t, channel].item()
                    state[n] = kept * state[n] + added
                output[row, t, channel] = sum(
                    state[n] * read[row, t, n].item() for n in range(D_STATE)
                )
    return output


def stepwise(x, duration, fading, write, read, state=None):
    outputs = []
    for t in range(x.size(-2)):
        found, state = step(
            x[..., t, :], duration[..., t, :], fading, write[..., t, :], read[..., t, :], state
        )
        outputs.append(found)
    return torch.stack(outputs, dim=-2), state


def test_a_step_is_the_recurrence():
    given_ = inputs(length=5)
    torch.testing.assert_close(stepwise(*given_)[0], by_hand(*given_), rtol=0, atol=1e-6)


@settings(deadline=None, max_examples=40)
@given(length=st.integers(1, 70), seed=st.integers(0, 2**16), started=st.booleans())
def test_at_once_equals_step_by_step(length, seed, started):
    given_ = inputs(length, seed, batch=(2, 3))
    state = torch.randn(2, 3, D_INNER, D_STATE, dtype=torch.float64) if started else None
    expected, last = stepwise(*given_, state)
    for scan in (selective_scan, scan_by_steps):
        output, after = scan(*given_, state)
        torch.testing.assert_close(output, expected, rtol=1e-10, atol=1e-10)
        torch.testing.assert_close(after, last, rtol=1e-10, atol=1e-10)


def test_a_layer_gives_the_same_by_either_scan():
    torch.manual_seed(0)
    layer, x = SelectiveStateSpace(D_MODEL, D_INNER, D_STATE), torch.randn(BATCH, LENGTH, D_MODEL)
    at_once, kept = layer(x)
    layer.scan = scan_by_steps
    by_steps, also_kept = layer(x)
    torch.testing.assert_close(by_steps, at_once, rtol=1e-4, atol=1e-6)
    torch.testing.assert_close(also_kept.summary, kept.summary, rtol=1e-4, atol=1e-6)


def test_gradients_agree_too():
    both = []
    for way in (selective_scan, stepwise):
        leaves = [tensor.requires_grad_() for tensor in inputs()]
        output, state = way(*leaves)
        (output.square().sum() + state.sum()).backward()
        both.append([leaf.grad for leaf in leaves])
    for ours, theirs in zip(*both, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-9, atol=1e-9)


def test_a_long_text_neither_overflows_nor_dies():
    x, duration, fading, write, read = (tensor.float() for tensor in inputs(length=2000))
    output, state = selective_scan(x, 30 * duration, fading, write, read)
    assert output.isfinite().all()
    assert state.isfinite().all()
    assert output[:, -100:].std() > 0.1


def test_a_token_without_duration_is_passed_over():
    x, duration, fading, write, read = inputs()
    duration[:, 4] = 0.0
    output, state = selective_scan(x, duration, fading, write, read)
    rest = [0, 1, 2, 3, *range(5, LENGTH)]
    less, same = selective_scan(
        *(t[:, rest] for t in (x, duration)), fading, *(t[:, rest] for t in (write, read))
    )
    torch.testing.assert_close(output[:, rest], less, rtol=0, atol=1e-12)
    torch.testing.assert_close(state, same, rtol=0, atol=1e-12)


def test_after_a_long_token_nothing_before_it_is_known():
    given_ = inputs()
    given_[1][:, 4] = 1e6
    changed = [tensor.clone() for tensor in given_]
    changed[0][:, :4] *= -3
    before, after = selective_scan(*given_)[0], selective_scan(*changed)[0]
    assert (before[:, 3] - after[:, 3]).abs().max() > 0.1
    assert torch.equal(before[:, 4:], after[:, 4:])


def make(dtype=torch.float64):
    torch.manual_seed(0)
    module = SelectiveStateSpace(D_MODEL, D_INNER, D_STATE, KERNEL, RANK).to(dtype)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.add_(0.5 * torch.randn_like(parameter))
    return module


def tokens(dtype=torch.float64, seed=1, length=LENGTH):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(BATCH, length, D_MODEL, generator=generator, dtype=dtype)


MAMBA = {
    "A_log": "log_speed",
    "D": "passing",
    "in_proj.weight": "input_projection.weight",
    "conv1d.weight": "convolution.weight",
    "conv1d.bias": "convolution.bias",
    "x_proj.weight": "choice_projection.weight",
    "dt_proj.weight": "duration_projection.weight",
    "dt_proj.bias": "duration_projection.bias",
    "out_proj.weight": "output_projection.weight",
}


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_agrees_with_hugging_faces_mamba(dtype, monkeypatch):
    if dtype == torch.float64:  # they take parts of the scan in float32, whatever the model's type
        monkeypatch.setattr(torch.Tensor, "float", torch.Tensor.double)
    ours, leaves = make(dtype), [tokens(dtype).requires_grad_() for _ in range(2)]
    config = MambaConfig(
        hidden_size=D_MODEL,
        expand=2,
        state_size=D_STATE,
        conv_kernel=KERNEL,
        time_step_rank=RANK,
        num_hidden_layers=1,
    )
    twin = MambaMixer(config, layer_idx=0).to(dtype)
    assert len(MAMBA) == len(ours.state_dict())
    twin.load_state_dict({name: ours.state_dict()[our] for name, our in MAMBA.items()})
    output, expected = ours(leaves[0])[0], twin(leaves[1])
    assert output.std() > 0.3
    torch.testing.assert_close(output, expected, rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype])
    direction = tokens(dtype, seed=2)
    (output * direction).sum().backward()
    (expected * direction).sum().backward()
    gradients = dict(ours.named_parameters())
    for name, parameter in twin.named_parameters():
        ours_ = gradients[MAMBA[name]].grad
        assert ours_.abs().max() > 1e-3, name
        close = {"rtol": 10 * TOLERANCE[dtype], "atol": 100 * TOLERANCE[dtype]}
        torch.testing.assert_close(ours_, parameter.grad, **close)
    torch.testing.assert_close(leaves[0].grad, leaves[1].grad, **close)


@torch.no_grad()
def test_a_text_in_parts_is_the_whole_text():
    module, x = make(), tokens()
    expected, last = module(x)
    for split in range(1, LENGTH):
        for size in (LENGTH - split, 1):
            output, state = module(x[:, :split])
            parts = [output]
            for start in range(split, LENGTH, size):
                output, state = module(x[:, start : start + size], state)
                parts.append(output)
            torch.testing.assert_close(torch.cat(parts, 1), expected, rtol=0, atol=1e-10)
            torch.testing.assert_close(state.summary, last.summary, rtol=0, atol=1e-10)


@torch.no_grad()
def test_the_state_does_not_grow_with_the_text():
    module, sizes, state = make(), set(), None
    for token in tokens(length=101).split(1, dim=1):
        _, state = module(token, state)
        sizes.add((state.recent.shape, state.summary.shape))
    _, whole = module(tokens(length=997))
    sizes.add((whole.recent.shape, whole.summary.shape))
    assert sizes == {((BATCH, KERNEL - 1, D_INNER), (BATCH, D_INNER, D_STATE))}


@torch.no_grad()
def test_a_state_is_read_and_not_changed():
    module, x = make(), tokens()
    _, state = module(x)
    kept = copy.deepcopy((state.recent, state.summary))
    module(x, state)
    assert torch.equal(state.recent, kept[0])
    assert torch.equal(state.summary, kept[1])


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 2**16), at=st.integers(0, LENGTH - 2))
def test_the_future_moves_nothing_earlier(seed, at):
    module, x = make(torch.float32), tokens(torch.float32, seed)
    before = module(x)[0]
    x[:, at + 1 :] += 10
    after = module(x)[0]
    assert torch.equal(before[:, : at + 1], after[:, : at + 1])
    assert not torch.equal(before[:, at + 1 :], after[:, at + 1 :])


def test_starts_with_short_durations_and_speeds_that_are_counted():
    torch.manual_seed(0)
    module = SelectiveStateSpace(32, 997, 5, rank=2)
    durations = torch.nn.functional.softplus(module.duration_projection.bias)
    assert durations.min() > 0.00099
    assert durations.max() < 0.101
    assert durations.median().item() == pytest.approx(0.01, rel=0.15)
    assert module.duration_projection.weight.abs().max().item() == pytest.approx(0.5**0.5, rel=0.01)
    torch.testing.assert_close(module.log_speed.exp(), torch.arange(1.0, 6).repeat(997, 1))
    assert (module.passing == 1).all()


@torch.no_grad()
def test_one_token_of_convolution_leaves_no_recent_ones():
    module = SelectiveStateSpace(D_MODEL, D_INNER, D_STATE, kernel_size=1).double()
    output, state = module(tokens())
    assert state.recent.shape == (BATCH, 0, D_INNER)
    again = module(tokens()[:, 4:], module(tokens()[:, :4])[1])[0]
    torch.testing.assert_close(again, output[:, 4:], rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: SelectiveStateSpace(7, 14, 0), "d_state is 0.* expected at least 1 each"),
        (lambda: make()(tokens()[..., :3]), r"shape \(3, 11, 3\); expected \(batch, length, 7\)"),
        (lambda: make()(tokens(length=0)), "with a length of at least 1"),
        (lambda: selective_scan(*inputs(length=0)), "there are 0 tokens"),
        (lambda: scan_by_steps(*inputs(length=0)), "there are 0 tokens"),
        (
            lambda: selective_scan(*(-t if i == 2 else t for i, t in enumerate(inputs()))),
            "the fading goes up to .* expected nothing above zero",
        ),
    ],
)
def test_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()
