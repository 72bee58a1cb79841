"""Weights of Vision Transformers in our ViT.

The same model has two sets of names: those of the files on the hub, and those that the current
release of transformers gives its layers. The hub's become the current ones here, and one plan
serves both. The chapter on vision builds the model.
"""

from pathlib import Path

import torch

from softlookup.models.vit import ViT, ViTConfig
from softlookup.pretrained.configuration import Configuration
from softlookup.pretrained.files import find, read_tensors
from softlookup.pretrained.matching import Loaded, Origin, layer, load, rename

_RENAMES = (
    (r"^encoder\.layer\.", "layers."),
    (r"\.attention\.attention\.query\.", ".attention.q_proj."),
    (r"\.attention\.attention\.key\.", ".attention.k_proj."),
    (r"\.attention\.attention\.value\.", ".attention.v_proj."),
    (r"\.attention\.output\.dense\.", ".attention.o_proj."),
    (r"\.intermediate\.dense\.", ".mlp.fc1."),
    (r"^(layers\.\d+)\.output\.dense\.", r"\1.mlp.fc2."),
)
_KNOWN = {
    r"embeddings\.mask_token": "it stood for hidden patches in training",
    r"decoder\..*": "a head that paints hidden patches",
    r"pooler\..*": "a layer on the class token, which ours scores directly",
    r"classifier\..*": "a head for other classes than were asked for",
}


def load_vit(
    source: str | Path,
    revision: str | None = None,
    dtype: torch.dtype = torch.float32,
    dropout: float = 0.0,
    n_classes: int | None = None,
) -> Loaded[ViT]:
    """Load a Vision Transformer, with its classes or with a new head for others.

    Args:
        source: a directory, or a name on the hub such as ``"google/vit-base-patch16-224"``.
        revision: on the hub, a branch, a tag or a commit.
        dtype: of the model, whatever the file has.
        dropout: for training on; the configuration's own is not taken, and attention has none.
        n_classes: None takes the file's head. A number takes a new one, which starts from zeros,
            as its authors began to fine-tune.

    Returns:
        The model, in evaluation mode, and the report.

    Raises:
        ValueError: if the configuration asks for what ViT does not compute, if the tensors do
            not fit it, or if the file has no head and ``n_classes`` is None.
        ConnectionError: if a name cannot be had from the hub.

    Source: Dosovitskiy et al. 2021, section 3.2 for the new head; the layout is that of Hugging
        Face's ``ViTForImageClassification``.
    """
    directory = find(source, revision)
    theirs = Configuration.read(directory)
    theirs.require({"model_type": ("vit",)}, "load_vit")
    theirs.require({"hidden_act": ("gelu",), "qkv_bias": (True,)}, "ViT")
    stored = rename(read_tensors(directory), "vit.", _RENAMES)
    new_head, head = n_classes is not None, stored.get("classifier.weight")
    if n_classes is None:
        if head is None:
            raise ValueError(
                f"{source} has no classifier, so it scores no classes; expected n_classes, the "
                "number of classes that a new, untrained head is to score"
            )
        n_classes = len(head.tensor)
    config = ViTConfig(
        image_size=_height_and_width(theirs),
        patch_size=_patch_size(theirs),
        n_channels=theirs.whole("num_channels"),
        d_model=theirs.whole("hidden_size"),
        n_heads=theirs.whole("num_attention_heads"),
        d_ff=theirs.whole("intermediate_size"),
        n_layers=theirs.whole("num_hidden_layers"),
        n_classes=n_classes,
        epsilon=theirs.number("layer_norm_eps"),
        dropout=dropout,
    )
    plan, untrained = _plan(config.n_layers), {}
    if new_head:
        weight = torch.zeros(n_classes, config.d_model)
        untrained = {"head.weight": weight, "head.bias": torch.zeros(n_classes)}
    else:
        plan |= layer("head", "classifier")
    return load(lambda: ViT(config), stored, plan, _KNOWN, str(source), dtype, untrained)


def _plan(n_layers: int) -> dict[str, Origin]:
    plan = {
        "class_token": Origin("embeddings.cls_token"),
        "positions.table": Origin(
            "embeddings.position_embeddings", lambda table: table.squeeze(0), "without its batch"
        ),
        **layer("embedding.projection", "embeddings.patch_embeddings.projection"),
    }
    for number in range(n_layers):
        ours, theirs = f"stack.blocks.{number}", f"layers.{number}"
        plan |= layer(f"{ours}.norm_1", f"{theirs}.layernorm_before")
        for name in ("query", "key", "value", "output"):
            projection = f"{ours}.self_attention.{name}_projection"
            plan |= layer(projection, f"{theirs}.attention.{name[0]}_proj")
        plan |= layer(f"{ours}.norm_2", f"{theirs}.layernorm_after")
        plan |= layer(f"{ours}.feed_forward.inner_projection", f"{theirs}.mlp.fc1")
        plan |= layer(f"{ours}.feed_forward.output_projection", f"{theirs}.mlp.fc2")
    return plan | layer("stack.final_norm", "layernorm")


def _height_and_width(theirs: Configuration) -> tuple[int, int]:
    size = theirs.fields.get("image_size")
    if isinstance(size, list) and len(size) == 2:
        theirs = Configuration(theirs.path, dict(zip(("height", "width"), size, strict=True)))
        return theirs.whole("height"), theirs.whole("width")
    return theirs.whole("image_size"), theirs.whole("image_size")


def _patch_size(theirs: Configuration) -> int:
    size = theirs.fields.get("patch_size")
    if isinstance(size, list) and len(set(size)) == 1:
        return Configuration(theirs.path, {"patch_size": size[0]}).whole("patch_size")
    return theirs.whole("patch_size")
