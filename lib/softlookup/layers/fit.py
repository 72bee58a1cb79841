"""What has to fit for queries to look keys up, whatever is computed from them then.

Every function that takes queries, keys and values refuses by these what cannot be right.
"""

import torch
from torch import Tensor


def require_same_width(query: Tensor, key: Tensor) -> None:
    """Refuse queries and keys that have no dot product.

    Raises:
        ValueError: if their widths differ.
    """
    if query.size(-1) != key.size(-1):
        raise ValueError(
            f"query has width {query.size(-1)} and key has width {key.size(-1)}; "
            "expected the same, because a score is their dot product"
        )


def require_value_for_each_key(key: Tensor, value: Tensor) -> None:
    """Refuse keys without values, values without keys, and neither.

    Raises:
        ValueError: if their numbers differ, or are zero.
    """
    if key.size(-2) != value.size(-2) or key.size(-2) == 0:
        raise ValueError(
            f"there are {key.size(-2)} keys and {value.size(-2)} values; "
            "expected at least one key, and one value for each"
        )


def require_query_for_each_key(query: Tensor, key: Tensor) -> None:
    """Refuse queries and keys that cannot be of the same tokens.

    Raises:
        ValueError: if their shapes differ.
    """
    if query.shape != key.shape:
        raise ValueError(
            f"the queries have shape {tuple(query.shape)} and the keys {tuple(key.shape)}; "
            "expected the same, because each token asks and answers"
        )


def require_boolean(mask: Tensor | None) -> None:
    """Refuse a mask of another convention, such as one that is added to the scores.

    Raises:
        ValueError: if there is a mask and it is not boolean.
    """
    if mask is not None and mask.dtype != torch.bool:
        raise ValueError(
            f"the mask has dtype {mask.dtype}; expected torch.bool, True where a query may look"
        )
