"""Checks: they never raise; they tell a stub, a mistake and an error apart."""

import pytest
import torch
from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.verdict import Mistake, Verdict


@exercise("attention", 1, "write a function that doubles", "doubling is adding to itself")
def doubles(double):
    """The check that these tests look at."""
    if double(3) == 9:
        raise Mistake("your double: it squares")
    if double(3) != 6:
        raise Mistake(f"your double: of 3 it makes {double(3)}")


def stub(x): ...


def stub_with_words(x):
    """Return twice the number."""


def unwritten(x):
    raise NotImplementedError


def ellipsis(x):
    twice = ...
    return twice


def without_return(x):
    2 * x


def prints(x):
    print(2 * x)


def in_one_branch(x):
    if x > 5:
        return 2 * x


def not_implemented_by_torch(x):
    raise NotImplementedError("'tril' is not implemented for this dtype")


def crash(x):
    raise ZeroDivisionError("planted")


def crash_below(x):
    return crash(x)


class Doubler:
    def __call__(self, x):
        return 2 * x


@pytest.mark.parametrize(
    ("answer", "outcome", "message"),
    [
        (lambda x: 2 * x, "passed", "doubling is adding to itself"),
        (Doubler(), "passed", "doubling is adding to itself"),
        (lambda x: x * x, "mistake", "your double: it squares"),
        (lambda x: 7, "mistake", "your double: of 3 it makes 7"),
        (stub, "unfinished", "write a function that doubles"),
        (stub_with_words, "unfinished", "write a function that doubles"),
        (unwritten, "unfinished", "write a function that doubles"),
        (ellipsis, "unfinished", "write a function that doubles"),
        (..., "unfinished", "write a function that doubles"),
    ],
)
def test_each_answer_gets_its_verdict(answer, outcome, message):
    assert doubles(answer) == Verdict("2.1", outcome, message)


@pytest.mark.parametrize("answers", [(stub, abs), (abs, stub)])
def test_one_stub_of_two_leaves_the_exercise_unfinished(answers):
    @exercise("attention", 3, "task", "praise")
    def uses_one(first, second):
        abs(3)

    assert uses_one(*answers) == Verdict("2.3", "unfinished", "task")


@pytest.mark.parametrize("answer", [without_return, prints, in_one_branch])
def test_what_returns_nothing_is_told_so(answer):
    verdict = doubles(answer)
    assert verdict.outcome == "mistake"
    assert verdict.message.startswith("your function returned nothing")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (crash, 'ZeroDivisionError in line {}, `raise ZeroDivisionError("planted")`: planted'),
        (crash_below, "ZeroDivisionError in line {}, `raise ZeroDivisionError"),
        (not_implemented_by_torch, "NotImplementedError in line {}, `raise"),
    ],
)
def test_an_error_is_told_with_the_line_that_raised_it(answer, words):
    raising = crash if answer is crash_below else answer
    line = raising.__code__.co_firstlineno + 1
    verdict = doubles(answer)
    assert verdict.outcome == "mistake"
    assert verdict.message.startswith(f"your code raised {words.format(line)}")


@pytest.mark.parametrize("answer", [7, str])
def test_an_answer_of_another_type_is_not_said_to_have_raised_the_checks_error(answer):
    @exercise("attention", 3, "task", "praise")
    def adds(double):
        return double(3) + 1

    verdict = adds(answer)
    assert verdict.outcome == "mistake"
    assert verdict.message.startswith("the check cannot go on with your answer")
    assert "TypeError" in verdict.message


def test_an_error_that_a_check_expects_is_the_checks_own():
    @exercise("attention", 3, "task", "praise")
    def expects(double):
        try:
            double(3)
        except ZeroDivisionError:
            raise Mistake("you divide by zero") from None

    assert expects(crash).message == "you divide by zero"


@pytest.mark.parametrize(
    ("outcome", "heading"), [("passed", "passed"), ("mistake", "not yet"), ("unfinished", "to do")]
)
def test_a_verdict_reads_as_a_line(outcome, heading):
    assert repr(Verdict("2.1", outcome, "some words")) == f"Exercise 2.1, {heading}: some words"


def test_a_check_keeps_its_name_and_words():
    assert doubles.__name__ == "doubles"
    assert doubles.__doc__ == "The check that these tests look at."


def test_classes_and_values_come_through_unwrapped():
    seen = []

    @exercise("attention", 2, "task", "praise")
    def keeps(kind, number):
        seen.extend((kind, number))

    assert keeps(Doubler, 7).outcome == "passed"
    assert seen == [Doubler, 7]


def test_what_the_exercise_asks_to_be_written_may_not_be_called():
    told = {sum: "write the sum yourself"}
    doubles_by_hand = exercise("attention", 1, "double", "right", told)(doubles.__wrapped__)
    verdict = doubles_by_hand(lambda x: sum([x, x]))
    assert (verdict.outcome, verdict.message) == ("mistake", "write the sum yourself")
    assert doubles_by_hand(lambda x: x + x).outcome == "passed"
    assert doubles(lambda x: sum([x, x])).outcome == "passed"


def test_a_tuple_taken_for_a_tensor_is_told_as_several_results():
    def pair(x):
        return (x, x).mT

    def crash(x):
        return x.missing

    assert "take it apart, as in `one, other = ...`" in doubles(pair).message
    assert "take it apart" not in doubles(crash).message


@pytest.mark.parametrize(
    "call",
    [
        lambda x: torch.zeros(3).scatter(0, torch.tensor([1]), x),
        lambda x: torch.ones(2, 3) @ x,
        lambda x: torch.zeros(3).index_put((torch.tensor([0, 1, 2]),), x),
        lambda x: torch.nn.functional.linear(x, torch.ones(2, 3)),
    ],
)
def test_where_two_precisions_meet_it_is_told_how_a_new_tensor_follows(call):
    given = torch.ones(3, dtype=torch.float64)
    message = doubles(lambda x: call(given)).message
    assert "raised RuntimeError" in message
    assert "Two precisions meet there" in message


@pytest.mark.parametrize(
    "call",
    [
        lambda x: torch.ones(3)[torch.ones(2)],
        lambda x: torch.ones(3).gather(0, torch.ones(2)),
        lambda x: torch.ones(2, 3) @ torch.ones(2, 3),
    ],
)
def test_other_errors_are_not_told_of_precisions(call):
    message = doubles(call).message
    assert "code raised" in message
    assert "precisions" not in message
