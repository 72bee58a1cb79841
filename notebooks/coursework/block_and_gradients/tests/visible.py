"""The visible tests: they hold each answer against what must be true of it."""

import itertools

import torch
from softlookup.course.exercises.coursework import gradients
from softlookup.course.exercises.probes import require_tensor, same
from softlookup.course.exercises.verdict import Mistake

DROWNED = "Is it made of differences? Their step drowns there; the formula knows no step"


def differences_of_a_parabola(difference_of):
    """Every rule of differences is exact for a parabola, however large the step."""
    x, upstream = _randn(2, 3), _randn(2, 3)
    got = _tensor(difference_of("square", x, upstream, 0.25), (2, 3), "numerical gradient")
    if same(got, 2 * x * upstream + 0.25 * upstream):
        raise Mistake(
            "your numerical gradient: it is a plain difference to one side, (f(x + h) − f(x)) / h, "
            "whose error is of the size of the step"
        )
    if same(got, 2 * x):
        raise Mistake("your numerical gradient: the upstream gradient does not enter it")
    if same(got, torch.full_like(x, got[0, 0].item())):
        raise Mistake(
            "your numerical gradient: all its numbers are one; move one number of x at a time, "
            "and leave the others where they were"
        )
    if not same(got, 2 * x * upstream):
        raise Mistake("your numerical gradient: of x² it is not 2x times the upstream gradient")
    got = _tensor(difference_of("running sum", x, upstream, 0.25), (2, 3), "numerical gradient")
    if not same(got, upstream.flip(-1).cumsum(-1).flip(-1)):
        raise Mistake(
            "your numerical gradient: of a running sum, where a number of x moves all that follow "
            "it, it is another"
        )


def norm_sets_the_size_of_each_group(norm, *, norm_rule):
    """A group of large numbers has the power mean one, and a mean that was taken away."""
    width = 5 * norm_rule["groups"]
    x = 1e4 * _randn(2, 7, width)
    got = _tensor(norm(x, torch.ones(width).double()), (2, 7, width), "normalised x")
    power = norm_rule["power"]
    runs, stripes = _runs(got, norm_rule["groups"]), _stripes(got, norm_rule["groups"])
    parts, others = (runs, stripes) if norm_rule["arrangement"] == "runs" else (stripes, runs)
    ones = torch.ones(2, 7, norm_rule["groups"]).double()
    if not same(_power_mean(parts, power), ones):
        if same(_power_mean(others, power), ones):
            raise Mistake(
                "your norm: its groups are cut the other way; are they neighbours, or every "
                f"{norm_rule['groups']}th feature?"
            )
        if same(_power_mean(got, power), ones[..., 0]):
            raise Mistake("your norm: it has one size for a whole token; each group has its own")
        if same(_power_mean(parts, 2.0), ones):
            raise Mistake(f"your norm: its size is the root mean square; the power is {power:g}")
        raise Mistake("your norm: the power mean of a group of its result is not one")
    flat = (parts.mean(-1) if norm_rule["centre"] == "group" else got.new_zeros(1)).abs().max()
    moved = _tensor(norm(x + 1e4, torch.ones(width).double()), (2, 7, width), "normalised x")
    if not flat <= 1e-4 or not same(moved, got, atol=1e-4):
        raise Mistake(
            f"your norm: the mean of the {norm_rule['centre']} is not taken away before the size "
            "is measured"
        )


def norm_gradient_agrees_with_your_norm(norm, norm_gradient, *, norm_rule):
    """The gradients are those of the norm as written, and know what it is blind to."""
    width = 5 * norm_rule["groups"]
    x, weight, upstream = _randn(2, 7, width), _randn(width), _randn(2, 7, width)
    by_x, by_weight = _pair(norm_gradient(x, weight, upstream), (2, 7, width), (width,))
    _require_norm(norm, x, weight)
    true_by_x, true_by_weight = gradients(norm, [x, weight], upstream)
    if not same(by_weight, true_by_weight):
        raise Mistake(
            "your norm's gradient: by the weight, it is not the sum over all tokens of upstream "
            "times the normalised x"
        )
    if same(by_x, true_by_x):
        return
    cut = _runs if norm_rule["arrangement"] == "runs" else _stripes
    sums = cut(by_x, norm_rule["groups"]).sum(-1)
    if (sums if norm_rule["centre"] == "group" else sums.sum(-1)).abs().max() > 1e-4:
        raise Mistake(
            f"your norm's gradient: it forgets the mean. Adding a constant to the "
            f"{norm_rule['centre']} changes nothing, so the gradient there has to sum to zero"
        )
    far = 1e4 * x
    by_far, _ = _pair(norm_gradient(far, weight, upstream), (2, 7, width), (width,))
    if (cut(by_far * far, norm_rule["groups"]).sum((-2, -1)).abs().max()) > 1e-2:
        raise Mistake(
            "your norm's gradient: it forgets that x stands twice, above and in the size below. "
            "Making a large token larger changes nothing, so along the token it has to be zero"
        )
    raise Mistake("your norm's gradient: by x, it is not the gradient of your norm")


def gate_slope_agrees_with_your_gate(gate, gate_slope):
    """The slope is the derivative of the gate."""
    z = 3 * _randn(11, 13)
    slope = _tensor(gate_slope(z), (11, 13), "gate's slope")
    shut, ajar, wide = _tensor(gate(torch.tensor([-30.0, 30.0, 60.0]).double()), (3,), "gate")
    if not (2 * shut.abs() < ajar and 1.5 * ajar < wide < 4.5 * ajar):
        raise Mistake(
            "your gate's slope: it is judged by your gate, which is none: far to the right a gate "
            "is wide open, and far to the left more than half shut"
        )
    if not same(slope, gradients(gate, [z], torch.ones_like(z))[0]):
        raise Mistake("your gate's slope: it is not the derivative of your gate")
    if not 1e-3 < slope.std() < torch.inf:
        raise Mistake(
            "your gate's slope: it is the same everywhere, and a gate is no straight line"
        )
    if same(slope, -_tensor(gate_slope(-z), (11, 13), "gate's slope")):
        raise Mistake(
            "your gate's slope: to the left of zero it is that of the right with a minus, so that "
            "the gate opens both ways"
        )


def feed_forward_gradient_agrees(feed_forward, feed_forward_gradient):
    """All four gradients are those of the network as written."""
    inputs = [_randn(2, 5, 7), _randn(7, 11), _randn(7, 11), _randn(11, 7)]
    upstream = _randn(2, 5, 7)
    names = ["x", "the gate's matrix", "the inner matrix", "the output matrix"]
    got = feed_forward_gradient(*inputs, upstream)
    if not isinstance(got, tuple | list) or len(got) != 4:
        raise Mistake("your feed-forward gradient: expected four, by x and by the three matrices")
    _require_network(feed_forward, inputs)
    true = gradients(feed_forward, inputs, upstream)
    for name, one, other, given in zip(names, got, true, inputs, strict=True):
        one = _tensor(one, tuple(given.shape), f"gradient by {name}")
        if not same(one, other):
            hint = ": x goes through the gate and past it" if name == "x" else ""
            raise Mistake(f"your feed-forward gradient: by {name}, it is another{hint}")
    # One unit is wide open, and beside its product no step in another one shows.
    far = [one.clone() for one in inputs]
    far[0][..., 0] = 1 + far[0][..., 0].abs()
    for matrix in far[1:3]:
        matrix[:, 0] = 0.0
        matrix[0, 0] = 1e9
    found, true = feed_forward_gradient(*far, upstream), gradients(feed_forward, far, upstream)
    for name, one, other, along in zip(names, found, true, ((0, 1), 0, 0, 1), strict=True):
        one = _tensor(one, tuple(other.shape), f"gradient by {name}")
        if not _same_by_size(one, other, along):
            raise Mistake(
                f"your feed-forward gradient: by {name}, it is wrong where one unit is wide open. "
                f"{DROWNED}"
            )


def softmax_gradient_sums_to_zero(softmax_gradient):
    """A constant added to all scores of a query changes nothing."""
    scores, upstream = _randn(3, 5, 7), _randn(3, 5, 7)
    weights = torch.softmax(scores, -1)
    got = _tensor(softmax_gradient(weights, upstream), (3, 5, 7), "gradient of softmax")
    if same(got, weights * upstream):
        raise Mistake(
            "your gradient of softmax: without the subtraction. A score raises its own weight, "
            "and lowers all others of its row"
        )
    if not got.sum(-1).abs().max() <= 1e-4:
        raise Mistake(
            "your gradient of softmax: its rows do not sum to zero; adding a constant to the "
            "scores of a query changes none of its weights"
        )
    if not same(got, gradients(_softmax, [scores], upstream)[0]):
        raise Mistake("your gradient of softmax: it sums to zero, but is another")
    scores[..., 0] -= 60
    weights = torch.softmax(scores, -1)
    got = _tensor(softmax_gradient(weights, upstream), (3, 5, 7), "gradient of softmax")
    if not _same_by_size(got, gradients(_softmax, [scores], upstream)[0], (0, 1)):
        raise Mistake(f"your gradient of softmax: it is wrong where a weight is tiny. {DROWNED}")


def block_gradient_agrees(
    norm, feed_forward, attention, block, block_gradient, *, norm_rule, block_rule, sharpness
):
    """The gradient by x is that of the block as written, and the block is made of your parts."""
    width = 5 * norm_rule["groups"]
    shapes = [(2, 7, width), (width,), (width, 3), (width, 3), (width, width)]
    shapes += [(width,), (width, 11), (width, 11), (11, width)]
    inputs, upstream = [0.5 * _randn(*shape) for shape in shapes], _randn(2, 7, width)
    _require_norm(norm, inputs[0], inputs[1])
    _require_network(feed_forward, [inputs[0], *inputs[6:]])
    _require_attention(attention)
    got = _tensor(block(*inputs), (2, 7, width), "block")
    wirings = _wirings(norm, feed_forward, attention, inputs, block_rule["scale"])
    if not any(same(got, one, atol=1e-4) for one in wirings):
        raise Mistake(
            "your block: it is not made of your norm, your attention and your feed-forward "
            "network, whichever way these are wired; if one of them is wrong, the block is too"
        )
    every = gradients(block, inputs, upstream)
    true = every[0]
    got = _tensor(block_gradient(*inputs, upstream), (2, 7, width), "block's gradient")
    if same(got, upstream):
        raise Mistake("your block's gradient: it is that of the skips alone")
    if not same(got, true, atol=1e-4):
        raise Mistake(
            "your block's gradient: it is not the gradient of your block; are all its parts' "
            "gradients right?"
        )
    if not all(1e-6 < one.std() < torch.inf for one in every):
        raise Mistake(
            "your block: one of its inputs moves nothing in it, or moves all alike; are the norms, "
            "attention and the feed-forward network in it?"
        )
    inputs, upstream = _one_token_unseen(inputs, upstream, norm_rule, sharpness)
    got = _tensor(block_gradient(*inputs, upstream), (2, 7, width), "block's gradient")
    if not _same_by_size(got, gradients(block, inputs, upstream)[0], -1):
        raise Mistake(
            "your block's gradient: it is wrong by a token of which the others see hardly "
            f"anything. {DROWNED}"
        )


def nothing_goes_through_no_part(gradient_by_parts):
    """The row for no part is the upstream gradient itself."""
    parts, upstream = _randn(3, 5, 5), _randn(5)
    got = _tensor(gradient_by_parts(parts, upstream), (4, 5), "gradient by parts")
    if not same(got[0], upstream):
        raise Mistake(
            "your gradient by parts: row 0 is what has passed every part by on the skips, and "
            "nothing on the skips changes it"
        )
    half = _randn(1, 5, 5)
    through = (half + half.mT)[0] @ upstream
    got = _tensor(gradient_by_parts(half + half.mT, upstream), (2, 5), "gradient by parts")
    if not same(got[1] / got[1].norm(), through / through.norm()):
        raise Mistake(
            "your gradient by parts: of a chain of one part, row 1 is what arrives through it"
        )


def _require_norm(norm, x, weight):
    """Refuse what is no norm: of a large token that is made larger, it makes the same."""
    shape = tuple(x.shape)
    once, larger = (_tensor(norm(f * x, weight), shape, "normalised x") for f in (1e4, 1e5))
    moves = gradients(norm, [x, weight], x)[0].abs().max() >= 1e-3
    if not moves or not same(once, larger, atol=1e-3):
        raise Mistake(
            "your norm: what you derive from it is judged by it, and it is none: of a large token "
            "that is made ten times as large, a norm makes the same"
        )


def _require_network(feed_forward, inputs):
    """Refuse what is no gated network: one of two copies is gated, the other and the output not."""
    x, gate_matrix, inner_matrix, output_matrix = inputs
    value, gated, inner, output = (
        _tensor(feed_forward(x, *matrices), tuple(x.shape), "feed-forward network")
        for matrices in (
            (gate_matrix, inner_matrix, output_matrix),
            (2 * gate_matrix, inner_matrix, output_matrix),
            (gate_matrix, 2 * inner_matrix, output_matrix),
            (gate_matrix, inner_matrix, 2 * output_matrix),
        )
    )
    straight = [same(one, 2 * value) for one in (gated, inner)]
    still = [same(one, value) for one in (gated, inner)]
    double = sum(straight) == 1 and same(output, 2 * value)
    if not double or any(still) or not value.abs().max() >= 1e-6:
        raise Mistake(
            "your feed-forward network: what you derive from it is judged by it, and it is none "
            "with one gate: its result has to double with the output's matrix and with that of "
            "the copy that is not gated, and with the gate's it has to change and must not double"
        )


def _require_attention(attention):
    """Refuse what is no attention: a query's weights sum to one, and depend on the query."""
    query, key, identity = _randn(2, 5, 3), _randn(2, 7, 3), torch.eye(7).double().expand(2, 7, 7)
    weights, others = (
        _tensor(attention(one, key, identity), (2, 5, 7), "attention") for one in (query, -query)
    )
    shared = same(weights.sum(-1), torch.ones(2, 5)) and bool((weights >= -1e-6).all())
    if not shared or same(weights, others):
        raise Mistake(
            "your attention: the weights of a query do not share out one, or other queries have "
            "the same weights"
        )


def _wirings(norm, feed_forward, attention, inputs, scale):
    """What your parts make of the inputs, wired in every way that people wire a block."""
    x, norm_1, query, key, value, norm_2, *matrices = inputs
    parts = (
        (lambda h: attention(h @ query, h @ key, h @ value), norm_1),
        (lambda h: feed_forward(h, *matrices), norm_2),
    )
    for before, change_normed, read_kept, behind in itertools.product((True, False), repeat=4):
        for on_stream, factor in ((False, scale), (False, 1.0), (True, scale)):
            stream = x
            for part, weight in parts:
                read = norm(stream, weight) if before else stream
                change = norm(part(read), weight) if change_normed else part(read)
                skip = read if read_kept else stream
                stream = factor * skip + change if on_stream else skip + factor * change
                stream = norm(stream, weight) if behind else stream
            yield stream


def _same_by_size(got, expected, along):
    """Whether they agree, each slice as a share of its own largest number, however small it is."""
    largest = expected.abs().amax(along, keepdim=True)
    return same(got / largest, expected / largest, atol=1e-4)


def _one_token_unseen(inputs, upstream, norm_rule, sharpness):
    """The first token is turned away from the others, and asked for what of it reaches them."""
    x, norm_1, query, key, *others = (one.clone() for one in inputs)
    group = torch.tensor([1.0, -1.0, 1.0, -1.0, 0.5]).double().expand(norm_rule["groups"], 5)
    way = (group if norm_rule["arrangement"] == "runs" else group.mT).flatten()
    x = way + 0.2 * x
    x[:, 0] *= -1
    for matrix in (query, key):
        matrix *= 0.2
        matrix[:, 0] = (60 * 3**0.5 / (2 * sharpness)) ** 0.5 * way / way.square().sum()
    upstream = upstream.clone()
    upstream[:, 0] = 0.0
    return [x, 1 + 0.1 * norm_1, query, key, *others], upstream


def _randn(*shape):
    return torch.randn(*shape, dtype=torch.float64)


def _tensor(got, shape, what):
    got = require_tensor(got, shape, f"your {what}").double()
    # Of infinity minus infinity no comparison is true, and no guard could be asked.
    if not got.isfinite().all():
        raise Mistake(f"your {what}: it holds numbers that are infinite, or NaN")
    return got


def _pair(got, by_x, by_weight):
    if not isinstance(got, tuple | list) or len(got) != 2:
        raise Mistake("your norm's gradient: expected two, by x and by the weight")
    return _tensor(got[0], by_x, "gradient by x"), _tensor(got[1], by_weight, "gradient by weight")


def _runs(x, groups):
    return x.unflatten(-1, (groups, -1))


def _stripes(x, groups):
    return x.unflatten(-1, (-1, groups)).transpose(-1, -2)


def _power_mean(x, power):
    return x.abs().pow(power).mean(-1).pow(1 / power)


def _softmax(scores):
    return torch.softmax(scores, -1)
