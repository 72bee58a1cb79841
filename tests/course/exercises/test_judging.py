"""A learner's test is tried on the honest and on impostors, and told whom it misjudged."""

import numpy as np
import pytest
import torch
from softlookup.course.exercises.judging import judge
from softlookup.course.exercises.verdict import Mistake

HONEST = {f"honest {number}": number for number in range(3)}
IMPOSTORS = {f"impostor {number}": number for number in range(10, 18)}


def tried(test):
    judge(test, HONEST, IMPOSTORS)


@pytest.mark.parametrize("kind", [bool, np.bool_, torch.tensor, np.asarray])
def test_a_good_test_passes_whatever_kind_of_truth_it_returns(kind):
    tried(lambda number: kind(number < 10))


@pytest.mark.parametrize(
    ("test", "words"),
    [
        (lambda number: True, "calls everything honest"),
        (lambda number: False, "calls nothing honest"),
        (lambda number: number >= 10, "says the opposite"),
        (lambda number: number >= 11, "says the opposite"),
        (lambda number: number != 12 and number < 12, "lets 2 of 8 impostors through: impostor 10"),
        (
            lambda number: number < 17,
            "lets 7 of 8 impostors through: impostor 10; impostor 11, and",
        ),
        (lambda number: number < 17, "and 5 more"),
        (lambda number: number < 2, "refuses what is right: honest 2$"),
        (lambda number: number == 17 or number < 2, "refuses what is right: honest 2$"),
        (lambda number: number == 17, "and it believes what is not: impostor 17"),
        (lambda number: 1 if number < 10 else 0, "returned 1 for honest 0; expected True"),
        (lambda number: torch.ones(2) > 0, r"2 numbers for honest 0; expected True "),
        (lambda number: "yes", "returned 'yes'"),
    ],
)
def test_a_bad_test_is_told_whom_it_misjudged(test, words):
    with pytest.raises(Mistake, match=words):
        tried(test)


@pytest.mark.parametrize(
    ("test", "words"),
    [
        (lambda each: torch.equal(each, torch.ones(3)), "differ by 1e-06 of their size at most"),
        (lambda each: abs((each - torch.ones(3)).sum()) < 0.1,
         "impostor 0; impostor 1.* differ by 0.5 of their size, and still says True"),
        (lambda each: torch.allclose(each, torch.ones(3), atol=1.0),
         "calls everything honest, the impostors too. Its tolerance is too wide"),
        (lambda each: not torch.equal(each, torch.zeros(3)) and torch.equal(each, torch.ones(3)),
         "refuses what is right: honest 1.* It takes rounding for a difference, 1e-06 of"),
    ],
)  # fmt: skip
def test_a_bad_test_is_told_how_far_apart_the_numbers_were_that_it_met(test, words):
    honest = {f"honest {number}": torch.ones(3) + 1e-6 * number for number in range(3)}
    impostors = {f"impostor {number}": torch.tensor([1.0, 2.0, 0.0]) for number in range(7)}
    impostors["impostor 7"] = torch.zeros(3)
    with pytest.raises(Mistake, match=words):
        judge(test, honest, impostors)


def test_a_test_that_lets_one_through_is_told_of_what_it_asked_the_first():
    told = []

    def why_unseen(asked):
        told.extend((question.item(), answer.item()) for question, answer in asked)
        return "It asked about two numbers."

    def test(model):
        return all(bool(model(torch.tensor(x)) == 2 * x) for x in (1.0, 3.0))

    honest = {f"honest {number}": lambda x: 2 * x for number in range(3)}
    impostors = {f"impostor {number}": lambda x: x for number in range(7)}
    impostors["two thirds"] = lambda x: 2 * x if x < 4 else x
    with pytest.raises(Mistake, match=r"two thirds\. It asked about two numbers\.$"):
        judge(test, honest, impostors, why_unseen)
    assert told == [(1.0, 2.0), (3.0, 6.0)]


@pytest.mark.parametrize(
    ("test", "words"),
    [(lambda f: True, "It never asks the one"), (lambda f: f(torch.ones(1)) is not f, "It asked.")],
)
def test_a_test_that_believes_everything_is_told_of_its_questions(test, words):
    honest = {f"honest {number}": lambda x: 2 * x for number in range(3)}
    impostors = {f"impostor {number}": lambda x: x for number in range(8)}
    with pytest.raises(Mistake, match=f"calls everything honest, the impostors too.*{words}"):
        judge(test, honest, impostors, lambda _: "It asked.")


def test_a_test_that_compares_with_nan_is_told_so_whatever_else_it_asks():
    honest = {f"honest {number}": lambda x: 2 * x for number in range(3)}
    impostors = {f"impostor {number}": lambda x: x for number in range(7)}
    impostors["NaN"] = lambda x: x * torch.nan
    x = torch.ones(3)
    with pytest.raises(Mistake, match=r"through: NaN\. A comparison with NaN is always"):
        judge(lambda f: not (f(x) - 2 * x).abs().max() > 1e-6, honest, impostors, lambda _: "No.")


def test_what_takes_and_gives_several_tensors_is_told_of_as_tuples():
    def doubled(x, y):
        return 2 * x, 2 * y

    def why_unseen(asked):
        ((x, y), (first, second)) = asked[0]
        return f"{x.item()}, {y.item()}: {first.item()}, {second.item()}."

    honest = {f"honest {number}": doubled for number in range(3)}
    impostors = {f"impostor {number}": lambda x, y: (x, 2 * y) for number in range(8)}

    def test(model):
        given = torch.ones(()), torch.full((), 3.0)
        return bool(model(*given)[1] == 2 * given[1])

    with pytest.raises(Mistake, match=r"too\. 1\.0, 3\.0: 1\.0, 6\.0\.$"):
        judge(test, honest, impostors, why_unseen)


def test_a_test_that_refuses_all_is_told_that_it_compares_with_something_else():
    honest = {f"honest {number}": lambda x: 2 * x for number in range(3)}
    impostors = {f"impostor {number}": lambda x: x for number in range(8)}
    x = torch.ones(3)
    words = r"calls nothing honest, however right\. Even where all is right it meets numbers that "
    with pytest.raises(Mistake, match=rf"{words}differ by 0\.6 of their size"):
        judge(lambda f: torch.allclose(f(x), 5 * x), honest, impostors)


def test_numbers_that_differ_by_chance_say_nothing():
    honest = {f"honest {number}": lambda x: 2 * x for number in range(3)}
    impostors = {f"impostor {number}": lambda x: x for number in range(8)}
    x = torch.ones(3)
    for right, words in (
        (5, "however right: can it say True"),
        (2, "through: impostor 0; i.*more$"),
    ):
        with pytest.raises(Mistake, match=words):
            judge(
                lambda f, right=right: torch.allclose(f(x), right * x, 0.7 * (right == 2)),
                honest,
                {**impostors, "another": lambda x: 9 * x},
                by_chance=True,
            )


@pytest.mark.parametrize("also", [False, True])
def test_a_test_that_refuses_an_honest_one_is_told_why_that_one_is_right(also):
    honest = {f"honest {number}": lambda x: 2 * x for number in range(3)}
    impostors = {f"impostor {number}": lambda x: x for number in range(8)}
    told = "your test refuses what is right: honest 0; .*" if also else "calls nothing honest.*"
    models = iter(range(99))
    with pytest.raises(Mistake, match=rf"{told}\. Two is a right answer to \[1.0\]\.$"):
        judge(
            lambda f: bool(f(torch.ones(1)) > 5) or (also and next(models) == 2),
            honest,
            impostors,
            why_wronged=lambda asked: f"Two is a right answer to {[x.item() for x, _ in asked]}.",
        )


@pytest.mark.parametrize(
    ("honest", "impostors"), [(HONEST, {}), (dict([*HONEST.items()][:2]), IMPOSTORS)]
)
def test_too_few_to_judge_are_refused(honest, impostors):
    with pytest.raises(ValueError, match="at least 3 and 8"):
        judge(bool, honest, impostors)


def test_a_test_that_refuses_all_is_told_why_they_are_right_though_it_believes_an_impostor():
    words = r"refuses what is right: .*; honest 1.*\. So it is\. It also believes what is not: NaN$"
    honest = {f"honest {number}": lambda x: x for number in range(3)}
    impostors = {f"impostor {number}": lambda x: x for number in range(7)}
    impostors["NaN"] = lambda x: x * torch.nan
    with pytest.raises(Mistake, match=words):
        judge(
            lambda f: not f(torch.ones(2)).sum() > 1, honest, impostors, None, lambda _: "So it is"
        )


def test_a_test_that_chance_decides_is_told_so():
    turns = iter([True] * 10 + [False] * 9)

    def test(model):
        return bool(model(torch.zeros(1)) < 10) or next(turns)

    models = {f"model {number}": (lambda x, number=number: x + number) for number in range(20)}
    honest, impostors = dict([*models.items()][:5]), dict([*models.items()][10:])
    with pytest.raises(Mistake, match="what it draws at random decides"):
        judge(test, honest, impostors, lambda asked: "nothing")
