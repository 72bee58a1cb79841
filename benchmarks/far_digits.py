"""Are the two digits on a canvas equal? A Vision Transformer against networks without attention.

    python benchmarks/far_digits.py                    # all contestants
    python benchmarks/far_digits.py linear "deep CNN"  # some of them; the store keeps the others

One protocol for all; the strongest rivals are run again, for longer. Training, validation
and test canvases are drawn from different scans. Each contestant tries three settings with one
seed and is judged on validation canvases; what was best is trained anew with three other seeds,
and only then judged on test canvases, once. What comes out is stored beside
``softlookup.course.far_digits``, where the chapter on vision reads it, and so are the weights of
the first ViT, which the chapter opens; a test holds the store to this script.
"""

import json
import sys

import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from softlookup.alternatives.image_networks import (
    MixNeighbours,
    MixTokens,
    blindfold,
    deep_cnn,
    exchange_attention,
    pooled_patches,
)
from softlookup.course import far_digits
from softlookup.course.seeding import seed_everything
from softlookup.data import canvases
from softlookup.data.digits import deal_out, digits
from softlookup.models.vit import ViT, ViTConfig
from softlookup.running.training import train, warmup_cosine
from torch import nn

SEEDS = (1, 2, 3)
SIZES = {
    "batch_size": 64,
    "steps": 1000,
    "judged_on": 2000,
    "weight_decay": 0.05,
}
SIDE, PATCH = 24, 8
PATCHES = (SIDE // PATCH) ** 2


def vit(width, pooling="class"):
    """Nine patches of 8 by 8 pixels, two layers."""
    return ViT(
        ViTConfig(
            image_size=SIDE,
            patch_size=PATCH,
            n_channels=1,
            d_model=width,
            n_heads=4,
            d_ff=2 * width,
            n_layers=2,
            n_classes=2,
            pooling=pooling,
            position_spread=0.2,
        )
    )


def mixed_by_place(width):
    """The same, its tokens mixed by weights that depend on their places alone."""
    return exchange_attention(vit(width), lambda: MixTokens(PATCHES + 1))


def mixed_by_kernels(width):
    """The same, its patches mixed with their neighbours by kernels of 3 by 3 patches."""
    return exchange_attention(vit(width, "mean"), lambda: MixNeighbours(width, SIDE // PATCH))


def pooled(width):
    """Each patch by itself, and a network that reads their mean."""
    return pooled_patches(width, 2, PATCH)


def deep(width):
    """Kernels of 3 by 3 pixels that see the whole canvas, and a network that reads their mean."""
    return deep_cnn(width, 2)


def deep_normalised(width):
    """The same with batch normalisation, and paper at zero."""
    return deep_cnn(width, 2, normalised=True)


def feed_forward(width):
    """One hidden layer on all pixels."""
    return nn.Sequential(nn.Flatten(), nn.Linear(SIDE**2, width), nn.ReLU(), nn.Linear(width, 2))


def linear(width):
    """One linear layer on all pixels; it has no width to choose."""
    return nn.Sequential(nn.Flatten(), nn.Linear(SIDE**2, 2))


# How each is made, and its widths and learning rates. Of settings that do equally well
# the first is taken; where none has left chance, the choice is arbitrary.
AS_DEEP = ((16, 3e-3), (16, 1e-2), (24, 5e-3))
AS_DEEP_NORMALISED = ((16, 3e-3), (24, 5e-3), (24, 1e-2))
AS_POOLED = ((128, 5e-3), (128, 1e-2), (256, 5e-3))
AS_THE_VIT = ((32, 2e-3), (48, 1e-3), (48, 2e-3))
AS_THE_VIT_LONGER = ((32, 2e-3), (48, 2e-3), (48, 5e-3))
CONTESTANTS = {
    "ViT": (vit, AS_THE_VIT),
    "ViT, blindfolded": (lambda w: blindfold(vit(w)), AS_THE_VIT),
    "ViT, blindfolded, longer": (lambda w: blindfold(vit(w)), AS_THE_VIT_LONGER),
    "ViT, mixed by place": (mixed_by_place, AS_THE_VIT),
    "ViT, mixed by kernels": (mixed_by_kernels, AS_THE_VIT),
    "patches, pooled": (pooled, AS_POOLED),
    "patches, pooled, longer": (pooled, AS_POOLED),
    "deep CNN": (deep, AS_DEEP),
    "deep CNN, longer": (deep, AS_DEEP),
    "deep CNN, normalised": (deep_normalised, AS_DEEP_NORMALISED),
    "deep CNN, normalised, longer": (deep_normalised, AS_DEEP_NORMALISED),
    "feed-forward": (feed_forward, ((64, 3e-3), (256, 1e-3), (256, 3e-3))),
    "linear": (linear, ((1, 1e-3), (1, 3e-3), (1, 1e-2))),
}
# The strongest rivals once more, to see whether they fail or are late.
TIMES_THE_STEPS = {
    "ViT, blindfolded, longer": 3,
    "patches, pooled, longer": 3,
    "deep CNN, longer": 3,
    "deep CNN, normalised, longer": 3,
}


def loss(model, batch):
    """Cross-entropy of equal or not."""
    return F.cross_entropy(model(batch.images), batch.equal)


def fit(make, width, learning_rate, seed, training, steps):
    """A trained contestant."""
    drawing = seed_everything(seed)
    model = make(width)
    batches = canvases.batches(training.images, training.labels, SIZES["batch_size"], drawing)
    train(
        model,
        loss,
        batches,
        steps=steps,
        learning_rate=learning_rate,
        schedule=warmup_cosine(steps // 8),
        weight_decay=SIZES["weight_decay"],
    )
    return model


@torch.no_grad()
def share_right(model, judged):
    """How often the model is right about these canvases."""
    return (model(judged.images).argmax(dim=-1) == judged.equal).double().mean().item()


def run(name, parts, judged, tested, steps=None, seeds=SEEDS):
    """Choose on validation canvases, train anew, and open the test canvases."""
    make, settings = CONTESTANTS[name]
    steps = steps or SIZES["steps"] * TIMES_THE_STEPS.get(name, 1)
    tried = {}
    for width, rate in settings:
        model = fit(make, width, rate, 0, parts.training, steps)
        tried[width, rate] = share_right(model, judged)
    width, rate = max(tried, key=tried.get)
    fitted = [fit(make, width, rate, seed, parts.training, steps) for seed in seeds]
    if name == "ViT" and steps == SIZES["steps"]:
        keep_weights(fitted[0])
    return {
        "tried": [[*setting, round(share, 4)] for setting, share in tried.items()],
        "width": width,
        "learning_rate": rate,
        "parameters": sum(p.numel() for p in fitted[0].parameters()),
        "test": [round(share_right(model, tested), 4) for model in fitted],
    }


def keep_weights(model):
    """Store a model's weights, with half of their digits."""
    halves = {name: tensor.half().contiguous() for name, tensor in model.state_dict().items()}
    save_file(halves, far_digits.WEIGHTS)


def drawn(part, seed):
    """The canvases on which models are judged."""
    generator = torch.Generator().manual_seed(seed)
    return canvases.two_digits(part.images, part.labels, SIZES["judged_on"], generator)


def main(names):
    """Run the contestants that are named, and store what came out."""
    torch.set_num_threads(1)
    parts = deal_out(digits(), seed=11)
    judged, tested = drawn(parts.validation, 1), drawn(parts.second_test, 2)
    for name in names or CONTESTANTS:
        result = run(name, parts, judged, tested)
        print(name, result, flush=True)
        store = far_digits.STORE
        stored = json.loads(store.read_text(encoding="utf-8")) if store.exists() else {}
        contestants = stored.get("contestants", {}) | {name: result}
        kept = {each: contestants[each] for each in CONTESTANTS if each in contestants}
        text = json.dumps({"sizes": SIZES, "contestants": kept}, indent=1)
        store.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
