"""Speculative decoding: what is written has the target's distribution, by enumeration and by draw.

The enumeration follows every random choice of the algorithm with its probability, without the
module's own code. The draws are compared with the target's exact probabilities of all texts by a
chi-square test, and rules that are nearly right must fail it.
"""

import itertools

import pytest
import torch
from scipy import stats
from softlookup.running import speculative
from softlookup.running.speculative import acceptance, residual, speculative_sample

VOCAB, LENGTH, PROMPT = 3, 3, torch.tensor([[1, 2]])
DRAWS = 700


def table(seed, sharpness=1.0):
    """A tiny language: the next token depends on the last and on how many there are."""
    drawn = torch.Generator().manual_seed(seed)
    return sharpness * torch.randn(11, VOCAB, VOCAB, generator=drawn, dtype=torch.float64)


def at_the_end(numbers):
    return lambda tokens: numbers[tokens.size(1), tokens[:, -1]]


def everywhere(numbers):
    return lambda tokens: numbers[torch.arange(1, tokens.size(1) + 1), tokens[0]][None]


def chances(numbers):
    """The exact probability of every text of a length, token by token."""
    found = {}
    for text in itertools.product(range(VOCAB), repeat=LENGTH):
        tokens, chance = PROMPT[0].tolist(), 1.0
        for token in text:
            chance *= numbers[len(tokens), tokens[-1]].softmax(0)[token].item()
            tokens.append(token)
        found[text] = chance
    return found


def drawn_texts(target, draft, n_drafted, number, seed=0):
    drawing = torch.Generator().manual_seed(seed)
    return [
        speculative_sample(
            everywhere(target), at_the_end(draft), PROMPT, LENGTH, n_drafted, drawing
        )
        for _ in range(number)
    ]


def p_value(target, texts):
    """How likely counts at least as uneven are, if the texts are the target's."""
    expected = chances(target)
    counts = dict.fromkeys(expected, 0)
    for each in texts:
        counts[tuple(each.tokens[0].tolist())] += 1
    return stats.chisquare(
        list(counts.values()), [len(texts) * chance for chance in expected.values()]
    ).pvalue


def one_token(p, q):
    """What one proposed token becomes, over all random choices."""
    left = [max(a - b, 0.0) for a, b in zip(p, q, strict=True)]
    rejected = sum(b * (1 - min(1.0, a / b)) for a, b in zip(p, q, strict=True))
    return [
        b * min(1.0, a / b) + rejected * gained / sum(left)
        for a, b, gained in zip(p, q, left, strict=True)
    ]


def test_the_rule_gives_back_the_target_whatever_is_proposed():
    for seed in range(7):
        p, q = torch.randn(
            2, 11, dtype=torch.float64, generator=torch.Generator().manual_seed(seed)
        )
        p, q = p.softmax(0), q.softmax(0)
        assert one_token(p.tolist(), q.tolist()) == pytest.approx(p.tolist())
        left = residual(p, q)
        rejected = 1 - acceptance(p, q)
        torch.testing.assert_close(torch.minimum(p, q) + rejected * left, p, rtol=0, atol=1e-12)


def test_the_residual_by_hand():
    p, q = torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.2, 0.6, 0.2])
    torch.testing.assert_close(residual(p, q), torch.tensor([1.0, 0.0, 0.0]))
    torch.testing.assert_close(
        residual(torch.tensor([0.7, 0.2, 0.1]), torch.tensor([0.1, 0.1, 0.8])),
        torch.tensor([6 / 7, 1 / 7, 0.0]),
    )
    torch.testing.assert_close(residual(p, p), p)


def test_acceptance_is_what_two_distributions_share():
    p, q = torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.2, 0.6, 0.2])
    assert acceptance(p, q).item() == pytest.approx(0.7)
    assert acceptance(p, q).item() == pytest.approx(1 - (p - q).abs().sum().item() / 2)
    assert acceptance(p, p).item() == pytest.approx(1.0)
    assert acceptance(torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 1.0]])).tolist() == [0.0]


@pytest.mark.parametrize("n_drafted", [1, 2, 5])
def test_texts_have_the_targets_distribution(n_drafted):
    target, draft = table(0), table(1, 2.0)
    texts = drawn_texts(target, draft, n_drafted, DRAWS)
    assert p_value(target, texts) > 0.01
    # The draft's own texts would be noticed.
    assert p_value(draft, texts) < 1e-9


def keep_always(monkeypatch):
    monkeypatch.setattr(speculative.torch, "rand", lambda *_, **__: torch.tensor(-1.0))


def replace_from_the_target(monkeypatch):
    monkeypatch.setattr(speculative, "residual", lambda target, draft: target)


def keep_a_little_more(monkeypatch):
    honest = torch.rand
    monkeypatch.setattr(speculative.torch, "rand", lambda *a, **b: 0.7 * honest(*a, **b))


@pytest.mark.parametrize("mistake", [keep_always, replace_from_the_target, keep_a_little_more])
def test_the_test_notices_rules_that_are_nearly_right(mistake, monkeypatch):
    mistake(monkeypatch)
    assert p_value(table(0), drawn_texts(table(0), table(1, 2.0), 2, DRAWS)) < 1e-4


def test_the_share_accepted_is_the_share_in_common():
    target, draft = table(0), table(1, 2.0)
    drawing = torch.Generator().manual_seed(0)
    runs = [
        speculative_sample(everywhere(target), at_the_end(draft), PROMPT, 2, 1, drawing)
        for _ in range(700)
    ]
    judged, accepted = sum(run.judged for run in runs), sum(run.accepted for run in runs)
    # Two tokens with one draft: the target judges one proposal, at the first place.
    shared = acceptance(target[2, 2].softmax(0), draft[2, 2].softmax(0)).item()
    assert accepted / judged == pytest.approx(
        shared, abs=4 * (shared * (1 - shared) / judged) ** 0.5
    )


def test_a_perfect_draft_is_kept_whole():
    numbers = table(0)
    run = speculative_sample(
        everywhere(numbers), at_the_end(numbers), PROMPT, 8, 3, torch.Generator().manual_seed(0)
    )
    # Three drafted tokens and one of the target's own, twice.
    assert (run.judged, run.accepted, run.calls) == (6, 6, 2)
    assert run.tokens.shape == (1, 8)


def test_a_hopeless_draft_costs_a_call_a_token_and_changes_nothing():
    sure = torch.full((11, VOCAB, VOCAB), -torch.inf, dtype=torch.float64)
    sure[..., 0] = 0.0
    wrong = sure.roll(1, dims=-1)
    run = speculative_sample(
        everywhere(sure), at_the_end(wrong), PROMPT, 5, 3, torch.Generator().manual_seed(0)
    )
    assert run.tokens.tolist() == [[0, 0, 0, 0, 0]]
    # The last token is left to the target alone.
    assert (run.judged, run.accepted, run.calls) == (4, 0, 5)


@pytest.mark.parametrize("n_drafted", [1, 2, 4])
def test_a_text_ends_with_the_token_that_ends_it(n_drafted):
    sure = torch.full((11, VOCAB, VOCAB), -torch.inf, dtype=torch.float64)
    sure[:4, :, 0] = 0.0
    sure[4, :, 2] = 0.0
    sure[5:, :, 1] = 0.0
    run = speculative_sample(
        everywhere(sure),
        at_the_end(sure),
        PROMPT,
        7,
        n_drafted,
        torch.Generator().manual_seed(0),
        end=2,
    )
    assert run.tokens.tolist() == [[0, 0, 2]]


def test_the_same_seed_writes_the_same():
    one, same, other = (drawn_texts(table(0), table(1), 2, 19, seed) for seed in (3, 3, 4))
    written = [[each.tokens[0].tolist() for each in runs] for runs in (one, same, other)]
    assert written[0] == written[1]
    assert written[0] != written[2]


def test_refuses_what_does_not_fit():
    target, draft = everywhere(table(0)), at_the_end(table(1))
    drawing = torch.Generator().manual_seed(0)
    for prompt in (torch.zeros(2, 3).long(), torch.zeros(1, 0).long()):
        with pytest.raises(ValueError, match="the prompt has shape"):
            speculative_sample(target, draft, prompt, 3, 2, drawing)
    for new, drafted in ((0, 2), (3, 0)):
        with pytest.raises(ValueError, match=f"max_new_tokens is {new} and n_drafted is {drafted}"):
            speculative_sample(target, draft, PROMPT, new, drafted, drawing)
    with pytest.raises(ValueError, match="the draft returned shape"):
        speculative_sample(target, target, PROMPT, 3, 2, drawing)
    with pytest.raises(ValueError, match="the target returned shape"):
        speculative_sample(draft, draft, PROMPT, 3, 2, drawing)
