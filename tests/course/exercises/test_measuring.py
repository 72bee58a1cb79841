"""What all reports have in common: an interval, within a budget, that holds what it promises."""

import re

import pytest
import torch
from softlookup.course.exercises.measuring import (
    Answer,
    ask,
    how_far,
    lean,
    name_middle,
    require_held,
    require_meant,
    require_new_runs,
    require_no_waste,
    require_reach,
    require_real,
    require_right_side,
    require_spread,
    share_held,
    times_needed,
)
from softlookup.course.exercises.verdict import Mistake

GAINS = [0.1 * (number % 5 - 1) for number in range(100)]


def around(truths, half_width, shift=0.0):
    """Intervals whose middles miss by chance, by at most one to either side."""
    chance = torch.rand(len(truths), generator=torch.Generator().manual_seed(0)) * 2 - 1
    middles = [truth + shift + c for truth, c in zip(truths, chance.tolist(), strict=True)]
    return [Answer(m - half_width, m + half_width, ()) for m in middles]


@pytest.mark.parametrize(
    ("ends", "words"),
    [
        ((2.0, 1.0), "ends before it begins, from 2 to 1: return"),
        ((float("nan"), 1.0), "from nan to 1.0; expected two finite numbers"),
        ((1.0, float("inf")), "expected two finite numbers"),
        (0.5, "returned 0.5; expected two numbers"),
        (torch.tensor(0.5), "returned 0.5; expected two numbers"),
        ((0.1, 0.2, 0.3), "expected two numbers"),
    ],
)
def test_what_is_no_interval_is_refused(ends, words):
    with pytest.raises(Mistake, match=words):
        ask(lambda run: ends, lambda: 0.0, budget=3)


def test_what_was_asked_for_is_kept():
    answer = ask(lambda run: (run("a", 1), run("b", 2)), lambda arm, seed: seed / 2, budget=2)
    assert answer == Answer(0.5, 1.0, (("a", 1), ("b", 2)))
    assert answer.given == (0.5, 1.0)
    assert (answer.middle, answer.width) == (0.75, 0.5)


def test_a_budget_ends():
    assert ask(lambda run: (run(), run() + run()), lambda: 1.0, budget=3).high == 2.0
    with pytest.raises(Mistake, match="more than 2 models; 2 were allowed"):
        ask(lambda run: (run(), run() + run()), lambda: 1.0, budget=2)


def test_the_share_that_holds_the_truth_is_counted():
    answers = [Answer(0.0, 1.0, ()), Answer(0.0, 1.0, ()), Answer(2.0, 3.0, ())]
    assert share_held(answers, [0.0, 1.1, 2.5]) == pytest.approx(2 / 3)


def test_a_lean_is_told_from_chance():
    assert lean(around(GAINS, 0.1), GAINS) == 0.0
    assert lean(around(GAINS, 0.1, shift=0.5), GAINS) == pytest.approx(0.5, abs=0.15)
    assert lean(around(GAINS, 0.1, shift=-0.5), GAINS) == pytest.approx(-0.5, abs=0.15)


def test_width_is_counted_in_what_is_needed():
    assert times_needed([Answer(0.0, 1.0, ()), Answer(0.0, 2.0, ())], 0.5) == 3.0


def test_the_opposite_is_recognised():
    right = [Answer(gain - 0.01, gain + 0.01, ()) for gain in GAINS]
    require_right_side(right, GAINS)
    with pytest.raises(Mistake, match="the first arm less the second"):
        require_right_side([Answer(-a.high, -a.low, ()) for a in right], GAINS)
    # Who misses far more than the sign has made another mistake.
    require_right_side([Answer(-a.high - 0.1, -a.low - 0.1, ()) for a in right], GAINS)


def test_something_else_that_is_meant_is_recognised():
    others = {"a share is meant": [gain / 2 for gain in GAINS]}
    right = [Answer(gain - 0.01, gain + 0.01, ()) for gain in GAINS]
    require_meant(right, GAINS, others)
    with pytest.raises(Mistake, match="a share is meant"):
        require_meant([Answer(a.low / 2, a.high / 2, ()) for a in right], GAINS, others)
    wide = [Answer(gain - 1, gain + 1, ()) for gain in GAINS]
    require_meant(wide, GAINS, others)


def test_what_the_middle_is_instead_is_recognised():
    others = {"the median": [runs.median() for runs in SAMPLES]}
    name_middle([Answer(float(m := runs.mean()) - 1, float(m) + 1, ()) for runs in SAMPLES], others)
    with pytest.raises(Mistake, match="the median"):
        name_middle(
            [Answer(float(m := runs.median()) - 1, float(m) + 1, ()) for runs in SAMPLES], others
        )


def test_a_width_that_comes_from_no_run_is_refused():
    require_spread([Answer(0.0, 1.0, ()), Answer(0.0, 1.1, ())])
    with pytest.raises(Mistake, match=r"is 0\.5 wide whatever the runs gave"):
        require_spread([Answer(0.0, 0.5, ()), Answer(1.0, 1.5, ())])
    require_spread([Answer(0.0, 0.5, ()), Answer(0.0, 1.5, ())])
    with pytest.raises(Mistake, match=r"reaches 10\.0% of its middle to each side"):
        require_spread([Answer(0.9, 1.1, ()), Answer(-2.2, -1.8, ())])


def test_one_run_over_and_over_is_no_sample():
    asked = [("a", seed) for seed in range(5)]
    require_new_runs(Answer(0.0, 1.0, (*asked, *asked)))
    with pytest.raises(Mistake, match=r"you ran \('a', 3\) 4 times over"):
        require_new_runs(Answer(0.0, 1.0, (*asked, *[("a", 3)] * 3)))


SAMPLES = [torch.randn(9, generator=torch.Generator().manual_seed(n)) for n in range(20)]


@pytest.mark.parametrize(
    ("width", "words"),
    [
        (lambda runs: runs.max() - runs.min(), "from the least of the runs to the greatest"),
        (lambda runs: 4 * runs.std(), "reaches 2.00 standard deviations to each side. There"),
        (lambda runs: 2 * runs.std() / 3, "reaches 1.00 standard errors to each side; 95% takes"),
        (
            lambda runs: runs.quantile(0.975) - runs.quantile(0.025),
            "from one quantile of the runs to another",
        ),
        (lambda runs: 4 * runs.std() / 9, "deviation divided by 9, and not by its root"),
        (lambda runs: 2 * 2.07 * runs.std() / 18**0.5, "both arms, 18\\? There are 9 differences"),
        (lambda runs: runs.var(), "follows the variance of the runs; take the root"),
        (lambda runs: 1.0, "^$"),
    ],
)
def test_how_far_an_interval_reaches_is_told_by_what_its_width_follows(width, words):
    answers = [Answer(0.0, float(width(runs)), ()) for runs in SAMPLES]
    assert re.search(words, how_far(answers, SAMPLES))


def test_nothing_is_said_of_the_reach_where_runs_are_too_few():
    assert how_far([Answer(0.0, 1.0, ())], [torch.ones(1)]) == ""
    assert how_far([Answer(0.0, 1.0, ())] * 2, [SAMPLES[0], torch.ones(3)]) == ""


@pytest.mark.parametrize("quantile", [1.5, 4.3])
def test_many_runs_take_about_two_standard_errors(quantile):
    samples = [torch.randn(24, generator=torch.Generator().manual_seed(n)) for n in range(9)]

    def answers(reach):
        return [Answer(0.0, float(2 * reach * runs.std() / 24**0.5), ()) for runs in samples]

    require_reach(answers(2.07), samples)
    require_reach([Answer(0.0, 1.0 + n, ()) for n in range(9)], samples)
    require_reach(answers(quantile), [runs[:9] for runs in samples])
    with pytest.raises(Mistake, match=f"no interval of 95%. It reaches {quantile:.2f}"):
        require_reach(answers(quantile), samples)


def test_an_interval_must_hold_what_it_promises():
    require_held(around(GAINS, 0.95), GAINS)
    with pytest.raises(Mistake, match=r"in [67].% of 100 worlds; expected 95%. It is too sure"):
        require_held(around(GAINS, 0.7), GAINS)


def test_a_reason_is_given_in_the_words_of_what_is_asked():
    with pytest.raises(Mistake, match=r"the true load in .* memories; .* too sure. So it is"):
        require_held(around(GAINS, 0.7), GAINS, lambda: "So it is", of=("load", "memories"))


def test_an_interval_must_be_no_wider_than_twice_what_is_needed():
    answers = [Answer(0.0, 1.0, ())] * 3
    require_no_waste(answers, 0.46, lambda width: pytest.fail("it is narrow enough"))
    with pytest.raises(Mistake, match=r"2.3 times as wide as it need be: twice 1.15$"):
        require_no_waste(answers, 1 / 2.3, lambda width: f"twice {width / 2:.2f}")


def test_what_is_true_in_training_may_lie_a_little_outside():
    answer = Answer(1.0, 2.0, ())
    for near in (0.6, 1.5, 2.4):
        require_real(answer, near)
    for far in (0.4, 2.6):
        with pytest.raises(Mistake, match=r"from 1.000 to 2.000, and the mean gain .* is"):
            require_real(answer, far)
