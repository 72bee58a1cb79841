"""ViT: number for number that of Hugging Face; what it does and does not know of places."""

import math

import pytest
import torch
import torch_twins
from softlookup.inside.attention_maps import attention_maps
from softlookup.layers.patches import assemble, cut
from softlookup.layers.positions import sinusoidal, sinusoidal_grid
from softlookup.models.vit import ViT, ViTConfig
from transformers import ViTConfig as HuggingFaceConfig
from transformers import ViTForImageClassification

BATCH, CHANNELS, SIZE, PATCH, PATCHES = 3, 2, (15, 35), 5, 21
CONFIG = {
    "image_size": SIZE,
    "patch_size": PATCH,
    "n_channels": CHANNELS,
    "d_model": 20,
    "n_heads": 5,
    "d_ff": 31,
    "n_layers": 2,
    "n_classes": 7,
}


def make(dtype=torch.float64, **choices):
    model = ViT(ViTConfig(**(CONFIG | choices))).to(dtype)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.mul_(0.3 / parameter.std())
    return torch_twins.scatter_norms_and_biases(model).eval()


def draw(generator, dtype=torch.float64):
    return torch.randn(BATCH, CHANNELS, *SIZE, generator=generator, dtype=dtype)


def weights_for_hugging_face(ours, of=torch_twins.values):
    weights = {
        "vit.embeddings.cls_token": of(ours.class_token),
        "vit.embeddings.position_embeddings": of(ours.positions.table)[None],
        **torch_twins.linear(
            ours.embedding.projection, "vit.embeddings.patch_embeddings.projection", of
        ),
        **torch_twins.linear(ours.stack.final_norm, "vit.layernorm", of),
        **torch_twins.linear(ours.head, "classifier", of),
    }
    for number, block in enumerate(ours.stack.blocks):
        attention, feed_forward = block.self_attention, block.feed_forward
        for module, name in (
            (attention.query_projection, "attention.q_proj"),
            (attention.key_projection, "attention.k_proj"),
            (attention.value_projection, "attention.v_proj"),
            (attention.output_projection, "attention.o_proj"),
            (feed_forward.inner_projection, "mlp.fc1"),
            (feed_forward.output_projection, "mlp.fc2"),
            (block.norm_1, "layernorm_before"),
            (block.norm_2, "layernorm_after"),
        ):
            weights |= torch_twins.linear(module, f"vit.layers.{number}.{name}", of)
    return weights


def hugging_face(ours):
    config = ours.config
    twin = ViTForImageClassification(
        HuggingFaceConfig(
            hidden_size=config.d_model,
            num_hidden_layers=config.n_layers,
            num_attention_heads=config.n_heads,
            intermediate_size=config.d_ff,
            image_size=config.image_size,
            patch_size=config.patch_size,
            num_channels=config.n_channels,
            num_labels=config.n_classes,
            layer_norm_eps=config.epsilon,
        )
    )
    twin = twin.to(ours.head.weight.dtype).eval()
    missing, unexpected = twin.load_state_dict(weights_for_hugging_face(ours), strict=True)
    assert (missing, unexpected) == ([], [])
    return twin


# The second is so large that a norm which ignored it would be seen.
@pytest.mark.parametrize("epsilon", [1e-6, 0.1])
def test_agrees_with_hugging_face(generator, epsilon):
    ours, images = make(epsilon=epsilon), draw(generator)
    twin = hugging_face(ours)
    states = []
    for block in ours.stack.blocks:
        block.register_forward_pre_hook(lambda _, inputs: states.append(inputs[0]))
    ours.stack.final_norm.register_forward_pre_hook(lambda _, inputs: states.append(inputs[0]))
    logits = ours(images)
    expected = twin(images, output_hidden_states=True)
    assert logits.std() > 0.5
    torch.testing.assert_close(logits, expected.logits, rtol=0, atol=1e-9)
    assert len(states) == len(expected.hidden_states)
    for state, expected_state in zip(states, expected.hidden_states, strict=True):
        torch.testing.assert_close(state, expected_state, rtol=0, atol=1e-9)

    direction = torch.linspace(-1, 1, logits.numel(), dtype=logits.dtype).view_as(logits)
    (logits * direction).sum().backward()
    (expected.logits * direction).sum().backward()
    gradients = weights_for_hugging_face(ours, torch_twins.gradients)
    # A query's product with the keys' bias is the same for every key, and softmax forgets it.
    for name in [name for name in gradients if name.endswith("k_proj.bias")]:
        assert gradients.pop(name).abs().max() < 1e-12
        twin.get_parameter(name).requires_grad_(False)
    named = {n: p for n, p in twin.named_parameters() if p.requires_grad}
    assert named.keys() == gradients.keys()
    for name, parameter in named.items():
        assert parameter.grad.abs().max() > 1e-4, name
        torch.testing.assert_close(gradients[name], parameter.grad, rtol=1e-9, atol=1e-9)


def test_has_the_published_numbers_of_parameters():
    sizes = {
        "B/16": (16, 768, 12, 3072, 12, 86_567_656),
        "B/32": (32, 768, 12, 3072, 12, 88_224_232),
        "L/16": (16, 1024, 16, 4096, 24, 304_326_632),
    }
    for patch_size, d_model, n_heads, d_ff, n_layers, count in sizes.values():
        with torch.device("meta"):
            model = ViT(ViTConfig(224, patch_size, 3, d_model, n_heads, d_ff, n_layers, 1000))
        assert sum(parameter.numel() for parameter in model.parameters()) == count


@pytest.mark.parametrize("positions", ["learned", "sinusoidal", "none"])
@pytest.mark.parametrize("pooling", ["class", "mean"])
@torch.no_grad()
def test_shuffled_patches_tell_positions_from_none(generator, pooling, positions):
    model, images = make(pooling=pooling, positions=positions), draw(generator)
    order = torch.randperm(PATCHES, generator=generator)
    shuffled = assemble(cut(images, PATCH)[:, order], SIZE, CHANNELS)
    moved = (model(shuffled) - model(images)).abs().max()
    assert (moved < 1e-12) == (positions == "none")
    assert moved < 1e-12 or moved > 1e-2


@pytest.mark.parametrize("positions", ["learned", "sinusoidal"])
@torch.no_grad()
def test_patches_may_be_shuffled_together_with_their_positions(generator, positions):
    model, images = make(positions=positions), draw(generator)
    before = model(images)
    order = torch.randperm(PATCHES, generator=generator)
    table = model.positions.table
    table[1:] = table[1:][order].clone()
    shuffled = assemble(cut(images, PATCH)[:, order], SIZE, CHANNELS)
    torch.testing.assert_close(model(shuffled), before, rtol=0, atol=1e-12)


@torch.no_grad()
def test_the_class_token_is_the_first_and_has_a_position(generator):
    model, images = make(), draw(generator)
    tokens = model.tokens(images)
    assert tokens.shape == (BATCH, 1 + PATCHES, 20)
    first = model.class_token[0, 0] + model.positions.table[0]
    torch.testing.assert_close(tokens[:, 0], first.expand(BATCH, -1))
    patches = model.embedding(images) + model.positions.table[1:]
    torch.testing.assert_close(tokens[:, 1:], patches)


@torch.no_grad()
def test_pooling_takes_the_class_token_or_the_mean(generator):
    for pooling in ("class", "mean"):
        model, images = make(pooling=pooling), draw(generator)
        states = model.stack(model.tokens(images))
        assert states.size(1) == PATCHES + (pooling == "class")
        pooled = states[:, 0] if pooling == "class" else states.sum(1) / PATCHES
        torch.testing.assert_close(model(images), model.head(pooled))


@torch.no_grad()
def test_one_image_does_not_hear_of_another(generator):
    model, images = make(), draw(generator)
    alone = torch.cat([model(image[None]) for image in images])
    torch.testing.assert_close(model(images), alone, rtol=0, atol=1e-12)


def test_every_parameter_learns(generator):
    for pooling in ("class", "mean"):
        model = make(pooling=pooling)
        model(draw(generator)).square().sum().backward()
        for name, parameter in model.named_parameters():
            if "key_projection.bias" not in name:
                assert parameter.grad.abs().max() > 1e-4, name


def test_dropout_is_for_training_alone(generator):
    model, images = make(dropout=0.5), draw(generator)
    assert torch.equal(model(images), model(images))
    model.train()
    assert not torch.equal(model(images), model(images))


def test_learned_positions_start_with_their_spread():
    for spread in (0.02, 0.3):
        model = ViT(ViTConfig(**(CONFIG | {"d_model": 200, "position_spread": spread})))
        assert model.positions.table.std().item() == pytest.approx(spread, rel=0.05)


def test_the_grid_tells_row_and_column():
    rows, columns, d_model = 3, 7, 20
    table = sinusoidal_grid(rows, columns, d_model, dtype=torch.float64)
    clocks = sinusoidal(columns, d_model // 2, dtype=torch.float64)
    for row in range(rows):
        for column in range(columns):
            expected = torch.cat((clocks[row], clocks[column]))
            assert torch.equal(table[row * columns + column], expected)
    # The product of two places depends on how far apart they lie, not on where.
    products = (table @ table.T).view(rows, columns, rows, columns)
    torch.testing.assert_close(products[0, 1, 2, 5], products[0, 2, 2, 6])
    torch.testing.assert_close(products[0, 0, 1, 3], products[1, 3, 2, 6])


@torch.no_grad()
def test_sinusoidal_positions_leave_the_class_token_alone(generator):
    model = make(positions="sinusoidal")
    assert "positions.table" not in model.state_dict()
    tokens = model.tokens(draw(generator))
    torch.testing.assert_close(tokens[:, 0], model.class_token[:, 0].expand(BATCH, -1))


@torch.no_grad()
def test_its_attention_can_be_looked_at(generator):
    model = make()
    maps = attention_maps(model, draw(generator))
    assert [*maps] == [f"stack.blocks.{layer}.self_attention" for layer in range(2)]
    for weights in maps.values():
        assert weights.shape == (BATCH, 5, 1 + PATCHES, 1 + PATCHES)


@pytest.mark.parametrize(
    ("mistake", "words"),
    [
        (lambda: ViTConfig(**(CONFIG | {"image_size": (15, 36)})), "15 × 36 pixels and patch_size"),
        (lambda: ViTConfig(**(CONFIG | {"image_size": 16})), "16 × 16 pixels and patch_size is 5"),
        (lambda: ViTConfig(**(CONFIG | {"pooling": "max"})), "pooling is 'max'; expected one of"),
        (lambda: ViTConfig(**(CONFIG | {"positions": "2d"})), "positions is '2d'; expected one of"),
        (lambda: ViTConfig(**(CONFIG | {"n_classes": 0})), "n_classes is 0"),
        (lambda: make(n_channels=0), "n_channels is 0"),
        (lambda: make(n_heads=3), "d_model is 20 and n_heads is 3"),
        (lambda: make(positions="sinusoidal", d_model=18, n_heads=3), "d_model is 18; .* 4"),
        (lambda: make()(torch.zeros(3, 1, 15, 35)), r"shape \(3, 1, 15, 35\); .* 2, 15, 35\)"),
        (lambda: make()(torch.zeros(3, 2, 35, 15)), r"shape \(3, 2, 35, 15\); .* 2, 15, 35\)"),
        (lambda: make()(torch.zeros(3, 15, 35)), r"shape \(3, 15, 35\); .* 2, 15, 35\)"),
        (lambda: sinusoidal_grid(0, 7, 20), "grid is 0 × 7"),
        (lambda: sinusoidal_grid(3, 7, 22), "d_model is 22; expected a multiple of 4"),
    ],
)
def test_doors(mistake, words):
    with pytest.raises(ValueError, match=words):
        mistake()


def test_sizes_of_one_number_are_square():
    config = ViTConfig(**(CONFIG | {"image_size": 35}))
    assert config.height_and_width == (35, 35)
    assert config.rows_and_columns == (7, 7)
    assert math.prod(ViTConfig(**CONFIG).rows_and_columns) == PATCHES
