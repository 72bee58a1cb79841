"""Tables of positions brought to another grid, rightly and as likely mistakes would have it."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from softlookup.course.exercises.slips import name_slips
from softlookup.course.exercises.verdict import Mistake

Grid = tuple[int, int]


def _picture(places: Tensor, grid: Grid) -> Tensor:
    return places.T.reshape(1, -1, *grid)


def _rows(drawn: Tensor) -> Tensor:
    return drawn.flatten(2)[0].T


def _bilinear(picture: Tensor, grid: Grid) -> Tensor:
    return F.interpolate(picture, size=grid, mode="bilinear", align_corners=False)


def resized(table: Tensor, old: Grid, new: Grid) -> Tensor:
    """The table on the new grid, as torch resizes an image."""
    return torch.cat((table[:1], _rows(_bilinear(_picture(table[1:], old), new))))


def _drawn(mode: str, **options: bool) -> Callable[[Tensor, Grid], Tensor]:
    """Another of torch's ways to resize an image."""
    return lambda picture, grid: F.interpolate(picture, size=grid, mode=mode, **options)


def _line(rows: Tensor, size: int) -> Tensor:
    return F.interpolate(rows.T[None], size=size, mode="linear", align_corners=False)[0].T


def name_length(got: object, old: Grid, new: Grid) -> None:
    """Name what makes a table too long or too short.

    Raises:
        Mistake: if the class token's row is gone, or both sides have the factor of one.
    """
    rows = len(got) if isinstance(got, Tensor) and got.ndim == 2 else 0
    if rows == new[0] * new[1]:
        raise Mistake("the class token's row is gone; it has no place on the grid, and goes before")
    for side in (0, 1):
        factor = new[side] / old[side]
        if rows == 1 + int(old[0] * factor) * int(old[1] * factor) != 1 + new[0] * new[1]:
            raise Mistake(
                "rows and columns have one factor with you; each side of the grid has its own"
            )


def name_resized(got: Tensor, table: Tensor, old: Grid, new: Grid) -> None:
    """Name what is wrong with a table of positions that was brought to another grid.

    Args:
        got: the learner's table, of the right shape.
        table: the one on the old grid, the class token's row first.
        old: its rows and columns.
        new: the other grid's.

    Raises:
        Mistake: with the words for the step that is wrong.
    """
    n_new, places = new[0] * new[1], table[1:]

    def rows(
        taken: Tensor = places,
        first: Tensor | None = table[:1],
        picture: Callable[[Tensor, Grid], Tensor] = _picture,
        grid: Grid = old,
        target: Grid = new,
        drawn: Callable[[Tensor, Grid], Tensor] = _bilinear,
        back: Callable[[Tensor], Tensor] = _rows,
        last: Tensor | None = None,
        line: Tensor | None = None,
    ) -> Tensor:
        found = back(drawn(picture(taken, grid), target)) if line is None else line
        found = found if last is None else torch.cat((found, last))
        return found if first is None or last is not None else torch.cat((first, found))

    name_slips(
        got,
        rows,
        {
            "line": {
                "you resized all rows as one line, the class token among them: its row is no "
                "place on the grid, and the grid has two dimensions": _line(table, 1 + n_new)[1:],
                "you resized the patches in reading order, as one line: the end of each row of "
                "patches then runs into the beginning of the next": _line(places, n_new),
                "you repeat the old rows until there are enough; a patch then has the position of "
                "another place": places.repeat(n_new // len(places) + 1, 1)[:n_new],
            },
            "picture": {
                "you reshaped (places, width) into (width, rows, columns), which mixes places and "
                "width; exchange the two axes first": (
                    lambda taken, grid: taken.reshape(1, -1, *grid)
                ),
            },
            "grid": {"you laid the old grid out with its rows and columns exchanged": old[::-1]},
            "target": {"the new grid has its rows and columns exchanged with you": new[::-1]},
            "drawn": {
                "you put the outermost patches' centres upon each other; a patch has an extent, so "
                "it is the edges of the two grids that coincide: align_corners=False": (
                    _drawn("bilinear", align_corners=True)
                ),
                "you copied the nearest place, so that neighbouring patches get one and the same "
                "position; mix the places around, mode='bilinear'": _drawn("nearest"),
                "you copied the place whose centre is nearest; mix the places around, "
                "mode='bilinear'": _drawn("nearest-exact"),
                "you resized by mode='bicubic', which also overshoots; mode='bilinear' is asked "
                "for": _drawn("bicubic", align_corners=False),
                "you resized by mode='area', which averages what a new patch covers; "
                "mode='bilinear' is asked for": _drawn("area"),
                "you resized with antialias=True, which blurs where the new grid is coarser; "
                "leave it out": _drawn("bilinear", align_corners=False, antialias=True),
            },
            "back": {
                "you resized the right picture and reshaped (width, rows, columns) into (places, "
                "width), which mixes the two; flatten the grid, then exchange the axes": (
                    lambda drawn: drawn.reshape(n_new, -1)
                ),
                "your new table goes column by column; reading order goes along a row of patches "
                "first": lambda drawn: _rows(drawn.transpose(2, 3)),
            },
            "taken": {
                "you took the last row for the class token's; it is row 0 of the table": table[:-1],
            },
            "first": {
                "you return zeros for the class token's row; it stays as it is": 0 * table[:1],
                "you return the mean of the places for the class token's row; it stays as it is": (
                    places.mean(0, keepdim=True)
                ),
                "you return the mean of the new places as the class token's row; it stays as is": (
                    resized(table, old, new)[1:].mean(0, keepdim=True)
                ),
                "you return the mean of all rows for the class token's row; it stays as it is": (
                    table.mean(0, keepdim=True)
                ),
                "you return the table's last row for the class token's; it stays row 0": table[-1:],
            },
            "last": {
                "your class token's row stands at the end; it is row 0 of the table": table[:1],
                "the table's last row stands at the end with you, for the class token's; that is "
                "row 0": table[-1:],
            },
        },
    )
