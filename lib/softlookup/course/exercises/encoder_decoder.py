"""Checks for the exercises of the chapter on encoder and decoder."""

import math
from collections.abc import Callable
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.decoders_asked import why_unseen, why_wronged
from softlookup.course.exercises.decoders_on_trial import DecoderBlock, honest, impostors
from softlookup.course.exercises.difference import require_same
from softlookup.course.exercises.judging import judge
from softlookup.course.exercises.logit_gap_slips import name_logit_gaps, require_gaps
from softlookup.course.exercises.one_number import name_unused
from softlookup.course.exercises.probes import draw, name_first, require_tensor, same
from softlookup.course.exercises.smoothing_slips import (
    SmoothedLoss,
    probes,
    require_gradient,
    require_losses,
)
from softlookup.course.exercises.verdict import Mistake
from softlookup.course.exercises.words_in_turn import (
    BATCH,
    D_MODEL,
    HEADS,
    SOURCE,
    WRITTEN,
    LookWordByWord,
    following,
    name_wrong_ways,
)
from softlookup.data.vocabulary import PADDING
from softlookup.layers import masks
from softlookup.layers.multi_head import MultiHeadAttention
from softlookup.layers.visibility import Visibility
from softlookup.running.losses import next_token_loss

VOCAB, BEAMS = 13, 3

_draw = partial(draw, seed=9)


@exercise(
    "encoder_decoder",
    1,
    "let one token after another look into the memory, whose keys and values are computed once.",
    "each token asks, the memory answered once and for all, and the source's padding is unseen.",
    {
        MultiHeadAttention.forward: "you call the module itself; use its four projections, and "
        "split_heads, attention and merge_heads between them"
    },
)
def check_cross_attention(look_word_by_word: LookWordByWord) -> None:
    """Check multi-head attention into a memory that is projected once for all words."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(9)
        module = MultiHeadAttention(D_MODEL, HEADS).double()
    first, memory = _draw(BATCH, 1, D_MODEL), 1.5 * draw(BATCH, SOURCE, D_MODEL, seed=90)
    mask = masks.padding(torch.tensor([SOURCE, 4, 7]), SOURCE)
    right = _looked_word_by_word(module, first, memory, mask)
    of_memory = {"keys": module.key_projection, "values": module.value_projection}
    calls = dict.fromkeys(of_memory, 0)

    def count(name: str, *_: object) -> None:
        calls[name] += 1

    hooks = [part.register_forward_hook(partial(count, name)) for name, part in of_memory.items()]
    try:
        answer = look_word_by_word(module, first, following, memory, mask, WRITTEN)
    finally:
        for hook in hooks:
            hook.remove()
    got = require_tensor(answer, (BATCH, WRITTEN, D_MODEL), meaning="one row for each word")
    name_wrong_ways(got, module, first, memory, mask)
    require_same(
        got,
        right,
        "your outputs differ from the module's own, which takes queries from the token, keys and "
        "values from the memory",
        axes=("sentence", "word", "width"),
        given={"first": first},
    )
    for name, times in calls.items():
        if times > 1:
            raise Mistake(
                f"what you return is right, but you compute the {name} {times} times for "
                f"{WRITTEN} words; the memory does not change, so once is enough"
            )


def _looked_word_by_word(
    module: MultiHeadAttention, first: Tensor, memory: Tensor, mask: Tensor
) -> Tensor:
    """What each word finds, by the module itself."""
    token, found = first, []
    with torch.no_grad():
        for _ in range(WRITTEN):
            found.append(module(token, memory, Visibility(mask)))
            token = following(found[-1])
    return torch.cat(found, dim=1)


@exercise(
    "encoder_decoder",
    2,
    "repair `broken`: the same smoothed loss, whatever the padding and however large the logits.",
    "padding counts neither above nor below the line, and no logit is too large.",
    dict.fromkeys(
        (F.cross_entropy, F.nll_loss, F.kl_div),
        "you call a loss function of torch; form the loss yourself, from log-probabilities",
    ),
)
def check_smoothed_loss(smoothed_loss: SmoothedLoss) -> None:
    """Check the repair of a label-smoothed loss."""
    require_losses(smoothed_loss)
    logits, target, smoothing = probes()[0]
    whole = target.clamp(min=PADDING + 1)
    if not same(
        require_tensor(smoothed_loss(logits, whole, 0.0), ()), next_token_loss(logits, whole)
    ):
        raise Mistake("right with smoothing, wrong without: at 0 it is the plain cross-entropy")

    def finite(tokens: int) -> bool:
        loss = smoothed_loss(400 * logits[:1, :tokens], whole[:1, :tokens], smoothing)
        return bool(torch.as_tensor(loss).isfinite())

    if finite(1) and not finite(logits.size(1)):
        raise Mistake(
            "logits in the hundreds give a finite number for one token and none for several: is "
            "the greatest logit of all tokens subtracted? Each token has one of its own, and a "
            "token far below another's is lost"
        )
    if not bool(torch.as_tensor(smoothed_loss(400 * logits, target, smoothing)).isfinite()):
        raise Mistake(
            "logits in the hundreds give no finite number: take log_softmax, which never forms "
            "the probabilities, and not the log of a softmax"
        )
    _require_no_floor(smoothed_loss)
    require_gradient(smoothed_loss)


def _require_no_floor(smoothed_loss: SmoothedLoss) -> None:
    """A token of probability e^-2000 costs 2,000 nats, or something keeps the surprise down."""
    logits = torch.zeros(1, 1, VOCAB, dtype=torch.float64)
    logits[..., -1] = 2000.0
    cost = float(smoothed_loss(logits, torch.full((1, 1), PADDING + 1), 0.0))
    if not math.isclose(cost, 2000.0, rel_tol=1e-4):
        raise Mistake(
            f"a token whose logit lies 2,000 below the best costs 2,000 nats, and {cost:.4g} with "
            "you: a bound (a clamp, a small number added inside the log, nan_to_num) hides the "
            "overflow and makes the loss wrong; take log_softmax of the logits, which needs none"
        )


@exercise(
    "encoder_decoder",
    3,
    "return how far the right word's logit lies above the others when the smoothed loss is least.",
    "a finite gap: smoothing asks for a certainty that logits can reach, and plain labels do not.",
)
def check_logit_gap(logit_gap: Callable[[int, float], float]) -> None:
    """Check the gap between the logits of the right word and of any other."""
    cases = ((35, 0.1), (754, 0.1), (7, 0.3), (2, 0.02))
    answers = [logit_gap(*case) for case in cases]
    for got in answers:
        if isinstance(got, complex) or not isinstance(got, int | float | Tensor):
            raise Mistake(f"your function returned {type(got).__name__}; a number is expected")
    gaps = torch.tensor([float(got) for got in answers], dtype=torch.float64)
    words, share = torch.tensor(cases, dtype=torch.float64).unbind(1)
    name_logit_gaps(gaps, words, share)
    name_unused(
        logit_gap,
        lambda vocab_size, smoothing: math.log(1 + vocab_size * (1 - smoothing) / smoothing),
        {"vocab_size": 35, "smoothing": 0.1},
        {"vocab_size": 754, "smoothing": 0.3},
    )
    require_gaps(gaps, words, share)


@exercise(
    "encoder_decoder",
    4,
    "return the scores, the parents and the tokens of the best beginnings, each one longer.",
    "all beams compete for all places. A whole search also keeps finished sentences, and begins "
    "with one beam, since k equal beginnings would stay equal.",
)
def check_beam_step(
    beam_step: Callable[[Tensor, Tensor], tuple[Tensor, Tensor, Tensor]],
) -> None:
    """Check one step of beam search."""
    # The second beginning is so good that two of the three places are its children's, and every
    # other way to choose gives other scores.
    log_p = (1.5 * draw(BEAMS, VOCAB, seed=119)).log_softmax(-1)
    scores = torch.tensor([-2.9, -1.5, -2.0], dtype=torch.float64)
    total = scores[:, None] + log_p
    best, place = total.flatten().topk(BEAMS)
    parents, tokens = place // VOCAB, place % VOCAB
    answer = beam_step(scores, log_p)
    if not isinstance(answer, tuple | list) or len(answer) != 3:
        raise Mistake("return three tensors: scores, parents, tokens")
    for name, part in zip(("scores", "parents", "tokens"), answer, strict=True):
        require_tensor(part, (BEAMS,), f"your tensor of {name}", "one for each beam")
    got_scores, got_parents, got_tokens = answer
    if not got_scores.is_floating_point():
        raise Mistake(
            "your first tensor holds no scores; return scores, parents and tokens, in this order"
        )
    if got_parents.is_floating_point() or got_tokens.is_floating_point():
        raise Mistake("parents and tokens are places, whole numbers: divide with //, not with /")
    own = total.amax(-1)
    likely = log_p.flatten().topk(BEAMS)
    added_late = scores[likely.indices // VOCAB] + likely.values
    chose_late = (
        "you chose by the last token alone and added the scores afterwards; add them first, then "
        "choose"
    )
    name_first(
        got_scores,
        [
            (own, "each beginning keeps its own best child, so this is greedy search three times "
                  "over; let all children of all beginnings compete for the places"),
            (own.sort(descending=True).values,
             "each beginning keeps its own best child, so this is greedy search three times "
             "over; let all children of all beginnings compete for the places"),
            (likely.values,
             "you forgot what the beginnings have cost so far: add their scores, then compare"),
            (added_late, chose_late),
            (added_late.sort(descending=True).values, chose_late),
            (total.amax(0).topk(BEAMS).values,
             "you kept the best beginning for each token, so that no two beams end in the same "
             "token; they may"),
            ((scores[:, None] * log_p).flatten().topk(BEAMS).values,
             "you multiplied log-probabilities: probabilities multiply, so their logs add"),
            (total.flatten().topk(BEAMS, largest=False).values,
             "you kept the worst beginnings; log-probabilities are negative, and the greatest is "
             "the best"),
            (total[0].topk(BEAMS).values,
             "you extended the first beginning only; the others are alive as well"),
        ],
    )  # fmt: skip
    require_same(
        got_scores,
        best,
        f"your best scores are {[round(s, 2) for s in got_scores.tolist()]}, and they should "
        f"be {[round(s, 2) for s in best.tolist()]}, the best first",
        axes=("beam",),
    )
    if torch.equal(got_parents, tokens) and torch.equal(got_tokens, parents):
        raise Mistake("you exchanged parents and tokens: // gives the row, % gives the column")
    if torch.equal(got_tokens, place):
        raise Mistake(
            "your tokens count through all rows; take the remainder by the vocabulary's size"
        )
    if torch.equal(got_parents, place // BEAMS) or torch.equal(got_parents, place % BEAMS):
        raise Mistake(
            "you divide by the number of beams; a row is as long as the vocabulary, so divide "
            "by its size"
        )
    if not torch.equal(got_parents, parents):
        raise Mistake("your scores are right, but they are not said to come from the right beams")
    ranks = log_p.argsort(descending=True).argsort()
    if torch.equal(got_tokens, ranks[parents, tokens]):
        raise Mistake(
            "your tokens are places in a shortlist of each row's best; look up which words they are"
        )
    if not torch.equal(got_tokens, tokens):
        raise Mistake("your scores and parents are right, but the tokens are others")
    # Nothing limits how many of the best children one beginning has.
    scores = torch.tensor([-9.0, -8.5, -0.1, -9.5, -8.8], dtype=torch.float64)
    log_p = (0.3 * draw(5, VOCAB, seed=92)).log_softmax(-1)
    found = beam_step(scores, log_p)[0]
    if not same(found, (scores[:, None] + log_p).flatten().topk(5).values):
        raise Mistake(
            "right with three beams and wrong with five: one beginning was so good that all five "
            "places belong to its children; do you allow it so many?"
        )


@exercise(
    "encoder_decoder",
    5,
    "return True if the function is a decoder block, and False otherwise.",
    "it knows a decoder block by what moves what: tokens, memory, padding and neighbours.",
)
def check_is_decoder_block(is_decoder_block: Callable[[DecoderBlock], bool]) -> None:
    """Check a test for decoder blocks on right ones and on impostors."""
    judge(is_decoder_block, honest(), impostors(), why_unseen, why_wronged)
