"""What goes wrong in the two matrices that a head is: the one that compares, the one that carries.

An exercise of the chapter on multi-head attention asks for both, of ``HEADS`` heads of ``D_HEAD``.
"""

from collections.abc import Callable

from torch import Tensor

from softlookup.course.exercises.difference import require_same
from softlookup.course.exercises.probes import name_first
from softlookup.course.exercises.slips import Slips, name_slips

HEADS, D_HEAD = 3, 7
WIDTH = HEADS * D_HEAD


def name_comparison(compare: Tensor, right: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> None:
    """Say what is wrong with the matrices that compare.

    Args:
        compare: the learner's, (heads, d_model, d_model).
        right: the right ones, of the same shape.
        w_q: (d_model, d_model), as the other projections.
        w_k: of the keys.
        w_v: of the values, which compare nothing.

    Raises:
        Mistake: always, since they are not right.
    """
    query_rows, key_rows = (w.view(HEADS, D_HEAD, WIDTH) for w in (w_q, w_k))
    whole = "your comparing matrix is the same for all heads, W_Q W_Kᵀ whole: that is the sum over "
    name_first(
        compare,
        [
            (
                (w_q @ w_k.mT).expand(HEADS, -1, -1),
                whole + "the heads; take the head's own columns of both",
            ),
            (
                query_rows.mT @ key_rows,
                "you cut W_Q and W_K by rows; X W_Q gives a head its columns",
            ),
            (
                _interleaved(w_q) @ _interleaved(w_k).mT,
                "you gave each head every third column of W_Q and W_K; a head's columns are "
                "neighbours",
            ),
            (right[:1].expand(HEADS, -1, -1), "every head compares with the columns of head 1"),
        ],
    )

    own_query, own_key = columns_of_heads(w_q), columns_of_heads(w_k)

    def product(
        query: Tensor = own_query,
        key: Tensor = own_key,
        divisor: float = 1.0,
        after: Callable[[Tensor], Tensor] = lambda matrix: matrix,
    ) -> Tensor:
        return after(query @ key.mT / divisor)

    slips: Slips = {
        "query": {
            "W_V stands in the comparing matrix where W_Q belongs": columns_of_heads(w_v),
            "W_K stands in the comparing matrix twice; the first is W_Q": own_key,
            **_cuts(w_q, "W_Q", "compares"),
        },
        "key": {
            "W_V stands in the comparing matrix where W_K belongs": columns_of_heads(w_v),
            "W_Q stands in the comparing matrix twice; the second is W_K": columns_of_heads(w_q),
            **_cuts(w_k, "W_K", "compares"),
        },
        "divisor": {
            "you divided by √d_head; the scale is applied to the scores afterwards, and is "
            "no part of the matrix": D_HEAD**0.5,
            "you divided by d_head; the scale is no part of the matrix": D_HEAD,
            "you divided by √d_model; the scale is no part of the matrix": WIDTH**0.5,
            "you divided by d_model; the scale is no part of the matrix": WIDTH,
            "you divided by the number of heads; each has its own matrix whole": HEADS,
        },
        "after": {
            "your comparing matrix is transposed: in X A Xᵀ the token that asks stands on "
            "the left, so W_Q does too": lambda matrix: matrix.mT,
            "there is a softmax in your comparing matrix; it is of the weights, not of A": (
                lambda matrix: matrix.softmax(dim=-1)
            ),
            "the heads stand in the opposite order": lambda matrix: matrix.flip(0),
        },
    }
    name_slips(compare, product, slips)
    require_same(
        compare,
        right,
        "your comparing matrices are others: write q_i · k_j out with x_i and x_j",
        axes=("head", "row", "column"),
    )


def name_carrying(carry: Tensor, right: Tensor, w_v: Tensor, w_o: Tensor, w_k: Tensor) -> None:
    """Say what is wrong with the matrices that carry.

    Args:
        carry: the learner's, (heads, d_model, d_model).
        right: the right ones, of the same shape.
        w_v: (d_model, d_model), as the other projections.
        w_o: of the output.
        w_k: of the keys, which carry nothing.

    Raises:
        Mistake: always, since they are not right.
    """
    own, rows = columns_of_heads(w_v), w_o.view(HEADS, D_HEAD, WIDTH)
    whole = "your carrying matrix is W_V W_O whole, the same for all heads: that is the sum over "
    turned = "W_V and W_O have changed places: tokens are rows, so x meets W_V first"
    name_first(
        carry,
        [
            ((w_v @ w_o).expand(HEADS, -1, -1), whole + "the heads"),
            (columns_of_heads(w_o) @ w_v.view(HEADS, D_HEAD, WIDTH), turned),
        ],
    )

    def product(
        value: Tensor = own,
        rows: Tensor = rows,
        divisor: float = 1.0,
        after: Callable[[Tensor], Tensor] = lambda matrix: matrix,
    ) -> Tensor:
        return after(value @ rows / divisor)

    slips: Slips = {
        "value": {
            "W_K stands in the carrying matrix where W_V belongs": columns_of_heads(w_k),
            **_cuts(w_v, "W_V", "carries"),
        },
        "rows": {
            "you took columns of W_O; what head i found meets the i-th block of its rows": (
                columns_of_heads(w_o).mT
            ),
            "you took columns of W_O, turned by a view: head i has the i-th block of its rows": (
                columns_of_heads(w_o).reshape(HEADS, D_HEAD, WIDTH)
            ),
            "every head goes through the first block of W_O; head i has block i": rows[:1],
            "the heads go through the blocks of W_O in the opposite order": rows.flip(0),
            "you gave each head every third row of W_O; its rows are neighbours": (
                _interleaved(w_o.mT).mT
            ),
        },
        "divisor": {
            "you divided by the number of heads; the layer is their sum, not their average": HEADS,
            "you divided by √d_head; only scores are scaled": D_HEAD**0.5,
        },
        "after": {
            "your carrying matrix is transposed: tokens are rows, so x goes through W_V "
            "first, from the left": lambda matrix: matrix.mT,
            "your carrying matrices stand in the opposite order of heads": (
                lambda matrix: matrix.flip(0)
            ),
        },
    }
    name_slips(carry, product, slips)
    require_same(
        carry,
        right,
        "your comparing matrices are right, and the carrying ones are not: follow one value from "
        "x through W_V and then through W_O",
        axes=("head", "row", "column"),
    )


def _cuts(matrix: Tensor, name: str, does: str) -> dict[str, Tensor]:
    """Wrong ways to cut a projection into heads, each (heads, d_model, d_head)."""
    there = f"in what {does}, "
    return {
        f"{there}you cut {name} by rows; x @ W gives a head its columns": (
            matrix.view(HEADS, D_HEAD, WIDTH).mT
        ),
        f"{there}you gave each head every third column of {name}; its columns are neighbours": (
            _interleaved(matrix)
        ),
        f"{there}you cut {name} by a view alone, which mixes rows and columns: cut the columns, "
        "then bring the heads to the front": matrix.reshape(HEADS, WIDTH, D_HEAD),
        f"{there}every head has the first one's columns of {name}": (
            columns_of_heads(matrix)[:1].expand(HEADS, -1, -1)
        ),
    }


def columns_of_heads(matrix: Tensor) -> Tensor:
    """The columns of a projection that belong to each head: (heads, d_model, d_head)."""
    return matrix.unflatten(1, (HEADS, D_HEAD)).transpose(0, 1)


def _interleaved(matrix: Tensor) -> Tensor:
    """Every third column for a head, as a wrong cut of the width gives it."""
    return matrix.unflatten(1, (D_HEAD, HEADS)).permute(2, 0, 1)
