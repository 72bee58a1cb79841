"""Claims: what is false raises, what is true prints a line, and the line reads back."""

import math

import pytest
import torch
from properties import given, st
from softlookup.course import claims
from softlookup.course.claims import (
    RELATIONS,
    Claim,
    ClaimError,
    Rival,
    Spread,
    finding,
    law,
    parse,
)

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
        law("5-an-example", "one is what it is", measured, relation, bound)
        assert capsys.readouterr().out.startswith("law 5-an-example holds: one is what it is [")
        return
    with pytest.raises(ClaimError, match="law 5-an-example is FALSE: one is what it is"):
        law("5-an-example", "one is what it is", measured, relation, bound)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("relation", RELATIONS)
def test_not_a_number_keeps_no_bound(relation):
    with pytest.raises(ClaimError, match="Measured nan"):
        law("5-an-example", "nothing was measured", math.nan, relation, 0.0)
    with pytest.raises(ClaimError):
        law("5-an-example", "nothing was bounded", 0.0, relation, math.nan)


def test_a_false_claim_gives_every_digit():
    with pytest.raises(ClaimError, match=r"Measured 0\.12345678, claimed <= 0\.12345677"):
        law("5-an-example", "close is not equal", 0.12345678, "<=", 0.12345677)


def test_a_tensor_of_one_number_will_do(capsys):
    law("5-an-example", "a tensor holds a number", torch.tensor(0.25), "<", 1)
    line = "law 5-an-example holds: a tensor holds a number [measured 0.25, claimed < 1]\n"
    assert capsys.readouterr().out == line


def test_rounding_never_makes_a_true_claim_look_false(capsys):
    law("5-an-example", "nearly one is less than one", 0.9996, "<", 1)
    assert "[measured 0.9996, claimed < 1]" in capsys.readouterr().out


spreads = st.tuples(finite, finite).map(lambda ends: Spread(min(ends), max(ends)))
ids = st.from_regex(r"[0-9]{1,2}(-[a-z0-9]{1,9}){1,4}", fullmatch=True)


@given(
    st.sampled_from(["law", "finding"]),
    ids,
    words,
    spreads,
    st.sampled_from([*RELATIONS]),
    finite,
    st.sampled_from(["", "3 seeds", "5 learning rates of 2 seeds"]),
    st.lists(st.tuples(words, spreads), max_size=3),
)
def test_what_is_printed_reads_back(kind, id, statement, measured, relation, bound, over, rivals):
    given = tuple(Rival(name, gives) for name, gives in rivals)
    claim = Claim(kind, id, statement, measured, relation, bound, over, given)
    again = parse(str(claim) + "\n")
    assert (again.kind, again.id, again.statement) == (kind, id, statement)
    assert (again.relation, again.over) == (relation, over)
    assert [rival.name for rival in again.rivals] == [name for name, _ in rivals]
    # Printed with few digits, so that the line survives another machine.
    assert again.bound == pytest.approx(bound, rel=1e-5)
    for read, told in zip(
        (again.measured, *(rival.measured for rival in again.rivals)),
        (measured, *(gives for _, gives in rivals)),
        strict=True,
    ):
        assert read.least == pytest.approx(told.least, rel=5e-3)
        assert read.greatest == pytest.approx(told.greatest, rel=5e-3)


def found(measured=(0.81, 0.9), *, over="3 seeds", rivals=None, relation=">=", bound=0.7):
    finding(
        "7-it-learns",
        "it learns with the skip",
        measured,
        relation,
        bound,
        over=over,
        rivals={"no skip, and a better start": (0.1, 0.2)} if rivals is None else rivals,
    )


def test_a_finding_shows_its_runs_and_its_rival(capsys):
    found()
    assert capsys.readouterr().out == (
        "finding 7-it-learns holds: it learns with the skip [measured 0.81 to 0.9 over 3 seeds, "
        "claimed >= 0.7; rival: no skip, and a better start, 0.1 to 0.2]\n"
    )


def test_one_run_is_shown_as_one_number(capsys):
    found(torch.tensor(0.8), rivals={"chance": 0.5, "a table": [0.25]})
    assert "[measured 0.8 over 3 seeds" in (out := capsys.readouterr().out)
    assert out.endswith("; rival: chance, 0.5; rival: a table, 0.25]\n")


@pytest.mark.parametrize("worst", [0.6, math.nan])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_every_run_of_a_finding_must_keep_the_bound(worst, place):
    runs = [0.8, 0.9, 0.85]
    runs[place] = worst
    with pytest.raises(ClaimError, match=r"finding 7-it-learns is FALSE.* Measured"):
        found(runs)


@pytest.mark.parametrize("best", [0.7, 0.95, math.nan])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_rival_that_does_not_break_the_bound_once_fells_the_finding(best, place, capsys):
    gives = [0.1, 0.2, 0.3]
    gives[place] = best
    with pytest.raises(
        ClaimError, match=r"finding 7-it-learns is FALSE.* Its rival, chance, gives"
    ):
        found(rivals={"a weaker one": 0.0, "chance": gives})
    assert capsys.readouterr().out == ""


def test_rounding_never_makes_a_rival_seem_to_win(capsys):
    found(rivals={"chance": 0.69996})
    assert "rival: chance, 0.69996]" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"rivals": {}}, "names no rival"),
        ({"rivals": {"": 0.1}}, "a rival is called ''"),
        ({"rivals": {"this; that": 0.1}}, "without semicolons"),
        ({"rivals": {"chance": []}}, "has no measurement"),
        ({"measured": []}, "has no measurement"),
        ({"over": ""}, "over is ''"),
        ({"over": "seeds, 3"}, "without commas"),
        ({"relation": "="}, "relation is '='"),
    ],
)
def test_a_malformed_finding_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        found(**given)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "Measured: (a). As you predicted.",
        "law 5-an-example is FALSE: close is not equal. Measured 2, claimed <= 1.",
        "law 5-an-example holds: no brackets",
        "so law 5-an-example holds: x [measured 1, claimed <= 2]",
        "claim 5-an-example holds: x [measured 1, claimed <= 2]",
        "finding 5-an-example holds: x [measured 1, claimed <= 2; rival: chance]",
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
        law(id, "a statement", 0, "<", 1)


@pytest.mark.parametrize("statement", ["", "two\nlines", "with [brackets]", "a full stop."])
def test_a_malformed_statement_is_refused(statement):
    with pytest.raises(ValueError, match="claim 5-an-example: the statement is"):
        law("5-an-example", statement, 0, "<", 1)


@pytest.mark.parametrize("relation", ["==", "=<", "", "!="])
def test_an_unknown_relation_is_refused(relation):
    with pytest.raises(ValueError, match="claim 5-an-example: relation is"):
        law("5-an-example", "a statement", 0, relation, 1)


def test_a_failed_claim_is_an_assertion_error():
    assert issubclass(claims.ClaimError, AssertionError)
