"""Checks for the exercises of the chapter on open questions."""

from collections.abc import Callable, Sequence

import torch
import torch.nn.functional as F
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.probes import draw, name_first, require_tensor, same
from softlookup.course.exercises.verdict import Mistake
from softlookup.layers.blocks import BlockConfig
from softlookup.layers.stacks import Stack
from softlookup.layers.visibility import CAUSAL

QUERIES, KEYS = 7, 11

Stream = Callable[[Tensor], Tensor]


@exercise(
    "open_questions",
    1,
    "return relu(scores) as shares of the keys that the mask allows.",
    "shares of what scores above zero, and zeros where nothing does.",
)
def check_normalized_relu(normalized_relu: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Check normalised ReLU weights under a mask."""
    scores = draw(3, QUERIES, KEYS, seed=15)
    mask = draw(3, QUERIES, KEYS, seed=16) > -0.5
    # First no row is empty, so that what is wrong everywhere is named before what is wrong there.
    scores[..., 3], mask[..., 3] = scores[..., 3].abs() + 0.1, True
    shape = tuple(scores.shape)

    def shares(kept: Tensor, over: int = -1) -> Tensor:
        total = kept.sum(dim=over, keepdim=True)
        return kept / total.masked_fill(total == 0, 1.0)

    kept = F.relu(scores) * mask
    right = shares(kept)
    got = require_tensor(normalized_relu(scores, mask), shape, "your weights").double()
    name_first(
        got,
        [
            (
                shares(F.relu(scores)) * mask,
                "you mask after dividing, so hidden keys are still counted in the sum, and your "
                "rows fall short of one. Mask first, then divide",
            ),
            (
                shares(F.relu(scores)),
                "your forbidden keys have weight: the mask is not used",
            ),
            (
                shares(F.relu(scores) * ~mask),
                "your mask is inverted: True = may look",
            ),
            (
                shares(kept, over=-2),
                "your weights are shares over the queries; each row, over the keys, sums to one",
            ),
            (
                kept / mask.sum(-1, keepdim=True).clamp(min=1),
                "you divide by the number of keys; that is the plain ReLU form. Shares are "
                "divided by their own sum",
            ),
            (kept, "your weights are not divided by anything, so no row is a share"),
            (
                scores.masked_fill(~mask, float("-inf")).softmax(-1).nan_to_num(),
                "your weights are those of softmax; here no exponential is taken",
            ),
            (
                shares(scores * mask),
                "some of your weights are below zero: apply the ReLU before you divide",
            ),
            (
                shares(scores.abs() * mask),
                "your scores below zero count as if they were above: a ReLU is no absolute value",
            ),
        ],
    )
    if not same(got, right):
        raise Mistake("your weights are not relu(scores), hidden where forbidden, over their sum")
    if not same(normalized_relu(scores / 100, mask).double(), right):
        raise Mistake(
            "with scores a hundredth as large your rows no longer sum to one: divide by the sum "
            "itself, however small; only a sum of zero needs another divisor"
        )
    hopeless = scores.clone()
    hopeless[1, 2] = -hopeless[1, 2].abs()
    emptied = mask.clone()
    emptied[2, 3] = False
    leaf = hopeless.clone().requires_grad_()
    got = normalized_relu(leaf, emptied)
    if not got.isfinite().all():
        raise Mistake(
            "a row without any score above zero comes out as NaN: there the sum is zero, and "
            "zero over zero is not a number. Such a row should be zeros"
        )
    if not same(got.detach(), shares(F.relu(hopeless) * emptied)):
        raise Mistake("a row without any score above zero should be all zeros")
    (got**2).sum().backward()
    if leaf.grad is None or not leaf.grad.isfinite().all():
        raise Mistake(
            "your weights are right and their gradients are NaN: dividing by zero and repairing "
            "the result leaves the division's gradient. Change the divisor before you divide"
        )


@exercise(
    "open_questions",
    2,
    "return another text that one causal layer cannot tell from this one at its last token.",
    "two texts, one bag: a single causal layer without positions gives both the same last output.",
)
def check_blind_twin(blind_twin: Callable[[Tensor], Tensor]) -> None:
    """Check a text whose last output in one causal layer is that of another text."""
    texts = (
        *([3, 1, 4, 1, 5, 9, 2], [7, 7, 7, 2, 7, 7, 7], [6, 0, 6]),
        # Backwards, or in order, these are what they were.
        *([1, 2, 2, 1, 5], [2, 4, 6, 8, 1], [8, 6, 4, 2, 1]),
    )
    torch.manual_seed(15)
    block = BlockConfig(16, 2, 32)
    layer, table = Stack(1, block).double(), draw(10, 16, seed=17)

    def last(tokens: Tensor) -> Tensor:
        with torch.no_grad():
            return layer(table[tokens][None], CAUSAL)[0, -1]

    for listed in texts:
        text = torch.tensor(listed)
        got = blind_twin(text)
        if not isinstance(got, Tensor):
            raise Mistake(f"your function returned {type(got).__name__}; a tensor is expected")
        if got.shape != text.shape:
            raise Mistake(
                f"your text has {got.numel()} tokens and the given one {text.numel()}; with "
                "another length the averages are others"
            )
        twin = got.long()
        if torch.equal(twin, text):
            raise Mistake(
                f"your twin of {listed} is the same text: two equal tokens have changed places, "
                "or none have"
            )
        if twin[-1] != text[-1]:
            raise Mistake(
                "your twin ends in another token: the last one asks the question, and must stay"
            )
        if not torch.equal(twin.sort().values, text.sort().values):
            raise Mistake(
                "your twin has other tokens than the text, so the layer sums other values; "
                "the tokens may only change places"
            )
        if not torch.allclose(last(twin), last(text), atol=1e-10):
            raise Mistake("one causal layer gives your text another last output")


@exercise(
    "open_questions",
    3,
    "send x through the parts, with one part cut, or the skip around one part.",
    "a part that is cut leaves the stream alone, and a skip that is cut leaves the part alone.",
)
def check_operate(
    operate: Callable[[Tensor, Sequence[Stream], int | None, int | None], Tensor],
) -> None:
    """Check a residual stream with one part or one skip cut."""
    x = draw(3, 5, seed=18)
    matrices = [draw(5, 5, seed=19 + i) / 3 for i in range(4)]
    parts = [lambda z, m=matrix: torch.tanh(z @ m) for matrix in matrices]

    def run(
        no_part: int | None, no_skip: int | None, only: bool = False, onwards: bool = False
    ) -> Tensor:
        stream = x
        for i, part in enumerate(parts):
            hit_part = no_part is not None and (i >= no_part if onwards else i == no_part)
            hit_skip = no_skip is not None and (i >= no_skip if onwards else i == no_skip)
            change = torch.zeros_like(stream) if hit_part else part(stream)
            stream = change if hit_skip or only else stream + change
        return stream

    whole = operate(x, parts, None, None)
    whole = require_tensor(whole, (3, 5), "your stream").double()
    name_first(
        whole,
        [
            (run(None, None, only=True), "with nothing cut you still have no skips: x + part(x)"),
            (run(0, None), "with nothing cut your first part is cut: None is not 0"),
            (run(None, 0), "with nothing cut your first skip is cut: None is not 0"),
            (
                x + sum(part(x) for part in parts),
                "your parts all read the input x; each reads what the parts before it left",
            ),
        ],
    )
    if not same(whole, run(None, None)):
        raise Mistake("with nothing cut, each part in turn adds its change to the stream")
    for place in range(4):
        for what, right, other, far in (
            ("part", run(place, None), run(None, place), run(place, None, onwards=True)),
            ("skip", run(None, place), run(place, None), run(None, place, onwards=True)),
        ):
            asked = (place, None) if what == "part" else (None, place)
            got = operate(x, parts, *asked)
            got = require_tensor(got, (3, 5), f"your stream with a {what} cut").double()
            if same(got, right):
                continue
            words = {
                "part": "you were to cut a part and cut the skip around it",
                "skip": "you were to cut a skip and cut the part beside it",
            }
            name_first(
                got,
                [
                    (run(None, None), f"with {what} {place} cut nothing has changed"),
                    (other, words[what]),
                    (run(place, place), f"with the {what} cut your stream ends: both are cut"),
                    (far, f"you cut every {what} from number {place} on; cut that one alone"),
                ],
            )
            if place < 3:
                one_late = (place + 1, None) if what == "part" else (None, place + 1)
                if same(got, run(*one_late)):
                    raise Mistake(f"you cut the {what} after the one asked: parts count from 0")
            raise Mistake(f"with {what} {place} cut your stream is not what the others leave")
    if not same(operate(x, parts, 1, 2).double(), run(1, 2)):
        raise Mistake(
            "each cut alone comes out right, part 1 and the skip around part 2 at once do not: "
            "what is cut keeps its number, and the parts behind it keep theirs"
        )


@exercise(
    "open_questions",
    4,
    "count the multiplications of one self-attention layer, forward.",
    "four projections that grow with n, and two products that grow with its square.",
)
def check_count(count: Callable[[int, int, int], int]) -> None:
    """Check a count of the multiplications of self-attention."""
    for batch, n, d in ((3, 7, 13), (2, 53, 17), (1, 5, 64)):
        projections, products = batch * n * d * d, batch * n * n * d
        right = 4 * projections + 2 * products
        got = count(batch, n, d)
        if got == right:
            continue
        wrong = {
            3 * projections + 2 * products: "you left the output projection out: there are four",
            4 * projections + products: (
                "you counted one product of n by n; there are two, queries with keys and weights "
                "with values"
            ),
            4 * projections: "you counted the projections alone; where do the tokens meet?",
            2
            * products: "you counted the meeting of the tokens alone; the projections are missing",
            2 * right: "your count is twice what it should be: additions are not asked for",
            3 * right: "you counted backward too; the forward pass alone is asked for",
            right // batch: "you counted one sentence; the batch has several",
            4 * projections + 2 * batch * n * n: (
                "you counted each score as one multiplication; it is a product of two vectors"
            ),
            4 * batch * n * d + 2 * products: (
                "you counted a projection as one multiplication for each number that comes out; "
                "each of them is a sum over d"
            ),
        }
        if got in wrong:
            raise Mistake(wrong[got])
        raise Mistake(
            f"with batch {batch}, {n} tokens and width {d} you count {got}; there are {right}"
        )
