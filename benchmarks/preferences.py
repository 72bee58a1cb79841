"""Preference optimisation with a judge whose reward is known: full stops, and what they cost.

    python benchmarks/preferences.py                       # all ways of learning
    python benchmarks/preferences.py "plain fine-tuning"   # those named, beside what is kept

The small GPT continues beginnings of its training text, and a judge compares two continuations by
their full stops. From the same pairs, in 60 steps with three seeds, a copy of the GPT learns by the
preference loss: of a judge that errs as this loss supposes, of one that never errs, and of a coin,
which tells nothing; and by plain fine-tuning on the chosen texts, at two rates.

Each model is looked at several times on its way. At the end it is also looked at on the pairs that
its seed learned from, and on as many new ones, to beginnings of the same text: a model that learns
its pairs by heart is moved further by a full stop of its own pairs.

The least distance for as many full stops falls about as the square of what was gained, and few
texts tell the gain badly. So what is set against that distance, the judge that errs and the raised
logits, is looked at once more at the end, on five times as many texts.

Beside them stands one number added to the logit of the full stop; and the full stops of texts that
the reference wrote are kept, from which the best model at each price follows. The reference and the
models of two judges after 60 steps continue the same beginnings once more with the same random
numbers: some of these texts are kept, and how many of their full stops end something. What comes
out is stored beside ``softlookup.course.preferences``, where the chapter from the next word to an
answer reads it; a test holds the store to this script.
"""

import copy
import json
import sys
from functools import partial

import torch
from softlookup.course import preferences
from softlookup.data import edition
from softlookup.data.epochs import endless_batches
from softlookup.data.overlap import leave_out_shared
from softlookup.pretrained.small_gpt import load_small_gpt
from softlookup.running.answers import Answers, answer_log_probabilities, answer_loss
from softlookup.running.generation import sample
from softlookup.running.preferences import distance_from_reference, preference_loss
from softlookup.running.training import train, warmup_cosine
from torch import nn

SEEDS = (0, 1, 2)
SIZES = {
    "beginning": 12,
    "written": 24,
    "strength": 1.0,
    "pairs": 256,
    "batch_size": 8,
    "learning_rate": 1e-4,
    "beginnings": 48,
    "looks": 5,
    "looks_at_the_end": 25,
    "drafts": 48,
    "shown": 5,
    "counted": 20,
}
# The steps of a training, and after how many it is looked at.
STEPS, LOOKED_AT = 60, (5, 10, 20, 40, 60)
# Plain fine-tuning also has this rate.
HIGHER_RATES = {"three times the rate": 3e-4}
# The rate rises for this many steps, and then falls along half a cosine.
WARM_UP = 5
# Added to a seed, for pairs that no training has seen.
UNSEEN = 100
RAISED = (0.5, 1.0)
BEGINNING, WRITTEN = SIZES["beginning"], SIZES["written"]

small = load_small_gpt()
tokens, gpt = small.tokens, small.model
STOP = int(tokens.encode("a.")[-1])
CLOSING = "\"')]*_`"  # and the end of the text, an empty string, is in it


def texts_of_the_book():
    """The ids of the text that the GPT has learned from, and of the validation text."""
    parts = edition.split(edition.text())
    train_text = leave_out_shared(parts.train, parts.validation + parts.test)
    return tokens.encode(train_text), tokens.encode(parts.validation)


def beginnings(ids, number, drawing):
    """Beginnings of 12 tokens, drawn from a text."""
    starts = torch.randint(len(ids) - BEGINNING, (number, 1), generator=drawing)
    return ids[starts + torch.arange(BEGINNING)]


@torch.no_grad()
def write(model, prompts, drawing):
    """Each beginning, continued by 24 sampled tokens."""
    caches = model.make_caches(len(prompts), length=BEGINNING + WRITTEN)
    new = sample(
        lambda read: model(read[:, caches[0].length :], caches)[:, -1], prompts, WRITTEN, drawing
    )
    return torch.cat([prompts, new], dim=1)


def reward(texts):
    """What the judge likes: full stops."""
    return (texts[:, BEGINNING:] == STOP).sum(dim=1).double()


def full_stops_by_kind(text):
    """Of the tokens of a continuation that the judge counts: ends, decimal points, and others.

    A full stop ends something if a letter, a digit or a closing mark stands before it, and white
    space, a closing mark or the end of the text behind it.
    """
    ends = decimals = others = 0
    for place in (text[BEGINNING:] == STOP).nonzero()[:, 0] + BEGINNING:
        before, behind = tokens.decode(text[:place])[-1:], tokens.decode(text[place + 1 :])[:1]
        if before.isdigit() and behind.isdigit():
            decimals += 1
        elif (before.isalnum() or before in CLOSING) and (behind.isspace() or behind in CLOSING):
            ends += 1
        else:
            others += 1
    return ends, decimals, others


def errs(gap, drawing):
    """Whether the first of two texts wins, with the probability σ of the gap in reward."""
    return torch.rand(len(gap), generator=drawing, dtype=torch.float64) < gap.sigmoid()


def never_errs(gap, drawing):
    """The better text wins."""
    return gap > 0


def tosses_a_coin(gap, drawing):
    """Either text wins, whatever it is worth."""
    return torch.rand(len(gap), generator=drawing, dtype=torch.float64) < 0.5


def continued(texts):
    """Texts of which everything behind the beginning is the answer."""
    return Answers(texts, (torch.arange(texts.size(1)) >= BEGINNING).expand_as(texts))


def log_probability(model, texts):
    """Of each text's continuation."""
    return answer_log_probabilities(model(texts), continued(texts))


@torch.no_grad()
def pairs_of(train_ids, seed, number):
    """Pairs of texts of unlike reward, and the reference's log-probabilities of both."""
    drawing = torch.Generator().manual_seed(seed)
    prompts = beginnings(train_ids, number, drawing)
    one, other = write(gpt, prompts, drawing), write(gpt, prompts, drawing)
    unlike = reward(one) != reward(other)
    one, other = one[unlike], other[unlike]
    return one, other, log_probability(gpt, one), log_probability(gpt, other)


def judged(pairs, judge, drawing):
    """Chosen and rejected texts, and the reference's log-probabilities of both."""
    one, other, of_one, of_other = pairs
    wins = judge(reward(one) - reward(other), drawing)
    texts = torch.where(wins[:, None], one, other), torch.where(wins[:, None], other, one)
    return *texts, torch.where(wins, of_one, of_other), torch.where(wins, of_other, of_one)


def prefer(model, batch):
    """The preference loss."""
    chosen, rejected, *reference = batch
    ours = (log_probability(model, each) for each in (chosen, rejected))
    return preference_loss(*ours, *reference, strength=SIZES["strength"])


def imitate(model, batch):
    """The loss of plain fine-tuning on the chosen texts."""
    return answer_loss(model(batch[0]), continued(batch[0]))


WAYS = {
    "preferences, the judge errs": (prefer, partial(judged, judge=errs)),
    "preferences, it never errs": (prefer, partial(judged, judge=never_errs)),
    "preferences, a coin judges": (prefer, partial(judged, judge=tosses_a_coin)),
    "plain fine-tuning": (imitate, partial(judged, judge=errs)),
}
HIGHER = {f"plain fine-tuning, {name}": "plain fine-tuning" for name in HIGHER_RATES}
ALL = (*WAYS, *HIGHER)
# At the end this one is looked at on more texts.
ON_MORE_TEXTS = ("preferences, the judge errs",)
# What these have taught after 60 steps is also shown by its texts.
SHOWN = ("preferences, the judge errs", "preferences, it never errs")


class Raised(nn.Module):
    """The reference, with one number added to its logit of the full stop."""

    def __init__(self, by):
        super().__init__()
        self.by, self.make_caches = by, gpt.make_caches

    def forward(self, read, *caches):
        """Logits of the next token."""
        logits = gpt(read, *caches)
        logits[..., STOP] += self.by
        return logits


class Look:
    """Looks at models by the texts that they write to some beginnings.

    Args:
        to_continue: the beginnings.
        looks: how many texts to each of them a model is looked at on its way.
    """

    def __init__(self, to_continue, looks):
        self.to_continue, self.looks = to_continue, looks

    @torch.no_grad()
    def at(self, model, looks=None):
        """The reward of a model's own texts and its distance, with the same random numbers."""
        drawing = torch.Generator().manual_seed(6)
        texts = write(model, self.to_continue.repeat(looks or self.looks, 1), drawing)
        told = continued(texts).is_answer.roll(-1, dims=1)  # the place before each token
        distance = distance_from_reference(model(texts), gpt(texts), told).double().mean()
        return [round(each.item(), 5) for each in (reward(texts).mean(), distance)]

    def at_the_end(self, model):
        """The same, of five times as many texts."""
        return self.at(model, SIZES["looks_at_the_end"])


@torch.no_grad()
def seen_on(model, pairs):
    """What a model makes of pairs of texts by the reference.

    The nats by which a full stop more moves the gap of a pair in log-probability, beside the
    reference's; and by how many nats the better text of a pair has become likelier, and the worse.
    """
    one, other, of_one, of_other = pairs
    moved = log_probability(model, one) - of_one, log_probability(model, other) - of_other
    ahead, gap = reward(one) - reward(other), (moved[0] - moved[1]).double()
    worth = (gap * ahead).sum() / ahead.square().sum()
    better = torch.where(ahead > 0, *moved).mean()
    worse = torch.where(ahead > 0, *reversed(moved)).mean()
    return [round(each.item(), 5) for each in (worth, better, worse)]


def course_of(way, pairs, look, seed, steps=None):
    """A trained model, and what is seen of it after some of its steps."""
    loss, shown = WAYS[HIGHER.get(way, way)]
    rate = HIGHER_RATES.get(way.partition(", ")[2], SIZES["learning_rate"])
    steps = steps or STEPS
    drawing, model = torch.Generator().manual_seed(seed), copy.deepcopy(gpt)

    def drawn(places):
        return shown([each[torch.tensor(places)] for each in pairs], drawing=drawing)

    batches = endless_batches(range(len(pairs[0])), drawn, SIZES["batch_size"], drawing)
    falling, seen = warmup_cosine(min(WARM_UP, steps - 1)), []

    def looking(step, number):
        if step in LOOKED_AT:
            seen.append(look.at(model))
        return falling(step, number)

    train(
        model,
        loss,
        batches,
        steps=steps,
        learning_rate=rate,
        schedule=looking,
        show_progress=False,
    )
    return model, [*seen, look.at(model)]


def written_by(model, to_continue, each):
    """Ends, decimal points and other full stops in the mean of a model's texts, and some texts."""
    texts = write(model, to_continue.repeat(each, 1), torch.Generator().manual_seed(2))
    kinds = torch.tensor([full_stops_by_kind(text) for text in texts]).double().mean(dim=0)
    shown = [tokens.decode(text[BEGINNING:]) for text in texts[: SIZES["shown"]]]
    return [*(round(kind.item(), 5) for kind in kinds), shown]


def run(
    seeds=SEEDS,
    steps=None,
    ways=ALL,
    pairs=None,
    drafts=None,
    wanted=None,
    looks=None,
    counted=None,
):
    """Everything that is stored; smaller numbers of pairs, texts and beginnings are for tests."""
    train_ids, val_ids = texts_of_the_book()
    found = [pairs_of(train_ids, seed, pairs or SIZES["pairs"]) for seed in seeds]
    drawing = torch.Generator().manual_seed(9)
    to_continue = beginnings(val_ids, wanted or SIZES["beginnings"], drawing)
    drawing = torch.Generator().manual_seed(3)
    number = drafts or SIZES["drafts"]
    written = torch.stack([write(gpt, to_continue, drawing) for _ in range(number)])
    look = Look(to_continue, looks or SIZES["looks"])
    write_on = partial(written_by, to_continue=to_continue, each=counted or SIZES["counted"])
    texts = {"the reference": [write_on(gpt)]}
    unseen = [pairs_of(train_ids, UNSEEN + seed, pairs or SIZES["pairs"]) for seed in seeds]
    courses, at_the_end, on_pairs = {}, {}, {}
    for way in ways:
        taught = [
            course_of(way, each, look, seed, steps) for seed, each in zip(seeds, found, strict=True)
        ]
        courses[way] = [seen for _, seen in taught]
        on_pairs[way] = [
            [seen_on(model, own), seen_on(model, new)]
            for (model, _), own, new in zip(taught, found, unseen, strict=True)
        ]
        if way in ON_MORE_TEXTS:
            at_the_end[way] = [look.at_the_end(model) for model, _ in taught]
        if way in SHOWN:
            texts[way] = [write_on(model) for model, _ in taught]
    return {
        "sizes": SIZES,
        "looked_at": list(LOOKED_AT),
        "pairs": [len(one) for one, *_ in found],
        "full_stops": reward(written.flatten(0, 1)).view(number, -1).long().T.tolist(),
        "raised": [[by, *look.at_the_end(Raised(by))] for by in RAISED],
        "begun": [tokens.decode(each) for each in to_continue[: SIZES["shown"]]],
        "texts": texts,
        "courses": courses,
        "at_the_end": at_the_end,
        "on_pairs": on_pairs,
    }


def main():
    """Run all ways or those that are named, and store what came out."""
    torch.set_num_threads(1)
    named = sys.argv[1:]
    ways = [way for way in ALL if not named or way in named]
    result = run(ways=ways)
    for way, seen in result["courses"].items():
        print(way, seen, flush=True)
    if named:
        kept = json.loads(preferences.STORE.read_text(encoding="utf-8"))
        for what in ("courses", "at_the_end", "on_pairs"):
            both = {**kept[what], **result[what]}
            result[what] = {way: both[way] for way in ALL if way in both}
        result["texts"] = {**kept["texts"], **result["texts"]}
    lines = ",\n".join(
        f'"{name}": {json.dumps(each, ensure_ascii=False)}' for name, each in result.items()
    )
    preferences.STORE.write_text(f"{{{lines}}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
