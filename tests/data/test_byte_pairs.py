from collections import Counter
from itertools import pairwise

import pytest
import torch
from softlookup.data.byte_pairs import BytePairs, pieces
from softlookup.data.edition import split, text

TRAIN = split(text()).train[:60_000]


def merge_by_hand(words, steps):
    """Merge the most frequent pair, again and again, over counted words."""
    table = {tuple(word): count for word, count in Counter(words).items()}
    made = []
    for _ in range(steps):
        pairs = Counter()
        for word, count in table.items():
            for pair in pairwise(word):
                pairs[pair] += count
        (best, count), (_, runner_up) = pairs.most_common(2)
        made.append(("".join(best), count > runner_up))
        merged = {}
        for word, count in table.items():
            parts, place = [], 0
            while place < len(word):
                step = 2 if word[place : place + 2] == best else 1
                parts.append("".join(word[place : place + step]))
                place += step
            merged[tuple(parts)] = merged.get(tuple(parts), 0) + count
        table = merged
    return made


def test_the_package_merges_what_is_merged_by_hand():
    by_hand = merge_by_hand(pieces(TRAIN), 40)
    tokens = BytePairs(TRAIN, 256 + 40)
    # Where two pairs are equally frequent, either may come first.
    decided = [token for token, alone in by_hand if alone]
    assert len(decided) > 30
    assert set(decided) <= set(tokens.merged)
    assert tokens.merged[:5] == [token for token, _ in by_hand[:5]]


@pytest.mark.parametrize(
    "piece",
    [
        TRAIN[1_000:3_000],
        "naïve – „Größe“, 数, \U0001f642\r\n\t  three spaces",
        " leading and trailing ",
        "",
        "\x00\x7f",
    ],
)
def test_any_text_goes_there_and_back(piece):
    tokens = BytePairs(TRAIN, 300)
    ids = tokens.encode(piece)
    assert ids.dtype == torch.int64
    assert tokens.decode(ids) == piece
    assert ((ids >= 0) & (ids < len(tokens))).all()


def test_more_merges_make_a_text_shorter():
    lengths = [len(BytePairs(TRAIN, size).encode(TRAIN)) for size in (256, 300, 512)]
    assert lengths[0] == len(TRAIN.encode())
    assert lengths[0] > lengths[1] > lengths[2]


def test_nothing_merges_across_words():
    tokens = BytePairs("so so so so so so so so", 400)
    assert tokens.merged == ["so", "Ġso"]
    assert len(tokens) == 258
    assert pieces("so, it is.\n") == ["so", ",", "Ġit", "Ġis", ".", "Ċ"]


def test_doors():
    with pytest.raises(ValueError, match="the text is empty"):
        BytePairs("", 300)
    with pytest.raises(ValueError, match="vocab_size is 255; expected at least 256"):
        BytePairs(TRAIN, 255)
    tokens = BytePairs("so so", 300)
    for id in (-1, 258):
        with pytest.raises(ValueError, match=f"id {id} is no token; expected 0 to 257"):
            tokens.decode(torch.tensor([3, id]))


def test_tokens_are_written_down_and_read_without_learning_again():
    tokens = BytePairs(TRAIN, 300)
    again = BytePairs.from_json(tokens.to_json())
    assert len(again) == len(tokens)
    assert again.merged == tokens.merged
    piece = TRAIN[2_000:4_000]
    assert torch.equal(again.encode(piece), tokens.encode(piece))
    assert again.decode(again.encode(piece)) == piece
    with pytest.raises(ValueError, match="no stored tokenizer"):
        BytePairs.from_json("[]")
