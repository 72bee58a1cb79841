"""What do pixels or patches shuffled once for all cost a convolutional network, and a ViT?

    python benchmarks/shuffled_digits.py                   # all of it
    python benchmarks/shuffled_digits.py "CNN, in order"   # some runs; the store keeps the others

The networks, their training and the digits are those of the race of small digits, with the
chapter's settings. Each kind is trained for twelve rounds with ten seeds, on training images in
which pixels or patches have changed places, always in the same way, and judged on the validation
images; which of them it does not read is stored beside ``softlookup.course.shuffled_digits``,
where the chapter on vision reads it. A test holds the store to this script.
"""

import sys

import small_digits as race
import torch
from softlookup.alternatives.image_networks import PaperIsZero, small_cnn
from softlookup.course import shuffled_digits
from softlookup.course.keeping import keep_run
from softlookup.data.digits import Digits, deal_out, digits
from softlookup.layers.patches import assemble, cut
from torch import nn

TERMS = {"seeds": [*range(1, 11)], "steps": 170, "judged_on": 300}


def pixel_order():
    """In which order the pixels stand that are shuffled: the chapter's."""
    return torch.randperm(64, generator=torch.Generator().manual_seed(11))


def in_order(images):
    """Images as they are."""
    return images


def pixels(images):
    """All 64 pixels in another order, the same for all images."""
    return images.flatten(1)[:, pixel_order()].view_as(images)


def patches(images):
    """The sixteen patches in another order, the same for all images."""
    order = torch.randperm(16, generator=torch.Generator().manual_seed(12))
    return assemble(cut(images, 2)[:, order], (8, 8))


def each_anew(images):
    """The pixels of every image in an order of its own."""
    orders = torch.rand(len(images), 64, generator=torch.Generator().manual_seed(13)).argsort(1)
    return images.flatten(1).gather(1, orders).view_as(images)


def cnn(width):
    """The small convolutional network; its padding draws a grey frame around the image."""
    return small_cnn(width, 10)


def cnn_without_frame(width):
    """The same network, its paper at zero as the padding is."""
    return nn.Sequential(PaperIsZero(), *small_cnn(width, 10))


# How each network is made, and the chapter's settings of it, a size and a learning rate.
NETWORKS = {
    "CNN": (cnn, (16, 1e-2)),
    "CNN, paper at zero": (cnn_without_frame, (16, 1e-2)),
    "ViT": (race.vit, (2, 5e-3)),
}
# Which network, what is done to the training images, and what to those that are judged.
RUNS = {
    "CNN, in order": ("CNN", in_order, in_order),
    "CNN, pixels shuffled": ("CNN", pixels, pixels),
    "CNN, patches shuffled": ("CNN", patches, patches),
    "CNN, pixels shuffled only when judged": ("CNN", in_order, pixels),
    "CNN, paper at zero, in order": ("CNN, paper at zero", in_order, in_order),
    "CNN, paper at zero, pixels shuffled": ("CNN, paper at zero", pixels, pixels),
    "ViT, in order": ("ViT", in_order, in_order),
    "ViT, pixels shuffled": ("ViT", pixels, pixels),
    "ViT, patches shuffled": ("ViT", patches, patches),
    "ViT, each image shuffled anew": ("ViT", each_anew, each_anew),
}


def run(name, parts, seeds=None, steps=None):
    """The places of the validation images that are not read, for each seed."""
    network, when_trained, when_judged = RUNS[name]
    known, asked = (
        Digits(change(part.images), part.labels)
        for change, part in ((when_trained, parts.training), (when_judged, parts.validation))
    )
    make, setting = NETWORKS[network]
    return [
        race.wrong_of(race.fit(make, setting, seed, known, steps or TERMS["steps"]), asked)
        for seed in seeds or TERMS["seeds"]
    ]


def main(*names):
    """Run what is named, or all of it, and store what was not read."""
    torch.set_num_threads(1)
    parts = deal_out(digits(), seed=11)
    for name in names or RUNS:
        missed = run(name, parts)
        keep_run(shuffled_digits.STORE, "shuffled", TERMS, name, missed)
        print(name, [*map(len, missed)], flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
