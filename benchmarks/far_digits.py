"""Are the two digits on a canvas equal? A Vision Transformer against networks without attention.

    python benchmarks/far_digits.py                    # all contestants
    python benchmarks/far_digits.py linear "deep CNN"  # some of them; the store keeps the others

One protocol for all. Training, validation and test canvases are drawn from different scans. Each
contestant tries three settings and is judged on validation canvases; the setting that was best, in
the mean of the seeds that tried it, is trained anew with other seeds, and only then judged on test
canvases, once: on all of them, and on those where the two squares do not touch. Those on whom the
chapter's sentences rest have more seeds than the others. The strongest rivals are run again, for
longer. What comes out is stored beside ``softlookup.course.far_digits``, where the chapter on
vision reads it, and so are the weights of the first ViT, which the chapter opens; a test holds the
store to this script.
"""

import json
import re
import sys

import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from softlookup.alternatives.image_networks import (
    MixFixed,
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
from softlookup.layers.patches import cut
from softlookup.models.vit import ViT, ViTConfig
from softlookup.running.training import train, warmup_cosine
from torch import nn

# With which seeds settings are tried, and with which the chosen one is trained anew to be judged.
CHOOSING, SEEDS = (0, 11, 12), (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
# Who has all of them, and who has one to choose and six to be judged. The others have one to choose
# and three to be judged.
WITH_ALL_SEEDS = ("ViT", "ViT, fixed mixture", "ViT, mixed by place", "deep CNN, normalised")
WITH_SIX_SEEDS = ("ViT, plain averages", "ViT, mixed by kernels")
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
    """The same, its tokens mixed by a small network across their places."""
    return exchange_attention(vit(width), lambda: MixTokens(PATCHES + 1))


def fixed_mixture(width):
    """The same, the weights of its lookups learned for each pair of places, whatever the image."""
    return exchange_attention(vit(width), lambda: MixFixed(width, PATCHES + 1, 4))


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


# How each is made, and its widths and learning rates. Of settings that do equally well in the
# mean the first is taken; where none has left chance, the choice is arbitrary.
AS_DEEP = ((16, 3e-3), (16, 1e-2), (24, 5e-3))
AS_DEEP_NORMALISED = ((16, 3e-3), (24, 5e-3), (24, 1e-2))
AS_POOLED = ((128, 5e-3), (128, 1e-2), (256, 5e-3))
AS_THE_VIT = ((32, 2e-3), (48, 1e-3), (48, 2e-3))
AS_THE_VIT_LONGER = ((32, 2e-3), (48, 2e-3), (48, 5e-3))
CONTESTANTS = {
    "ViT": (vit, AS_THE_VIT),
    "ViT, plain averages": (lambda w: blindfold(vit(w)), AS_THE_VIT),
    "ViT, plain averages, longer": (lambda w: blindfold(vit(w)), AS_THE_VIT_LONGER),
    "ViT, fixed mixture": (fixed_mixture, AS_THE_VIT),
    "ViT, fixed mixture, longer": (fixed_mixture, AS_THE_VIT_LONGER),
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
# The strongest rivals once more, to see whether they fail or are late: for so many times the steps.
LONGER = 3


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


@torch.no_grad()
def share_apart(model, judged):
    """How often it is right about those canvases whose two squares touch nowhere."""
    squares = (cut(judged.images, PATCH).amax(dim=-1) > canvases.PAPER).nonzero()[:, 1].view(-1, 2)
    row, column = squares // (SIDE // PATCH), squares % (SIDE // PATCH)
    apart = torch.maximum(row.diff().abs(), column.diff().abs())[:, 0] > 1
    right = model(judged.images).argmax(dim=-1) == judged.equal
    return right[apart].double().mean().item()


def terms(name):
    """The steps of a contestant, the seeds for choosing, and the seeds for being judged."""
    steps = SIZES["steps"] * (LONGER if name.endswith("longer") else 1)
    if name in WITH_ALL_SEEDS:
        return steps, CHOOSING, SEEDS
    if name in WITH_SIX_SEEDS:
        return steps, CHOOSING[:1], SEEDS[:6]
    return steps, CHOOSING[:1], SEEDS[:3]


def run(name, parts, judged, tested, steps=None, choosing=None, seeds=None):
    """Choose on validation canvases, train anew, and open the test canvases.

    The steps and seeds are those of ``terms``, unless others are given.
    """
    make, settings = CONTESTANTS[name]
    own = terms(name)
    steps, choosing, seeds = steps or own[0], choosing or own[1], seeds or own[2]
    tried = {}
    for width, rate in settings:
        models = [fit(make, width, rate, seed, parts.training, steps) for seed in choosing]
        tried[width, rate] = [share_right(model, judged) for model in models]
    width, rate = max(tried, key=lambda setting: sum(tried[setting]))
    fitted = [fit(make, width, rate, seed, parts.training, steps) for seed in seeds]
    if name == "ViT" and steps == own[0]:
        keep_weights(fitted[0])
    return {
        "tried": [[*setting, *rounded(shares)] for setting, shares in tried.items()],
        "width": width,
        "learning_rate": rate,
        "parameters": sum(p.numel() for p in fitted[0].parameters()),
        "test": rounded(share_right(model, tested) for model in fitted),
        "apart": rounded(share_apart(model, tested) for model in fitted),
    }


def rounded(shares):
    """Four digits of each."""
    return [round(share, 4) for share in shares]


def keep_weights(model):
    """Store a model's weights, with half of their digits."""
    halves = {name: tensor.half().contiguous() for name, tensor in model.state_dict().items()}
    save_file(halves, far_digits.WEIGHTS)


def in_lines(store):
    """JSON with a line for each list of numbers."""
    text = json.dumps(store, indent=1)
    return re.sub(r"\[[^\[\]]*\]", lambda found: re.sub(r"\s+", " ", found[0]), text)


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
        text = in_lines({"sizes": SIZES, "contestants": kept})
        store.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
