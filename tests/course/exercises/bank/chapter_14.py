"""Wrong answers to the exercises of chapter 14, each with the words that its verdict must say."""

INDUCTION = """
def is_induction_head(head):
    draw = torch.Generator().manual_seed(0)
    for _ in range({texts}):
        tokens = {tokens}
        weights = head(tokens)
        for i in range(len(tokens)):
            before = [j for j in range(i) if tokens[j] == tokens[i]]
            if before and {wrong}:
                return False
    return True

exercises.check_is_induction_head(is_induction_head)
"""
RANDOM = "torch.randint(12, (48,), generator=draw) * 4"
TWICE = "torch.randperm(32, generator=draw).repeat(2)"
LEFT = "weights[i, before[-1] + 1] < 0.5"


def induction(tokens=RANDOM, wrong=LEFT, texts=5):
    return INDUCTION.format(tokens=tokens, wrong=wrong, texts=texts)


SURPRISE = """
def surprise(shift):
    whole = shift.mean(dim=1)
    worlds = torch.tensor([*itertools.product([1.0, -1.0], repeat=len(whole))]).to(whole)
    means = worlds @ whole / len(whole)
    {}

exercises.check_surprise(surprise)
"""

ROWS = """
def surprise(shift):
    rows = {}
    worlds = torch.tensor([*itertools.product([1.0, -1.0], repeat=len(rows))]).to(rows)
    best = (worlds @ rows / len(rows)).amax(dim=1)
    return (best >= best[0] - 1e-9).double().mean()

exercises.check_surprise(surprise)
"""

PARTS = """
def four_terms(x, weights, ov, qk):
    moved = {moved}
    return {parts}

exercises.check_four_parts(four_terms)
"""
ALL = "x @ qk @ x.T, moved @ qk @ x.T, x @ qk @ moved.T, moved @ qk @ moved.T"


def parts(moved="weights @ x @ ov", parts=ALL):
    return PARTS.format(moved=moved, parts=parts)


def _patched(
    at: str = "number == layer",
    change: str = "ours[head, places] = theirs[head, places]",
    theirs: str = "heads(other)",
    add: str = "x + ours.sum(dim=0)",
    returned: str = "x",
    before: str = "pass",
) -> str:
    """A run with one head patched, of which a line may be wrong."""
    return f"""
def patched(layers, x, other, layer, head, places):
    begun, late = other, 0.0
    {before}
    for number, heads in enumerate(layers):
        ours, theirs = heads(x), {theirs}
        if {at}:
            {change}
        x, other = {add}, other + heads(other).sum(dim=0)
    return {returned}


exercises.check_patched(patched)
"""


WRONG = [
    (
        "14.1",
        "one random text, repeated once",
        "lets 6 of 17 impostors through: a head that looks half a text back",
        induction(TWICE),
    ),
    (
        "14.1",
        "the mean over a text",
        "a head that knows a token's first return only",
        """
def is_induction_head(head):
    draw = torch.Generator().manual_seed(0)
    tokens = torch.randint(12, (48,), generator=draw) * 4
    weights, found = head(tokens), []
    for i in range(len(tokens)):
        before = [j for j in range(i) if tokens[j] == tokens[i]]
        if before:
            found.append(weights[i, before[-1] + 1])
    return bool(torch.stack(found).mean() > 0.2)

exercises.check_is_induction_head(is_induction_head)
""",
    ),
    (
        "14.1",
        "every weight must be one",
        "refuses what is right: a head whose weights come out of a softmax in float32; a soft",
        induction(wrong="weights[i, before[-1] + 1] != 1.0"),
    ),
    (
        "14.1",
        "a threshold that is too strict",
        "refuses what is right: a soft head, with 0.8 where it should look; a softer head",
        induction(wrong="weights[i, before[-1] + 1] < 0.9"),
    ),
    (
        "14.1",
        "a threshold that is too lax",
        "lets 1 of 17 impostors through: a head with a third",
        induction(wrong="weights[i, before[-1] + 1] < 0.25"),
    ),
    (
        "14.1",
        "only small ids",
        "lets 1 of 17 impostors through: a head that knows the lower half",
        induction("torch.randint(12, (48,), generator=draw)"),
    ),
    (
        "14.1",
        "a text that is too short",
        "lets 2 of 17 impostors through: a head that sees eight places back",
        induction("torch.randint(4, (9,), generator=draw) * 16", texts=40),
    ),
    (
        "14.1",
        "texts of twenty tokens",
        "lets 1 of 17 impostors through: a head that stops at half of the longest text",
        induction(
            "torch.randperm(50, generator=draw)[:5][torch.randint(5, (20,), generator=draw)]",
            texts=40,
        ),
    ),
    (
        "14.1",
        "the earlier occurrence itself is wanted",
        "refuses what is right: a head that rests on the first token; a head that rests on",
        induction(wrong="weights[i, before[-1]] < 0.5 and before[-1] + 1 < i"),
    ),
    (
        "14.1",
        "a single text of many ids",
        "a head that loses count when a token comes for the fifth time; a head that takes",
        induction("torch.randint(3, 50, (64,), generator=draw)", texts=1),
    ),
    (
        "14.1",
        "the largest weight is wanted",
        "even if the other half lies on one other place",
        induction(wrong="weights[i].argmax() != before[-1] + 1"),
    ),
    (
        "14.1",
        "a new token has to rest on the first",
        "asks for something at places whose token is new",
        """
def is_induction_head(head):
    draw = torch.Generator().manual_seed(3)
    for _ in range(9):
        tokens = torch.randint(40, (48,), generator=draw)
        weights = head(tokens)
        for i, token in enumerate(tokens.tolist()):
            before = (tokens[:i] == token).nonzero().flatten().tolist()
            if weights[i, before[-1] + 1 if before else 0] < 0.5:
                return False
    return True

exercises.check_is_induction_head(is_induction_head)
""",
    ),
    (
        "14.1",
        "ids outside the vocabulary",
        "with ids from 0 to",
        induction("torch.randint(1000, (48,), generator=draw)"),
    ),
    (
        "14.1",
        "a batch in place of a text",
        "something else than the ids of one text",
        induction("torch.randint(12, (1, 48), generator=draw)"),
    ),
    (
        "14.1",
        "a formula without a look at the head",
        "never calls the head",
        """
def is_induction_head(head):
    return "induction" in str(head)

exercises.check_is_induction_head(is_induction_head)
""",
    ),
    (
        "14.1",
        "the mean over a text, against a half",
        "let a token return late); a head that misses a token right behind its like",
        """
def is_induction_head(head):
    draw = torch.Generator().manual_seed(0)
    for _ in range(6):
        kinds = torch.randperm(50, generator=draw)[:12]
        tokens = kinds[torch.randint(12, (64,), generator=draw)]
        weights, found = head(tokens), []
        for i in range(len(tokens)):
            before = [j for j in range(i) if tokens[j] == tokens[i]]
            if before:
                found.append(weights[i, before[-1] + 1])
        if torch.stack(found).mean() < 0.5:
            return False
    return True

exercises.check_is_induction_head(is_induction_head)
""",
    ),
    (
        "14.1",
        "a token behind its like is left out",
        "lets 1 of 17 impostors through: a head that misses a token right behind its like",
        induction(wrong="before[-1] + 1 < i and " + LEFT),
    ),
    (
        "14.1",
        "texts in which no token stands twice in a row",
        "misses a token right behind its like (let one stand twice in a row); a head that reads",
        induction("torch.randperm(50, generator=draw)[:20].repeat(3)"),
    ),
    (
        "14.1",
        "more than half is wanted",
        "and not one with a half: that is enough",
        induction(wrong="weights[i, before[-1] + 1] <= 0.5"),
    ),
    (
        "14.1",
        "any earlier occurrence will do",
        "takes the first occurrence (let a token come three times). Your test has met the first",
        induction(wrong="max(weights[i, j + 1] for j in before) < 0.5"),
    ),
    (
        "14.1",
        "rows and columns exchanged",
        "reads the table sideways",
        induction(wrong="weights[before[-1] + 1, i] < 0.5"),
    ),
    (
        "14.1",
        "the token itself among its occurrences",
        "counts the token itself",
        induction(wrong="i + 1 < len(tokens) and weights[i, i + 1] < 0.5"),
    ),
    (
        "14.1",
        "occurrences that are still to come",
        "occurrences that are still to come",
        induction(
            wrong="""weights[
                i, min((tokens == tokens[i]).nonzero()[-1, 0] + 1, len(tokens) - 1)
            ] < 0.5"""
        ),
    ),
    (
        "14.2",
        "mean of the shares",
        "test each version by itself",
        """
def surprise(shift):
    signs = torch.tensor([*itertools.product([1.0, -1.0], repeat=len(shift))]).to(shift)
    shares = []
    for version in range(shift.shape[1]):
        rows = shift[:, version]
        best = (signs @ rows / len(rows)).amax(dim=1)
        shares.append((best >= best[0] - 1e-9).double().mean())
    return torch.stack(shares).mean()


exercises.check_surprise(surprise)
""",
    ),
    (
        "14.2",
        "times the versions",
        "multiply the share by the number of versions",
        """
def surprise(shift):
    rows = shift.flatten(0, 1)
    signs = torch.tensor([*itertools.product([1.0, -1.0], repeat=len(rows))]).to(shift)
    best = (signs @ rows / len(rows)).amax(dim=1)
    share = (best >= best[0] - 1e-9).double().mean()
    return (share * shift.size(1)).clamp(max=1.0)


exercises.check_surprise(surprise)
""",
    ),
    (
        "14.2",
        "a coin for each row",
        "each version still has a coin of its own",
        ROWS.format("shift.flatten(0, 1)"),
    ),
    (
        "14.2",
        "a coin for each row in another order",
        "each version still has a coin of its own",
        ROWS.format("shift.transpose(0, 1).flatten(0, 1)"),
    ),
    (
        "14.2",
        "the first version alone",
        "you look at the first version alone",
        ROWS.format("shift[:, 0]"),
    ),
    (
        "14.2",
        "the best version of each sentence",
        "each head's best version of a sentence",
        ROWS.format("shift.amax(dim=1)"),
    ),
    (
        "14.2",
        "versions as more heads",
        "as if they were more heads",
        ROWS.format("shift.flatten(1, 2)"),
    ),
    (
        "14.2",
        "the versions turn and the sentences do not",
        "you turn the versions",
        ROWS.format("shift.mean(dim=0)"),
    ),
    (
        "14.2",
        "the picked head in every world",
        "look at the head that was picked",
        SURPRISE.format(
            "best = whole.mean(dim=0).argmax()\n"
            "    return (means[:, best] >= means[0, best] - 1e-9).double().mean()"
        ),
    ),
    (
        "14.2",
        "the average head",
        "you average over the heads",
        SURPRISE.format(
            "means = means.mean(dim=1)\n    return (means >= means[0] - 1e-9).double().mean()"
        ),
    ),
    (
        "14.2",
        "either direction counts",
        "shifts the wrong way counts as a find",
        SURPRISE.format(
            "return (means.abs().amax(dim=1) >= means[0].max() - 1e-9).double().mean()"
        ),
    ),
    (
        "14.2",
        "sizes of shifts in all worlds",
        "in our world too",
        SURPRISE.format(
            "sizes = means.abs().amax(dim=1)\n    return (sizes >= sizes[0] - 1e-9).double().mean()"
        ),
    ),
    (
        "14.2",
        "our own world is left out",
        "leave out our own world",
        SURPRISE.format("return (means.amax(dim=1) > means[0].max() + 1e-9).double().mean()"),
    ),
    (
        "14.2",
        "a count",
        "return how many worlds",
        SURPRISE.format("return (means.amax(dim=1) >= means[0].max() - 1e-9).double().sum()"),
    ),
    (
        "14.2",
        "a number for each head",
        "expected one, a share of worlds",
        SURPRISE.format("return (means >= means[0] - 1e-9).double().mean(dim=0)"),
    ),
    (
        "14.3",
        "query and key exchanged",
        "`by_query` and `by_key` are exchanged",
        parts(parts="x @ qk @ x.T, x @ qk @ moved.T, moved @ qk @ x.T, moved @ qk @ moved.T"),
    ),
    (
        "14.3",
        "the weights are missing",
        "the first head's weights are missing",
        parts("x @ ov"),
    ),
    ("14.3", "OV is missing", "OV is missing", parts("weights @ x")),
    ("14.3", "OV transposed", "OV is transposed", parts("weights @ x @ ov.T")),
    ("14.3", "the weights transposed", "weights are transposed", parts("weights.T @ x @ ov")),
    ("14.3", "the stream with the skip", "still brings x along", parts("x + weights @ x @ ov")),
    (
        "14.3",
        "QK transposed",
        "QK is transposed",
        parts(
            parts="x @ qk.T @ x.T, moved @ qk.T @ x.T, x @ qk.T @ moved.T, moved @ qk.T @ moved.T"
        ),
    ),
    (
        "14.3",
        "the whole in place of the last",
        "is the whole table",
        parts(
            parts="x @ qk @ x.T, moved @ qk @ x.T, x @ qk @ moved.T, "
            "(x + moved) @ qk @ (x + moved).T"
        ),
    ),
    (
        "14.3",
        "divided by the root of the width",
        "divided by the root of the width",
        parts(parts=f"tuple(part / x.size(-1) ** 0.5 for part in ({ALL}))"),
    ),
    (
        "14.3",
        "weights in place of scores",
        "after a softmax",
        parts(parts=f"tuple(part.softmax(dim=-1) for part in ({ALL}))"),
    ),
    (
        "14.3",
        "the sum alone",
        "expected four tables",
        parts(parts="(x + moved) @ qk @ (x + moved).T"),
    ),
    (
        "14.2",
        "coins repeated as a whole",
        "your coins meet other rows",
        """
def surprise(shift):
    sentences, versions, heads = shift.shape
    rows = shift.flatten(0, 1)
    signs = torch.tensor([*itertools.product([1.0, -1.0], repeat=sentences)]).to(shift)
    signs = signs.repeat(1, versions)
    best = (signs @ rows / len(rows)).amax(dim=1)
    return (best >= best[0] - 1e-9).double().mean()

exercises.check_surprise(surprise)
""",
    ),
    (
        "14.2",
        "our world left out on both sides",
        "leave out our own world",
        """
def surprise(shift):
    rows = shift.mean(dim=1)
    signs = torch.tensor([*itertools.product([1.0, -1.0], repeat=len(rows))]).to(shift)
    best = (signs @ rows / len(rows)).amax(dim=1)
    return (best[1:] >= best[0] - 1e-9).double().mean()

exercises.check_surprise(surprise)
""",
    ),
    ("14.4", "nothing", "nothing is patched: this", _patched("False")),
    ("14.4", "all places", "at all places; patch", _patched(change="ours[head] = theirs[head]")),
    (
        "14.4",
        "all heads",
        "all heads of the layer are patched",
        _patched(change="ours[:, places] = theirs[:, places]"),
    ),
    ("14.4", "every layer", "patched in every layer", _patched("True")),
    (
        "14.4",
        "the two texts exchanged",
        "the two runs are exchanged",
        _patched(before="x, other = other, x"),
    ),
    (
        "14.4",
        "added in the end",
        "no later layer reads what you patched",
        _patched(
            change="late = torch.zeros_like(x).index_copy(0, torch.tensor(places), "
            "(theirs - ours)[head, places])",
            returned="x + late",
        ),
    ),
    (
        "14.4",
        "the stream in place of the head",
        "the whole stream is exchanged",
        """
def patched(layers, x, other, layer, head, places):
    for number, heads in enumerate(layers):
        x, other = x + heads(x).sum(dim=0), other + heads(other).sum(dim=0)
        if number == layer:
            x[places] = other[places]
    return x

exercises.check_patched(patched)
""",
    ),
    (
        "14.4",
        "the head reads the embeddings",
        "asked about `other` as it begins",
        _patched(theirs="heads(begun)"),
    ),
    (
        "14.4",
        "ablated",
        "ablation by zero",
        _patched(change="ours[head, places] = 0.0"),
    ),
    (
        "14.4",
        "added to what it said",
        "the head says both",
        _patched(change="ours[head, places] += theirs[head, places]"),
    ),
    ("14.4", "no residual", "the stream is lost", _patched(add="ours.sum(dim=0)")),
    (
        "14.4",
        "the other places",
        "at all places but `places`",
        _patched(
            change="rest = [p for p in range(len(x)) if p not in places]; "
            "ours[head, rest] = theirs[head, rest]"
        ),
    ),
    (
        "14.4",
        "the stream that was lent is written on",
        "changes `x` in place",
        """
def patched(layers, x, other, layer, head, places):
    for number, heads in enumerate(layers):
        ours, theirs = heads(x), heads(other)
        if number == layer:
            ours[head, places] = theirs[head, places]
        x += ours.sum(dim=0)
        other += theirs.sum(dim=0)
    return x

exercises.check_patched(patched)
""",
    ),
    ("14.4", "counted from 1", "you patch the layer before", _patched("number == layer - 1")),
    (
        "14.4",
        "the state of the head's layer, scaled",
        "off by up to",
        _patched(change="ours[head, places] = 2 * theirs[head, places]"),
    ),
]

ALSO_RIGHT = [
    (
        "14.4",
        "what the other text's head says is kept first",
        """
def patched(layers, x, other, layer, head, places):
    told = []
    for heads in layers:
        said = heads(other)
        told.append(said[head])
        other = other + said.sum(dim=0)
    for number, heads in enumerate(layers):
        said = list(heads(x))
        if number == layer:
            here = torch.zeros(len(x), 1).index_fill(0, torch.tensor(places), 1.0)
            said[head] = here * told[number] + (1 - here) * said[head]
        x = x + sum(said)
    return x

exercises.check_patched(patched)
""",
    ),
    (
        "14.1",
        "in tables, with a margin for rounding",
        """
def is_induction_head(head):
    draw = torch.Generator().manual_seed(3)
    for _ in range(8):
        tokens = torch.randperm(50, generator=draw)[:10][torch.randint(10, (60,), generator=draw)]
        same = (tokens[:, None] == tokens).tril(-1)
        last = (same * torch.arange(60)).argmax(dim=1)
        on_it = head(tokens).gather(1, (last + 1)[:, None])[:, 0]
        if not (on_it[same.any(dim=1)] > 0.45).all():
            return False
    return True

exercises.check_is_induction_head(is_induction_head)
""",
    ),
    (
        "14.2",
        "the mean over the versions first",
        SURPRISE.format("return (means.amax(dim=1) >= means[0].max() - 1e-9).double().mean()"),
    ),
    (
        "14.2",
        "coins that are repeated for each version",
        """
def surprise(shift):
    rows, versions = shift.flatten(0, 1), shift.size(1)
    coins = torch.tensor([*itertools.product([1.0, -1.0], repeat=len(shift))]).to(shift)
    best = (coins.repeat_interleave(versions, dim=1) @ rows / len(rows)).amax(dim=1)
    return (best >= best[0] - 1e-9).double().mean()

exercises.check_surprise(surprise)
""",
    ),
    ("14.3", "as matrices", parts()),
    (
        "14.3",
        "as one tensor",
        """
def four_terms(x, weights, ov, qk):
    told = weights @ x @ ov
    askers, asked = torch.stack([x, told, x, told]), torch.stack([x, x, told, told])
    return askers @ qk @ asked.mT

exercises.check_four_parts(four_terms)
""",
    ),
    (
        "14.3",
        "as an einsum",
        """
def four_terms(x, weights, ov, qk):
    told = torch.einsum("ij,jk,kl->il", weights, x, ov)
    return [
        torch.einsum("ik,kl,jl->ij", query, qk, key)
        for query, key in ((x, x), (told, x), (x, told), (told, told))
    ]

exercises.check_four_parts(four_terms)
""",
    ),
]
