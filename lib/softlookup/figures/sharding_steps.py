"""From data parallelism to full sharding in three steps: who holds what, and what is sent.

A worker's bar is what it holds of each parameter, in bytes of float32. The chapter on training past
one machine draws it before it shards a model in the last of these ways.
"""

from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from softlookup.figures import style

WORKERS = 4


@dataclass(frozen=True)
class Part:
    """Something that a training keeps for each parameter.

    Attributes:
        name: what it is.
        size: its bytes for each parameter.
        colour: in which it is drawn.
    """

    name: str
    size: int
    colour: str


PARTS = (
    Part("weight", 4, style.BLUE),
    Part("gradient", 4, style.ORANGE),
    Part("Adam's averages", 8, style.PURPLE),
)


@dataclass(frozen=True)
class ShardingStep:
    """A way to share a training.

    Attributes:
        name: what it is called.
        divided: how many of ``PARTS`` are divided, counted from the last.
    """

    name: str
    divided: int

    def held(self, place: int) -> float:
        """The bytes for each parameter that a worker holds of the part at this place."""
        is_divided = place >= len(PARTS) - self.divided
        return PARTS[place].size / (WORKERS if is_divided else 1)

    @property
    def total(self) -> float:
        """The bytes for each parameter that a worker holds."""
        return sum(self.held(place) for place in range(len(PARTS)))

    @property
    def sends(self) -> float:
        """What a worker sends in a step, in copies of the weights, round a ring.

        Half an all-reduce of the gradients, half of one of the weights; a second gathering where
        the weights are divided, since they are borrowed forwards and backwards.
        """
        halves = 3 if self.divided == len(PARTS) else 2
        return halves * (WORKERS - 1) / WORKERS


STEPS = (
    ShardingStep("data parallel", 0),
    ShardingStep("ZeRO-1: averages", 1),
    ShardingStep("ZeRO-2: gradients, too", 2),
    ShardingStep("ZeRO-3: weights, too", 3),
)


def sharding_steps(axes: Axes, *, title: str) -> None:
    """Draw what each of four workers holds of a parameter's bytes, and sends, in each of four ways.

    Args:
        axes: where to draw.
        title: what is seen, as a sentence.
    """
    whole = sum(part.size for part in PARTS)
    for group, step in enumerate(STEPS):
        left = 5.4 * group
        for worker in range(WORKERS):
            bottom = 0.0
            for place, part in enumerate(PARTS):
                held = step.held(place)
                own = bottom + (worker * held if held < part.size else 0)
                for low, height, is_held in ((bottom, part.size, False), (own, held, True)):
                    axes.add_patch(
                        Rectangle(
                            (left + worker, low),
                            0.9,
                            height,
                            facecolor=part.colour if is_held else style.PAPER,
                            edgecolor=part.colour,
                            linewidth=0.6,
                        )
                    )
                bottom += part.size
            axes.text(
                left + worker + 0.45,
                -0.9,
                str(worker),
                ha="center",
                fontsize=8.5,
                color=style.MUTED,
            )
        middle = left + WORKERS / 2 - 0.05
        axes.text(middle, whole + 1.6, step.name, ha="center", fontsize=9)
        words = f"{step.total:g} bytes"
        axes.text(middle, whole + 0.5, words, ha="center", fontsize=9.5, fontweight="bold")
        axes.text(middle, -2.4, f"{step.sends:g} copies", ha="center", fontsize=9.5)
    bottom = 0.0
    for part in PARTS:
        words = part.name.replace(" ", "\n") + f":\n{part.size} bytes"
        middle = bottom + part.size / 2
        axes.text(-0.4, middle, words, ha="right", va="center", color=part.colour)
        bottom += part.size
    axes.text(-0.4, -0.9, "worker", ha="right", fontsize=8.5, color=style.MUTED)
    axes.text(-0.4, -2.4, "sent a step", ha="right", fontsize=9.5)
    axes.set(xlim=(-3.2, 5.4 * (len(STEPS) - 1) + WORKERS + 0.2), ylim=(-2.7, whole + 2.6))
    axes.set_axis_off()
    axes.set_title(title)
