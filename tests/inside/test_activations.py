"""What is recorded at each hook point is what the model's part computes there."""

import pytest
import torch
from softlookup.inside.activations import record_activations
from softlookup.inside.hook_points import hook_points
from softlookup.layers import masks
from softlookup.layers.blocks import BlockConfig
from softlookup.layers.multi_head import attention_weights
from softlookup.layers.stacks import Stack
from softlookup.layers.visibility import CAUSAL, Visibility
from softlookup.models.attention_only import AttentionOnly
from softlookup.models.gpt import GPT, GPTConfig
from softlookup.models.transformer import Transformer, TransformerConfig
from softlookup.models.vit import ViT, ViTConfig
from torch import nn


def encoder_decoder(**choices):
    return Transformer(TransformerConfig(23, 23, 13, 10, 5, 17, 2, **choices))


def test_every_activation_of_an_encoder_decoder():
    model = encoder_decoder()
    source, target = torch.randint(23, (3, 7)), torch.randint(23, (3, 11))
    mask = masks.padding(torch.tensor([7, 1, 4]), 7)
    activations = record_activations(model, source, target, mask)

    expected = {"input 1": source}
    x = expected["source_embedding"] = model.source_embedding(source)
    x = expected["source_positions"] = model.source_positions(x)
    for layer, block in enumerate(model.encoder.blocks):
        name = f"encoder.blocks.{layer}"
        attended = block.self_attention(block.norm_1(x), visible=Visibility(mask))
        expected[f"{name}.self_attention"] = attended
        x = x + attended
        thought = block.feed_forward(block.norm_2(x))
        expected[f"{name}.feed_forward"] = thought
        x = expected[name] = x + thought
    memory = expected["encoder.final_norm"] = model.encoder.final_norm(x)
    expected["input 2"] = target
    x = expected["target_embedding"] = model.target_embedding(target)
    x = expected["target_positions"] = model.target_positions(x)
    for layer, block in enumerate(model.decoder.blocks):
        name = f"decoder.blocks.{layer}"
        attended = block.self_attention(block.norm_1(x), visible=CAUSAL)
        expected[f"{name}.self_attention"] = attended
        x = x + attended
        attended = block.cross_attention(block.norm_2(x), memory, Visibility(mask))
        expected[f"{name}.cross_attention"] = attended
        x = x + attended
        thought = block.feed_forward(block.norm_3(x))
        expected[f"{name}.feed_forward"] = thought
        x = expected[name] = x + thought
    x = expected["decoder.final_norm"] = model.decoder.final_norm(x)
    expected["output"] = model.output_projection(x)

    assert [activation.name for activation in activations] == list(expected)
    for activation in activations:
        torch.testing.assert_close(
            activation.values, expected[activation.name][0], msg=activation.name
        )
        assert tuple(activation.shape.values()) == activation.values.shape
        assert not activation.values.requires_grad
    memories = {
        activation.name: activation.memory for activation in activations if activation.memory
    }
    assert memories == {
        f"decoder.blocks.{layer}.cross_attention": "encoder.final_norm" for layer in (0, 1)
    }
    block = model.encoder.blocks[0]
    normed = block.norm_1(expected["source_positions"])
    (first,) = [
        activation
        for activation in activations
        if activation.name == "encoder.blocks.0.self_attention"
    ]
    torch.testing.assert_close(
        first.weights, attention_weights(block.self_attention, normed, visible=Visibility(mask))[0]
    )


def test_labels_roles_and_shapes_in_words():
    activations = record_activations(GPT(GPTConfig(23, 13, 10, 5, 1)), torch.randint(23, (3, 11)))
    assert [
        (activation.label, activation.role, dict(activation.shape)) for activation in activations
    ] == [
        ("token ids", "input", {"length": 11}),
        ("embedding", "stream", {"length": 11, "width": 10}),
        ("positions added", "stream", {"length": 11, "width": 10}),
        ("self-attention", "branch", {"length": 11, "width": 10}),
        ("feed-forward", "branch", {"length": 11, "width": 10}),
        ("after layer 1", "stream", {"length": 11, "width": 10}),
        ("last norm", "stream", {"length": 11, "width": 10}),
        ("scores", "output", {"length": 11, "vocabulary": 23}),
    ]


def test_an_image_through_vision():
    model = ViT(ViTConfig((4, 6), 2, 3, 8, 2, 11, 1, 5))
    images = torch.randn(3, 3, 4, 6)
    activations = record_activations(model, images)
    assert [dict(activations[place].shape) for place in (0, 1, 2, -1)] == [
        {"channels": 3, "height": 4, "width": 6},
        {"length": 6, "width": 8},
        {"length": 7, "width": 8},
        {"classes": 5},
    ]
    assert (activations[0].label, activations[-1].role) == ("image", "output")
    torch.testing.assert_close(activations[2].values, model.tokens(images)[0])
    torch.testing.assert_close(activations[-1].values, model(images)[0])


def test_a_post_norm_stack_ends_with_its_last_layer():
    model = encoder_decoder(norm="post")
    activations = record_activations(model, torch.randint(23, (3, 7)), torch.randint(23, (3, 11)))
    assert "last norm" not in [activation.label for activation in activations]
    assert {activation.memory for activation in activations} == {None, "encoder.blocks.1"}


def test_a_shared_table_is_recorded_twice():
    model = encoder_decoder(shared_vocabulary=True, tied_output=True)
    source, target = torch.randint(23, (3, 7)), torch.randint(23, (3, 11))
    for points in (None, {"source_embedding": "table", "target_embedding": "the same table"}):
        found = [
            s
            for s in record_activations(model, source, target, points=points)
            if "embedding" in s.name
        ]
        assert [(activation.name, activation.shape["length"]) for activation in found] == [
            ("source_embedding", 7),
            ("source_embedding", 11),
        ]
        torch.testing.assert_close(found[1].values, model.target_embedding(target)[0])


def test_only_the_points_that_are_named_in_the_words_given():
    model = ViT(ViTConfig(4, 2, 1, 8, 2, 11, 1, 5))
    images = torch.randn(3, 1, 4, 4)
    activations = record_activations(model, images, points={"head": "classes", "stack": "encoder"})
    # The head computes the output, so it is the last activation, and there is no other for it.
    assert [(activation.name, activation.label, activation.role) for activation in activations] == [
        ("input 1", "image", "input"),
        ("stack", "encoder", "stream"),
        ("head", "classes", "output"),
    ]


def test_what_is_recorded_stays_when_the_model_goes_on():
    class InPlace(nn.Module):
        def __init__(self):
            super().__init__()
            self.first = nn.Linear(5, 7)

        def forward(self, x):
            x = self.first(x)
            doubled = 2 * x
            x.zero_()
            return doubled

    model, x = InPlace(), torch.randn(3, 11, 5)
    first = record_activations(model, x, points={"first": "first"})[1]
    torch.testing.assert_close(first.values, model.first(x)[0])


@pytest.mark.parametrize("training", [True, False])
def test_the_model_is_left_as_it_was(training):
    model = GPT(GPTConfig(23, 13, 10, 5, 2)).train(training)
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    record_activations(model, torch.randint(23, (3, 11)))
    with pytest.raises(ValueError, match="expected 0 to 22"):
        record_activations(model, torch.full((3, 11), 23))
    for module in model.modules():
        assert not module._forward_hooks
        assert not module._forward_pre_hooks
        assert module.training == training
    for name, tensor in model.state_dict().items():
        assert torch.equal(tensor, before[name])
    assert all(parameter.grad is None for parameter in model.parameters())


def test_a_name_that_is_no_modules_is_told_those_there_are():
    model = nn.Sequential(nn.Linear(5, 7), nn.Linear(7, 3))
    with pytest.raises(ValueError, match=r"has \['2'\]; expected .* which are \['0', '1'\]"):
        record_activations(model, torch.zeros(3, 5), points={"0": "first", "2": "third"})


def test_a_module_that_is_never_called_is_told():
    model = encoder_decoder(tied_output=False)
    decoder = {"decoder.blocks": "the list itself is never called"}
    with pytest.raises(ValueError, match=r"Transformer never called \['decoder.blocks'\]"):
        record_activations(
            model, torch.randint(23, (3, 7)), torch.randint(23, (3, 11)), points=decoder
        )


def test_what_is_no_tensor_of_tokens_is_told():
    class Two(nn.Module):
        def forward(self, x):
            return x, x

    model = nn.Sequential(Two())
    with pytest.raises(ValueError, match="0 is tuple; expected a tensor"):
        record_activations(model, torch.zeros(3, 5), points={"0": "two"})


def test_hook_points_of_a_bare_stack():
    stack = Stack(1, BlockConfig(10, 5, 7))
    assert hook_points(stack) == {
        "blocks.0": "after layer 1",
        "blocks.0.self_attention": "self-attention",
        "blocks.0.feed_forward": "feed-forward",
        "final_norm": "last norm",
    }


def test_a_transformer_of_attention_alone_is_recorded_too():
    model, tokens = AttentionOnly(23, 13, 10, 5, 2), torch.randint(23, (3, 11))
    activations = record_activations(model, tokens)
    assert [(each.name, each.label, each.role) for each in activations] == [
        ("input 1", "token ids", "input"),
        ("embedding", "embedding", "stream"),
        ("positions", "positions added", "stream"),
        ("layers.0", "self-attention", "branch"),
        ("layers.1", "self-attention", "branch"),
        ("final_norm", "last norm", "stream"),
        ("output", "scores", "output"),
    ]
    values = {each.name: each.values for each in activations}
    stream = values["positions"] + values["layers.0"] + values["layers.1"]
    torch.testing.assert_close(values["final_norm"], model.final_norm(stream))
    weights = attention_weights(
        model.layers[0], model.norms[0](values["positions"][None]), visible=CAUSAL
    )
    torch.testing.assert_close(activations[3].weights, weights[0])


@pytest.mark.parametrize("kind", ["rotary", "alibi", "none"])
def test_positions_that_add_nothing_are_no_hook_point(kind):
    points = hook_points(GPT(GPTConfig(23, 13, 20, 5, 1, positions=kind)))
    assert "embedding" in points
    assert "positions" not in points


def test_parts_are_found_by_their_types_whatever_they_are_called():
    class Renamed(nn.Module):
        def __init__(self):
            super().__init__()
            self.tower = Stack(2, BlockConfig(10, 5, 7))

    assert hook_points(Renamed())["tower.blocks.1"] == "after layer 2"
