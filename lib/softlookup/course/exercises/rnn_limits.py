"""Checks for the exercises of the chapter on the limits of recurrence."""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.probes import draw_several, name_first, same
from softlookup.course.exercises.verdict import Mistake

# "b" is the last word and occurs twice, so it follows twice and is followed once.
_WORDS = ["a", "b", "c", "a", "c", "a", "c", "a", "b", "a", "b"]

_draw = partial(draw_several, seed=1)


@exercise(
    "rnn_limits",
    1,
    "write bigram_probabilities(words): for each word, the probabilities of the word after it.",
    "each word's probabilities sum to one: a language model, learned by counting.",
)
def check_bigram_probabilities(bigram_probabilities: Callable[..., Any]) -> None:
    """Check a table ``probabilities[word][next_word]`` of P(next word | word)."""
    answer = bigram_probabilities(list(_WORDS))
    pairs = Counter(itertools.pairwise(_WORDS))
    firsts, everywhere = Counter(_WORDS[:-1]), Counter(_WORDS)

    def table(value: Callable[[str, str, int], float]) -> dict[tuple[str, str], float]:
        return {pair: value(*pair, count) for pair, count in pairs.items()}

    try:
        given = {
            (word, after): float(p)
            for word, row in answer.items()
            for after, p in row.items()
            if float(p) != 0.0
        }
    except (AttributeError, TypeError, ValueError):
        raise Mistake(
            f"your answer is a {type(answer).__name__}; expected a dict of dicts, so that "
            "probabilities['the']['house'] is a number"
        ) from None

    def same(expected: dict[tuple[str, str], float]) -> bool:
        return given.keys() == expected.keys() and all(
            math.isclose(given[pair], expected[pair], abs_tol=1e-6) for pair in expected
        )

    if same(table(lambda word, after, n: n / firsts[word])):
        return
    if same({(after, word): n / firsts[word] for (word, after), n in pairs.items()}):
        raise Mistake("your table is indexed probabilities[next][word]: swap the two keys")
    if same(table(lambda word, after, n: n)):
        raise Mistake("your numbers are counts: divide each by how often its first word was met")
    if same(table(lambda word, after, n: n / len(_WORDS[1:]))):
        raise Mistake(
            "your numbers sum to one over the whole table: these are joint probabilities "
            "P(word, next); divide by the count of the first word, not by that of all pairs"
        )
    if same(table(lambda word, after, n: n / everywhere[word])):
        raise Mistake(
            "the last word of the text has no word after it, and you counted it as a first word: "
            "its probabilities sum to less than one"
        )
    around = Counter([*itertools.pairwise(_WORDS), (_WORDS[-1], _WORDS[0])])
    if same({pair: n / everywhere[pair[0]] for pair, n in around.items()}):
        raise Mistake(
            "your text wraps around: nothing follows its last word, and you let the first one "
            "follow it"
        )
    if same(table(lambda word, after, n: n / Counter(_WORDS[1:])[after])):
        raise Mistake(
            "your numbers sum to one for each next word: that is P(word | next), the model read "
            "backwards; divide by the count of the first word"
        )
    if given.keys() != pairs.keys():
        odd = min(given.keys() ^ pairs.keys())
        raise Mistake(f"your table and the text disagree on whether {odd[1]!r} follows {odd[0]!r}")
    raise Mistake(
        f"P(c | a) is {given['a', 'c']:.3f} in your table; in '{' '.join(_WORDS)}' the word 'a' "
        f"is followed {firsts['a']} times, {pairs['a', 'c']} of them by 'c'"
    )


@exercise(
    "rnn_limits",
    2,
    "write rnn_step(x, hidden, input_weights, state_weights, bias): the next state.",
    "that one line, in a loop, is the whole recurrent network.",
)
def check_rnn_step(rnn_step: Callable[..., Any]) -> None:
    """Check ``tanh(x W + h U + b)`` on tokens as rows."""
    # As wide as the state, a token does not betray swapped weights by its shape.
    x, hidden, weights_in, weights_state, bias = _draw((3, 7), (3, 7), (7, 7), (7, 7), (7,))
    before = x @ weights_in + hidden @ weights_state + bias
    answer = _tensor(rnn_step(x, hidden, weights_in, weights_state, bias), "the state")
    if not same(answer, torch.tanh(before)):
        _name_rnn_mistake(answer, x, hidden, weights_in, weights_state, bias)
    x, hidden, weights_in, weights_state, bias = _draw((3, 5), (3, 7), (5, 7), (7, 7), (7,))
    answer = _tensor(rnn_step(x, hidden, weights_in, weights_state, bias), "the state")
    if not same(answer, torch.tanh(x @ weights_in + hidden @ weights_state + bias)):
        raise Mistake(
            "your step is right when the token is as wide as the state, and wrong for tokens of "
            "width 5 and a state of width 7"
        )


def _name_rnn_mistake(
    answer: Tensor, x: Tensor, hidden: Tensor, w: Tensor, u: Tensor, bias: Tensor
) -> None:
    before = x @ w + hidden @ u + bias
    hypotheses = (
        (before, "there is no tanh: without it the state can grow without bound"),
        (torch.tanh(x @ w + bias), "your state forgets: hidden takes no part, so nothing recurs"),
        (torch.tanh(hidden @ u + bias), "your state never reads x: the token takes no part"),
        (
            torch.tanh(x @ u + hidden @ w + bias),
            "your two matrices are swapped: input_weights belong to x, state_weights to hidden",
        ),
        (torch.sigmoid(before), "you squash with a sigmoid; the plain network has a tanh"),
        (torch.tanh(x @ w + hidden @ u), "your step leaves the bias out"),
        (
            torch.tanh(x @ w.T + hidden @ u.T + bias),
            "your matrices are transposed: tokens are rows here, so write x @ input_weights",
        ),
        (
            torch.tanh(x @ w + bias) + torch.tanh(hidden @ u),
            "you squash token and state apart and add: first the sum, then one tanh over it",
        ),
        (
            torch.tanh(x @ w + bias) + hidden @ u,
            "your tanh covers the token only: first the sum, then one tanh over all of it",
        ),
        (
            torch.tanh(x @ w + hidden * u.diagonal() + bias),
            "hidden meets its weights by *, not by @",
        ),
    )
    name_first(answer, hypotheses)
    raise Mistake(
        "your state is not tanh(x W + h U + b): compare your line with the formula, term by term"
    )


@exercise(
    "rnn_limits",
    3,
    "write lstm_step(x, hidden, memory, input_weights, state_weights, bias): (hidden, memory).",
    "the forget gate alone decides how long the memory lasts.",
)
def check_lstm_step(lstm_step: Callable[..., Any]) -> None:
    """Check one LSTM step whose columns are input gate, forget gate, candidate, output gate."""
    x, hidden, memory, weights_in, weights_state, bias = _draw(
        (3, 5), (3, 7), (3, 7), (5, 28), (7, 28), (28,)
    )
    together = x @ weights_in + hidden @ weights_state + bias
    result = lstm_step(x, hidden, memory, weights_in, weights_state, bias)
    if not isinstance(result, Sequence) or len(result) != 2:
        raise Mistake("your step should return two tensors: the next hidden state, then the memory")
    new_hidden, new_memory = (_tensor(each, "the state") for each in result)
    sigmoid, tanh = torch.sigmoid, torch.tanh
    i, f, g, o = together.chunk(4, dim=-1)
    right = sigmoid(f) * memory + sigmoid(i) * tanh(g)
    if same(new_memory, right) and same(new_hidden, sigmoid(o) * tanh(right)):
        return
    if same(new_hidden, right):
        raise Mistake("you return the memory first: the order is hidden, memory")
    name_first(
        new_memory,
        (
            (
                memory + sigmoid(i) * tanh(g),
                "the forget gate is missing: memory is added to, and nothing ever fades",
            ),
            (
                sigmoid(i) * tanh(g),
                "the old memory is missing: every step begins anew",
            ),
            (
                sigmoid(i) * memory + sigmoid(f) * tanh(g),
                "your input and forget gates are swapped: the second quarter scales the memory",
            ),
            (
                sigmoid(f) * memory + sigmoid(i) * tanh(o),
                "your quarters are in the order input, forget, output, candidate: here the "
                "candidate is the third and the output gate the fourth",
            ),
            (
                tanh(f) * memory + tanh(i) * sigmoid(g),
                "your tanh and sigmoid are swapped: a gate is a sigmoid, from 0 to 1; the "
                "candidate is a tanh",
            ),
            (
                sigmoid(f) * memory + sigmoid(i) * sigmoid(g),
                "your candidate is squashed by a sigmoid: then memory can only be written upwards; "
                "take a tanh",
            ),
            (
                (1 - sigmoid(f)) * memory + sigmoid(i) * tanh(g),
                "your forget gate works the wrong way round: 1 means keep, in spite of its name",
            ),
            (
                sigmoid(f) * hidden + sigmoid(i) * tanh(g),
                "your forget gate scales hidden; it should scale memory",
            ),
        ),
    )
    if not same(new_memory, right):
        raise Mistake(
            "your memory is not forget * memory + input * candidate: print each gate and see "
            "that it lies between 0 and 1"
        )
    name_first(
        new_hidden,
        (
            (sigmoid(o) * right, "your hidden state shows the raw memory: show tanh(memory)"),
            (
                sigmoid(o) * tanh(memory),
                "your hidden state shows the memory of the step before: use the new one",
            ),
            (tanh(right), "the output gate is missing: hidden is output gate times tanh(memory)"),
        ),
    )
    raise Mistake("your memory is right, and hidden is not: it is output gate times tanh(memory)")


@exercise(
    "rnn_limits",
    4,
    "write jacobian_norms(step, inputs, initial): the norm of dh_T / dh_(T-k) for every lag k.",
    "the norms fall or grow by a factor a step: that factor is the reach of the network.",
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


def _norms(matrices: Sequence[Tensor]) -> Tensor:
    return torch.stack([torch.linalg.matrix_norm(matrix, 2) for matrix in matrices])


def _tensor(given: object, name: str) -> Tensor:
    if not isinstance(given, Tensor):
        raise Mistake(f"{name} that you return is a {type(given).__name__}; expected a tensor")
    return given
