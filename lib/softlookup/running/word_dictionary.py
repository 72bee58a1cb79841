"""A dictionary learned by counting: which word translates which, from sentences in pairs.

No sentence says which of its words translates which. The dictionary begins by believing every
pairing alike, shares each target word among the source words of its sentence as far as it
believes them, counts the shares, and believes the counts. The chapter on encoder and decoder
lets it compete with the Transformer: it knows words, and nothing of their order.
"""

from collections import defaultdict
from collections.abc import Sequence

SentencePair = tuple[Sequence[str], Sequence[str]]


def word_dictionary(pairs: Sequence[SentencePair], rounds: int = 15) -> dict[str, str]:
    """For each source word the target word that it most probably stands for.

    A word "" in every source sentence takes what translates no word, such as an article.

    Args:
        pairs: source and target, in words.
        rounds: how often the shares are counted anew.

    Raises:
        ValueError: if there are no pairs, or no rounds.

    Source: Brown et al. 1993, model 1.
    """
    if not pairs or rounds < 1:
        raise ValueError(
            f"there are {len(pairs)} pairs of sentences and {rounds} rounds; expected at least 1 "
            "of each"
        )
    belief: dict[tuple[str, str], float] = defaultdict(lambda: 1.0)
    for _ in range(rounds):
        counts: dict[tuple[str, str], float] = defaultdict(float)
        of_source: dict[str, float] = defaultdict(float)
        for source, target in pairs:
            asked = ("", *source)
            for said in target:
                total = sum(belief[word, said] for word in asked)
                for word in asked:
                    share = belief[word, said] / total
                    counts[word, said] += share
                    of_source[word] += share
        belief = {pair: count / of_source[pair[0]] for pair, count in counts.items()}
    best: dict[str, tuple[float, str]] = {}
    for (word, said), probability in belief.items():
        if word and (word not in best or probability > best[word][0]):
            best[word] = (probability, said)
    return {word: said for word, (_, said) in best.items()}
