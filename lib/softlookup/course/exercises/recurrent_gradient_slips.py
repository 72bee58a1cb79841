"""What goes wrong in the derivative of a recurrent network by its recurrent weight."""

import math
from collections.abc import Callable, Sequence

from softlookup.course.exercises.verdict import Mistake

# One step of the derivative: from w, u, the input, the old state, the new one and the derivative
# so far to the derivative after the step.
Step = Callable[[float, float, float, float, float, float], float]


def derivative(w: float, u: float, x: float, old: float, new: float, so_far: float) -> float:
    """dh_t / du after a step, from that before it (the arguments are those of ``Step``)."""
    return (1 - new**2) * (old + u * so_far)


def chain(w: float, u: float, inputs: Sequence[float], step: Step) -> float:
    """What a step of a derivative comes to at the end of the sequence."""
    state, so_far = 0.0, 0.0
    for x in inputs:
        new = math.tanh(w * x + u * state)
        state, so_far = new, step(w, u, x, state, new, so_far)
    return so_far


_GRADIENT_MISTAKES: tuple[tuple[Step, str], ...] = (
    (
        lambda w, u, x, old, new, so_far: (1 - new**2) * old,
        "yours is the last step's share alone: h_(T-1) depends on u as well, and so on back to h_1",
    ),
    (
        lambda w, u, x, old, new, so_far: old + u * so_far,
        "your formula has no slope of the tanh: each step multiplies by 1 - h_t²",
    ),
    (
        lambda w, u, x, old, new, so_far: (1 - new**2) * old + u * so_far,
        "the slope of the tanh stands only where u is used: on the way back every step has one too",
    ),
    (
        lambda w, u, x, old, new, so_far: old + u * (1 - new**2) * so_far,
        "the slope of the tanh is missing where u is used: it stands only on the way back",
    ),
    (
        lambda w, u, x, old, new, so_far: (1 - old**2) * (old + u * so_far),
        "your slope is taken at the state before: it is 1 - h_t², with the state after the step",
    ),
    (
        lambda w, u, x, old, new, so_far: (1 - math.tanh(new) ** 2) * (old + u * so_far),
        "your slope takes the tanh of a state; h_t is a tanh already, so the slope is 1 - h_t²",
    ),
    (
        lambda w, u, x, old, new, so_far: (1 - new) * (old + u * so_far),
        "your slope is 1 - h_t; the derivative of tanh is 1 - tanh², with a square",
    ),
    (
        lambda w, u, x, old, new, so_far: (1 + new**2) * (old + u * so_far),
        "your slope is 1 + h_t²; the derivative of tanh is 1 - tanh², with a minus",
    ),
    (
        lambda w, u, x, old, new, so_far: (1 - (w * x + u * old) ** 2) * (old + u * so_far),
        "your slope squares what goes into the tanh; it is 1 - h_t², with what comes out",
    ),
    (
        lambda w, u, x, old, new, so_far: new * (1 - new) * (old + u * so_far),
        "your slope is that of a sigmoid, h (1 - h); the tanh's is 1 - h²",
    ),
    (
        lambda w, u, x, old, new, so_far: (1 - new**2) * (new + u * so_far),
        "u is multiplied by the state before the step, h_(t-1), and you took the one after it",
    ),
    (
        lambda w, u, x, old, new, so_far: (1 - new**2) * (x + u * so_far),
        "that is dh_T / dw: u is multiplied by the state, and w by the input",
    ),
    (
        lambda w, u, x, old, new, so_far: (1 - new**2) * (old + so_far),
        "on the way back from a state to the one before, a factor u is missing",
    ),
    (
        lambda w, u, x, old, new, so_far: (1 - new**2) * (old + w * so_far),
        "on the way back you multiply by w: from state to state it is u",
    ),
    (
        lambda w, u, x, old, new, so_far: so_far + (1 - new**2) * old,
        "you add what the steps give without sending it on: a share of step t still has to pass "
        "through steps t + 1 to T",
    ),
)


def name_gradient_mistake(given: float, w: float, u: float, inputs: Sequence[float]) -> None:
    """Say which mistake gives this number."""

    def found(value: float) -> bool:
        return math.isclose(given, value, rel_tol=1e-5, abs_tol=1e-7)

    for step, words in _GRADIENT_MISTAKES:
        if found(chain(w, u, inputs, step)):
            raise Mistake(words)
    shares = [chain(w, u, inputs[:end], derivative) for end in range(1, len(inputs) + 1)]
    if found(sum(shares)):
        raise Mistake("you add up dh_t / du over all states; only the last state is asked for")
    if found(shares[-1] / len(inputs)):
        raise Mistake("you divide by the number of steps: the shares are added, not averaged")
    if found(len(inputs) * chain(w, u, inputs, _GRADIENT_MISTAKES[0][0])):
        raise Mistake("you count the last step's share T times: each step has a share of its own")
    if found(-shares[-1]):
        raise Mistake("your number has the wrong sign: nothing in the chain is subtracted")
    states = [0.0]
    for x in inputs:
        states.append(math.tanh(w * x + u * states[-1]))
    if found(math.prod(u * (1 - state**2) for state in states[1:])):
        raise Mistake(
            "that is dh_T / dh_0, the chain alone: u is used at every step, so there is "
            "a chain from each"
        )
    if found(states[-1]):
        raise Mistake("that is h_T itself; its derivative with respect to u is asked for")
    raise Mistake(
        f"for w = {w:.3f}, u = {u:.3f} and inputs {[round(x, 2) for x in inputs]} yours is "
        f"{given:.4f}, and the slope of h_T in u is {shares[-1]:.4f}: begin with one step, then two"
    )
