"""Networks without attention: their shapes, how far they see, and what they forget."""

import pytest
import torch
from softlookup.alternatives.image_networks import (
    LargestOfPlaces,
    MeanOverPlaces,
    MixFixed,
    MixNeighbours,
    MixTokens,
    blindfold,
    deep_cnn,
    exchange_attention,
    plain_cnn,
    pooled_patches,
    small_cnn,
    without_first_network,
    without_norms_before_attention,
)
from softlookup.inside.attention_maps import attention_maps
from softlookup.layers.multi_head import MultiHeadAttention, attention_weights
from softlookup.models.vit import ViT, ViTConfig
from torch import nn

SIDE = 24
MAKERS = {
    "small": lambda: small_cnn(3, 5, SIDE),
    "plain": lambda: plain_cnn(3, 5, SIDE),
    "plain, pooled": lambda: plain_cnn(3, 5, SIDE, pooled=True),
    "deep": lambda: deep_cnn(3, 5),
    "deep, normalised": lambda: deep_cnn(3, 5, normalised=True),
    "patches": lambda: pooled_patches(3, 5, 8),
}


@pytest.mark.parametrize("name", MAKERS)
def test_each_scores_every_class(name):
    torch.manual_seed(0)
    assert MAKERS[name]()(torch.randn(2, 1, SIDE, SIDE)).shape == (2, 5)


def seen_by_the_middle(network, side=64):
    """How many columns of pixels the middle number of the map before the head depends on."""
    layers = []
    for layer in network:
        if isinstance(layer, nn.Flatten | MeanOverPlaces | LargestOfPlaces):
            break
        if isinstance(layer, nn.Conv2d):
            nn.init.constant_(layer.weight, 0.1)
            nn.init.zeros_(layer.bias)
        layers.append(layer)
    pixels = torch.rand(1, 1, side, side, dtype=torch.float64, requires_grad=True)
    maps = nn.Sequential(*layers).double()(pixels)
    # A maximum hands its gradient to one pixel alone; a sum over maps of many rows finds all.
    middle = maps.size(-1) // 2
    maps[..., middle].sum().backward()
    return int((pixels.grad.abs().sum(dim=(0, 1, 2)) > 0).sum())


@pytest.mark.parametrize(
    ("make", "pixels"),
    [
        (lambda: plain_cnn(2, 5, 64), 7),
        (lambda: deep_cnn(2, 5), 31),
        (lambda: pooled_patches(2, 5, 8), 8),
    ],
)
def test_each_sees_as_far_as_it_says(make, pixels):
    torch.manual_seed(0)
    assert seen_by_the_middle(make()) == pixels


def test_paper_is_what_a_plain_network_pads():
    torch.manual_seed(0)
    network = plain_cnn(3, 5, SIDE, pooled=True)
    nn.init.zeros_(network[1].bias)
    paper = torch.full((1, 1, SIDE, SIDE), -1.0)
    assert (network[:2](paper) == 0).all()


def test_a_normalised_network_has_paper_at_zero_and_a_norm_behind_each_convolution():
    layers = [*deep_cnn(3, 5, normalised=True)]
    assert (layers[0](torch.full((1, 1, SIDE, SIDE), -1.0)) == 0).all()
    norms = [layers[i + 1] for i, layer in enumerate(layers) if isinstance(layer, nn.Conv2d)]
    assert [norm.num_features for norm in norms] == [3, 6, 6, 6]


def test_small_cnn_pools_twice():
    torch.manual_seed(0)
    shapes = []
    x = torch.randn(1, 1, 8, 8)
    for layer in small_cnn(3, 5):
        x = layer(x)
        shapes.append(tuple(x.shape[1:]))
    assert shapes == [(3, 8, 8), (3, 8, 8), (3, 4, 4), (6, 4, 4), (6, 4, 4), (6, 2, 2), (24,), (5,)]


def test_pooled_patches_forget_their_order_and_meet_only_in_the_mean():
    torch.manual_seed(0)
    network = pooled_patches(3, 5, 8).double()
    images = torch.randn(2, 1, SIDE, SIDE, dtype=torch.float64)
    turned = torch.cat((images[..., 8:, :], images[..., :8, :]), dim=2)
    assert torch.allclose(network(images), network(turned))
    assert not torch.allclose(network(images), network(images.flip(3)))


def test_pooling_over_places_takes_the_mean_or_the_largest():
    maps = torch.randn(2, 3, 5, 7)
    assert torch.equal(LargestOfPlaces()(maps), maps.flatten(2).max(dim=2).values)
    assert torch.allclose(MeanOverPlaces()(maps), maps.flatten(2).mean(dim=2))


def tiny_vit(pooling="class"):
    """Six patches in two rows of three."""
    return ViT(
        ViTConfig(
            image_size=(8, 12),
            patch_size=4,
            n_channels=1,
            d_model=8,
            n_heads=2,
            d_ff=8,
            n_layers=2,
            n_classes=3,
            pooling=pooling,
        )
    )


def test_blindfolded_queries_look_everywhere_alike_and_stay_so():
    torch.manual_seed(0)
    vit = tiny_vit()
    assert blindfold(vit) is vit
    optimizer = torch.optim.AdamW([p for p in vit.parameters() if p.requires_grad], lr=0.1)
    images = torch.randn(5, 1, 8, 12)
    vit(images).square().sum().backward()
    optimizer.step()
    for weights in attention_maps(vit, images).values():
        assert torch.allclose(weights, torch.full_like(weights, 1 / 7))


def test_the_first_block_alone_loses_its_network():
    torch.manual_seed(0)
    vit = tiny_vit()
    assert without_first_network(vit) is vit
    first, second = vit.stack.blocks
    x = torch.randn(2, 7, 8)
    assert torch.equal(first(x), x + first.self_attention(first.norm_1(x)))
    assert not torch.equal(second(x), x + second.self_attention(second.norm_1(x)))


def test_attention_without_its_norms_reads_the_tokens_as_they_are():
    torch.manual_seed(0)
    vit = tiny_vit()
    assert without_norms_before_attention(vit) is vit
    x = 5 * torch.randn(2, 7, 8)
    for block in vit.stack.blocks:
        met = x + block.self_attention(x)
        assert torch.equal(block(x), met + block.feed_forward(block.norm_2(met)))


@pytest.mark.parametrize("keeps", ["network", "norms", "neither"])
def test_an_average_of_patch_plus_place_knows_no_places_unless_something_works_on_each(keeps):
    torch.manual_seed(0)
    vit = blindfold(tiny_vit()).double()
    if keeps != "network":
        without_first_network(vit)
    if keeps != "norms":
        without_norms_before_attention(vit)
    images = torch.randn(2, 1, 8, 12, dtype=torch.float64)
    exchanged = torch.cat((images[..., 4:8], images[..., :4], images[..., 8:]), dim=-1)
    moved = (vit(exchanged) - vit(images)).abs().max()
    assert (moved < 1e-12) == (keeps == "neither")


def test_a_fixed_mixture_is_attention_whose_weights_no_token_changes():
    torch.manual_seed(0)
    attend, mix = MultiHeadAttention(8, 2).double(), MixFixed(8, 7, 2).double()
    for name in ("value_projection", "output_projection"):
        getattr(mix, name).load_state_dict(getattr(attend, name).state_dict())
    x = torch.randn(1, 7, 8, dtype=torch.float64)
    with torch.no_grad():
        mix.weights.copy_(attention_weights(attend, x)[0])
        assert torch.allclose(mix(x), attend(x))
        # Linear, and so the same mixture for every image: it adds up, less what an empty one gives.
        other = torch.randn_like(x)
        empty = mix(torch.zeros_like(x))
        assert torch.allclose(mix(x + other) - empty, mix(x) + mix(other) - 2 * empty)
        assert not torch.allclose(attend(other), mix(other))


def test_tokens_are_mixed_by_their_places_whatever_they_hold():
    torch.manual_seed(0)
    mix = MixTokens(7).double()
    x = torch.randn(2, 7, 5, dtype=torch.float64)
    mixed = mix(x)
    # Each of the five numbers is mixed by itself, and all five by the same network.
    assert torch.allclose(mix(x[..., [3]]), mixed[..., [3]])
    with torch.no_grad():
        by_hand = mix.network(x[1, :, 2])
    assert torch.allclose(mixed[1, :, 2], by_hand)


def test_neighbours_are_those_of_the_grid():
    torch.manual_seed(0)
    mix = MixNeighbours(5, columns=3).double()
    x = torch.randn(1, 12, 5, dtype=torch.float64)  # Four rows of three.
    changed = x.clone()
    changed[0, 2] += 1.0  # The end of the first row.
    touched = (mix(changed) - mix(x)).abs().amax(dim=-1)[0] > 0
    assert touched.nonzero()[:, 0].tolist() == [1, 2, 4, 5]


@pytest.mark.parametrize(
    ("pooling", "make"),
    [
        ("class", lambda: MixTokens(7)),
        ("class", lambda: MixFixed(8, 7, 2)),
        ("mean", lambda: MixNeighbours(8, 3)),
    ],
)
def test_attention_is_exchanged_in_every_block_and_nothing_else(pooling, make):
    torch.manual_seed(0)
    vit = tiny_vit(pooling)
    before = {name: p for name, p in vit.named_parameters() if "self_attention" not in name}
    assert exchange_attention(vit, make) is vit
    mixtures = [block.self_attention for block in vit.stack.blocks]
    assert {type(each) for each in mixtures} == {type(make())}
    assert mixtures[0] is not mixtures[1]
    after = dict(vit.named_parameters())
    assert all(after[name] is parameter for name, parameter in before.items())
    assert vit(torch.randn(2, 1, 8, 12)).shape == (2, 3)
