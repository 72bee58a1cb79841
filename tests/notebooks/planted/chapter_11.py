"""Mistakes to which the claims of chapter 11 fall."""

PLANTED = [
    (
        "11-cut-loses-nothing",
        "the patches are put back in the reverse order",
        "put_back = assemble(tokens, (416, 640), n_channels=3)",
        "put_back = assemble(tokens.flip(1), (416, 640), n_channels=3)",
    ),
    (
        "11-view-is-no-cut",
        "the view is the cut itself",
        "viewed = photo.view(1, 1040, 768)",
        "viewed = cut(photo, 16)",
    ),
    (
        "11-convolution-is-linear",
        "rows and columns of the image are exchanged before the cut",
        "lambda pixels: embed_by_cutting(embed, pixels)",
        "lambda pixels: embed_by_cutting(embed, pixels.mT)",
    ),
    (
        "11-beneath-is-not-far",
        "the positions in reading order are told row and column",
        "in_reading_order = sinusoidal(rows * columns, width, dtype=torch.float64)",
        "in_reading_order = sinusoidal_grid(rows, columns, width, dtype=torch.float64)",
    ),
    (
        "11-steps-are-the-same-everywhere",
        "one of the two tables is read from its end",
        "(on_the_grid @ on_the_grid.T)",
        "(on_the_grid.flip(0) @ on_the_grid.T)",
    ),
    (
        "11-vit-b-16-parameters",
        "the images are larger, and there are more positions",
        "image_size=224, patch_size=16,",
        "image_size=240, patch_size=16,",
    ),
    (
        "11-positions-matter",
        "the models with positions are judged twice",
        '"without": in_each_fold(without_positions),',
        '"without": in_each_fold(with_positions),',
    ),
    (
        "11-shuffle-destroys",
        "the patches are not shuffled",
        '"with": in_each_fold(with_positions, shuffle_patches)',
        '"with": in_each_fold(with_positions)',
    ),
    (
        "11-shuffle-leaves-a-set",
        "the model has positions",
        "set_reader = copy.deepcopy(without_positions[0])",
        "set_reader = copy.deepcopy(with_positions[0])",
    ),
    (
        "11-neighbours-are-unknown",
        "the table is shuffled in another way than the patches",
        "table[1:] = table[1:][order].clone()",
        "table[1:] = table[1:][order.flip(0)].clone()",
    ),
    (
        "11-convolution-moves-along",
        "the image has an edge",
        'nn.Conv2d(1, 8, 3, padding=1, padding_mode="circular")',
        "nn.Conv2d(1, 8, 3, padding=1)",
    ),
    (
        "11-patches-do-not-move-along",
        "the image is moved by a whole patch",
        "min(strays(patches_of_4, 1, moved) for moved in (0, 1))",
        "min(strays(patches_of_4, 4, moved) for moved in (0, 1))",
    ),
    (
        "11-vit-does-not-win",
        "the images on which the other model alone is right are counted for both",
        "only_other = int((~everything[one] & everything[other]).sum())",
        "only_other = int((everything[one] & ~everything[other]).sum())",
    ),
    (
        "11-a-kernel-knows-no-neighbours",
        "only the training images are shuffled",
        "right(learn(scrambled(training), chosen[name][k], k), scrambled(test))",
        "right(learn(scrambled(training), chosen[name][k], k), test)",
    ),
    (
        "11-a-pixel-aside",
        "the digits stay where they are",
        "Digits(aside(test.images, step), test.labels)",
        "Digits(aside(test.images, 0), test.labels)",
    ),
    (
        "11-a-pixel-is-no-word",
        "the smallest patches are left out",
        "- by_patch[1][0]",
        "- by_patch[2][0]",
    ),
    (
        "11-less-data-costs-a-vit-more",
        "the support vector machine is taken for the ViT",
        'gap = mean_of["convolutional network"] - mean_of["ViT, 16 patches"]',
        'gap = mean_of["convolutional network"] - mean_of["support vector machine"]',
    ),
    (
        "11-rollout-beats-chance",
        "roll-out's ranking is turned round",
        '"roll-out": rollout(layers)[:, 0, 1:]',
        '"roll-out": -rollout(layers)[:, 0, 1:]',
    ),
    (
        "11-rollout-is-no-better-than-ink",
        "the patches with the least ink are deleted",
        '"most ink": cut(images, 2).mean(dim=-1)',
        '"most ink": -cut(images, 2).mean(dim=-1)',
    ),
    (
        "11-one-road",
        "the second part of a layer is taken to replace the first",
        "stream = stream + each.values",
        "stream = each.values",
    ),
]
