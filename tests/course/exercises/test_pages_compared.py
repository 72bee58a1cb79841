"""A report on two models of a book is tried on books whose truth is known."""

import pytest
import torch
from softlookup.course.exercises.pages_compared import (
    BUDGET,
    MODELS,
    PAGES,
    BookWorld,
    measure_pages,
)
from softlookup.course.exercises.verdict import Mistake

TRUTH = 0.1
SPREAD = range(2, PAGES, 5)


def real(model, page):
    """A stand-in for a book: no page saves the same, and the mean is the truth."""
    saved = TRUTH + 0.002 * (7 * page % 10 - 4.5) if model == "cached" else 0.0
    return torch.linspace(1, 5, 30) + 0.01 * page - saved


def interval(gains, quantile=2.07):
    gains = torch.as_tensor(gains)
    half_width = quantile * gains.std() / len(gains) ** 0.5
    return gains.mean() - half_width, gains.mean() + half_width


def savings(run, pages):
    return torch.stack([(run("plain", page) - run("cached", page)).mean() for page in pages])


def honest(run, quantile=2.07, pages=SPREAD):
    return interval(savings(run, pages), quantile)


def unpaired(run):
    plain = torch.stack([run("plain", page).mean() for page in SPREAD])
    cached = torch.stack([run("cached", page + 1).mean() for page in SPREAD])
    half_width = 2 * ((plain.var() + cached.var()) / 24) ** 0.5
    return plain.mean() - cached.mean() - half_width, plain.mean() - cached.mean() + half_width


def added(run):
    plain = torch.stack([run("plain", page).mean() for page in SPREAD])
    cached = torch.stack([run("cached", page).mean() for page in SPREAD])
    half_width = 2.07 * ((plain.var() + cached.var()) / 24) ** 0.5
    return plain.mean() - cached.mean() - half_width, plain.mean() - cached.mean() + half_width


def around_a_mean(run):
    middle = savings(run, SPREAD).mean()
    return middle - 0.1, middle + 0.1


WRONG = {
    "one model": (
        lambda run: interval(torch.stack([run("cached", page).mean() for page in SPREAD])),
        "'plain' has read nothing",
    ),
    "two pages": (lambda run: honest(run, 12.7, (3, 70)), "'plain' has read 2 of the pages"),
    "a page twice": (
        lambda run: honest(run, pages=[page % 60 for page in SPREAD]),
        "has read page 2 2 times",
    ),
    "all pages": (lambda run: honest(run, pages=range(PAGES)), "you read more than 48 pages"),
    "the better half": (
        lambda run: interval(savings(run, SPREAD).sort().values[12:]),
        "lie too high, by 0.2.. on average",
    ),
    "the other way round": (
        lambda run: tuple(-end for end in honest(run)[::-1]),
        "for what the cache costs",
    ),
    "the other way round, without the last page": (
        lambda run: tuple(-end for end in interval(savings(run, SPREAD)[:-1])[::-1]),
        "for what the cache costs",
    ),
    "other pages": (unpaired, "the two models have read other pages"),
    "where single pages fall": (
        lambda run: honest(run, 2.07 * 24**0.5),
        "reaches 2.07 standard deviations to each side. There single pages lie",
    ),
    "few pages": (lambda run: honest(run, 3.18, (10, 40, 70, 100)), "you read 8 pages, and 48"),
    "tokens taken for observations": (
        lambda run: interval(torch.cat([run("plain", p) - run("cached", p) for p in SPREAD])),
        "Tokens of one page are alike",
    ),
    "the first pages": (lambda run: honest(run, pages=range(24)), "Your pages lie next to each"),
    "the standard error": (
        lambda run: honest(run, 1.0),
        "reaches 1.00 standard errors to each side",
    ),
    "the standard error of twice as many": (
        lambda run: honest(run, 2.07 / 2**0.5),
        "no interval of 95%.* There are 24 differences",
    ),
    "the quantile for three": (lambda run: honest(run, 4.3), "no interval of 95%.* reaches 4.30"),
    "six pages in a row, four times": (
        lambda run: honest(
            run, pages=[30 * block + page for block in range(4) for page in range(6)]
        ),
        "Your pages lie next to each",
    ),
    "whole pages": (lambda run: interval(200 * savings(run, SPREAD)), "what a whole page saves"),
    "a share": (
        lambda run: interval(
            torch.stack([1 - run("cached", p).mean() / run("plain", p).mean() for p in SPREAD])
        ),
        "for a share, one arm divided",
    ),
    "two spreads added": (added, "added up, and how hard a page is stands in both"),
    "the same width always": (
        around_a_mean,
        "wide whatever the runs gave",
    ),
}


@pytest.mark.parametrize(("report", "words"), WRONG.values(), ids=WRONG)
def test_a_wrong_report_is_named(report, words):
    with pytest.raises(Mistake, match=words):
        measure_pages(report, real, TRUTH)


@pytest.mark.parametrize("pages", [SPREAD, range(0, PAGES, 6), torch.arange(1, PAGES, 5)])
def test_an_honest_report_passes(pages):
    measure_pages(lambda run: honest(run, pages=pages), real, TRUTH)


def test_a_real_book_may_contradict():
    with pytest.raises(Mistake, match=r"on the real book .* over all of its pages is 0.300"):
        measure_pages(honest, real, 0.3)


def test_the_budget_is_for_both_models():
    assert 2 * len(SPREAD) == BUDGET


def test_a_world_repeats_itself_and_saves_what_it_says():
    world = BookWorld(0.2, 5)
    assert torch.equal(world.run("plain", 7), world.run("plain", 7))
    assert world.saved_on_pages().mean().item() == pytest.approx(0.2, abs=1e-6)
    gains = savings(world.run, range(PAGES))
    assert gains.mean().item() == pytest.approx(0.2, abs=0.02)
    assert (gains - world.saved_on_pages()).abs().max() < 0.2


@pytest.mark.parametrize(("model", "page"), [("GPT", 0), ("plain", PAGES), ("cached", -1)])
def test_what_is_not_in_the_book_is_refused(model, page):
    with pytest.raises(Mistake, match="you asked for"):
        BookWorld(0.0, 0).run(model, page)


def test_there_are_two_models():
    assert MODELS == ("plain", "cached")
