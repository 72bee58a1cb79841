"""Preference optimisation with a judge whose reward is known: full stops, and what they cost.

    python benchmarks/preferences.py                       # all ways of learning
    python benchmarks/preferences.py "plain fine-tuning"   # those named, beside what is kept
    python benchmarks/preferences.py --reference           # the reference alone, likewise

The small GPT continues beginnings of its training text, and a noisy judge compares two
continuations by their full stops. In 60 steps of eight pairs, with three seeds, a copy of the GPT
learns from 480 pairs, each judged once and seen once: by the preference loss at three strengths, or
by plain fine-tuning on the chosen texts.

Each way of learning has a learning rate of its own, chosen by one rule on a seed and on beginnings
that nothing else uses: of the rates that keep the model within five nats of the reference, the one
with the most full stops. (Plain fine-tuning has the most of all its rates there, too.)

At the end each model is looked at on many texts, because few tell badly what was gained; and of the
two texts of a pair it is kept how their log-probabilities have moved. The full stops of texts that
the reference wrote to these beginnings are kept as well, and their mean to those on which the rates
were chosen. What comes out is stored beside
``softlookup.course.preferences``, where the chapter from the next word to an answer reads it; a
test holds the store to this script.
"""

import copy
import json
import sys

import torch
from softlookup.course import preferences
from softlookup.data import edition
from softlookup.data.overlap import leave_out_shared
from softlookup.pretrained.small_gpt import load_small_gpt
from softlookup.running.answers import Answers, answer_log_probabilities, answer_loss
from softlookup.running.generation import sample
from softlookup.running.preferences import distance_from_reference, preference_loss
from softlookup.running.training import train, warmup_cosine

SEEDS = (0, 1, 2)
SIZES = {
    "beginning": 12,
    "written": 24,
    "drawn": 256,
    "batch_size": 8,
    "beginnings": 48,
    "looks": 20,
    "drafts": 48,
}
STEPS = 60
# Learning rates that are tried, and further ones by factors of three, where needed; on which seed,
# with which beginnings and how many texts to each.
RATES = (1.1e-5, 3.3e-5, 1e-4, 3e-4)
CHOOSING = {"seed": 10, "beginnings": 19, "looks": 10}
# The rate rises for this many steps, and then falls along half a cosine.
WARM_UP = 5
# The distance from the reference, in nats a text, that a rate may take a model.
FARTHEST = 5.0
BEGINNING, WRITTEN = SIZES["beginning"], SIZES["written"]

small = load_small_gpt()
tokens, gpt = small.tokens, small.model
STOP = int(tokens.encode("a.")[-1])


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


def is_noisy(gap, drawing):
    """Whether the first of two texts wins, with the probability σ of the gap in reward."""
    return torch.rand(len(gap), generator=drawing, dtype=torch.float64) < gap.sigmoid()


def continued(texts):
    """Texts of which everything behind the beginning is the answer."""
    return Answers(texts, (torch.arange(texts.size(1)) >= BEGINNING).expand_as(texts))


def log_probability(model, texts):
    """Of each text's continuation."""
    return answer_log_probabilities(model(texts), continued(texts))


@torch.no_grad()
def pairs_of(train_ids, drawing, number):
    """Pairs of texts of unlike reward, and the reference's log-probabilities of both."""
    prompts = beginnings(train_ids, number, drawing)
    one, other = write(gpt, prompts, drawing), write(gpt, prompts, drawing)
    unlike = reward(one) != reward(other)
    one, other = one[unlike], other[unlike]
    return one, other, log_probability(gpt, one), log_probability(gpt, other)


def pairs_enough(train_ids, seed, number, drawn):
    """The pairs of as many draws as make a number of pairs, cut there."""
    drawing = torch.Generator().manual_seed(seed)
    draws = [pairs_of(train_ids, drawing, drawn)]
    while sum(len(one) for one, *_ in draws) < number:
        draws.append(pairs_of(train_ids, drawing, drawn))
    return [torch.cat(each)[:number] for each in zip(*draws, strict=True)]


def judged(pairs, drawing):
    """Chosen and rejected texts, and the reference's log-probabilities of both."""
    one, other, of_one, of_other = pairs
    wins = is_noisy(reward(one) - reward(other), drawing)
    texts = torch.where(wins[:, None], one, other), torch.where(wins[:, None], other, one)
    return *texts, torch.where(wins, of_one, of_other), torch.where(wins, of_other, of_one)


def prefer(model, batch, strength):
    """The preference loss."""
    chosen, rejected, *reference = batch
    ours = (log_probability(model, each) for each in (chosen, rejected))
    return preference_loss(*ours, *reference, strength=strength)


def imitate(model, batch):
    """The loss of plain fine-tuning on the chosen texts."""
    return answer_loss(model(batch[0]), continued(batch[0]))


def worth(full_stops, distance):
    """What a learning rate is chosen by: full stops, unless the model went too far."""
    return full_stops if distance <= FARTHEST else -distance


# The price β of the preference loss; None for plain fine-tuning.
WAYS = {f"preferences, β = {price:g}": price for price in (0.3, 1.0, 3.0)}
WAYS["plain fine-tuning"] = None


class Look:
    """Looks at models by the texts that they write to some beginnings.

    Args:
        to_continue: the beginnings.
        looks: how many texts to each of them.
    """

    def __init__(self, to_continue, looks):
        self.to_continue, self.looks = to_continue, looks

    @torch.no_grad()
    def at(self, model):
        """A model's reward and distance, on texts drawn with the same random numbers."""
        drawing = torch.Generator().manual_seed(6)
        texts = write(model, self.to_continue.repeat(self.looks, 1), drawing)
        told = continued(texts).is_answer.roll(-1, dims=1)  # the place before each token
        distance = distance_from_reference(model(texts), gpt(texts), told).double().mean()
        return [round(each.item(), 5) for each in (reward(texts).mean(), distance)]


def trained(price, pairs, rate, seed, steps=STEPS):
    """A copy of the GPT after its training at a price, or by plain fine-tuning."""
    drawing, model = torch.Generator().manual_seed(seed), copy.deepcopy(gpt)
    size = SIZES["batch_size"]

    batches = (
        judged([each[size * step : size * (step + 1)] for each in pairs], drawing)
        for step in range(steps)
    )

    def loss(model, batch):
        return imitate(model, batch) if price is None else prefer(model, batch, price)

    train(
        model,
        loss,
        batches,
        steps=steps,
        learning_rate=rate,
        schedule=warmup_cosine(min(WARM_UP, steps - 1)),
        show_progress=False,
    )
    return model


@torch.no_grad()
def moved(model, pairs):
    """By how many nats the better and the worse texts of some pairs became more probable."""
    one, other, of_one, of_other = pairs
    gained = [log_probability(model, one) - of_one, log_probability(model, other) - of_other]
    first = reward(one) > reward(other)
    both = torch.where(first, *gained), torch.where(first, *reversed(gained))
    return [round(each.mean().item(), 4) for each in both]


def try_rates(reached):
    """What each learning rate reaches: further ones, until the best is not the last tried.

    Args:
        reached: from a learning rate to full stops and distance.

    Returns:
        Full stops and distance at each rate, and the best rate.
    """
    found, ahead = {}, [*RATES]
    while ahead:
        found |= {rate: reached(rate) for rate in ahead}
        best = max(found, key=lambda rate: worth(*found[rate]))
        low, high = min(found), max(found)
        ahead = [float(f"{low / 3:.2g}")] * (best == low) + [float(f"{high * 3:.2g}")] * (
            best == high
        )
    return found, best


def look_where_chosen(val_ids, sizes):
    """The look by which learning rates are chosen, on beginnings that nothing else uses."""
    drawing = torch.Generator().manual_seed(CHOOSING["beginnings"])
    return Look(
        beginnings(val_ids, sizes["beginnings"], drawing), min(CHOOSING["looks"], sizes["looks"])
    )


def run(seeds=SEEDS, steps=STEPS, ways=WAYS, **smaller):
    """Everything that is stored; smaller sizes are for tests."""
    sizes = SIZES | smaller
    train_ids, val_ids = texts_of_the_book()

    to_continue = beginnings(val_ids, sizes["beginnings"], torch.Generator().manual_seed(9))
    drawing = torch.Generator().manual_seed(3)
    written = torch.stack([write(gpt, to_continue, drawing) for _ in range(sizes["drafts"])])
    look = Look(to_continue, sizes["looks"])
    number = steps * SIZES["batch_size"]
    choosing = look_where_chosen(val_ids, sizes)
    spare = pairs_enough(train_ids, CHOOSING["seed"], number, sizes["drawn"])
    rates, at_each_rate, at_the_end = {}, {}, {}
    drawn = {seed: pairs_enough(train_ids, seed, number, sizes["drawn"]) for seed in seeds}
    for name in ways:
        price = WAYS[name]

        def reached(rate, price=price):
            seen = choosing.at(trained(price, spare, rate, CHOOSING["seed"], steps))
            print(price, rate, seen, flush=True)
            return seen

        found, rates[name] = try_rates(reached)
        at_each_rate[name] = [[rate, *found[rate]] for rate in sorted(found)]
        at_the_end[name] = []
        for seed in seeds:
            model = trained(price, drawn[seed], rates[name], seed, steps)
            at_the_end[name].append([*look.at(model), *moved(model, drawn[seed])])
            print(seed, name, rates[name], at_the_end[name][-1], flush=True)
    return {
        "sizes": SIZES,
        "choosing": CHOOSING,
        "full_stops": reward(written.flatten(0, 1)).view(len(written), -1).long().T.tolist(),
        "reference_where_chosen": choosing.at(gpt)[0],
        "at_each_rate": at_each_rate,
        "rates": rates,
        "at_the_end": at_the_end,
    }


def main():
    """Run all ways, those that are named, or the reference alone; store what came out."""
    torch.set_num_threads(1)
    named = sys.argv[1:]
    kept = json.loads(preferences.STORE.read_text(encoding="utf-8")) if named else {}
    if named == ["--reference"]:
        look = look_where_chosen(texts_of_the_book()[1], SIZES)
        result = kept | {"reference_where_chosen": look.at(gpt)[0]}
    else:
        result = run(ways=[way for way in WAYS if not named or way in named])
    for what in ("at_each_rate", "rates", "at_the_end"):
        both = kept.get(what, {}) | result[what]
        result[what] = {way: both[way] for way in WAYS if way in both}
    lines = ",\n".join(
        f'"{name}": {json.dumps(each, ensure_ascii=False)}' for name, each in result.items()
    )
    preferences.STORE.write_text(f"{{{lines}}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
