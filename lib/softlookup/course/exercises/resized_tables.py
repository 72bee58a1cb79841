"""Tables of positions brought to another grid, rightly and as likely mistakes would have it."""

from collections.abc import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor


def resized(
    table: Tensor, old: tuple[int, int], new: tuple[int, int], mode: str = "bilinear"
) -> Tensor:
    """The table on the new grid, by any of torch's ways to resize an image."""
    corners = False if mode == "bilinear" else None
    picture = table[1:].T.reshape(1, -1, *old)
    drawn = F.interpolate(picture, size=new, mode=mode, align_corners=corners)
    return torch.cat((table[:1], drawn.flatten(2)[0].T))


def other_ways_to_resize(
    table: Tensor, old: tuple[int, int], new: tuple[int, int]
) -> Iterator[tuple[Tensor, str]]:
    """What likely mistakes give, and what to say of them."""
    n_new, places = new[0] * new[1], table[1:]
    line = F.interpolate(table.T[None], size=1 + n_new, mode="linear", align_corners=False)[0].T
    yield (
        line,
        "you resized all rows as one line, the class token among them: its row is no place on the "
        "grid, and the grid has two dimensions",
    )
    line = F.interpolate(places.T[None], size=n_new, mode="linear", align_corners=False)[0].T
    yield (
        torch.cat((table[:1], line)),
        "you resized the patches in reading order, as one line: the end of each row of patches "
        "then runs into the beginning of the next",
    )
    drawn = F.interpolate(
        places.reshape(1, -1, *old), size=new, mode="bilinear", align_corners=False
    )
    mixed = drawn.flatten(2)[0].T
    yield (
        torch.cat((table[:1], mixed)),
        "you reshaped (places, width) into (width, rows, columns), which mixes places and width; "
        "exchange the two axes first",
    )
    yield (
        torch.cat((table[:1], drawn.reshape(n_new, -1))),
        "you reshaped both ways, into (width, rows, columns) and back, and each way mixes places "
        "with width; exchange the two axes instead",
    )
    drawn = F.interpolate(
        places.T.reshape(1, -1, *old), size=new, mode="bilinear", align_corners=False
    )
    yield (
        torch.cat((table[:1], drawn.reshape(n_new, -1))),
        "you resized the right picture and reshaped (width, rows, columns) into (places, width), "
        "which mixes the two; flatten the grid, then exchange the axes",
    )
    drawn = F.interpolate(
        places.T.reshape(1, -1, old[1], old[0]), size=new, mode="bilinear", align_corners=False
    )
    yield (
        torch.cat((table[:1], drawn.flatten(2)[0].T)),
        "you laid the old grid out with its rows and columns exchanged",
    )
    drawn = F.interpolate(
        places.T.reshape(1, -1, *old), size=new, mode="bilinear", align_corners=True
    )
    yield (
        torch.cat((table[:1], drawn.flatten(2)[0].T)),
        "you put the outermost patches' centres upon each other; a patch has an extent, so it is "
        "the edges of the two grids that coincide: align_corners=False",
    )
    yield (
        resized(table, old, new, "nearest"),
        "you copied the nearest place, so that neighbouring patches get one and the same "
        "position; mix the places around, mode='bilinear'",
    )
    right = resized(table, old, new)
    yield (
        torch.cat((right[1:], right[:1])),
        "your class token's row stands at the end; it is row 0 of the table",
    )
    back = right[1:].unflatten(0, new).transpose(0, 1).flatten(0, 1)
    yield (
        torch.cat((right[:1], back)),
        "your new table goes column by column; reading order goes along a row of patches first",
    )
