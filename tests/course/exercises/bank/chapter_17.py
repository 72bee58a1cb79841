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


def _keep(keeps: str, kept: str, left: str, returned: str) -> str:
    """A repair of the acceptance of drafted tokens, in four lines."""
    return f"""
def keep(p, q, drafted, chances, spare):
    at = torch.arange(len(drafted))
    keeps = {keeps}
    kept = {kept}
    left = {left}
    last = (left.cumsum(0) / left.sum() <= spare).sum()
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


KEEPS = "chances * q[at, drafted] < p[at, drafted]"
KEPT = "int(keeps.long().cumprod(0).sum())"
LEFT = "p[kept] if kept == len(drafted) else (p[kept] - q[kept]).clamp(min=0)"
RETURNED = "torch.cat([drafted[:kept], last[None]])"

WRONG = [
    (
        "17.1",
        "a step for each row",
        "for each whole row",
        _blocks(
            "step = weight.abs().amax(dim=1, keepdim=True).clamp(min=1e-12) / 127\n"
            "    return (weight / step).round() * step"
        ),
    ),
    (
        "17.1",
        "one step for all",
        "one step for the whole matrix",
        _blocks("step = weight.abs().max() / 127\n    return (weight / step).round() * step"),
    ),
    (
        "17.1",
        "the largest number with its sign",
        "largest *absolute* number",
        _blocks(
            "step = cut.amax(dim=2, keepdim=True) / 127\n"
            "    step = torch.where(step == 0, 1.0, step)\n"
            "    return ((cut / step).round() * step).view_as(weight)"
        ),
    ),
    (
        "17.1",
        "128 in place of 127",
        "128 is none of eight bits",
        _blocks(
            "step = cut.abs().amax(dim=2, keepdim=True).clamp(min=1e-30) / 128\n"
            "    return ((cut / step).round() * step).view_as(weight)"
        ),
    ),
    (
        "17.1",
        "digits cut off",
        "you cut the digits off",
        _blocks(
            "step = cut.abs().amax(dim=2, keepdim=True).clamp(min=1e-30) / 127\n"
            "    return ((cut / step).trunc() * step).view_as(weight)"
        ),
    ),
    (
        "17.1",
        "zero divided by zero",
        "a block of zeros gives NaN",
        _blocks(
            "step = cut.abs().amax(dim=2, keepdim=True) / 127\n"
            "    return ((cut / step).round() * step).view_as(weight)"
        ),
    ),
    (
        "17.1",
        "the weight itself",
        "this is the weight itself",
        _blocks("return weight.clone()"),
    ),
    (
        "17.2",
        "signs turned",
        "both signs are turned",
        _gradient("strength * torch.sigmoid(-z)", "push, -push"),
    ),
    (
        "17.2",
        "without the strength",
        "the factor β is missing",
        _gradient("torch.sigmoid(-z)", "-push, push"),
    ),
    (
        "17.2",
        "weighed by what is judged rightly",
        "judges *rightly*",
        _gradient("strength * torch.sigmoid(z)", "-push, push"),
    ),
    (
        "17.2",
        "without the reference",
        "the reference is missing",
        _gradient("strength * torch.sigmoid(-strength * (chosen - rejected))", "-push, push"),
    ),
    (
        "17.2",
        "the derivative of the sigmoid",
        "this is the derivative of σ",
        _gradient("strength * torch.sigmoid(z) * torch.sigmoid(-z)", "-push, push"),
    ),
    (
        "17.2",
        "every pair alike",
        "every pair has the same weight",
        _gradient("torch.tensor(strength)", "-push, push"),
    ),
    (
        "17.2",
        "both pushed up",
        "push in the same direction",
        _gradient("strength * torch.sigmoid(-z)", "-push, -push"),
    ),
    (
        "17.2",
        "one derivative alone",
        "two numbers are expected",
        _gradient("strength * torch.sigmoid(-z)", "-push"),
    ),
    (
        "17.3",
        "all that passed are counted",
        "stands behind one that was not kept",
        _keep(KEEPS, "int(keeps.sum())", LEFT, RETURNED),
    ),
    (
        "17.3",
        "everything is kept",
        "every drafted token is kept",
        _keep("torch.ones_like(chances)", "len(drafted)", "p[kept]", RETURNED),
    ),
    (
        "17.3",
        "replaced from the target",
        "from the target's whole distribution",
        _keep(KEEPS, KEPT, "p[kept]", RETURNED),
    ),
    (
        "17.3",
        "kept where the target likes it better",
        "at least as much as the draft",
        _keep("q[at, drafted] <= p[at, drafted]", KEPT, LEFT, RETURNED),
    ),
    (
        "17.3",
        "kept with the target's probability",
        "with p alone",
        _keep("chances < p[at, drafted]", KEPT, LEFT, RETURNED),
    ),
    (
        "17.3",
        "no token is drawn",
        "behind the kept ones is missing",
        _keep(KEEPS, KEPT, LEFT, "drafted[:kept]"),
    ),
    (
        "17.4",
        "always true",
        "calls everything honest",
        _judge("return True"),
    ),
    (
        "17.4",
        "always false",
        "calls nothing honest",
        _judge("return False"),
    ),
    (
        "17.4",
        "too few draws",
        "impostors through",
        _judge(
            "p, q = torch.randn(2, 6, generator=drawing, dtype=torch.float64).softmax(dim=1)\n"
            "    counts = torch.bincount(sampler(p, q, 300, drawing), minlength=6)\n"
            "    return stats.chisquare(counts, 300 * p).pvalue > 1e-3"
        ),
    ),
    (
        "17.4",
        "refused as often as a coin falls",
        "refuses what is right",
        _judge(
            "p, q = torch.randn(2, 6, generator=drawing, dtype=torch.float64).softmax(dim=1)\n"
            "    counts = torch.bincount(sampler(p, q, 100_000, drawing), minlength=6)\n"
            "    return stats.chisquare(counts, 100_000 * p).pvalue > 0.5"
        ),
    ),
    (
        "17.4",
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
]

ALSO_RIGHT = [
    (
        "17.1",
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
        "17.2",
        "by the other sigmoid",
        _gradient("strength * (1 - torch.sigmoid(z))", "-push, push"),
    ),
    (
        "17.3",
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
]
