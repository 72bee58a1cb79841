"""Tests that stay with the teacher: a layer of loops to agree with, and that layer with faults."""

import math

import torch
from softlookup.course.exercises.coursework import gradients
from softlookup.course.exercises.verdict import Mistake

SIZES = ((6, 2, 4), (8, 4, 3), (5, 1, 6), (3, 3, 5), (12, 4, 2))


def _group(head, n_heads, n_groups, sharing):
    if sharing == "contiguous":
        return head * n_groups // n_heads
    lap, step = divmod(head, n_groups)
    return n_groups - 1 - step if sharing == "folded" and lap % 2 else step


def _compared(query, key, sharpness, term):
    """Scores of one head: (queries, width) and (keys, width), and one number."""
    kind, strength, positive = term
    if kind == "correlation":
        query, key = (one - one.mean(-1, keepdim=True) for one in (query, key))
    lengths = query.square().sum(-1).sqrt()[:, None] * key.square().sum(-1).sqrt()[None, :]
    alike = query @ key.T / lengths.clamp(min=1e-30)
    if kind == "root_mean_square":
        alike = alike * math.sqrt(query.size(-1))
    factor = {
        "exponential": sharpness.exp(),
        "softplus": (1 + sharpness.exp()).log(),
        "sigmoid": sharpness.exp() / (1 + sharpness.exp()),
    }
    return strength * factor[positive] * alike


def _projected(state, name, tokens):
    out = tokens @ state[f"{name}_projection.weight"].T
    return out + state.get(f"{name}_projection.bias", torch.zeros(()))


def _layer(state, sizes, x, memory, mask, term, sharing, fault=""):
    """The layer, head by head; or the layer with a fault."""
    n_heads, n_groups, d_head = sizes
    state = {name: value.double() for name, value in state.items()}
    x, memory = x.double(), memory.double()
    query, key, value = (
        _projected(state, name, tokens)
        for name, tokens in (("query", x), ("key", memory), ("value", memory))
    )
    joined = []
    for sheet in range(len(x)):
        found, scores = [], []
        for head in range(n_heads):
            group = _group(head, n_heads, n_groups, fault.partition("groups ")[2] or sharing)
            q = query[sheet, :, head * d_head : (head + 1) * d_head]
            k = key[sheet, :, group * d_head : (group + 1) * d_head]
            if fault == "dot product":
                scores.append(q @ k.T / math.sqrt(d_head))
            elif fault == "model width":
                scores.append(q @ k.T / math.sqrt(n_heads * d_head))
            else:
                one = torch.zeros(()) if fault == "sharpness" else state["sharpness"][head]
                scores.append(_compared(q, k, one.double(), term))
        over_heads = torch.stack(scores).softmax(0)
        for head in range(n_heads):
            group = _group(head, n_heads, n_groups, fault.partition("groups ")[2] or sharing)
            seen = mask[sheet] ^ (fault == "mask inverted")
            v = value[sheet, :, group * d_head : (group + 1) * d_head]
            shares = scores[head].masked_fill(~seen, -math.inf).softmax(-1).masked_fill(~seen, 0)
            found.append((over_heads[head] if fault == "over heads" else shares) @ v)
        joined.append(torch.cat(found, -1))
    joined = torch.stack(joined)
    return joined if fault == "output projection" else _projected(state, "output", joined)


FAULTS = {
    "groups contiguous": "groups are given to neighbours, and not as group_of says",
    "groups interleaved": "groups are dealt out in turn, and not as group_of says",
    "sharpness": "the heads' sharpness is not used",
    "dot product": "scores are q·k/√d_head; the layer is to use likeness",
    "model width": "scores are divided by the root of d_model, and lengths are not taken out",
    "over heads": "softmax runs over the heads; it belongs over the keys, dim=-1",
    "mask inverted": "the mask is inverted; True is where a query may look",
    "output projection": "the output projection is not used",
}


def _compare(answer, expected, words):
    if not isinstance(answer, torch.Tensor) or answer.shape != expected.shape:
        shape = tuple(getattr(answer, "shape", ()))
        raise Mistake(f"your {words}: the shape is {shape}; expected {tuple(expected.shape)}")
    if not torch.allclose(answer.detach().double(), expected, rtol=1e-3, atol=1e-4):
        worst = float((answer.detach().double() - expected).abs().max())
        raise Mistake(f"your {words}: the numbers are off by up to {worst:.3g}")


def _made(GroupedAttention, sizes):
    """A student's layer, and the weights that were put into it."""
    n_heads, n_groups, d_head = sizes
    d_model = n_heads * d_head
    layer = GroupedAttention(d_model, n_heads, n_groups)
    widths = {"query": n_heads, "key": n_groups, "value": n_groups, "output": n_heads}
    # The sizes are the text's and not the layer's own: of tensors without numbers, all is zero.
    shapes = {"sharpness": (n_heads,)}
    for name, count in widths.items():
        shapes[f"{name}_projection.weight"] = (count * d_head, d_model)
        shapes[f"{name}_projection.bias"] = (count * d_head,)
    found = {name: tuple(value.shape) for name, value in sorted(layer.state_dict().items())}
    for name in sorted({name for name in shapes if "bias" not in name} | found.keys()):
        if name not in found or found[name] != shapes.get(name):
            raise Mistake(
                f"your GroupedAttention: its parameter {name} has the shape {found.get(name)}; "
                f"expected {shapes.get(name)}"
            )
    state = {name: torch.randn(shapes[name]) / (1 if name == "sharpness" else 3) for name in found}
    layer.load_state_dict(state)
    return layer, state


def _ask(layer, *given):
    """What a layer answers in its own precision, which may be double throughout a notebook."""
    return layer(*_as_precise(layer, *given))


def _as_precise(layer, *given):
    double = any(value.dtype == torch.float64 for value in layer.state_dict().values())
    return [
        one.double() if double and one is not None and one.is_floating_point() else one
        for one in given
    ]


def _agrees(answer, state, sizes, x, memory, mask, term, sharing, words):
    expected = _layer(state, sizes, x, memory, mask, term, sharing)
    try:
        _compare(answer, expected, words)
    except Mistake as mistake:
        for fault, named in FAULTS.items():
            wrong = _layer(state, sizes, x, memory, mask, term, sharing, fault)
            same = answer.shape == wrong.shape and torch.allclose(
                answer.detach().double(), wrong, rtol=1e-3, atol=1e-4
            )
            if same:
                raise Mistake(f"your {words}: {named}") from None
        raise mistake


def groups_at_other_sizes(group_of, *, sharing):
    """Every head's group, for many sizes."""
    for n_heads, n_groups, _ in (*SIZES, (32, 8, 1), (9, 3, 1), (4, 4, 1)):
        answer = [int(group) for group in group_of(n_heads, n_groups)]
        expected = [_group(head, n_heads, n_groups, sharing) for head in range(n_heads)]
        if answer != expected:
            raise Mistake(
                f"your group_of: {n_heads} heads and {n_groups} groups give {answer}; "
                f"expected {expected}"
            )


def likeness_agrees(likeness, *, comparison, strength, positive):
    """Random queries and keys, one of them zeros, in both precisions, sharp heads and blunt."""
    for heads, width, dtype in ((5, 6, torch.float32), (7, 16, torch.float64)):
        query = torch.randn(3, heads, 7, width, dtype=dtype) + 0.5
        key = 4 * torch.randn(3, heads, heads, width, dtype=dtype) + 0.5
        key[1, 2, 3] = 0.0
        sharpness = 2 * torch.randn(heads, dtype=dtype)
        expected = torch.stack(
            [
                torch.stack(
                    [
                        _compared(q, k, one, (comparison, strength, positive))
                        for q, k, one in zip(sheet, other, sharpness, strict=True)
                    ]
                )
                for sheet, other in zip(query, key, strict=True)
            ]
        ).double()
        answer = likeness(query, key, sharpness)
        if isinstance(answer, torch.Tensor) and answer.shape == expected.shape:
            if not torch.isfinite(answer).all():
                raise Mistake("your likeness: with a key of zeros it is not finite; it is 0 there")
            if not answer[1, 2, :, 3].abs().max() <= 1e-6:
                raise Mistake("your likeness: with a key of zeros it is not 0")
        _compare(answer, expected, f"likeness of width {width}")


def layer_agrees(GroupedAttention, *, comparison, strength, positive, sharing):
    """A sequence that looks into itself, at several sizes."""
    for sizes in SIZES:
        layer, state = _made(GroupedAttention, sizes)
        x = torch.randn(3, 7, sizes[0] * sizes[2])
        mask = torch.ones(3, 7, 7, dtype=torch.bool)
        term = (comparison, strength, positive)
        words = f"GroupedAttention of {sizes[0]} heads in {sizes[1]} groups"
        _agrees(_ask(layer, x), state, sizes, x, x, mask, term, sharing, words)


def memory_and_mask(GroupedAttention, *, comparison, strength, positive, sharing):
    """Into a memory of another length, under masks, one row of which allows nothing."""
    term, sizes = (comparison, strength, positive), (6, 3, 4)
    layer, state = _made(GroupedAttention, sizes)
    x, memory = torch.randn(3, 7, 24), torch.randn(3, 11, 24)
    full = torch.ones(3, 7, 11, dtype=torch.bool)
    answer = _ask(layer, x, memory)
    _agrees(answer, state, sizes, x, memory, full, term, sharing, "GroupedAttention with a memory")
    for shape in ((7, 11), (3, 7, 11)):
        mask = torch.rand(shape) < 0.6
        # Each row allows something and forbids something, so that the other way round is finite.
        mask[..., 2], mask[..., 5] = True, False
        answer = _ask(layer, x, memory, mask)
        words = f"GroupedAttention with a mask of shape {shape}"
        _agrees(answer, state, sizes, x, memory, mask.expand(3, 7, 11), term, sharing, words)
    mask = torch.ones(7, 7, dtype=torch.bool).tril(-1)
    answer = _ask(layer, x, None, mask)
    words = "GroupedAttention where the first token may look nowhere"
    _agrees(answer, state, sizes, x, x, mask.expand(3, 7, 7), term, sharing, words)


def layer_gradients_agree(GroupedAttention, *, comparison, strength, positive, sharing):
    """Gradients reach the tokens, through queries, keys and values."""
    term, sizes = (comparison, strength, positive), (6, 2, 4)
    layer, state = _made(GroupedAttention, sizes)
    x, memory, weights = torch.randn(3, 5, 24), torch.randn(3, 7, 24), torch.randn(3, 5, 24)
    leaves = [leaf.double().requires_grad_() for leaf in (x, memory)]
    mask = torch.ones(3, 5, 7, dtype=torch.bool)
    output = _layer(state, sizes, *leaves, mask, term, sharing)
    expected = torch.autograd.grad((output * weights).sum(), leaves)
    found = gradients(layer, _as_precise(layer, x, memory), weights)
    for name, got, wanted in zip(("tokens", "memory"), found, expected, strict=True):
        _compare(got, wanted, f"GroupedAttention, gradients of the {name}")


def conversion_agrees(GroupedAttention, convert, *, sharing, biases, pooling):
    """Random weights at several sizes; and the new layer takes what is returned."""
    for sizes in SIZES[:2]:
        n_heads, n_groups, d_head = sizes
        d_model, per_group = n_heads * d_head, n_heads // n_groups
        old = torch.nn.MultiheadAttention(d_model, n_heads).state_dict()
        old = {name: torch.randn(value.shape) for name, value in old.items()}
        shared = [_group(head, n_heads, n_groups, sharing) for head in range(n_heads)]
        members = [[h for h, g in enumerate(shared) if g == own] for own in range(n_groups)]

        def pooled(rows, members=members, d_head=d_head, per_group=per_group):
            blocks = []
            for heads in members:
                taken = [rows[head * d_head : (head + 1) * d_head] for head in heads]
                divisor = {"first": 1, "mean": per_group, "root": math.sqrt(per_group)}[pooling]
                blocks.append(sum(taken[:1] if pooling == "first" else taken) / divisor)
            return torch.cat(blocks)

        expected = {}
        for kind, given in (("weight", old["in_proj_weight"]), ("bias", old["in_proj_bias"])):
            query, key, value = given.double().chunk(3)
            expected[f"query_projection.{kind}"] = query
            expected[f"key_projection.{kind}"] = pooled(key)
            expected[f"value_projection.{kind}"] = pooled(value)
            expected[f"output_projection.{kind}"] = old[f"out_proj.{kind}"].double()
        new = convert(old, n_heads, n_groups)
        for name, wanted in expected.items():
            leaves_out = biases == "none" or (biases != "all" and "output" in name)
            if not (name.endswith("bias") and leaves_out):
                _compare(new.get(name), wanted, f"convert, {name}")
        layer, _ = _made(GroupedAttention, sizes)
        layer.load_state_dict({**new, "sharpness": torch.zeros(n_heads)})
