"""Checks for the exercises of the chapter on today's model."""

from collections.abc import Callable
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from softlookup.course.exercises.cache_bytes import (
    SLIPS,
    Sizes,
    bytes_of_caches,
    in_cases,
    of_one_group,
)
from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.difference import require_same
from softlookup.course.exercises.experts_chosen import experts_choose as chosen_by_experts
from softlookup.course.exercises.experts_chosen import mistakes, name_parts
from softlookup.course.exercises.heads_pooled import mistakes as pooling_mistakes
from softlookup.course.exercises.heads_pooled import pooled
from softlookup.course.exercises.judging import judge
from softlookup.course.exercises.normed_scores import mistakes as norm_mistakes
from softlookup.course.exercises.normed_scores import scores as right_scores
from softlookup.course.exercises.one_number import by_a_factor, name_unused, require_number
from softlookup.course.exercises.probes import draw, name_first, require_tensor, same
from softlookup.course.exercises.scans_on_trial import Question, Scan, honest, impostors, why_unseen
from softlookup.course.exercises.slips import name_slips
from softlookup.course.exercises.verdict import Mistake

TOKENS, EXPERTS, CAPACITY = 11, 5, 3
HEAD_WIDTH, MODEL_WIDTH = 5, 7

# What a formula for caches is given: texts longer and shorter than the window, and no window, then
# drawn sizes.
SIZES = ("length", "layers", "every", "window", "shared", "d_head")
KNOWN = ((8192, 30, 6, 1024, 4, 256), (700, 48, 6, 1024, 8, 128), (5000, 12, 1, 64, 2, 32))
OTHER_SIZES = (9000, 36, 5, 1000, 3, 64)


def _drawn_sizes(seed: int) -> Sizes:
    """Sizes at random: as often as not the text is longer than the window."""
    generator = torch.Generator().manual_seed(seed)
    length, every, groups, window, shared, d_head = (
        int(torch.randint(low, high, (), generator=generator))
        for low, high in ((2, 4000), (2, 7), (2, 9), (2, 4000), (2, 9), (3, 99))
    )
    return length, every * groups, every, window, shared, d_head


CASES = (*KNOWN, *map(_drawn_sizes, range(171, 177)))


@exercise(
    "todays_model",
    1,
    "return what each token takes from each expert, when the experts choose.",
    "every expert is full, and no balancing loss is needed.",
)
def check_experts_choose(experts_choose: Callable[[Tensor, int], Tensor]) -> None:
    """Check a router in which each expert takes the tokens that it is likeliest for."""
    for seed, capacity in ((161, CAPACITY), (162, 1), (163, TOKENS)):
        scores = 2 * draw(TOKENS, EXPERTS, seed=seed, dtype=torch.float32)
        right = chosen_by_experts(scores, capacity)
        got = require_tensor(
            experts_choose(scores, capacity), (TOKENS, EXPERTS), meaning="(tokens, experts)"
        )
        if same(got, right):
            continue
        name_first(got, mistakes(scores, capacity))
        name_parts(got, scores, capacity)
        require_same(
            got,
            right,
            f"with room for {capacity} tokens in each expert yours is another table",
            axes=("token", "expert"),
            given={"scores": scores},
        )


@exercise(
    "todays_model",
    2,
    "return the bytes of the caches when most layers look through a window.",
    "the windows' part stops growing, and what is left grows in few layers.",
)
def check_windowed_cache(windowed_cache: Callable[..., int]) -> None:
    """Check a formula for the caches of a model of which only some layers see the whole text."""
    got = torch.tensor(
        [require_number(windowed_cache(*sizes)) for sizes in CASES], dtype=torch.float64
    )
    right = in_cases(CASES)
    name_slips(got, partial(in_cases, CASES), SLIPS, alike=torch.equal)
    if torch.equal(got, right):
        return
    if of_one_group(got, CASES):
        raise Mistake("these are the caches of one group of `every` layers; there are several")
    sizes, others = (dict(zip(SIZES, each, strict=True)) for each in (CASES[0], OTHER_SIZES))
    name_unused(windowed_cache, lambda *each: bytes_of_caches(each), sizes, others)
    given = dict(zip(SIZES, torch.tensor(CASES).T, strict=True))
    if factor := by_a_factor(got, right, given):
        raise Mistake(f"yours is {factor}; the bytes of all caches of the whole text are asked for")
    case = int((got != right).nonzero()[0])
    elsewhere = (
        "",
        "; where the text is longer than the window yours is right",
        "; where some layers have a window yours is right",
        "; with other sizes yours is right",
    )
    length, layers, every, window, shared, d_head = CASES[case]
    raise Mistake(
        f"a text of {length} tokens, {layers} layers of which one in {every} sees all of it and "
        f"the others {window} tokens, {shared} shared heads of width {d_head}: it is "
        f"{right[case]:,.0f} bytes, and yours is {got[case]:,.0f}"
        f"{elsewhere[min(case, 3)]}"
    )


@exercise(
    "todays_model",
    3,
    "repair `broken`, so that no two tokens share a slot.",
    "every slot has one token at most, and first choices come before second.",
)
def check_slots(slots: Callable[[Tensor, int, int], Tensor]) -> None:
    """Check the repair of a queue before experts that have room for so many tokens each."""
    for seed, capacity in ((167, 3), (168, 1), (169, 4), (170, 2 * TOKENS)):
        order = draw(TOKENS, EXPERTS, seed=seed).argsort(dim=-1)
        # The first token's two experts are wanted by most, so that they are filled soon.
        chosen = order[:, :2].where(draw(TOKENS, 1, seed=seed + 10) < 0, order[:1, :2])
        got = require_tensor(
            slots(chosen, EXPERTS, capacity), (TOKENS, 2), meaning="(tokens, choices)"
        )
        right = _slots(chosen, capacity)
        if got.is_floating_point() and not torch.equal(got, got.round()):
            raise Mistake("your slots are no whole numbers")
        if same(got, right):
            continue
        places = _places(chosen.T.flatten()).view(2, TOKENS).T
        each_alone = torch.stack([_places(each) for each in chosen.T], dim=1)
        by_token = _places(chosen.flatten()).view(TOKENS, 2)
        second_first = _places(chosen.flip(1).T.flatten()).view(2, TOKENS).T.flip(1)
        late = each_alone + torch.tensor([0, TOKENS])
        in_queue = _places(chosen.T.flatten())
        latest_first = _places(chosen.flip(0).T.flatten()).view(2, TOKENS).T.flip(0)
        hypotheses = [
            (_within(each_alone, capacity), "this is `broken` as it was: ask where the second "
             "choices' places begin"),
            (_within(by_token, capacity), "you serve both choices of a token at once; the first "
             "choices of all tokens come before any second"),
            (_within(second_first, capacity), "you serve second choices before first ones"),
            (_within(latest_first, capacity), "you serve later tokens before earlier ones"),
            (_within(late, capacity), "your second choices begin behind as many places as there "
             "are tokens; an expert's queue is as long as its own first choices"),
            (_within(in_queue.view(TOKENS, 2), capacity), "your queue has the first choices of all "
             "tokens, then the second ones; lay it back in that order: two rows, transposed"),
            (_within(places + 1, capacity + 1), "your slots are counted from 1; they begin at 0"),
            (_within(places + 1, capacity), "your places count the token itself: before the "
             "first there is nobody, and its slot is 0"),
            (_within(places, capacity + 1), "you let in one token too many: the slots are 0 to "
             "`capacity` - 1"),
            (places, "your queue is right, and nobody is sent away: who finds no slot gets -1"),
            (places.clamp(max=capacity - 1), "you put all who come too late into the last slot, "
             "so they share it; they get -1"),
            (_within(places, capacity).clamp(min=0), "who comes too late gets -1, and yours "
             "joins the first in slot 0"),
            *_second_slips(chosen, each_alone, capacity),
        ]  # fmt: skip
        name_first(got, [each for each in hypotheses if not same(each[0], right)])
        require_same(
            got,
            right,
            f"with {capacity} slots in each expert yours is another table",
            axes=("token", "choice"),
        )


def _second_slips(chosen: Tensor, each_alone: Tensor, capacity: int) -> list[tuple[Tensor, str]]:
    """Slots in which the second choices begin at a wrong place, or share the room wrongly."""
    first, second = (F.one_hot(each, EXPERTS).sum(dim=0) for each in chosen.T)
    starts = {
        "that of their token's first expert, and not of the expert they go to": (
            first[chosen[:, 0]]
        ),
        "the number of its second choices, and not of its first": second[chosen[:, 1]],
        "one place too early, at the last first choice's own": (
            (first[chosen[:, 1]] - 1).clamp(min=0)
        ),
        "one place too late, which leaves a slot empty": first[chosen[:, 1]] + 1,
        "`capacity`, though first choices need not fill the slots": (
            torch.full_like(chosen[:, 0], capacity)
        ),
    }
    places = each_alone.clone()
    places[:, 1] += first[chosen[:, 1]]
    slots, half = _within(places, capacity), capacity // 2
    kept_apart = [_within(each_alone[:, 0], half), _within(each_alone[:, 1] + half, capacity)]
    is_behind = each_alone[:, 1] >= first[chosen[:, 1]]
    unmoved = torch.stack([each_alone[:, 0], each_alone[:, 1].where(is_behind, -1)], dim=1)
    dropped = slots.min(dim=1, keepdim=True).values < 0
    return [
        *(
            (
                _within(torch.stack([each_alone[:, 0], each_alone[:, 1] + start], 1), capacity),
                f"an expert's second choices begin behind its first ones; yours begin at {words}",
            )
            for words, start in starts.items()
        ),
        (
            places.where(each_alone < capacity, -1),
            "you ask whether there is room before you move the second choices behind the first",
        ),
        (
            torch.stack(kept_apart, dim=1),
            "you keep the second half for second choices; no slot is kept: they get the next ones "
            "behind all first choices of their expert",
        ),
        (
            _within(unmoved, capacity),
            "a second choice whose slot a first one has is sent away; it moves on behind all first "
            "choices of its expert",
        ),
        (
            _within(each_alone, half),
            "you give each choice half of the slots; they are for whoever comes, in turn",
        ),
        (
            slots * torch.tensor([1, 0]) - torch.tensor([0, 1]),
            "you send all second choices away; they may have the slots that are left",
        ),
        (
            slots.where(~dropped, -1),
            "you send both choices of a token away where one finds no slot",
        ),
        (
            places.where(places < capacity, capacity),
            "who finds no slot gets -1, and yours gets `capacity`",
        ),
        (
            slots.where(slots < 0, slots + chosen * capacity),
            "your slots are numbered through all experts; each expert's begin at 0",
        ),
        (
            _within(torch.arange(chosen.numel()).view(2, -1).T, capacity),
            "you make one queue of all; every expert has its own",
        ),
    ]


def _places(queue: Tensor) -> Tensor:
    """For each entry of a queue of experts' numbers, how many before it are the same."""
    return (queue[:, None] == queue).tril(-1).sum(dim=1)


def _within(places: Tensor, capacity: int) -> Tensor:
    """The places that are slots, and -1 for those beyond."""
    return places.where(places < capacity, -1)


def _slots(chosen: Tensor, capacity: int) -> Tensor:
    """The slot of each choice: first choices before second, earlier tokens before later."""
    return _within(_places(chosen.T.flatten()).view(2, -1).T, capacity)


@exercise(
    "todays_model",
    4,
    "return True if the scan finds the state after every token, and False otherwise.",
    "it tells another order of the same sums from other sums.",
)
def check_is_scan(is_scan: Callable[[Scan], bool]) -> None:
    """Check a test for scans on right ones and on impostors."""
    asked: dict[str, list[Question]] = {}

    def noting(name: str, scan: Scan) -> Scan:
        def called(decay: Tensor, added: Tensor) -> Tensor:
            if not (isinstance(decay, Tensor) and isinstance(added, Tensor)) or added.dim() != 2:
                raise Mistake("you asked about something else than two tensors (length, numbers)")
            states = scan(decay, added)
            asked.setdefault(name, []).append((decay.clone(), added.clone(), states.clone()))
            return states

        return called

    right, wrong = (
        {name: noting(name, scan) for name, scan in scans.items()}
        for scans in (honest(), impostors())
    )
    try:
        judge(is_scan, right, wrong)
    except Mistake as mistake:
        if not asked:
            raise Mistake("your test never calls the scan that it is to judge") from mistake
        first = next((name for name in wrong if f": {name}" in str(mistake)), "")
        if "impostors through" in str(mistake) and "meets numbers" not in str(mistake):
            raise Mistake(f"{mistake}. {why_unseen(asked.get(first, []))}") from mistake
        raise


@exercise(
    "todays_model",
    5,
    "return the projection of the shared heads.",
    "each shared head is the mean of its group, and the cache has shrunk.",
)
def check_shared_weight(shared_weight: Callable[[Tensor, int, int], Tensor]) -> None:
    """Check how a projection of many heads is brought to a few, each the mean of its group."""
    for seed, n_heads, shared in ((171, 6, 2), (172, 6, 3), (173, 4, 1), (174, 3, 3)):
        weight = draw(n_heads * HEAD_WIDTH, MODEL_WIDTH, seed=seed)
        right = pooled(weight, n_heads, shared)
        got = require_tensor(
            shared_weight(weight, n_heads, shared),
            (shared * HEAD_WIDTH, MODEL_WIDTH),
            f"the projection of {n_heads} heads brought to {shared}",
            "(shared * d_head, d_model)",
        )
        if same(got, right):
            continue
        name_first(got, pooling_mistakes(weight, n_heads, shared))
        require_same(
            got,
            right,
            f"of {n_heads} heads in {shared} groups yours is another projection",
            axes=("row", "number"),
            given={"weight": weight},
        )


@exercise(
    "todays_model",
    6,
    "return the scores, with the norm where it belongs.",
    "a score depends on two tokens and their distance again, whatever the norms have learned.",
)
def check_normed_scores(normed_scores: Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]) -> None:
    """Check where a norm of queries and keys stands beside rotary positions."""
    for seed, heads, width in ((175, 3, 8), (176, 1, 6), (177, 5, 10)):
        query, key = draw(2, heads, TOKENS, width, seed=seed)
        query_weight, key_weight = 1 + draw(2, width, seed=seed + 10) / 2
        given = query, key, query_weight, key_weight
        right = right_scores(*given)
        got = require_tensor(
            normed_scores(*given), (heads, TOKENS, TOKENS), meaning="(heads, queries, keys)"
        )
        if same(got, right):
            continue
        name_first(got, norm_mistakes(*given))
        require_same(
            got,
            right,
            f"with {heads} heads of width {width} yours are other scores",
            axes=("head", "query", "key"),
        )
