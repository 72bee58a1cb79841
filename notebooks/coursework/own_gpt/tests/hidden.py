"""What stays with the teacher: whole computations, on inputs drawn from the term's seed."""

import itertools
import math
import random
import re
from collections import Counter

import torch
from softlookup.course.exercises.verdict import Mistake
from softlookup.models.gpt import GPT, GPTConfig
from softlookup.running.training import train
from torch.nn import functional


def other_texts_are_cut(pieces, *, space, digits):
    """Texts of all kinds of characters are cut as the rules say."""
    for _ in range(40):
        text = "".join(_chance().choices("aéZß  09712,.\n-_", k=37))
        got = list(pieces(text))
        if "".join(got) != text:
            raise Mistake(f"your pieces: put together they are not the text {text!r}")
        if got != _pieces(text, space, digits):
            raise Mistake(
                f"your pieces: {text!r} is {_pieces(text, space, digits)}; got {got}. Mind runs "
                "of spaces, digits next to letters, signs next to signs"
            )
    if list(pieces("")):
        raise Mistake("your pieces: a text of no characters has no pieces")


def merges_of_a_longer_text(learn_merges, *, score, tie, least):
    """Forty merges of some hundred pieces, ties and all."""
    for letters in ("ab", "etaoinsh"):
        words = ["".join(_chance().choices(letters, k=n)) for n in range(2, 9) for _ in range(9)]
        text = _chance().choices(words, k=150)
        got = [(str(left), str(right)) for left, right in learn_merges(text, 40)]
        expected = _merges(text, 40, score, tie, least)
        if got == expected:
            continue
        place = next(
            (n for n, (g, e) in enumerate(zip(got, expected, strict=False)) if g != e),
            min(len(got), len(expected)),
        )
        raise Mistake(
            f"your learn_merges: of {len(expected)} merges the first {place} are right, then "
            f"{expected[place : place + 1]} is expected and {got[place : place + 1]} comes. Runs "
            "such as aaa, ties, and the stop are where it goes wrong"
        )


def tokens_of_many_pieces(encode, *, matching):
    """Random merges, random pieces."""
    for _ in range(20):
        chance = _chance()
        merges, known = [], [*"abcd"]
        for _ in range(12):
            merges.append((chance.choice(known), chance.choice(known)))
            known.append("".join(merges[-1]))
        words = ["".join(chance.choices("abcdx", k=n)) for n in (1, 5, 9, 14)]
        expected = [token for word in words for token in _encode(word, merges, matching)]
        got = list(encode(words, merges))
        if got != expected:
            raise Mistake(
                f"your encode: with the merges {merges}, {words} are {expected}; got {got}"
            )


def spans_of_any_text(split, *, block, period, place, gap):
    """All spans, of texts that end anywhere."""
    lengths = [0, 1, block - 1, block, block * period, (place - 1) * block + 1, place * block]
    lengths += [place * block + gap, place * block + gap + 1]
    lengths += torch.randint(1, 12 * block, (9,)).tolist()
    for length in lengths:
        training, held_out = (
            [(int(start), int(end)) for start, end in part] for part in split(length)
        )
        kinds = _kinds(length, block, period, place, gap)
        for name, got in (("held_out", held_out), ("training", training)):
            expected = _runs(kinds, name)
            if got != expected:
                raise Mistake(
                    f"your split: of {length} characters the {name} spans are {expected}; got "
                    f"{got}. The last block may be short, and a text may end in a gap"
                )


def loss_is_the_weighted_mean(loss, *, smoothing, weighting, early, share):
    """Random logits, several lengths."""
    for length in (3, 31):
        logits, targets = 2 * torch.randn(5, length, 13), torch.randint(13, (5, length))
        got = float(loss(logits, targets))
        weights = _weights(length, weighting, early, share)
        surprise = _surprise(logits, targets, smoothing)
        expected = ((surprise * weights).mean(0).sum() / weights.sum()).item()
        if abs(got - surprise.mean().item()) < 1e-4 < abs(expected - surprise.mean().item()):
            raise Mistake("your loss: all places have the same weight")
        if abs(got - (surprise * weights).mean().item()) < 1e-4:
            raise Mistake("your loss: divide by the sum of the weights, not by their number")
        if not abs(got - expected) <= 1e-4:
            raise Mistake(
                f"your loss: over windows of {length} it is {expected:.4f}, got {got:.4f}; which "
                "places have which weight, and what are they divided by?"
            )


def loss_stands_large_logits(loss, *, smoothing, weighting, early, share):
    """Logits of a thousand give a number, and the right one."""
    logits, targets = 1000 * torch.randn(2, 19, 7), torch.randint(7, (2, 19))
    got = float(loss(logits, targets))
    weights = _weights(19, weighting, early, share)
    surprise = _surprise(logits, targets, smoothing)
    expected = ((surprise * weights).mean(0).sum() / weights.sum()).item()
    if not math.isfinite(got):
        raise Mistake("your loss: logits of a thousand give infinity; use log_softmax")
    if not abs(got - expected) <= 1e-4 * expected:
        raise Mistake(f"your loss: of logits of a thousand it is {expected:.1f}, got {got:.1f}")


def every_factor_is_right(schedule, *, warmup, decay, floor):
    """All steps of trainings of several lengths."""
    for steps in (warmup + 1, warmup + 13, 211):
        for step in range(steps):
            got, expected = float(schedule(step, steps)), _factor(step, steps, warmup, decay, floor)
            if not abs(got - expected) <= 1e-6:
                raise Mistake(
                    f"your schedule: step {step} of {steps} has the factor {expected:.5f}, got "
                    f"{got:.5f}; mind the shape of the fall and where it begins"
                )


def probabilities_are_exact(next_probabilities, *, cut, cut_first, temperature, threshold):
    """Random logits; the order of cut and temperature decides."""
    done = 0
    while done < 20:
        logits = 1.5 * torch.randn(3, 17)
        expected, clear = _kept(logits, cut, cut_first, temperature, threshold)
        other, _ = _kept(logits, cut, not cut_first, temperature, threshold)
        # Where a token lies on the threshold, rounding decides, and right answers differ.
        if not clear or (expected > 0).equal(other > 0):
            continue
        done += 1
        got = next_probabilities(logits)
        got = got.double()
        if got.shape == other.shape and (got - other).abs().max() < 1e-4:
            raise Mistake(
                "your next_probabilities: cut and temperature come in the wrong order; this term "
                f"the {'cut' if cut_first else 'temperature'} comes first"
            )
        if not got.shape == expected.shape or not (got - expected).abs().max() <= 1e-4:
            raise Mistake(
                "your next_probabilities: other tokens stay than should, or with other "
                "probabilities; look at the threshold, the temperature and what is divided"
            )


def bits_of_passages(bits_per_character, new_model, *, context, skip):
    """Passages shorter and longer than the context."""
    tokens = ["a", "b", " c", "def", "gh"]
    model = new_model(5, 7)
    # What a text costs is computed by a model of this process: the other one answers to a student.
    own = _gpt(5).eval()
    # As it is drawn the model hardly looks back; eight times as large, its weights tell contexts.
    drawn = own.state_dict()
    own.load_state_dict({k: 8 * w if w.dim() > 1 else w for k, w in drawn.items()})
    model.load_state_dict(own.state_dict())
    passages = [torch.randint(5, (n,)) for n in (skip + 1, 13, context + 1, context + 25)]
    nats, all_before = (_nats(own, passages, length, skip) for length in (context, 32))
    characters = [sum(len(tokens[i]) for i in passage[skip:].tolist()) for passage in passages]
    expected = sum(nats) / math.log(2) / sum(characters)
    told = [[tokens[i] for i in passage.tolist()] for passage in passages]
    got = float(bits_per_character(model, told, tokens))
    means = zip(nats, characters, strict=True)
    for wrong, words in (
        (
            sum(all_before) / math.log(2) / sum(characters),
            f"the context is {context} tokens, not all",
        ),
        (
            sum(n / c for n, c in means) / math.log(2) / len(passages),
            "it is the mean over the passages; sum bits and characters over all first",
        ),
    ):
        if abs(got - wrong) < 1e-6 < abs(wrong - expected):
            raise Mistake(f"your bits_per_character: {words}")
    if not abs(got - expected) <= 1e-4:
        raise Mistake(
            f"your bits_per_character: four passages cost {expected:.5f}, got {got:.5f}; each "
            f"token is scored once, after the {context} before it, if there are so many"
        )


def the_same_seed_gives_the_same_model(train_gpt, *, space, digits, matching):
    """Two trainings from one seed agree; another seed gives another model, and more steps help."""
    text = _speech(_language(24), 3_000)
    made = [train_gpt(text, steps, seed) for steps, seed in ((4, 5), (4, 5), (4, 6), (24, 5))]
    first, again, other, longer = ([*_weights_of(one).values()] for one in made)
    if not _apart(first, again) <= 1e-6:
        raise Mistake("your train_gpt: the same text, steps and seed gave two different models")
    if not _apart(first, other) > 1e-6:
        raise Mistake("your train_gpt: another seed gives the same model; is the seed used?")
    if not _apart(first, longer) > 1e-6:
        raise Mistake("your train_gpt: more steps lead to the same model; is it trained at all?")
    few, many = (_bits_of(text, one, space, digits, matching)[0] for one in (made[0], made[3]))
    if not many < 0.97 * few:
        raise Mistake(
            f"your train_gpt: its own text costs {few:.2f} bits per character after 4 steps and "
            f"{many:.2f} after 24; another model is no better one, so is it trained at all?"
        )


def the_training_is_as_asked(
    train_gpt, *, space, digits, score, tie, least, matching, n_merges, block, period, place, gap,
    smoothing, weighting, early, share, warmup, decay, floor,
):  # fmt: skip
    """A short training ends where the same training does that is done here."""
    text, steps, seed = _speech(_language(24), 6_000), warmup + 6, 7
    made = train_gpt(text, steps, seed)
    passages = [
        _pieces(text[start:end], space, digits)
        for start, end in _runs(_kinds(len(text), block, period, place, gap), "training")
    ]
    merges = _merges([p for passage in passages for p in passage], n_merges, score, tie, least)
    if [tuple(pair) for pair in made["merges"]] != merges:
        raise Mistake(
            "your train_gpt: the merges are not those of the training passages; were they learned "
            f"from the whole text, or not {n_merges} of them?"
        )
    vocabulary = list(dict.fromkeys([*sorted(set(text)), *(a + b for a, b in merges)]))
    if list(made["vocabulary"]) != vocabulary:
        raise Mistake("your train_gpt: its vocabulary is not that of vocabulary(text, merges)")
    own, dtype = _own_gpt(made), _weights_of(made)["embedding.table"].dtype
    number = {token: index for index, token in enumerate(vocabulary)}
    ids = [
        torch.tensor([number[token] for p in passage for token in _encode(p, merges, matching)])
        for passage in passages
    ]

    def surprise(logits, targets):
        weights = _weights(targets.size(1), weighting, early, share)
        return (_surprise(logits, targets, smoothing) * weights).mean(0).sum() / weights.sum()

    def plain(logits, targets):
        return functional.cross_entropy(logits.transpose(1, 2), targets)

    def factor(step, steps):
        return _factor(step, steps, warmup, decay, floor)

    def constant(step, steps):
        return 1.0

    read = torch.cat(ids)[: 20 * 31].view(20, 31)

    def answers(steps, loss, schedule):
        return _trained(ids, len(vocabulary), seed, dtype, steps, loss, schedule)(read).detach()

    start, asked = answers(0, plain, constant), answers(steps, surprise, factor)
    got = own(read).detach()
    moved = _apart([asked], [start])
    if _apart([got], [asked]) < 0.03 * moved:
        return
    for how, words in (
        ((0, plain, constant), "it is as it was drawn; nothing is trained"),
        ((steps, plain, factor), "it is trained with the plain loss, and not with yours"),
        (
            (steps, surprise, constant),
            "it is trained at one learning rate; your schedule is not used",
        ),
    ):
        if _apart([got], [answers(*how)]) < 0.03 * moved:
            raise Mistake(f"your train_gpt: {words}")
    raise Mistake(
        f"your train_gpt: {steps} steps with the seed {seed} lead to another model than the "
        "training that is asked for. On which passages, windows and seeds is it trained, with "
        "which loss, schedule and learning rate?"
    )


def held_out_blocks_are_unseen(
    train_gpt, *, space, digits, matching, block, period, place, gap
):  # fmt: skip
    """In the held-out blocks another language is spoken; the model must not know it."""
    spoken, secret, unheard = _language(24), _language(24), _language(24)
    length = 9_000
    kinds = _kinds(length, block, period, place, gap)
    texts = {"training": _speech(spoken, length), "gap": _speech(spoken, length)}
    texts["held_out"] = _speech(secret, length)
    made = train_gpt("".join(texts[kind][n] for n, kind in enumerate(kinds)), 60, 11)
    (known, table), (held_out, _), (foreign, _) = (
        _bits_of(_speech(words, 6_000), made, space, digits, matching)
        for words in (spoken, secret, unheard)
    )
    # Who learns two languages in so few steps may know both worse than a table knows one, and what
    # is foreign worse still.
    knows_both = known < 0.4 * foreign and foreign - held_out > 0.3 * (foreign - known)
    if not known < 0.8 * table and not knows_both:
        raise Mistake(
            f"your train_gpt: after 60 steps its own language costs {known:.2f} bits per "
            f"character, and a table of which token follows which {table:.2f}: it has hardly "
            "learned"
        )
    # 0 where the held-out blocks are as foreign as a language never read, 1 where they are known.
    share = (foreign - held_out) / (foreign - known)
    if not share < 0.3:
        raise Mistake(
            f"your train_gpt: the held-out blocks cost it {held_out:.2f} bits per character, a "
            f"language that it cannot know {foreign:.2f}: it was trained on what it is judged on"
        )


def _chance():
    """Python's kind of generator, seeded from torch's."""
    return random.Random(int(torch.randint(2**31, ())))


def _pieces(text, space, digits):
    word = {"before": r" ?[^\W\d_]+", "after": r"[^\W\d_]+ ?", "alone": r"[^\W\d_]+"}[space]
    number = {"one by one": "[0-9]", "in runs": "[0-9]+", "in threes": "[0-9]{1,3}"}[digits]
    return re.findall(rf"{word}|{number}|[\s\S]", text)


def _merges(text, n_merges, score, tie, least):
    times, merges = Counter(text), []
    words = {piece: list(piece) for piece in times}
    while len(merges) < n_merges:
        counts = {}
        for piece, word in words.items():
            for pair, often in Counter(itertools.pairwise(word)).items():
                more = often * times[piece] if score == "occurrences" else 1
                counts[pair] = counts.get(pair, 0) + more
        most = max(counts.values(), default=0)
        tied = [pair for pair in counts if counts[pair] == most]
        if not tied or most < least:
            break
        pick = {"first": tied[0], "smallest": min(tied)}
        best = pick.get(tie, max(tied))
        merges.append(best)
        words = {piece: _joined(word, best) for piece, word in words.items()}
    return merges


def _joined(word, pair):
    merged = []
    while word:
        size = 2 if tuple(word[:2]) == pair else 1
        merged.append("".join(word[:size]))
        word = word[size:]
    return merged


def _encode(word, merges, matching):
    known = {left + right for left, right in merges}
    head, tokens = matching == "longest from the left", []
    while word:
        parts = [word[:size] if head else word[-size:] for size in range(len(word), 0, -1)]
        token = next(part for part in parts if len(part) == 1 or part in known)
        tokens.append(token)
        word = word[len(token) :] if head else word[: -len(token)]
    return tokens if head else tokens[::-1]


def _kinds(length, block, period, place, gap):
    """What each character is for."""
    held = torch.tensor([(n // block) % period == place - 1 for n in range(length)] or [False])
    near = functional.max_pool1d(held[None].float(), 2 * gap + 1, 1, gap)[0] > 0
    return ["held_out" if held[n] else "gap" if near[n] else "training" for n in range(length)]


def _runs(kinds, name):
    spans, start = [], None
    for n, kind in enumerate([*kinds, ""]):
        if kind == name and start is None:
            start = n
        elif kind != name and start is not None:
            spans.append((start, n))
            start = None
    return spans


def _weights(length, weighting, early, share):
    places = torch.arange(length, dtype=torch.float64)
    if weighting == "ramp":
        return ((places + 1) / early).clamp(max=1)
    return torch.where(places < early, share, 1.0).double()


def _surprise(logits, targets, smoothing):
    log_probabilities = logits.double().log_softmax(-1)
    share = torch.full_like(log_probabilities, smoothing / (logits.size(-1) - 1))
    share.scatter_(-1, targets[..., None], 1 - smoothing)
    return -(share * log_probabilities).sum(-1)


def _factor(step, steps, warmup, decay, floor):
    if step < warmup:
        return (step + 1) / warmup
    p = (step + 1 - warmup) / (steps - warmup)
    fallen = {
        "cosine": (1 - math.cos(math.pi * p)) / 2,
        "line": p,
        "root": math.sqrt(p),
        "plateau": max(0.0, p - 0.6) / 0.4,
    }[decay]
    return 1 - (1 - floor) * fallen


def _kept(logits, cut, cut_first, temperature, threshold):
    logits = logits.double()
    seen = (logits if cut_first else logits / temperature).softmax(-1)
    bound = threshold * seen.amax(-1, keepdim=True) if cut == "relative" else threshold
    stays = seen >= bound
    stays |= ~stays.any(-1, keepdim=True) & (seen == seen.amax(-1, keepdim=True))
    clear = bool(((seen / bound - 1).abs() > 1e-3).all())
    return (logits / temperature).masked_fill(~stays, -math.inf).softmax(-1), clear


def _nats(model, passages, context, skip):
    """The surprise of each passage's scored tokens, by the model's logits."""
    found = []
    for ids in passages:
        total = 0.0
        for place in range(skip, len(ids)):
            read = ids[max(0, place - context) : place][None]
            with torch.no_grad():
                logits = model(read).double()[0, -1]
            total -= logits.log_softmax(-1)[ids[place]].item()
        found.append(total)
    return found


def _weights_of(made):
    """The weights of a student's model, of which nothing else is asked."""
    weights = made["model"].state_dict()
    if not isinstance(weights, dict):
        raise Mistake("your train_gpt: its model has no weights; expected one of new_model's")
    return weights


def _apart(some, others):
    """The greatest difference between two lists of tensors."""
    return max(
        (a.double() - b.double()).abs().max().item() for a, b in zip(some, others, strict=True)
    )


def _trained(ids, n_tokens, seed, dtype, steps, loss, schedule):
    """The model of the text's training, in the precision of the student's."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    torch.manual_seed(seed)
    model = _gpt(n_tokens)
    torch.set_default_dtype(before)
    chance = torch.Generator().manual_seed(seed)
    every = torch.cat([passage.unfold(0, 33, 1) for passage in ids if len(passage) > 32])
    drawn = (every[torch.randint(len(every), (16,), generator=chance)] for _ in range(steps))
    if steps:
        train(
            model, lambda model, batch: loss(model(batch[:, :-1]), batch[:, 1:]), drawn,
            steps=steps, learning_rate=1e-2, schedule=schedule, show_progress=False,
        )  # fmt: skip
    return model.double()


def _gpt(n_tokens):
    return GPT(GPTConfig(n_tokens, 32, 48, n_heads=4, n_layers=2, positions="rotary"))


def _own_gpt(made):
    """The library's GPT under the weights of a student's: what answers here is no student's code.

    A function that counts which token follows which can answer like a model. It has no weights
    that make this model answer so.
    """
    weights, own = _weights_of(made), _gpt(len(made["vocabulary"]))
    asked = {name: tuple(one.shape) for name, one in own.state_dict().items()}
    given = {
        name: tuple(one.shape) if isinstance(one, torch.Tensor) else None
        for name, one in weights.items()
    }
    wrong = [name for name in {**asked, **given} if asked.get(name) != given.get(name)]
    if wrong:
        raise Mistake(
            "your train_gpt: its model is not one of new_model's for this vocabulary; "
            f"{wrong[0]} has the shape {given.get(wrong[0])}, expected {asked.get(wrong[0])}"
        )
    if not all(one.isfinite().all() for one in weights.values()):
        raise Mistake("your train_gpt: there are weights that are infinite; did training diverge?")
    own.load_state_dict(weights)
    return own.double().eval()


def _language(n_words):
    """Words that nobody speaks, of so few letters that a token tells little of the next."""
    lengths = torch.randint(8, 12, (n_words,)).tolist()
    drawn = ["".join("aeio"[int(i)] for i in torch.randint(4, (n,))) for n in lengths]
    return list(dict.fromkeys(drawn))


def _speech(words, length):
    """So many characters of them; each word is followed by one of two."""
    steps = torch.randint(2, (length // 3,)).mul(2).add(1)
    return " ".join(words[i % len(words)] for i in steps.cumsum(0).tolist())[:length]


def _bits_of(text, made, space, digits, matching):
    """Bits per character of a text that is cut as the rules say; see ``_bits``."""
    try:
        merges = [(str(left), str(right)) for left, right in made["merges"]]
    except (TypeError, ValueError):
        raise Mistake("your train_gpt: merges: expected a list of pairs (left, right)") from None
    cut = [t for piece in _pieces(text, space, digits) for t in _encode(piece, merges, matching)]
    return _bits(_own_gpt(made), made, cut)


def _bits(own, made, tokens):
    """Bits per character by the weights that came, and by a table of which token follows which.

    The table is the best that there can be: it is counted in the text on which both are judged.
    """
    number = {token: index for index, token in enumerate(made["vocabulary"])}
    if any(token not in number for token in tokens):
        raise Mistake("your train_gpt: the vocabulary lacks tokens of its merges or its text")
    rows = len(tokens) // 31
    ids = torch.tensor([number[token] for token in tokens[: rows * 31]]).view(rows, 31)
    with torch.no_grad():
        logits = own(ids[:, :-1]).transpose(1, 2)
    nats = functional.cross_entropy(logits, ids[:, 1:], reduction="sum").item()
    counts = torch.zeros(len(number), len(number)).double()
    counts.index_put_((ids[:, :-1], ids[:, 1:]), torch.ones(()).double(), accumulate=True)
    table = -torch.xlogy(counts, counts / counts.sum(1, keepdim=True).clamp(min=1)).sum().item()
    characters = sum(len(tokens[i]) for i in range(rows * 31) if i % 31)
    return nats / math.log(2) / characters, table / math.log(2) / characters
