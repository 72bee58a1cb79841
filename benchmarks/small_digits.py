"""Who reads small digits after twelve rounds, and who after 60?

    python benchmarks/small_digits.py                  # all contestants
    python benchmarks/small_digits.py "ViT, 1 patch"   # some of them; the store keeps the others

One protocol for all. Each contestant names three settings, which are tried for twelve rounds with
one seed on the training images and judged on the validation images. What was best is trained anew
on both, with three other seeds, for twelve rounds, some also for 60, and only then judged on the
test images. Three contestants that take plain averages apart, and a fixed mixture of places, joined
after that. What comes out is
stored beside ``softlookup.course.small_digits``, where the chapter on vision reads it; a test
holds the store to this script.
"""

import json
import sys

import torch
import torch.nn.functional as F
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC
from softlookup.alternatives.image_networks import (
    MixFixed,
    MixTokens,
    blindfold,
    exchange_attention,
    small_cnn,
    without_first_network,
    without_norms_before_attention,
)
from softlookup.course import small_digits
from softlookup.course.seeding import seed_everything
from softlookup.data.digits import Digits, deal_out, digits
from softlookup.models.vit import ViT, ViTConfig
from softlookup.running.training import train, warmup_cosine

SEEDS = (1, 2, 3)
ROUNDS = (12, 60)
SIZES = {"batch_size": 64, "weight_decay": 0.05, "judged_on": 449}


def vit(patch_size=2, **choices):
    """The small ViT of the chapter on vision."""
    return ViT(
        ViTConfig(
            image_size=8,
            patch_size=patch_size,
            n_channels=1,
            d_model=48,
            n_heads=4,
            d_ff=96,
            n_layers=2,
            n_classes=10,
            position_spread=0.2,
            **choices,
        )
    )


def mixed_by_place():
    """The ViT, its tokens mixed by a small network across their places."""
    return exchange_attention(vit(), lambda: MixTokens(17))


def fixed_mixture():
    """The ViT, the weights of its lookups learned for each pair of places, whatever the image."""
    return exchange_attention(vit(), lambda: MixFixed(48, 17, 4))


def averages():
    """The ViT, each of its lookups a plain average."""
    return blindfold(vit())


def averages_of_sums():
    """Plain averages of patch plus place: nothing works on a patch before the last of them."""
    return without_first_network(without_norms_before_attention(averages()))


RATES = (2e-3, 5e-3, 1e-2)
AS_AVERAGES = tuple((2, rate) for rate in RATES)
CNN_SETTINGS = ((32, 3e-3), (32, 1e-2), (16, 1e-2))
# How each network is made from a size, and its three settings: a size and a learning rate.
NETWORKS = {
    "convolutional network": (lambda width: small_cnn(width, 10), CNN_SETTINGS),
    "ViT, 16 patches": (vit, tuple((2, rate) for rate in RATES)),
    "ViT, 4 patches": (vit, tuple((4, rate) for rate in RATES)),
    "ViT, 1 patch": (vit, tuple((8, rate) for rate in (1e-3, 2e-3, 5e-3))),
    "mixed by place": (lambda _: mixed_by_place(), tuple((2, rate) for rate in RATES)),
    "plain averages": (lambda _: averages(), AS_AVERAGES),
    # These ran when the others' test images had been opened. What lets plain averages read?
    "averages without network": (lambda _: without_first_network(averages()), AS_AVERAGES),
    "averages without norms": (lambda _: without_norms_before_attention(averages()), AS_AVERAGES),
    "averages without either": (lambda _: averages_of_sums(), AS_AVERAGES),
    # And is a mixture enough that does not depend on the image?
    "fixed mixture": (lambda _: fixed_mixture(), tuple((2, rate) for rate in RATES)),
}
# These are fitted, not trained, so they need neither rounds nor seeds.
FITTED = {
    "logistic regression": (lambda c: LogisticRegression(C=c, max_iter=2000), (0.01, 0.1, 1.0)),
    "support vector machine": (lambda c: SVC(C=c), (1.0, 3.0, 10.0)),
}
CONTESTANTS = (*FITTED, *NETWORKS)
# Those that are trained for 60 rounds as well.
LONGER = (
    "convolutional network",
    "ViT, 16 patches",
    "ViT, 1 patch",
    "plain averages",
    "averages without network",
    "averages without norms",
    "averages without either",
    "fixed mixture",
)


def loss(model, batch):
    """The surprise at the digit."""
    images, labels = batch
    return F.cross_entropy(model(images), labels)


def fit(make, setting, seed, known, steps):
    """A trained network."""
    size, learning_rate = setting
    drawing = seed_everything(seed)
    model = make(size)
    train(
        model,
        loss,
        known.batches(SIZES["batch_size"], drawing),
        steps=steps,
        learning_rate=learning_rate,
        schedule=warmup_cosine(steps // 8),
        weight_decay=SIZES["weight_decay"],
    )
    return model


def steps_of(rounds, known):
    """How many batches so many rounds over the images are."""
    return round(rounds * len(known.labels) / SIZES["batch_size"])


@torch.no_grad()
def wrong_of(model, judged):
    """The places of the images that a network does not read."""
    return (model(judged.images).argmax(dim=-1) != judged.labels).nonzero().flatten().tolist()


def flat(known):
    """Images as scikit-learn takes them."""
    return known.images.flatten(1).numpy()


def together(*parts):
    """The images of some parts as one."""
    images, labels = ([getattr(part, name) for part in parts] for name in ("images", "labels"))
    return Digits(torch.cat(images), torch.cat(labels))


def best_of(shares):
    """The setting that was best; of settings that did equally well the middle one is taken."""
    first, middle, last = shares
    return max((middle, first, last), key=shares.get)


def run(name, parts, rounds=ROUNDS, seeds=SEEDS):
    """Choose on the validation images, train anew, and open the test images."""
    training, judged = parts.training, parts.validation
    both = together(training, judged)
    if name in FITTED:
        make, settings = FITTED[name]
        tried = {each: make(each).fit(flat(training), training.labels) for each in settings}
        shares = {
            each: float((model.predict(flat(judged)) == judged.labels.numpy()).mean())
            for each, model in tried.items()
        }
        chosen = best_of(shares)
        model = make(chosen).fit(flat(both), both.labels)
        missed = model.predict(flat(parts.test)) != parts.test.labels.numpy()
        return {
            "tried": [[each, round(share, 4)] for each, share in shares.items()],
            "chosen": chosen,
            "wrong": {str(each): [missed.nonzero()[0].tolist()] for each in rounds},
        }
    make, settings = NETWORKS[name]
    shares = {}
    for each in settings:
        model = fit(make, each, 0, training, steps_of(rounds[0], training))
        shares[each] = 1 - len(wrong_of(model, judged)) / len(judged.labels)
    chosen = best_of(shares)
    return {
        "tried": [[each, round(share, 4)] for each, share in shares.items()],
        "chosen": chosen,
        "wrong": {
            str(each): [
                wrong_of(fit(make, chosen, seed, both, steps_of(each, both)), parts.test)
                for seed in seeds
            ]
            for each in (rounds if name in LONGER else rounds[:1])
        },
    }


def main(names):
    """Run the contestants that are named, and store what came out."""
    torch.set_num_threads(1)
    parts = deal_out(digits(), seed=11)
    for name in names or CONTESTANTS:
        result = run(name, parts)
        counts = {each: [*map(len, missed)] for each, missed in result["wrong"].items()}
        print(name, result["tried"], result["chosen"], counts, flush=True)
        store = small_digits.STORE
        stored = json.loads(store.read_text(encoding="utf-8")) if store.exists() else {}
        contestants = stored.get("contestants", {}) | {name: result}
        kept = {each: contestants[each] for each in CONTESTANTS if each in contestants}
        lines = ",\n".join(f" {json.dumps(each)}: {json.dumps(run)}" for each, run in kept.items())
        text = f'{{"sizes": {json.dumps(SIZES)},\n"contestants": {{\n{lines}\n}}}}\n'
        store.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
