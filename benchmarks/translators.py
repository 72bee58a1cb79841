"""What the chapter on encoder and decoder needs minutes for: seven comparisons of translators.

    python benchmarks/translators.py warm_up     # two norms, cold, warmed up, at two rates
    python benchmarks/translators.py places      # sentences that begin at random places
    python benchmarks/translators.py relative    # positions between words, and longer trainings
    python benchmarks/translators.py recurrent   # recurrent translators, at four rates
    python benchmarks/translators.py marked      # English in which the cuts are marked
    python benchmarks/translators.py taught      # a hundred examples of a new construction
    python benchmarks/translators.py messages    # real sentences, and three gentler trainings
    python benchmarks/translators.py messages "50 steps"     # one of a part's runs

What comes out is stored beside ``softlookup.course.translator_runs``, where the chapter reads it;
a test holds the store to this script.
"""

import sys
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from functools import cache, partial
from itertools import islice

import torch
from softlookup.course import translator_runs
from softlookup.course.keeping import keep_run
from softlookup.course.seeding import seed_everything
from softlookup.data import messages, numerals
from softlookup.data.vocabulary import END, PADDING, START, exact_match, pad
from softlookup.layers import masks
from softlookup.layers.visibility import Visibility
from softlookup.models.seq2seq import AttentionSeq2Seq, FixedVectorSeq2Seq, Seq2SeqConfig
from softlookup.models.transformer import Transformer, TransformerConfig
from softlookup.running.generation import greedy
from softlookup.running.losses import next_token_loss
from softlookup.running.training import constant, train, warmup_cosine

TERMS = {
    "warm_up": {"seeds": [0, 1], "steps": 80, "batch": 16, "climb": 30},
    "places": {"seeds": [0, 1, 2], "steps": 300, "batch": 32, "exam": 300, "first_places": 7},
    "relative": {"seeds": [0, 1, 2], "steps": 300, "longer": 3000, "batch": 32, "exam": 300},
    # At this width a recurrent translator has 111 parameters fewer than the Transformer.
    "recurrent": {
        "seeds": [0, 1, 2],
        "steps": 300,
        "longer": 3000,
        "batch": 32,
        "exam": 300,
        "width": 138,
    },
    "marked": {"seeds": [0, 1, 2], "steps": 300, "batch": 32, "exam": 300},
    "taught": {"seeds": [0, 1, 2], "steps": 60, "batch": 32, "exam": 300, "rate": 0.001},
    "messages": {"seeds": [0, 1, 2], "steps": 200, "batch": 32, "exam": 60, "rate": 0.005},
}
WHOLE = TransformerConfig(
    source_vocab_size=len(numerals.ENGLISH),
    target_vocab_size=len(numerals.GERMAN),
    max_length=24,
    d_model=64,
    n_heads=4,
    d_ff=256,
    n_layers=2,
    norm="post",
)
HELD_OUT = {21, 34, 42, 57, 63, 76, 85, 98}
# Numbers whose translations the chapter shows.
SHOWN = (73_247, 577_000, 100_000, 500_600)


def n_words(number):
    """How many English words a number has."""
    return len(numerals.english(number))


def has_held_out_pair(number):
    """Whether one of the pairs that no training has stands in a number."""
    return number % 100 in HELD_OUT or number // 1000 in HELD_OUT


@cache
def material():
    """The numbers to learn from, 300 of each kind to be asked, and 100 to be told."""
    drawn = torch.randperm(100_000, generator=seed_everything(0)).tolist()[:30_000]
    may_learn = (n for n in drawn if n_words(n) <= 7 and not has_held_out_pair(n))
    known = [*islice(may_learn, 11_000)]
    beyond = (100_000 + torch.randperm(900_000, generator=seed_everything(1))).tolist()
    beyond = [n for n in beyond if n // 1000 % 100 != 1]  # num2words misspells 101,000
    kinds = {
        "nothing new": known[10_000:],
        "a new pair": (n for n in drawn if n_words(n) <= 7 and has_held_out_pair(n)),
        "a greater length": (n for n in drawn if n_words(n) == 8 and not has_held_out_pair(n)),
        "a new construction": (n for n in beyond if n_words(n) <= 7),
        "both of these": (n for n in beyond if n_words(n) >= 8),
    }
    exams = {
        kind: numerals.encode([*islice(numbers, TERMS["places"]["exam"])])
        for kind, numbers in kinds.items()
    }
    told = [*islice((n for n in beyond if n_words(n) <= 7), 300, 400)]
    return known[:10_000], exams, told


def source_mask(batch):
    """True at the words of the source."""
    return masks.padding(batch.source_lengths, batch.source.size(1))


def smoothed_loss(model, batch):
    """The loss with smoothed labels."""
    logits = model(batch.source, batch.target_in, source_mask(batch))
    return next_token_loss(logits, batch.target_out, PADDING, label_smoothing=0.1)


def begun_anywhere(draws):
    """The smoothed loss, with each sentence begun at a random place."""

    def loss(model, batch):
        seen = source_mask(batch)

        def placed(positions, x):
            first = torch.randint(TERMS["places"]["first_places"], (len(x), 1), generator=draws)
            return x + positions.table[first + torch.arange(x.size(1))]

        memory = model.encoder(
            placed(model.source_positions, model.source_embedding(batch.source)), Visibility(seen)
        )
        y = placed(model.target_positions, model.target_embedding(batch.target_in))
        logits = model.output_projection(model.decoder(y, memory, memory_mask=seen))
        return next_token_loss(logits, batch.target_out, PADDING, label_smoothing=0.1)

    return loss


def learn(model, batches, steps, rate=3e-3, schedule=None, loss=smoothed_loss):
    """Train the model; return the loss of each step."""
    history = train(
        model,
        loss,
        batches,
        steps=steps,
        learning_rate=rate,
        schedule=schedule or warmup_cosine(50),
        betas=(0.9, 0.98),
    )
    return history.losses


def from_scratch(learned, seed, steps, config=WHOLE, batch_size=32, **choices):
    """A translator that was trained so long, and its losses."""
    draws = seed_everything(seed)
    model = Transformer(config)
    return model, learn(model, numerals.batches(learned, batch_size, draws), steps, **choices)


def translate(model, batch, longest=18):
    """Write greedily, word by word."""
    seen = source_mask(batch)
    with torch.no_grad():
        memory = model.encode(batch.source, seen)
        return greedy(
            lambda tokens: model.decode(tokens, memory, seen)[:, -1],
            torch.full((len(batch.source), 1), START),
            max_new_tokens=longest,
            end=END,
            padding=PADDING,
        )


def climb(step, steps):
    """Up in a straight line, and level from there."""
    return min(1.0, (step + 1) / TERMS["warm_up"]["climb"])


def begin_small(step, steps):
    """A fifth of the rate for as many steps as the climb takes."""
    return 0.2 if step < TERMS["warm_up"]["climb"] else 1.0


ARMS: dict[str, tuple[float, Callable[[int, int], float]]] = {
    "0.01 from the first step": (0.01, constant),
    "0.01 after a climb": (0.01, climb),
    "0.01 after small steps": (0.01, begin_small),
    "0.002 from the first step": (0.002, constant),
    "0.002 after a climb": (0.002, climb),
}


def warm_up(name):
    """The losses of each seed, for a name as in "post-norm, 0.01 after a climb"."""
    norm, arm = name.split("-norm, ")
    rate, schedule = ARMS[arm]
    terms, (learned, _, _) = TERMS["warm_up"], material()
    runs = (
        from_scratch(
            learned,
            seed,
            terms["steps"],
            replace(WHOLE, norm=norm),
            terms["batch"],
            rate=rate,
            schedule=schedule,
        )
        for seed in terms["seeds"]
    )
    return [[round(loss, 3) for loss in losses] for _, losses in runs]


def shares_right(model, exams, write=translate):
    """The share of each exam that a model writes without an error."""
    return {
        kind: round(exact_match(write(model, exam), exam.target_out), 4)
        for kind, exam in exams.items()
    }


def places(name):
    """Translators by seed whose sentences began at "random places": what they get right and say."""
    terms, (learned, exams, _) = TERMS["places"], material()
    found = []
    for seed in terms["seeds"]:
        loss = begun_anywhere(torch.Generator().manual_seed(seed))
        model, _ = from_scratch(learned, seed, terms["steps"], loss=loss)
        longer = translate(model, exams["a greater length"])
        shown = translate(model, numerals.encode(SHOWN))
        found.append(
            {
                "right": shares_right(model, exams),
                "lengths": [len(numerals.GERMAN.decode(row)) for row in longer],
                "said": [" ".join(numerals.GERMAN.decode(row)) for row in shown],
            }
        )
        # The same numbers once more, each sentence begun at place 3.
        for positions in (model.source_positions, model.target_positions):
            positions.table = positions.table[3:]
        begun_later = shares_right(model, {"nothing new": exams["nothing new"]})
        found[-1]["begun at place 3"] = begun_later["nothing new"]
    return found


POSITIONS = {
    "added": "sinusoidal",
    "random places": "sinusoidal",
    "rotary": "rotary",
    "ALiBi": "alibi",
}


def reached(model, losses, exams, write=translate):
    """What a translator gets right and says, and its loss at the end."""
    shown = write(model, numerals.encode(SHOWN))
    return {
        "right": shares_right(model, exams, write),
        "said": [" ".join(numerals.GERMAN.decode(row)) for row in shown],
        "loss": round(sum(losses[-20:]) / 20, 4),
    }


def relative(name):
    """Translators by seed, for a name as in "rotary, longer": what they get right and say."""
    kind, _, longer = name.partition(", ")
    terms, (learned, exams, _) = TERMS["relative"], material()
    config = replace(WHOLE, positions=POSITIONS[kind])
    found = []
    for seed in terms["seeds"]:
        choices = {}
        if kind == "random places":
            choices["loss"] = begun_anywhere(torch.Generator().manual_seed(seed))
        steps = terms[longer or "steps"]
        found.append(reached(*from_scratch(learned, seed, steps, config, **choices), exams))
    return found


RECURRENT = {"looks back": AttentionSeq2Seq, "fixed vector": FixedVectorSeq2Seq}
RATES = ("0.001", "0.003", "0.01", "0.03")


def smoothed_recurrent_loss(model, batch):
    """The loss with smoothed labels, of a model that is told the source's lengths."""
    logits = model(batch.source, batch.source_lengths, batch.target_in)
    return next_token_loss(logits, batch.target_out, PADDING, label_smoothing=0.1)


def translate_recurrently(model, batch, longest=18):
    """Write greedily, word by word."""
    with torch.no_grad():
        read = model.encode(batch.source, batch.source_lengths)
        return greedy(
            lambda tokens: model.decode(read, tokens)[0][:, -1],
            torch.full((len(batch.source), 1), START),
            max_new_tokens=longest,
            end=END,
            padding=PADDING,
        )


def recurrent_from_scratch(batches, seed, steps, sizes, rate, kind=AttentionSeq2Seq):
    """A recurrent translator that was trained so long, and its losses; ``batches`` of draws."""
    draws = seed_everything(seed)
    model = kind(sizes)
    return model, learn(model, batches(draws), steps, rate, loss=smoothed_recurrent_loss)


def recurrent(name):
    """Translators by seed, for a name as in "looks back, 0.01, longer": what they get right."""
    kind, rate, *longer = name.split(", ")
    terms, (learned, exams, _) = TERMS["recurrent"], material()
    steps, rate = terms[longer[0] if longer else "steps"], float(rate)
    sizes = Seq2SeqConfig(len(numerals.ENGLISH), len(numerals.GERMAN), terms["width"])
    batches = partial(numerals.batches, learned, terms["batch"])
    found = []
    for seed in terms["seeds"]:
        if kind == "Transformer":
            found.append(reached(*from_scratch(learned, seed, steps, rate=rate), exams))
            continue
        trained = recurrent_from_scratch(batches, seed, steps, sizes, rate, RECURRENT[kind])
        found.append(reached(*trained, exams, translate_recurrently))
        found[-1]["parameters"] = sum(each.numel() for each in trained[0].parameters())
    return found


# The English with a mark behind each hundred and each thousand, and without its "and".
MARK = len(numerals.ENGLISH)
AND, *CUT_BEHIND = numerals.ENGLISH.encode(["and", "hundred", "thousand"])


def marked_cuts(batch):
    """The batch, with its English as the table of pieces is told to read it."""
    rows = [
        [
            token
            for word in row[:length]
            if word != AND
            for token in ((word, MARK) if word in CUT_BEHIND else (word,))
        ]
        for row, length in zip(batch.source.tolist(), batch.source_lengths.tolist(), strict=True)
    ]
    source, source_lengths = pad(rows)
    return replace(batch, source=source, source_lengths=source_lengths)


def marked(name):
    """Translators by seed that read where to cut, for "Transformer" or "looks back"."""
    terms, (learned, exams, _) = TERMS["marked"], material()

    def batches(draws):
        return map(marked_cuts, numerals.batches(learned, terms["batch"], draws))

    def write(model, batch):
        by = translate if name == "Transformer" else translate_recurrently
        return by(model, marked_cuts(batch))

    found = []
    for seed in terms["seeds"]:
        if name == "Transformer":
            draws = seed_everything(seed)
            model = Transformer(replace(WHOLE, source_vocab_size=MARK + 1))
            losses = learn(model, batches(draws), terms["steps"])
        else:
            sizes = Seq2SeqConfig(MARK + 1, len(numerals.GERMAN), TERMS["recurrent"]["width"])
            model, losses = recurrent_from_scratch(batches, seed, terms["steps"], sizes, 0.01)
        found.append(reached(model, losses, exams, write))
    return found


@cache
def translator(seed):
    """The chapter's translator of this seed."""
    return from_scratch(material()[0], seed, TERMS["places"]["steps"])[0]


def taught(name):
    """Translators by seed that learn on, with examples of the new construction: shares right."""
    terms, (learned, exams, told) = TERMS["taught"], material()
    found = []
    for seed in terms["seeds"]:
        ten = told[10 * seed : 10 * seed + 10]
        examples = {"ten, ten times": ten * 10}.get(name, told)
        known = [] if name == "a hundred and nothing else" else learned[:220]
        model = deepcopy(translator(seed))
        numbers = numerals.batches([*known, *examples], terms["batch"], seed_everything(seed))
        learn(model, numbers, terms["steps"], rate=terms["rate"], schedule=warmup_cosine(10))
        halves_told = {number // 1000 for number in examples}
        new = exams["a new construction"]
        strange = [i for i, n in enumerate(new.numbers) if n // 1000 not in halves_told]
        said = translate(model, new)
        shares = shares_right(model, exams)
        shares["first half not told"] = round(
            exact_match(said[strange], new.target_out[strange]), 4
        )
        found.append(shares)
    return found


BILINGUAL = TransformerConfig(
    source_vocab_size=len(messages.english()),
    target_vocab_size=len(messages.french()),
    max_length=24,
    d_model=64,
    n_heads=4,
    d_ff=256,
    n_layers=1,
    norm="pre",
)
TRAININGS = {
    "200 steps": {},
    "50 steps": {"steps": 50},
    "dropout 0.1": {"dropout": 0.1},
    "dropout 0.3, longer": {"steps": 400, "dropout": 0.3},
}


def learn_messages(train_messages, seed, steps=None, dropout=0.0):
    """A translator of messages."""
    terms = TERMS["messages"]
    steps = steps or terms["steps"]
    draws = seed_everything(seed)
    model = Transformer(replace(BILINGUAL, dropout=dropout))
    batches = messages.batches(train_messages, terms["batch"], draws)
    learn(model, batches, steps, rate=terms["rate"], schedule=warmup_cosine(steps // 6))
    return model


def answered(model, asked):
    """What a model answers to messages, in words."""
    found = translate(model, messages.encode(asked))
    return [" ".join(messages.french().decode(each)) for each in found]


def of_messages(name):
    """Of each seed what it answers to the exam and the training; one seed of a gentler one."""
    terms = TERMS["messages"]
    split = messages.split(terms["exam"], seed_everything(0))
    seeds = terms["seeds"] if name == "200 steps" else terms["seeds"][:1]
    found = []
    for seed in seeds:
        model = learn_messages(split.train, seed, **TRAININGS[name])
        learned = answered(model, split.train)
        by_heart = [
            said == " ".join(each.french) for said, each in zip(learned, split.train, strict=True)
        ]
        found.append(
            {
                "exam": answered(model, split.test),
                "learned": learned[: terms["exam"]],
                "by heart": round(sum(by_heart) / len(by_heart), 4),
            }
        )
    return found


PARTS = {
    "warm_up": (warm_up, [f"{norm}-norm, {arm}" for norm in ("post", "pre") for arm in ARMS]),
    "places": (places, ["random places"]),
    "relative": (
        relative,
        [
            "rotary",
            "ALiBi",
            *(f"{kind}, longer" for kind in ("added", "random places", "rotary", "ALiBi")),
        ],
    ),
    "recurrent": (
        recurrent,
        [
            *(f"{kind}, {rate}" for kind in RECURRENT for rate in RATES),
            *(f"Transformer, {rate}" for rate in RATES if rate != "0.003"),
            "looks back, 0.01, longer",
        ],
    ),
    "marked": (marked, ["Transformer", "looks back"]),
    "taught": (taught, ["ten, ten times", "a hundred", "a hundred and nothing else"]),
    "messages": (of_messages, [*TRAININGS]),
}


def main(part, *names):
    """Run the named runs of a part, or all of them, and store each."""
    run, all_names = PARTS[part]
    for name in names or all_names:
        keep_run(translator_runs.STORE, part, TERMS[part], name, run(name))
        print(part, name, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
