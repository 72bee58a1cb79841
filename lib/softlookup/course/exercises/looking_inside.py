"""Checks for the exercises of the chapter on looking inside."""

import itertools
from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.composed_heads import four_parts, slips
from softlookup.course.exercises.difference import require_same
from softlookup.course.exercises.heads_on_trial import (
    Head,
    honest,
    impostors,
    misread,
    require_text,
    slip,
)
from softlookup.course.exercises.judging import judge
from softlookup.course.exercises.patched_heads import Patched, name_patched
from softlookup.course.exercises.probes import draw, name_first, require_tensor, same
from softlookup.course.exercises.texts_in_common import in_common, what_else_it_asks
from softlookup.course.exercises.verdict import Mistake

LENGTH, WIDTH, SENTENCES, VERSIONS, HEADS = 13, 11, 7, 2, 29

_draw = partial(draw, seed=14)


@exercise(
    "looking_inside",
    1,
    "return True if the function is an induction head, and False otherwise.",
    "it knows an induction head by what it does with a returning token, not by a pretty text.",
)
def check_is_induction_head(is_induction_head: Callable[[Head], bool]) -> None:
    """Check a test for induction heads on right ones and on impostors."""
    failed: dict[str, str | None] = {}  # for each head that was asked, where it is no such head
    asked: dict[str, list[Tensor]] = {}

    def lent(name: str, head: Head) -> Head:
        def call(tokens: Tensor) -> Tensor:
            failed.setdefault(name, None)
            require_text(tokens)
            asked.setdefault(name, []).append(tokens.clone())
            weights = head(tokens.clone())
            failed[name] = failed[name] or slip(tokens, weights)
            return weights

        return call

    right, wrong = (
        {name: lent(name, head) for name, head in heads.items()}
        for heads in (honest(), impostors())
    )
    try:
        judge(is_induction_head, right, wrong)
    except Mistake as mistake:
        if not failed:
            raise Mistake("your test never calls the head that it is to judge") from mistake
        if "calls nothing honest" in str(mistake):
            for words, head in misread().items():
                if is_induction_head(lent(words, head)):
                    raise Mistake(words) from mistake
        first = next((name for name in wrong if name in str(mistake)), "")
        met = "the first of these"
        if "the impostors too" in str(mistake):
            first = met = next((name for name in wrong if failed.get(name)), "")
        if "impostors" in str(mistake) and failed.get(first):
            raise Mistake(
                f"{mistake}. Your test has met {met} where it fails, and still says "
                f"True: {failed[first]}. One such place is enough for False"
            ) from mistake
        why = ""
        if "impostors" in str(mistake):
            why = in_common(asked[first or next(iter(asked))])
        elif "refuses what is right" in str(mistake) and "believes" not in str(mistake):
            why = what_else_it_asks(is_induction_head)
        if why:
            raise Mistake(f"{mistake}. {why}") from mistake
        raise


@exercise(
    "looking_inside",
    2,
    "repair `broken`, so that more versions of a sentence are not more evidence.",
    "all versions of a sentence share one coin, however many rows they fill.",
)
def check_surprise(surprise: Callable[[Tensor], Tensor | float]) -> None:
    """Check the repair of a test that took versions of a sentence for sentences."""
    for seed, meant in ((0, 0.0), (1, 0.0), (2, 1.0)):
        of_sentence = _draw(SENTENCES, 1, HEADS, seed=seed)
        shift = of_sentence + 0.5 * draw(SENTENCES, VERSIONS, HEADS, seed=15 + seed)
        shift[..., 5] += meant
        got = torch.as_tensor(surprise(shift.clone())).double()
        if got.numel() != 1:
            raise Mistake(f"your answer has {got.numel()} numbers; expected one, a share of worlds")
        whole = shift.mean(dim=1)
        signs = _signs(SENTENCES)
        worlds = signs @ whole / SENTENCES
        ours, best = worlds[0].max(), int(worlds[0].argmax())
        right = _share(worlds.amax(dim=1), ours)
        rows = shift.flatten(0, 1)
        if same(got.reshape(1), right.reshape(1)):
            continue
        name_first(
            got.reshape(1),
            [
                (
                    _surprise(rows),
                    "each version still has a coin of its own: the versions of a sentence share "
                    "its luck, and have to turn together",
                ),
                (
                    (VERSIONS * _surprise(rows)).clamp(max=1.0),
                    "you multiply the share by the number of versions, whose coins still differ; "
                    "let them turn together, and multiply by nothing",
                ),
                (
                    torch.stack([_surprise(each) for each in shift.unbind(1)]).mean(0),
                    "you test each version by itself and average the shares; take the mean over a "
                    "sentence's versions first, and one share",
                ),
                (
                    _share(worlds[:, best], ours),
                    "in each world you look at the head that was picked in ours: there another "
                    "one would have been picked",
                ),
                (
                    _surprise(shift[:, 0]),
                    "you look at the first version alone; the others are measurements, too",
                ),
                (
                    _surprise(shift.amax(dim=1)),
                    "you take each head's best version of a sentence; take the mean over all rows, "
                    "as the test did",
                ),
                (
                    _surprise(shift.flatten(1, 2)),
                    "you search the versions as if they were more heads",
                ),
                (
                    _surprise(shift.mean(dim=0)),
                    "you turn the versions, in all sentences together; turn the sentences, in all "
                    "their versions",
                ),
                (
                    _share(worlds.mean(dim=1), worlds[0].mean()),
                    "you average over the heads; nobody reports the average head. Take the best "
                    "one of each world",
                ),
                (
                    _share(worlds.abs().amax(dim=1), ours),
                    "a head that shifts the wrong way counts as a find with you; leave the sign",
                ),
                (
                    _share(worlds.abs().amax(dim=1), worlds[0].abs().max()),
                    "you take the size of each shift, in our world too; a find shifts upwards: "
                    "leave the sign",
                ),
                (
                    _share((signs.repeat(1, VERSIONS) @ rows / len(rows)).amax(dim=1), ours),
                    "your coins meet other rows than those of their sentence: the versions of one "
                    "sentence stand side by side in the rows, so repeat each coin before the next",
                ),
                (
                    (right * len(signs) - 1) / (len(signs) - 1),
                    "you leave out our own world, above and below the line: one that is as good "
                    "is ours, so the share is never zero",
                ),
                (
                    right - 1 / len(signs),
                    "you leave out our own world: one that is as good is ours, so the share is "
                    "never zero",
                ),
                (
                    right * len(signs),
                    "you return how many worlds there are; return their share",
                ),
                (1 - right, "you return the share of worlds that do worse"),
            ],
        )
        raise Mistake(
            f"for {SENTENCES} sentences in {VERSIONS} versions and {HEADS} heads your share is "
            f"{float(got):.3f}; {float(right):.3f} is right. Only what turns together is to "
            "change: one coin for all versions of a sentence, and the mean over all rows as before"
        )


def _signs(n: int) -> Tensor:
    return torch.tensor([*itertools.product([1.0, -1.0], repeat=n)], dtype=torch.float64)


def _surprise(rows: Tensor) -> Tensor:
    """The share of worlds in which the best head is as good, with a coin for each row."""
    best = (_signs(len(rows)) @ rows / len(rows)).amax(dim=1)
    return _share(best, best[0])


def _share(found: Tensor, ours: Tensor) -> Tensor:
    return (found >= ours - 1e-9).double().mean().reshape(1)


@exercise(
    "looking_inside",
    3,
    "return the four parts of the score table: direct, by the query, by the key, by both.",
    "which of the four is large says how two heads work together.",
)
def check_four_parts(parts: Callable[[Tensor, Tensor, Tensor, Tensor], object]) -> None:
    """Check the four terms of a later head's scores."""
    x = _draw(LENGTH, WIDTH)
    weights = (2 * draw(LENGTH, LENGTH, seed=15)).softmax(dim=-1)
    ov, qk = draw(WIDTH, WIDTH, seed=16), draw(WIDTH, WIDTH, seed=17)
    right = four_parts(x, weights, ov, qk)
    got = parts(x, weights, ov, qk)
    if not isinstance(got, tuple | list | Tensor) or len(got) != 4:
        raise Mistake("expected four tables: return direct, by_query, by_key, by_both")
    tables = {
        name: require_tensor(table, (LENGTH, LENGTH), f"`{name}`", "(queries, keys)").double()
        for name, table in zip(right, got, strict=True)
    }
    if same(tables["by_query"], right["by_key"]) and same(tables["by_key"], right["by_query"]):
        raise Mistake("`by_query` and `by_key` are exchanged: x before QK is the one who asks")
    for name, table in tables.items():
        if same(table, right[name]):
            continue
        name_first(table, slips(x, weights, ov, qk, name))
        require_same(
            table,
            right[name],
            f"`{name}` is not its part of (x + Δ) QK (x + Δ)ᵀ, with Δ what the first head moved",
            axes=("query", "key"),
        )


@exercise(
    "looking_inside",
    4,
    "return the stream of `x` after all layers, with one head patched.",
    "the head says what it would say elsewhere, and the later layers read what comes of it.",
)
def check_patched(patched: Patched) -> None:
    """Check activation patching, written by hand."""
    name_patched(patched)
