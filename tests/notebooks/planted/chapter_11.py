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
        "the places of the grid are counted in reading order",
        "on_the_grid = sinusoidal_grid(rows, columns, width, dtype=torch.float64)",
        "on_the_grid = sinusoidal(rows * columns, width, dtype=torch.float64)",
    ),
    (
        "11-reading-order-puts-beneath-far",
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
        "11-a-mixture-reads-soon",
        "the trained models ask nothing, so that each lookup is a plain average",
        '    soon["ViT, 16 patches"] + soon["fixed mixture"] + soon["mixed by place"],',
        "    [\n"
        "        share_right(model, parts.test)\n"
        "        for model in with_positions\n"
        "        for block in model.stack.blocks\n"
        "        for asking in block.self_attention.query_projection.parameters()\n"
        "        if asking.data.zero_() is not None\n"
        "    ],",
    ),
    (
        "11-averages-catch-up",
        "they are read after twelve rounds",
        '    in_the_end["plain averages"],\n    ">="',
        '    soon["plain averages"],\n    ">="',
    ),
    (
        "11-places-are-used",
        "the models forget where each patch lies",
        '"with positions": [share_right(model, validation) for model in with_positions],',
        '"with positions": [\n'
        "        share_right(model, validation)\n"
        "        for model in with_positions\n"
        "        if model.positions.table.data.zero_() is not None\n"
        "    ],",
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
        "the network was trained on images in order, and never met the shuffle",
        'shares_of("CNN, in order"), shares_of("CNN, pixels shuffled")',
        'shares_of("CNN, in order"), shares_of("CNN, pixels shuffled only when judged")',
    ),
    (
        "11-a-shuffle-costs-a-cnn",
        "the shuffle leaves every pixel in its place",
        "unread = shuffled_digits.load()\n",
        "unread = shuffled_digits.load()\n"
        'unread["CNN, pixels shuffled"] = unread["CNN, in order"]\n',
    ),
    (
        "11-a-vit-loses-nothing-by-a-shuffle",
        "no shuffle is the same for two images, so that no place means anything",
        "unread = shuffled_digits.load()\n",
        "unread = shuffled_digits.load()\n"
        'unread["ViT, pixels shuffled"] = unread["ViT, each image shuffled anew"]\n',
    ),
    (
        "11-a-shuffle-takes-most-of-the-distance",
        "the network that is compared met images in order",
        "    images_ahead(state, state) for state in",
        '    images_ahead("in order", state) for state in',
    ),
    (
        "11-no-neighbour-stands-out",
        "the vectors tell row and column",
        "learned = [model.positions.table[1:].detach() for model in with_positions]",
        "learned = [sinusoidal_grid(4, 4, 48) for model in with_positions]",
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
        'stands, moves = {}, {}\ntrained["ViT, no positions"] = with_positions\n',
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
        "the network's kernels meet shuffled pixels, where neighbours are none",
        'cnn, one_patch = mean(soon["convolutional network"]), mean(',
        "def scattered(images):\n"
        "    return images.flatten(1)[:, pixel_order].view_as(images)\n"
        "\n\n"
        "known = Digits(scattered(training.images), training.labels)\n"
        "torn = fit(lambda: small_cnn(16, 10), known, 1, 1e-2)\n"
        'soon["convolutional network"] = [share_right(torn, parts.test, scattered)]\n'
        'cnn, one_patch = mean(soon["convolutional network"]), mean(',
    ),
    (
        "11-nothing-to-look-up",
        "the one patch holds half of the digit",
        'cnn, one_patch = mean(soon["convolutional network"]), mean(',
        "def half(images):\n"
        "    return F.pad(images[..., :4], (0, 4), value=-1.0)\n"
        "\n\n"
        "halves = Digits(half(training.images), training.labels)\n"
        "half_seen = fit(lambda: small_vit(8), halves, 1, 2e-3)\n"
        'soon["ViT, 1 patch"] = [share_right(half_seen, parts.test, half)]\n'
        'cnn, one_patch = mean(soon["convolutional network"]), mean(',
    ),
    (
        "11-images-tell-a-cnn-from-vits",
        "the network's kernels meet shuffled pixels, where neighbours are none",
        "at_the_low_end = {}\n",
        "def scattered(images):\n"
        "    return images.flatten(1)[:, pixel_order].view_as(images)\n"
        "\n\n"
        "known = Digits(scattered(training.images), training.labels)\n"
        "torn = fit(lambda: small_cnn(16, 10), known, 1, 1e-2)\n"
        "answers = torn(scattered(parts.test.images)).argmax(dim=-1)\n"
        "readers[CNN].wrong[12][:] = [(answers != parts.test.labels).nonzero()[:, 0].tolist()]\n"
        "at_the_low_end = {}\n",
    ),
    (
        "11-an-average-of-sums-knows-no-places",
        "the first layer's network works on each patch before the second average",
        "bare = without_norms_before_attention(without_first_network(blindfold(small_vit())))",
        "bare = without_norms_before_attention(blindfold(small_vit()))",
    ),
    (
        "11-places-are-told-before-averages",
        "the norms are missing with the network",
        "one_is_left = [",
        'readers["averages without network"] = readers["averages without either"]\none_is_left = [',
    ),
    (
        "11-the-deep-rival-sees-all",
        "the layers have no stride",
        "    field_of(deep_cnn(2, 2)),",
        "    field_of(plain_cnn(2, 2)),",
    ),
    (
        "11-attention-compares-two-squares",
        "in the model that is kept each token looks at itself alone",
        'far["ViT"] = [right[apart].mean().item(), *far["ViT"][1:]]',
        'far["ViT"] = [rightly_told(torch.eye(10, dtype=torch.bool))[apart].mean().item()]',
    ),
    (
        "11-two-squares-without-attention",
        "the network has no norms, and its paper is not zero",
        'without_attention = far["deep CNN, normalised"]',
        'without_attention = told["deep CNN"]',
    ),
    (
        "11-far-squares-without-attention",
        "the network has no norms, and its paper is not zero",
        'longer = told["deep CNN, normalised, longer"]',
        'longer = told["deep CNN, longer"]',
    ),
    (
        "11-the-digits-need-not-see-each-other",
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
