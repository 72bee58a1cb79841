"""The edit distance between two sentences: how many words to drop, add or replace.

Scored place by place, a sentence that lacks its second word is wrong from there to its end. By
the edit distance it lacks one word. The chapter on encoder and decoder counts what a translator
does wrong in this way.
"""

from collections.abc import Sequence


def edit_distance(one: Sequence[object], other: Sequence[object]) -> int:
    """The least number of words to drop, add or replace that makes one sentence the other.

    Source: Levenshtein 1966; filled row by row, as in Wagner and Fischer 1974.
    """
    # distances[j]: from the words of ``one`` so far to the first j words of ``other``.
    distances = list(range(len(other) + 1))
    for row, word in enumerate(one, start=1):
        diagonal, distances[0] = distances[0], row
        for column, wanted in enumerate(other, start=1):
            replaced = diagonal + (word != wanted)
            diagonal = distances[column]
            distances[column] = min(replaced, diagonal + 1, distances[column - 1] + 1)
    return distances[-1]
