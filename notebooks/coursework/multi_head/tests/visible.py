"""Tests that you can run: each names the mistake that it finds.

Their inputs are drawn: at every run here the same ones, and others when it is graded.
"""

import math

import torch
from softlookup.course.exercises.verdict import Mistake


def _tensor(answer, shape, what):
    """Refuse what is no tensor of this shape, or holds what no guard can be asked of."""
    if not isinstance(answer, torch.Tensor):
        raise Mistake(f"your {what}: it returned {type(answer).__name__}; expected a tensor")
    if answer.shape != shape:
        raise Mistake(f"your {what}: its shape is {tuple(answer.shape)}; expected {shape}")
    if not torch.isfinite(answer).all():
        raise Mistake(f"your {what}: it holds numbers that are infinite, or NaN")
    return answer.detach().double()


def _ask(layer, *given):
    """What a layer answers in its own precision, which may be double throughout a notebook."""
    return layer(*_as_precise(layer, *given))


def _as_precise(layer, *given):
    double = any(value.dtype == torch.float64 for value in layer.state_dict().values())
    return [
        one.double() if double and one is not None and one.is_floating_point() else one
        for one in given
    ]


def groups_are_as_drawn(group_of, *, n_heads, n_groups, groups):
    """The groups of the example's heads."""
    answer = [int(group) for group in group_of(n_heads, n_groups)]
    if answer == groups:
        for heads, others in ((10, 5), (12, 4), (12, 3)):
            read = [int(group) for group in group_of(heads, others)]
            if sorted(read) != [n // (heads // others) for n in range(heads)]:
                raise Mistake(
                    f"your group_of: of {heads} heads, {heads // others} read each of the "
                    f"{others} groups; got {read}"
                )
            for rule in (_neighbours, _in_turn):
                if (read == rule(heads, others)) != (groups == rule(n_heads, n_groups)):
                    raise Mistake(
                        f"your group_of: of {heads} heads and {others} groups it goes by another "
                        f"rule than the table; got {read}"
                    )
            if (read[:others] == [*range(others)]) != (groups[:n_groups] == [*range(n_groups)]):
                raise Mistake(
                    f"your group_of: of {heads} heads and {others} groups it does not begin as the "
                    f"table does; got {read}"
                )
        return
    if len(answer) != n_heads:
        raise Mistake(f"your group_of: it names {len(answer)} groups; expected one for each head")
    if [group - 1 for group in answer] == groups:
        raise Mistake("your group_of: it counts from 1; groups are counted from 0")
    if answer == _neighbours(n_heads, n_groups):
        raise Mistake("your group_of: neighbours share a group; this term has another rule")
    if answer == _in_turn(n_heads, n_groups):
        raise Mistake("your group_of: heads are dealt out in turn; this term has another rule")
    head = next(head for head in range(n_heads) if answer[head] != groups[head])
    raise Mistake(f"your group_of: head {head} reads group {answer[head]}; see the table")


def _neighbours(n_heads, n_groups):
    return [head // (n_heads // n_groups) for head in range(n_heads)]


def _in_turn(n_heads, n_groups):
    return [head % n_groups for head in range(n_heads)]


def likeness_of_known_pairs(likeness, *, comparison, strength, positive):
    """Two heads; queries and keys that are alike, opposite, or have nothing in common."""
    one, other = torch.tensor([1.0, -1, 1, -1, 0, 0]), torch.tensor([1.0, 1, -1, -1, 0, 0])
    # None has a mean, so that it makes no difference whether a mean is taken off.
    query = torch.stack([3 * one, 5 * other]).expand(1, 2, 2, 6)
    key = torch.stack([2 * one, -7 * one, other]).expand(1, 2, 3, 6)
    sharp = 0.5 + float(torch.rand(())) / 2
    sharpness = torch.tensor([0.0, sharp])
    answer = likeness(query, key, sharpness)
    if isinstance(answer, torch.Tensor) and answer.shape == (1, 2, 3, 2):
        raise Mistake("your likeness: it has a row for each key; give each query a row")
    answer = _tensor(answer, (1, 2, 2, 3), "likeness")
    signs = torch.tensor([[1.0, -1, 0], [0, 0, 1]])
    if not torch.allclose(answer.sign() * (answer.abs() > 1e-4), signs.double().expand(2, 2, 3)):
        raise Mistake(
            "your likeness: like is not positive, opposite not negative, or strange not 0"
        )
    one_head = answer[0, :, 0, 0]
    if not (answer[..., 0, 0] + answer[..., 0, 1]).abs().max() <= 1e-3:
        raise Mistake(
            "your likeness: a key that is three and a half times as long counts for more; lengths "
            "are taken out of queries and keys alike"
        )
    if not (answer[..., 0, 0] - answer[..., 1, 2]).abs().max() <= 1e-3:
        raise Mistake("your likeness: a longer query has larger scores; take its length out too")
    raw = {
        "exponential": math.exp,
        "softplus": lambda t: math.log1p(math.exp(t)),
        "sigmoid": lambda t: 1 / (1 + math.exp(-t)),
    }
    wanted = raw[positive](sharp) / raw[positive](0.0)
    got = float(one_head[1] / one_head[0])
    if abs(got - 1) < 1e-4:
        raise Mistake(f"your likeness: the second head's sharpness of {sharp:.2f} changes nothing")
    for name, change in raw.items():
        if name != positive and abs(got - change(sharp) / change(0.0)) < 1e-3:
            raise Mistake(f"your likeness: sharpness goes through {name}; here it is {positive}")
    if not abs(got - wanted) <= 1e-3:
        raise Mistake(
            f"your likeness: a sharpness of {sharp:.2f} multiplies by {got:.3f} compared with one "
            f"of 0; expected {wanted:.3f}"
        )
    root = math.sqrt(6)
    wanted = strength * raw[positive](0.0) * (root if comparison == "root_mean_square" else 1)
    got = float(one_head[0])
    if not abs(got - wanted) <= 1e-3:
        for factor, words in {
            1 / strength: f"the factor {strength:g} is missing",
            1 / root: "it is too small by the root of the width",
            root: "it is too large by the root of the width",
        }.items():
            if abs(got - wanted * factor) < 1e-3:
                raise Mistake(f"your likeness: {words}")
        raise Mistake(
            f"your likeness: two vectors of one direction and width 6 have {got:.4f} at a "
            f"sharpness of 0; expected {wanted:.4f}"
        )
    raised = _tensor(likeness(query + 2, key, sharpness), (1, 2, 2, 3), "likeness")
    same = (raised - answer).abs().max() < 1e-3
    if same and comparison != "correlation":
        raise Mistake("your likeness: the mean of a vector is taken off; here it counts")
    if not same and comparison == "correlation":
        raise Mistake("your likeness: the mean of a vector counts; take it off first")


def parameters_have_their_names(GroupedAttention, *, n_heads, n_groups, d_head, biases):
    """The layer has the parameters that the text lists, and no others."""
    d_model = n_heads * d_head
    found = {
        name: (tuple(value.shape), value)
        for name, value in GroupedAttention(d_model, n_heads, n_groups).state_dict().items()
    }
    shapes = {"sharpness": (n_heads,)}
    heads = {"query": n_heads, "key": n_groups, "value": n_groups, "output": n_heads}
    for name, count in heads.items():
        shapes[f"{name}_projection.weight"] = (count * d_head, d_model)
        if biases == "all" or (biases != "none" and name != "output"):
            shapes[f"{name}_projection.bias"] = (count * d_head,)
    missing, more = sorted(shapes.keys() - found), sorted(found.keys() - shapes)
    if missing or more:
        raise Mistake(
            f"your GroupedAttention: of the text's parameters it lacks {missing}, and it has "
            f"{more} beyond them"
        )
    for name, shape in shapes.items():
        if found[name][0] != shape:
            raise Mistake(
                f"your GroupedAttention: {name} has the shape {found[name][0]}; expected {shape}"
            )
    if not found["sharpness"][1].abs().max() <= 0:
        raise Mistake("your GroupedAttention: sharpness does not begin with zeros")


def order_of_tokens(GroupedAttention, *, n_heads, n_groups, d_head):
    """Tokens that change places take their outputs along; the memory's order is no matter."""
    d_model, order = n_heads * d_head, torch.randperm(7)
    layer = GroupedAttention(d_model, n_heads, n_groups)
    x, memory = torch.randn(3, 7, d_model), torch.randn(3, 7, d_model)
    answer = _tensor(_ask(layer, x, memory), (3, 7, d_model), "GroupedAttention")
    alone = _tensor(_ask(layer, x[:1], memory[:1]), (1, 7, d_model), "GroupedAttention")
    if not (alone - answer[:1]).abs().max() <= 1e-4:
        raise Mistake("your GroupedAttention: one sequence of a batch changes with the others")
    moved = _tensor(_ask(layer, x[:, order], memory), (3, 7, d_model), "GroupedAttention")
    if not (moved - answer[:, order]).abs().max() <= 1e-4:
        raise Mistake(
            "your GroupedAttention: tokens that change places do not take their outputs along. A "
            "view to (batch, heads, length, d_head) cuts across tokens: cut the width, transpose"
        )
    moved = _tensor(_ask(layer, x, memory[:, order]), (3, 7, d_model), "GroupedAttention")
    if not (moved - answer).abs().max() <= 1e-4:
        raise Mistake(
            "your GroupedAttention: the order of the memory's tokens matters; keys and values are "
            "cut across tokens: cut the width, then transpose"
        )
    _require_asking(layer, x)
    twice = _tensor(
        _ask(layer, x, torch.cat((memory, memory), 1)), (3, 7, d_model), "GroupedAttention"
    )
    alike = memory[:, :1].expand(3, 7, d_model)
    found = _tensor(_ask(layer, x, alike), (3, 7, d_model), "GroupedAttention")
    itself = _tensor(_ask(layer, x), (3, 7, d_model), "GroupedAttention")
    if not (found - itself).abs().max() >= 1e-4:
        raise Mistake("your GroupedAttention: the memory changes nothing; it is what answers")
    if not (twice - answer).abs().max() <= 1e-4 or not (found - found[:, :1]).abs().max() <= 1e-4:
        raise Mistake(
            "your GroupedAttention: weights do not share out one over the keys. A memory whose "
            "tokens stand in it twice says nothing new, and one whose tokens are all the same says "
            "that to everyone"
        )


def memory_of_one_token(GroupedAttention, *, n_heads, n_groups, d_head, groups):
    """Where there is one token to look at, every head hands on its group's value of it."""
    d_model = n_heads * d_head
    layer = GroupedAttention(d_model, n_heads, n_groups)
    given = {
        name: torch.randn(value.shape) / math.sqrt(d_model)
        for name, value in sorted(layer.state_dict().items())
    }
    for name, count in (("value", n_groups), ("output", n_heads)):
        shape = tuple(given[f"{name}_projection.weight"].shape)
        if shape != (count * d_head, d_model):
            raise Mistake(
                f"your GroupedAttention: {name}_projection.weight has the shape {shape}; "
                f"expected {(count * d_head, d_model)}"
            )
    layer.load_state_dict(given)
    x = torch.randn(3, 5, d_model)
    _require_asking(layer, x)
    memory = torch.randn(3, 1, d_model)
    answer = _tensor(_ask(layer, x, memory), (3, 5, d_model), "GroupedAttention")
    itself = _tensor(_ask(layer, x), (3, 5, d_model), "GroupedAttention")
    if not (answer - itself).abs().max() >= 1e-4:
        raise Mistake("your GroupedAttention: the memory changes nothing; it is what answers")
    values = memory[:, 0] @ given["value_projection.weight"].T
    values = values + given.get("value_projection.bias", 0)
    bias = given.get("output_projection.bias", torch.zeros(d_model))

    def handed_on(order):
        joined = torch.cat([values[:, g * d_head : (g + 1) * d_head] for g in order], dim=-1)
        return joined, joined @ given["output_projection.weight"].T

    def equals(expected):
        return (answer - expected[:, None].double()).abs().max() < 1e-4

    joined, expected = handed_on(groups)
    if equals(expected + bias):
        return
    if equals(joined):
        raise Mistake("your GroupedAttention: the output projection is not used")
    if equals(expected):
        raise Mistake("your GroupedAttention: the output projection's bias is not used")
    for rule, words in ((_in_turn, "in turn"), (_neighbours, "to neighbours")):
        order = rule(n_heads, n_groups)
        if equals(handed_on(order)[1] + bias):
            raise Mistake(
                f"your GroupedAttention: groups are dealt out {words}, and not as group_of says"
            )
    raise Mistake(
        "your GroupedAttention: where there is one token to look at, its weight is not one in "
        "every head, or what the heads found is joined in a wrong order; softmax runs over keys"
    )


def _require_asking(layer, x):
    """Refuse a layer in which every token takes the same of the others, as of an average."""
    elsewhere = torch.cat((x[:, :3], x[:, 3:].flip(0)), dim=1)
    found, other = (
        _tensor(_ask(layer, one), tuple(x.shape), "GroupedAttention") for one in (x, elsewhere)
    )
    taken = (found - other)[:, :3]
    if not (taken[:, 1:] - taken[:, :1]).abs().max() >= 1e-4:
        raise Mistake(
            "your GroupedAttention: all tokens take the same of the others, whatever they ask"
        )


def conversion_without_pooling(convert, *, biases):
    """As many groups as heads: nothing is pooled, everything is taken over."""
    old = torch.nn.MultiheadAttention(12, 3).state_dict()
    old = {name: torch.randn(value.shape) for name, value in old.items()}
    new = convert(old, 3, 3)
    thirds = dict(zip(("query", "key", "value"), old["in_proj_weight"].split(12), strict=True))
    thirds["output"] = old["out_proj.weight"]
    for name, wanted in thirds.items():
        full = f"{name}_projection.weight"
        if full not in new:
            raise Mistake(f"your convert: {full} is missing")
        got = _tensor(new[full], (12, 12), f"convert, {full}")
        if torch.allclose(got, wanted.double()):
            continue
        for other, weight in thirds.items():
            if torch.allclose(got, weight.double()):
                raise Mistake(f"your convert: {full} holds what belongs to the {other}")
        if torch.allclose(got, wanted.T.double()):
            raise Mistake(f"your convert: {full} is transposed; both are stored alike")
        raise Mistake(f"your convert: {full} is not what the old layer has")
    wanted = {f"{name}_projection.weight" for name in thirds}
    if biases != "none":
        wanted |= {f"{name}_projection.bias" for name in thirds}
    if biases == "all but the output's":
        wanted -= {"output_projection.bias"}
    if new.keys() != wanted:
        raise Mistake(
            f"your convert: it returns {sorted(new)}; expected {sorted(wanted)} and no more"
        )


def conversion_pools(convert, *, n_heads, n_groups, groups, pooling):
    """Every number of head h is h plus a drawn number in keys, and twice that in values."""
    d_model, r, first = 2 * n_heads, n_heads // n_groups, 1 + int(torch.randint(9, ()))
    heads = torch.arange(first, first + n_heads).float().repeat_interleave(2)
    old = {
        "in_proj_weight": torch.cat([heads, heads, 2 * heads])[:, None].expand(-1, d_model),
        "in_proj_bias": torch.cat([heads, heads, 2 * heads]),
        "out_proj.weight": torch.ones(d_model, d_model),
        "out_proj.bias": torch.ones(d_model),
    }
    new = convert(old, n_heads, n_groups)
    for name, factor in (("key", 1), ("value", 2)):
        full = f"{name}_projection.weight"
        got = _tensor(new.get(full), (2 * n_groups, d_model), f"convert, {full}")[::2, 0] / factor
        for group in range(n_groups):
            numbers = [head + first for head in range(n_heads) if groups[head] == group]
            pooled = {
                "mean": sum(numbers) / r,
                "first": numbers[0],
                "root": sum(numbers) / math.sqrt(r),
                "sum": sum(numbers),
            }
            if not abs(float(got[group]) - pooled[pooling]) <= 1e-3:
                for other, number in pooled.items():
                    if abs(float(got[group]) - number) < 1e-3:
                        raise Mistake(f"your convert: {full} pools by the {other}, see the text")
                raise Mistake(
                    f"your convert: group {group} of {full} holds {float(got[group]):.3f} where "
                    f"heads {[number - first for number in numbers]} hold {numbers}; "
                    f"expected {pooled[pooling]:.3f}"
                )
