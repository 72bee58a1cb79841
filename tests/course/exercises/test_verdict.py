"""Verdicts: a check never raises; it tells a stub, a mistake and a crash apart."""

import pytest
from softlookup.course.exercises.verdict import Mistake, Verdict, exercise


@exercise("attention", 1, "write a function that doubles", "doubling is adding to itself")
def doubles(double):
    """The check that these tests look at."""
    if double(3) == 9:
        raise Mistake("your double: it squares")
    if double(3) != 6:
        raise Mistake(f"your double: of 3 it makes {double(3)}")


def stub(x): ...


def unwritten(x):
    raise NotImplementedError


def ellipsis(x):
    return ...


def crash(x):
    return x / 0


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
        (unwritten, "unfinished", "write a function that doubles"),
        (ellipsis, "unfinished", "write a function that doubles"),
        (..., "unfinished", "write a function that doubles"),
        (crash, "mistake", "your code raised ZeroDivisionError: division by zero"),
        (7, "mistake", "your code raised TypeError: 'int' object is not callable"),
    ],
)
def test_each_answer_gets_its_verdict(answer, outcome, message):
    assert doubles(answer) == Verdict("2.1", outcome, message)


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
