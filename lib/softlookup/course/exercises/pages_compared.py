"""A comparison of two language models on pages of a book: what is drawn anew is a page.

Tokens of one page are alike, and so are pages that lie next to each other. The chapter on the
next word asks by how much a cache helps an n-gram.
"""

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import SupportsInt

import torch
from jaxtyping import Float
from torch import Tensor

from softlookup.course.exercises.measuring import (
    WORLDS,
    Answer,
    Report,
    ask,
    how_far,
    lean,
    mean_of_few_runs,
    name_middle,
    require_held,
    require_no_waste,
    require_reach,
    require_spread,
    share_held,
    times_needed,
)
from softlookup.course.exercises.other_middles import other_middles
from softlookup.course.exercises.verdict import Mistake

MODELS = ("plain", "cached")
PAGES, BUDGET = 120, 48
TOKENS, PAGES_A_CHAPTER = 200, 8
# So many books tell what an interval lies about.
FEW = 40
OF_CHAPTER, OF_PAGE, OF_TOKEN = 0.2, 0.2, 0.5

# Twenty-four pages, and the quantile at 0.975 of Student's distribution for them.
_OF_ANY_PAGE = (OF_CHAPTER**2 + OF_PAGE**2 + 2 * OF_TOKEN**2 / TOKENS) ** 0.5
_NEEDED = 2 * 2.069 * _OF_ANY_PAGE / 24**0.5


@dataclass(frozen=True)
class BookWorld:
    """An invented book of pages, and two models that read it.

    Attributes:
        saved: what the second model saves, on average over all pages of a very long book.
        number: which world this is; another number draws another book.
    """

    saved: float
    number: int

    def run(self, model: str, page: SupportsInt) -> Float[Tensor, " tokens"]:
        """The surprise of each token of a page; the same arguments give the same numbers.

        A page is hard or easy for both models, a token too; and what the second one saves belongs
        to a chapter, of eight pages, and to a page.

        Raises:
            Mistake: if there is no such model or page.
        """
        require_known(model, page)
        generator = torch.Generator().manual_seed(1 + 4_000_037 * self.number + int(page))
        hard = 3 + torch.randn((), generator=generator) + torch.randn(TOKENS, generator=generator)
        own = OF_TOKEN * torch.randn(2, TOKENS, generator=generator)
        if model == MODELS[0]:
            return hard + own[0]
        return hard + own[1] - self.saved_on_pages()[int(page)]

    def saved_on_pages(self) -> Float[Tensor, " pages"]:
        """What the second model saves on each page, but for the tokens' chance."""
        return self.saved + _of_pages(self.number)


@cache
def _of_pages(number: int) -> Float[Tensor, " pages"]:
    """What a book's pages save more or less than its mean, zero on average over the book."""
    generator = torch.Generator().manual_seed(4_000_037 * number)
    chapters = OF_CHAPTER * torch.randn(PAGES // PAGES_A_CHAPTER, generator=generator)
    pages = chapters.repeat_interleave(PAGES_A_CHAPTER)
    pages = pages + OF_PAGE * torch.randn(PAGES, generator=generator)
    return pages - pages.mean()


def require_known(model: str, page: SupportsInt) -> None:
    """Refuse what is not in the comparison.

    Raises:
        Mistake: if the model or the page is not.
    """
    if model not in MODELS:
        raise Mistake(f"you asked for the model {model!r}; there are {MODELS}")
    if not 0 <= int(page) < PAGES:
        raise Mistake(f"you asked for page {page}; the book has the pages 0 to {PAGES - 1}")


def measure_pages(report: Report, run: Callable[..., Tensor], truth: float) -> None:
    """Try a learner's report on invented books, then on the real one.

    Args:
        report: the learner's: from ``run(model, page)`` to the two ends of an interval.
        run: the real book: from a model and a page to the surprises of its tokens.
        truth: what the second model saves on it, as a mean over all pages.

    Raises:
        Mistake: if the report reads with one model only, reads few pages or one twice, reads more
            than ``BUDGET``, takes tokens or neighbouring pages for independent, is wider than it
            need be, or leans to one side.
    """
    worlds = [BookWorld(0.05 * (number % 7 - 3), number) for number in range(WORLDS)]
    gains = [world.saved for world in worlds]
    _require_a_comparison(_ask(report, worlds[0].run))
    answers = [_ask(report, world.run) for world in worlds]
    read = [_tokens_of(each) for each in answers]
    saved = [_means(plain) - _means(cached) for cached, plain in read]
    require_spread(answers)
    name_middle(answers[:FEW], _of_tokens(read[:FEW]))
    name_middle(answers[:FEW], other_middles([(_means(a), _means(b)) for a, b in read[:FEW]]))
    if missed := lean(answers, gains):
        raise Mistake(
            f"your intervals lie too {'high' if missed > 0 else 'low'}, by {abs(missed):.3f} on "
            "average: is every page counted that you read?"
        )
    if share_held(answers, [-gain for gain in gains]) > share_held(answers, gains):
        raise Mistake(
            "your interval is for what the cache costs: take the surprise without it, less the "
            "surprise with it"
        )
    _require_spread_of_pages(answers, read)
    reach = how_far(answers, saved, "page")
    require_no_waste(answers, _NEEDED, lambda _: _why_wide(answers, read, reach))
    require_held(answers, gains, lambda: _why_too_sure(answers, reach), of=("saving", "books"))
    require_reach(answers, saved, "page")
    real = _ask(report, run)
    if abs(truth - real.middle) > real.width:
        raise Mistake(
            f"on the real book your interval goes from {real.low:.3f} to {real.high:.3f}, and the "
            f"mean over all of its pages is {truth:.3f}; does your report count on something that "
            "holds in the invented books alone?"
        )


def _ask(report: Report, run: Callable[..., Tensor]) -> Answer:
    return ask(report, run, BUDGET, "you read more than {} pages, with one model or the other")


def _pages_of(answer: Answer) -> tuple[set[int], set[int]]:
    """The pages that each model read."""
    plain, cached = ({int(page) for m, page in answer.asked if m == model} for model in MODELS)
    return plain, cached


def _require_a_comparison(answer: Answer) -> None:
    """Both models, several pages, and no page twice.

    Raises:
        Mistake: naming what is missing.
    """
    for model, pages in zip(MODELS, _pages_of(answer), strict=True):
        if not pages:
            raise Mistake(f"the model {model!r} has read nothing: a saving over what?")
        if len(pages) < 3:
            raise Mistake(
                f"the model {model!r} has read {len(pages)} of the pages: from so few nobody can "
                "tell how far another page would fall from them"
            )
    (model, page), times = Counter((m, int(page)) for m, page in answer.asked).most_common(1)[0]
    if times > 1:
        raise Mistake(
            f"the model {model!r} has read page {page} {times} times: it says the same each time"
        )


def _tokens_of(answer: Answer) -> tuple[list[Tensor], list[Tensor]]:
    """What the tokens of each page surprise the second model and the first, where both read it."""
    given: dict[tuple[str, int], Tensor] = {
        (model, int(page)): tokens
        for (model, page), tokens in zip(answer.asked, answer.given, strict=True)
    }
    plain, cached = _pages_of(answer)
    both = sorted(plain & cached)
    return [given[MODELS[1], page] for page in both], [given[MODELS[0], page] for page in both]


def _means(pages: list[Tensor]) -> Tensor:
    return torch.stack([page.mean() for page in pages]) if pages else torch.zeros(0)


def _of_tokens(read: list[tuple[list[Tensor], list[Tensor]]]) -> dict[str, list[Tensor]]:
    """What an interval may lie about, other than the mean saving a token, by the words for it."""
    if any(len(cached) < 3 for cached, _ in read):
        return {}
    saved = [[b - a for a, b in zip(*each, strict=True)] for each in read]
    others: dict[str, Callable[[Tensor], Tensor]] = {
        "your interval is for what a whole page saves, a sum; a token's saving is asked for": (
            torch.sum
        ),
        "your interval is for the median of a page's tokens; their mean is asked for": (
            torch.median
        ),
        "you took the tokens' savings without their signs; some tokens cost": (
            lambda page: page.abs().mean()
        ),
        "your interval is for the last token of each page; the mean of all is asked for": (
            lambda page: page[-1]
        ),
        "your interval is for the first token of each page; the mean of all is asked for": (
            lambda page: page[0]
        ),
        "your interval is in bits, nats divided by log 2; nats are asked for": (
            lambda page: page.mean() / math.log(2)
        ),
        "your interval is in nats times log 2; the surprises are nats already": (
            lambda page: page.mean() * math.log(2)
        ),
        "your interval is for what the cache costs: take the surprise without it, less the "
        "surprise with it": lambda page: -page.mean(),
        "your interval is for a ratio of perplexities, whose logarithm is asked for": (
            lambda page: page.mean().exp()
        ),
    }
    return {
        words: [torch.stack([of(page) for page in pages]).mean() for pages in saved]
        for words, of in others.items()
    }


def _require_spread_of_pages(
    answers: list[Answer], read: list[tuple[list[Tensor], list[Tensor]]]
) -> None:
    """The width follows how the pages differ, not how the tokens of a page do.

    Raises:
        Mistake: if it is a multiple of the standard error of a page's tokens.
    """
    if any(len(cached) < 3 for cached, _ in read):
        return
    within = torch.tensor(
        [
            sum(float((b - a).std()) / len(a) ** 0.5 for a, b in zip(*each, strict=True))
            / len(each[0])
            for each in read
        ]
    )
    reach = torch.tensor([each.width for each in answers]) / within
    if reach.std() < 1e-3 * reach.mean():
        raise Mistake(
            "your interval's width comes from the spread of the tokens in a page. What is drawn "
            "anew with another page is the page: take one saving a page, and their spread"
        )


def _why_wide(
    answers: list[Answer], read: list[tuple[list[Tensor], list[Tensor]]], reach: str
) -> str:
    """The likeliest reason for an interval that is wider than need be."""
    asked, (plain, cached) = answers[0].asked, _pages_of(answers[0])
    if len(asked) < BUDGET // 2:
        return f"you read {len(asked)} pages, and {BUDGET} were allowed"
    if plain != cached:
        return (
            "the two models have read other pages. A hard page is hard for both: let both read "
            "the same ones, and take the difference for each page"
        )
    if reach:
        return reach[:1].lower() + reach[1:]
    apart = torch.stack([(_means(a).var() + _means(b).var()).sqrt() for a, b in read])
    widths = torch.tensor([each.width for each in answers]) / apart
    if widths.std() < 1e-3 * widths.mean():
        return (
            "its spread is that of one model's pages and that of the other's, added up, and how "
            "hard a page is stands in both. Take the difference for each page first, and the "
            "spread of the differences"
        )
    return (
        "is it the interval in which single pages or tokens fall, or is a page's difficulty "
        "still in it? Take the difference for each page first, and the spread of its mean"
    )


def _why_too_sure(answers: list[Answer], reach: str) -> str:
    """The likeliest reason for an interval that misses the truth too often."""
    pages = sorted(set.union(*_pages_of(answers[0])))
    beside = sum(page + 1 in pages or page - 1 in pages for page in pages)
    if reach and "95% takes" not in reach:
        return reach
    if not reach and times_needed(answers, _NEEDED) < 0.35:
        return (
            "Tokens of one page are alike, so a page full of them is little more than one "
            "observation: what counts is how many pages you read, and how much the pages differ"
        )
    if pages[-1] - pages[0] < 0.6 * PAGES or beside > len(pages) / 2:
        return (
            "Your pages lie next to each other, and belong to a few chapters: read some of every "
            "part of the book"
        )
    return reach or mean_of_few_runs()
