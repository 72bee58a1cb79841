"""What a student can run: the tests that name the common mistakes.

Their inputs are drawn: at every run here the same ones, and others when it is graded.
"""

import math

import torch
from softlookup.course.exercises.verdict import Mistake
from softlookup.models.gpt import GPT, GPTConfig


def a_sentence_is_cut(pieces, *, space, digits):
    """A short text is cut where the rules say."""
    one, other, last = (_word(2 + int(n)) for n in torch.randint(4, (3,)))
    one, last = one.capitalize(), f"ü{last}"
    figures = "".join(str(int(n)) for n in torch.randint(10, (4 + int(torch.randint(5, ())),)))
    text = f"{one} {figures} {other},  {last}!\n"
    got = _texts(pieces(text), "your pieces")
    if "".join(got) != text:
        raise Mistake(f"your pieces: put together again they are not the text {text!r}")
    if last not in "".join(got[-4:]) or not any(last in piece for piece in got):
        raise Mistake(f"your pieces: {last} is cut; ü is a letter too, as str.isalpha knows")
    threes = [figures[n : n + 3] for n in range(0, len(figures), 3)]
    number = {"one by one": [*figures], "in runs": [figures], "in threes": threes}[digits]
    if [piece.strip() for piece in got if piece.strip().isdigit()] != number:
        raise Mistake(f"your pieces: the digits of {figures} should be {number}, got {got}")
    if any(piece.strip().isdigit() and " " in piece for piece in got):
        raise Mistake("your pieces: a space stands with a number; it may only belong to letters")
    words = {
        "before": [one, " ", *number, f" {other}", ",", " ", f" {last}", "!", "\n"],
        "after": [f"{one} ", *number, " ", other, ",", " ", " ", last, "!", "\n"],
        "alone": [one, " ", *number, " ", other, ",", " ", " ", last, "!", "\n"],
    }[space]
    if got != words:
        raise Mistake(f"your pieces: expected {words}, got {got}: where do the spaces belong?")


def first_merges(learn_merges, *, score, tie):
    """The first merge of a few words, and of a tie."""
    x, y, a, b, c, d, t = _word(7)
    many = _shuffled([x + y + x] * 5 + [a + b, c + a + b, a + b + d, t + a + b])
    got = _pairs(learn_merges(many, 1))
    best = {"occurrences": [(x, y), (y, x)], "different pieces": [(a, b)]}[score]
    if not got or got[0] not in best:
        counted = {
            "occurrences": f"every occurrence counts, so ({x}, {y}) stands in it five times",
            "different pieces": "a piece that stands there five times counts once, so it is "
            f"({a}, {b})",
        }[score]
        raise Mistake(f"your learn_merges: the first pair of {many} is {got[:1]}; {counted}")
    letters = _word(14)
    low, middle, high = sorted(zip(letters[:3], letters[3:6], strict=True))
    pairs = [middle, *_shuffled([low, high])]
    rare = [letters[n : n + 2] for n in range(8, 9 + 2 * int(torch.randint(3, ())), 2)]
    tied = rare + [left + right + end for end in ("", *letters[6:8]) for left, right in pairs]
    first = {"first": middle, "smallest": low, "greatest": high}[tie]
    got = _pairs(learn_merges(tied, 1))
    if got != [first]:
        raise Mistake(f"your learn_merges: three pairs tie in {tied}; expected {first}, got {got}")


def too_rare_pairs_stay(learn_merges, *, least):
    """Merging stops when no pair has the least score, or when there are enough."""
    p, q, *others = _word(11)
    rare = ["".join(others[n : n + 2]) for n in range(5, 9, 2)]
    enough = [p + q + others[n] for n in range(least)]
    shown = _shuffled(enough + rare[: int(torch.randint(3, ()))])
    got = _pairs(learn_merges(shown, 5))
    if len(got) != 1:
        raise Mistake(
            f"your learn_merges: in {shown} one pair has a score of {least}, the others of 1; "
            "exactly one merge is expected"
        )
    if _pairs(learn_merges(_shuffled([*enough[1:], *rare]), 5)):
        raise Mistake(f"your learn_merges: it merges a pair that has a score below {least}")
    if _pairs(learn_merges(enough, 0)) or _pairs(learn_merges([], 5)):
        raise Mistake("your learn_merges: without pieces, or with n_merges=0, there are no merges")
    if got != [(p, q)]:
        raise Mistake(f"your learn_merges: of {shown} it merges {got[0]}; expected {(p, q)}")


def tokens_are_the_longest(encode, *, matching):
    """A piece that two ways of cutting cut differently."""
    a, b, c, d, *unknown = _word(12)
    merges = [(b, c), (a, b), (b + c, d), (a + b, c)]
    start, end, more = (int(n) for n in torch.randint(3, (3,)))
    before, after, other = unknown[:start], unknown[2 : 2 + end], unknown[4 : 6 + more]
    cut = {"longest from the left": [a + b + c, d], "longest from the right": [a, b + c + d]}
    pieces = [["".join([*before, a, b, c, d, *after]), [*before, *cut[matching], *after]]]
    pieces = _shuffled([*pieces, ["".join(other), other]])
    words, right = [piece for piece, _ in pieces], [token for _, own in pieces for token in own]
    got = _texts(encode(words, merges), "your tokens")
    if "".join(got) != "".join(words):
        raise Mistake(f"your encode: the tokens {got} do not spell the pieces {words}")
    if got != right:
        raise Mistake(f"your encode: with {merges}, the tokens of {words} are {right}; got {got}")


def the_parts_lie_apart(split, *, gap):
    """No window of training touches a held-out block, or comes nearer than the gap."""
    for length in (9_500 + int(torch.randint(1_000, ())), 5_000 + int(torch.randint(500, ()))):
        training, held_out = _spans(split(length))
        if not training or not held_out:
            raise Mistake(
                f"your split: of {length} characters some are for training and some are held out; "
                f"got {len(training)} and {len(held_out)} spans"
            )
        shares = [sum(end - start for start, end in part) / length for part in (training, held_out)]
        if shares[0] < 0.5 or shares[1] < 0.05:
            raise Mistake(
                f"your split: {shares[0]:.0%} of the characters are for training and "
                f"{shares[1]:.0%} are held out; that is too little"
            )
        for start, end in training:
            for from_, to in held_out:
                if start < to and from_ < end:
                    raise Mistake(
                        f"your split: training {start, end} and held out {from_, to} share "
                        "characters, so a training window reads what the model is judged on"
                    )
                if start < to + gap and from_ - gap < end:
                    raise Mistake(
                        f"your split: between training {start, end} and held out {from_, to} "
                        f"there are fewer than {gap} characters"
                    )


def nothing_else_is_lost(split, *, block, period, place, gap):
    """The right blocks are held out, and all that is neither near nor in them is for training."""
    length = (period + place) * block + gap + 7 + int(torch.randint(200, ()))
    training, held_out = _spans(split(length))
    start = (place - 1) * block
    if not held_out or held_out[0] != (start, start + block):
        raise Mistake(
            f"your split: the first held-out block is number {place}, the span "
            f"{start, start + block}; got {held_out[:1]}. Blocks are numbered from 1"
        )
    if len(held_out) < 2 or held_out[1][0] - start != block * period:
        raise Mistake(f"your split: the next held-out block comes {period} blocks after the first")
    read = sum(end - start for start, end in training)
    near = (3 if place == 1 else 4) * gap
    expected = length - sum(end - start for start, end in held_out) - near
    if read != expected:
        raise Mistake(
            f"your split: of {length} characters {expected} are for training, got {read}; the "
            "gap is thrown away on both sides of each held-out block, and nothing else is"
        )


def knowing_nothing_costs_log_v(loss, *, smoothing):
    """Equal logits cost log V; a sure and right model pays for being sure."""
    n, lead = 7 + int(torch.randint(9, ())), 8 + 4 * float(torch.rand(()))
    targets = torch.randint(n, (3, 23))
    got = _number(loss(torch.zeros(3, 23, n), targets), "your loss")
    if not abs(got - math.log(n)) <= 1e-4:
        raise Mistake(
            f"your loss: equal logits over {n} tokens cost log {n} = {math.log(n):.4f}, whatever "
            f"the weights and the smoothing; got {got:.4f}"
        )
    sure = lead * torch.nn.functional.one_hot(targets, n)
    right = math.log(1 + (n - 1) * math.exp(-lead))
    expected = right + lead * smoothing
    got = _number(loss(sure, targets), "your loss")
    if abs(got - right) < 1e-4:
        raise Mistake("your loss: it rewards certainty without end; there is no label smoothing")
    if abs(got - (right + lead * smoothing * (n - 1) / n)) < 1e-4:
        raise Mistake(
            "your loss: the smoothing is spread over all tokens, as in the library; this term it "
            "is spread over the others, and the right one gets nothing of it"
        )
    if not abs(got - expected) <= 1e-3:
        raise Mistake(f"your loss: sure of the right tokens it is {got:.4f}, not {expected:.4f}")


def warm_up_and_end(schedule, *, warmup, floor):
    """It is whole at the end of the warm-up and at its floor at the last step, not before."""
    steps = warmup + 40 + int(torch.randint(20, ()))
    for step in (0, 1 + int(torch.randint(warmup - 2, ()))):
        first = _number(schedule(step, steps), "your schedule")
        if not abs(first - (step + 1) / warmup) <= 1e-6:
            raise Mistake(
                f"your schedule: step {step} has the factor {step + 1}/{warmup}, got {first:.4f}"
            )
    if not abs(_number(schedule(warmup - 1, steps), "your schedule") - 1) <= 1e-6:
        raise Mistake(f"your schedule: the factor is 1 at step {warmup - 1}, the last of warm-up")
    last = _number(schedule(steps - 1, steps), "your schedule")
    if not abs(last - floor) <= 1e-6:
        raise Mistake(f"your schedule: the last step has the factor {floor}, got {last:.4f}")
    # Four fifths of the way down every fall of a term has begun, and none has ended.
    late = warmup - 1 + (steps - warmup) * 4 // 5
    falling = _number(schedule(late, steps), "your schedule")
    if not floor + 1e-6 < falling < 1 - 1e-6:
        raise Mistake(
            f"your schedule: at step {late} of {steps} it falls, between 1 and {floor}; got "
            f"{falling:.4f}"
        )


def the_tail_is_cut(next_probabilities, *, cut, threshold):
    """The rows are distributions, and tokens far below the threshold have no probability."""
    logits = torch.tensor([[3.5, 3.0, -1.5, -2.5, 3.4], [-1.5, 3.5, 3.3, -1.6, -4.0]])
    # What is added to all logits of a row makes no difference to it.
    logits = logits[:, torch.randperm(5)][torch.randperm(2)] + torch.randn(2, 1)
    likely = logits > logits.amax(-1, keepdim=True) - 1
    got = _probabilities(next_probabilities(logits), (2, 5))
    if not (got.sum(-1) - 1).abs().max() <= 1e-5:
        raise Mistake("your next_probabilities: the rows do not sum to one; after a cut, divide")
    if not (got[~likely] <= 0).all():
        raise Mistake(f"your next_probabilities: tokens below the threshold {threshold} stay")
    if (got[likely] == 0).any():
        raise Mistake("your next_probabilities: likely tokens were cut off")
    n = 23 + int(torch.randint(13, ()))
    logits = torch.randperm(n)[None] * 1e-3
    flat = _probabilities(next_probabilities(logits), (1, n))
    if cut == "absolute" and ((flat > 0).sum() != 1 or flat[0, logits.argmax()] != 1):
        raise Mistake("your next_probabilities: if none reaches the threshold, the likeliest stays")
    if cut == "relative" and not (flat > 0).all():
        raise Mistake(
            f"your next_probabilities: {n} nearly equal tokens all stay, since the threshold is a "
            "share of the highest probability"
        )


def one_token_costs_its_surprise(bits_per_character, new_model, *, skip):
    """A passage with one token to score costs that token's surprise."""
    tokens = ["a", "b", "cd", "efg"]
    model = new_model(4, 3)
    # What it costs is computed by a model of this process: the other one answers to a student.
    own = GPT(GPTConfig(4, 32, 48, n_heads=4, n_layers=2, positions="rotary")).eval()
    model.load_state_dict(own.state_dict())
    passage = [tokens[i % 3] for i in range(skip)] + ["efg"]
    ids = torch.tensor([[i % 3 for i in range(skip)]])
    nats = -own(ids).detach().double()[0, -1].log_softmax(-1)[3].item()
    expected = nats / math.log(2) / 3
    got = _number(bits_per_character(model, [passage], tokens), "your bits_per_character")
    for wrong, words in (
        (nats / 3, "it is in nats; a bit is log 2 = 0.693 nats"),
        (nats / math.log(2), "the surprise is divided by the tokens, not by their characters"),
        (nats / math.log(2) / len("".join(passage)), "characters that are not scored count too"),
    ):
        if abs(got - wrong) < 1e-5:
            raise Mistake(f"your bits_per_character: {words}")
    if not abs(got - expected) <= 1e-4:
        raise Mistake(
            f"your bits_per_character: with one token to score, after {skip} of context, it is "
            f"{expected:.4f}; got {got:.4f}"
        )
    again = bits_per_character(model, [passage, passage[:skip]], tokens)
    if not abs(_number(again, "your bits_per_character") - got) <= 1e-6:
        raise Mistake(f"your bits_per_character: a passage of {skip} tokens adds something")


def a_new_language_is_learned(train_gpt, pieces, encode):
    """After sixty steps it knows more than any table of which token follows which."""
    words = _language(24)
    text = _speech(words, 6_000)
    made = train_gpt(text, 60, 3)
    if not isinstance(made, dict) or {"model", "merges", "vocabulary"} - made.keys():
        raise Mistake("your train_gpt: expected a dictionary with model, merges and vocabulary")
    merged = {left + right for left, right in _pairs(made["merges"])}
    if sorted(made["vocabulary"]) != sorted({*text} | merged):
        raise Mistake(
            "your train_gpt: its vocabulary is not the text's characters and the merged tokens, "
            "each once; see vocabulary(text, merges)"
        )
    own = _own_gpt(made)
    cut = _tokens_of_words(words, pieces, encode, made["merges"])
    spoken = _speech(words, 6_000).split(" ")[:-1]
    cost, table = _bits(own, made, [token for word in spoken for token in cut[word] + cut[""]])
    if not cost < 0.75 * table:
        raise Mistake(
            f"your train_gpt: after 60 steps the language it was trained on costs {cost:.2f} bits "
            f"per character. A table of which token follows which costs {table:.2f}, and a GPT "
            "that is trained sees further back; does it train?"
        )


def _word(n):
    """So many letters, no two of them alike."""
    return "".join(chr(ord("a") + int(i)) for i in torch.randperm(26)[:n])


def _shuffled(things):
    return [things[int(i)] for i in torch.randperm(len(things))]


def _probabilities(got, shape):
    if not isinstance(got, torch.Tensor) or got.shape != shape:
        raise Mistake(f"your next_probabilities: expected a tensor of the logits' shape, {shape}")
    if not got.isfinite().all():
        raise Mistake("your next_probabilities: there are infinite ones, or NaN")
    return got


def _texts(got, what):
    if not isinstance(got, list | tuple) or not all(isinstance(piece, str) for piece in got):
        raise Mistake(f"{what}: expected a list of texts, got {type(got).__name__}")
    return list(got)


def _pairs(got):
    try:
        return [(str(left), str(right)) for left, right in got]
    except (TypeError, ValueError):
        raise Mistake("your learn_merges: expected a list of pairs (left, right)") from None


def _spans(got):
    try:
        training, held_out = ([(int(start), int(end)) for start, end in part] for part in got)
    except (TypeError, ValueError):
        raise Mistake("your split: expected two lists of spans (start, end)") from None
    return training, held_out


def _number(got, what):
    try:
        # Python reads a number in a text, and NaN in the text "nan".
        number = float(got + 0.0)
    except (TypeError, ValueError):
        raise Mistake(f"{what}: expected one number, got {type(got).__name__}") from None
    if not math.isfinite(number):
        raise Mistake(f"{what}: expected a number, got {number}")
    return number


def _own_gpt(made):
    """The library's GPT under the weights of a student's: what answers here is no student's code.

    A function that counts which token follows which can answer like a model. It has no weights
    that make this model answer so.
    """
    weights = made["model"].state_dict()
    own = GPT(GPTConfig(len(made["vocabulary"]), 32, 48, n_heads=4, n_layers=2, positions="rotary"))
    asked = {name: tuple(one.shape) for name, one in own.state_dict().items()}
    given = {
        name: tuple(one.shape) if isinstance(one, torch.Tensor) else None
        for name, one in (weights.items() if isinstance(weights, dict) else ())
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


def _tokens_of_words(words, pieces, encode, merges):
    """The tokens of each word, with its space, and of a space that stands alone."""
    text = " ".join([*words] * 3)
    cut = _texts(pieces(text), "your pieces")
    whole = {piece.strip(): piece for piece in cut[2:-2]}
    if "".join(cut) != text or whole.keys() - {""} != {*words}:
        raise Mistake(f"your pieces: the words of {text[:40]!r}... are no pieces")
    tokens = {word: _texts(encode([whole[word]], merges), "your tokens") for word in whole}
    if any("".join(tokens[word]) != whole[word] for word in whole):
        raise Mistake("your encode: the tokens of a piece, put together, are not the piece")
    return {"": [], **tokens}


def _bits(own, made, tokens):
    """Bits per character by the weights that came, and by a table of which token follows which.

    The table is the best that there can be: it is counted in the text on which both are judged.
    """
    number = {token: index for index, token in enumerate(made["vocabulary"])}
    if any(token not in number for token in tokens):
        raise Mistake("your train_gpt: the vocabulary lacks tokens that encode returns")
    rows = len(tokens) // 31
    ids = torch.tensor([number[token] for token in tokens[: rows * 31]]).view(rows, 31)
    with torch.no_grad():
        logits = own(ids[:, :-1]).transpose(1, 2)
    nats = torch.nn.functional.cross_entropy(logits, ids[:, 1:], reduction="sum").item()
    counts = torch.zeros(len(number), len(number)).double()
    counts.index_put_((ids[:, :-1], ids[:, 1:]), torch.ones(()).double(), accumulate=True)
    table = -torch.xlogy(counts, counts / counts.sum(1, keepdim=True).clamp(min=1)).sum().item()
    characters = sum(len(tokens[i]) for i in range(rows * 31) if i % 31)
    return nats / math.log(2) / characters, table / math.log(2) / characters
