"""Claims: what is false raises, what is true prints a line, and the line reads back."""

import math

import pytest
import torch
from properties import given, st
from softlookup.course import claims
from softlookup.course.claims import RELATIONS, Claim, ClaimError, check, parse

finite = st.floats(-1e300, 1e300)
words = st.from_regex(r"[a-z][a-z, ()=0-9^-]*[a-z0-9]", fullmatch=True)


@pytest.mark.parametrize(
    ("measured", "relation", "bound", "holds"),
    [
        (1, "<=", 1, True),
        (1, "<", 1, False),
        (1, ">=", 1, True),
        (1, ">", 1, False),
        (0, "<", 1, True),
        (0, ">=", 1, False),
        (2, ">", 1, True),
        (2, "<=", 1, False),
    ],
)
def test_relations(measured, relation, bound, holds, capsys):
    if holds:
        check("5-an-example", "one is what it is", measured, relation, bound)
        assert capsys.readouterr().out.startswith("claim 5-an-example holds: one is what it is [")
        return
    with pytest.raises(ClaimError, match="claim 5-an-example is FALSE: one is what it is"):
        check("5-an-example", "one is what it is", measured, relation, bound)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("relation", RELATIONS)
def test_not_a_number_keeps_no_bound(relation):
    with pytest.raises(ClaimError, match="Measured nan"):
        check("5-an-example", "nothing was measured", math.nan, relation, 0.0)
    with pytest.raises(ClaimError):
        check("5-an-example", "nothing was bounded", 0.0, relation, math.nan)


def test_a_false_claim_gives_every_digit():
    with pytest.raises(ClaimError, match=r"Measured 0\.12345678, claimed <= 0\.12345677"):
        check("5-an-example", "close is not equal", 0.12345678, "<=", 0.12345677)


def test_a_tensor_of_one_number_will_do(capsys):
    check("5-an-example", "a tensor holds a number", torch.tensor(0.25), "<", 1)
    line = "claim 5-an-example holds: a tensor holds a number [measured 0.25, claimed < 1]\n"
    assert capsys.readouterr().out == line


def test_rounding_never_makes_a_true_claim_look_false(capsys):
    check("5-an-example", "nearly one is less than one", 0.9996, "<", 1)
    assert "[measured 0.9996, claimed < 1]" in capsys.readouterr().out


@given(
    st.from_regex(r"[0-9]{1,2}(-[a-z0-9]{1,9}){1,4}", fullmatch=True),
    words,
    finite,
    st.sampled_from([*RELATIONS]),
    finite,
)
def test_what_is_printed_reads_back(id, statement, measured, relation, bound):
    claim = Claim(id, statement, measured, relation, bound)
    again = parse(str(claim) + "\n")
    assert (again.id, again.statement, again.relation) == (id, statement, relation)
    # Printed with few digits, so that the line survives another machine.
    assert again.measured == pytest.approx(measured, rel=5e-3)
    assert again.bound == pytest.approx(bound, rel=1e-5)
    assert str(parse(str(again))) == str(again)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "Measured: (a). As you predicted.",
        "claim 5-an-example is FALSE: close is not equal. Measured 2, claimed <= 1.",
        "claim 5-an-example holds: no brackets",
        "so claim 5-an-example holds: x [measured 1, claimed <= 2]",
    ],
)
def test_other_lines_are_no_claims(line):
    assert parse(line) is None


@pytest.mark.parametrize(
    "id",
    [
        "",
        "example",
        "5",
        "5-",
        "5-An-Example",
        "five-example",
        "5 a",
        "5-an-example!",
        "5-an-Example",
    ],
)
def test_a_malformed_id_is_refused(id):
    with pytest.raises(ValueError, match="expected a form like '5-causal-no-leak'"):
        check(id, "a statement", 0, "<", 1)


@pytest.mark.parametrize("statement", ["", "two\nlines", "with [brackets]", "a full stop."])
def test_a_malformed_statement_is_refused(statement):
    with pytest.raises(ValueError, match="claim 5-an-example: the statement is"):
        check("5-an-example", statement, 0, "<", 1)


@pytest.mark.parametrize("relation", ["==", "=<", "", "!="])
def test_an_unknown_relation_is_refused(relation):
    with pytest.raises(ValueError, match="claim 5-an-example: relation is"):
        check("5-an-example", "a statement", 0, relation, 1)


def test_a_failed_claim_is_an_assertion_error():
    assert issubclass(claims.ClaimError, AssertionError)
