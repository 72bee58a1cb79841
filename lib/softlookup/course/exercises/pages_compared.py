"""A comparison of two language models on pages of a book: what is drawn anew is a page.

Tokens of one page are alike, and so are pages that lie next to each other. The chapter on the
next word asks by how much a cache helps an n-gram.
"""

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
    lean,
    require_held,
    require_no_waste,
    share_held,
    times_needed,
)
from softlookup.course.exercises.verdict import Mistake

MODELS = ("plain", "cached")
PAGES, BUDGET = 120, 48
TOKENS, PAGES_A_CHAPTER = 200, 8
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
    require_no_waste(answers, _NEEDED, lambda _: _why_wide(answers[0]))
    require_held(answers, gains, lambda: _why_too_sure(answers), of=("saving", "books"))
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


def _why_wide(answer: Answer) -> str:
    """The likeliest reason for an interval that is wider than need be."""
    plain, cached = _pages_of(answer)
    if len(answer.asked) < BUDGET // 2:
        return f"you read {len(answer.asked)} pages, and {BUDGET} were allowed"
    if plain != cached:
        return (
            "the two models have read other pages. A hard page is hard for both: let both read "
            "the same ones, and take the difference for each page"
        )
    return (
        "is it the interval in which single pages or tokens fall, or is a page's difficulty "
        "still in it? Take the difference for each page first, and the spread of its mean"
    )


def _why_too_sure(answers: list[Answer]) -> str:
    """The likeliest reason for an interval that misses the truth too often."""
    pages = sorted(set.union(*_pages_of(answers[0])))
    if times_needed(answers, _NEEDED) < 0.35:
        return (
            "Tokens of one page are alike, so a page full of them is little more than one "
            "observation: what counts is how many pages you read, and how much the pages differ"
        )
    if pages[-1] - pages[0] < 0.6 * PAGES:
        return (
            "Your pages lie next to each other, and belong to a few chapters: read some of every "
            "part of the book"
        )
    return (
        "One standard error to either side of a mean holds the truth two times out of three; "
        "19 times out of 20 it takes a little more than two"
    )
