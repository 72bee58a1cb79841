"""The digit reader: two trained models of the chapter on vision, and digits to move and cover."""

from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from scipy.stats import spearmanr
from softlookup.inside.attention_maps import attention_maps
from softlookup.inside.rollout import rollout
from softlookup.layers.patches import assemble, cut
from torch import Tensor, nn

from live_figures import chapter, files

# The cell that asks the trained models about digits as they are, and moved aside.
JUDGED = "shift-judged"
# What the figure does not need: maps of attention, shuffles, views, positions, a convolution that
# moves along.
NOT_NEEDED = (
    *("f787f436", "shuffle-counted", "shuffle-seen", "shuffle-claimed", "ab8e5538"),
    *("views-trained", "learned-places", "1b781167"),
)
# The models shown: the first seed of each. Words for the reader, and the chapter's name.
MODELS = {"still": "ViT, class token", "moved": "ViT, trained on moved digits too"}
# For the expected values: a digit, how it is moved (down, to the right), the patches it loses.
TREATED = (
    (0, (0, 0), ()),
    (3, (0, 1), ()),
    (7, (0, -1), (5,)),
    (8, (1, 0), ()),
    (4, (-2, 3), (0, 6, 15)),
    (5, (0, 0), tuple(range(16))),
)
# A seven as a reader might draw it, all in full ink.
DRAWN = (
    *("........", "..####..", ".....#..", "....#..."),
    *("...#....", "...#....", "...#....", "........"),
)


def moved(image: Tensor, down: int, across: int) -> Tensor:
    """The image moved by whole pixels, as the chapter moves it aside; paper comes in."""
    room = F.pad(image, (8, 8, 8, 8), value=-1.0)
    return room[..., 8 - down : 16 - down, 8 - across : 16 - across]


def covered(image: Tensor, patches: tuple[int, ...]) -> Tensor:
    """The image with some patches painted in the colour of paper."""
    tokens = cut(image, 2)
    tokens[:, list(patches)] = -1.0
    return assemble(tokens, (8, 8))


def read(model: nn.Module, image: Tensor) -> dict[str, Any]:
    """What a model makes of an image: logits, the class token's weights, how patches rank."""
    with torch.no_grad():
        logits = model(image)[0]
        layers = [*attention_maps(model, image).values()]
    shares = rollout(layers)[0, 0, 1:]
    ink = cut(image, 2).mean(dim=-1)[0]
    alike = bool((ink == ink[0]).all())
    return {
        "logits": logits,
        "weights": [each[0, :, 0, 1:] for each in layers],
        "rollout": shares,
        "last": layers[-1].mean(dim=1)[0, 0, 1:],
        "ink": ink,
        "correlation": None if alike else float(spearmanr(shares.numpy(), ink.numpy()).statistic),
    }


def export() -> list[Path]:
    """Run the chapter up to where digits are moved, and write what the figure needs.

    Raises:
        ValueError: if the models with rounded weights are right more or less often than the
            chapter prints.
    """
    ran = chapter.run("11_vision", until=JUDGED, skip=NOT_NEEDED)
    ran.agree(JUDGED)
    names = ran.names
    validation, aside, share_right = (
        names[each] for each in ("validation", "aside", "share_right")
    )
    models = {key: files.rounded(names["trained"][name][0]) for key, name in MODELS.items()}
    shares = {}
    for key, model in models.items():
        still = share_right(model, validation)
        aside_by_one = sum(share_right(model, validation, aside(step)) for step in (-1, 1)) / 2
        exact = names["stands"][MODELS[key]][0], names["moves"][MODELS[key]][0]
        upright = sum(
            share_right(model, validation, lambda images, s=step: moved(images, s, 0))
            for step in (-1, 1)
        )
        if max(abs(still - exact[0]), abs(aside_by_one - exact[1])) > 0.005:
            raise ValueError(f"rounded, {key} has {still} and {aside_by_one} right; exact: {exact}")
        shares[key] = {"still": still, "aside": aside_by_one, "up or down": upright / 2}
    places = [int((validation.labels == label).nonzero()[0]) for label in range(10)]
    digits = validation.images[places]
    cases = []
    for key, model in models.items():
        for digit, move, hidden in TREATED:
            image = covered(moved(digits[digit : digit + 1], *move), hidden)
            case = {"model": key, "digit": digit, "move": move, "hidden": hidden}
            cases.append(case | read(model, image))
        ink = torch.tensor([[1.0 if cell == "#" else -1.0 for cell in row] for row in DRAWN])
        cases.append({"model": key, "drawn": DRAWN} | read(model, ink[None, None]))
    tensors = {
        f"{key}.{name}": tensor
        for key, model in models.items()
        for name, tensor in model.state_dict().items()
    }
    config = {
        "vit": {"patch_size": 2, "n_channels": 1, "d_model": 48, "n_heads": 4, "n_layers": 2},
        # The greys of each digit, from 0 for paper to 16 for ink, a letter each.
        "digits": [
            "".join(chr(ord("a") + round((grey + 1) * 8)) for grey in digit)
            for digit in digits.flatten(1).tolist()
        ],
    }
    expected = {"cases": cases, "shares": shares, "stored": ran.stored[JUDGED].splitlines()}
    return [
        files.write_weights("digit-reader", config, tensors),
        files.write_expected("digit-reader", expected),
    ]
