"""Overlap: what a test text shares with the text that a model learns from.

A model that has read the answer need not predict it. The chapter on the next word counts what its
text quotes of itself, and leaves the quotes out before it lets models compete.
"""

import re


def word_runs(text: str, words: int) -> list[tuple[str, ...]]:
    """Every run of so many words in a row, in lower case and without signs.

    Raises:
        ValueError: if ``words`` is not positive.

    Source: Radford et al. 2019, section 4, who look for runs of eight.
    """
    if words < 1:
        raise ValueError(f"words is {words}; expected at least 1")
    found = re.findall(r"[^\W_]+", text.lower())
    return [tuple(found[place : place + words]) for place in range(len(found) - words + 1)]


def shared(train: str, test: str, words: int = 8) -> float:
    """The share of the test text's runs of words that stand in the training text too.

    Args:
        train: the text to learn from.
        test: the text to be tested on.
        words: how long a run is.

    Raises:
        ValueError: if the test text has no run of so many words.
    """
    runs = word_runs(test, words)
    if not runs:
        raise ValueError(f"the test text has fewer than {words} words; expected a longer one")
    known = set(word_runs(train, words))
    return sum(run in known for run in runs) / len(runs)


def leave_out_shared(train: str, test: str, words: int = 8) -> str:
    """The training text without the paragraphs that share a run of words with the test text.

    Paragraphs are what empty lines part.

    Args:
        train: the text to learn from.
        test: the text to be tested on, which stays as it is.
        words: how long a run is.
    """
    runs = set(word_runs(test, words))
    paragraphs = train.split("\n\n")
    return "\n\n".join(
        paragraph for paragraph in paragraphs if runs.isdisjoint(word_runs(paragraph, words))
    )
