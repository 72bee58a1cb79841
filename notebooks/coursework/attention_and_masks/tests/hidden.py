"""Tests that stay with the teacher: agreement with a slow attention, written row by row."""

import torch
from softlookup.course.exercises.coursework import gradients
from softlookup.course.exercises.verdict import Mistake


def _bent(scores, bend, corner):
    if bend == "logarithm":
        bent = corner * torch.log(1 + scores.abs() / corner)
    elif bend == "root":
        bent = scores.abs() * (1 + scores.abs() / corner) ** -0.5
    elif bend == "arsinh":
        ratio = scores.abs() / corner
        bent = corner * torch.log(ratio + (ratio**2 + 1).sqrt())
    else:
        bent = scores.abs() - 0.75 * (scores.abs() - corner).clamp(min=0)
    return torch.where(scores < 0, -bent, bent)


def _scores(query, key, exponent, bend, corner):
    products = (query.double().unsqueeze(-2) * key.double().unsqueeze(-3)).sum(-1)
    return _bent(products * query.size(-1) ** -exponent, bend, corner)


def _allowed(i, length, rule, near, far):
    """The tokens that token i may look at, one by one."""
    found = []
    for j in range(min(i, length)):
        if rule == "landmarks":
            fits = j >= i - i % near or j % near + far >= near
        else:
            fits = j >= i - near
            fits = fits or (rule == "sinks" and j < far)
            fits = fits or (rule == "dilated" and (i - j) % far == 0)
            fits = fits or (rule == "echo" and far <= i - j < far + near)
        if fits:
            found.append(j)
    return found


def _attended(query, key, value, mask, term):
    """Row by row: a softmax over the keys that the row allows, and over no others."""
    scores = _scores(query, key, *term)
    mask = mask.expand(scores.shape).reshape(-1, *scores.shape[-2:])
    flat, values = scores.reshape(mask.shape), value.double().reshape(-1, *value.shape[-2:])
    rows = []
    for sheet in range(len(flat)):
        for row in range(flat.size(1)):
            seen = mask[sheet, row].nonzero().flatten()
            shares = torch.softmax(flat[sheet, row, seen], 0)
            rows.append((shares[:, None] * values[sheet, seen]).sum(0))
    return torch.stack(rows).reshape(*scores.shape[:-1], value.size(-1))


def _compare(answer, expected, words):
    if not isinstance(answer, torch.Tensor) or answer.shape != expected.shape:
        shape = tuple(getattr(answer, "shape", ()))
        raise Mistake(f"your {words}: the shape is {shape}; expected {tuple(expected.shape)}")
    if not torch.allclose(answer.double(), expected, rtol=1e-3, atol=1e-4):
        worst = float((answer.double() - expected).abs().max())
        raise Mistake(f"your {words}: the numbers are off by up to {worst:.3g}")


def scores_agree(scores, *, exponent, bend, corner):
    """Random numbers, axes in front, both precisions, widths that differ."""
    for lead, width, dtype in (((3, 5), 13, torch.float32), ((), 64, torch.float64)):
        query = 3 * torch.randn(*lead, 7, width, dtype=dtype)
        key = 3 * torch.randn(*lead, 11, width, dtype=dtype)
        expected = _scores(query, key, exponent, bend, corner)
        _compare(scores(query, key), expected, f"scores at width {width}")


def pattern_at_other_lengths(pattern, *, rule, near, far):
    """Lengths from one token to more than the picture shows."""
    for length in (1, 2, 5, 23, 40):
        answer = pattern(length)
        if not isinstance(answer, torch.Tensor) or answer.shape != (length, length):
            shape = tuple(getattr(answer, "shape", ()))
            raise Mistake(f"your pattern: for {length} tokens its shape is {shape}")
        for i in range(length):
            seen = answer[i].nonzero().flatten().tolist()
            expected = _allowed(i, length, rule, near, far)
            if seen != expected:
                raise Mistake(
                    f"your pattern: of {length} tokens, token {i} sees {seen}; expected {expected}"
                )


def attention_agrees(attend, *, exponent, bend, corner):
    """Without a mask, and with masks of every shape that fits."""
    shapes = (None, (7, 11), (1, 11), (3, 1, 7, 11), (3, 1, 1, 11), (5, 7, 11))
    for shape in shapes:
        query, key = 2 * torch.randn(3, 5, 7, 13), 2 * torch.randn(3, 5, 11, 13)
        value = torch.randn(3, 5, 11, 2)
        mask = torch.ones(7, 11, dtype=torch.bool) if shape is None else torch.rand(shape) < 0.6
        given = (query, key, value) if shape is None else (query, key, value, mask)
        expected = _attended(query, key, value, mask, (exponent, bend, corner))
        _compare(attend(*given), expected, f"attend with a mask of shape {shape}")
    query, key = torch.randn(7, 13, dtype=torch.float64), torch.randn(11, 13, dtype=torch.float64)
    value, mask = torch.randn(11, 2, dtype=torch.float64), torch.rand(7, 11) < 0.6
    expected = _attended(query, key, value, mask, (exponent, bend, corner))
    _compare(attend(query, key, value, mask), expected, "attend in float64, without a batch")


def large_scores_do_not_overflow(attend, *, exponent, bend, corner):
    """Scores in the hundreds, of which the greatest takes nearly all."""
    query, key = 3e4 * torch.randn(3, 7, 13), 3e4 * torch.randn(3, 11, 13)
    weights = attend(query, key, torch.eye(11).expand(3, 11, 11))
    if not isinstance(weights, torch.Tensor) or weights.shape != (3, 7, 11):
        shape = tuple(getattr(weights, "shape", ()))
        raise Mistake(f"your attend: the shape is {shape}; expected (3, 7, 11)")
    weights = weights.double()
    if not torch.isfinite(weights).all():
        raise Mistake("your attend: large scores overflow; subtract each row's greatest first")
    if not (weights.sum(-1) - 1).abs().max() <= 1e-3:
        raise Mistake("your attend: with large scores the weights do not sum to one any more")
    sure = torch.softmax(_scores(query, key, exponent, bend, corner), -1) > 0.999
    if not (weights[sure] >= 0.9).all():
        raise Mistake("your attend: with large scores it is not the greatest that takes the most")


def gradients_agree(look_back, *, exponent, bend, corner, rule, near, far):
    """Gradients are finite, although the first token may look nowhere, and are right."""
    length = 17
    inputs = [torch.randn(3, length, width) for width in (13, 13, 5)]
    weights = torch.randn(3, length, 5)
    mask = torch.zeros(length, length, dtype=torch.bool)
    for i in range(length):
        mask[i, _allowed(i, length, rule, near, far)] = True
    leaves = [leaf.double().requires_grad_() for leaf in inputs]
    output = _attended(*leaves, mask, (exponent, bend, corner))
    expected = torch.autograd.grad((output * weights).sum(), leaves)
    found = gradients(look_back, inputs, weights)
    for name, got, wanted in zip(("queries", "keys", "values"), found, expected, strict=True):
        if not torch.isfinite(got).all():
            raise Mistake(f"your look_back: the gradients of the {name} are not finite")
        _compare(got, wanted, f"look_back, gradients of the {name}")


def newest_takes_a_long_past(newest, *, exponent, bend, corner, rule, near, far):
    """A hundred thousand tokens, and one alone."""
    for length in (100_000, 23, 1):
        query, key = 2 * torch.randn(1, 4), 2 * torch.randn(length, 4)
        value = torch.randn(length, 3)
        seen = torch.tensor(_allowed(length - 1, length, rule, near, far), dtype=torch.long)
        shares = torch.softmax(_scores(query, key[seen], exponent, bend, corner), -1)
        expected = shares @ value[seen].double()
        _compare(newest(query, key, value), expected, f"newest of {length} tokens")
