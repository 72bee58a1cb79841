"""What stays with the teacher: whole computations, on inputs drawn from the term's seed."""

import math

import numpy as np
import torch
from scipy import special
from softlookup.course.exercises.coursework import gradients
from softlookup.course.exercises.verdict import Mistake
from torch.nn import functional


def weights_of_random_scores(weigh, *, form, room, exponent, shift):
    """Random scores under random masks, of one head and of many."""
    for shape, masked in (
        ((11, 13), (11, 13)),
        ((2, 3, 5, 7), (5, 7)),
        ((2, 3, 5, 7), (2, 1, 1, 7)),
    ):
        scores = 2 * torch.randn(shape)
        mask = torch.rand(masked) < 0.7
        mask[..., 0], scores[..., 0] = True, 1.0
        right = _weigh(scores, mask, form, room, exponent, shift)
        got = weigh(scores, mask).double()
        if got.shape != right.shape:
            raise Mistake(f"your weigh: a mask of shape {masked} should broadcast to {shape}")
        unmasked = _weigh(
            scores, torch.ones_like(scores, dtype=torch.bool), form, room, exponent, shift
        )
        if _far(right, unmasked) and not _far(got, unmasked):
            raise Mistake("your weigh: the mask is not used")
        if not _far(got, unmasked * mask):
            raise Mistake("your weigh: hidden keys still count in the sum; mask before dividing")
        if _far(got, right):
            raise Mistake(
                "your weigh: the weights of random scores are others; look at the form's numbers, "
                "at negative scores, and at the axis of the sum"
            )


def weights_stand_the_extremes(weigh, *, form, room, exponent, shift):
    """Large scores, queries that find nothing, queries that may look nowhere."""
    scores = torch.randn(3, 5, 7)
    mask = torch.ones(5, 7, dtype=torch.bool)
    mask[2] = False
    _same(
        weigh(scores, mask),
        scores,
        mask,
        "a query that may look nowhere",
        form,
        room,
        exponent,
        shift,
    )
    scores[:, 1] += 1000 if form != "power" else 100
    if form == "null key":
        scores[:, 3] -= 1000
    elif form == "power":
        scores[:, 3] = -2 - scores[:, 3].abs()
    everywhere = torch.ones(5, 7, dtype=torch.bool)
    what = "a query with scores of a thousand, or without a key that is left,"
    _same(weigh(scores), scores, everywhere, what, form, room, exponent, shift)


def gradients_are_right(weigh, *, form, room, exponent, shift):
    """The gradient by the scores, also where nothing is found."""
    scores, direction = torch.randn(5, 7), torch.randn(5, 7)
    if form == "power":
        scores[3] = -2 - scores[3].abs()
    (got,) = gradients(weigh, [scores], direction)
    leaf = scores.double().requires_grad_()
    everywhere = torch.ones(5, 7, dtype=torch.bool)
    weighted = _weigh(leaf, everywhere, form, room, exponent, shift) * direction
    (right,) = torch.autograd.grad(weighted.sum(), leaf)
    if not torch.isfinite(got).all():
        raise Mistake("your weigh: its gradient is NaN where no key is left; divide by no zero")
    if _far(got, right):
        raise Mistake("your weigh: its gradient is another; is a part of it detached or rounded?")


def questions_are_the_right_ones(batch, exam, *, entries, asked, stride, base):
    """The questions are those of the generators that the task names."""
    for seed, step in ((0, 0), (2, 7), (13, 41)):
        if not _alike(batch(seed, step), _draw(48, entries, stride * seed + step)):
            raise Mistake(
                f"your batch: the questions of seed {seed}, step {step} are others; the "
                f"generator's seed is {stride} * seed + step"
            )
        if not _alike(exam(seed), _draw(500, asked, base + seed)):
            raise Mistake(
                f"your exam: the questions of seed {seed} are others; the generator's seed is "
                f"{base} + seed"
            )


def another_seed_begins_otherwise(start, *, asked):
    """Fresh models each time, in the form that was asked for."""
    first, again, other = (start("softmax", seed) for seed in (5, 5, 6))
    states = [_state(model) for model in (first, again, other)]
    name = "value_projection.weight"
    if not torch.equal(states[0][name], states[1][name]):
        raise Mistake("your start: the same seed began twice with other numbers")
    if torch.equal(states[0][name], states[2][name]):
        raise Mistake("your start: another seed begins with the same numbers")
    _begins_as_drawn(first, 5)
    keys, values, query, _ = _draw(31, asked, 1)
    softmax = first(keys, values, query).double()
    if _far(softmax, _logits(states[0], keys, values, query)):
        raise Mistake('your start: the model of "softmax" does not weigh with softmax')
    mine = start("mine", 5)(keys, values, query)
    if not mine.isfinite().all():
        raise Mistake('your start: the model of "mine" answers with infinite numbers, or NaN')
    if not _far(softmax, mine, 1e-6):
        raise Mistake("your start: both forms give the same logits; which form has the model?")


def the_untrained_model_is_examined(experiment, start, *, asked, base):
    """With no step of training the share is that of the untrained model's logits."""
    for form, seed in (("mine", 2), ("softmax", 2), ("mine", 11), ("softmax", 17)):
        keys, values, query, answer = _draw(500, asked, base + seed)
        model = start(form, seed)
        _begins_as_drawn(model, seed)
        right = model(keys, values, query).argmax(-1) == answer
        expected, got = right.double().mean().item(), float(experiment(form, seed, 0))
        # One question may fall the other way, where two logits are as good as equal.
        if not abs(got - expected) <= 0.0021:
            raise Mistake(
                f"your experiment: without training, {form} with seed {seed} has {expected:.3f} of "
                f"its exam right by its logits, and your function says {got:.3f}"
            )


def the_training_is_as_said(experiment, start, *, entries, asked, stride, base):
    """Sixty steps, done here as well; and no run changes the next."""
    before = float(experiment("softmax", 4, 20))
    experiment("mine", 8, 3)
    if float(experiment("softmax", 4, 20)) != before:
        raise Mistake("your experiment: a run changes the next one; what do the runs share?")
    for seed in (4, 9):
        model = start("softmax", seed)
        _begins_as_drawn(model, seed)
        state = {name: n.requires_grad_() for name, n in _state(model).items()}
        optimizer = torch.optim.Adam(state.values(), lr=1e-2)
        for step in range(60):
            *read, answer = _draw(48, entries, stride * seed + step)
            optimizer.zero_grad()
            functional.cross_entropy(_logits(state, *read), answer).backward()
            torch.nn.utils.clip_grad_norm_(state.values(), 1.0)
            optimizer.step()
        *read, answer = _draw(500, asked, base + seed)
        expected = (_logits(state, *read).argmax(-1) == answer).double().mean().item()
        got = float(experiment("softmax", seed, 60))
        if not abs(got - expected) <= 0.007:
            raise Mistake(
                f"your experiment: 60 steps of softmax with seed {seed} lead to {expected:.3f}, "
                f"yours to {got:.3f}; which questions is it trained on, and how?"
            )


def intervals_are_right(interval, *, method, level):
    """Intervals of random pairs; a bootstrap's ends vary, so its are compared on average."""
    widths, centres = [], []
    for n in (8, 9, 10, 11, 12) * 3:
        other = torch.rand(n, dtype=torch.float64)
        mine = other + 0.1 * torch.randn(n, dtype=torch.float64) + 0.05
        low, high = (float(end) for end in interval(mine.tolist(), other.tolist()))
        right_low, right_high = _interval((mine - other).numpy(), method, level)
        width = right_high - right_low
        widths.append((high - low) / width)
        centres.append(((low + high) - (right_low + right_high)) / 2 / width)
        allowed = 1e-4 if method == "t" else 0.15
        if not max(abs(low - right_low), abs(high - right_high)) <= allowed * width:
            raise Mistake(
                f"your interval: of {n} pairs it goes from {right_low:.4f} to {right_high:.4f}, "
                f"yours from {low:.4f} to {high:.4f}; look at the level, and what it leaves out "
                "on each side"
            )
    if not (abs(np.mean(widths) - 1) <= 0.07 and abs(np.mean(centres)) <= 0.04):
        raise Mistake(
            f"your interval: on average it is {np.mean(widths):.2f} times as wide as it should be; "
            "which quantiles leave how much on each side?"
        )


def the_interval_covers(interval, *, method, level):
    """It holds the true mean as often as it says, as far as so many samples can tell."""
    samples = 400 if method == "t" else 300
    drawn = 0.3 + torch.randn(samples, 10, dtype=torch.float64)
    common = torch.randn(samples, 10, dtype=torch.float64)
    ends = [
        [float(end) for end in interval((c + d).tolist(), c.tolist())]
        for c, d in zip(common, drawn, strict=True)
    ]
    means = drawn.mean(dim=1).tolist()
    if not all(low < mean < high for (low, high), mean in zip(ends, means, strict=True)):
        raise Mistake("your interval: it does not hold the mean of the differences given")
    covered = sum(low <= 0.3 <= high for low, high in ends)
    # The percentile bootstrap of ten numbers covers up to six per cent less than it says. A
    # right interval falls out of these bounds once in 50,000 terms.
    least = level if method == "t" else level - 0.06
    if covered < _quantile(1e-5, samples, least):
        raise Mistake(
            f"your interval: of {samples} samples it held the true mean in {covered}, far fewer "
            f"than {level:.0%} of them: it is too narrow"
        )
    if covered > _quantile(1 - 1e-5, samples, level):
        raise Mistake(
            f"your interval: of {samples} samples it held the true mean in {covered}, far more "
            f"than {level:.0%} of them: it is too wide"
        )


def every_case_is_decided(decide, *, margin, rule):
    """Ends on a grid around the margin."""
    grid = [margin * end for end in (-3.2, -1.4, -1.1, -0.9, -0.3, 0.2, 0.7, 1.2, 1.6, 2.9)]
    for low in grid:
        for high in grid:
            if low <= high and decide(low, high) != _decide(low, high, margin, rule):
                raise Mistake(
                    f"your decide: from {low:.4f} to {high:.4f}, with the margin {margin}, is "
                    f"{_decide(low, high, margin, rule)!r}; got {decide(low, high)!r}. The first "
                    "line that fits decides"
                )
    if decide(-margin, margin) != "equal":
        raise Mistake("your decide: the ends of the margin belong to it")


def _weigh(scores, mask, form, room, exponent, shift):
    scores = scores.double()
    if form == "null key":
        null = torch.full_like(scores[..., :1], room)
        kept = torch.cat([scores.masked_fill(~mask, -math.inf), null], -1)
        return (kept - kept.logsumexp(-1, keepdim=True)).exp()[..., :-1]
    bent = functional.relu if form == "power" else functional.softplus
    kept = torch.where(mask, bent(scores + shift) ** exponent, 0.0)
    total = kept.sum(-1, keepdim=True)
    return kept / torch.where(total == 0, 1.0, total)


def _same(got, scores, mask, what, form, room, exponent, shift):
    if got.shape != scores.shape or not torch.isfinite(got).all():
        raise Mistake(f"your weigh: {what} gets weights that are no numbers")
    if _far(got, _weigh(scores, mask, form, room, exponent, shift)):
        raise Mistake(f"your weigh: {what} gets other weights than it should")


def _far(got, right, most=1e-4):
    return got.shape != right.shape or not (got.double() - right.double()).abs().max() <= most


def _draw(count, entries, seed):
    generator = torch.Generator().manual_seed(seed)
    chance = torch.rand(count, 64, generator=generator, dtype=torch.float32)
    keys = chance.argsort(dim=1, stable=True)[:, :entries]
    values = torch.randint(16, (count, entries), generator=generator)
    place = torch.randint(entries, (count, 1), generator=generator)
    return keys, values, keys.gather(1, place)[:, 0], values.gather(1, place)[:, 0]


def _alike(some, others):
    return all(torch.equal(a.long(), b) for a, b in zip(some, others, strict=True))


def _begins_as_drawn(model, seed):
    """Whether a model has the numbers of this seed; of what is to be enlarged, up to the size."""
    dtype = model.state_dict()["readout.bias"].dtype
    torch.manual_seed(seed)  # as the text says; what tests draw has generators of its own
    layers = {
        "key_embedding": torch.nn.Embedding(64, 24, dtype=dtype),
        "value_embedding": torch.nn.Embedding(16, 24, dtype=dtype),
        "query_projection": torch.nn.Linear(24, 4, bias=False, dtype=dtype),
        "key_projection": torch.nn.Linear(24, 4, bias=False, dtype=dtype),
        "value_projection": torch.nn.Linear(24, 24, bias=False, dtype=dtype),
        "readout": torch.nn.Linear(24, 16, dtype=dtype),
    }
    state = _state(model)
    for name, layer in layers.items():
        for kind, drawn in layer.named_parameters():
            got, drawn = state[f"{name}.{kind}"], drawn.detach().double()
            if name in ("query_projection", "key_projection"):
                got, drawn = got / got.norm(), drawn / drawn.norm()
            if _far(got, drawn, 1e-5):
                raise Mistake(
                    f"your start: with the seed {seed} the numbers of {name}.{kind} are not those "
                    "that were drawn"
                )


def _state(model):
    """A model's numbers; those of the Recaller have the shapes that the text gives them."""
    shapes = {
        "key_embedding.weight": (64, 24),
        "value_embedding.weight": (16, 24),
        "query_projection.weight": (4, 24),
        "key_projection.weight": (4, 24),
        "value_projection.weight": (24, 24),
        "readout.weight": (16, 24),
        "readout.bias": (16,),
    }
    state = {name: numbers.detach().double() for name, numbers in model.state_dict().items()}
    if any(name not in state or state[name].shape != shape for name, shape in shapes.items()):
        raise Mistake("your start: expected a Recaller as the text gives it, of the same shapes")
    if not all(numbers.isfinite().all() for numbers in state.values()):
        raise Mistake("your start: its model has numbers that are infinite, or NaN")
    return state


def _logits(state, keys, values, query):
    """What a model with these numbers answers with softmax."""
    table = state["key_embedding.weight"]
    asked = (table[query] @ state["query_projection.weight"].T)[:, None]
    offered = table[keys] @ state["key_projection.weight"].T
    weights = (asked @ offered.transpose(1, 2) / math.sqrt(offered.size(-1))).softmax(-1)
    found = state["value_embedding.weight"][values] @ state["value_projection.weight"].T
    return (weights @ found)[:, 0] @ state["readout.weight"].T + state["readout.bias"]


def _quantile(share, samples, level):
    """The least number of hits that a share of all such samples does not exceed."""
    return next(n for n in range(samples + 1) if special.bdtr(n, samples, level) >= share)


def _interval(differences, method, level):
    n = len(differences)
    if method == "t":
        reach = special.stdtrit(n - 1, (1 + level) / 2) * differences.std(ddof=1) / math.sqrt(n)
        return differences.mean() - reach, differences.mean() + reach
    drawn = np.random.default_rng(int(torch.randint(2**31, ()))).integers(n, size=(40_000, n))
    return np.quantile(differences[drawn].mean(1), [(1 - level) / 2, (1 + level) / 2])


def _decide(low, high, margin, rule):
    edge = margin if rule == "beyond the margin" else 0
    if low > edge and high > margin:
        return "better"
    if high < -edge and low < -margin:
        return "worse"
    return "equal" if -margin <= low and high <= margin else "open"
