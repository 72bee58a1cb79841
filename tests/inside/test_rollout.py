"""Roll-out: where it can be known, it is known; elsewhere it is a distribution."""

import pytest
import torch
from softlookup.inside.attention_maps import attention_maps
from softlookup.inside.rollout import rollout
from softlookup.models.vit import ViT, ViTConfig

BATCH, HEADS, TOKENS = 3, 5, 7


def draw(generator, heads=HEADS):
    scores = torch.randn(BATCH, heads, TOKENS, TOKENS, generator=generator, dtype=torch.float64)
    return (3 * scores).softmax(-1)


def test_agrees_with_a_walk_over_paths(generator):
    """Sum over all paths through three layers of the product of their steps."""
    layers = [draw(generator) for _ in range(3)]
    step = [0.5 * torch.eye(TOKENS) + 0.5 * weights.mean(1) for weights in layers]
    expected = torch.zeros(BATCH, TOKENS, TOKENS, dtype=torch.float64)
    for a in range(TOKENS):  # what the first layer reads
        for b in range(TOKENS):
            for c in range(TOKENS):
                for d in range(TOKENS):  # what the last layer gives
                    expected[:, d, a] += step[2][:, d, c] * step[1][:, c, b] * step[0][:, b, a]
    torch.testing.assert_close(rollout(layers), expected, rtol=0, atol=1e-12)


def test_the_rows_are_distributions(generator):
    total = rollout([draw(generator), draw(generator, heads=2), draw(generator)], share=0.8)
    assert (total >= 0).all()
    torch.testing.assert_close(total.sum(-1), torch.ones(BATCH, TOKENS, dtype=torch.float64))


def test_the_later_layer_reads_what_the_earlier_one_mixed(generator):
    first, second = draw(generator), draw(generator)
    total = rollout([first, second], share=1.0)
    torch.testing.assert_close(total, second.mean(1) @ first.mean(1))
    assert (total - first.mean(1) @ second.mean(1)).abs().max() > 0.01


def test_without_attention_each_token_is_itself(generator):
    total = rollout([draw(generator), draw(generator)], share=0.0)
    assert torch.equal(total, torch.eye(TOKENS).double().expand(BATCH, -1, -1))


def test_follows_a_chain_of_hard_weights():
    # Layer 1: everyone copies its right neighbour; layer 2: the same. So i comes from i + 2.
    right = torch.eye(TOKENS).roll(1, dims=1)[None, None]
    total = rollout([right, right], share=1.0)
    assert total[0].argmax(-1).tolist() == [(i + 2) % TOKENS for i in range(TOKENS)]


@torch.no_grad()
def test_takes_what_attention_maps_gives(generator):
    model = ViT(ViTConfig((10, 15), 5, 1, 20, 5, 31, 2, 7)).eval()
    images = torch.randn(BATCH, 1, 10, 15, generator=generator)
    total = rollout([*attention_maps(model, images).values()])
    assert total.shape == (BATCH, 7, 7)
    torch.testing.assert_close(total.sum(-1), torch.ones(BATCH, 7))


@pytest.mark.parametrize(
    ("layers", "share", "words"),
    [
        ([], 0.5, "there are no layers"),
        ([torch.ones(3, 5, 7, 7), torch.ones(3, 5, 7, 11)], 0.5, r"layer 2 .* \(3, 5, 7, 11\)"),
        ([torch.ones(3, 5, 7, 7), torch.ones(2, 5, 7, 7)], 0.5, r"layer 2 .* \(3, heads, 7, 7\)"),
        ([torch.ones(3, 5, 7, 7)], 1.5, "share is 1.5"),
    ],
)
def test_doors(layers, share, words):
    with pytest.raises(ValueError, match=words):
        rollout(layers, share)
