import math

import pytest
import torch
import torch.nn.functional as F
from softlookup.models.gpt import GPT, GPTConfig
from softlookup.running.evaluation import bits_per_character, perplexity, token_losses

VOCAB_SIZE, LENGTH = 11, 47


@pytest.fixture
def model():
    torch.manual_seed(3)
    config = GPTConfig(VOCAB_SIZE, 64, d_model=12, n_heads=2, n_layers=2, positions="rotary")
    model = GPT(config).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(3)  # so that what the model sees matters
    return model


@pytest.fixture
def ids(generator):
    return torch.randint(0, VOCAB_SIZE, (LENGTH,), generator=generator)


@torch.no_grad()
def one_by_one(model, ids, contexts):
    """The loss of each token after a context of a given length, in a pass of its own."""
    losses = []
    for place, length in contexts:
        logits = model(ids[None, place - length : place])[0, -1]
        losses.append(F.cross_entropy(logits, ids[place]))
    return torch.stack(losses)


def test_a_stride_of_one_gives_every_token_the_whole_window(model, ids):
    window = 13
    expected = one_by_one(model, ids, [(t, min(t, window)) for t in range(1, LENGTH)])
    measured = token_losses(model, ids, window, stride=1, batch_size=5)
    assert torch.allclose(measured, expected, atol=1e-9)


def test_blocks_forget_what_came_before(model, ids):
    window = 13
    # The last block is moved back to be full, so its tokens have more before them, not less.
    contexts = [(t, (t - 1) % window + 1) for t in range(1, 40)]
    contexts += [(t, t - (LENGTH - 1 - window)) for t in range(40, LENGTH)]
    expected = one_by_one(model, ids, contexts)
    assert torch.allclose(token_losses(model, ids, window, stride=window), expected, atol=1e-9)


@pytest.mark.parametrize("stride", [2, 5, 7, 13])
@pytest.mark.parametrize("first", [1, 3, 17, LENGTH - 1])
def test_each_token_is_scored_once_with_enough_before_it(model, ids, stride, first):
    window = 13
    seen = []

    def spy(tokens):
        seen.append(tokens)
        return model(tokens)

    losses = token_losses(spy, ids, window, stride, first, batch_size=3)
    assert len(losses) == LENGTH - first
    assert all(tokens.shape[1] == window for tokens in seen)
    full = token_losses(model, ids, window, 1, first)
    # A stride of s leaves at least window - s + 1 tokens of context: with fewer, others come out.
    shortest = one_by_one(
        model, ids, [(t, min(t, window - stride + 1)) for t in range(first, LENGTH)]
    )
    near = (losses - full).abs()
    assert near.max() < 3 * (shortest - full).abs().max() + 1e-9


def test_a_short_text_fits_into_one_window(model, ids):
    expected = one_by_one(model, ids, [(t, t) for t in range(1, LENGTH)])
    assert torch.allclose(token_losses(model, ids, 64, 32), expected, atol=1e-9)


def test_a_uniform_model_is_as_perplexed_as_it_has_tokens(ids):
    losses = token_losses(lambda tokens: torch.zeros(*tokens.shape, VOCAB_SIZE), ids, 13, 7)
    assert perplexity(losses) == pytest.approx(VOCAB_SIZE)
    # Tokens of two characters each share their bits between them.
    assert bits_per_character(losses, 2 * len(losses)) == pytest.approx(math.log2(VOCAB_SIZE) / 2)


def test_perplexity_is_the_inverse_geometric_mean_of_the_probabilities():
    # Token by token the perplexities are 2, 4 and 8, whose arithmetic mean is not 4.
    losses = -torch.tensor([1 / 2, 1 / 4, 1 / 8], dtype=torch.float64).log()
    assert perplexity(losses) == pytest.approx(4.0)


def test_nothing_is_kept_for_gradients(model, ids):
    assert not token_losses(model, ids, 13, 5).requires_grad


def test_bits_do_not_depend_on_where_the_text_is_cut(generator):
    # Three characters, each with 1/4, as three tokens; or as one token, with 1/64.
    apart = torch.full((3,), math.log(4))
    together = torch.full((1,), math.log(64))
    assert bits_per_character(apart, 3) == pytest.approx(bits_per_character(together, 3))
    assert perplexity(together) == pytest.approx(perplexity(apart) ** 3)


def test_doors(model, ids):
    with pytest.raises(ValueError, match="window is 5, stride is 6 and batch_size is 64"):
        token_losses(model, ids, 5, 6)
    with pytest.raises(ValueError, match="stride is 0"):
        token_losses(model, ids, 5, 0)
    with pytest.raises(ValueError, match="first is 0 and the text has 47 tokens"):
        token_losses(model, ids, 5, 5, first=0)
    with pytest.raises(ValueError, match="there are 0 losses for 3 characters"):
        bits_per_character(torch.tensor([]), 3)
    with pytest.raises(ValueError, match="there are 1 losses for 0 characters"):
        bits_per_character(torch.ones(1), 0)
    with pytest.raises(ValueError, match="there are no losses"):
        perplexity(torch.tensor([]))
