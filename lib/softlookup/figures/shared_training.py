"""What workers who share a training send: a ring's rounds, a product in two, a step's sums in time.

The numbers are small enough to be followed by hand. The chapter on training past one machine draws
them before it counts and times the same things.
"""

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from softlookup.figures import style

HELD = ((1, 2, 3), (10, 20, 30), (100, 200, 300))  # by worker and part
# One token's two numbers, two inner units, and a nonlinearity that cuts off what is below zero.
TOKEN, TO_INNER, TO_OUTPUT = ((1, 2),), ((1, 3), (1, -1)), ((2, 1), (5, 4))


def ring_states(
    held: Float[np.ndarray, "workers workers"],
) -> list[Float[np.ndarray, "workers workers"]]:
    """What each worker holds of each part at first, and after each round of a ring all-reduce.

    Args:
        held: at first, a row for each worker and a column for each part.

    Returns:
        One table more than there are rounds.
    """
    states, workers = [np.array(held)], len(held)
    for turn in range(2 * (workers - 1)):
        before, after = states[-1], states[-1].copy()
        for worker in range(workers):
            part, right = (worker - turn) % workers, (worker + 1) % workers
            added = before[right, part] if turn < workers - 1 else 0
            after[right, part] = before[worker, part] + added
        states.append(after)
    return states


def ring_rounds(axes: Axes, *, title: str) -> None:
    """Draw three workers in a ring, with what each holds at first and after each round.

    What a worker sends next is outlined.

    Args:
        axes: where to draw.
        title: what is seen, as a sentence.
    """
    states = ring_states(np.array(HELD, dtype=float))
    complete = np.sum(HELD, axis=0)
    for row, state in enumerate(states):
        words = f"round {row}" if row else "at first"
        axes.text(-0.35, -row, words, ha="right", va="center", color=style.MUTED)
        for worker, numbers in enumerate(state):
            for part, number in enumerate(numbers):
                new = row > 0 and number != states[row - 1][worker, part]
                done = number == complete[part]
                filled = style.ORANGE if done else "#f0c79b" if new else style.PAPER
                _cell(axes, (4 * worker + part, -row), float(number), filled)
            if row < len(states) - 1:
                sent = (worker - row) % len(state)
                corner = (4 * worker + sent + 0.05, -row - 0.45)
                axes.add_patch(
                    Rectangle(
                        corner,
                        0.9,
                        0.9,
                        facecolor="none",
                        edgecolor=style.INK,
                        linewidth=2,
                        zorder=3,
                    )
                )
            if row:
                # What came in: from the left neighbour, or round the ring's end.
                start = 4 * worker - (1.05 if worker else 0.3)
                style.arrow(axes, (start, 0.5 - row), (4 * worker - 0.02, 0.2 - row), style.ORANGE)
    for worker in range(len(HELD)):
        axes.text(4 * worker + 1.5, 0.62, f"worker {worker}", ha="center", color=style.MUTED)
    axes.set(xlim=(-2.1, 11.2), ylim=(-len(states) + 0.4, 1))
    axes.set_axis_off()
    axes.set_title(title)


def product_in_two(axes: Axes, *, title: str) -> None:
    """Draw a network of two inner units whole, and as two workers share it.

    Args:
        axes: where to draw.
        title: what is seen, as a sentence.
    """
    inner = np.maximum(np.array(TOKEN) @ TO_INNER, 0)
    columns = (("$X$", 0), ("$U$", 3), (r"$\phi(XU)$", 6), ("$V$", 9), ("gives", 12))
    for words, left in columns:
        axes.text(left + 1, 0.75, words, ha="center", va="bottom")
    everyone = (("one process", (0, 1)), ("worker 0", (0,)), ("worker 1", (1,)))
    for row, (name, units) in enumerate(everyone):
        bottom = -2.5 * row
        axes.text(-0.4, bottom - 0.5, name, ha="right", va="center", color=style.MUTED)
        for place, number in enumerate(TOKEN[0]):
            _cell(axes, (place, bottom - 0.5), number, style.MUTED)
        for unit in range(2):
            mine = unit in units
            for place in range(2):
                _cell(axes, (3 + unit, bottom - place), TO_INNER[place][unit], style.BLUE, mine)
                _cell(axes, (9 + place, bottom - unit), TO_OUTPUT[unit][place], style.BLUE, mine)
            _cell(axes, (6 + unit, bottom - 0.5), float(inner[0, unit]), style.GREEN, mine)
        part = inner[0, list(units)] @ np.array(TO_OUTPUT)[list(units)]
        for place, number in enumerate(part):
            _cell(axes, (12 + place, bottom - 0.5), float(number), style.GREEN)
    axes.text(13, -4.25, "+", ha="center", va="center", fontsize=14, color=style.GREEN)
    axes.text(14.3, -4.25, "as in one\nprocess", va="center", color=style.GREEN)
    axes.set(xlim=(-3.2, 17.2), ylim=(-6.7, 1.6), aspect="equal")
    axes.set_axis_off()
    axes.set_title(title)


def sums_in_time(buckets: int, backward: float, sums: float) -> list[tuple[float, float]]:
    """When each bucket's sum begins and ends: once its gradients are there and the link is free.

    Args:
        buckets: how many, each of as many blocks.
        backward: how long the backward pass lasts, from time 0 on.
        sums: how long all sums last together.
    """
    placed, free = [], 0.0
    for bucket in range(buckets):
        begins = max((bucket + 1) * backward / buckets, free)
        free = begins + sums / buckets
        placed.append((begins, free))
    return placed


def step_in_buckets(axes: Axes, buckets: int, backward: float, sums: float, *, title: str) -> None:
    """Draw a backward pass in its parts, and beneath it the sums, with what sticks out.

    Args:
        axes: where to draw.
        buckets: how many.
        backward: how long the backward pass lasts.
        sums: how long all sums last together.
        title: what is seen, as a sentence.
    """
    block = backward / buckets
    lanes = {
        style.BLUE: [(i * block, (i + 1) * block) for i in range(buckets)],
        style.ORANGE: sums_in_time(buckets, backward, sums),
    }
    for lane, (colour, placed) in enumerate(lanes.items()):
        for bucket, (begins, ends) in enumerate(placed):
            # Of a sum, what is hidden behind the backward pass is pale.
            hidden = begins if lane == 0 else min(max(begins, backward), ends)
            for left, right, alpha in ((begins, hidden, 0.5), (hidden, ends, 1.0)):
                axes.barh(lane, right - left, left=left, color=colour, alpha=alpha, linewidth=0)
            axes.barh(
                lane, ends - begins, left=begins, fill=False, edgecolor=style.PAPER, linewidth=1.5
            )
            middle = (begins + ends) / 2
            axes.text(middle, lane, str(bucket + 1), ha="center", va="center", color=style.PAPER)
    arrived = lanes[style.ORANGE][-1][1]
    axes.plot([backward, backward], [-0.5, 2.1], color=style.INK, linestyle=":", linewidth=1.2)
    style.arrow(axes, (backward, 1.75), (arrived, 1.75), style.INK)
    axes.text(arrived + 0.1, 1.75, f"exposed: {arrived - backward:g}", va="center")
    axes.set_yticks([0, 1], ["backward pass", "sends"])
    axes.set(ylim=(2.3, -0.6), title=title)
    axes.grid(visible=False)


def _cell(
    axes: Axes, at: tuple[float, float], number: float, colour: str, held: bool = True
) -> None:
    """A square with a number in it, or an empty one where it is not held."""
    left, middle = at
    dark = colour in style.PALETTE or colour == style.MUTED
    axes.add_patch(
        Rectangle(
            (left, middle - 0.5),
            1,
            1,
            facecolor=colour if held else style.PAPER,
            edgecolor=style.PAPER if held and dark else colour if dark else style.MUTED,
            linewidth=0.7,
        )
    )
    if held:
        ink = style.PAPER if dark else style.INK
        axes.text(left + 0.5, middle, f"{number:g}", ha="center", va="center", color=ink)
