"""Preference optimisation with a judge whose reward is known: full stops, and what they cost.

    python benchmarks/preferences.py                  # all ways of learning
    python benchmarks/preferences.py reinforcement    # the ways that are named, beside what is kept
    python benchmarks/preferences.py "reward models"  # the reward models
    python benchmarks/preferences.py "other prices"   # the preference loss with another β

The small GPT continues beginnings of its training text, and a judge compares two continuations by
their full stops. From the same pairs, in 60 steps with three seeds, a copy of the GPT learns by the
preference loss: of a judge that errs as this loss supposes, of one that never errs, and of a coin,
which tells nothing; and by plain fine-tuning on the chosen texts, at two rates. Two ways write
their own texts: preferences between two that the model has just written, so that only the verdict
takes the place of the reward; and reinforcement learning, which is told the reward, at the same
price for each nat of distance from the reference.

Each model is looked at several times on its way. At the end it is also looked at on the pairs that
its seed learned from, and on as many new ones, to beginnings of the same text: a model that learns
its pairs by heart is moved further by a full stop of its own pairs.

The least distance for as many full stops falls about as the square of what was gained, and few
texts tell the gain badly. So what is set against that distance, three ways of learning and the
raised logits, is looked at once more at the end, on five times as many texts.

The preference loss with the judge that errs is also trained at two other prices for a nat of
distance, and its models are looked at in the same way.

Beside them stands one number added to the logit of the full stop; and the full stops of texts that
the reference wrote are kept, from which the best model at each price follows. The reference, the
models of three judges after 60 steps, and the reference with its logit raised until it writes as
many full stops as the judge that never errs brings, continue the same beginnings once more with
the same random numbers: some of these texts are kept, and how many of their full stops end
something. From the same pairs a reward model is fitted to the verdicts of the judge that errs, in
as many steps and in four times as many, and to those of a coin; each puts the texts of the
reference in order, and so does the number of their characters. What comes out is stored beside
``softlookup.course.preferences``, where the chapter from the next word to an answer reads it; a
test holds the store to this script.
"""

import copy
import json
import sys
from functools import partial

import torch
import torch.nn.functional as F
from softlookup.course import preferences
from softlookup.data import edition
from softlookup.data.epochs import endless_batches
from softlookup.data.overlap import leave_out_shared
from softlookup.layers.visibility import Visibility
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
# The preference loss is also trained at these prices for a nat of distance.
OTHER_PRICES = (0.3, 3.0)
RAISED = (0.5, 1.0)
# The rate at which a reward model is trained, and the steps with each judge.
REWARD_RATE, REWARD_STEPS = (
    1e-3,
    {
        "the judge errs": 60,
        "the judge errs, four times the steps": 240,
        "a coin judges": 60,
    },
)
# Raised by this much the reference writes as many full stops as the judge that never errs brings.
RAISED_AS_FAR = 2.3
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


def prefer(model, batch, strength=SIZES["strength"]):
    """The preference loss."""
    chosen, rejected, *reference = batch
    ours = (log_probability(model, each) for each in (chosen, rejected))
    return preference_loss(*ours, *reference, strength=strength)


def imitate(model, batch):
    """The loss of plain fine-tuning on the chosen texts."""
    return answer_loss(model(batch[0]), continued(batch[0]))


def begun(pairs, drawing):
    """The beginnings of the pairs, and what to draw their continuations with."""
    return pairs[0][:, :BEGINNING], drawing


def prefer_its_own(model, batch):
    """The preference loss on pairs that the model writes itself, shown to the judge that errs."""
    prompts, drawing = batch
    one, other = write(model, prompts.repeat(2, 1), drawing).chunk(2)
    unlike = reward(one) != reward(other)
    if not unlike.any():  # Nothing is asked of the judge, so nothing is learned.
        return 0 * log_probability(model, one).sum()
    one, other = one[unlike], other[unlike]
    with torch.no_grad():
        pairs = (one, other, log_probability(gpt, one), log_probability(gpt, other))
    return prefer(model, judged(pairs, errs, drawing))


def reinforce(model, batch):
    """The loss whose gradient is that of the reward less the price of the distance.

    The model writes two texts to each beginning. A text counts by its reward, less the price of
    each nat by which it has become likelier than it was; what the other one gets is its baseline.
    """
    prompts, drawing = batch
    texts = write(model, prompts.repeat(2, 1), drawing)
    ours = log_probability(model, texts)
    with torch.no_grad():
        moved = ours - log_probability(gpt, texts)
        one, other = (reward(texts) - SIZES["strength"] * moved).chunk(2)
        ahead = torch.cat([one - other, other - one])
    return -(ahead * ours).mean()


WAYS = {
    "preferences, the judge errs": (prefer, partial(judged, judge=errs)),
    "preferences, it never errs": (prefer, partial(judged, judge=never_errs)),
    "preferences, a coin judges": (prefer, partial(judged, judge=tosses_a_coin)),
    "preferences, its own texts": (prefer_its_own, begun),
    "plain fine-tuning": (imitate, partial(judged, judge=errs)),
    "reinforcement": (reinforce, begun),
}
HIGHER = {f"plain fine-tuning, {name}": "plain fine-tuning" for name in HIGHER_RATES}
ALL = (*WAYS, *HIGHER)
# The way that is also tried at other prices.
ERRING = "preferences, the judge errs"
# At the end these are looked at on more texts.
ON_MORE_TEXTS = (ERRING, "preferences, its own texts", "reinforcement")
# What these have taught after 60 steps is also shown by its texts.
SHOWN = (
    "preferences, a coin judges",
    "preferences, the judge errs",
    "preferences, it never errs",
)


class RewardModel(nn.Module):
    """The GPT's blocks, and in place of its table one number, read at the last token."""

    def __init__(self):
        super().__init__()
        self.gpt, self.head = copy.deepcopy(gpt), nn.Linear(gpt.config.d_model, 1)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)

    def forward(self, texts):
        """What each text is worth."""
        x = self.gpt.embedding(texts)
        visible = Visibility(causal=True, bias=self.gpt.positions.bias(x, 0))
        return self.head(self.gpt.stack(self.gpt.positions(x, 0), visible)[:, -1])[:, 0]


def fit_verdicts(model, batch):
    """The surprise of a reward model at the choices (Bradley and Terry)."""
    won, lost = model(torch.cat(batch[:2])).chunk(2)
    return -F.logsigmoid(won - lost).mean()


def reward_model(judge, pairs, seed, steps):
    """A reward model, fitted to the verdicts of a judge, who is asked anew at each step."""
    drawing, model = torch.Generator().manual_seed(seed), RewardModel()
    batches = endless_batches(
        range(len(pairs[0])),
        lambda places: judged([each[torch.tensor(places)] for each in pairs], judge, drawing),
        SIZES["batch_size"],
        drawing,
    )
    train(
        model,
        fit_verdicts,
        batches,
        steps=steps,
        learning_rate=REWARD_RATE,
        schedule=warmup_cosine(min(5, steps - 1)),
        show_progress=False,
    )
    return model


@torch.no_grad()
def in_order(scored, written):
    """Full stops of each beginning's texts, from the lowest score to the highest."""
    scores = torch.stack([scored(texts) for texts in written])
    counts = reward(written.flatten(0, 1)).view(scores.shape).long()
    return counts.gather(0, scores.argsort(dim=0, stable=True)).T.tolist()


def characters(texts):
    """How long each continuation is, in characters."""
    return torch.tensor([len(tokens.decode(text[BEGINNING:])) for text in texts])


def by_reward_models(seeds, found, written, steps=None):
    """The reference's texts in the order of each reward model, and in that of their length."""
    ordered = {}
    for name, number in REWARD_STEPS.items():
        judge = tosses_a_coin if "coin" in name else errs
        models = (
            reward_model(judge, pairs, seed, steps or number)
            for seed, pairs in zip(seeds, found, strict=True)
        )
        ordered[name] = [in_order(model, written) for model in models]
    return {**ordered, "length": [in_order(characters, written)]}


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
    """Looks at models, on texts that the reference has written.

    Args:
        drafts: the reference's texts, some to each beginning: (texts, beginnings, length).
        looks: to how many of them a model's changes are measured.
    """

    def __init__(self, drafts, looks):
        self.looks, self.to_continue = looks, drafts[0, :, :BEGINNING]
        self.fresh = drafts[:looks].flatten(0, 1)
        with torch.no_grad():
            self.of_fresh = log_probability(gpt, self.fresh)
        self.full_stops = self.within(reward(self.fresh))

    def within(self, numbers):
        """Less the mean of those with the same beginning."""
        numbers = numbers.view(self.looks, -1)
        return (numbers - numbers.mean(dim=0)).flatten()

    @torch.no_grad()
    def at(self, model, looks=None):
        """What is seen of a model, with the same random numbers each time.

        Reward and distance of its own texts, this many to each beginning; what each full stop is
        worth to it in nats of log-probability, on the reference's texts; and the share of its
        changes that follows.
        """
        drawing = torch.Generator().manual_seed(6)
        texts = write(model, self.to_continue.repeat(looks or self.looks, 1), drawing)
        told = continued(texts).is_answer.roll(-1, dims=1)  # the place before each token
        distance = distance_from_reference(model(texts), gpt(texts), told).double().mean()
        changes = self.within((log_probability(model, self.fresh) - self.of_fresh).double())
        worth = (changes * self.full_stops).sum() / self.full_stops.square().sum()
        follows = worth.square() * self.full_stops.square().sum() / changes.square().sum()
        seen = (reward(texts).mean(), distance, worth, follows)
        return [round(each.item(), 5) for each in seen]

    def at_the_end(self, model):
        """Reward and distance of its own texts, of five times as many."""
        return self.at(model, SIZES["looks_at_the_end"])[:2]


@torch.no_grad()
def seen_on(model, pairs):
    """What a model makes of pairs of texts by the reference.

    The nats by which a full stop more moves the gap of a pair in log-probability, beside the
    reference's; how wide these gaps are spread; and by how many nats the better text of a pair
    has become likelier, and the worse one.
    """
    one, other, of_one, of_other = pairs
    moved = log_probability(model, one) - of_one, log_probability(model, other) - of_other
    ahead, gap = reward(one) - reward(other), (moved[0] - moved[1]).double()
    worth = (gap * ahead).sum() / ahead.square().sum()
    spread = gap.square().mean().sqrt()
    better = torch.where(ahead > 0, *moved).mean()
    worse = torch.where(ahead > 0, *reversed(moved)).mean()
    return [round(each.item(), 5) for each in (worth, spread, better, worse)]


def course_of(way, pairs, look, seed, steps=None, price=None):
    """A trained model, and what is seen of it after some of its steps."""
    loss, shown = WAYS[HIGHER.get(way, way)]
    loss = partial(loss, strength=price) if price else loss
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
    with_rewards=True,
    prices=OTHER_PRICES,
):
    """Everything that is stored; smaller numbers of pairs, texts and beginnings are for tests."""
    train_ids, val_ids = texts_of_the_book()
    found = [pairs_of(train_ids, seed, pairs or SIZES["pairs"]) for seed in seeds]
    drawing = torch.Generator().manual_seed(9)
    to_continue = beginnings(val_ids, wanted or SIZES["beginnings"], drawing)
    drawing = torch.Generator().manual_seed(3)
    number = drafts or SIZES["drafts"]
    written = torch.stack([write(gpt, to_continue, drawing) for _ in range(number)])
    look = Look(written, looks or SIZES["looks"])
    raised = {by: look.at_the_end(Raised(by)) for by in RAISED}
    write_on = partial(written_by, to_continue=to_continue, each=counted or SIZES["counted"])
    as_far = Raised(RAISED_AS_FAR)
    texts = {"the reference": [write_on(gpt)], "one logit raised": [write_on(as_far)]}
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
    at_prices = {
        str(price): [
            look.at_the_end(course_of(ERRING, each, look, seed, steps, price)[0])
            for seed, each in zip(seeds, found, strict=True)
        ]
        for price in prices
    }
    ends = [full_stops_by_kind(text)[0] for text in written.flatten(0, 1)]
    return {
        "sizes": SIZES,
        "looked_at": list(LOOKED_AT),
        "pairs": [len(one) for one, *_ in found],
        "full_stops": reward(written.flatten(0, 1)).view(number, -1).long().T.tolist(),
        "ends": torch.tensor(ends).view(number, -1).T.tolist(),
        "raised": [[by, *seen] for by, seen in raised.items()],
        "begun": [tokens.decode(each) for each in to_continue[: SIZES["shown"]]],
        "texts": texts,
        "rewards": by_reward_models(seeds, found, written, steps) if with_rewards else {},
        "courses": courses,
        "at_the_end": at_the_end,
        "at_prices": at_prices,
        "on_pairs": on_pairs,
    }


def main():
    """Run all ways or those that are named, and store what came out."""
    torch.set_num_threads(1)
    named = sys.argv[1:]
    ways = [way for way in ALL if not named or way in named]
    result = run(
        ways=ways,
        with_rewards=not named or "reward models" in named,
        prices=OTHER_PRICES if not named or "other prices" in named else (),
    )
    for way, seen in result["courses"].items():
        print(way, seen, flush=True)
    if named:
        kept = json.loads(preferences.STORE.read_text(encoding="utf-8"))
        for what in ("courses", "at_the_end", "on_pairs"):
            both = {**kept[what], **result[what]}
            result[what] = {way: both[way] for way in ALL if way in both}
        for what in ("texts", "rewards", "at_prices"):
            result[what] = {**kept[what], **result[what]}
    lines = ",\n".join(
        f'"{name}": {json.dumps(each, ensure_ascii=False)}' for name, each in result.items()
    )
    preferences.STORE.write_text(f"{{{lines}}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
