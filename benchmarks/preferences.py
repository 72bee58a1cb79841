"""Preference optimisation with a judge whose reward is known: full stops, and what they cost.

    python benchmarks/preferences.py                       # all ways of learning
    python benchmarks/preferences.py "plain fine-tuning"   # those named, beside what is kept

The small GPT continues beginnings of its training text, and a noisy judge compares two
continuations by their full stops. In 60 steps of eight pairs, with three seeds, a copy of the GPT
learns from 480 pairs, each judged once and seen once: by the preference loss at three strengths, or
by plain fine-tuning on the chosen texts at two rates. Beside them stand two trainings that could
explain how far such a model goes: of about 155 pairs, judged again whenever they are seen, three
times each; and with a coin for the judge, which tells nothing.

Each model is looked at several times on its way. The least distance for as many full stops falls
about as the square of what was gained, and few texts tell the gain badly. So at the end each model
is looked at on many more texts; and how many of their full stops end nothing is counted.

The full stops of texts that the reference wrote are kept, from which the best model at each price
follows. What comes out is stored beside ``softlookup.course.preferences``, where the chapter from
the next word to an answer reads it; a test holds the store to this script.
"""

import copy
import json
import sys
from dataclasses import dataclass

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

SEEDS = (0, 1, 2)
SIZES = {
    "beginning": 12,
    "written": 24,
    "drawn": 256,
    "batch_size": 8,
    "learning_rate": 1e-4,
    "beginnings": 48,
    "looks": 3,
    "looks_at_the_end": 20,
    "drafts": 48,
}
# The steps of a training, and after how many of them it is looked at on its way.
STEPS, LOOKED_AT = 60, (10, 20, 40)
# The rate rises for this many steps, and then falls along half a cosine.
WARM_UP = 5
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


def ends_something(text):
    """Of each token of a continuation that the judge counts, whether it ends something.

    It does if a letter, a digit or a closing mark stands before it, and white space, a closing mark
    or the end of the text behind it.
    """
    found = []
    for place in (text[BEGINNING:] == STOP).nonzero()[:, 0] + BEGINNING:
        before, behind = tokens.decode(text[:place])[-1:], tokens.decode(text[place + 1 :])[:1]
        ends = behind.isspace() or behind in CLOSING
        found.append(ends and (before.isalnum() or before in CLOSING))
    return found


def is_noisy(gap, drawing):
    """Whether the first of two texts wins, with the probability σ of the gap in reward."""
    return torch.rand(len(gap), generator=drawing, dtype=torch.float64) < gap.sigmoid()


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
def pairs_of(train_ids, drawing, number):
    """Pairs of texts of unlike reward, and the reference's log-probabilities of both."""
    prompts = beginnings(train_ids, number, drawing)
    one, other = write(gpt, prompts, drawing), write(gpt, prompts, drawing)
    unlike = reward(one) != reward(other)
    one, other = one[unlike], other[unlike]
    return one, other, log_probability(gpt, one), log_probability(gpt, other)


def pairs_enough(train_ids, seed, number, drawn):
    """The pairs of the first draw, and of as many draws as make a number of pairs, cut there."""
    drawing = torch.Generator().manual_seed(seed)
    draws = [pairs_of(train_ids, drawing, drawn)]
    while sum(len(one) for one, *_ in draws) < number:
        draws.append(pairs_of(train_ids, drawing, drawn))
    return draws[0], [torch.cat(each)[:number] for each in zip(*draws, strict=True)]


def judged(pairs, judge, drawing):
    """Chosen and rejected texts, and the reference's log-probabilities of both."""
    one, other, of_one, of_other = pairs
    wins = judge(reward(one) - reward(other), drawing)
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


@dataclass(frozen=True)
class Way:
    """A way to learn from pairs.

    Attributes:
        strength: the price β of the preference loss; None for plain fine-tuning.
        judge: tells, by the gaps in reward, which texts win.
        repeated: whether the pairs of one draw are seen again and again.
        rate: by what the learning rate is multiplied.
    """

    strength: float | None = 1.0
    judge: object = is_noisy
    repeated: bool = False
    rate: float = 1.0


WAYS = {
    "preferences": Way(),
    "preferences, β = 0.3": Way(strength=0.3),
    "preferences, β = 3": Way(strength=3.0),
    "preferences, repeated pairs": Way(repeated=True),
    "preferences, a coin judges": Way(judge=tosses_a_coin),
    "plain fine-tuning": Way(strength=None),
    "plain fine-tuning, three times the rate": Way(strength=None, rate=3.0),
}


class Look:
    """Looks at models by the texts that they write to some beginnings.

    Args:
        to_continue: the beginnings.
        looks: how many texts to each of them a model is looked at on its way.
        at_the_end: how many at the end.
    """

    def __init__(self, to_continue, looks, at_the_end):
        self.to_continue, self.looks, self.number_at_the_end = to_continue, looks, at_the_end

    @torch.no_grad()
    def _seen(self, model, looks):
        """Texts of a model, always with the same random numbers; its reward and its distance."""
        texts = write(model, self.to_continue.repeat(looks, 1), torch.Generator().manual_seed(6))
        told = continued(texts).is_answer.roll(-1, dims=1)  # the place before each token
        distance = distance_from_reference(model(texts), gpt(texts), told).double().mean()
        return texts, [round(each.item(), 5) for each in (reward(texts).mean(), distance)]

    def on_its_way(self, model):
        """The reward of a model's own texts and its distance."""
        return self._seen(model, self.looks)[1]

    def at_the_end(self, model):
        """The same of more texts, the full stops a text that end nothing, and the first texts."""
        texts, seen = self._seen(model, self.number_at_the_end)
        empty = sum(not ends for text in texts for ends in ends_something(text)) / len(texts)
        shown = [tokens.decode(text[BEGINNING:]) for text in texts[:SHOWN]]
        return [*seen, round(empty, 5), shown]


# So many texts of each model are kept.
SHOWN = 5


def course_of(way, pairs, look, seed, steps=STEPS):
    """What is seen of a model after some of its steps, and at the end."""
    drawing, model = torch.Generator().manual_seed(seed), copy.deepcopy(gpt)
    size = SIZES["batch_size"]

    def drawn(places):
        return judged([each[torch.tensor(places)] for each in pairs], way.judge, drawing)

    if way.repeated:
        batches = endless_batches(range(len(pairs[0])), drawn, size, drawing)
    else:
        batches = (drawn([*range(size * step, size * (step + 1))]) for step in range(steps))

    def loss(model, batch):
        return imitate(model, batch) if way.strength is None else prefer(model, batch, way.strength)

    falling, seen = warmup_cosine(min(WARM_UP, steps - 1)), []

    def looking(step, number):
        if step in LOOKED_AT:
            seen.append(look.on_its_way(model))
        return falling(step, number)

    train(
        model,
        loss,
        batches,
        steps=steps,
        learning_rate=SIZES["learning_rate"] * way.rate,
        schedule=looking,
        show_progress=False,
    )
    return seen, look.at_the_end(model)


def run(seeds=SEEDS, steps=STEPS, ways=WAYS, **smaller):
    """Everything that is stored; smaller sizes are for tests."""
    sizes = SIZES | smaller
    train_ids, val_ids = texts_of_the_book()
    to_continue = beginnings(val_ids, sizes["beginnings"], torch.Generator().manual_seed(9))
    drawing = torch.Generator().manual_seed(3)
    written = torch.stack([write(gpt, to_continue, drawing) for _ in range(sizes["drafts"])])
    look = Look(to_continue, sizes["looks"], sizes["looks_at_the_end"])
    courses, at_the_end = {way: [] for way in ways}, {way: [] for way in ways}
    repeated = []
    for seed in seeds:
        number = steps * SIZES["batch_size"]
        first, fresh = pairs_enough(train_ids, seed, number, sizes["drawn"])
        repeated.append(len(first[0]))
        for way in ways:
            pairs = first if WAYS[way].repeated else fresh
            seen, end = course_of(WAYS[way], pairs, look, seed, steps)
            courses[way].append(seen)
            at_the_end[way].append(end)
            print(seed, way, seen, end[:3], flush=True)
    return {
        "sizes": SIZES,
        "looked_at": list(LOOKED_AT),
        "repeated": repeated,
        "full_stops": reward(written.flatten(0, 1)).view(len(written), -1).long().T.tolist(),
        "begun": [tokens.decode(each) for each in to_continue[:SHOWN]],
        "reference": look.at_the_end(gpt),
        "courses": courses,
        "at_the_end": at_the_end,
    }


def main():
    """Run all ways or those that are named, and store what came out."""
    torch.set_num_threads(1)
    named = sys.argv[1:]
    result = run(ways=[way for way in WAYS if not named or way in named])
    if named:
        kept = json.loads(preferences.STORE.read_text(encoding="utf-8"))
        for what in ("courses", "at_the_end"):
            both = {**kept[what], **result[what]}
            result[what] = {way: both[way] for way in WAYS if way in both}
    lines = ",\n".join(
        f'"{name}": {json.dumps(each, ensure_ascii=False)}' for name, each in result.items()
    )
    preferences.STORE.write_text(f"{{{lines}}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
