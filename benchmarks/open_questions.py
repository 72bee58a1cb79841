"""What the chapter on open questions needs minutes for: three sweeps, one of them taken further.

    python benchmarks/open_questions.py order         # what a mask and positions tell of order
    python benchmarks/open_questions.py skips         # stacks with and without skips, 14 starts
    python benchmarks/open_questions.py continued     # six that failed, for twice the steps
    python benchmarks/open_questions.py taught        # one that failed, taught something else first
    python benchmarks/open_questions.py race          # seven architectures on English numerals
    python benchmarks/open_questions.py race GPT      # one of them

Where learning rates are chosen, it is on seeds that nothing else uses. What comes out is stored
beside ``softlookup.course.open_runs``, where the chapter reads it; a test holds the store to this
script.
"""

import sys

import torch
import torch.nn.functional as F
from softlookup.alternatives import skipless
from softlookup.alternatives.hyena import Hyena
from softlookup.alternatives.linear_attention import linear_attention
from softlookup.course import open_runs
from softlookup.course.costs import multiplications
from softlookup.course.keeping import keep_run
from softlookup.course.seeding import seed_everything
from softlookup.data import numerals, recall
from softlookup.data.vocabulary import END, PADDING, START, pad
from softlookup.layers import masks
from softlookup.layers.blocks import BlockConfig
from softlookup.layers.feed_forward import FeedForward
from softlookup.layers.multi_head import MultiHeadAttention, merge_heads, split_heads
from softlookup.layers.positions import rotate
from softlookup.layers.recurrent import LSTM
from softlookup.layers.stacks import Stack
from softlookup.layers.visibility import CAUSAL, Visibility
from softlookup.models.pair_reader import PairReader
from softlookup.models.seq2seq import AttentionSeq2Seq, FixedVectorSeq2Seq, Seq2SeqConfig
from softlookup.models.transformer import Transformer, TransformerConfig
from softlookup.running.training import train, warmup_cosine
from torch import nn

ORDER = {
    "n_digits": 6,
    "d_model": 32,
    "batch": 32,
    "questions": ["first", "before", "after", "place", "reverse"],
    "seeds": [0, 1, 2],
}
SKIPS = {
    "n_symbols": 8,
    "d_model": 32,
    "blocks": 6,
    "steps": {2: 300, 3: 800},  # by the number of hops
    "every": 50,
    "rates": [0.001, 0.003, 0.01],
    "validation_seed": 10,
    "seeds": [0, 1, 2],
}
CONTINUED = {
    **{term: SKIPS[term] for term in ("n_symbols", "d_model", "blocks", "every", "seeds")},
    "steps": {2: 600, 3: 1600},
}
TAUGHT = {
    **{term: SKIPS[term] for term in ("n_symbols", "d_model", "blocks", "every", "seeds")},
    "steps": {"first": 600, "then": 1600},
}
RACE = {
    "steps": 192,
    "every": 24,
    "rates": [0.0025, 0.005, 0.01, 0.02, 0.04],
    "validation_seed": 1,
    "seeds": [2, 3, 4],
}


def order_texts(count, draw, marks_counted=False):
    """A start token, digits and question marks, and what is to be said at each to each question.

    The place is asked at the digits; where marks are counted, also at each mark, its place there.
    """
    n = ORDER["n_digits"]
    digits = torch.randint(10, (count, n), generator=draw)
    start, marks = torch.full((count, 1), 10), torch.full((count, n), 11)
    answers = torch.full((count, 1 + 2 * n, len(ORDER["questions"])), recall.NOT_ASKED)
    at_digits, at_marks = answers[:, 1 : 1 + n], answers[:, 1 + n :]
    at_marks[:, 0, 0] = digits[:, 0]
    at_digits[:, 1:, 1] = digits[:, :-1]
    at_digits[:, :-1, 2] = digits[:, 1:]
    at_digits[:, :, 3] = torch.arange(n)
    if marks_counted:
        at_marks[:, :, 3] = torch.arange(n)
    at_marks[:, :, 4] = digits.flip(1)
    return torch.cat([start, digits, marks], dim=1), answers


class OrderReader(nn.Module):
    """A stack that answers, told the order by a mask, by added positions, by both or neither."""

    def __init__(self, depth, told_by):
        super().__init__()
        width = ORDER["d_model"]
        self.causal = "mask" in told_by
        self.embedding = nn.Embedding(12, width)
        length = 1 + 2 * ORDER["n_digits"]
        self.places = nn.Embedding(length, width) if "positions" in told_by else None
        self.stack = Stack(depth, BlockConfig(width, 4, 2 * width))
        self.to_answers = nn.Linear(width, 10 * len(ORDER["questions"]))

    def forward(self, tokens):
        """The scores of ten answers to each question at each token."""
        x = self.embedding(tokens)
        if self.places is not None:
            x = x + self.places.weight
        states = self.stack(x, Visibility(causal=self.causal))
        return self.to_answers(states).unflatten(-1, (-1, 10))


def order_loss(model, batch):
    """The cross-entropies of all questions, summed."""
    tokens, answers = batch
    return sum(
        F.cross_entropy(scores.flatten(0, 1), wanted.flatten())
        for scores, wanted in zip(model(tokens).unbind(2), answers.unbind(2), strict=True)
    )


def order_right(model, batch):
    """The share of right answers to each question."""
    tokens, answers = batch
    with torch.no_grad():
        right = model(tokens).argmax(-1) == answers
    asked = answers != recall.NOT_ASKED
    pairs = zip(right.unbind(2), asked.unbind(2), strict=True)
    return [found[places].float().mean().item() for found, places in pairs]


def order(name):
    """Of each seed the shares right, for a name as in "mask, depth 2, 200 steps at 0.01"."""
    told_by, depth, steps = name.split(", ")
    steps, rate = steps.split(" steps at ")
    counted = "marks counted" in told_by
    exam, found = order_texts(500, torch.Generator().manual_seed(99), counted), []
    for seed in ORDER["seeds"]:
        draw = seed_everything(seed)
        model = OrderReader(int(depth.removeprefix("depth ")), told_by)
        train(
            model,
            order_loss,
            (order_texts(ORDER["batch"], draw, counted) for _ in range(int(steps))),
            steps=int(steps),
            learning_rate=float(rate),
            schedule=warmup_cosine(20),
        )
        found.append([round(share, 4) for share in order_right(model, exam)])
    return found


def chain(start, first):
    """A fresh reader of pairs with this start; ``first`` is a batch to measure variances on."""
    heads = 1 if start.startswith("one head") else 4
    config = BlockConfig(
        SKIPS["d_model"], heads, 2 * SKIPS["d_model"], residual=start.startswith("skip")
    )
    model = PairReader(SKIPS["n_symbols"], SKIPS["d_model"], Stack(SKIPS["blocks"], config))
    if start == "variance kept":
        with torch.no_grad():
            skipless.keep_the_variance(model.stack, model.embed(first.keys, first.values))
    elif start == "identity, unshaped":
        for block in model.stack.blocks:
            skipless.start_as_identity(block)
        model.stack.final_norm = nn.Identity()
    elif start == "shaped":
        skipless.shape(model.stack)
    elif "diagonal bias" in start:
        skipless.look_at_itself(model.stack, float(start.split()[-1]))
        if start.startswith("keys apart"):
            skipless.set_keys_apart(model.key_embedding, model.value_embedding)
    elif start.startswith("own key"):
        tables = (model.key_embedding, model.value_embedding)
        skipless.look_for_its_key(model.stack, *tables, float(start.split()[-1]))
    elif start == "shaped and turned":
        skipless.turn(model.stack)
    elif start == "skip without norms":
        for block in model.stack.blocks:
            block.norm_1, block.norm_2 = nn.Identity(), nn.Identity()
        model.stack.final_norm = nn.Identity()
    return model


# Each of eight tokens begins with 0.9997 of its weight on itself at a bias of 10, with 0.98 at 6,
# with 0.89 at 4 and with 0.74 at 3. "Own key" begins as a bias of that size does, if the bias has
# the same embeddings, in which the keys are apart.
STARTS = (
    *("skip", "skip without norms", "shaped", "shaped and turned"),
    *("diagonal bias 10", "diagonal bias 4", "random", "variance kept", "identity, unshaped"),
    *("own key 6", "own key 4", "keys apart and diagonal bias 4"),
)


def pairs(count, hops, draw):
    """Permutations as pairs, asked for what lies several hops on."""
    return recall.chained_lookup(count, SKIPS["n_symbols"], hops, draw)


def pairs_loss(model, batch):
    """The cross-entropy of the answers."""
    logits = model(batch.keys, batch.values)
    return F.cross_entropy(logits.flatten(0, 1), batch.answers.flatten())


def share_right(model, exam):
    """The share of right answers."""
    with torch.no_grad():
        found = model(exam.keys, exam.values).argmax(-1)
    return (found == exam.answers).float().mean().item()


def watched(model, hops, rate, draw, steps):
    """Train a chain; the exam, and the shares right before training and every few steps."""
    exam, shares = pairs(256, hops, torch.Generator().manual_seed(99)), []

    def texts():
        for step in range(steps):
            if step % SKIPS["every"] == 0:
                shares.append(share_right(model, exam))
            yield pairs(32, hops, draw)

    train(
        model,
        pairs_loss,
        texts(),
        steps=steps,
        learning_rate=rate,
        schedule=lambda step, steps: min(1.0, (step + 1) / 20),
    )
    return exam, [*shares, share_right(model, exam)]


def fresh_chain(start, hops, seed):
    """A chain with this start, and the generator from which its training draws."""
    draw = seed_everything(seed)
    return chain(start, pairs(32, hops, torch.Generator().manual_seed(seed))), draw


def learning_curve(start, hops, rate, seed):
    """The share of right answers before training and every few steps."""
    model, draw = fresh_chain(start, hops, seed)
    return watched(model, hops, rate, draw, SKIPS["steps"][hops])[1]


def skips(name):
    """The curves of a start and a number of hops: the validation seed's, and at its best rate."""
    start, hops = name.removesuffix(" hops").rsplit(", ", 1)
    on_validation = {
        rate: learning_curve(start, int(hops), rate, SKIPS["validation_seed"])
        for rate in SKIPS["rates"]
    }
    # Many rates end at 1: the best is the one that comes there first.
    chosen = max(on_validation, key=lambda rate: sum(on_validation[rate]))
    return {
        "at_each_rate": {str(rate): curve[-1] for rate, curve in on_validation.items()},
        "rate": chosen,
        "curves": [learning_curve(start, int(hops), chosen, seed) for seed in SKIPS["seeds"]],
    }


def cycles(exam):
    """Of each asked key what lies 0, 1, ... hops on, how long its cycle is, and the cycle's least.

    Three tensors of integers: (hops, texts, pairs), and twice (texts, pairs).
    """
    leads_to = exam.values.gather(1, exam.keys.argsort(dim=1))
    on_the_way = [exam.keys]
    for _ in range(SKIPS["n_symbols"]):
        on_the_way.append(leads_to.gather(1, on_the_way[-1]))
    ahead = torch.stack(on_the_way)
    length = 1 + (ahead[1:] == exam.keys).int().argmax(dim=0)
    return ahead, length, ahead.amin(dim=0)


def answers_by_cycle(model, exam):
    """For each length of the asked key's cycle, how often the answer lies 0, 1, ... hops on."""
    with torch.no_grad():
        said = model(exam.keys, exam.values).argmax(-1)
    ahead, length, _ = cycles(exam)
    return [
        [
            round((said == ahead[hops])[length == each].float().mean().item(), 4)
            for hops in range(each)
        ]
        for each in range(1, SKIPS["n_symbols"] + 1)
    ]


def differences_on_cycles(model, exam):
    """How much of the differences between the tokens of a text lies between those of one cycle.

    A share of their length, before the first block and after each: 0 where all tokens of a cycle
    are alike, 1 where the cycles' means are.
    """
    states = []
    handles = [
        block.register_forward_hook(lambda block, given, found: states.append(found))
        for block in model.stack.blocks
    ]
    with torch.no_grad():
        states.append(model.embed(exam.keys, exam.values))
        model(exam.keys, exam.values)
    for handle in handles:
        handle.remove()
    same = F.one_hot(cycles(exam)[2], SKIPS["n_symbols"]).float()
    same = same @ same.transpose(1, 2)
    to_means = same / same.sum(dim=-1, keepdim=True)
    shares = [(x - to_means @ x).norm() / (x - x.mean(dim=1, keepdim=True)).norm() for x in states]
    return [round(share.item(), 4) for share in shares]


def in_the_end(model, exam, curve, found):
    """Add to what was found of one seed: its curve, and what the model is in the end."""
    found["curves"].append(curve)
    found["said"].append(answers_by_cycle(model, exam))
    found["apart"].append(differences_on_cycles(model, exam))


def continued(name):
    """The chosen run of a start for twice the steps: its curves, and what it is in the end."""
    start, hops = name.removesuffix(" hops").rsplit(", ", 1)
    found = {"rate": open_runs.skips().runs[name].rate, "curves": [], "said": [], "apart": []}
    for seed in CONTINUED["seeds"]:
        model, draw = fresh_chain(start, int(hops), seed)
        steps = CONTINUED["steps"][int(hops)]
        in_the_end(model, *watched(model, int(hops), found["rate"], draw, steps), found)
    return found


def taught(name):
    """A start that is taught one number of hops and then three, at the rate of its run at three."""
    start, first = name.removesuffix(" and then 3 hops").rsplit(", ", 1)
    rate = open_runs.skips().runs[f"{start}, 3 hops"].rate
    found, steps = {"rate": rate, "curves": [], "said": [], "apart": []}, TAUGHT["steps"]
    for seed in TAUGHT["seeds"]:
        model, draw = fresh_chain(start, int(first), seed)
        watched(model, int(first), rate, draw, steps["first"])
        in_the_end(model, *watched(model, 3, rate, draw, steps["then"]), found)
    return found


n_english, n_german = len(numerals.ENGLISH), len(numerals.GERMAN)
n_joint = n_english + n_german - 3  # padding, start and end are shared


def one_text(batch):
    """Source, start and target as one row, and what is to be said at each place of it."""
    rows, answers = [], []
    columns = (batch.source, batch.source_lengths, batch.target_out, batch.target_lengths)
    for source, n, target, m in zip(*(column.tolist() for column in columns), strict=True):
        said = [id if id <= END else id + n_english - 3 for id in target[:m]]
        rows.append([*source[:n], START, *said[:-1]])
        answers.append([PADDING] * n + said)
    return pad(rows)[0], pad(answers)[0]


class TextModel(nn.Module):
    """Pre-norm blocks whose mixing layer is exchanged."""

    def __init__(self, width, d_ff, mixing, has_positions=False):
        super().__init__()
        self.embedding = nn.Embedding(n_joint, width)
        self.places = nn.Embedding(32, width) if has_positions else None
        self.mixers = nn.ModuleList(mixing(width) for _ in range(2))
        self.thinkers = nn.ModuleList(FeedForward(width, d_ff) for _ in range(2))
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(5))
        self.to_words = nn.Linear(width, n_joint)

    def forward(self, tokens):
        """The logits of what follows each token."""
        x = self.embedding(tokens)
        if self.places is not None:
            x = x + self.places.weight[: x.size(1)]
        for block, (mix, think) in enumerate(zip(self.mixers, self.thinkers, strict=True)):
            x = x + mix(self.norms[2 * block](x))
            x = x + think(self.norms[2 * block + 1](x))
        return self.to_words(self.norms[4](x))


class CausalAttention(nn.Module):
    """Rotary attention, each token to those before."""

    def __init__(self, width):
        super().__init__()
        self.attention = MultiHeadAttention(width, 4, rotate_positions=rotate)

    def forward(self, x):
        """Mix the tokens."""
        return self.attention(x, visible=CAUSAL)


class CausalLinearAttention(nn.Module):
    """Positive linear attention in four heads."""

    def __init__(self, width):
        super().__init__()
        self.projections = nn.ModuleList(nn.Linear(width, width) for _ in range(3))
        self.output_projection = nn.Linear(width, width)

    def forward(self, x):
        """Mix the tokens."""
        heads = (split_heads(project(x), 4) for project in self.projections)
        return self.output_projection(merge_heads(linear_attention(*heads, chunk_size=16)))


class LSTMText(nn.Module):
    """One LSTM that reads the whole text."""

    def __init__(self, width):
        super().__init__()
        self.embedding = nn.Embedding(n_joint, width)
        self.recurrence = LSTM(width, width, forget_bias=1.0)
        self.to_words = nn.Linear(width, n_joint)

    def forward(self, tokens):
        """The logits of what follows each token."""
        return self.to_words(self.recurrence(self.embedding(tokens))[0])


def with_lengths(model, batch):
    """What a recurrent encoder–decoder says, and what it should."""
    return model(batch.source, batch.source_lengths, batch.target_in), batch.target_out


def with_mask(model, batch):
    """What the Transformer says, and what it should."""
    source_mask = masks.padding(batch.source_lengths, batch.source.size(1))
    return model(batch.source, batch.target_in, source_mask), batch.target_out


def as_text(model, batch):
    """What a model of one text says, and what it should."""
    tokens, answers = one_text(batch)
    return model(tokens), answers


recurrent_sizes = Seq2SeqConfig(n_english, n_german, d_model=38)
transformer_sizes = TransformerConfig(
    n_english, n_german, max_length=16, d_model=32, n_heads=4, d_ff=46, n_layers=1
)
CONTESTANTS = {
    "RNN, fixed vector": (lambda: FixedVectorSeq2Seq(recurrent_sizes), with_lengths),
    "RNN with attention": (lambda: AttentionSeq2Seq(recurrent_sizes), with_lengths),
    "Transformer": (lambda: Transformer(transformer_sizes), with_mask),
    "LSTM": (lambda: LSTMText(45), as_text),
    "GPT": (lambda: TextModel(32, 70, CausalAttention), as_text),
    "linear attention": (
        lambda: TextModel(32, 64, CausalLinearAttention, has_positions=True),
        as_text,
    ),
    "Hyena": (lambda: TextModel(28, 38, lambda width: Hyena(width, max_length=32)), as_text),
}


def translation_loss(translate):
    """The loss of a model that is called in this way."""

    def loss(model, batch):
        logits, answers = translate(model, batch)
        return F.cross_entropy(logits.flatten(0, 1), answers.flatten(), ignore_index=PADDING)

    return loss


def material():
    """The numbers to learn from and the exam: 300 that nobody has seen."""
    known = numerals.split(10_000, 300, seed_everything(15))
    return known, numerals.encode(known.test)


def all_right(model, translate, batch):
    """The share of numbers in which every next part is right, the true beginning given.

    Then greedy writing produces the same number, part after part.
    """
    with torch.no_grad():
        logits, answers = translate(model, batch)
    return ((logits.argmax(-1) == answers) | (answers == PADDING)).all(1).float().mean().item()


def marks(name, rate, seed):
    """What an architecture scores in the exam, before training and every few steps."""
    known, exam = material()
    make, translate = CONTESTANTS[name]
    draw, shares = seed_everything(seed), []
    model = make()

    def watched():
        for step, batch in enumerate(numerals.batches(known.train, 32, draw)):
            if step % RACE["every"] == 0:
                shares.append(all_right(model, translate, exam))
            yield batch

    train(
        model,
        translation_loss(translate),
        watched(),
        steps=RACE["steps"],
        learning_rate=rate,
        schedule=lambda step, steps: min(1.0, (step + 1) / 30),
    )
    return [*shares, all_right(model, translate, exam)]


def weigh(name):
    """Parameters, and the multiplications of a training step, the fused kernel's included."""
    make, translate = CONTESTANTS[name]
    known, _ = material()
    sample = next(numerals.batches(known.train, 32, seed_everything(15)))
    model, loss = make(), translation_loss(translate)
    parameters = sum(parameter.numel() for parameter in model.parameters())
    return parameters, multiplications(lambda: loss(model, sample).backward())


def race(name):
    """Of an architecture the size, the last mark at each rate, and the marks at the best rate."""
    parameters, per_step = weigh(name)
    on_validation = {rate: marks(name, rate, RACE["validation_seed"]) for rate in RACE["rates"]}
    # By the last mark; of equal ones, the rate that came there first.
    chosen = max(
        on_validation, key=lambda rate: (on_validation[rate][-1], sum(on_validation[rate]))
    )
    return {
        "parameters": parameters,
        "multiplications": per_step,
        "at_each_rate": {str(rate): mark[-1] for rate, mark in on_validation.items()},
        "rate": chosen,
        "curves": [marks(name, chosen, seed) for seed in RACE["seeds"]],
    }


PARTS = {
    "order": (
        ORDER,
        order,
        [
            *(f"{told}, depth 2, 200 steps at 0.01" for told in ("nothing", "positions")),
            *(f"{told}, depth 1, 200 steps at 0.01" for told in ("mask", "positions")),
            *(
                f"{told}, depth 2, 200 steps at {rate}"
                for told in ("mask", "mask and positions")
                for rate in (0.003, 0.01, 0.03)
            ),
            *(f"mask, depth {depth}, 1200 steps at 0.01" for depth in (1, 2)),
            *(
                f"mask with marks counted, depth 2, 200 steps at {rate}"
                for rate in (0.003, 0.01, 0.03)
            ),
        ],
    ),
    "skips": (
        SKIPS,
        skips,
        [
            *(f"{start}, {hops} hops" for start in STARTS for hops in (2, 3)),
            *(f"diagonal bias {bias}, 3 hops" for bias in (3, 6)),
            "one head and diagonal bias 4, 3 hops",
        ],
    ),
    "continued": (
        CONTINUED,
        continued,
        [
            *("own key 6, 3 hops", "own key 6, 2 hops", "own key 4, 3 hops"),
            *(f"diagonal bias {bias}, 3 hops" for bias in (6, 10, 3)),
            "one head and diagonal bias 4, 3 hops",
        ],
    ),
    "taught": (
        TAUGHT,
        taught,
        [f"own key 6, {first} and then 3 hops" for first in (1, 2)],
    ),
    "race": (RACE, race, [*CONTESTANTS]),
}


def main(part, *names):
    """Run the named runs of a part, or all of them, and store each."""
    _, run, all_names = PARTS[part]
    for name in names or all_names:
        found = run(name)
        keep_run(open_runs.STORE, part, PARTS[part][0], name, found)
        print(name, found, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
