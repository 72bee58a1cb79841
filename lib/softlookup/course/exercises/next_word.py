"""Checks for the exercises of the chapter on the next word."""

import re
from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from softlookup.course.exercises.cached_attention_slips import (
    Cache,
    Turn,
    attend,
    in_pieces,
    name_attention,
    name_cache,
)
from softlookup.course.exercises.cached_pages import MEAN_SAVING, surprises
from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.difference import require_same
from softlookup.course.exercises.given_back_slips import given_back as shorter_context
from softlookup.course.exercises.given_back_slips import name_given_back, taken_from
from softlookup.course.exercises.judging import judge
from softlookup.course.exercises.language_models_asked import why_unseen, why_wronged
from softlookup.course.exercises.language_models_on_trial import (
    LanguageModel,
    honest,
    impostors,
    misread,
)
from softlookup.course.exercises.measuring import Report
from softlookup.course.exercises.nucleus_slips import name_nucleus, nucleus
from softlookup.course.exercises.pages_compared import measure_pages
from softlookup.course.exercises.probes import draw, require_tensor, same
from softlookup.course.exercises.verdict import Mistake
from softlookup.layers.positions import rotate
from softlookup.running.generation import top_p

HEADS, LENGTH, D_HEAD, WORDS = 3, 13, 4, 11

_draw = partial(draw, seed=10)


@exercise(
    "next_word",
    1,
    "apply the temperature, keep the nucleus of probability p, and return probabilities.",
    "temperature first, then the nucleus, then a sum of one.",
    {top_p: "you call the library's top_p; sort the probabilities, and add them up yourself"},
)
def check_nucleus(answer: Callable[[Tensor, float, float], Tensor]) -> None:
    """Check top-p sampling's distribution, with a temperature."""
    for temperature, p in (_TELLING, (0.5, 0.9), (1.0, 0.7), (1.0, 0.01), (1.0, 1.0)):
        right = nucleus(_LOGITS, temperature, p)
        got = require_tensor(
            answer(_LOGITS, temperature, p), tuple(right.shape), "your distribution"
        ).double()
        if same(got, right):
            continue
        case = f" (temperature {temperature:g}, p {p:g})"
        if p < 0.1 and (got.isnan().any() or float(got.sum()) == 0):
            raise Mistake(
                "with a small p nothing is left to draw: the likeliest token always stays" + case
            )
        if (temperature, p) == _TELLING:
            name_nucleus(got, _LOGITS, temperature, p)
        chosen = right > 0
        if torch.equal(got > 0, chosen) and same(got.sum(), torch.tensor(1.0)):
            raise Mistake(
                "you keep the right tokens, but their probabilities are not in the softmax's "
                "proportions" + case
            )
        before = [round(each, 2) for each in (_LOGITS / temperature).softmax(0).tolist()]
        raise Mistake(
            f"you keep the tokens {_places(got > 0)} with a sum of {float(got.sum()):.3f}; of the "
            f"probabilities {before} the nucleus is {_places(chosen)}, with a sum of 1" + case
        )
    kept = int((answer(torch.zeros(4, dtype=torch.float64), 1.0, 0.5) > 0).sum())
    if kept != 2:
        raise Mistake(
            f"of four equally likely tokens two have p = 0.5 together, and you keep {kept}: a "
            "token belongs to the nucleus as long as those before it have less than p"
        )


_LOGITS = torch.tensor(
    [1.2, 1.1, 0.2, -0.4, -2.0, -1.8, -1.3, -2.1, -1.2, 0.5, -1.5, 0.1, 1.4], dtype=torch.float64
)
# A temperature and a p at which no two mistakes keep the same tokens of these.
_TELLING = 2.0, 0.75


def _places(chosen: Tensor) -> list[int]:
    return chosen.nonzero().flatten().tolist()


@exercise(
    "next_word",
    2,
    "return the share of the first model with which the mixture is least surprised.",
    "a share that validation text chooses: two models, and what each of them is worth.",
)
def check_best_share(best_share: Callable[[Tensor, Tensor], float]) -> None:
    """Check the weight with which two models are mixed best."""
    shares = torch.linspace(0, 1, 1001, dtype=torch.float64)
    for ours, theirs in _pairs_of_models():
        mixed = shares[:, None] * torch.exp(-ours) + (1 - shares)[:, None] * torch.exp(-theirs)
        surprise = -mixed.log().mean(dim=1)
        right = float(shares[surprise.argmin()])
        got = best_share(ours, theirs)
        try:
            got = float(got)
        except (TypeError, ValueError):
            raise Mistake(
                f"your function returned {type(got).__name__}; one number is expected"
            ) from None
        if abs(got - right) <= 0.0101:
            continue
        case = f" ({right:.3f} is best here, and you give {got:.3f})"
        weights = torch.stack([1 / ours.mean(), 1 / theirs.mean()])
        hypotheses = {
            "this is the least surprise itself; its share is asked for": surprise.min(),
            "this is the share of the other model; or exp lacks its minus sign": torch.tensor(
                1 - right
            ),
            "this is all of one model: did you mix the surprises, a straight line, or leave the "
            "minus signs out of exp and log? Both are always best at an end; mix the "
            "probabilities, and take the logarithm of the mixture": (
                ours.mean() <= theirs.mean()
            ).double(),
            "this is all of the model with the greater mean probability: did you take the "
            "logarithm behind the mean? Take each token's first, and then the mean": (
                torch.exp(-ours).mean() >= torch.exp(-theirs).mean()
            ).double(),
            "this is how often the first model is the better one; what it is worth depends on by "
            "how much": (ours < theirs).double().mean(),
            "you weighed each model by how good it is alone; a mixture is judged together": (
                weights[0] / weights.sum()
            ),
            "one half is a fair guess, and this asks for the best share": torch.tensor(0.5),
        }
        for words, wrong in hypotheses.items():
            if abs(got - float(wrong)) < 0.006:
                raise Mistake(words + case)
        if any(
            abs(got - right) <= step and abs(got / step - round(got / step)) < 1e-5
            for step in (0.2, 0.1, 0.05, 0.025)
        ):
            raise Mistake("your steps are too coarse: to within 0.01, please" + case)
        if got > 1 and abs(got - round(got)) < 1e-6:
            raise Mistake(
                "this is a share's place among those that you tried, or a percentage; the share "
                "itself is asked for, from 0 to 1" + case
            )
        if right in (0.0, 1.0):
            raise Mistake(
                "the least surprise lies at an end, all of one model: are 0 and 1 among the shares "
                "that you try?" + case
            )
        raise Mistake("the mixture is less surprised at another share" + case)


def _pairs_of_models() -> list[tuple[Tensor, Tensor]]:
    """The surprises of two models of one text: often better but worse, uneven, and one-sided."""
    easy, hard = _draw(40).abs() + 0.1, _draw(40, seed=11).abs() * 2 + 0.1
    third = torch.arange(120) % 3 == 0
    level = (_draw(120, seed=12).abs() * 0.3, _draw(120, seed=13).abs() * 0.3)
    uneven = (
        torch.where(third, level[0] + 0.2, level[0] + 2.5),
        torch.where(third, level[1] + 3.0, level[1] + 0.7),
    )
    # The first has the greater mean probability here, and the other the lesser mean surprise.
    mostly = torch.arange(120) % 5 < 3
    bold = (torch.where(mostly, level[0] + 0.1, level[0] + 4.0), level[1] + 0.9)
    return [bold, uneven, (uneven[1], uneven[0] + 0.1), (easy, easy + hard), (easy + hard, easy)]


@exercise(
    "next_word",
    3,
    "return the distribution of the shorter context that keeps the words' frequencies.",
    "what is taken from a word, wherever it stood, is what the shorter context gives back to it.",
)
def check_given_back(given_back: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Check the derivation of Kneser and Ney's shorter context, with several discounts."""
    for seed, discounts in ((3, (0.0, 0.4, 0.9, 1.3)), (4, (0.0, 0.75, 0.75, 0.75))):
        chances = torch.Generator().manual_seed(seed)
        counts = torch.randint(0, 8, (WORDS, WORDS), generator=chances) * torch.randint(
            0, 2, (WORDS, WORDS), generator=chances
        )
        counts[:, 0] += 1  # no context is empty
        # Words that came once and twice in all, and one that came once in each of two contexts.
        counts[:, -3:] = 0
        counts[2, -3], counts[4, -2], counts[5, -1], counts[6, -1] = 1, 2, 1, 1
        taken_for = torch.tensor(discounts, dtype=torch.float64)
        right = shorter_context(counts, taken_for)
        meaning = "one share a word: sum over the contexts"
        got = require_tensor(given_back(counts, taken_for), (WORDS,), "your distribution", meaning)
        if same(got, right):
            continue
        single = len(set(discounts)) == 2
        if not single:
            name_given_back(got.double(), counts, taken_for)
        taken = taken_from(counts, taken_for).sum(0)
        frequency = counts.sum(0) / counts.sum()
        average = (counts.sum(0) - taken + taken.sum() * got.double()) / counts.sum()
        worst = int((average - frequency).abs().argmax())
        raise Mistake(
            f"with {'one discount' if single else 'three discounts'} your bigrams give word "
            f"{worst} a frequency of {float(average[worst]):.3f} on the whole, and the text "
            f"{float(frequency[worst]):.3f}: write down what all contexts give it, and solve for p"
        )


@exercise(
    "next_word",
    4,
    "repair `broken`: a text in pieces is to give what it gives in one; change nothing else.",
    "with the cache and without it, token by token or all at once, one and the same model.",
)
def check_attend(
    answer: Callable[[Tensor, Tensor, Tensor, Cache | None, Turn], tuple[Tensor, Cache]],
) -> None:
    """Check causal attention with a cache, on a text that arrives in pieces."""
    whole = tuple(_draw(HEADS, LENGTH, D_HEAD, seed=seed) for seed in (1, 2, 3))
    right = in_pieces(attend, whole, [LENGTH])[0]
    for pieces in ([LENGTH], [8, 5], [8, 1, 1, 3], [1] * LENGTH):
        outputs, cache = in_pieces(answer, whole, pieces)
        first, keys = pieces[0], rotate(whole[1], 0)
        if len(pieces) == 2 and same(cache[0][:, :first], rotate(keys[:, :first], 0)):
            raise Mistake("the keys in the cache are turned already, and you turn them once more")
        if not same(outputs, right):
            name_attention(outputs, whole, pieces)
            place = (
                "without a cache your attention is another than that of `broken`, which is right"
            )
            if len(pieces) > 1:
                place = f"in pieces of {pieces} tokens the text gives something else than in one"
            require_same(outputs, right, place, axes=("head", "token", "width"))
        name_cache(cache, whole)


@exercise(
    "next_word",
    5,
    "return True if the model is a language model that can be trusted, and False otherwise.",
    "bits of such a model mean what they say: it sums to one, and it has not read the answer.",
)
def check_is_language_model(is_language_model: Callable[[LanguageModel], bool]) -> None:
    """Check a test for language models, on right ones and on impostors."""
    asked: list[int] = []

    def noted(model: LanguageModel) -> LanguageModel:
        def call(ids: Tensor) -> Tensor:
            if not isinstance(ids, Tensor) or ids.dim() != 1 or len(ids) < 1:
                raise Mistake("you asked a model about something else than a tensor (n,) of ids")
            asked.append(len(ids))
            return model(ids)

        return call

    try:
        judge(
            is_language_model,
            {name: noted(model) for name, model in honest().items()},
            {name: noted(model) for name, model in impostors().items()},
            partial(why_unseen, test=is_language_model),
            why_wronged,
        )
    except Mistake as mistake:
        told = str(mistake)
        if not asked and "something else than a tensor" not in told:
            raise Mistake("your test never calls the model that it is to judge") from mistake
        if any(words in told for words in ("At each place", "another idea", "nothing honest")):
            for words, model in misread().items():
                if is_language_model(noted(model)):
                    start = re.split(r"\. (At each|It has another)|: can it", told)[0]
                    raise Mistake(f"{start}. {words}") from mistake
        raise


@exercise(
    "next_word",
    6,
    "return low and high, between which lies what the cache saves for a token, in nats.",
    "your interval says how much, and how sure: the same pages for both, from every part of the "
    "book, and each page one observation.",
)
def check_saving(report: Report) -> None:
    """Check a report on what a cache saves, in invented books and in a real one."""
    measure_pages(report, surprises, MEAN_SAVING)
