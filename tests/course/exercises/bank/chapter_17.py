"""Wrong answers to the exercises of chapter 17, each with the words that its verdict must say."""


def _blocks(body: str) -> str:
    """Restored weights whose blocks or steps are wrong."""
    return f"""
def in_blocks(weight, size):
    cut = weight.view(len(weight), -1, size)
    {body}


exercises.check_in_blocks(in_blocks)
"""


def _gradient(push: str, returned: str) -> str:
    """Two derivatives of the preference loss."""
    return f"""
def gradient(chosen, rejected, reference_chosen, reference_rejected, strength):
    z = strength * (chosen - reference_chosen - rejected + reference_rejected)
    push = {push}
    return {returned}


exercises.check_gradient(gradient)
"""


def _keep(
    keeps: str = "chances * q[at, drafted] < p[at, drafted]",
    kept: str = "int(keeps.long().cumprod(0).sum())",
    left: str = "p[kept] if kept == len(drafted) else (p[kept] - q[kept]).clamp(min=0)",
    last: str = "(left.cumsum(0) / left.sum() <= spare).sum()",
    returned: str = "torch.cat([drafted[:kept], last[None]])",
) -> str:
    """A repair of the acceptance of drafted tokens, right in the lines that are not given."""
    return f"""
def keep(p, q, drafted, chances, spare):
    at = torch.arange(len(drafted))
    keeps = {keeps}
    kept = {kept}
    left = {left}
    last = {last}
    return {returned}


exercises.check_keep(keep)
"""


def _judge(body: str) -> str:
    """A test for samplers."""
    return f"""
def is_exact(sampler):
    drawing = torch.Generator().manual_seed(0)
    {body}


exercises.check_is_exact(is_exact)
"""


def _joined(
    up: str = "torch.cat([factor * up, other_factor * other_up], dim=1)",
    alpha: str = "rank",
    down: str = "torch.cat([down, other_down])",
) -> str:
    """Two adapters as one, right in the parts that are not given."""
    return f"""
def as_one(first, second):
    (down, up, alpha), (other_down, other_up, other_alpha) = first, second
    factor, other_factor = alpha / len(down), other_alpha / len(other_down)
    rank = len(down) + len(other_down)
    return {down}, {up}, {alpha}


exercises.check_as_one(as_one)
"""


WRONG = [
    (
        "17.3",
        "the library's rounding",
        "quantize is the library's",
        _blocks(
            "rows = weight.reshape(-1, size)\n"
            "    step = row_steps(rows)\n"
            "    return (quantize(rows, step) * step).view_as(weight)"
        ),
    ),
    (
        "17.3",
        "PyTorch's rounding, a channel for each block",
        "PyTorch rounds and reads back here",
        _blocks(
            "rows = weight.reshape(-1, size)\n"
            "    step = rows.abs().amax(dim=1).clamp(min=1e-12) / 127\n"
            "    none = torch.zeros(len(rows), dtype=torch.int32)\n"
            "    return torch.fake_quantize_per_channel_affine(\n"
            "        rows.float(), step.float(), none, 0, -127, 127\n"
            "    ).view_as(weight)"
        ),
    ),
    (
        "17.3",
        "a step for each row",
        "for each whole row",
        _blocks(
            "step = weight.abs().amax(dim=1, keepdim=True).clamp(min=1e-12) / 127\n"
            "    return (weight / step).round() * step"
        ),
    ),
    (
        "17.3",
        "one step for all",
        "one step for the whole matrix",
        _blocks("step = weight.abs().max() / 127\n    return (weight / step).round() * step"),
    ),
    (
        "17.3",
        "the largest number with its sign",
        "largest *absolute* number",
        _blocks(
            "step = cut.amax(dim=2, keepdim=True) / 127\n"
            "    step = torch.where(step == 0, 1.0, step)\n"
            "    return ((cut / step).round() * step).view_as(weight)"
        ),
    ),
    (
        "17.3",
        "128 in place of 127",
        "128 is none of eight bits",
        _blocks(
            "step = cut.abs().amax(dim=2, keepdim=True).clamp(min=1e-30) / 128\n"
            "    return ((cut / step).round() * step).view_as(weight)"
        ),
    ),
    (
        "17.3",
        "128 in place of 127, and kept in eight bits",
        "128 is none of eight bits",
        _blocks(
            "step = cut.abs().amax(dim=2, keepdim=True).clamp(min=1e-30) / 128\n"
            "    return ((cut / step).round().clamp(-128, 127) * step).view_as(weight)"
        ),
    ),
    (
        "17.3",
        "digits cut off",
        "you cut the digits off",
        _blocks(
            "step = cut.abs().amax(dim=2, keepdim=True).clamp(min=1e-30) / 127\n"
            "    return ((cut / step).trunc() * step).view_as(weight)"
        ),
    ),
    (
        "17.3",
        "zero divided by zero",
        "a block of zeros gives NaN",
        _blocks(
            "step = cut.abs().amax(dim=2, keepdim=True) / 127\n"
            "    return ((cut / step).round() * step).view_as(weight)"
        ),
    ),
    (
        "17.3",
        "the weight itself",
        "this is the weight itself",
        _blocks("return weight.clone()"),
    ),
    (
        "17.3",
        "whole numbers",
        "you return whole numbers",
        _blocks(
            "step = (cut.abs().amax(dim=2, keepdim=True) / 127).clamp(min=1e-12)\n"
            "    return (cut / step).round().view_as(weight)"
        ),
    ),
    (
        "17.3",
        "as many blocks as a block should have numbers",
        "you cut each row into `size` blocks",
        _blocks(
            "cut = weight.view(len(weight), size, -1)\n"
            "    step = (cut.abs().amax(dim=2, keepdim=True) / 127).clamp(min=1e-12)\n"
            "    return ((cut / step).round() * step).view_as(weight)"
        ),
    ),
    (
        "17.3",
        "no step below a bound",
        "spoils a block of small numbers",
        _blocks(
            "step = cut.abs().amax(dim=2, keepdim=True).clamp(min=0.1) / 127\n"
            "    return ((cut / step).round() * step).view_as(weight)"
        ),
    ),
    (
        "17.3",
        "something added to each step",
        "you add 0.001 to each step",
        _blocks(
            "step = cut.abs().amax(dim=2, keepdim=True) / 127 + 1e-3\n"
            "    return ((cut / step).round() * step).view_as(weight)"
        ),
    ),
    (
        "17.3",
        "the largest at each place in a block",
        "you took the largest over the blocks of a row",
        _blocks(
            "step = (cut.abs().amax(dim=1, keepdim=True) / 127).clamp(min=1e-12)\n"
            "    return ((cut / step).round() * step).view_as(weight)"
        ),
    ),
    (
        "17.1",
        "PyTorch differentiates",
        "found on paper",
        """
def gradient(chosen, rejected, reference_chosen, reference_rejected, strength):
    ours = [torch.as_tensor(each).clone().requires_grad_() for each in (chosen, rejected)]
    z = strength * (ours[0] - reference_chosen - ours[1] + reference_rejected)
    (-torch.nn.functional.logsigmoid(z)).backward()
    return ours[0].grad, ours[1].grad


exercises.check_gradient(gradient)
""",
    ),
    (
        "17.1",
        "dual numbers through the library's loss",
        "dual numbers differentiate here",
        """
def gradient(chosen, rejected, reference_chosen, reference_rejected, strength):
    def loss(chosen, rejected):
        given = chosen, rejected, reference_chosen, reference_rejected
        return preference_loss(*(each[None] for each in given), strength=float(strength))

    one, zero = torch.ones_like(chosen), torch.zeros_like(chosen)
    at = (chosen, rejected)
    return torch.func.jvp(loss, at, (one, zero))[1], torch.func.jvp(loss, at, (zero, one))[1]


exercises.check_gradient(gradient)
""",
    ),
    (
        "17.1",
        "a step along the imaginary axis",
        "a complex tensor",
        """
def gradient(chosen, rejected, reference_chosen, reference_rejected, strength):
    z = strength * (chosen - reference_chosen - rejected + reference_rejected)
    push = -(torch.log(1 + torch.exp(-(z + 1e-20j * strength))).imag / 1e-20)
    return -push, push


exercises.check_gradient(gradient)
""",
    ),
    (
        "17.1",
        "a step along the imaginary axis, in Python's own numbers",
        "complex logarithm",
        """
import cmath


def gradient(chosen, rejected, reference_chosen, reference_rejected, strength):
    z = float(strength * (chosen - reference_chosen - rejected + reference_rejected))
    push = -cmath.log(1 + cmath.exp(-(z + 1e-20j * strength))).imag / 1e-20
    return -push, push


exercises.check_gradient(gradient)
""",
    ),
    (
        "17.1",
        "central differences of the loss",
        "enter the formula itself",
        """
def gradient(chosen, rejected, reference_chosen, reference_rejected, strength):
    def loss(chosen, rejected):
        z = strength * (chosen - reference_chosen - rejected + reference_rejected)
        return -torch.nn.functional.logsigmoid(z)

    h = 1e-5
    by_chosen = loss(chosen + h, rejected) - loss(chosen - h, rejected)
    by_rejected = loss(chosen, rejected + h) - loss(chosen, rejected - h)
    return by_chosen / (2 * h), by_rejected / (2 * h)


exercises.check_gradient(gradient)
""",
    ),
    (
        "17.1",
        "differences of five points",
        "enter the formula itself",
        """
def gradient(chosen, rejected, reference_chosen, reference_rejected, strength):
    z = strength * (chosen - reference_chosen - rejected + reference_rejected)
    h = 1e-4
    one, two = (
        torch.nn.functional.logsigmoid(z + k * h) - torch.nn.functional.logsigmoid(z - k * h)
        for k in (1, 2)
    )
    push = strength * (8 * one - two) / (12 * h)
    return -push, push


exercises.check_gradient(gradient)
""",
    ),
    (
        "17.1",
        "log of a ratio of logs",
        "take the logarithm of that",
        """
def gradient(chosen, rejected, reference_chosen, reference_rejected, strength):
    z = strength * math.log(chosen / reference_chosen) - strength * math.log(
        rejected / reference_rejected
    )
    sigma = 1 / (1 + math.exp(z))
    return -strength * sigma, strength * sigma


exercises.check_gradient(gradient)
""",
    ),
    (
        "17.1",
        "signs turned",
        "both signs are turned",
        _gradient("strength * torch.sigmoid(-z)", "push, -push"),
    ),
    (
        "17.1",
        "without the strength",
        "the factor β is missing",
        _gradient("torch.sigmoid(-z)", "-push, push"),
    ),
    (
        "17.1",
        "weighed by what is judged rightly",
        "judges *rightly*",
        _gradient("strength * torch.sigmoid(z)", "-push, push"),
    ),
    (
        "17.1",
        "without the reference",
        "the reference is missing",
        _gradient("strength * torch.sigmoid(-strength * (chosen - rejected))", "-push, push"),
    ),
    (
        "17.1",
        "the derivative of the sigmoid",
        "this is the derivative of σ",
        _gradient("strength * torch.sigmoid(z) * torch.sigmoid(-z)", "-push, push"),
    ),
    (
        "17.1",
        "every pair alike",
        "every pair has the same weight",
        _gradient("torch.tensor(strength)", "-push, push"),
    ),
    (
        "17.1",
        "both pushed up",
        "push in the same direction",
        _gradient("strength * torch.sigmoid(-z)", "-push, -push"),
    ),
    (
        "17.1",
        "β squared",
        "the square of β",
        _gradient("strength**2 * torch.sigmoid(-z)", "-push, push"),
    ),
    (
        "17.1",
        "β outside alone",
        "the gap without β",
        _gradient("strength * torch.sigmoid(-z / strength)", "-push, push"),
    ),
    (
        "17.1",
        "the loss in place of its derivative",
        "your weight is the loss itself",
        _gradient("-strength * torch.nn.functional.logsigmoid(z)", "-push, push"),
    ),
    (
        "17.1",
        "one derivative alone",
        "two numbers are expected",
        _gradient("strength * torch.sigmoid(-z)", "-push"),
    ),
    (
        "17.4",
        "all that passed are counted",
        "stands behind one that was not kept",
        _keep(kept="int(keeps.sum())"),
    ),
    (
        "17.4",
        "everything is kept",
        "every drafted token is kept",
        _keep("torch.ones_like(chances)", "len(drafted)", "p[kept]"),
    ),
    (
        "17.4",
        "replaced from the target",
        "from the target's whole distribution",
        _keep(left="p[kept]"),
    ),
    (
        "17.4",
        "kept where the target likes it better",
        "at least as much as the draft",
        _keep("q[at, drafted] <= p[at, drafted]"),
    ),
    (
        "17.4",
        "kept with the target's probability",
        "with p alone",
        _keep("chances < p[at, drafted]"),
    ),
    (
        "17.4",
        "no token is drawn",
        "behind the kept ones is missing",
        _keep(returned="drafted[:kept]"),
    ),
    (
        "17.4",
        "the first that is not kept, found by argmax",
        "there is no first that does not",
        _keep(kept="int((~keeps).long().argmax())"),
    ),
    (
        "17.4",
        "the refused token is kept as well",
        "the row ends in front of it",
        _keep(kept="min(int(keeps.long().cumprod(0).sum()) + 1, len(drafted))"),
    ),
    (
        "17.4",
        "cut behind the last that passed",
        "stands behind one that was not kept",
        _keep(kept="int(keeps.nonzero().max()) + 1 if keeps.any() else 0"),
    ),
    (
        "17.4",
        "all that passed are written",
        "stands behind one that was not kept",
        _keep(returned="torch.cat([drafted[keeps], last[None]])"),
    ),
    (
        "17.4",
        "all or nothing",
        "costs the whole row",
        _keep(kept="len(drafted) if keeps.all() else 0"),
    ),
    (
        "17.4",
        "the ratios multiplied along the row",
        "each token passes by its own",
        _keep("chances < (p[at, drafted] / q[at, drafted]).cumprod(0)"),
    ),
    (
        "17.4",
        "the comparison turned",
        "and refuse what is to be kept",
        _keep("chances * q[at, drafted] > p[at, drafted]"),
    ),
    (
        "17.4",
        "the ratio turned",
        "with q / p",
        _keep("chances * p[at, drafted] < q[at, drafted]"),
    ),
    (
        "17.4",
        "a chance of exactly zero",
        "that the target never says",
        _keep("chances * q[at, drafted] <= p[at, drafted]"),
    ),
    (
        "17.4",
        "what is left, of the place before",
        "that of another place",
        _keep(left="p[kept] if kept == len(q) else (p[kept - 1] - q[kept - 1]).clamp(min=0)"),
    ),
    (
        "17.4",
        "what is left, of the last place",
        "that of another place",
        _keep(left="p[-1] if kept == len(q) else (p[-1] - q[kept]).clamp(min=0)"),
    ),
    (
        "17.4",
        "what the target leaves of the draft one place before",
        "that of another place",
        _keep(left="p[kept] if kept == len(q) else (p[kept] - q[kept - 1]).clamp(min=0)"),
    ),
    (
        "17.4",
        "the place of the last token, where all are kept",
        "for the place behind",
        _keep(left="p[kept - 1] if kept == len(q) else (p[kept] - q[kept]).clamp(min=0)"),
    ),
    (
        "17.4",
        "nothing is cut off at zero",
        "not cut off at zero",
        _keep(left="p[kept] if kept == len(q) else p[kept] - q[kept]"),
    ),
    (
        "17.4",
        "the absolute difference",
        "not cut off at zero",
        _keep(left="p[kept] if kept == len(q) else (p[kept] - q[kept]).abs()"),
    ),
    (
        "17.4",
        "the difference turned",
        "you take the target off the draft",
        _keep(left="p[kept] if kept == len(q) else (q[kept] - p[kept]).clamp(min=0)"),
    ),
    (
        "17.4",
        "not divided by the sum",
        "does not sum to one",
        _keep(last="(left.cumsum(0) <= spare).sum()"),
    ),
    (
        "17.4",
        "the likeliest",
        "always the likeliest",
        _keep(last="left.argmax()"),
    ),
    (
        "17.4",
        "a spare number of exactly zero",
        "a token of probability zero",
        _keep(last="(left.cumsum(0) / left.sum() < spare).sum()"),
    ),
    (
        "17.4",
        "drawn by luck of its own",
        "asked twice",
        _keep(last="torch.multinomial(left / left.sum(), 1)[0]"),
    ),
    (
        "17.4",
        "no token behind a row that is kept whole",
        "behind them all the same",
        _keep(returned="torch.cat([drafted[:kept], last[None]])[: len(drafted)]"),
    ),
    (
        "17.4",
        "each refused token replaced, and so on to the end",
        "goes on behind the token that is drawn",
        """
def keep(p, q, drafted, chances, spare):
    written = []
    for place, token in enumerate(drafted.tolist()):
        left = (p[place] - q[place]).clamp(min=0)
        drawn = int((left.cumsum(0) / left.sum() <= spare).sum())
        is_kept = chances[place] * q[place, token] < p[place, token]
        written.append(token if is_kept else drawn)
    return torch.tensor([*written, int((p[-1].cumsum(0) <= spare).sum())])


exercises.check_keep(keep)
""",
    ),
    (
        "17.4",
        "the draft taken off behind a row that is kept whole",
        "the whole target is left",
        _keep(left="(p[kept] - q[min(kept, len(q) - 1)]).clamp(min=0)"),
    ),
    (
        "17.4",
        "a list",
        "returned list",
        _keep(returned="[*drafted[:kept].tolist(), int(last)]"),
    ),
    (
        "17.4",
        "one refused token allowed",
        "the second token that does not pass",
        _keep(kept="int(((~keeps).long().cumsum(0) <= 1).sum())"),
    ),
    (
        "17.4",
        "drawn from the draft again",
        "you draw from the draft again",
        _keep(left="p[kept] if kept == len(drafted) else q[kept]"),
    ),
    (
        "17.5",
        "the same tokens as torch draws with the same seed",
        "and refuses the same ones in another order",
        """
def is_exact(sampler):
    p = torch.tensor([0.5, 0.3, 0.15, 0.05], dtype=torch.float64)
    q = torch.tensor([0.1, 0.2, 0.3, 0.4], dtype=torch.float64)
    tokens = sampler(p, q, 10000, torch.Generator().manual_seed(0))
    again = torch.Generator().manual_seed(0)
    return torch.equal(tokens, torch.multinomial(p, 10000, replacement=True, generator=again))


exercises.check_is_exact(is_exact)
""",
    ),
    (
        "17.5",
        "an absolute bound, for drafts and targets that are sharp",
        "Compare the share of every word",
        """
def is_exact(sampler):
    drawing = torch.Generator().manual_seed(0)
    for _ in range(4):
        p = (3 * torch.randn(12, dtype=torch.float64, generator=drawing)).softmax(0)
        q = (3 * torch.randn(12, dtype=torch.float64, generator=drawing)).softmax(0)
        shares = torch.bincount(sampler(p, q, 30000, drawing), minlength=12) / 30000
        if (shares - p).abs().max() > 0.01:
            return False
    return True


exercises.check_is_exact(is_exact)
""",
    ),
    (
        "17.5",
        "always true",
        "calls everything honest",
        _judge("return True"),
    ),
    (
        "17.5",
        "always false",
        "calls nothing honest",
        _judge("return False"),
    ),
    (
        "17.5",
        "too few draws",
        "off: draw more",
        _judge(
            "p, q = torch.randn(2, 6, generator=drawing, dtype=torch.float64).softmax(dim=1)\n"
            "    counts = torch.bincount(sampler(p, q, 300, drawing), minlength=6)\n"
            "    return stats.chisquare(counts, 300 * p).pvalue > 1e-3"
        ),
    ),
    (
        "17.5",
        "refused as often as a coin falls",
        "Leave room for it",
        _judge(
            "p, q = torch.randn(2, 6, generator=drawing, dtype=torch.float64).softmax(dim=1)\n"
            "    counts = torch.bincount(sampler(p, q, 100_000, drawing), minlength=6)\n"
            "    return stats.chisquare(counts, 100_000 * p).pvalue > 0.5"
        ),
    ),
    (
        "17.5",
        "two words",
        "for two words",
        _judge(
            "p, q = torch.tensor([[0.7, 0.3], [0.4, 0.6]], dtype=torch.float64)\n"
            "    counts = torch.bincount(sampler(p, q, 300_000, drawing), minlength=2)\n"
            "    return stats.chisquare(counts, 300_000 * p).pvalue > 1e-5"
        ),
    ),
    (
        "17.5",
        "the mean alone",
        "Compare the share of every word",
        _judge(
            "p, q = torch.randn(2, 6, generator=drawing, dtype=torch.float64).softmax(dim=1)\n"
            "    tokens = sampler(p, q, 200_000, drawing).double()\n"
            "    return abs(float(tokens.mean() - p @ torch.arange(6.0).double())) < 0.02"
        ),
    ),
    (
        "17.5",
        "one pair",
        "about one pair of p and q",
        _judge(
            "p, q = torch.randn(2, 6, generator=drawing, dtype=torch.float64).softmax(dim=1)\n"
            "    counts = torch.bincount(sampler(p, q, 800_000, drawing), minlength=6)\n"
            "    return stats.chisquare(counts, 800_000 * p).pvalue > 1e-5"
        ),
    ),
    (
        "17.5",
        "an even draft",
        "In all you asked q is even",
        _judge(
            "for _ in range(5):\n"
            "        p = torch.randn(6, generator=drawing, dtype=torch.float64).softmax(dim=0)\n"
            "        tokens = sampler(p, torch.full_like(p, 1 / 6), 100_000, drawing)\n"
            "        counts = torch.bincount(tokens, minlength=6)\n"
            "        if stats.chisquare(counts, 100_000 * p).pvalue < 1e-5:\n"
            "            return False\n"
            "    return True"
        ),
    ),
    (
        "17.5",
        "too many draws",
        "draws more than 1,000,000",
        _judge(
            "p, q = torch.randn(2, 6, generator=drawing, dtype=torch.float64).softmax(dim=1)\n"
            "    counts = torch.bincount(sampler(p, q, 5_000_000, drawing), minlength=6)\n"
            "    return stats.chisquare(counts, 5_000_000 * p).pvalue > 1e-5"
        ),
    ),
    (
        "17.5",
        "the opposite",
        "says the opposite",
        _judge(
            "for _ in range(5):\n"
            "        p, q = torch.randn(2, 6, generator=drawing, dtype=torch.float64)"
            ".softmax(dim=1)\n"
            "        counts = torch.bincount(sampler(p, q, 100_000, drawing), minlength=6)\n"
            "        if stats.chisquare(counts, 100_000 * p).pvalue < 1e-5:\n"
            "            return True\n"
            "    return False"
        ),
    ),
    (
        "17.2",
        "all three joined",
        "you add the two α",
        _joined("torch.cat([up, other_up], dim=1)", "alpha + other_alpha"),
    ),
    (
        "17.2",
        "no factor at all",
        "the factor one in yours",
        _joined("torch.cat([up, other_up], dim=1)"),
    ),
    (
        "17.2",
        "alpha for the factor",
        "multiplied by its α; its factor",
        _joined("torch.cat([alpha * up, other_alpha * other_up], dim=1)"),
    ),
    (
        "17.2",
        "the factor in both matrices",
        "counts twice",
        _joined(down="torch.cat([factor * down, other_factor * other_down])"),
    ),
    (
        "17.2",
        "the factors crossed",
        "has the factor of the other",
        _joined("torch.cat([other_factor * up, factor * other_up], dim=1)"),
    ),
    (
        "17.2",
        "the first's factor for both",
        "the factor of the first",
        _joined("torch.cat([factor * up, factor * other_up], dim=1)"),
    ),
    (
        "17.2",
        "each alpha over both ranks",
        "over the rank of both together; each α",
        _joined("torch.cat([alpha * up, other_alpha * other_up], dim=1)", "1"),
    ),
    (
        "17.2",
        "the factors once more",
        "the α that you return multiplies once more",
        _joined(alpha="alpha + other_alpha"),
    ),
    (
        "17.2",
        "an alpha of one",
        "α is to be the rank",
        _joined(alpha="1.0"),
    ),
    (
        "17.2",
        "the mean of both",
        "the layer adds both",
        _joined(alpha="rank / 2"),
    ),
    (
        "17.2",
        "the two A in another order",
        "in the same order",
        _joined(down="torch.cat([other_down, down])"),
    ),
    (
        "17.2",
        "the second adapter multiplied by zero",
        "the second adapter is missing",
        _joined("torch.cat([factor * up, 0 * other_up], dim=1)"),
    ),
    (
        "17.2",
        "the second taken off",
        "B A of the second adapter stands in yours",
        _joined("torch.cat([factor * up, -other_factor * other_up], dim=1)"),
    ),
    (
        "17.2",
        "the products, which are as large as the weight",
        "`down` has shape",
        _joined(
            "torch.eye(7, dtype=up.dtype)",
            "len(up)",
            "factor * up @ down + other_factor * other_up @ other_down",
        ),
    ),
    (
        "17.2",
        "B as it is laid out for rows",
        "`up` has shape",
        _joined("torch.cat([factor * up, other_factor * other_up], dim=1).T"),
    ),
    (
        "17.2",
        "the two matrices alone",
        "three things are expected",
        _joined().replace(", rank\n", "\n"),
    ),
    (
        "17.2",
        "the rows of A turned about",
        "row k of `down` meets column k",
        _joined(down="torch.cat([down, other_down]).flip(0)"),
    ),
]

ALSO_RIGHT = [
    (
        "17.3",
        "block by block",
        """
def in_blocks(weight, size):
    found = weight.clone()
    for row in range(len(weight)):
        for start in range(0, weight.size(1), size):
            block = weight[row, start : start + size]
            step = float(block.abs().max()) / 127
            if step > 0:
                found[row, start : start + size] = (block / step).round() * step
    return found


exercises.check_in_blocks(in_blocks)
""",
    ),
    (
        "17.1",
        "by the other sigmoid",
        _gradient("strength * (1 - torch.sigmoid(z))", "-push, push"),
    ),
    (
        "17.1",
        "by Python's own numbers",
        """
def gradient(chosen, rejected, reference_chosen, reference_rejected, strength):
    z = strength * float(chosen - reference_chosen - rejected + reference_rejected)
    push = strength / (1 + math.exp(z))
    return -push, push


exercises.check_gradient(gradient)
""",
    ),
    (
        "17.4",
        "by a loop",
        """
def keep(p, q, drafted, chances, spare):
    written = []
    for place, token in enumerate(drafted.tolist()):
        if chances[place] * q[place, token] >= p[place, token]:
            left = (p[place] - q[place]).clamp(min=0)
            break
        written.append(token)
    else:
        left = p[len(drafted)]
    last = int((left.cumsum(0) / left.sum() <= spare).sum())
    return torch.tensor([*written, last])


exercises.check_keep(keep)
""",
    ),
    (
        "17.4",
        "by the ratio, and a search in the running sum",
        _keep(
            "chances < (p[at, drafted] / q[at, drafted]).clamp(max=1)",
            last="torch.searchsorted(left.cumsum(0) / left.sum(), spare, right=True)",
        ),
    ),
    (
        "17.5",
        "by the widest gap, in standard errors",
        _judge(
            "for _ in range(5):\n"
            "        p, q = torch.randn(2, 6, generator=drawing, dtype=torch.float64)"
            ".softmax(dim=1)\n"
            "        counts = torch.bincount(sampler(p, q, 150_000, drawing), minlength=6)\n"
            "        gaps = (counts / 150_000 - p) / (p * (1 - p) / 150_000).sqrt()\n"
            "        if gaps.abs().max() > 5:\n"
            "            return False\n"
            "    return True"
        ),
    ),
    (
        "17.2",
        "the factors in A, and an alpha of one",
        _joined(
            "torch.cat([up, other_up], dim=1)",
            "1.0",
            "torch.cat([rank * factor * down, rank * other_factor * other_down])",
        ),
    ),
    (
        "17.2",
        "one factor kept outside",
        _joined(
            "torch.cat([up, other_factor / factor * other_up], dim=1)",
            "factor * rank",
        ),
    ),
]
