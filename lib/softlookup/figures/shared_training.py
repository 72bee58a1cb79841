"""What workers who share a training send: round a ring, for a product in two, in a step's time.

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
_GROWN = "#f0c79b"  # a sum that grew in this round


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

    What a worker sends next is outlined, and an arrow leads to where it arrives. What has arrived
    is filled, dark if the sum is complete.

    Args:
        axes: where to draw.
        title: what is seen, as a sentence.
    """
    states = ring_states(np.array(HELD, dtype=float))
    complete, workers, pitch = np.sum(HELD, axis=0), len(HELD), 1.55
    for row, state in enumerate(states):
        height = -pitch * row
        words = f"round {row}" if row else "at first"
        axes.text(-0.35, height, words, ha="right", va="center", color=style.MUTED)
        for worker, numbers in enumerate(state):
            for part, number in enumerate(numbers):
                new = row > 0 and number != states[row - 1][worker, part]
                done = number == complete[part]
                filled = (style.ORANGE if done else _GROWN) if new else style.PAPER
                _cell(axes, (4 * worker + part, height), float(number), filled)
                if done and not new:
                    _outline(axes, (4 * worker + part, height), style.ORANGE)
            if row < len(states) - 1:
                part = (worker - row) % workers
                _outline(axes, (4 * worker + part, height), style.INK)
                start, drop = 4 * worker + part + 0.5, pitch - 1
                ends = [(start, height - 0.5), (start + 4, height - 0.5 - drop)]
                if worker < workers - 1:
                    style.arrow(axes, ends[0], ends[1], style.ORANGE)
                else:  # the last one's neighbour is the first: out on the right, in on the left
                    edge = 4 * workers - 0.4
                    out = height - 0.5 - drop * (edge - start) / 4
                    axes.plot((start, edge), (ends[0][1], out), color=style.ORANGE, linewidth=1.4)
                    enters = (edge - 4 * workers, out)
                    style.arrow(axes, enters, (start + 4 - 4 * workers, ends[1][1]), style.ORANGE)
    for worker in range(workers):
        axes.text(4 * worker + 1.5, 0.75, f"worker {worker}", ha="center", color=style.MUTED)
    for first, words in ((1, "sums grow:\nreduce-scatter"), (3, "sums go round:\nall-gather")):
        ends_of_brace = (0.4 - pitch * first, -0.4 - pitch * (first + 1))
        axes.plot((-2.35, -2.35), ends_of_brace, color=style.MUTED, linewidth=1.2)
        axes.text(
            -2.55,
            sum(ends_of_brace) / 2,
            words,
            rotation=90,
            ha="right",
            va="center",
            fontsize=9,
            linespacing=1.4,
        )
    axes.set(xlim=(-4.4, 12), ylim=(-pitch * (len(states) - 1) - 0.6, 1.3))
    axes.set_axis_off()
    axes.set_title(title)


def _outline(axes: Axes, at: tuple[float, float], colour: str) -> None:
    axes.add_patch(
        Rectangle(
            (at[0] + 0.05, at[1] - 0.45),
            0.9,
            0.9,
            facecolor="none",
            edgecolor=colour,
            linewidth=2,
            zorder=3,
        )
    )


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
    axes.text(14.8, -4.25, "=", ha="center", va="center", fontsize=14, color=style.GREEN)
    for place, number in enumerate(inner[0] @ np.array(TO_OUTPUT)):
        _cell(axes, (15.5 + place, -4.25), float(number), style.GREEN)
    axes.text(16.5, -5.05, "one all-reduce", ha="center", va="top", color=style.GREEN)
    axes.text(7, -4.25, "nothing sent", ha="center", va="center", color=style.MUTED)
    axes.set(xlim=(-3.2, 18.6), ylim=(-6.7, 1.6), aspect="equal")
    axes.set_axis_off()
    axes.set_title(title)


def sends_in_time(buckets: int, backward: float, sends: float) -> list[tuple[float, float]]:
    """When each bucket's send begins and ends: once its gradients are there and the link is free.

    Args:
        buckets: how many, each of as many blocks.
        backward: how long the backward pass lasts, from time 0 on.
        sends: how long all sends last together.
    """
    placed, free = [], 0.0
    for bucket in range(buckets):
        begins = max((bucket + 1) * backward / buckets, free)
        free = begins + sends / buckets
        placed.append((begins, free))
    return placed


def step_in_buckets(axes: Axes, buckets: int, backward: float, sends: float, *, title: str) -> None:
    """Draw a backward pass in its parts, and beneath it the sends, with what sticks out.

    Args:
        axes: where to draw.
        buckets: how many.
        backward: how long the backward pass lasts.
        sends: how long all sends last together.
        title: what is seen, as a sentence.
    """
    block, queues = backward / buckets, sends > backward
    lanes = {
        style.BLUE: [(i * block, (i + 1) * block) for i in range(buckets)],
        style.ORANGE: sends_in_time(buckets, backward, sends),
    }
    for lane, (colour, placed) in enumerate(lanes.items()):
        for bucket, (begins, ends) in enumerate(placed):
            # Of a send, what is hidden behind the backward pass is pale.
            hidden = begins if lane == 0 else min(max(begins, backward), ends)
            for left, right, alpha in ((begins, hidden, 0.35), (hidden, ends, 1.0)):
                axes.barh(lane, right - left, left=left, color=colour, alpha=alpha, linewidth=0)
            axes.barh(
                lane, ends - begins, left=begins, fill=False, edgecolor=style.PAPER, linewidth=1.5
            )
            middle = (begins + ends) / 2
            ink = style.INK if hidden > middle else style.PAPER
            axes.text(middle, lane, str(bucket + 1), ha="center", va="center", color=ink)
    arrived = lanes[style.ORANGE][-1][1]
    axes.plot([backward, backward], [-0.5, 2.1], color=style.INK, linestyle=":", linewidth=1.2)
    style.arrow(axes, (0.0, -0.62), (backward, -0.62), style.MUTED)
    axes.text(backward / 2, -0.68, "$t$", ha="center", va="bottom", fontsize=11)
    if queues:
        axes.text(block - 0.08, 1, "opens\nat $t/k$", ha="right", va="center", fontsize=9)
    style.arrow(axes, (backward, 1.75), (arrived, 1.75), style.INK)
    shown = f"exposed: {arrived - backward:g}"
    axes.text(arrived + 0.1, 1.75, shown if queues else f"{shown}, which is $s/k$", va="center")
    axes.set_yticks([0, 1], ["backward pass", "sends"])
    axes.set(ylim=(2.3, -1.05), title=title)
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
