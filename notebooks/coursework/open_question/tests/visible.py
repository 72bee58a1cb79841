"""What a student can run: the tests that name the common mistakes.

Their inputs are drawn: at every run here the same ones, and others when it is graded.
"""

import math

import torch
from softlookup.course.exercises.verdict import Mistake
from torch.nn import functional


def weights_of_known_scores(weigh, *, form, room, exponent, shift):
    """Three keys whose weights can be worked out by hand."""
    a, b = (quarter + int(torch.randint(4, ())) / 4 for quarter in (1, 2))
    one, two = {
        "null key": (math.log(a), math.log(b)),
        "power": (a - shift, b - shift),
        "soft power": tuple(math.log(math.exp(part) - 1) - shift for part in (a, b)),
    }[form]
    low = {"null key": math.log(0.5), "power": -shift - 1.0, "soft power": two}[form]
    shares = {
        "null key": [a, b, 0.5],
        "power": [a**exponent, b**exponent, 0.0],
        "soft power": [a**exponent, b**exponent, b**exponent],
    }[form]
    order = torch.randperm(3).tolist()
    scores = torch.tensor([[(one, two, low)[place] for place in order]])
    parts = [shares[place] for place in order] + [math.exp(room)] * (form == "null key")
    got = _weights(weigh(scores), (1, 3))
    right = torch.tensor([parts], dtype=torch.float64)[:, :3] / sum(parts)
    if _close(got, scores.double().softmax(-1)):
        raise Mistake("your weigh: these are the weights of softmax; this term's form is another")
    if form == "null key" and _close(got, right / right.sum()):
        raise Mistake("your weigh: the null key takes its share and is not divided away again")
    if form != "null key" and _close(got, right * sum(parts)):
        raise Mistake("your weigh: the weights are not divided by their sum")
    if not _close(got, right):
        told = [round(float(weight), 4) for weight in right[0]]
        raise Mistake(
            f"your weigh: the scores {[round(s, 3) for s in scores[0].tolist()]} have the weights "
            f"{told}; got {[round(float(weight), 4) for weight in got[0]]}"
        )


def hidden_keys_count_nowhere(weigh):
    """With a mask the weights are those of a dictionary without the hidden keys."""
    scores = torch.randn(3, 5, 7) + 1
    scores[..., 0] = 2.0  # so that something is found in every row
    mask = torch.tensor([True, False, True, True, False, False, True])
    got = _weights(weigh(scores, mask), (3, 5, 7))
    if (got[..., ~mask] != 0).any():
        raise Mistake("your weigh: a key that the mask forbids has weight; True = may look")
    alone = _weights(weigh(scores[..., mask]), (3, 5, 4))
    if not _close(got[..., mask], alone):
        raise Mistake(
            "your weigh: hidden keys still count in the sum; mask before you divide, not after"
        )
    if _close(got, _weights(weigh(-scores, mask), (3, 5, 7))):
        raise Mistake("your weigh: the weights are the same whatever the scores are")
    everywhere = torch.ones(5, 7, dtype=torch.bool)
    whole = _weights(weigh(scores), (3, 5, 7))
    if not _close(_weights(weigh(scores, everywhere), (3, 5, 7)), whole):
        raise Mistake("your weigh: a mask that is True everywhere changes the weights")


def questions_depend_on_the_seed_alone(batch, exam, *, entries, asked):
    """The same call gives the same questions, whatever was called in between."""
    first = _questions(batch(3, 5), 48, entries, "your batch")
    test = _questions(exam(3), 500, asked, "your exam")
    for what, (keys, values, query, answer) in (("batch", first), ("exam", test)):
        found = keys == query[:, None]
        if not (found.sum(1) == 1).all() or not torch.equal(values[found], answer):
            raise Mistake(
                f"your {what}: a key that is asked for does not stand in its dictionary with the "
                "value that is the answer; draw with draw_questions"
            )
    _questions(batch(4, 5), 48, entries, "your batch")
    if not _alike(first, batch(3, 5)):
        raise Mistake("your batch: called again, it gives other questions; make a new generator")
    if not _alike(test, exam(3)):
        raise Mistake("your exam: called again, it gives other questions; make a new generator")
    if _alike(first, batch(4, 5)) or _alike(first, batch(3, 6)):
        raise Mistake("your batch: another seed or step gives the same questions")
    if _alike(test, exam(4)):
        raise Mistake("your exam: another seed gives the same questions")


def both_forms_begin_alike(start, *, gain):
    """With one seed the models of both forms have the same numbers, in the size that is asked."""
    softmax, mine = (_state(start(form, 3)) for form in ("softmax", "mine"))
    for name, numbers in softmax.items():
        if not torch.equal(numbers, mine[name]):
            raise Mistake(
                f"your start: {name} differs between the forms, so a difference in the result may "
                "be one of the beginning; draw after torch.manual_seed(seed), each time"
            )
    for name, factor in (
        ("query_projection", gain),
        ("key_projection", gain),
        ("value_projection", 1.0),
    ):
        # Linear draws evenly up to one over the root of the width; of 96 draws one comes close.
        largest = float(softmax[f"{name}.weight"].abs().max()) * math.sqrt(24)
        if not 0.85 * factor <= largest <= 1.0001 * factor:
            raise Mistake(f"your start: the weights of {name} are {factor} times as drawn, once")


def a_run_can_be_repeated(exam, start, experiment):
    """The same call gives the same share; without training it is that of your untrained model."""
    for seed in torch.randint(100, (3,)).tolist():
        *read, answer = _worth_asking(exam(seed), exam(seed + 1))
        logits = torch.as_tensor(start("mine", seed)(*read)).double()
        if not logits.isfinite().all():
            raise Mistake(
                "your experiment: it is judged by your start, whose model answers with numbers "
                "that are infinite, or NaN"
            )
        if not logits.std(0).max() >= 1e-4:
            raise Mistake(
                "your experiment: it is judged by your start, whose model answers every question "
                "alike"
            )
        right = logits.argmax(-1) == answer
        expected, got = right.double().mean().item(), _share(experiment("mine", seed, 0))
        # One question may fall the other way, where two logits are as good as equal.
        if not abs(got - expected) < 0.0021:
            raise Mistake(
                f"your experiment: without a step of training your start has {expected:.3f} of "
                f"your exam right, and your experiment says {got:.3f}; is it examined before it "
                "is trained?"
            )
    if _share(experiment("mine", seed, 4)) != _share(experiment("mine", seed, 4)):
        raise Mistake("your experiment: the same call gave two numbers; what is not seeded?")


def training_helps(batch, exam, start, experiment):
    """What forty steps make of your start is what they make of it here."""
    for seed in torch.randint(100, (2,)).tolist():
        state = {name: n.requires_grad_() for name, n in _state(start("softmax", seed)).items()}
        optimizer = torch.optim.Adam(state.values(), lr=1e-2)
        before = batch(seed, 40)
        for step in range(40):
            *read, answer = before = _worth_training_on(batch(seed, step), before)
            optimizer.zero_grad()
            functional.cross_entropy(_logits(state, *read), answer).backward()
            torch.nn.utils.clip_grad_norm_(state.values(), 1.0)
            optimizer.step()
        *read, answer = _worth_asking(exam(seed), exam(seed + 1))
        expected = (_logits(state, *read).argmax(-1) == answer).double().mean().item()
        if not expected >= 0.2:
            raise Mistake(
                f"your experiment: it is judged by your start and your batches, and 40 steps of "
                f"softmax on these lead to {expected:.3f} of your exam, where guessing has 0.0625: "
                "nothing is learned"
            )
        got = _share(experiment("softmax", seed, 40))
        if not abs(got - expected) < 0.01:
            raise Mistake(
                f"your experiment: 40 steps of softmax on your batches lead to {expected:.3f} of "
                f"your exam, and your experiment says {got:.3f}; guessing has 0.0625. Does it "
                "train, on new questions at each step, and examine what was trained?"
            )


def measurements_are_pairs(measure, experiment):
    """The lists hold what single runs give, in the order of the seeds."""
    got = measure([5, 2, 9], 2)
    if not isinstance(got, dict) or set(got) != {"mine", "softmax"}:
        raise Mistake('your measure: expected {"mine": [...], "softmax": [...]}')
    singles = {form: [_share(experiment(form, seed, 2)) for seed in (5, 2, 9)] for form in got}
    if len({*singles["mine"], *singles["softmax"]}) == 1:
        raise Mistake(
            "your measure: it is judged by your experiment, which gives one share whatever is asked"
        )
    learned = _share(experiment("softmax", 5, 40))
    if not learned >= 0.2:
        raise Mistake(
            f"your measure: it is judged by your experiment, which has {learned:.3f} of its exam "
            "right after 40 steps, where guessing has 0.0625: does it train?"
        )
    for form, shares in got.items():
        single = singles[form]
        shares = [float(share) for share in shares]
        if shares != single and sorted(shares) == sorted(single):
            raise Mistake("your measure: the shares are not in the order of the seeds")
        if shares != single:
            raise Mistake(
                f"your measure: of {form} with the seeds 5, 2, 9 single runs give {single}, and "
                f"the list has {shares}: what did the runs before it change?"
            )


def pairs_are_compared(interval):
    """What both runs of a pair share does not widen the interval."""
    for sign in (1, -1):
        lead = sign * (0.2 + 4 * float(torch.rand(())))
        luck = 50 * torch.randn(10, dtype=torch.float64)
        ahead = lead + 0.01 * torch.randn(10, dtype=torch.float64)
        low, high = _ends(interval((luck + ahead).tolist(), luck.tolist()))
        if low < lead - 0.3 and high > lead + 0.3:
            raise Mistake(
                f"your interval: from {low:.2f} to {high:.2f}, though in each pair mine is ahead "
                f"by about {lead:.2f}; take the differences of the pairs first, and then their "
                "spread"
            )
        if abs(low + lead) < 0.04 and abs(high + lead) < 0.04:
            raise Mistake("your interval: the difference is mine minus other, and not the reverse")
        if not lead - 0.04 < low < high < lead + 0.04:
            raise Mistake(
                f"your interval: from {low:.3f} to {high:.3f}; around {lead:.3f} is expected"
            )
        if not low < float(ahead.mean()) < high:
            raise Mistake("your interval: the mean of the differences does not lie in it")
        if _ends(interval((luck + ahead).tolist(), luck.tolist())) != (low, high):
            raise Mistake("your interval: the same numbers gave two intervals; seed what you draw")


def clear_cases_are_decided(decide, *, margin):
    """Intervals that leave no doubt."""
    near, far = (start + float(torch.rand(())) for start in (1.5, 2.6))
    for ends, word, why in (
        ((near, far), "better", "lies above the margin"),
        ((-far, -near), "worse", "lies below the margin"),
        ((1.5 - near, far - 2.6), "equal", "lies within the margin"),
        ((-near, far), "open", "holds a lead that matters and a lag that matters"),
    ):
        low, high = (margin * end for end in ends)
        if decide(low, high) != word:
            raise Mistake(
                f"your decide: from {low:.3f} to {high:.3f} is {word!r}, since the interval {why}; "
                f"got {decide(low, high)!r}"
            )


def your_question_has_an_answer(own_result):
    """An interval came of it; whether it answers the question is read by a person."""
    low, high = _ends(own_result(), "your my_question")
    if not math.isfinite(low) or not math.isfinite(high):
        raise Mistake("your my_question: the ends of the interval are no numbers")
    if not low < high:
        raise Mistake(
            f"your my_question: from {low:g} to {high:g} there is nothing between; pairs that "
            "were measured differ, and their interval has a width"
        )


def _weights(got, shape):
    if not isinstance(got, torch.Tensor) or got.shape != shape:
        raise Mistake(f"your weigh: expected a tensor of the scores' shape, {shape}")
    if not torch.isfinite(got).all():
        raise Mistake("your weigh: there are weights that are infinite or NaN")
    return got.detach().double()


def _close(got, right):
    return bool((got.double() - right.double()).abs().max() < 1e-5)


def _questions(got, count, entries, what):
    shapes = [(count, entries), (count, entries), (count,), (count,)]
    if [tuple(part.shape) for part in got] != shapes:
        raise Mistake(f"{what}: expected the four tensors of draw_questions, of shapes {shapes}")
    return got


def _worth_asking(questions, others):
    """An exam by which a run can be judged: nobody passes it who does not look a key up."""
    keys, values, query, answer = questions
    found = keys == query[:, None]
    if not (found.sum(1) == 1).all() or not torch.equal(values[found], answer):
        raise Mistake(
            "your experiment: it is judged by your exam, and there a key that is asked for does "
            "not stand in its dictionary with the value that is the answer"
        )
    favourite = answer.bincount().max() > len(answer) / 8
    commonest = (values.mode(1).values == answer).double().mean() > 0.5
    if favourite or commonest or _alike(questions, others):
        raise Mistake(
            "your experiment: it is judged by your exam, whose answers can be told without the "
            "question, or which is the same for every seed"
        )
    return questions


def _worth_training_on(questions, others):
    """A batch of which something can be learned, and which is not the one before."""
    keys, values, query, answer = questions
    found = keys == query[:, None]
    if not (found.sum(1) == 1).all() or not torch.equal(values[found], answer):
        raise Mistake(
            "your experiment: it is judged by your batches, and there a key that is asked for "
            "does not stand in its dictionary with the value that is the answer"
        )
    if answer.bincount().max() > len(answer) / 2 or _alike(questions, others):
        raise Mistake(
            "your experiment: it is judged by your batches, and there most answers are one, or "
            "two steps have the same questions"
        )
    return questions


def _alike(some, others):
    return all(torch.equal(a, b) for a, b in zip(some, others, strict=True))


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


def _share(got):
    if not isinstance(got, float | int) or not 0 <= got <= 1:
        raise Mistake(f"your experiment: expected a share from 0 to 1, a float; got {got!r}")
    return float(got)


def _ends(got, what="your interval"):
    try:
        low, high = (float(end) for end in got)
    except (TypeError, ValueError):
        raise Mistake(f"{what}: expected a pair of numbers (low, high)") from None
    if not low <= high:
        raise Mistake(f"{what}: low is not below high")
    return low, high


def _logits(state, keys, values, query):
    """What a model with these numbers answers with softmax."""
    table = state["key_embedding.weight"]
    asked = (table[query] @ state["query_projection.weight"].T)[:, None]
    offered = table[keys] @ state["key_projection.weight"].T
    weights = (asked @ offered.transpose(1, 2) / math.sqrt(offered.size(-1))).softmax(-1)
    found = state["value_embedding.weight"][values] @ state["value_projection.weight"].T
    return (weights @ found)[:, 0] @ state["readout.weight"].T + state["readout.bias"]
