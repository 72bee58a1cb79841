"""What is recorded at each stop is what the model's parts compute there."""

import pytest
import torch
from softlookup.inside.activations import by_input, named_stops, passage
from softlookup.layers import masks
from softlookup.layers.blocks import BlockConfig
from softlookup.layers.multi_head import attention_weights
from softlookup.layers.stacks import Encoder
from softlookup.models.gpt import GPT, GPTConfig
from softlookup.models.transformer import Transformer, TransformerConfig
from softlookup.models.vit import ViT, ViTConfig
from torch import nn


def encoder_decoder(**choices):
    return Transformer(TransformerConfig(23, 23, 13, 10, 5, 17, 2, **choices))


def test_an_encoder_decoder_stop_by_stop():
    model = encoder_decoder()
    source, target = torch.randint(23, (3, 7)), torch.randint(23, (3, 11))
    mask = masks.padding(torch.tensor([7, 1, 4]), 7)
    stops = passage(model, source, target, mask)

    expected = {"input 1": source}
    x = expected["source_embedding"] = model.source_embedding(source)
    x = expected["source_positions"] = model.source_positions(x)
    for layer, block in enumerate(model.encoder.blocks):
        name = f"encoder.blocks.{layer}"
        attended = block.self_attention(block.around_self_attention.norm(x), mask=mask)
        expected[f"{name}.self_attention"] = attended
        x = x + attended
        thought = block.feed_forward(block.around_feed_forward.norm(x))
        expected[f"{name}.feed_forward"] = thought
        x = expected[name] = x + thought
    memory = expected["encoder.final_norm"] = model.encoder.final_norm(x)
    expected["input 2"] = target
    x = expected["target_embedding"] = model.target_embedding(target)
    x = expected["target_positions"] = model.target_positions(x)
    for layer, block in enumerate(model.decoder.blocks):
        name = f"decoder.blocks.{layer}"
        attended = block.self_attention(block.around_self_attention.norm(x), causal=True)
        expected[f"{name}.self_attention"] = attended
        x = x + attended
        attended = block.cross_attention(block.around_cross_attention.norm(x), memory, mask=mask)
        expected[f"{name}.cross_attention"] = attended
        x = x + attended
        thought = block.feed_forward(block.around_feed_forward.norm(x))
        expected[f"{name}.feed_forward"] = thought
        x = expected[name] = x + thought
    x = expected["decoder.final_norm"] = model.decoder.final_norm(x)
    expected["output"] = model.output_projection(x)

    assert [stop.name for stop in stops] == list(expected)
    for stop in stops:
        torch.testing.assert_close(stop.values, expected[stop.name][0], msg=stop.name)
        assert tuple(stop.shape.values()) == stop.values.shape
        assert not stop.values.requires_grad
    memories = {stop.name: stop.memory for stop in stops if stop.memory}
    assert memories == {
        f"decoder.blocks.{layer}.cross_attention": "encoder.final_norm" for layer in (0, 1)
    }
    block = model.encoder.blocks[0]
    normed = block.around_self_attention.norm(expected["source_positions"])
    (first,) = [stop for stop in stops if stop.name == "encoder.blocks.0.self_attention"]
    torch.testing.assert_close(
        first.weights, attention_weights(block.self_attention, normed, mask=mask)[0]
    )


def test_labels_roles_and_shapes_in_words():
    stops = passage(GPT(GPTConfig(23, 13, 10, 5, 1)), torch.randint(23, (3, 11)))
    assert [(stop.label, stop.role, dict(stop.shape)) for stop in stops] == [
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
    stops = passage(model, images)
    assert [dict(stops[place].shape) for place in (0, 1, 2, -1)] == [
        {"channels": 3, "height": 4, "width": 6},
        {"length": 6, "width": 8},
        {"length": 7, "width": 8},
        {"classes": 5},
    ]
    assert (stops[0].label, stops[-1].role) == ("image", "output")
    torch.testing.assert_close(stops[2].values, model.tokens(images)[0])
    torch.testing.assert_close(stops[-1].values, model(images)[0])


def test_a_post_norm_stack_ends_with_its_last_layer():
    model = encoder_decoder(norm="post")
    stops = passage(model, torch.randint(23, (3, 7)), torch.randint(23, (3, 11)))
    assert "last norm" not in [stop.label for stop in stops]
    assert {stop.memory for stop in stops} == {None, "encoder.blocks.1"}


def test_a_shared_table_is_a_stop_twice():
    model = encoder_decoder(shared_vocabulary=True, tied_output=True)
    source, target = torch.randint(23, (3, 7)), torch.randint(23, (3, 11))
    for stops in (None, {"source_embedding": "table", "target_embedding": "the same table"}):
        found = [s for s in passage(model, source, target, stops=stops) if "embedding" in s.name]
        assert [(stop.name, stop.shape["length"]) for stop in found] == [
            ("source_embedding", 7),
            ("source_embedding", 11),
        ]
        torch.testing.assert_close(found[1].values, model.target_embedding(target)[0])


def test_only_the_stops_that_are_named_in_the_words_given():
    model = ViT(ViTConfig(4, 2, 1, 8, 2, 11, 1, 5))
    images = torch.randn(3, 1, 4, 4)
    stops = passage(model, images, stops={"head": "classes", "stack": "encoder"})
    # The head computes the output, so it is the last stop, and there is no other for it.
    assert [(stop.name, stop.label, stop.role) for stop in stops] == [
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
    first = passage(model, x, stops={"first": "first"})[1]
    torch.testing.assert_close(first.values, model.first(x)[0])


def test_the_way_is_cut_where_inputs_come_in():
    stops = passage(encoder_decoder(), torch.randint(23, (3, 7)), torch.randint(23, (3, 11)))
    encoder, decoder = by_input(stops)
    assert [*encoder, *decoder] == stops
    assert encoder[-1].name == "encoder.final_norm"
    assert decoder[0].name == "input 2"
    for wrong, told in (([], "'nothing'"), (stops[1:], "'embedding'")):
        with pytest.raises(ValueError, match=f"begins with {told}; expected an input"):
            by_input(wrong)


@pytest.mark.parametrize("training", [True, False])
def test_the_model_is_left_as_it_was(training):
    model = GPT(GPTConfig(23, 13, 10, 5, 2)).train(training)
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    passage(model, torch.randint(23, (3, 11)))
    with pytest.raises(ValueError, match="expected 0 to 22"):
        passage(model, torch.full((3, 11), 23))
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
        passage(model, torch.zeros(3, 5), stops={"0": "first", "2": "third"})


def test_a_module_that_is_never_called_is_told():
    model = encoder_decoder(tied_output=False)
    decoder = {"decoder.blocks": "the list itself is never called"}
    with pytest.raises(ValueError, match=r"Transformer never called \['decoder.blocks'\]"):
        passage(model, torch.randint(23, (3, 7)), torch.randint(23, (3, 11)), stops=decoder)


def test_what_is_no_tensor_of_tokens_is_told():
    class Two(nn.Module):
        def forward(self, x):
            return x, x

    model = nn.Sequential(Two())
    with pytest.raises(ValueError, match="0 is tuple; expected a tensor"):
        passage(model, torch.zeros(3, 5), stops={"0": "two"})


def test_named_stops_of_a_bare_stack():
    stack = Encoder(1, BlockConfig(10, 5, 7))
    assert named_stops(stack) == {
        "blocks.0": "after layer 1",
        "blocks.0.self_attention": "self-attention",
        "blocks.0.feed_forward": "feed-forward",
        "final_norm": "last norm",
    }
