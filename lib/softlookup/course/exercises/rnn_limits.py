"""Checks for the exercises of the chapter on the limits of recurrence."""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.judging import judge
from softlookup.course.exercises.language_models import LanguageModel, language_models
from softlookup.course.exercises.probes import draw_several, name_first, same
from softlookup.course.exercises.recurrent_gradient_slips import (
    chain,
    derivative,
    name_gradient_mistake,
)
from softlookup.course.exercises.verdict import Mistake

# In the first, the last two words stand before another word elsewhere; in the second, nowhere.
_TEXTS = (["a", "b", "c", "a", "c", "a", "c", "a", "b", "a", "b"], ["a", "b", "c", "a", "b", "d"])
_CONTEXTS = ("c a", "b c a", "a b", "a a b", "c b", "z a", "a z", "b d", "a", "")

_draw = partial(draw_several, seed=1)


@exercise(
    "rnn_limits",
    1,
    "write next_word_probabilities(words, context): a trigram model that falls back on shorter "
    "contexts.",
    "it says something sensible in every context: where the last two words were never seen, it "
    "falls back on the last one.",
)
def check_next_word_probabilities(next_word_probabilities: Callable[..., Any]) -> None:
    """Check P(next word | context) by counts of two words, of one where two were never met."""
    for text, context in itertools.product(_TEXTS, map(str.split, _CONTEXTS)):
        answer = next_word_probabilities(list(text), list(context))
        try:
            given = {word: float(p) for word, p in answer.items() if float(p) != 0.0}
        except (AttributeError, TypeError, ValueError):
            raise Mistake(
                f"your answer is a {type(answer).__name__}; expected a dict from each word that "
                "may come next to its probability"
            ) from None
        # What follows the last two words, the last one, and none at all.
        ways = [_followers(text, context[-n:] if n else []) for n in (2, 1, 0) if n <= len(context)]
        used = next(counts for counts in ways if counts)
        if not _alike(given, _shares(used)):
            raise Mistake(_misread(given, text, context, ways, used))


def _misread(
    given: dict[str, float],
    text: Sequence[str],
    context: Sequence[str],
    ways: Sequence[Counter[str]],
    used: Counter[str],
) -> str:
    """What is wrong with an answer that is not the right one."""
    asked = f"after '{' '.join(context)}' in '{' '.join(text)}'"
    if not given:
        return f"{asked} you give nothing: where the context was never met, fall back on a shorter"
    if _alike(given, used):
        return "your numbers are counts: divide each by how many words there were to count"
    if used is not ways[-1] and _alike(given, _shares(ways[-1])):
        return f"{asked} you fall back on all words at once: first ask the shorter context"
    if used is ways[0] and any(_alike(given, _shares(each)) for each in ways[1:]):
        return f"{asked} you looked at too few words: the last two were met, so they decide"
    n = len(context[-2:]) - next(at for at, each in enumerate(ways) if each is used)
    met = sum(list(text[i : i + n]) == list(context[-n:]) for i in range(len(text)))
    if n and met and _alike(given, {word: count / met for word, count in used.items()}):
        return (
            "the end of the text has no word after it, and you counted it as if it went on: "
            "your probabilities sum to less than one"
        )
    if abs(sum(given.values()) - 1) > 1e-6:
        return f"{asked} your probabilities sum to {sum(given.values()):.2f} and not to one"
    if len(context) > 2 and _alike(given, _shares(_followers(text, context) or ways[-1])):
        return f"{asked} only the last two words of the context count, however long it is"
    every = Counter(text)
    if _alike(given, _shares(used + Counter(every.keys()))):
        return f"{asked} you add one to every count: a word that never followed gets nothing"
    for i in (0, len(text) - n - 1):
        met_here = list(text[i : i + n]) == list(context[len(context) - n :])
        if met_here and _alike(given, _shares(used - Counter([text[i + n]]))):
            return f"{asked} you leave out the first or the last place of the text"
    if len(set(given.values())) == 1 and given.keys() == used.keys():
        return f"{asked} all words get the same: a word that followed more often is likelier"
    if any(count and given.keys() > count.keys() for count in ways[:-1]):
        return f"{asked} you mix contexts: the longest that was met decides alone"
    yours, ours = (
        ", ".join(f"{word} {each[word]:.2f}" for word in sorted(each))
        for each in (given, _shares(used))
    )
    return f"{asked} your probabilities are {yours}; expected {ours}"


def _followers(words: Sequence[str], context: Sequence[str]) -> Counter[str]:
    """Count the words that come right after the context."""
    n = len(context)
    return Counter(
        words[i + n] for i in range(len(words) - n) if list(words[i : i + n]) == list(context)
    )


def _shares(counts: Counter[str]) -> dict[str, float]:
    return {word: count / counts.total() for word, count in counts.items()}


def _alike(given: Mapping[str, float], expected: Mapping[str, float]) -> bool:
    return given.keys() == expected.keys() and all(
        math.isclose(given[word], expected[word], abs_tol=1e-6) for word in expected
    )


@exercise(
    "rnn_limits",
    2,
    "write recurrent_weight_gradient(w, u, inputs): dh_T / du, worked out on paper.",
    "the same weight is used at every step, so its gradient is a sum over the steps.",
)
def check_recurrent_weight_gradient(recurrent_weight_gradient: Callable[..., Any]) -> None:
    """Check dh_T / du for h_t = tanh(w x_t + u h_(t-1)) and h_0 = 0, at random numbers."""
    generator = torch.Generator().manual_seed(2)
    for length in (6, 2, 1, 11):
        w, u, *inputs = (0.9 * torch.randn(2 + length, generator=generator).double()).tolist()
        # What autograd would do is to be done on paper, so it records nothing here.
        with torch.inference_mode():
            try:
                answer = recurrent_weight_gradient(w, u, inputs)
            except RuntimeError as error:
                if "grad" not in str(error):
                    raise
                raise Mistake(
                    "autograd is switched off here: work the derivative out on paper, and enter "
                    "the formula"
                ) from None
        try:
            given = float(answer)
        except (TypeError, ValueError, RuntimeError):
            raise Mistake(
                f"your answer is a {type(answer).__name__}; expected one number, the sum over all "
                "steps"
            ) from None
        if not math.isclose(given, chain(w, u, inputs, derivative), rel_tol=1e-5, abs_tol=1e-7):
            name_gradient_mistake(given, w, u, inputs)


@exercise(
    "rnn_limits",
    3,
    "write open_forget_gate(lstm, bias): each forget gate, and nothing else, gets the bias.",
    "every forget gate starts where you set it, and the rest of the network as torch drew it.",
)
def check_open_forget_gate(open_forget_gate: Callable[..., Any]) -> None:
    """Check that torch's two biases of every forget gate add up to the one asked for."""
    torch.manual_seed(3)
    # Two layers and two directions, so that there are four forget gates; sizes that differ.
    lstm = torch.nn.LSTM(3, 5, num_layers=2, bidirectional=True)
    before = {name: each.detach().clone() for name, each in lstm.named_parameters()}
    bias = 2.5
    answer = open_forget_gate(lstm, bias)
    if answer is not lstm:
        raise Mistake("your function returns something else than the network it was given")
    after = {name: each.detach() for name, each in lstm.named_parameters()}
    changed = {name for name in before if not torch.equal(before[name], after[name])}
    if weights := sorted(name for name in changed if name.startswith("weight")):
        raise Mistake(f"you changed {weights[0]}: weights stay as torch drew them")
    _require_forget_quarters(before, after, changed, bias)


def _require_forget_quarters(
    before: dict[str, Tensor], after: dict[str, Tensor], changed: set[str], bias: float
) -> None:
    """Refuse other quarters than the second, and other sums than the bias."""
    gates = ("input gate", "forget gate", "candidate", "output gate")
    places = [name.removeprefix("bias_ih") for name in before if name.startswith("bias_ih")]
    if not changed:
        raise Mistake("no bias has changed: is what you wrote to a copy?")
    moved = {
        gate
        for name in changed
        for gate, old, new in zip(gates, before[name].chunk(4), after[name].chunk(4), strict=True)
        if not torch.equal(old, new)
    }
    if "forget gate" not in moved:
        raise Mistake(
            f"you set the {min(moved)}: torch stacks input, forget, candidate, output, so the "
            "forget gate is the second quarter"
        )
    if others := sorted(moved - {"forget gate"}):
        raise Mistake(f"the forget gate is set, and so is the {others[0]}, which should stay")
    for place in places:
        old = before[f"bias_ih{place}"].chunk(4)[1], before[f"bias_hh{place}"].chunk(4)[1]
        new = after[f"bias_ih{place}"].chunk(4)[1], after[f"bias_hh{place}"].chunk(4)[1]
        total = new[0] + new[1]
        if same(total, torch.full_like(total, bias)):
            continue
        if same(total, old[0] + old[1]):
            where = "the backward direction" if "reverse" in place else "the second layer"
            raise Mistake(
                f"{where} still has its old forget gate: there is one in each bias{place}"
            )
        if same(total, torch.full_like(total, 2 * bias)):
            raise Mistake(
                "torch adds two biases, bias_ih and bias_hh, and you set both: the gate starts at "
                "twice the bias"
            )
        if same(total, bias + old[0] + old[1]) or same(total, 2 * bias + old[0] + old[1]):
            raise Mistake("you add to the bias that torch drew; the sum of both is to be the bias")
        if same(total, bias + old[0]) or same(total, bias + old[1]):
            raise Mistake(
                "of torch's two biases you set one, and the other keeps its random numbers: "
                "together they do not make the bias"
            )
        wrong = (total - bias).abs() > 1e-4
        if not wrong.all():
            raise Mistake(
                f"of the {len(wrong)} units of bias{place} you set {len(wrong) - int(wrong.sum())}:"
                " a quarter is hidden_size long"
            )
        if same(total, torch.full_like(total, bias / 2)):
            raise Mistake("the two biases add up to half the bias: you halve it once too often")
        if same(total, torch.full_like(total, bias // 1)) or same(total, total * 0 + bias // 2 * 2):
            raise Mistake("your bias has lost its fraction: divide with / and not with //")
        raise Mistake(
            f"the two forget biases of bias{place} add up to {total[0]:.3f} at the first unit; "
            f"expected {bias}"
        )


@exercise(
    "rnn_limits",
    4,
    "write is_language_model(model): True if it gives every next word a probability, always.",
    "whatever it has read, a language model shares out exactly one, and the same way each time.",
)
def check_is_language_model(is_language_model: Callable[..., Any]) -> None:
    """Try a test of language models on six that are and twelve that are not."""
    words = ("check", "the", "battery", "log", "it", "ran", "down")
    honest, impostors = language_models(words)

    def test(answer: Callable[[Sequence[str]], Tensor]) -> object:
        return is_language_model(LanguageModel(words, answer))

    judge(test, honest, impostors)


@exercise(
    "rnn_limits",
    5,
    "write jacobian_norms(step, inputs, initial): the norm of dh_T / dh_(T-k) for every lag k.",
    "the norms fall or grow by a factor a step, and that factor tells how far back news can reach.",
)
def check_jacobian_norms(jacobian_norms: Callable[..., Any]) -> None:
    """Check the spectral norms of the products of one-step Jacobians, lag 0 first."""
    n_steps, d_input, d_hidden = 7, 5, 3
    inputs, initial, weights_in, weights_state = _draw(
        (n_steps, d_input), (d_hidden,), (d_input, d_hidden), (d_hidden, d_hidden)
    )

    def step(x: Tensor, hidden: Tensor) -> Tensor:
        return torch.tanh(0.5 * x @ weights_in + hidden @ weights_state)

    states = [initial]
    for x in inputs:
        states.append(step(x, states[-1]))
    one_step = [(1 - after**2)[:, None] * weights_state.T for after in states[1:]]
    of_input = [(1 - after**2)[:, None] * 0.5 * weights_in.T for after in states[1:]]
    identity = torch.eye(d_hidden, dtype=initial.dtype)
    through, reversed_through, forward_through = [identity], [identity], [identity]
    for jacobian in reversed(one_step):
        through.append(through[-1] @ jacobian)
        reversed_through.append(jacobian @ reversed_through[-1])
    # The slope of each step at the state that it ends in.
    after_through = [identity]
    for x, after in reversed(list(zip(inputs, states[1:], strict=True))):
        jacobian = (1 - step(x, after) ** 2)[:, None] * weights_state.T
        after_through.append(after_through[-1] @ jacobian)
    for jacobian in one_step:
        forward_through.append(jacobian @ forward_through[-1])

    result = jacobian_norms(step, inputs, initial)
    answer = _tensor(result if isinstance(result, Tensor) else torch.tensor(result), "the norms")
    spectral = _norms(through)
    if answer.shape == spectral.shape and same(answer, spectral):
        return
    if answer.shape != spectral.shape and same(answer, spectral[1:]):
        raise Mistake(
            "your norms begin at lag 1; at lag 0 dh_T / dh_T is the identity: begin there"
        )
    if answer.shape != spectral.shape and same(answer, spectral[:-1]):
        raise Mistake("your norms stop before the initial state: its lag is the number of inputs")
    if answer.shape != spectral.shape:
        raise Mistake(
            f"you return {tuple(answer.shape)} numbers for {n_steps} inputs; expected "
            f"{n_steps + 1}, the lags 0 to {n_steps}"
        )
    by_input = [product @ j for product, j in zip(through, reversed(of_input), strict=False)]
    name_first(
        answer,
        (
            (spectral.flip(0), "your norms are in the order of time: lag 0 comes first, h_0 last"),
            (
                torch.stack([product.sum() for product in through]),
                "you sum the Jacobian's entries: they cancel; take a norm",
            ),
            (
                torch.stack([product.norm() for product in through]),
                "yours is the Frobenius norm, √d at lag 0: take the spectral norm, "
                "torch.linalg.matrix_norm(J, 2)",
            ),
            (
                torch.cat([spectral[:1], _norms([*one_step[::-1]])]),
                "each of your norms is that of one step alone: multiply the Jacobians on the way",
            ),
            (
                torch.cumprod(torch.cat([spectral[:1], _norms([*one_step[::-1]])]), 0),
                "you multiply norms: that is a bound and not the norm; multiply the matrices",
            ),
            (
                _norms(after_through),
                "each Jacobian is taken at the state after its step: step t goes from h_(t-1) to "
                "h_t, so differentiate it at h_(t-1), the state that it starts from",
            ),
            (spectral.square(), "yours is the square of the norm, the largest eigenvalue of JᵀJ"),
            (
                torch.stack([torch.linalg.svdvals(product)[-1] for product in through]),
                "yours is the smallest singular value: the spectral norm is the largest",
            ),
            (
                torch.stack([torch.linalg.eigvals(product).abs().max() for product in through]),
                "yours is the largest eigenvalue: the norm is the largest singular value",
            ),
            (
                torch.stack([torch.linalg.matrix_norm(each, math.inf) for each in through]),
                "yours is the largest sum of a row: take the spectral norm, with 2 as its order",
            ),
            (
                torch.stack([torch.linalg.matrix_norm(each, 1) for each in through]),
                "yours is the largest sum of a column: take the spectral norm, with 2 as its order",
            ),
            (
                torch.stack([_norms([identity])[0], *_norms(_by_entries(one_step))]),
                "you multiply entry by entry with *: the chain rule multiplies matrices, with @",
            ),
            (
                _norms(_in_turn(one_step)),
                "you multiply from the first step on: begin with the last, and walk back",
            ),
            (
                _norms(reversed_through),
                "your matrices are multiplied in the wrong order: the chain rule puts the later "
                "step on the left",
            ),
            (
                _norms(forward_through),
                "yours is dh_k / dh_0: you move the end of the path; keep h_T, move the beginning",
            ),
        ),
    )
    if same(answer[:-1], _norms(by_input)) or same(answer[1:], _norms(by_input)):
        raise Mistake("you differentiate by the input of each step: differentiate by its state")
    raise Mistake(
        "your norms are not those of dh_T / dh_(T-k): at lag 1 it is the Jacobian of the last "
        "step, at lag 2 the last times the one before"
    )


def _by_entries(jacobians: Sequence[Tensor]) -> list[Tensor]:
    """What comes of the identity if each Jacobian is multiplied entry by entry, the last first."""
    start = torch.eye(len(jacobians[0]), dtype=jacobians[0].dtype)
    return [*itertools.accumulate([start, *reversed(jacobians)], torch.mul)][1:]


def _in_turn(jacobians: Sequence[Tensor]) -> list[Tensor]:
    """The products with each new Jacobian on the right, the first step first."""
    start = torch.eye(len(jacobians[0]), dtype=jacobians[0].dtype)
    return [*itertools.accumulate([start, *jacobians], torch.matmul)]


def _norms(matrices: Sequence[Tensor]) -> Tensor:
    return torch.stack([torch.linalg.matrix_norm(matrix, 2) for matrix in matrices])


def _tensor(given: object, name: str) -> Tensor:
    if not isinstance(given, Tensor):
        raise Mistake(f"{name} that you return is a {type(given).__name__}; expected a tensor")
    return given
