"""The loss over next tokens: held to torch's cross-entropy, and to numbers known beforehand."""

import math

import pytest
import torch
import torch.nn.functional as F
from softlookup.running.losses import next_token_loss

BATCH, LENGTH, VOCAB = 3, 7, 11
PADDING = 0


def draw(dtype=torch.float64):
    generator = torch.Generator().manual_seed(0)
    logits = 3 * torch.randn(BATCH, LENGTH, VOCAB, generator=generator, dtype=dtype)
    targets = torch.randint(1, VOCAB, (BATCH, LENGTH), generator=generator)
    targets[0, 5:] = PADDING
    targets[2, 2:] = PADDING
    return logits, targets


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.37])
@pytest.mark.parametrize("padding", [None, PADDING, -100])
def test_value_and_gradient_agree_with_torch(padding, smoothing):
    logits, targets = draw()
    if padding == -100:
        targets[targets == PADDING] = padding
    ours, theirs = (logits.clone().requires_grad_() for _ in range(2))
    loss = next_token_loss(ours, targets, padding, smoothing)
    expected = F.cross_entropy(
        theirs.flatten(0, 1),
        targets.flatten(),
        ignore_index=-1 if padding is None else padding,
        label_smoothing=smoothing,
    )
    torch.testing.assert_close(loss, expected, rtol=1e-12, atol=1e-12)
    loss.backward()
    expected.backward()
    assert theirs.grad.abs().max() > 1e-3
    torch.testing.assert_close(ours.grad, theirs.grad, rtol=1e-12, atol=1e-12)


def test_padding_neither_counts_nor_gets_a_gradient():
    logits, targets = draw()
    logits.requires_grad_()
    loss = next_token_loss(logits, targets, PADDING, 0.1)
    loss.backward()
    assert torch.equal(logits.grad[targets == PADDING], torch.zeros(7, VOCAB).double())
    other = logits.detach().clone()
    other[targets == PADDING] = 50.0
    assert torch.equal(next_token_loss(other, targets, PADDING, 0.1), loss.detach())


def test_every_token_counts_alike_whatever_its_row():
    logits, targets = draw()
    each = [
        next_token_loss(logits[i : i + 1], targets[i : i + 1], PADDING).item() for i in range(BATCH)
    ]
    words = (targets != PADDING).sum(1).tolist()
    pooled = sum(n * loss for n, loss in zip(words, each, strict=True)) / sum(words)
    assert next_token_loss(logits, targets, PADDING).item() == pytest.approx(pooled, rel=1e-12)
    assert pooled != pytest.approx(sum(each) / BATCH, rel=1e-3)


def test_known_numbers():
    nothing_known = torch.zeros(2, 3, VOCAB)
    targets = torch.full((2, 3), 4)
    for smoothing in (0.0, 0.1):
        loss = next_token_loss(nothing_known, targets, label_smoothing=smoothing)
        assert loss.item() == pytest.approx(math.log(VOCAB), rel=1e-6)
    certain = nothing_known.clone()
    certain[..., 4] = 100.0
    assert next_token_loss(certain, targets).item() == 0.0
    # Sure of the right token: surprised by 100 nats at each of the ten others.
    smoothed = next_token_loss(certain, targets, label_smoothing=0.1)
    assert smoothed.item() == pytest.approx(0.1 * 10 / 11 * 100, rel=1e-6)


def test_the_smoothed_loss_is_least_at_the_smoothed_distribution():
    smoothing = 0.1
    wanted = torch.full((VOCAB,), smoothing / VOCAB, dtype=torch.float64)
    wanted[4] += 1 - smoothing
    targets = torch.tensor([[4]])
    logits = wanted.log()[None, None].clone().requires_grad_()
    loss = next_token_loss(logits, targets, label_smoothing=smoothing)
    assert loss.item() == pytest.approx(-(wanted * wanted.log()).sum().item(), rel=1e-12)
    loss.backward()
    assert logits.grad.abs().max() < 1e-12


def test_errors_say_what_to_do():
    logits, targets = draw()
    with pytest.raises(ValueError, match=r"label_smoothing is 1\.0; expected a share"):
        next_token_loss(logits, targets, label_smoothing=1.0)
    with pytest.raises(ValueError, match=r"none of the 21 targets counts \(padding is 0\)"):
        next_token_loss(logits, torch.zeros_like(targets), padding=PADDING)
    with pytest.raises(ValueError, match=r"from -100 to \d+; expected 0 to 10.*is padding set"):
        next_token_loss(logits, torch.where(targets == PADDING, -100, targets))
