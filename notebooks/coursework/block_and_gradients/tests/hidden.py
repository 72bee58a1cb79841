"""What stays with the teacher: values and gradients, held against this file's own."""

from functools import partial

import torch
from softlookup.course.exercises.probes import name_first, require_tensor, same
from softlookup.course.exercises.verdict import Mistake

DROWNED = "Is it made of differences? Their step drowns there; the formula knows no step"


def differences_follow_the_rule(difference_of, *, stencil):
    """Of a fifth power each rule of differences makes its own error."""
    x, upstream, step = _randn(2, 3), _randn(2, 3), 0.5
    got = _tensor(difference_of("fifth power", x, upstream, step), (2, 3), "numerical gradient")
    expected = _differences(x, upstream, step, stencil)
    if not same(got, expected):
        start = "your numerical gradient: its rule is"
        others = {"central", "five points", "three points ahead"} - {stencil}
        name_first(
            got,
            [
                (_differences(x, upstream, step, other), f"{start} {other}, not {stencil}")
                for other in sorted(others)
            ]
            + [(5 * x**4 * upstream, f"{start} none: it is exact, whatever the step")],
        )
        raise Mistake(f"your numerical gradient: of x⁵ its error is not that of {stencil}")
    mixed = _tensor(difference_of("running sum", x, upstream, step), (2, 3), "numerical gradient")
    if not same(mixed, upstream.flip(-1).cumsum(-1).flip(-1)):
        raise Mistake(
            "your numerical gradient: one number of x moves many numbers of the result, and all "
            "of them count"
        )


def norm_values(norm, *, norm_rule):
    """The norm, at tokens small enough for epsilon to count."""
    width = 5 * norm_rule["groups"]
    x, weight = 0.3 * _randn(3, 7, width) + 0.1, _randn(width)
    got = _tensor(norm(x, weight), (3, 7, width), "normalised x")
    if same(got, _norm(x, weight, norm_rule)):
        return
    other = {"runs": "stripes", "stripes": "runs", "group": "token", "token": "group"}

    def but(**changed):
        return _norm(x, weight, {**norm_rule, **changed})

    name_first(
        got,
        [
            (_norm(x, weight, norm_rule, "after the root"), "your norm: its epsilon is added after "
             "the root; it belongs under it, to the mean of the powers"),
            (_norm(x, weight, norm_rule, "into the sum"), "your norm: its epsilon is added to the "
             "sum of the powers; it belongs to their mean"),
            (but(epsilon=0.0), "your norm: its epsilon is left out"),
            (_norm(x, torch.ones(width), norm_rule), "your norm: the weight is left out"),
            (but(power=2.0), "your norm: it takes squares; the power is another"),
            (but(arrangement=other[norm_rule["arrangement"]]), "your norm: its groups are cut "
             "the other way"),
            (but(centre=other[norm_rule["centre"]]), f"your norm: it takes the mean of the "
             f"{other[norm_rule['centre']]} away; the {norm_rule['centre']} has one to lose"),
            (but(groups=1), "your norm: it has one size for a whole token; each group has its own"),
        ],
    )  # fmt: skip
    raise Mistake("your norm: for small tokens it differs; are power, groups and epsilon right?")


def norm_gradient_values(norm_gradient, *, norm_rule):
    """Both gradients of the norm, at tokens small enough for epsilon to count."""
    width = 5 * norm_rule["groups"]
    x, weight, upstream = 0.4 * _randn(3, 7, width), _randn(width), _randn(3, 7, width)
    by_x, by_weight = norm_gradient(x, weight, upstream)
    by_x = _tensor(by_x, (3, 7, width), "norm's gradient by x")
    forward = partial(_norm, rule=norm_rule)
    true_by_x, true_by_weight = _gradients(forward, [x, weight], upstream)
    if not same(by_x, true_by_x):
        # With the size held still, x stands once; with the mean held still, nothing is subtracted.
        def still(*names):
            return _gradients(partial(forward, still=names), [x, weight], upstream)[0]

        name_first(
            by_x,
            [
                (still("mean"), "your norm's gradient: it forgets the mean, through which every "
                 "number of x reaches every other"),
                (still("size"), "your norm's gradient: it forgets that x stands twice, above and "
                 "in the size below"),
                (still("size", "mean"), "your norm's gradient: it divides the upstream gradient by "
                 "the size and forgets both the mean and that x stands twice"),
                (_gradients(forward, [x, torch.ones(width).double()], upstream)[0],
                 "your norm's gradient: the weight does not enter that by x"),
                (_gradients(partial(_norm, rule={**norm_rule, "epsilon": 0.0}), [x, weight],
                 upstream)[0], "your norm's gradient: its epsilon is left out"),
            ],
        )  # fmt: skip
        raise Mistake("your norm's gradient: by x, it is not that of the norm")
    if not same(_tensor(by_weight, (width,), "norm's gradient by the weight"), true_by_weight):
        raise Mistake("your norm's gradient: by the weight, it is not that of the norm")


def norm_gradient_far_and_flat(norm_gradient, *, norm_rule):
    """Large tokens and tokens of all sizes at once, where differences drown; and zeros, as padding.

    Each group's gradient is held against its own largest number: far out all of them are tiny.
    """
    groups, width = norm_rule["groups"], 5 * norm_rule["groups"]
    weight, upstream = _randn(width), _randn(1, 3, width)
    forward, x = partial(_norm, rule=norm_rule), _randn(1, 3, groups, 5)
    flat = _tensor(norm_gradient(torch.zeros(1, 3, width).double(), weight, upstream)[0],
                   (1, 3, width), "norm's gradient")  # fmt: skip
    if not same(
        flat, _gradients(forward, [torch.zeros(1, 3, width).double(), weight], upstream)[0]
    ):
        raise Mistake("your norm's gradient: it is wrong at a token of zeros, such as padding")
    # Whole numbers whose sum is nothing have the same mean in every precision.
    drawn = torch.stack([torch.randperm(5) for _ in range(3 * groups)]).view(1, 3, groups, 5)
    whole = torch.tensor([3.0, -2.0, -1.0, 2.0, -2.0]).double()[drawn]
    large_group = (torch.arange(groups) % 2 == 0)[:, None].double()
    tokens = {
        "large tokens": 1e8 * x,
        "large numbers beside small ones": torch.tensor([1e10, 1e-3, 1e10, 1e-3, 1e-3]).double()
        * x,
        "large groups beside small ones": whole * 2.0 ** (20 * large_group),
        "large groups beside a group of zeros": whole * large_group * 2.0**20,
    }
    for where, parts in tokens.items():
        token = _joined(parts, norm_rule)
        got = _tensor(norm_gradient(token, weight, upstream)[0], (1, 3, width), "norm's gradient")
        true = _parted(_gradients(forward, [token, weight], upstream)[0], norm_rule)
        largest = true.abs().amax(-1, keepdim=True)
        if not same(_parted(got, norm_rule) / largest, true / largest):
            raise Mistake(f"your norm's gradient: it is wrong for {where}. {DROWNED}")


def gate_values(gate, gate_slope, *, gate_rule):
    """The gate and its slope, far out as well."""
    z = torch.cat((2 * _randn(17), torch.tensor([-2000.0, -30.0, 0.0, 30.0, 2000.0]).double()))
    got = _tensor(gate(z), (22,), "gate")
    if not same(got, _gate(z, gate_rule)):
        if same(got[:17], _gate(z, gate_rule)[:17]):
            raise Mistake("your gate: it breaks far from zero; did an exponential overflow?")
        raise Mistake(f"your gate: it is not the {gate_rule['kind']} that is asked for")
    slope = _gradients(partial(_gate, rule=gate_rule), [z], torch.ones_like(z))[0]
    if not same(_tensor(gate_slope(z), (22,), "gate's slope"), slope):
        raise Mistake("your gate's slope: it is not the derivative of the gate")


def feed_forward_gradients(feed_forward, feed_forward_gradient, *, gate_rule):
    """The network and its four gradients."""
    inputs = [_randn(2, 5, 7), _randn(7, 11), _randn(7, 11), _randn(11, 7)]
    upstream, forward = _randn(2, 5, 7), partial(_feed_forward, gate_rule=gate_rule)
    value = _tensor(feed_forward(*inputs), (2, 5, 7), "feed-forward network")
    x, gate_matrix, inner_matrix, output_matrix = inputs
    if not _same_of_largest(value, forward(*inputs)):
        swapped = forward(x, inner_matrix, gate_matrix, output_matrix)
        name_first(
            value, [(swapped, "your feed-forward network: the gate stands on the other copy")]
        )
        raise Mistake("your feed-forward network: it is not (gate(x G) ⊙ x W) O with your gate")
    by_x, *others = feed_forward_gradient(*inputs, upstream)
    by_x = _tensor(by_x, (2, 5, 7), "feed-forward gradient by x")
    true_by_x, *true = _gradients(forward, inputs, upstream)
    if not _same_of_largest(by_x, true_by_x):
        still = partial(_feed_forward, gate_rule=gate_rule, inner=x @ inner_matrix)
        through_gate = _gradients(still, inputs, upstream)[0]
        stands = "your feed-forward gradient: it forgets that x stands twice; it follows"
        name_first(
            by_x,
            [
                (through_gate, f"{stands} only the way through the gate"),
                (true_by_x - through_gate, f"{stands} only the way past the gate"),
            ],
        )
        raise Mistake("your feed-forward gradient: by x, it is another; is the gate's slope right?")
    for name, got, expected in zip(("gate", "inner", "output"), others, true, strict=True):
        got = _tensor(got, tuple(expected.shape), f"gradient by the {name} matrix")
        if not _same_of_largest(got, expected):
            raise Mistake(f"your feed-forward gradient: by the {name} matrix, it is another")
    # One unit is wide open, and beside its product no step in another one shows.
    far = [one.clone() for one in inputs]
    far[0][..., 0] = 1 + far[0][..., 0].abs()
    for matrix in far[1:3]:
        matrix[:, 0] = 0.0
        matrix[0, 0] = 1e9
    found, true = feed_forward_gradient(*far, upstream), _gradients(forward, far, upstream)
    names = ("x", "the gate's matrix", "the inner matrix", "the output matrix")
    for name, got, expected, along in zip(names, found, true, ((0, 1), 0, 0, 1), strict=True):
        got = _tensor(got, tuple(expected.shape), f"gradient by {name}")
        if not _same_by_size(got, expected, along):
            raise Mistake(
                f"your feed-forward gradient: by {name}, it is wrong where one unit is wide open. "
                f"{DROWNED}"
            )


def attention_gradients(attention, attention_gradient, *, sharpness):
    """Attention at the term's sharpness, and its gradients by query, key and value."""
    inputs = [_randn(2, 5, 3), _randn(2, 7, 3), _randn(2, 7, 11)]
    upstream, forward = _randn(2, 5, 11), partial(_attention, sharpness=sharpness)
    value = _tensor(attention(*inputs), (2, 5, 11), "attention")
    if not same(value, forward(*inputs)):
        plain = "your attention: its sharpness is one; multiply the scores by that of the term"
        name_first(value, [(_attention(*inputs, sharpness=1.0), plain)])
        raise Mistake("your attention: it is not softmax(sharpness · QKᵀ / √d) V")
    got = attention_gradient(*inputs, upstream)
    true = _gradients(forward, inputs, upstream)
    query, key, values = inputs
    scale = sharpness / query.shape[-1] ** 0.5
    weights = torch.softmax(query @ key.mT * scale, -1)
    bare = weights * (upstream @ values.mT) * scale
    without = [bare @ key, bare.mT @ query, true[2]]
    for name, one, expected, wrong in zip(
        ("query", "key", "value"), got, true, without, strict=True
    ):
        one = _tensor(one, tuple(expected.shape), f"gradient by the {name}")
        if not same(one, expected):
            start = "your attention's gradient: by the " + name
            name_first(
                one,
                [
                    (wrong, f"{start}, the gradient of softmax lacks the subtraction"),
                    (expected / scale, f"{start}, the scores' factor is missing"),
                    (expected * query.shape[-1] ** 0.5, f"{start}, the √d is missing"),
                    (expected / sharpness, f"{start}, the sharpness is missing"),
                ],
            )
            raise Mistake(f"{start}, it is another")
    # One key is so far below the others that no step in it shows in what is found.
    query, key = query.clone(), key.clone()
    query[..., 0], key[:, 0] = 1 + 0.3 * torch.rand(2, 5).double(), 0.0
    key[:, 0, 0] = -50 / scale
    found = attention_gradient(query, key, values, upstream)
    true = _gradients(forward, [query, key, values], upstream)
    for name, one, expected in zip(("query", "key", "value"), found, true, strict=True):
        one = _tensor(one, tuple(expected.shape), f"gradient by the {name}")
        if not _same_by_size(one, expected, -1):
            raise Mistake(
                f"your attention's gradient: by the {name}, it is wrong where a key has hardly "
                f"any weight. {DROWNED}"
            )


def block_values(block, *, norm_rule, gate_rule, sharpness, block_rule):
    """The wiring of the block."""
    inputs = _block_inputs(norm_rule)
    rules = {"norm_rule": norm_rule, "gate_rule": gate_rule, "sharpness": sharpness}
    got = _tensor(block(*inputs), tuple(inputs[0].shape), "block")
    if same(got, _block(*inputs, **rules, **block_rule), atol=1e-4):
        return
    places = {
        "pre": "in front of each part",
        "post": "on the stream, behind the addition",
        "change": "behind each part, before the addition",
        "sandwich": "in front of each part and behind it",
        "residual behind the norm": "in front, and the skip carries the normalised x",
    }
    for place, words in places.items():
        for scale in (block_rule["scale"], 1.0):
            if same(got, _block(*inputs, **rules, placement=place, scale=scale), atol=1e-4):
                if place == block_rule["placement"]:
                    raise Mistake("your block: the change is added whole; its scale is missing")
                raise Mistake(f"your block: its norm stands {words}; that is another block")
    if same(got, _block(*inputs, **rules, **block_rule, scaled="stream"), atol=1e-4):
        raise Mistake("your block: the scale stands on the stream; it belongs to the change")
    raise Mistake(
        "your block: it is not two parts, each with its norm, scale and skip as asked; if a part "
        "is wrong, the block is too"
    )


def block_gradient_values(block_gradient, *, norm_rule, gate_rule, sharpness, block_rule):
    """The gradient of the whole block by x."""
    inputs = _block_inputs(norm_rule)
    upstream = _randn(*inputs[0].shape)
    rules = {"norm_rule": norm_rule, "gate_rule": gate_rule, "sharpness": sharpness}
    got = _tensor(block_gradient(*inputs, upstream), tuple(upstream.shape), "block's gradient")
    true = _gradients(partial(_block, **rules, **block_rule), inputs, upstream)[0]
    if not same(got, true, atol=1e-4):
        whole = _gradients(
            partial(_block, **rules, **{**block_rule, "scale": 1.0}), inputs, upstream
        )
        if same(got, whole[0], atol=1e-4):
            raise Mistake("your block's gradient: the scale of the change is missing")
        raise Mistake(
            "your block's gradient: it is not that of the block; if a part's gradient is wrong, "
            "this one is too"
        )
    inputs, upstream = _one_token_unseen(inputs, upstream, norm_rule, sharpness)
    got = _tensor(block_gradient(*inputs, upstream), tuple(upstream.shape), "block's gradient")
    true = _gradients(partial(_block, **rules, **block_rule), inputs, upstream)[0]
    if not _same_by_size(got, true, -1):
        raise Mistake(
            "your block's gradient: it is wrong by a token of which the others see hardly "
            f"anything. {DROWNED}"
        )


def chain_gradient_by_parts(gradient_by_parts, *, block_rule):
    """Each row has gone through so many parts, and all rows together are the gradient."""
    parts, upstream, scale = _randn(5, 3, 3), _randn(3), block_rule["scale"]
    got = _tensor(gradient_by_parts(parts, upstream), (6, 3), "gradient by parts")
    if not same(got, _by_parts(parts, upstream, scale)):
        start = "your gradient by parts:"
        name_first(
            got,
            [
                (_by_parts(parts.mT, upstream, scale), f"{start} the matrices are not transposed"),
                (_by_parts(parts.flip(0), upstream, scale), f"{start} it goes through the parts "
                 "from first to last; a gradient comes from behind"),
                (_by_parts(parts, upstream, 1.0), f"{start} the scale of each change is missing"),
            ],
        )  # fmt: skip
        total = "the rows do not even sum to the gradient of the chain"
        if same(got.sum(0), _by_parts(parts, upstream, scale).sum(0)):
            total = "the rows sum to the gradient, but are sorted wrongly"
        raise Mistake(f"{start} {total}")


def _randn(*shape):
    return torch.randn(*shape, dtype=torch.float64)


def _tensor(got, shape, what):
    return require_tensor(got, shape, f"your {what}").double()


def _same_of_largest(got, expected):
    """Whether they agree, as shares of the largest number: sums of large terms lose digits."""
    return same(got / expected.abs().max(), expected / expected.abs().max())


def _same_by_size(got, expected, along):
    """Whether they agree, each slice as a share of its own largest number, however small it is."""
    largest = expected.abs().amax(along, keepdim=True)
    return same(got / largest, expected / largest, atol=1e-4)


def _gradients(function, inputs, upstream):
    leaves = [value.detach().clone().requires_grad_() for value in inputs]
    total = (function(*leaves) * upstream).sum()
    found = torch.autograd.grad(total, leaves, allow_unused=True)
    return [torch.zeros_like(x) if g is None else g for x, g in zip(leaves, found, strict=True)]


def _differences(x, upstream, step, stencil):
    points = {
        "central": {1: 1 / 2, -1: -1 / 2},
        "five points": {2: -1 / 12, 1: 8 / 12, -1: -8 / 12, -2: 1 / 12},
        "three points ahead": {0: -3 / 2, 1: 4 / 2, 2: -1 / 2},
    }
    moved = [share * (x + place * step) ** 5 for place, share in points[stencil].items()]
    return sum(moved) / step * upstream


def _parted(x, rule):
    """A token's groups, (..., groups, features)."""
    runs = rule["arrangement"] == "runs"
    return (
        x.unflatten(-1, (rule["groups"], -1)) if runs else x.unflatten(-1, (-1, rule["groups"])).mT
    )


def _joined(parts, rule):
    """A token of its groups."""
    return (parts if rule["arrangement"] == "runs" else parts.mT).flatten(-2)


def _norm(x, weight, rule, epsilon="under the root", still=()):
    power, parts = rule["power"], _parted(x, rule)
    mean = parts.mean(-1 if rule["centre"] == "group" else (-2, -1), keepdim=True)
    centred = parts - (mean.detach() if "mean" in still else mean)
    powers = centred.abs().pow(power)
    mean_power = powers.mean(-1, keepdim=True)
    if epsilon == "after the root":
        size = mean_power.pow(1 / power) + rule["epsilon"]
    else:
        share = parts.shape[-1] if epsilon == "into the sum" else 1
        size = (mean_power + rule["epsilon"] / share).pow(1 / power)
    normal = centred / (size.detach() if "size" in still else size)
    return _joined(normal, rule) * weight


def _gate(z, rule):
    constant = rule["constant"]
    if rule["kind"] == "swish":
        return z * torch.sigmoid(constant * z)
    if rule["kind"] == "softplus":
        return torch.logaddexp(constant * z, torch.zeros_like(z)) / constant
    return torch.where(z > 0, z.square(), -constant * z.square())


def _feed_forward(x, gate_matrix, inner_matrix, output_matrix, *, gate_rule, inner=None):
    inner = x @ inner_matrix if inner is None else inner
    return (_gate(x @ gate_matrix, gate_rule) * inner) @ output_matrix


def _attention(query, key, value, *, sharpness):
    return torch.softmax(query @ key.mT * (sharpness / query.shape[-1] ** 0.5), -1) @ value


def _block(x, norm_1, query, key, value, norm_2, gate, inner, output, *, norm_rule, gate_rule,
           sharpness, placement, scale, scaled="change"):  # fmt: skip
    def attend(x):
        return _attention(x @ query, x @ key, x @ value, sharpness=sharpness)

    feed = partial(_feed_forward, gate_matrix=gate, inner_matrix=inner, output_matrix=output,
                   gate_rule=gate_rule)  # fmt: skip
    for part, weight in ((attend, norm_1), (feed, norm_2)):
        norm = partial(_norm, weight=weight, rule=norm_rule)
        read = norm(x) if placement in ("pre", "sandwich", "residual behind the norm") else x
        change = part(read)
        change = norm(change) if placement in ("change", "sandwich") else change
        stream = read if placement == "residual behind the norm" else x
        x = scale * stream + change if scaled == "stream" else stream + scale * change
        x = norm(x) if placement == "post" else x
    return x


def _block_inputs(norm_rule):
    width = 5 * norm_rule["groups"]
    shapes = [(2, 7, width), (width,), (width, 3), (width, 3), (width, width)]
    shapes += [(width,), (width, 11), (width, 11), (11, width)]
    return [0.5 * _randn(*shape) for shape in shapes]


def _one_token_unseen(inputs, upstream, norm_rule, sharpness):
    """The first token is turned away from the others, and asked for what of it reaches them."""
    x, norm_1, query, key, *others = (one.clone() for one in inputs)
    ups_and_downs = torch.tensor([1.0, -1.0, 1.0, -1.0, 0.5]).double()
    way = _joined(ups_and_downs.expand(norm_rule["groups"], 5), norm_rule)
    x = way + 0.2 * x
    x[:, 0] *= -1
    for matrix in (query, key):
        matrix *= 0.2
        matrix[:, 0] = (60 * 3**0.5 / (2 * sharpness)) ** 0.5 * way / way.square().sum()
    upstream = upstream.clone()
    upstream[:, 0] = 0.0
    return [x, 1 + 0.1 * norm_1, query, key, *others], upstream


def _by_parts(parts, upstream, scale):
    rows = [upstream]
    for part in reversed(parts):
        through = [scale * part.T @ row for row in rows]
        rows = [rows[0], *(a + b for a, b in zip(rows[1:], through[:-1], strict=True)), through[-1]]
    return torch.stack(rows)
