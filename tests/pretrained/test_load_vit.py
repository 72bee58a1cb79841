"""Vision Transformers from Hugging Face's files: states and logits are those of their model."""

import hub_files
import pytest
import torch
from hub_files import edit_config, edit_tensors, save
from softlookup.models.vit import ViT, ViTConfig
from softlookup.pretrained.vit import load_vit
from transformers import ViTConfig as HuggingFaceConfig
from transformers import ViTForImageClassification, ViTForMaskedImageModeling, ViTModel

BATCH, CHANNELS, CLASSES, EPSILON = 3, 2, 7, 0.03
# width, heads, inner width, layers, image, patch
SIZES = [
    (10, 5, 13, 2, (15, 35), 5),
    (39, 3, 101, 3, (21, 21), 7),
    (154, 7, 211, 5, (26, 39), 13),
]


def hugging_face(
    generator, size=SIZES[0], dtype=torch.float64, kind=ViTForImageClassification, **fields
):
    d_model, n_heads, d_ff, n_layers, image, patch = size
    config = HuggingFaceConfig(
        **{
            "hidden_size": d_model,
            "num_attention_heads": n_heads,
            "intermediate_size": d_ff,
            "num_hidden_layers": n_layers,
            "image_size": image if image[0] != image[1] else image[0],
            "patch_size": patch,
            "num_channels": CHANNELS,
            "num_labels": CLASSES,
            "layer_norm_eps": EPSILON,
            **fields,
        }
    )
    return hub_files.scattered(kind(config), generator, dtype)


def draw(generator, size=SIZES[0], dtype=torch.float64):
    return torch.randn(BATCH, CHANNELS, *size[4], generator=generator, dtype=dtype)


@pytest.fixture
def saved(generator, tmp_path):
    return save(hugging_face(generator), tmp_path / "vit")


@pytest.mark.parametrize("dtype", hub_files.TOLERANCE)
@pytest.mark.parametrize("size", SIZES)
@torch.no_grad()
def test_states_and_logits_are_theirs(size, dtype, generator, tmp_path):
    theirs = hugging_face(generator, size, dtype)
    ours = load_vit(save(theirs, tmp_path), dtype=dtype).model
    images, normed = draw(generator, size, dtype), []
    theirs.vit.layernorm.register_forward_hook(lambda _, args, output: normed.append(output))
    expected = theirs(images, output_hidden_states=True)
    states = hub_files.states_of_blocks(ours, images)
    expected_states = [*expected.hidden_states, normed[0]]
    assert len(states) == len(expected_states) == size[3] + 2
    for state, expected_state in zip(states, expected_states, strict=True):
        assert expected_state.std() > 0.5
        hub_files.assert_close(state, expected_state, dtype)
    assert expected.logits.std() > 0.5
    hub_files.assert_close(ours(images), expected.logits, dtype)


@torch.no_grad()
def test_both_forms_of_names_give_one_model(generator, tmp_path):
    theirs, images = hugging_face(generator), draw(generator)
    hub = save(theirs, tmp_path / "hub")
    current = save(theirs, tmp_path / "current", save_original_format=False)
    # Fixed here, because a release of transformers may save one form or the other.
    assert "vit.encoder.layer.1.attention.attention.key.weight" in hub_files.names(hub)
    assert "vit.layers.1.attention.k_proj.weight" in hub_files.names(current)
    assert not hub_files.names(hub) & {n for n in hub_files.names(current) if ".layers." in n}
    for directory in (hub, current):
        loaded = load_vit(directory, dtype=torch.float64)
        hub_files.assert_close(loaded.model(images), theirs(images).logits, torch.float64)
        assert {match.theirs for match in loaded.report.matched} == hub_files.names(directory)
        assert loaded.report.ignored == loaded.report.untrained == ()
    edit_tensors(
        hub, lambda t: t | {n: v for n, v in hub_files.tensors(current).items() if ".layers." in n}
    )
    with pytest.raises(ValueError, match="two names of one tensor"):
        load_vit(hub)


@pytest.mark.parametrize("kind", [ViTModel, ViTForMaskedImageModeling])
@torch.no_grad()
def test_without_a_head_a_new_one_is_asked_for(kind, generator, tmp_path):
    theirs = hugging_face(generator, kind=kind, encoder_stride=5)
    directory = save(theirs, tmp_path)
    with pytest.raises(ValueError, match=r"has no classifier.*; expected n_classes"):
        load_vit(directory)
    model, report = (
        (one := load_vit(directory, dtype=torch.float64, n_classes=11)).model,
        one.report,
    )
    images = draw(generator)
    expected = getattr(theirs, "vit", theirs)(images).last_hidden_state
    hub_files.assert_close(model.stack(model.tokens(images)), expected, torch.float64)
    assert torch.equal(model(images), torch.zeros(BATCH, 11, dtype=torch.float64))
    assert model.head.weight.requires_grad
    assert report.untrained == ("head.weight", "head.bias")
    assert "2 untrained, " in str(report).splitlines()[0]
    assert str(report).count("head.weight") == 1
    prefixes = {"ViTModel": ("pooler.",), "ViTForMaskedImageModeling": ("decoder.", "vit.emb")}
    assert len(report.ignored) == {"ViTModel": 2, "ViTForMaskedImageModeling": 3}[kind.__name__]
    assert all(one.theirs.startswith(prefixes[kind.__name__]) for one in report.ignored)


def test_a_new_head_replaces_that_of_the_file(saved):
    loaded = load_vit(saved, n_classes=11)
    assert loaded.model.head.out_features == 11
    assert {one.theirs for one in loaded.report.ignored} == {"classifier.weight", "classifier.bias"}
    with pytest.raises(ValueError, match="n_classes is 0; expected at least 1"):
        load_vit(saved, n_classes=0)


@pytest.mark.parametrize("patch_size", [5, [5, 5]])
def test_a_square_is_one_number_or_two(patch_size, generator, tmp_path):
    directory = save(hugging_face(generator, SIZES[0]), tmp_path)
    config = load_vit(edit_config(directory, patch_size=patch_size)).model.config
    assert (config.patch_size, config.height_and_width) == (5, (15, 35))


REFUSED = {
    "model_type": "deit",
    "hidden_act": "relu",
    "qkv_bias": False,
    "quantization_config": {"bits": 4},
    "patch_size": [5, 7],
    "image_size": [15, 35, 3],
    "num_channels": 0,
    "layer_norm_eps": "small",
}


@pytest.mark.parametrize("field", REFUSED)
def test_refuses_by_name_what_vit_does_not_compute(field, saved):
    edit_config(saved, **{field: REFUSED[field]})
    with pytest.raises(ValueError, match="expected") as refusal:
        load_vit(saved)
    assert f"config.json: {field} is {REFUSED[field]!r}; expected" in str(refusal.value)


def test_vit_b_16_has_its_number_of_parameters():
    with torch.device("meta"):
        model = ViT(ViTConfig(224, 16, 3, 768, 12, 3072, 12, n_classes=1000))
    assert sum(parameter.numel() for parameter in model.parameters()) == 86_567_656
