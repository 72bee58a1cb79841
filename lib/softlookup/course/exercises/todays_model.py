"""Checks for the exercises of the chapter on today's model."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.difference import require_same
from softlookup.course.exercises.judging import judge
from softlookup.course.exercises.probes import draw, name_first, require_tensor, same
from softlookup.course.exercises.scans_on_trial import Scan, honest, impostors
from softlookup.course.exercises.verdict import Mistake

TOKENS, EXPERTS, CAPACITY = 11, 5, 3


@exercise(
    "todays_model",
    1,
    "return what each token takes from each expert, when the experts choose.",
    "every expert has its fill, and no balance needs to be asked for.",
)
def check_experts_choose(experts_choose: Callable[[Tensor, int], Tensor]) -> None:
    """Check a router in which each expert takes the tokens that it is likeliest for."""
    for seed, capacity in ((161, CAPACITY), (162, 1), (163, TOKENS)):
        scores = 2 * draw(TOKENS, EXPERTS, seed=seed)
        right = _experts_choose(scores, capacity)
        got = require_tensor(
            experts_choose(scores, capacity), (TOKENS, EXPERTS), meaning="(tokens, experts)"
        )
        if same(got, right):
            continue
        chance, over_tokens = scores.softmax(dim=-1), scores.softmax(dim=0)
        by_token = _kept(chance, min(capacity, EXPERTS), dim=-1)
        hypotheses = [
            (by_token, "your tokens choose experts; here each expert chooses its tokens"),
            (chance, "your experts take every token: keep the `capacity` likeliest of each"),
            ((right > 0).to(right), "you return who is chosen; the probability is its weight"),
            (
                _kept(over_tokens, capacity, dim=0),
                "your softmax runs over the tokens; a token shares itself out among the experts",
            ),
            (
                _kept(scores, capacity, dim=0),
                "these are scores; a token's weights are their softmax over the experts",
            ),
            (
                _kept(chance, capacity, dim=0, largest=False),
                "your experts take the tokens that they are least likely for",
            ),
            (
                torch.nan_to_num(right / right.sum(dim=-1, keepdim=True)),
                "you divide by the sum of what a token was given; a token that many experts "
                "want should count for more than one that few do, so leave the weights",
            ),
        ]
        name_first(got, [each for each in hypotheses if not same(each[0], right)])
        require_same(
            got,
            right,
            f"with room for {capacity} tokens in each expert yours is another table",
            axes=("token", "expert"),
            given={"scores": scores},
        )


def _kept(table: Tensor, count: int, dim: int, largest: bool = True) -> Tensor:
    """The table, with zeros but for the so many largest along an axis."""
    chosen = table.topk(count, dim=dim, largest=largest).indices
    return torch.zeros_like(table).scatter(dim, chosen, table.gather(dim, chosen))


def _experts_choose(scores: Tensor, capacity: int) -> Tensor:
    return _kept(scores.softmax(dim=-1), capacity, dim=0)


@exercise(
    "todays_model",
    2,
    "return the bytes of the caches when most layers look through a window.",
    "the windows' part stops growing, and what is left grows in few layers.",
)
def check_windowed_cache(windowed_cache: Callable[..., int]) -> None:
    """Check a formula for the caches of a model of which only some layers see the whole text."""
    cases = ((8192, 30, 6, 1024, 4, 256), (700, 48, 6, 1024, 8, 128), (5000, 12, 1, 64, 2, 32))
    for length, layers, every, window, shared, d_head in cases:
        whole = layers // every
        others, seen = layers - whole, min(length, window)
        number = 2 * shared * d_head * 2  # the bytes of one token in one layer
        right = number * (whole * length + others * seen)
        got = windowed_cache(length, layers, every, window, shared, d_head)
        if isinstance(got, bool) or not isinstance(got, int | float):
            raise Mistake(f"your function returned {type(got).__name__}; a number is expected")
        if got == right:
            continue
        named = {
            right // 2: "this is half of it: are there keys and values, of two bytes a number?",
            right // 4: "these are the keys alone, of one byte a number",
            2 * right: "this is twice as much: a number of 16 bits takes two bytes",
            number * layers * length: "all your layers keep the whole text",
            number * layers * seen: "all your layers look through the window",
            number * (others * length + whole * seen): "you exchanged the two kinds: one layer in "
            "`every` sees the whole text",
            number * (whole * length + others * window): "your windows are full from the first "
            "token on; a text that is shorter fills them only so far",
            number * (whole * length + layers * seen): "you count the layers that see the whole "
            "text a second time, with a window",
            number * (every * length + (layers - every) * seen): "`every` is no number of layers: "
            "one layer in so many sees the whole text",
        }
        raise Mistake(
            named.get(
                int(got),
                f"a text of {length} tokens, {layers} layers of which one in {every} sees all of "
                f"it and the others {window} tokens, {shared} shared heads of width {d_head}: it "
                f"is {right:,} bytes, and yours is {got:,}",
            )
        )


@exercise(
    "todays_model",
    3,
    "repair `broken`, so that the loss can move the router.",
    "the loss is one where all is even, and its gradient takes from those who have most.",
)
def check_balance(balance: Callable[[Tensor, int], Tensor]) -> None:
    """Check the repair of a balancing loss that no gradient passes."""
    for seed, n_chosen in ((172, 2), (165, 1), (166, 3)):
        scores = (2 * draw(TOKENS, EXPERTS, seed=seed)).requires_grad_()
        probabilities = scores.softmax(dim=-1)
        got = require_tensor(balance(probabilities, n_chosen), (), what="your loss")
        share, mean = _shares(probabilities, n_chosen), probabilities.mean(dim=0)
        right = EXPERTS * (share * mean).sum()
        first = _shares(probabilities, 1)
        name_first(
            got.detach(),
            [
                (EXPERTS * (share * share).sum(), "this is `broken` as it was: choices alone, and "
                 "no gradient passes a choice"),
                (EXPERTS * (mean * mean).sum(), "you took the choices out; they are what has to "
                 "become even, and the probabilities are how to reach them"),
                ((share * mean).sum().detach(), "the number of experts is gone: the loss is to be "
                 "one where all is even"),
                (n_chosen * right.detach(), "your shares sum to the number that is chosen; they "
                 "are shares of all choices, and sum to one")
                if n_chosen > 1 else (right.detach() + 1, ""),
                (EXPERTS * (first * mean).sum().detach(), "you count each token's first choice "
                 "alone; all of its choices are work")
                if n_chosen > 1 else (right.detach() + 1, ""),
                (TOKENS * right.detach(), "you summed the probabilities over the tokens: their "
                 "mean is the other factor"),
            ],
        )  # fmt: skip
        require_same(got.detach(), right.detach(), "your loss is another number")
        if not got.requires_grad:
            raise Mistake("the number is right, and no gradient passes it: what was detached?")
        found, expected = (
            torch.autograd.grad(each, scores, retain_graph=True)[0] for each in (got, right)
        )
        require_same(
            found, expected, "the number is right, and its gradient is another",
            axes=("token", "expert"),
        )  # fmt: skip


def _shares(probabilities: Tensor, n_chosen: int) -> Tensor:
    """The share of all choices that falls to each expert."""
    chosen = probabilities.topk(n_chosen, dim=-1).indices
    return F.one_hot(chosen, EXPERTS).to(probabilities).mean(dim=(0, 1))


@exercise(
    "todays_model",
    4,
    "return True if the scan finds the state after every token, and False otherwise.",
    "it tells another order of the same sums from other sums.",
)
def check_is_scan(is_scan: Callable[[Scan], bool]) -> None:
    """Check a test for scans on right ones and on impostors."""
    lengths: list[int] = []

    def noting(scan: Scan) -> Scan:
        def called(decay: Tensor, added: Tensor) -> Tensor:
            if not (isinstance(decay, Tensor) and isinstance(added, Tensor)) or added.dim() != 2:
                raise Mistake("you asked about something else than two tensors (length, numbers)")
            lengths.append(len(added))
            return scan(decay, added)

        return called

    try:
        judge(
            is_scan,
            {name: noting(scan) for name, scan in honest().items()},
            {name: noting(scan) for name, scan in impostors().items()},
        )
    except Mistake as mistake:
        if not lengths:
            raise Mistake("your test never calls the scan that it is to judge") from mistake
        if "impostors through" in str(mistake) and max(lengths) <= 32:
            raise Mistake(
                f"{mistake}. Your longest text has {max(lengths)} tokens: what goes wrong late "
                "shows in longer ones"
            ) from mistake
        raise
