"""What goes wrong in a head that lets all sentences of a batch share one table of weights."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from softlookup.course.exercises.difference import require_same
from softlookup.course.exercises.probes import name_first
from softlookup.course.exercises.slips import Slips, name_slips
from softlookup.course.exercises.verdict import Mistake
from softlookup.layers.attention import attention


def name_sharing(answer: Tensor, query: Tensor, key: Tensor, value: Tensor, d_model: int) -> None:
    """Name what is wrong with the answers of a head that was to be repaired.

    Args:
        answer: the learner's, (sentences, tokens, d_value).
        query: (sentences, tokens, d_key).
        key: (sentences, tokens, d_key).
        value: (sentences, tokens, d_value).
        d_model: the width of the tokens.

    Raises:
        Mistake: with the words for the part that is wrong.
    """
    raw = query @ key.transpose(-2, -1)
    scale = math.sqrt(key.size(-1))
    weights = torch.softmax(raw / scale, dim=-1)
    together = attention(query.flatten(0, 1), key.flatten(0, 1), value.flatten(0, 1))[0]
    hypotheses = (
        (
            torch.softmax(raw.sum(0) / scale, dim=-1) @ value,
            "the sentences still share one table of weights: the scores are summed over the batch",
        ),
        (
            torch.softmax(raw.mean(0) / scale, dim=-1) @ value,
            "you average the scores over the batch, so the sentences still share one table; each "
            "needs its own",
        ),
        (
            weights.mean(0) @ value,
            "you average the weights over the batch: every sentence is read with the others' "
            "questions",
        ),
        (weights[0] @ value, "every sentence is read with the weights of the first"),
        (
            torch.softmax(query[0] @ key.mT / scale, dim=-1) @ value,
            "every sentence is read with the queries of the first",
        ),
        (
            torch.softmax(query @ key[0].mT / scale, dim=-1) @ value,
            "every sentence is read with the keys of the first",
        ),
        (
            torch.softmax(raw.amax(0) / scale, dim=-1) @ value,
            "you take the largest score over the batch, so the sentences still share one table",
        ),
        (
            together.unflatten(0, value.shape[:2]),
            "you made one long sequence of the batch: now tokens look into other sentences",
        ),
    )
    name_first(answer, hypotheses)
    if len(value) == 1:
        raise Mistake(
            "with several sentences you are right, with a single one you are not: the batch axis "
            "stays even when it has length one"
        )

    def head(
        pairs: tuple[Tensor, Tensor] = (query, key),
        divisor: float = scale,
        weigh: Callable[[Tensor], Tensor] = lambda scores: scores.softmax(dim=-1),
        value: Tensor = value,
    ) -> Tensor:
        return weigh(pairs[0] @ pairs[1].mT / divisor) @ value

    right = "; the rest was right and is to stay"
    slips: Slips = {
        "pairs": {
            "queries and keys have changed places: rows of the scores are queries": (key, query),
            f"your scores are of queries with queries; they were of queries with keys{right}": (
                query,
                query,
            ),
            f"your scores are of keys with keys; they were of queries with keys{right}": (key, key),
            "each query meets the keys of all sentences, summed: batch axes with different letters "
            "are different axes": (query, key.sum(dim=0)),
            "the keys are another sentence's: each sentence meets its own": (query, key.flip(0)),
        },
        "divisor": {
            "the weights are each sentence's own now, but the scale is gone, and it was right": 1.0,
            f"you divide by d_k and not by its root{right}": scale**2,
            f"you divide by the root of d_model, and no longer by √d_k{right}": math.sqrt(d_model),
            f"you divide by the root of the values' width, and no longer by √d_k{right}": (
                math.sqrt(value.size(-1))
            ),
            f"you multiply by √d_k where it was divided{right}": 1 / scale,
            f"you divide by the root of the length, and no longer by √d_k{right}": (
                math.sqrt(value.size(-2))
            ),
        },
        "weigh": {
            "the weights are each sentence's own now, but axis 1 holds the queries: softmax ran "
            "over the keys, and was right": lambda scores: scores.softmax(dim=1),
            "softmax runs over the sentences of the batch now: it ran over the keys, and was "
            "right": lambda scores: scores.softmax(dim=0),
            f"the softmax is gone{right}": lambda scores: scores,
            f"there is a mask now, so that tokens look back only{right}": lambda scores: (
                scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -math.inf).softmax(-1)
            ),
            f"there is a softmax of a softmax now{right}": (
                lambda scores: scores.softmax(dim=-1).softmax(dim=-1)
            ),
            "your weights are turned round before they meet the values: in the second product "
            "key j of the weights must meet token j": lambda scores: scores.softmax(dim=-1).mT,
        },
        "value": {
            "your weights meet the values of all sentences, summed: batch axes with different "
            "letters are different axes": value.sum(dim=0),
            "your weights meet the values of another sentence": value.flip(0),
            "every sentence's weights meet the values of the first": value[0],
        },
    }
    if len(value) > 1:
        name_slips(answer, head, slips)
        summed = head().sum(dim=0).expand_as(answer)
        name_first(answer, [(summed, "your outputs are added up over the sentences")])
    require_same(
        answer,
        weights @ value,
        "your outputs are neither what was given nor what is right: change how the batch goes "
        "through the two products, and nothing else",
        axes=("sentence", "token", "width"),
    )
