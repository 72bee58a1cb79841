"""Sentences like "a robot must obey the orders given it": a pronoun means one of two things.

One of the two things is singular and the other plural, so that *it* or *them* says which is
meant; either may stand first. That is all of grammar that this language has. The chapter on
self-attention trains a head on it.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Int
from torch import Tensor

# Each thing, one and many.
THINGS: tuple[tuple[str, str], ...] = (
    *(("robot", "robots"), ("order", "orders"), ("dog", "dogs"), ("door", "doors")),
    *(("box", "boxes"), ("child", "children"), ("king", "kings"), ("ship", "ships")),
    *(("star", "stars"), ("clock", "clocks")),
)
VERBS = ("obey", "follow", "watch", "guard")
LINKS = ("given", "near", "behind", "for")
VOCABULARY: tuple[str, ...] = (
    *("a", "the", "must", "it", "them", *VERBS, *LINKS),
    *(one for one, _ in THINGS),
    *(many for _, many in THINGS),
)
LENGTH = 8
# Where the first thing, the second thing and the pronoun stand.
FIRST, SECOND, PRONOUN = 1, 5, 7

_ID = {word: index for index, word in enumerate(VOCABULARY)}


@dataclass(frozen=True, eq=False)
class Sentences:
    """Sentences, and what each of their words means.

    Attributes:
        tokens: the words' places in the vocabulary.
        meant: the same, but at the pronoun the thing that it stands for.
    """

    tokens: Int[Tensor, "batch length"]
    meant: Int[Tensor, "batch length"]


def sentences(things: Int[Tensor, "batch 2"], generator: torch.Generator) -> Sentences:
    """Draw a sentence about each pair of things: numbers, articles, verb, link and pronoun.

    Args:
        things: by its place in ``THINGS``, the thing that stands first and the one that follows.
        generator: the source of randomness.

    Raises:
        ValueError: if a thing is paired with itself, or there is no such thing.
    """
    if bool((things[:, 0] == things[:, 1]).any()):
        raise ValueError("a thing is paired with itself; expected two different things")
    if len(things) and not 0 <= int(things.min()) <= int(things.max()) < len(THINGS):
        raise ValueError(f"there are {len(THINGS)} things; expected places below that")
    count = len(things)

    def draw(choices: int) -> Int[Tensor, " batch"]:
        return torch.randint(choices, (count,), generator=generator)

    one_first = draw(2).bool()
    names = torch.tensor([[_ID[word] for word in thing] for thing in THINGS])
    first = names[things[:, 0], (~one_first).long()]
    second = names[things[:, 1], one_first.long()]
    # A plural takes no "a".
    articles = [
        torch.where(one & draw(2).bool(), _ID["a"], _ID["the"]) for one in (one_first, ~one_first)
    ]
    means_first = draw(2).bool()
    pronoun = torch.where(means_first == one_first, _ID["it"], _ID["them"])
    verb, link = _ID[VERBS[0]] + draw(len(VERBS)), _ID[LINKS[0]] + draw(len(LINKS))
    must = torch.full((count,), _ID["must"])
    words = [articles[0], first, must, verb, articles[1], second, link, pronoun]
    tokens = torch.stack(words, dim=1)
    meant = tokens.clone()
    meant[:, PRONOUN] = torch.where(means_first, first, second)
    return Sentences(tokens, meant)


def encode(sentence: str) -> Int[Tensor, " length"]:
    """The words of a sentence as places in the vocabulary.

    Raises:
        ValueError: if a word is not in the vocabulary.
    """
    unknown = [word for word in sentence.split() if word not in _ID]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is no word of this language; expected one of VOCABULARY")
    return torch.tensor([_ID[word] for word in sentence.split()])
