"""Wrong answers to the exercises of chapter 8, each with the words that its verdict must say."""

WRONG = [
    (
        "8.1",
        "the first clock is read",
        "come round again after 6 positions: you read the first clock",
        """
def read_place(row):
    return round(math.atan2(row[0], row[1]) % (2 * math.pi))

exercises.check_read_place(read_place)
""",
    ),
    (
        "8.1",
        "the first clock is read, with a sign",
        "negative on the way",
        """
def read_place(row):
    return round(math.atan2(row[0], row[1]))

exercises.check_read_place(read_place)
""",
    ),
    (
        "8.1",
        "sine and cosine are exchanged",
        "your hand has its two numbers exchanged",
        """
def read_place(row):
    speed = 10000.0 ** (2 / len(row) - 1)
    return round(math.atan2(row[-1], row[-2]) / speed)

exercises.check_read_place(read_place)
""",
    ),
    (
        "8.1",
        "an arcsine",
        "cannot tell a hand before the quarter",
        """
def read_place(row):
    speed = 10000.0 ** (2 / len(row) - 1)
    return round(math.asin(row[-2]) / speed)

exercises.check_read_place(read_place)
""",
    ),
    (
        "8.1",
        "an arccosine",
        "your cosine alone is blind",
        """
def read_place(row):
    speed = 10000.0 ** (2 / len(row) - 1)
    return round(torch.arccos(row[-1].double()).item() / speed)

exercises.check_read_place(read_place)
""",
    ),
    (
        "8.1",
        "the slowest speed is one over the base",
        "your slowest clock is too slow",
        """
def read_place(row):
    return round(math.atan2(row[-2], row[-1]) * 10000)

exercises.check_read_place(read_place)
""",
    ),
    (
        "8.1",
        "the fraction is cut off",
        "you cut the fraction off",
        """
def read_place(row):
    speed = 10000.0 ** (2 / len(row) - 1)
    return int(math.atan2(row[-2], row[-1]) / speed)

exercises.check_read_place(read_place)
""",
    ),
    (
        "8.1",
        "not rounded",
        "round to the nearest",
        """
def read_place(row):
    return torch.atan2(row[-2], row[-1]) * 10000.0 ** (1 - 2 / len(row))

exercises.check_read_place(read_place)
""",
    ),
    (
        "8.2",
        "the phase's sign",
        "your phase has the wrong sign",
        """
def wave(query, key):
    phase = torch.atan2(key[1], key[0]) - torch.atan2(query[1], query[0])
    return query.norm() * key.norm(), phase

exercises.check_wave(wave)
""",
    ),
    (
        "8.2",
        "the angles are added",
        "your phase adds the two angles",
        """
def wave(query, key):
    phase = torch.atan2(key[1], key[0]) + torch.atan2(query[1], query[0])
    return query.norm() * key.norm(), phase

exercises.check_wave(wave)
""",
    ),
    (
        "8.2",
        "atan of a quotient",
        "right only for hands in the right half",
        """
def wave(query, key):
    phase = torch.atan(query[1] / query[0]) - torch.atan(key[1] / key[0])
    return query.norm() * key.norm(), phase

exercises.check_wave(wave)
""",
    ),
    (
        "8.2",
        "an arccosine for the phase",
        "your phase is never negative",
        """
def wave(query, key):
    amplitude = query.norm() * key.norm()
    return amplitude, torch.arccos(query @ key / amplitude)

exercises.check_wave(wave)
""",
    ),
    (
        "8.2",
        "no phase",
        "your phase is 0",
        """
def wave(query, key):
    return query.norm() * key.norm(), 0.0

exercises.check_wave(wave)
""",
    ),
    (
        "8.2",
        "the query's angle alone",
        "leaves the key's angle out",
        """
def wave(query, key):
    return query.norm() * key.norm(), torch.atan2(query[1], query[0])

exercises.check_wave(wave)
""",
    ),
    (
        "8.2",
        "the product as the amplitude",
        "your amplitude is the score at offset 0",
        """
def wave(query, key):
    phase = torch.atan2(query[1], query[0]) - torch.atan2(key[1], key[0])
    return query @ key, phase

exercises.check_wave(wave)
""",
    ),
    (
        "8.2",
        "no roots",
        "has the lengths squared",
        """
def wave(query, key):
    phase = torch.atan2(query[1], query[0]) - torch.atan2(key[1], key[0])
    return (query @ query) * (key @ key), phase

exercises.check_wave(wave)
""",
    ),
    (
        "8.2",
        "lengths are added",
        "adds the two lengths",
        """
def wave(query, key):
    phase = torch.atan2(query[1], query[0]) - torch.atan2(key[1], key[0])
    return query.norm() + key.norm(), phase

exercises.check_wave(wave)
""",
    ),
    (
        "8.2",
        "the phase alone",
        "two numbers are expected",
        """
def wave(query, key):
    return torch.atan2(query[1], query[0]) - torch.atan2(key[1], key[0])

exercises.check_wave(wave)
""",
    ),
    (
        "8.3",
        "left as it was",
        "still gets other vectors when padding stands before it",
        """
def add_positions(words, real, table):
    return words + table[: words.size(1)]

exercises.check_add_positions(add_positions)
""",
    ),
    (
        "8.3",
        "counted from one",
        "counted from 1",
        """
def add_positions(words, real, table):
    return words + table[real.cumsum(1)]

exercises.check_add_positions(add_positions)
""",
    ),
    (
        "8.3",
        "all padding is subtracted",
        "the padding after a sentence too",
        """
def add_positions(words, real, table):
    places = torch.arange(words.size(1)) - (~real).sum(1, keepdim=True)
    return words + table[places]

exercises.check_add_positions(add_positions)
""",
    ),
    (
        "8.3",
        "the padding of the first padded sentence for all",
        "the padding of one sentence for all",
        """
def add_positions(words, real, table):
    padding = (~real).sum(1).max()
    return words + table[torch.arange(words.size(1)) - padding]

exercises.check_add_positions(add_positions)
""",
    ),
    (
        "8.3",
        "the padding is counted",
        "you count the padding in place of the words",
        """
def add_positions(words, real, table):
    return words + table[(~real).cumsum(1)]

exercises.check_add_positions(add_positions)
""",
    ),
    (
        "8.3",
        "padding gets no vector, words keep their places",
        "you silence the padding",
        """
def add_positions(words, real, table):
    return words + table[: words.size(1)] * real.unsqueeze(-1)

exercises.check_add_positions(add_positions)
""",
    ),
    (
        "8.3",
        "counted from the end",
        "run from the end to the beginning",
        """
def add_positions(words, real, table):
    places = real.flip(1).cumsum(1).flip(1) - 1
    return words + table[places.clamp(min=0)]

exercises.check_add_positions(add_positions)
""",
    ),
    (
        "8.3",
        "embeddings are scaled on the way",
        "you changed what was right",
        """
def add_positions(words, real, table):
    places = (real.cumsum(1) - 1).clamp(min=0)
    return words * words.size(-1) ** 0.5 + table[places]

exercises.check_add_positions(add_positions)
""",
    ),
    (
        "8.4",
        "only the shape is compared",
        "calls everything honest",
        """
def tells_order(add):
    x = torch.zeros(2, 5, 12)
    return add(x).shape == x.shape

exercises.check_tells_order(tells_order)
""",
    ),
    (
        "8.4",
        "only zeros are tried",
        "a vector that grows with the word it is added to",
        """
def tells_order(add):
    added = add(torch.zeros(4, 64, 12, dtype=torch.float64))
    apart = torch.cdist(added[0], added[0]) + torch.eye(64)
    return bool((added - added[:1]).abs().max() < 1e-4 and apart.min() > 1e-3)

exercises.check_tells_order(tells_order)
""",
    ),
    (
        "8.4",
        "the opposite",
        "your test says the opposite",
        """
def tells_order(add):
    draw = torch.Generator().manual_seed(1)
    x = torch.randn(4, 64, 12, generator=draw, dtype=torch.float64)
    added, fewer = add(x) - x, add(x[:2, :9] + 1) - x[:2, :9] - 1
    close = 1e-4 * (1 + added.abs().max())
    steady = (added - added[:1]).abs().max() < close
    steady = steady and (fewer - added[:2, :9]).abs().max() < close
    apart = torch.cdist(added[0], added[0]) + torch.eye(64)
    return not bool(steady and apart.min() > 1e-3)

exercises.check_tells_order(tells_order)
""",
    ),
    (
        "8.4",
        "equality to the last bit",
        "calls nothing honest",
        """
def tells_order(add):
    draw = torch.Generator().manual_seed(1)
    x = torch.randn(4, 64, 12, generator=draw, dtype=torch.float64)
    added = add(x) - x
    if not torch.equal(added, added[:1].expand_as(added)):
        return False
    return len(added[0].unique(dim=0)) == 64

exercises.check_tells_order(tells_order)
""",
    ),
    (
        "8.4",
        "a tolerance that hides small vectors",
        "refuses what is right: a learned table at its start",
        """
def tells_order(add):
    draw = torch.Generator().manual_seed(1)
    x = torch.randn(4, 64, 12, generator=draw, dtype=torch.float64)
    added, fewer = add(x) - x, add(x[:2, :9] + 1) - x[:2, :9] - 1
    steady = torch.allclose(added, added[:1].expand_as(added), atol=1e-3)
    steady = steady and torch.allclose(fewer, added[:2, :9], atol=1e-3)
    apart = torch.cdist(added[0], added[0]) + 9 * torch.eye(64)
    return steady and bool(apart.min() > 0.3)

exercises.check_tells_order(tells_order)
""",
    ),
    (
        "8.4",
        "neighbours alone are compared",
        "a table in which places 2 and 5 are the same; positions that repeat after 8",
        """
def tells_order(add):
    draw = torch.Generator().manual_seed(1)
    x = torch.randn(4, 64, 12, generator=draw, dtype=torch.float64)
    added, fewer = add(x) - x, add(x[:2, :9] + 1) - x[:2, :9] - 1
    close = 1e-4 * (1 + added.abs().max())
    if (added - added[:1]).abs().max() > close or (fewer - added[:2, :9]).abs().max() > close:
        return False
    return bool((added[0, 1:] - added[0, :-1]).norm(dim=1).min() > 1e-3)

exercises.check_tells_order(tells_order)
""",
    ),
    (
        "8.4",
        "one sentence alone",
        "a table that runs on from one sentence to the next",
        """
def tells_order(add):
    draw = torch.Generator().manual_seed(1)
    x = torch.randn(4, 64, 12, generator=draw, dtype=torch.float64)
    x = x[:1]
    added, again = (add(x) - x)[0], (add(x + 1) - x - 1)[0]
    if (added - again).abs().max() > 1e-4 * (1 + added.abs().max()):
        return False
    return bool((torch.cdist(added, added) + torch.eye(64)).min() > 1e-3)

exercises.check_tells_order(tells_order)
""",
    ),
    (
        "8.4",
        "one length alone",
        "1 of 14 impostors through: positions counted from the end",
        """
def tells_order(add):
    draw = torch.Generator().manual_seed(1)
    x = torch.randn(4, 64, 12, generator=draw, dtype=torch.float64)
    added, again = add(x) - x, add(x + x.cos()) - x - x.cos()
    close = 1e-4 * (1 + added.abs().max())
    if (added - added[:1]).abs().max() > close or (again - added).abs().max() > close:
        return False
    return bool((torch.cdist(added[0], added[0]) + torch.eye(64)).min() > 1e-3)

exercises.check_tells_order(tells_order)
""",
    ),
    (
        "8.4",
        "short sentences alone",
        "2 of 14 impostors through: positions that repeat after 8",
        """
def tells_order(add):
    draw = torch.Generator().manual_seed(1)
    x = torch.randn(4, 64, 12, generator=draw, dtype=torch.float64)
    x = x[:, :8]
    added, fewer = add(x) - x, add(x[:2, :6] + 1) - x[:2, :6] - 1
    close = 1e-4 * (1 + added.abs().max())
    if (added - added[:1]).abs().max() > close or (fewer - added[:2, :6]).abs().max() > close:
        return False
    return bool((torch.cdist(added[0], added[0]) + torch.eye(8)).min() > 1e-3)

exercises.check_tells_order(tells_order)
""",
    ),
    (
        "8.4",
        "sentences of forty words and no longer",
        "1 of 14 impostors through: positions that come round again after 50",
        """
def tells_order(add):
    draw = torch.Generator().manual_seed(1)
    x = torch.randn(4, 40, 12, generator=draw, dtype=torch.float64)
    added, fewer = add(x) - x, add(x[:2, :9] + 1) - x[:2, :9] - 1
    close = 1e-4 * (1 + added.abs().max())
    if (added - added[:1]).abs().max() > close or (fewer - added[:2, :9]).abs().max() > close:
        return False
    return bool((torch.cdist(added[0], added[0]) + torch.eye(40)).min() > 1e-3)

exercises.check_tells_order(tells_order)
""",
    ),
    (
        "8.4",
        "it tells nothing",
        "returned 'yes'",
        """
def tells_order(add):
    return "yes"

exercises.check_tells_order(tells_order)
""",
    ),
    (
        "8.5",
        "nothing is moved",
        "its pairs are still neighbours",
        """
def to_halves(weight, n_heads):
    return weight.clone()

exercises.check_to_halves(to_halves)
""",
    ),
    (
        "8.5",
        "across the heads",
        "you sorted the rows of all heads together",
        """
def to_halves(weight, n_heads):
    return torch.cat([weight[0::2], weight[1::2]])

exercises.check_to_halves(to_halves)
""",
    ),
    (
        "8.5",
        "the odd rows first",
        "your halves are exchanged",
        """
def to_halves(weight, n_heads):
    heads = weight.view(n_heads, -1, weight.size(1))
    return torch.cat([heads[:, 1::2], heads[:, 0::2]], dim=1).flatten(0, 1)

exercises.check_to_halves(to_halves)
""",
    ),
    (
        "8.5",
        "the way back",
        "the way back mixes the two rows of a pair",
        """
def to_halves(weight, n_heads):
    heads = weight.view(n_heads, 2, -1, weight.size(1))
    return heads.transpose(1, 2).reshape(weight.shape)

exercises.check_to_halves(to_halves)
""",
    ),
    (
        "8.5",
        "the way back, across the heads",
        "over all heads together at that",
        """
def to_halves(weight, n_heads):
    return weight.view(2, -1, weight.size(1)).transpose(0, 1).reshape(weight.shape)

exercises.check_to_halves(to_halves)
""",
    ),
    (
        "8.5",
        "the two rows of each pair are exchanged",
        "you exchanged the rows within each pair",
        """
def to_halves(weight, n_heads):
    return weight.view(-1, 2, weight.size(1)).flip(1).reshape(weight.shape)

exercises.check_to_halves(to_halves)
""",
    ),
    (
        "8.5",
        "rows are torn by a wrong view",
        "rows that the given one has not",
        """
def to_halves(weight, n_heads):
    return weight.T.reshape(weight.shape)

exercises.check_to_halves(to_halves)
""",
    ),
    (
        "8.1",
        "sines in the first half",
        "the first half of the row for sines",
        """
def read_place(row):
    half = len(row) // 2
    sines, cosines = row[:half], row[half:]
    omega = 10000 ** (-(half - 1) / half)
    return round(math.atan2(float(sines[-1]), float(cosines[-1])) / omega)

exercises.check_read_place(read_place)
""",
    ),
    (
        "8.1",
        "it searches a table",
        "you build the table to search it",
        """
def read_place(row):
    d = len(row)
    t = torch.arange(3001)[:, None] * 10000.0 ** (-torch.arange(0, d, 2) / d)
    table = torch.stack([t.sin(), t.cos()], -1).flatten(1)
    return int((table - row).abs().sum(1).argmin())

exercises.check_read_place(read_place)
""",
    ),
    (
        "8.1",
        "an arctangent of a quotient",
        "your atan goes wrong behind",
        """
def read_place(row):
    d = len(row)
    slow = 10000 ** (-(d - 2) / d)
    return round(math.atan(row[-2].item() / row[-1].item()) / slow)

exercises.check_read_place(read_place)
""",
    ),
    (
        "8.1",
        "an exponent that counts pairs",
        "your exponent counts pairs",
        """
def read_place(row):
    d = len(row)
    slow = 10000 ** (-(d // 2 - 1) / d)
    return round(math.atan2(row[-2].item(), row[-1].item()) / slow)

exercises.check_read_place(read_place)
""",
    ),
    (
        "8.2",
        "the phase in degrees",
        "your phase is in degrees",
        """
def wave(query, key):
    phase = torch.atan2(query[1], query[0]) - torch.atan2(key[1], key[0])
    return query.norm() * key.norm(), torch.rad2deg(phase)

exercises.check_wave(wave)
""",
    ),
    (
        "8.2",
        "the results are exchanged",
        "your two results are exchanged",
        """
def wave(query, key):
    return torch.atan2(query[1], query[0]) - torch.atan2(key[1], key[0]), query.norm() * key.norm()

exercises.check_wave(wave)
""",
    ),
    (
        "8.3",
        "the places of the first row",
        "you take the places of the first row",
        """
def add_positions(words, real, table):
    places = (real[0].cumsum(0) - 1).clamp(min=0)
    return words + table[places]

exercises.check_add_positions(add_positions)
""",
    ),
    (
        "8.3",
        "words are moved to the front",
        "you moved the words to the front",
        """
def add_positions(words, real, table):
    out = torch.zeros_like(words)
    for b in range(len(words)):
        n = int(real[b].sum())
        out[b, :n] = words[b, real[b]] + table[:n]
    return out

exercises.check_add_positions(add_positions)
""",
    ),
    (
        "8.3",
        "places for the first columns",
        "give the first places to the first columns",
        """
def add_positions(words, real, table):
    out = []
    for w, r in zip(words, real):
        n = int(r.sum())
        z = w.clone()
        z[:n] += table[:n]
        out.append(z)
    return torch.stack(out)

exercises.check_add_positions(add_positions)
""",
    ),
    (
        "8.4",
        "only the first column is told apart",
        "places in binary, so that each column",
        """
def tells_order(add):
    x = torch.randn(3, 20, 12, dtype=torch.float64)
    y = torch.randn(5, 64, 12, dtype=torch.float64)
    p, q = add(x) - x, add(y) - y
    if not ((p - q[0, :20]).abs().max() < 1e-5 and (q - q[0]).abs().max() < 1e-5): return False
    return len(set(q[0, :, 0].tolist())) == 64

exercises.check_tells_order(tells_order)
""",
    ),
    (
        "8.4",
        "signs cancel",
        "1 of 14 impostors through: a vector that leans",
        """
def tells_order(add):
    x = torch.randn(3, 20, 12, dtype=torch.float64)
    y = torch.randn(5, 64, 12, dtype=torch.float64)
    p, q = add(x) - x, add(y) - y
    if not ((p - q[0, :20]).mean().abs() < 1e-5 and (q - q[0]).mean().abs() < 1e-5): return False
    d = torch.cdist(q[0], q[0]); d.fill_diagonal_(9.0)
    return bool(d.min() > 1e-3)

exercises.check_tells_order(tells_order)
""",
    ),
    (
        "8.5",
        "the rows of the heads are mixed by a view",
        "the rows of your head 0 are [0, 6, 12",
        """
def to_halves(weight, n_heads):
    w = weight.unflatten(0, (-1, n_heads)).transpose(0, 1)
    return torch.cat([w[:, 0::2], w[:, 1::2]], 1).flatten(0, 1)

exercises.check_to_halves(to_halves)
""",
    ),
    (
        "8.5",
        "the second half is backwards",
        "the rows of your head 0 are [0, 2, 4, 6, 8, 9",
        """
def to_halves(weight, n_heads):
    w = weight.unflatten(0, (n_heads, -1))
    return torch.cat([w[:, 0::2], w[:, 1::2].flip(1)], 1).flatten(0, 1)

exercises.check_to_halves(to_halves)
""",
    ),
    (
        "8.5",
        "columns for rows",
        "you sorted the columns",
        """
def to_halves(weight, n_heads):
    w = weight.T.unflatten(0, (n_heads, -1, 2))
    return w.transpose(1, 2).flatten(0, 2).T

exercises.check_to_halves(to_halves)
""",
    ),
    (
        "8.2",
        "half the angle",
        "your phase changes by 0.2; 0.4 is right",
        """
def wave(query, key):
    phase = torch.atan2(query[1], query[0]) - torch.atan2(key[1], key[0])
    return query.norm() * key.norm(), phase / 2

exercises.check_wave(wave)
""",
    ),
    (
        "8.2",
        "sums of absolute values",
        "your amplitude becomes 1.3 times",
        """
def wave(query, key):
    phase = torch.atan2(query[1], query[0]) - torch.atan2(key[1], key[0])
    return query.abs().sum() * key.abs().sum(), phase

exercises.check_wave(wave)
""",
    ),
]

ALSO_RIGHT = [
    (
        "8.3",
        "padding gets the last place of the table",
        """
def add_positions(words, real, table):
    return words + table[real.cumsum(1) - 1]

exercises.check_add_positions(add_positions)
""",
    ),
    (
        "8.1",
        "the hand's angle by complex numbers",
        """
def read_place(row):
    speed = 10000.0 ** (2 / len(row) - 1)
    hand = torch.complex(row[-1].double(), row[-2].double())
    return int(torch.round(hand.angle() / speed))

exercises.check_read_place(read_place)
""",
    ),
    (
        "8.1",
        "slow clocks first, faster ones for the rest",
        """
def read_place(row):
    width = len(row)
    guess = 0.0
    for c in reversed(range(width // 2)):
        speed = 10000 ** (-2 * c / width)
        angle = math.atan2(row[2 * c], row[2 * c + 1])
        guess += math.remainder(angle - guess * speed, 2 * math.pi) / speed
    return torch.tensor(guess).round().long()

exercises.check_read_place(read_place)
""",
    ),
    (
        "8.2",
        "by the two coefficients of the wave",
        """
def wave(query, key):
    along = query @ key
    across = query[1] * key[0] - query[0] * key[1]
    return math.hypot(along, across), math.atan2(across, along)

exercises.check_wave(wave)
""",
    ),
    (
        "8.2",
        "a negative amplitude, half a turn on",
        """
def wave(query, key):
    quotient = torch.complex(*query) * torch.complex(*key).conj()
    return -quotient.abs(), quotient.angle() + math.pi

exercises.check_wave(wave)
""",
    ),
    (
        "8.3",
        "row by row",
        """
def add_positions(words, real, table):
    result = words.clone()
    for row in range(len(words)):
        count = int(real[row].sum())
        result[row, real[row]] = words[row, real[row]] + table[:count]
    return result

exercises.check_add_positions(add_positions)
""",
    ),
    (
        "8.3",
        "by the first real column",
        """
def add_positions(words, real, table):
    first = real.int().argmax(dim=1, keepdim=True)
    return words + table[torch.arange(words.size(1)) - first]

exercises.check_add_positions(add_positions)
""",
    ),
    (
        "8.4",
        "with loops",
        """
def tells_order(add):
    draw = torch.Generator().manual_seed(3)
    seen = []
    for batch, length in ((2, 64), (3, 64), (1, 24)):
        x = 2 * torch.randn(batch, length, 12, generator=draw)
        seen += list(add(x) - x)
    scale = 1 + max(float(row.abs().max()) for row in seen)
    for row in seen[1:]:
        if not torch.allclose(row, seen[0][: len(row)], rtol=0, atol=1e-4 * scale):
            return False
    for place in range(1, 64):
        if (seen[0][:place] - seen[0][place]).norm(dim=1).min() < 2e-3:
            return False
    return True

exercises.check_tells_order(tells_order)
""",
    ),
    (
        "8.5",
        "by an index",
        """
def to_halves(weight, n_heads):
    d_head = len(weight) // n_heads
    order = []
    for head in range(n_heads):
        rows = range(head * d_head, (head + 1) * d_head)
        order += [*rows[0::2], *rows[1::2]]
    return weight[order]

exercises.check_to_halves(to_halves)
""",
    ),
]
