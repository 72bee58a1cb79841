"""Recall: tasks that need nothing but memory, so that its reach can be measured.

The chapter on the limits of recurrence asks recurrent networks for the first token, ever further
back; later chapters ask for the value that stood beside a key.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Int
from torch import Tensor

# What torch.nn.functional.cross_entropy leaves out unless told otherwise.
NOT_ASKED = -100


@dataclass(frozen=True)
class FirstToken:
    """Sequences whose first token is asked for at the last one.

    Attributes:
        tokens: the sequences.
        target: the first token of each.
    """

    tokens: Int[Tensor, "batch length"]
    target: Int[Tensor, " batch"]


def first_token(
    batch_size: int, lag: int, generator: torch.Generator, n_symbols: int = 8
) -> FirstToken:
    """Draw sequences of ``lag + 1`` random symbols; what is asked lies ``lag`` steps back.

    Args:
        batch_size: how many sequences.
        lag: steps from the first token to the last, after which the answer is due.
        generator: the source of randomness.
        n_symbols: how many symbols there are; guessing is right once in so many.

    Raises:
        ValueError: if the batch is empty, the lag negative, or there are fewer than two symbols.
    """
    _require_at_least("batch_size", batch_size, 1)
    _require_at_least("lag", lag, 0)
    _require_at_least("n_symbols", n_symbols, 2)
    tokens = torch.randint(n_symbols, (batch_size, lag + 1), generator=generator)
    return FirstToken(tokens, tokens[:, 0].clone())


@dataclass(frozen=True)
class AssociativeRecall:
    """Keys, each followed by its value; a key that returns asks for the value it had.

    Attributes:
        tokens: key, value, key, value, ...; keys are 0 to n_keys - 1, values n_keys to
            n_keys + n_values - 1.
        targets: at each key that was seen before, its value; NOT_ASKED elsewhere.
    """

    tokens: Int[Tensor, "batch length"]
    targets: Int[Tensor, "batch length"]


def associative_recall(
    batch_size: int,
    n_pairs: int,
    generator: torch.Generator,
    n_keys: int = 8,
    n_values: int = 8,
    keys_in_text: int | None = None,
) -> AssociativeRecall:
    """Draw sequences of key–value pairs; within a sequence a key always has the same value.

    Every returning key is asked for, not the last one alone: with a single question in each
    sequence small models do not learn the task in the time that a chapter has.

    Args:
        batch_size: how many sequences.
        n_pairs: pairs in a sequence, which is twice as long.
        generator: the source of randomness: keys, and the value of each key anew in each sequence.
        n_keys: how many keys there are.
        n_values: how many values there are; guessing is right once in so many.
        keys_in_text: from how many of the keys a sequence draws its own, others in each; from
            all of them where None.

    Raises:
        ValueError: if the batch is empty, there are fewer than two pairs or values, or no key;
            or if a sequence is to draw from more keys than there are.

    Source: Arora et al. 2023 (Zoology), section 3, multi-query associative recall.
    """
    _require_at_least("batch_size", batch_size, 1)
    _require_at_least("n_pairs", n_pairs, 2)
    _require_at_least("n_keys", n_keys, 1)
    _require_at_least("n_values", n_values, 2)
    value_of = n_keys + torch.randint(n_values, (batch_size, n_keys), generator=generator)
    if keys_in_text is None:
        keys = torch.randint(n_keys, (batch_size, n_pairs), generator=generator)
    else:
        _require_at_least("keys_in_text", keys_in_text, 1)
        _require_at_least("n_keys", n_keys, keys_in_text)
        own = torch.rand(batch_size, n_keys, generator=generator).argsort(dim=1)[:, :keys_in_text]
        drawn = torch.randint(keys_in_text, (batch_size, n_pairs), generator=generator)
        keys = own.gather(1, drawn)
    values = value_of.gather(1, keys)
    same = keys[:, :, None] == keys[:, None, :]
    seen_before = same.tril(diagonal=-1).any(dim=-1)
    targets = torch.full((batch_size, 2 * n_pairs), NOT_ASKED)
    targets[:, 0::2] = torch.where(seen_before, values, NOT_ASKED)
    return AssociativeRecall(torch.stack([keys, values], dim=-1).flatten(1), targets)


@dataclass(frozen=True)
class Lookup:
    """Pairs of a key and a value, and one key whose value is asked for.

    Attributes:
        keys: the keys, none twice in a row.
        values: the value of each key.
        query: the key that is asked for, one of the row's.
        answer: its value.
    """

    keys: Int[Tensor, "batch pairs"]
    values: Int[Tensor, "batch pairs"]
    query: Int[Tensor, " batch"]
    answer: Int[Tensor, " batch"]


def lookup(
    batch_size: int,
    n_pairs: int,
    generator: torch.Generator,
    n_keys: int = 64,
    n_values: int = 32,
) -> Lookup:
    """Draw dictionaries and one question for each, as keys and values apart.

    Args:
        batch_size: how many dictionaries.
        n_pairs: entries in each.
        generator: the source of randomness.
        n_keys: how many keys there are to choose the entries from.
        n_values: how many values there are; guessing is right once in so many.

    Raises:
        ValueError: if the batch is empty, there are more pairs than keys or none, or fewer than
            two values.
    """
    _require_at_least("batch_size", batch_size, 1)
    _require_at_least("n_pairs", n_pairs, 1)
    _require_at_least("n_keys", n_keys, n_pairs)
    _require_at_least("n_values", n_values, 2)
    keys = torch.rand(batch_size, n_keys, generator=generator).argsort(dim=1)[:, :n_pairs]
    values = torch.randint(n_values, (batch_size, n_pairs), generator=generator)
    asked = torch.randint(n_pairs, (batch_size, 1), generator=generator)
    return Lookup(
        keys, values, keys.gather(1, asked).squeeze(1), values.gather(1, asked).squeeze(1)
    )


@dataclass(frozen=True)
class ChainedLookup:
    """Pairs whose values are keys again, and where each key leads in several steps.

    Attributes:
        keys: all keys, in random order.
        values: the value of each, a key again; none twice in a row.
        answers: what each key leads to in the number of hops that was asked for.
    """

    keys: Int[Tensor, "batch pairs"]
    values: Int[Tensor, "batch pairs"]
    answers: Int[Tensor, "batch pairs"]


def chained_lookup(
    batch_size: int, n_pairs: int, hops: int, generator: torch.Generator
) -> ChainedLookup:
    """Draw permutations as pairs, and ask at each pair where its key leads in so many hops.

    One hop is the pair's own value. Each further hop takes another lookup, whose question is the
    answer of the one before: a composition.

    Args:
        batch_size: how many permutations.
        n_pairs: how many keys, and pairs.
        hops: how often the permutation is applied.
        generator: the source of randomness.

    Raises:
        ValueError: if the batch is empty, there are fewer than two pairs, or no hop.
    """
    _require_at_least("batch_size", batch_size, 1)
    _require_at_least("n_pairs", n_pairs, 2)
    _require_at_least("hops", hops, 1)
    leads_to = torch.rand(batch_size, n_pairs, generator=generator).argsort(dim=1)
    keys = torch.rand(batch_size, n_pairs, generator=generator).argsort(dim=1)
    values = answers = leads_to.gather(1, keys)
    for _ in range(hops - 1):
        answers = leads_to.gather(1, answers)
    return ChainedLookup(keys, values, answers)


def _require_at_least(name: str, given: int, least: int) -> None:
    if given < least:
        raise ValueError(f"{name} is {given}; expected at least {least}")
