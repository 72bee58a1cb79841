# earns: all

# %% +
from itertools import chain, groupby, pairwise

from softlookup.running.evaluation import bits_per_character as library_bits
from softlookup.running.losses import next_token_loss

# %% pieces
def pieces(text):
    def kind(place):
        letter = text[place]
        return "word" if letter.isalpha() else "number" if letter in "0123456789" else place

    runs = [[*run] for _, run in groupby(range(len(text)), key=kind)]
    cut = [text[run[0] : run[-1] + 1] for run in runs]
    for n in range(len(cut) - 1, 0, -1):
        if cut[n][0].isalpha() and cut[n - 1] == " ":
            cut[n - 1 : n + 1] = [" " + cut[n]]
    return cut

# %% merges
def learn_merges(pieces, n_merges):
    # One word for each different piece, with its number: much faster on a long text. A
    # dictionary keeps the order of the first occurrence, by which ties are broken.
    often = Counter(pieces)
    words = {piece: tuple(piece) for piece in often}
    merges = []
    for _ in range(n_merges):
        scores = Counter()
        for piece, word in words.items():
            for pair in pairwise(word):
                scores[pair] += often[piece]
        if not scores or max(scores.values()) < « least »:
            break
        best = max(scores, key=scores.get)
        merges.append(best)
        words = {piece: joined(word, best) for piece, word in words.items()}
    return merges


def joined(word, pair):
    out = []
    for token in word:
        if out and (out[-1], token) == pair and not (len(out) > 1 and out[-1] is None):
            out[-1] = Merged(out[-1] + token)
        else:
            out.append(token)
    return tuple(str(token) for token in out)


class Merged(str):
    """What was merged in this walk, and must not be merged again in it."""

    def __eq__(self, other):
        return False

    __hash__ = str.__hash__

# %% encode
def encode(pieces, merges):
    known = sorted({a + b for a, b in merges}, key=len, reverse=True)
    expression = re.compile("|".join([*map(re.escape, known), r"[\s\S]"]))
    return [*chain.from_iterable(map(expression.findall, pieces))]

# %% loss
def loss(logits, targets):
    n = logits.size(-1)
    places = range(targets.size(1))
    weights = [min(1, (place + 1) / « early ») for place in places]
    each = [
        next_token_loss(logits[:, p : p + 1], targets[:, p : p + 1], label_smoothing=« smoothing » * n / (n - 1))
        for p in places
    ]
    return sum(w * e for w, e in zip(weights, each)) / sum(weights)

# %% bits
@torch.no_grad()
def bits_per_character(model, passages, tokens):
    losses, characters = [], 0
    for passage in passages:
        ids = torch.tensor([tokens.index(token) for token in passage])
        for place in range(« skip », len(ids)):
            logits = model(ids[max(0, place - « context ») : place][None])[:, -1:]
            losses.append(next_token_loss(logits, ids[None, place : place + 1]))
        characters += len("".join(passage[« skip »:]))
    return library_bits(torch.stack(losses), characters)

# %% +
print(pieces("In 1815 the ferryman sold a horse."))
