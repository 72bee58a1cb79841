"""Wrong answers to the exercises of chapter 11, each with the words that its verdict must say."""

WRONG = [
    (
        "11.1",
        "one factor for both sides",
        "each side of the grid has its own",
        """
def resize_positions(table, old, new):
    grid = table[1:].reshape(*old, -1).permute(2, 0, 1)[None]
    grid = F.interpolate(
        grid, scale_factor=new[0] / old[0], mode="bilinear", align_corners=False
    )
    return torch.cat([table[:1], grid[0].permute(1, 2, 0).flatten(0, 1)])


exercises.check_resize(resize_positions)
""",
    ),
    (
        "11.1",
        "all rows resized as one line",
        "you resized all rows as one line",
        """
def resize_positions(table, old, new):
    size = 1 + new[0] * new[1]
    return F.interpolate(table.T[None], size=size, mode="linear", align_corners=False)[0].T

exercises.check_resize(resize_positions)
""",
    ),
    (
        "11.1",
        "the patches resized as one line",
        "as one line: the end of each row",
        """
def resize_positions(table, old, new):
    token, places = table[:1], table[1:]
    size = new[0] * new[1]
    line = F.interpolate(places.T[None], size=size, mode="linear", align_corners=False)[0].T
    return torch.cat((token, line))

exercises.check_resize(resize_positions)
""",
    ),
    (
        "11.1",
        "a reshape in place of a transposition",
        "you reshaped (places, width) into",
        """
def resize_positions(table, old, new):
    token, places = table[:1], table[1:]
    picture = places.reshape(1, -1, *old)
    drawn = F.interpolate(picture, size=new, mode="bilinear", align_corners=False)
    return torch.cat((token, drawn.flatten(2)[0].T))

exercises.check_resize(resize_positions)
""",
    ),
    (
        "11.1",
        "a reshape in place of a transposition, there and back",
        "there are two mistakes. You reshaped",
        """
def resize_positions(table, old, new):
    token, places = table[:1], table[1:]
    picture = places.reshape(1, -1, *old)
    drawn = F.interpolate(picture, size=new, mode="bilinear", align_corners=False)
    return torch.cat((token, drawn.reshape(-1, table.size(1))))

exercises.check_resize(resize_positions)
""",
    ),
    (
        "11.1",
        "a reshape on the way back",
        "you resized the right picture and reshaped",
        """
def resize_positions(table, old, new):
    token, places = table[:1], table[1:]
    picture = places.T.reshape(1, -1, *old)
    drawn = F.interpolate(picture, size=new, mode="bilinear", align_corners=False)
    return torch.cat((token, drawn.reshape(-1, table.size(1))))

exercises.check_resize(resize_positions)
""",
    ),
    (
        "11.1",
        "the old grid's rows and columns are exchanged",
        "with its rows and columns exchanged",
        """
def resize_positions(table, old, new):
    token, places = table[:1], table[1:]
    picture = places.T.reshape(1, -1, *old[::-1])
    drawn = F.interpolate(picture, size=new, mode="bilinear", align_corners=False)
    return torch.cat((token, drawn.flatten(2)[0].T))

exercises.check_resize(resize_positions)
""",
    ),
    (
        "11.1",
        "corners are aligned",
        "centres upon each other",
        """
def resize_positions(table, old, new):
    token, places = table[:1], table[1:]
    picture = places.T.reshape(1, -1, *old)
    drawn = F.interpolate(picture, size=new, mode="bilinear", align_corners=True)
    return torch.cat((token, drawn.flatten(2)[0].T))

exercises.check_resize(resize_positions)
""",
    ),
    (
        "11.1",
        "the nearest place is copied",
        "you copied the nearest place",
        """
def resize_positions(table, old, new):
    token, places = table[:1], table[1:]
    picture = places.T.reshape(1, -1, *old)
    drawn = F.interpolate(picture, size=new, mode="nearest")
    return torch.cat((token, drawn.flatten(2)[0].T))

exercises.check_resize(resize_positions)
""",
    ),
    (
        "11.1",
        "the class token's row comes last",
        "stands at the end; it is row 0",
        """
def resize_positions(table, old, new):
    token, places = table[:1], table[1:]
    picture = places.T.reshape(1, -1, *old)
    drawn = F.interpolate(picture, size=new, mode="bilinear", align_corners=False)
    return torch.cat((drawn.flatten(2)[0].T, token))

exercises.check_resize(resize_positions)
""",
    ),
    (
        "11.1",
        "the new grid is read column by column",
        "your new table goes column by column",
        """
def resize_positions(table, old, new):
    token, places = table[:1], table[1:]
    picture = places.T.reshape(1, -1, *old)
    drawn = F.interpolate(picture, size=new, mode="bilinear", align_corners=False)
    return torch.cat((token, drawn.transpose(2, 3).flatten(2)[0].T))

exercises.check_resize(resize_positions)
""",
    ),
    (
        "11.1",
        "the class token's row is lost",
        "the class token's row is gone",
        """
def resize_positions(table, old, new):
    token, places = table[:1], table[1:]
    picture = places.T.reshape(1, -1, *old)
    drawn = F.interpolate(picture, size=new, mode="bilinear", align_corners=False)
    return drawn.flatten(2)[0].T

exercises.check_resize(resize_positions)
""",
    ),
    (
        "11.1",
        "drawn bicubically",
        "mode='bicubic'",
        """
def resize_positions(table, old, new):
    picture = table[1:].T.reshape(1, -1, *old)
    drawn = F.interpolate(picture, size=new, mode="bicubic", align_corners=False)
    return torch.cat((table[:1], drawn.flatten(2)[0].T))

exercises.check_resize(resize_positions)
""",
    ),
    (
        "11.1",
        "the new grid's rows and columns are exchanged",
        "the new grid has its rows and columns exchanged",
        """
def resize_positions(table, old, new):
    picture = table[1:].T.reshape(1, -1, *old)
    drawn = F.interpolate(picture, size=new[::-1], mode="bilinear", align_corners=False)
    return torch.cat((table[:1], drawn.flatten(2)[0].T))

exercises.check_resize(resize_positions)
""",
    ),
    (
        "11.1",
        "zeros for the class token",
        "zeros for the class token",
        """
def resize_positions(table, old, new):
    picture = table[1:].T.reshape(1, -1, *old)
    drawn = F.interpolate(picture, size=new, mode="bilinear", align_corners=False)
    return torch.cat((torch.zeros_like(table[:1]), drawn.flatten(2)[0].T))

exercises.check_resize(resize_positions)
""",
    ),
    (
        "11.2",
        "the stride of the one layer before",
        "the stride of the one layer before",
        """
def receptive_field(layers):
    seen, before = 1, 1
    for kernel, stride, dilation in layers:
        seen += (kernel - 1) * dilation * before
        before = stride
    return seen

exercises.check_receptive_field(receptive_field)
""",
    ),
    (
        "11.2",
        "as many steps as places",
        "r places have r - 1 steps",
        """
def receptive_field(layers):
    seen = 1
    for kernel, stride, dilation in reversed(layers):
        seen = seen * stride + (kernel - 1) * dilation
    return seen

exercises.check_receptive_field(receptive_field)
""",
    ),
    (
        "11.2",
        "one side of the middle",
        "to one side, with the middle",
        """
def receptive_field(layers):
    seen, step = 1, 1
    for kernel, stride, dilation in layers:
        seen += (kernel - 1) * dilation * step
        step *= stride
    return (seen + 1) // 2

exercises.check_receptive_field(receptive_field)
""",
    ),
    (
        "11.2",
        "dilations are left out",
        "your dilation does nothing",
        """
def receptive_field(layers):
    seen, step = 1, 1
    for kernel, stride, dilation in layers:
        seen, step = seen + (kernel - 1) * step, step * stride
    return seen

exercises.check_receptive_field(receptive_field)
""",
    ),
    (
        "11.2",
        "strides are left out",
        "your strides do nothing",
        """
def receptive_field(layers):
    return 1 + sum((kernel - 1) * dilation for kernel, _, dilation in layers)

exercises.check_receptive_field(receptive_field)
""",
    ),
    (
        "11.2",
        "a layer's own stride counts",
        "counts for the layers behind it, and not for its own reach",
        """
def receptive_field(layers):
    seen, step = 1, 1
    for kernel, stride, dilation in layers:
        step *= stride
        seen += (kernel - 1) * dilation * step
    return seen

exercises.check_receptive_field(receptive_field)
""",
    ),
    (
        "11.2",
        "from the last layer to the first",
        "with a formula that goes the other way",
        """
def receptive_field(layers):
    seen, step = 1, 1
    for kernel, stride, dilation in layers[::-1]:
        seen += (kernel - 1) * dilation * step
        step *= stride
    return seen

exercises.check_receptive_field(receptive_field)
""",
    ),
    (
        "11.2",
        "the kernel's size is added",
        "you add the kernel's size; a kernel of k reaches",
        """
def receptive_field(layers):
    seen, step = 1, 1
    for kernel, stride, dilation in layers:
        seen += kernel * dilation * step
        step *= stride
    return seen

exercises.check_receptive_field(receptive_field)
""",
    ),
    (
        "11.2",
        "starts at nothing",
        "you start at 0",
        """
def receptive_field(layers):
    seen, step = 0, 1
    for kernel, stride, dilation in layers:
        seen += (kernel - 1) * dilation * step
        step *= stride
    return seen

exercises.check_receptive_field(receptive_field)
""",
    ),
    (
        "11.2",
        "a dilation spreads like a stride",
        "your dilation spreads to the layers behind it",
        """
def receptive_field(layers):
    seen, step = 1, 1
    for kernel, stride, dilation in layers:
        seen += (kernel - 1) * dilation * step
        step *= stride * dilation
    return seen

exercises.check_receptive_field(receptive_field)
""",
    ),
    (
        "11.2",
        "the reaches are multiplied",
        "you multiplied the reaches",
        """
def receptive_field(layers):
    seen, step = 1, 1
    for kernel, stride, dilation in layers:
        seen *= 1 + (kernel - 1) * dilation * step
        step *= stride
    return seen

exercises.check_receptive_field(receptive_field)
""",
    ),
    (
        "11.2",
        "an area",
        "you counted pixels of an area",
        """
def receptive_field(layers):
    seen, step = 1, 1
    for kernel, stride, dilation in layers:
        seen += (kernel - 1) * dilation * step
        step *= stride
    return seen**2

exercises.check_receptive_field(receptive_field)
""",
    ),
    (
        "11.2",
        "the sum of the kernels",
        "you sum the kernels' sizes",
        """
def receptive_field(layers):
    return sum(kernel for kernel, _, _ in layers)

exercises.check_receptive_field(receptive_field)
""",
    ),
    (
        "11.3",
        "as it was",
        "two things of `broken` are still there",
        """
def draw_pairs(labels, n, generator):
    first = torch.randint(len(labels), (n,), generator=generator)
    other = torch.randint(len(labels), (n,), generator=generator)
    equal = torch.rand(n, generator=generator) < 0.5
    return first, torch.where(equal, first, other), equal

exercises.check_pairs(draw_pairs)
""",
    ),
    (
        "11.3",
        "equal pairs are still one scan",
        "your equal pairs are one scan twice",
        """
def draw_pairs(labels, n, generator):
    first = torch.randint(len(labels), (n,), generator=generator)
    equal = torch.rand(n, generator=generator) < 0.5
    fits = labels[first][:, None] != labels
    other = torch.multinomial(fits.double(), 1, generator=generator)[:, 0]
    return first, torch.where(equal, first, other), equal

exercises.check_pairs(draw_pairs)
""",
    ),
    (
        "11.3",
        "the scan itself is left among those that fit",
        "it fits itself, and must be taken out",
        """
def draw_pairs(labels, n, generator):
    first = torch.randint(len(labels), (n,), generator=generator)
    equal = torch.rand(n, generator=generator) < 0.5
    fits = (labels[first][:, None] == labels) == equal[:, None]
    second = torch.multinomial(fits.double(), 1, generator=generator)[:, 0]
    return first, second, equal

exercises.check_pairs(draw_pairs)
""",
    ),
    (
        "11.3",
        "different pairs are drawn blindly",
        "are called different and show the same digit, as many as by chance",
        """
def draw_pairs(labels, n, generator):
    first = torch.randint(len(labels), (n,), generator=generator)
    equal = torch.rand(n, generator=generator) < 0.5
    fits = (labels[first][:, None] == labels) | ~equal[:, None]
    fits[torch.arange(n), first] = False
    second = torch.multinomial(fits.double(), 1, generator=generator)[:, 0]
    return first, second, equal

exercises.check_pairs(draw_pairs)
""",
    ),
    (
        "11.3",
        "labels are read off random pairs",
        "of your pairs are equal; `broken` has half of them so",
        """
def draw_pairs(labels, n, generator):
    first = torch.randint(len(labels), (n,), generator=generator)
    step = torch.randint(1, len(labels), (n,), generator=generator)
    second = (first + step) % len(labels)
    return first, second, labels[first] == labels[second]

exercises.check_pairs(draw_pairs)
""",
    ),
    (
        "11.3",
        "pairs that do not fit are dropped",
        "asked for 4000 pairs",
        """
def draw_pairs(labels, n, generator):
    first = torch.randint(len(labels), (n,), generator=generator)
    second = torch.randint(len(labels), (n,), generator=generator)
    keep = first != second
    first, second = first[keep], second[keep]
    return first, second, labels[first] == labels[second]

exercises.check_pairs(draw_pairs)
""",
    ),
    (
        "11.3",
        "torch's global generator",
        "from torch's global generator",
        """
def draw_pairs(labels, n, generator):
    first = torch.randint(len(labels), (n,), generator=generator)
    equal = torch.rand(n, generator=generator) < 0.5
    fits = (labels[first][:, None] == labels) == equal[:, None]
    fits[torch.arange(n), first] = False
    second = torch.multinomial(fits.double(), 1)[:, 0]
    return first, second, equal

exercises.check_pairs(draw_pairs)
""",
    ),
    (
        "11.3",
        "always the first scan that fits",
        "scans ever come second",
        """
def draw_pairs(labels, n, generator):
    first = torch.randint(len(labels), (n,), generator=generator)
    equal = torch.rand(n, generator=generator) < 0.5
    fits = (labels[first][:, None] == labels) == equal[:, None]
    fits[torch.arange(n), first] = False
    second = fits.double().argmax(dim=1)
    return first, second, equal

exercises.check_pairs(draw_pairs)
""",
    ),
    (
        "11.3",
        "labels as numbers",
        "`broken` returns truth values",
        """
def draw_pairs(labels, n, generator):
    first = torch.randint(len(labels), (n,), generator=generator)
    equal = torch.rand(n, generator=generator) < 0.5
    fits = (labels[first][:, None] == labels) == equal[:, None]
    fits[torch.arange(n), first] = False
    second = torch.multinomial(fits.double(), 1, generator=generator)[:, 0]
    return first, second, equal.long()

exercises.check_pairs(draw_pairs)
""",
    ),
    (
        "11.3",
        "equal pairs are drawn digit by digit",
        "which digit comes first now tells",
        """
def draw_pairs(labels, n, generator):
    equal = torch.rand(n, generator=generator) < 0.5
    digit = torch.randint(int(labels.max()) + 1, (n,), generator=generator)
    own = (labels == digit[:, None]).double()
    first = torch.multinomial(own, 1, generator=generator)[:, 0]
    fits = (labels[first][:, None] == labels) == equal[:, None]
    fits[torch.arange(n), first] = False
    second = torch.multinomial(fits.double(), 1, generator=generator)[:, 0]
    return first, second, equal

exercises.check_pairs(draw_pairs)
""",
    ),
    (
        "11.4",
        "one pixel to the side",
        "it only moves to the side",
        """
def moves_along(layer):
    images = torch.randn(2, 1, 8, 12, generator=torch.Generator().manual_seed(0))
    moved = layer(images.roll(1, dims=3))
    return torch.allclose(moved, layer(images).roll(1, dims=3), atol=1e-4)

exercises.check_moves_along(moves_along)
""",
    ),
    (
        "11.4",
        "one image alone",
        "it asks about one image at a time",
        """
def moves_along(layer):
    images = torch.randn(1, 1, 8, 12, generator=torch.Generator().manual_seed(0))
    moved = layer(images.roll((1, 1), dims=(2, 3)))
    return torch.allclose(moved, layer(images).roll((1, 1), dims=(2, 3)), atol=1e-4)

exercises.check_moves_along(moves_along)
""",
    ),
    (
        "11.4",
        "four pixels both ways",
        "all its steps are multiples of 4",
        """
def moves_along(layer):
    images = torch.randn(2, 1, 8, 12, generator=torch.Generator().manual_seed(0))
    moved = layer(images.roll((4, 4), dims=(2, 3)))
    return torch.allclose(moved, layer(images).roll((4, 4), dims=(2, 3)), atol=1e-4)

exercises.check_moves_along(moves_along)
""",
    ),
    (
        "11.4",
        "equal bits",
        "your test refuses what is right: a convolution by Fourier transforms",
        """
def moves_along(layer):
    images = torch.randn(2, 1, 8, 12, generator=torch.Generator().manual_seed(0))
    moved = layer(images.roll((1, 1), dims=(2, 3)))
    return torch.equal(moved, layer(images).roll((1, 1), dims=(2, 3)))

exercises.check_moves_along(moves_along)
""",
    ),
    (
        "11.4",
        "a tolerance of a tenth",
        "positions so faint that they change a hundredth; a layer",
        """
def moves_along(layer):
    images = torch.randn(2, 1, 8, 12, generator=torch.Generator().manual_seed(0))
    moved = layer(images.roll((1, 1), dims=(2, 3)))
    return torch.allclose(moved, layer(images).roll((1, 1), dims=(2, 3)), atol=0.1)

exercises.check_moves_along(moves_along)
""",
    ),
    (
        "11.4",
        "invariance in place of equivariance",
        "your test calls nothing honest",
        """
def moves_along(layer):
    images = torch.randn(2, 1, 8, 12, generator=torch.Generator().manual_seed(0))
    return torch.allclose(layer(images.roll((1, 1), dims=(2, 3))), layer(images), atol=1e-4)

exercises.check_moves_along(moves_along)
""",
    ),
    (
        "11.4",
        "only the first image of the batch is compared",
        "a layer that moves along the diagonal only. It moved",
        """
def moves_along(layer):
    images = torch.randn(2, 1, 8, 12, generator=torch.Generator().manual_seed(0))
    moved = layer(images.roll((1, 1), dims=(2, 3)))
    return torch.allclose(moved[0], layer(images).roll((1, 1), dims=(2, 3))[0], atol=1e-4)

exercises.check_moves_along(moves_along)
""",
    ),
    (
        "11.4",
        "the answers are exchanged",
        "your test says the opposite",
        """
def moves_along(layer):
    images = torch.randn(2, 1, 8, 12, generator=torch.Generator().manual_seed(0))
    moved = layer(images.roll((1, 1), dims=(2, 3)))
    return not torch.allclose(moved, layer(images).roll((1, 1), dims=(2, 3)), atol=1e-4)

exercises.check_moves_along(moves_along)
""",
    ),
    (
        "11.4",
        "the layer is never asked",
        "It never asks the one that it is to judge",
        """
def moves_along(layer):
    images = torch.randn(2, 1, 8, 12, generator=torch.Generator().manual_seed(0))
    return callable(layer)

exercises.check_moves_along(moves_along)
""",
    ),
    (
        "11.4",
        "an image without a channel",
        "something else than images (batch, 1, height, width)",
        """
def moves_along(layer):
    images = torch.randn(8, 12, generator=torch.Generator().manual_seed(0))
    return bool(layer(images).isfinite().all())

exercises.check_moves_along(moves_along)
""",
    ),
    (
        "11.3",
        "which pairs are equal is settled by their places",
        "with another seed the same places hold equal pairs",
        """
def draw_pairs(labels, n, generator):
    first = torch.randint(len(labels), (n,), generator=generator)
    equal = torch.arange(n) % 2 == 0
    fits = (labels[first][:, None] == labels) == equal[:, None]
    fits[torch.arange(n), first] = False
    return first, torch.multinomial(fits.double(), 1, generator=generator)[:, 0], equal

exercises.check_pairs(draw_pairs)
""",
    ),
    (
        "11.3",
        "a different digit is always the next one",
        "is never followed by",
        """
def draw_pairs(labels, n, generator):
    first = torch.randint(len(labels), (n,), generator=generator)
    equal = torch.rand(n, generator=generator) < 0.5
    digits = torch.where(equal, labels[first], (labels[first] + 1) % (labels.max() + 1))
    fits = digits[:, None] == labels
    fits[torch.arange(n), first] = False
    return first, torch.multinomial(fits.double(), 1, generator=generator)[:, 0], equal

exercises.check_pairs(draw_pairs)
""",
    ),
    (
        "11.5",
        "no residual",
        "you left the residual out",
        """
def rollout(layers):
    total = layers[0].mean(1)
    for weights in layers[1:]:
        total = weights.mean(1) @ total
    return total

exercises.check_rollout(rollout)
""",
    ),
    (
        "11.5",
        "the identity is added and not averaged in",
        "your rows sum to 2 for each layer",
        """
def rollout(layers):
    identity = torch.eye(layers[0].size(-1), dtype=layers[0].dtype)
    total = identity
    for weights in layers:
        total = (weights.mean(1) + identity) @ total
    return total

exercises.check_rollout(rollout)
""",
    ),
    (
        "11.5",
        "the first layer on the left",
        "multiplied in the wrong order",
        """
def rollout(layers):
    identity = torch.eye(layers[0].size(-1), dtype=layers[0].dtype)
    total = identity
    for weights in layers:
        total = total @ ((weights.mean(1) + identity) / 2)
    return total

exercises.check_rollout(rollout)
""",
    ),
    (
        "11.5",
        "the layers are averaged",
        "you averaged the layers",
        """
def rollout(layers):
    identity = torch.eye(layers[0].size(-1), dtype=layers[0].dtype)
    return sum((weights.mean(1) + identity) / 2 for weights in layers) / len(layers)

exercises.check_rollout(rollout)
""",
    ),
    (
        "11.5",
        "number by number",
        "you multiplied number by number",
        """
def rollout(layers):
    identity = torch.eye(layers[0].size(-1), dtype=layers[0].dtype)
    total = 1.0
    for weights in layers:
        total = total * (weights.mean(1) + identity) / 2
    return total

exercises.check_rollout(rollout)
""",
    ),
    (
        "11.5",
        "the strongest head",
        "you took the strongest head",
        """
def rollout(layers):
    total = identity = torch.eye(layers[0].size(-1), dtype=layers[0].dtype)
    for weights in layers:
        strongest = weights.amax(1)
        strongest = strongest / strongest.sum(-1, keepdim=True)
        total = (strongest + identity) / 2 @ total
    return total

exercises.check_rollout(rollout)
""",
    ),
    (
        "11.2",
        "the last layer is left out",
        "the last layer is missing in yours",
        """
def receptive_field(layers):
    r, j = 1, 1
    for k, s, d in layers[:-1]:
        r += (k - 1) * d * j
        j *= s
    return r

exercises.check_receptive_field(receptive_field)
""",
    ),
    (
        "11.2",
        "the layer that sees furthest",
        "the layer that sees furthest",
        """
def receptive_field(layers):
    best, j = 1, 1
    for k, s, d in layers:
        best = max(best, (k - 1) * d * j + 1)
        j *= s
    return best

exercises.check_receptive_field(receptive_field)
""",
    ),
    (
        "11.2",
        "a dilation that is squared",
        "goes wrong with one dilated layer",
        """
def receptive_field(layers):
    r, j = 1, 1
    for k, s, d in layers:
        r += (k - 1) * d * d * j
        j *= s
    return r

exercises.check_receptive_field(receptive_field)
""",
    ),
    (
        "11.3",
        "an offset of the digits is drawn",
        "Draw the scan itself from all that fit",
        """
def draw_pairs(labels, n, generator):
    first = torch.randint(len(labels), (n,), generator=generator)
    equal = torch.rand(n, generator=generator) < 0.5
    shift = torch.randint(1, 10, (n,), generator=generator)
    wanted = torch.where(equal, labels[first], (labels[first] + shift) % 10)
    fits = wanted[:, None] == labels
    fits[torch.arange(n), first] = False
    second = torch.multinomial(fits.double(), 1, generator=generator)[:, 0]
    return first, second, equal

exercises.check_pairs(draw_pairs)
""",
    ),
    (
        "11.3",
        "a second try for what does not fit",
        "fewer than by chance",
        """
def draw_pairs(labels, n, generator):
    first = torch.randint(len(labels), (n,), generator=generator)
    other = torch.randint(len(labels), (n,), generator=generator)
    again = torch.randint(len(labels), (n,), generator=generator)
    equal = torch.rand(n, generator=generator) < 0.5
    same = labels[first][:, None] == labels
    same[torch.arange(n), first] = False
    mate = torch.multinomial(same.double(), 1, generator=generator)[:, 0]
    other = torch.where(labels[other] == labels[first], again, other)
    return first, torch.where(equal, mate, other), equal

exercises.check_pairs(draw_pairs)
""",
    ),
    (
        "11.3",
        "the third tensor says the opposite",
        "your third tensor says the opposite",
        """
def draw_pairs(labels, n, generator):
    first = torch.randint(len(labels), (n,), generator=generator)
    equal = torch.rand(n, generator=generator) < 0.5
    fits = (labels[first][:, None] == labels) != equal[:, None]
    fits[torch.arange(n), first] = False
    second = torch.multinomial(fits.double(), 1, generator=generator)[:, 0]
    return first, second, equal

exercises.check_pairs(draw_pairs)
""",
    ),
    (
        "11.4",
        "along the diagonal",
        "1 of 13 impostors through: a layer that moves along the diagonal only. What",
        """
def moves_along(layer):
    x = torch.randn(2, 1, 8, 12)
    moved, expected = layer(x.roll((1, 1), dims=(2, 3))), layer(x).roll((1, 1), dims=(2, 3))
    return torch.allclose(moved, expected, atol=1e-4)

exercises.check_moves_along(moves_along)
""",
    ),
    (
        "11.4",
        "a tolerance of a fifth",
        "a gain for each place that is one but for a twentieth. Its tolerance",
        """
def moves_along(layer):
    x = torch.randn(2, 1, 8, 12)
    for step in ((1, 0), (0, 1), (3, 5)):
        moved, expected = layer(x.roll(step, dims=(2, 3))), layer(x).roll(step, dims=(2, 3))
        if not torch.allclose(moved, expected, rtol=0.2, atol=1e-2):
            return False
    return True

exercises.check_moves_along(moves_along)
""",
    ),
    (
        "11.4",
        "images with empty edges",
        "its images are zero at the edges",
        """
def moves_along(layer):
    x = torch.zeros(2, 1, 16, 16)
    x[:, :, 6:10, 6:10] = torch.randn(2, 1, 4, 4)
    inside = (..., slice(4, 12), slice(4, 12))
    for step in ((1, 0), (0, 1), (1, 1)):
        moved, expected = layer(x.roll(step, dims=(2, 3))), layer(x).roll(step, dims=(2, 3))
        if not torch.allclose(moved[inside], expected[inside], atol=1e-4):
            return False
    return True

exercises.check_moves_along(moves_along)
""",
    ),
    (
        "11.5",
        "the identity is mixed in at the end",
        "you mix the identity in once, at the end",
        """
def roll_out(layers):
    eye = torch.eye(layers[0].shape[-1], dtype=layers[0].dtype)
    total = layers[0].mean(dim=1)
    for w in layers[1:]:
        total = w.mean(dim=1) @ total
    return (total + eye) / 2

exercises.check_rollout(roll_out)
""",
    ),
    (
        "11.5",
        "other shares than halves",
        "for one layer you return 0.9 times",
        """
def roll_out(layers):
    eye = torch.eye(layers[0].shape[-1], dtype=layers[0].dtype)
    total = eye
    for w in layers:
        total = (0.9 * w.mean(dim=1) + 0.1 * eye) @ total
    return total

exercises.check_rollout(roll_out)
""",
    ),
    (
        "11.5",
        "the first layer twice",
        "the first layer stands in your product twice",
        """
def roll_out(layers):
    eye = torch.eye(layers[0].shape[-1], dtype=layers[0].dtype)
    total = (layers[0].mean(dim=1) + eye) / 2
    for w in layers:
        total = ((w.mean(dim=1) + eye) / 2) @ total
    return total

exercises.check_rollout(roll_out)
""",
    ),
]

ALSO_RIGHT = [
    (
        "11.1",
        "place by place, from the centres of patches",
        """
def resize_positions(table, old, new):
    def weights(n_old, n_new):
        centres = (torch.arange(n_new, dtype=table.dtype) + 0.5) * n_old / n_new - 0.5
        centres = centres.clamp(0, n_old - 1)
        return (1 - (centres[:, None] - torch.arange(n_old)).abs()).clamp(min=0)

    grid = table[1:].unflatten(0, old)
    down, across = weights(old[0], new[0]), weights(old[1], new[1])
    drawn = torch.einsum("ir,jc,rcd->ijd", down, across, grid)
    return torch.cat((table[:1], drawn.flatten(0, 1)))

exercises.check_resize(resize_positions)
""",
    ),
    (
        "11.2",
        "from the last layer back",
        """
def receptive_field(layers):
    seen = 1
    for kernel, stride, dilation in reversed(layers):
        seen = (seen - 1) * stride + 1 + (kernel - 1) * dilation
    return seen

exercises.check_receptive_field(receptive_field)
""",
    ),
    (
        "11.2",
        "with tensors",
        """
def receptive_field(layers):
    k, s, d = torch.tensor(layers).T
    before = torch.cat((torch.ones(1).long(), s.cumprod(0)[:-1]))
    return 1 + ((k - 1) * d * before).sum()

exercises.check_receptive_field(receptive_field)
""",
    ),
    (
        "11.3",
        "pair by pair",
        """
def draw_pairs(labels, n, generator):
    pairs = []
    while len(pairs) < n:
        one = int(torch.randint(len(labels), (1,), generator=generator))
        equal = bool(torch.rand(1, generator=generator) < 0.5)
        fits = (labels == labels[one]) == equal
        fits[one] = False
        others = fits.nonzero()[:, 0]
        other = others[torch.randint(len(others), (1,), generator=generator)]
        pairs.append((one, int(other), equal))
    first, second, equal = zip(*pairs)
    return torch.tensor(first), torch.tensor(second), torch.tensor(equal)

exercises.check_pairs(draw_pairs)
""",
    ),
    (
        "11.4",
        "many steps, in float64",
        """
def moves_along(layer):
    images = torch.rand(3, 1, 8, 8, generator=torch.Generator().manual_seed(3)).double()
    maps = layer(images).double()
    furthest = 0.0
    for down in range(3):
        for across in range(3):
            moved = layer(images.roll((down, across), dims=(2, 3))).double()
            furthest = max(furthest, float((moved - maps.roll((down, across), (2, 3))).abs().max()))
    return furthest < 1e-3 * float(maps.abs().max())

exercises.check_moves_along(moves_along)
""",
    ),
    (
        "11.5",
        "from the last layer down",
        """
def rollout(layers):
    total = torch.eye(layers[0].size(-1), dtype=layers[0].dtype)
    for weights in reversed(layers):
        total = 0.5 * total + 0.5 * torch.matmul(total, weights.sum(1) / weights.size(1))
    return total

exercises.check_rollout(rollout)
""",
    ),
    (
        "11.5",
        "an identity without a dtype",
        """
def roll_out(layers):
    eye = torch.eye(layers[0].shape[-1])
    total = eye
    for w in layers:
        total = ((w.mean(dim=1) + eye) / 2) @ total
    return total

exercises.check_rollout(roll_out)
""",
    ),
]
