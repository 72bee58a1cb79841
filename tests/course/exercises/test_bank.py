"""Every stub, every solution and every wrong answer of the bank, judged as a reader's would be.

A check earns its place by telling mistakes apart: each wrong answer must draw words that no
other mistake in the same exercise draws.
"""

import functools
import importlib
import itertools
import runpy
from collections import defaultdict
from pathlib import Path

import jaxtyping
import matplotlib.pyplot as plt
import pytest
from chapters import Chapter, all_chapters, run

BANK = Path(__file__).resolve().parent / "bank"


def bank_of(chapter):
    path = BANK / f"chapter_{chapter.number:02}.py"
    bank = runpy.run_path(str(path)) if path.exists() else {}
    return bank.get("WRONG", []), bank.get("ALSO_RIGHT", [])


CHAPTERS = [pytest.param(chapter, id=chapter.id) for chapter in all_chapters()]
STUBS, SOLUTIONS, WRONG, ALSO_RIGHT = [], [], [], []
for each in all_chapters():
    for kind, cases in (("exercise", STUBS), ("solution", SOLUTIONS)):
        for number, cell in each.tagged(kind).items():
            cases.append(pytest.param(each, number, cell.source, id=number))
    wrong, also_right = bank_of(each)
    for number, what, words, source in wrong:
        WRONG.append(pytest.param(each, number, words, source, id=f"{number} {what}"))
    for number, what, source in also_right:
        ALSO_RIGHT.append(pytest.param(each, number, source, id=f"{number} {what}"))


@pytest.fixture(autouse=True)
def _as_a_reader():
    """Readers run without enforced annotations; what they are told must not depend on them."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)
    plt.close("all")


@functools.cache
def judge(chapter: Chapter, source: str):
    """The verdict, which two tests read; an answer that is judged twice gets the same one."""
    namespace = {}
    run(chapter.setup, namespace)
    return run(source, namespace)


def checks_of(chapter):
    """The checks of a chapter, each by the number that its verdicts carry."""
    module = importlib.import_module(f"softlookup.course.exercises.{chapter.key}")
    checks = [check for name, check in vars(module).items() if name.startswith("check_")]
    return {check(...).exercise: check for check in checks}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_exercises_checks_and_bank_belong_together(chapter):
    numbers = set(chapter.tagged("exercise"))
    assert numbers == set(chapter.tagged("solution")) == set(checks_of(chapter))
    wrong, also_right = bank_of(chapter)
    assert numbers == {number for number, *_ in wrong} == {number for number, *_ in also_right}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_each_exercise_knows_three_mistakes(chapter):
    mistakes = defaultdict(set)
    for number, _, words, _ in bank_of(chapter)[0]:
        mistakes[number].add(words)
    assert {number: len(words) for number, words in mistakes.items() if len(words) < 3} == {}


@pytest.mark.parametrize(("chapter", "number", "source"), STUBS)
def test_a_stub_is_unfinished_and_told_what_to_do(chapter, number, source):
    verdict = judge(chapter, source)
    assert verdict == checks_of(chapter)[number](...)
    assert verdict.outcome == "unfinished"


@pytest.mark.parametrize(("chapter", "number", "source"), SOLUTIONS)
def test_a_solution_passes(chapter, number, source):
    verdict = judge(chapter, source)
    assert (verdict.exercise, verdict.outcome) == (number, "passed"), verdict


@pytest.mark.parametrize(("chapter", "number", "source"), ALSO_RIGHT)
def test_a_right_answer_in_another_style_passes(chapter, number, source):
    verdict = judge(chapter, source)
    assert (verdict.exercise, verdict.outcome) == (number, "passed"), verdict


@pytest.mark.parametrize(("chapter", "number", "words", "source"), WRONG)
def test_a_wrong_answer_is_told_its_own_mistake(chapter, number, words, source):
    verdict = judge(chapter, source)
    assert (verdict.exercise, verdict.outcome) == (number, "mistake"), verdict
    assert words in verdict.message


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_no_two_mistakes_of_an_exercise_draw_the_same_words(chapter):
    said = defaultdict(list)
    for number, what, words, source in bank_of(chapter)[0]:
        said[number].append((what, words, judge(chapter, source).message))
    confused = [
        f"{number}: the words for {what!r} are also said of {other!r}"
        for number, answers in said.items()
        for (what, words, _), (other, other_words, message) in itertools.permutations(answers, 2)
        if words != other_words and words in message
    ]
    assert confused == []
