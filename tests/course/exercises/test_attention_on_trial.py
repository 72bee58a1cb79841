"""A test for exact attention is told what it never asked, by the impostor that it missed."""

import pytest
import torch
from softlookup.course.exercises.attention_on_trial import impostors, question, why_unseen


def asked(queries, keys, width=11, scale=300.0, dtype=torch.float32):
    source = torch.Generator().manual_seed(0)
    query = torch.randn(queries, width, generator=source)
    key = scale * torch.randn(keys, width, generator=source)
    value = torch.randn(keys, 3, generator=source)
    return question(query.to(dtype), key.to(dtype), value.to(dtype))


@pytest.mark.parametrize(
    ("missed", "questions", "words"),
    [
        ("no scale", [asked(7, 7, scale=1.0)], "All your scores are small"),
        ("keys beyond", [asked(83, 83), asked(7, 5)], "with fewer queries than keys"),
        ("a causal mask", [asked(5, 83)], "with as many queries as keys"),
        ("a scale for", [asked(5, 83, width=64)], "Your width is always 64"),
        ("blocks of 16 that", [asked(5, 64), asked(5, 9)], "always whole blocks of 16"),
        ("the first block's", [asked(5, 16)], "rise 0 above the first block's maximum"),
        ("one maximum", [asked(1, 83)], "lie 0 apart"),
        ("one maximum", [asked(5, 83), asked(5, 83, scale=100.0)], ""),
        ("weights that are rounded", [asked(5, 83)], ""),
    ],
)
def test_the_question_that_was_not_asked_is_named(missed, questions, words):
    (name,) = [name for name in impostors() if name.startswith(missed)]
    why = why_unseen(name, questions)
    assert words in why if words else not why


def test_values_that_are_all_alike_are_named():
    query, key = torch.randn(5, 11), torch.randn(83, 11)
    questions = [question(query, key, torch.ones(83, 3))]
    assert "All your values are alike" in why_unseen("linear attention", questions)


def test_what_exp_holds_depends_on_the_precision():
    single, double = (asked(5, 83, scale=150.0, dtype=d) for d in (torch.float32, torch.float64))
    name = next(name for name in impostors() if name.startswith("the first block's"))
    assert single.rise == pytest.approx(double.rise)
    assert 88 < single.rise < 709
    assert not why_unseen(name, [single])
    assert "or in float32" in why_unseen(name, [double])
