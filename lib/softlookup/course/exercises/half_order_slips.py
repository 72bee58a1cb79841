"""What goes wrong where pairs of neighbours become halves of a head."""

import torch
from torch import Tensor

from softlookup.course.exercises.probes import name_first, same
from softlookup.course.exercises.verdict import Mistake


def name_order(got: Tensor, weight: Tensor, n_heads: int) -> None:
    """Refuse a weight whose rows are not in the order of halves, and tell in which they are."""
    heads = weight.unflatten(0, (n_heads, -1))
    d_head = heads.size(1)

    def halves(heads: Tensor) -> Tensor:
        return torch.cat((heads[:, 0::2], heads[:, 1::2]), dim=1).flatten(0, 1)

    if same(got, halves(heads)):
        return
    across = torch.cat((weight[0::2], weight[1::2]))
    odd_first = torch.cat((heads[:, 1::2], heads[:, 0::2]), dim=1).reshape(weight.shape)
    back = heads.unflatten(1, (2, -1)).transpose(1, 2).reshape(weight.shape)
    back_across = weight.unflatten(0, (2, -1)).transpose(0, 1).reshape(weight.shape)
    swapped = heads.unflatten(1, (-1, 2)).flip(2).reshape(weight.shape)
    is_square = weight.size(0) == weight.size(1)
    columns = halves(weight.T.unflatten(0, (n_heads, -1))).T if is_square else back
    name_first(
        got,
        [
            (weight, "your weight is the one that came in: its pairs are still neighbours"),
            (across, "you sorted the rows of all heads together: each head has its own pairs"),
            (
                odd_first,
                "your halves are exchanged: the first of each pair belongs in the first half. As "
                "it is, every pair turns the other way",
            ),
            (
                back,
                "you went from halves to neighbours; the way back mixes the two rows of a pair",
            ),
            (
                back_across,
                "you went from halves to neighbours, and over all heads together at that",
            ),
            (columns, "you sorted the columns; the rows of the weight are the columns of queries"),
            (swapped, "you exchanged the rows within each pair; the pairs are still neighbours"),
        ],
    )
    if torch.cdist(got, weight).min(dim=1).values.max() > 1e-5:
        raise Mistake(
            "your weight has rows that the given one has not: whole rows move, each with all of "
            "its columns"
        )
    origin = torch.cdist(got, weight).argmin(dim=1)
    if len(origin.unique()) < len(weight):
        twice = int(origin.bincount().argmax())
        raise Mistake(f"row {twice} of the given weight, counted from 0, stands more than once")
    wanted = torch.tensor([*range(0, d_head, 2), *range(1, d_head, 2)])
    head, rows = next(
        (head, rows)
        for head, rows in enumerate(origin.view(n_heads, d_head))
        if not torch.equal(rows, d_head * head + wanted)
    )
    told = f"the rows of your head {head} are {rows.tolist()} of the given weight, counted from 0"
    if not torch.equal(rows // d_head, torch.full_like(rows, head)):
        raise Mistake(
            f"{told}: its own are {d_head * head} to {d_head * head + d_head - 1}. How does your "
            "view divide the rows among the heads?"
        )
    raise Mistake(
        f"{told}; the first of each pair come first, and then the second ones, in the same order: "
        f"{(d_head * head + wanted).tolist()}"
    )
