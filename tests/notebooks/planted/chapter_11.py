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
        "11-vit-b-16-parameters",
        "the images are larger, and there are more positions",
        "image_size=224, patch_size=16,",
        "image_size=240, patch_size=16,",
    ),
    (
        "11-stack-of-a-gpt",
        "the ViT has one layer fewer",
        "d_ff=3072, n_layers=12, n_classes=1000,",
        "d_ff=3072, n_layers=11, n_classes=1000,",
    ),
    (
        "11-digits-take-a-mixture",
        "plain averages are read in the place of attention",
        "    in_order + by_place,",
        "    averaged + by_place,",
    ),
    (
        "11-averages-catch-up",
        "they are read after twelve rounds",
        '    late,\n    ">=",',
        '    max(averaged),\n    ">=",',
    ),
    (
        "11-places-are-used",
        "the models that are judged have no positions",
        '    in_order,\n    ">=",\n    0.85,',
        '    shares["without positions"],\n    ">=",\n    0.85,',
    ),
    (
        "11-views-train-too",
        "trained on views, they are judged on cuts",
        "share_right(model, validation, view_patches) for model in on_stripes",
        "share_right(model, validation) for model in on_stripes",
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
        "11-a-cnn-learns-the-shuffle",
        "the pixels of the images that are judged change places in another way",
        "on_pixels = [share_right(model, validation, shuffle_pixels) for model in cnns_on_pixels]",
        "on_pixels = [share_right(model, validation, shuffle_patches) for model in cnns_on_pixels]",
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
        "11-tolerance-takes-both",
        "the last map is read at one place and not pooled",
        "stands, moves = {}, {}\n",
        "stands, moves = {}, {}\n"
        'for model in trained["convolutions, pooled"]:\n'
        "    model[-2].forward = lambda maps: maps[:, :, 4, 4]\n",
    ),
    (
        "11-whole-patches-move-along",
        "the models are told where each patch lies",
        "stands, moves = {}, {}\n",
        'stands, moves = {}, {}\ntrained["ViT, mean, no positions"] = with_positions\n',
    ),
    (
        "11-tolerance-can-be-learned",
        "the models have seen no moved copies",
        "stands, moves = {}, {}\n",
        'stands, moves = {}, {}\ntrained["ViT, trained on moved digits too"] = with_positions\n',
    ),
    (
        "11-tolerance-reaches-further",
        "the models have seen no moved copies",
        "stands, moves = {}, {}\n",
        'stands, moves = {}, {}\ntrained["ViT, trained on moved digits too"] = with_positions\n',
    ),
    (
        "11-vit-does-not-lead",
        "the squares of the test images change places, and neighbours are none",
        "opened = parts.test",
        "opened = Digits(shuffle_patches(parts.test.images), parts.test.labels)",
    ),
    (
        "11-nothing-to-look-up",
        "the one patch holds half of the digit",
        "scored = {name: [right(answer, opened) for answer in answers] for name, answers in "
        "finished.items()}\n",
        "halves = F.pad(opened.images[..., :4], (0, 4), value=-1.0)\n"
        "seen_by = {\n"
        '    name: Digits(halves, opened.labels) if name == "ViT, 1 patch" else opened\n'
        "    for name in finished\n"
        "}\n"
        "scored = {\n"
        "    name: [right(answer, seen_by[name]) for answer in answers]\n"
        "    for name, answers in finished.items()\n"
        "}\n",
    ),
    (
        "11-the-deep-rival-sees-all",
        "the layers have no stride",
        "    field_of(deep_cnn(2, 2)),",
        "    field_of(plain_cnn(2, 2)),",
    ),
    (
        "11-attention-compares-far-squares",
        "each token looks at itself alone",
        "live = share_told()",
        "live = share_told(torch.eye(10, dtype=torch.bool))",
    ),
    (
        "11-far-squares-without-attention",
        "the network has one hidden layer in the place of its kernels and norms",
        'without_attention = told["deep CNN, normalised"]',
        'without_attention = told["feed-forward"]',
    ),
    (
        "11-the-class-token-compares",
        "nobody at all may look at a digit",
        "each_other = digit[:, :, None] & digit[:, None, :]",
        "each_other = digit[:, None, :].expand(-1, 10, -1)",
    ),
    (
        "11-rollout-beats-chance",
        "roll-out follows the residual alone, in which no patch reaches the class token",
        '"roll-out": rollout(layers)[:, 0, 1:],',
        '"roll-out": rollout(layers, share=0.0)[:, 0, 1:],',
    ),
    (
        "11-rollout-follows-ink",
        "roll-out follows the residual alone, in which no patch reaches the class token",
        '"roll-out": rollout(layers)[:, 0, 1:],',
        '"roll-out": rollout(layers, share=0.0)[:, 0, 1:],',
    ),
    (
        "11-occlusion-finds-more",
        "the patches that matter least are taken for those that matter most",
        "return -torch.cat(without, dim=1)",
        "return torch.cat(without, dim=1)",
    ),
]
