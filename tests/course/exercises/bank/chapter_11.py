"""Wrong answers to the exercises of chapter 11, each with the words that its verdict must say."""

WRONG = [
    (
        "11.1",
        "a reshape alone",
        "stretches of rows of pixels",
        """
def cut(images, patch_size):
    batch, channels, height, width = images.shape
    n_patches = (height // patch_size) * (width // patch_size)
    return images.reshape(batch, n_patches, channels * patch_size**2)

exercises.check_cut(cut)
""",
    ),
    (
        "11.1",
        "patches column by column",
        "come column by column",
        """
def cut(images, patch_size):
    squares = images.unfold(3, patch_size, patch_size).unfold(2, patch_size, patch_size)
    return squares.permute(0, 3, 2, 1, 5, 4).flatten(3).flatten(1, 2)

exercises.check_cut(cut)
""",
    ),
    (
        "11.1",
        "pixels column by column within a patch",
        "mirrored on its diagonal",
        """
def cut(images, patch_size):
    squares = images.unfold(2, patch_size, patch_size).unfold(3, patch_size, patch_size)
    return squares.permute(0, 2, 3, 1, 5, 4).flatten(3).flatten(1, 2)

exercises.check_cut(cut)
""",
    ),
    (
        "11.1",
        "channels last",
        "your channels come last",
        """
def cut(images, patch_size):
    squares = images.unfold(2, patch_size, patch_size).unfold(3, patch_size, patch_size)
    return squares.permute(0, 2, 3, 4, 5, 1).flatten(3).flatten(1, 2)

exercises.check_cut(cut)
""",
    ),
    (
        "11.1",
        "the channels are left before the grid",
        "hold one channel each",
        """
def cut(images, patch_size):
    batch, channels, height, width = images.shape
    squares = images.unfold(2, patch_size, patch_size).unfold(3, patch_size, patch_size)
    return squares.reshape(batch, -1, channels * patch_size**2)

exercises.check_cut(cut)
""",
    ),
    (
        "11.1",
        "numbers first, as F.unfold gives them",
        "(2, 77, 75) is expected, (batch, patches, numbers in a patch)",
        """
def cut(images, patch_size):
    return F.unfold(images, patch_size, stride=patch_size)

exercises.check_cut(cut)
""",
    ),
    (
        "11.2",
        "the bias is forgotten",
        "lack the bias",
        """
def embed(images, kernel, bias):
    return cut(images, kernel.size(-1)) @ kernel.flatten(1).T

exercises.check_embed(embed)
""",
    ),
    (
        "11.2",
        "the kernel is reshaped in place of transposed",
        "which mixes kernels",
        """
def embed(images, kernel, bias):
    return cut(images, kernel.size(-1)) @ kernel.reshape(-1, kernel.size(0)) + bias

exercises.check_embed(embed)
""",
    ),
    (
        "11.2",
        "the kernel has its channels last",
        "the matrix has to count as the patches do",
        """
def embed(images, kernel, bias):
    matrix = kernel.permute(0, 2, 3, 1).flatten(1)
    return cut(images, kernel.size(-1)) @ matrix.T + bias

exercises.check_embed(embed)
""",
    ),
    (
        "11.2",
        "the kernel is turned round",
        "turned the kernel round",
        """
def embed(images, kernel, bias):
    return cut(images, kernel.size(-1)) @ kernel.flip(2, 3).flatten(1).T + bias

exercises.check_embed(embed)
""",
    ),
    (
        "11.2",
        "the map is not laid out as tokens",
        "you return a map of shape",
        """
def embed(images, kernel, bias):
    return F.conv2d(images, kernel, bias, stride=kernel.size(-1))

exercises.check_embed(embed)
""",
    ),
    (
        "11.2",
        "the map is reshaped in place of transposed",
        "which mixes tokens",
        """
def embed(images, kernel, bias):
    convolved = F.conv2d(images, kernel, bias, stride=kernel.size(-1))
    return convolved.reshape(len(images), -1, kernel.size(0))

exercises.check_embed(embed)
""",
    ),
    (
        "11.3",
        "the halves are exchanged",
        "your halves are exchanged",
        """
def grid_positions(rows, columns, d_model):
    down, across = sinusoidal(rows, d_model // 2), sinusoidal(columns, d_model // 2)
    return torch.cat((across.repeat(rows, 1), down.repeat_interleave(columns, 0)), 1)

exercises.check_grid_positions(grid_positions)
""",
    ),
    (
        "11.3",
        "one dimension, in reading order",
        "as far away as the whole row is long",
        """
def grid_positions(rows, columns, d_model):
    return sinusoidal(rows * columns, d_model)

exercises.check_grid_positions(grid_positions)
""",
    ),
    (
        "11.3",
        "patches column by column",
        "rows repeat interleaved and columns as a whole",
        """
def grid_positions(rows, columns, d_model):
    down, across = sinusoidal(rows, d_model // 2), sinusoidal(columns, d_model // 2)
    return torch.cat((down.repeat(columns, 1), across.repeat_interleave(rows, 0)), 1)

exercises.check_grid_positions(grid_positions)
""",
    ),
    (
        "11.3",
        "rows and columns are added",
        "makes the patches (2, 5) and (5, 2) the same",
        """
def grid_positions(rows, columns, d_model):
    table = sinusoidal(rows, d_model)[:, None] + sinusoidal(columns, d_model)
    return table.flatten(0, 1)

exercises.check_grid_positions(grid_positions)
""",
    ),
    (
        "11.3",
        "the row is told twice",
        "both of your halves tell the row",
        """
def grid_positions(rows, columns, d_model):
    down = sinusoidal(rows, d_model // 2).repeat_interleave(columns, 0)
    return torch.cat((down, down), 1)

exercises.check_grid_positions(grid_positions)
""",
    ),
    (
        "11.3",
        "rows and columns are both repeated as a whole",
        "your rows run as fast as your columns",
        """
def grid_positions(rows, columns, d_model):
    down, across = sinusoidal(rows, d_model // 2), sinusoidal(columns, d_model // 2)
    return torch.cat((down.repeat(columns, 1), across.repeat(rows, 1)), 1)

exercises.check_grid_positions(grid_positions)
""",
    ),
    (
        "11.4",
        "the caller's patches are changed in place",
        "in place",
        """
def prepare(embedded, token, table):
    embedded += table[1:]
    front = (token + table[0]).expand(len(embedded), 1, -1)
    return torch.cat((front, embedded), 1)

exercises.check_prepare(prepare)
""",
    ),
    (
        "11.4",
        "the class token stands at the end",
        "stands at the end",
        """
def prepare(embedded, token, table):
    front = token.expand(len(embedded), 1, -1)
    return torch.cat((embedded, front), 1) + table

exercises.check_prepare(prepare)
""",
    ),
    (
        "11.4",
        "the class token is left out of the positions, and the table starts with the first patch",
        "the place of its left neighbour",
        """
def prepare(embedded, token, table):
    front = token.expand(len(embedded), 1, -1)
    return torch.cat((front, embedded + table[: embedded.size(1)]), 1)

exercises.check_prepare(prepare)
""",
    ),
    (
        "11.4",
        "the class token has no position",
        "row 0 of the table is left over",
        """
def prepare(embedded, token, table):
    front = token.expand(len(embedded), 1, -1)
    return torch.cat((front, embedded + table[1:]), 1)

exercises.check_prepare(prepare)
""",
    ),
    (
        "11.4",
        "no positions",
        "the table was not added",
        """
def prepare(embedded, token, table):
    return torch.cat((token.expand(len(embedded), 1, -1), embedded), 1)

exercises.check_prepare(prepare)
""",
    ),
    (
        "11.4",
        "positions along the batch",
        "the first image got row 0",
        """
def prepare(embedded, token, table):
    tokens = torch.cat((token.expand(len(embedded), 1, -1), embedded), 1)
    return tokens + table[: len(embedded), None]

exercises.check_prepare(prepare)
""",
    ),
    (
        "11.4",
        "positions along the batch where the sizes allow it",
        "whenever the sizes allow it",
        """
def prepare(embedded, token, table):
    tokens = torch.cat((token.expand(len(embedded), 1, -1), embedded), 1)
    return tokens + (table[:, None] if len(tokens) == len(table) else table)

exercises.check_prepare(prepare)
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
        "patch by patch down the columns",
        "in another order along the patch",
        """
def embed(images, kernel, bias):
    tokens = F.conv2d(images, kernel, bias, stride=kernel.size(-1))
    return tokens.mT.flatten(2).mT

exercises.check_embed(embed)
""",
    ),
    (
        "11.2",
        "the patches have their channels last",
        "you laid the patches out with their channels last",
        """
def embed(images, kernel, bias):
    size = kernel.size(-1)
    squares = images.unfold(2, size, size).unfold(3, size, size)
    patches = squares.permute(0, 2, 3, 4, 5, 1).flatten(1, 2).flatten(2)
    return patches @ kernel.flatten(1).T + bias

exercises.check_embed(embed)
""",
    ),
]

ALSO_RIGHT = [
    (
        "11.1",
        "with F.unfold",
        """
def cut(images, patch_size):
    return F.unfold(images, patch_size, stride=patch_size).mT

exercises.check_cut(cut)
""",
    ),
    (
        "11.1",
        "with two loops",
        """
def cut(images, patch_size):
    size, patches = patch_size, []
    for top in range(0, images.size(2), size):
        for left in range(0, images.size(3), size):
            patches.append(images[:, :, top : top + size, left : left + size].flatten(1))
    return torch.stack(patches, dim=1)

exercises.check_cut(cut)
""",
    ),
    (
        "11.2",
        "as one sum over channels and pixels",
        """
def embed(images, kernel, bias):
    size = kernel.size(-1)
    squares = images.unfold(2, size, size).unfold(3, size, size)
    return torch.einsum("bcrkij,dcij->brkd", squares, kernel).flatten(1, 2) + bias

exercises.check_embed(embed)
""",
    ),
    (
        "11.3",
        "in float64, patch by patch",
        """
def grid_positions(rows, columns, d_model):
    down = sinusoidal(rows, d_model // 2, dtype=torch.float64)
    across = sinusoidal(columns, d_model // 2, dtype=torch.float64)
    places = [(row, column) for row in range(rows) for column in range(columns)]
    return torch.stack([torch.cat((down[row], across[column])) for row, column in places])

exercises.check_grid_positions(grid_positions)
""",
    ),
    (
        "11.4",
        "image by image",
        """
def prepare(embedded, token, table):
    return torch.stack([torch.cat((token[None], image)) + table for image in embedded])

exercises.check_prepare(prepare)
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
]
