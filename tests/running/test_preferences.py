"""Preferences: the paper's formulas, written out with plain numbers."""

import math

import pytest
import torch
from softlookup.running.preferences import (
    distance_from_reference,
    implicit_rewards,
    preference_loss,
)

CHOSEN, REJECTED = [-3.0, -7.5, -1.25], [-2.0, -9.0, -1.0]
REFERENCE_CHOSEN, REFERENCE_REJECTED = [-4.0, -7.0, -1.25], [-2.5, -6.0, -3.0]


def given(requires_grad=False):
    numbers = [CHOSEN, REJECTED, REFERENCE_CHOSEN, REFERENCE_REJECTED]
    made = [torch.tensor(each, dtype=torch.float64) for each in numbers]
    return [each.requires_grad_(requires_grad) for each in made]


def sigmoid(number):
    return 1 / (1 + math.exp(-number))


def gaps(strength):
    """Pair by pair: how much more the chosen answer has gained than the rejected one."""
    return [
        strength * ((ours - before) - (theirs - before_theirs))
        for ours, theirs, before, before_theirs in zip(
            CHOSEN, REJECTED, REFERENCE_CHOSEN, REFERENCE_REJECTED, strict=True
        )
    ]


@pytest.mark.parametrize("strength", [0.1, 0.7, 3.0])
def test_the_loss_is_the_surprise_at_the_choices(strength):
    expected = -sum(math.log(sigmoid(gap)) for gap in gaps(strength)) / 3
    assert preference_loss(*given(), strength).item() == pytest.approx(expected)


def test_a_model_that_has_not_moved_is_as_surprised_as_by_a_coin():
    chosen, rejected, *_ = given()
    loss = preference_loss(chosen, rejected, chosen, rejected, 0.5)
    assert loss.item() == pytest.approx(math.log(2))


@pytest.mark.parametrize("strength", [0.1, 0.7, 3.0])
def test_the_gradient_is_that_of_the_paper(strength):
    """Rafailov et al. 2023, section 4: a pair counts as much as the model misjudges it."""
    chosen, rejected, reference_chosen, reference_rejected = given(requires_grad=True)
    preference_loss(chosen, rejected, reference_chosen, reference_rejected, strength).backward()
    wrong = [strength * sigmoid(-gap) / 3 for gap in gaps(strength)]
    assert chosen.grad.tolist() == pytest.approx([-each for each in wrong])
    assert rejected.grad.tolist() == pytest.approx(wrong)


def test_a_certain_choice_overflows_nowhere():
    far = torch.tensor([-1000.0]), torch.tensor([0.0])
    loss = preference_loss(*far, torch.zeros(1), torch.zeros(1), 1.0)
    assert loss.item() == pytest.approx(1000.0)


def test_rewards_are_what_was_gained_times_the_strength():
    chosen, _, reference, _ = given()
    assert implicit_rewards(chosen, reference, 0.5).tolist() == [0.5, -0.25, 0.0]


def test_the_best_model_of_its_rewards_is_the_model_itself():
    """Of all distributions over five answers, none has more reward less β KL than this one."""
    draw = torch.Generator().manual_seed(0)
    strength = 0.3
    model, reference = (
        torch.randn(5, dtype=torch.float64, generator=draw).log_softmax(0) for _ in range(2)
    )
    rewards = implicit_rewards(model, reference, strength)

    def worth(log_probabilities):
        chances = log_probabilities.exp()
        distance = (chances * (log_probabilities - reference)).sum()
        return ((chances * rewards).sum() - strength * distance).item()

    for _ in range(50):
        step = 0.1 * torch.randn(5, dtype=torch.float64, generator=draw)
        assert worth((model + step).log_softmax(0)) < worth(model)


def test_the_distance_is_the_divergence_summed_over_the_answers_places():
    draw = torch.Generator().manual_seed(0)
    ours, theirs = (torch.randn(2, 3, 5, dtype=torch.float64, generator=draw) for _ in range(2))
    places = torch.tensor([[False, True, True], [True, False, False]])
    expected = [0.0, 0.0]
    for text in range(2):
        for place in range(3):
            if places[text, place]:
                p, q = (
                    ours[text, place].softmax(0).tolist(),
                    theirs[text, place].softmax(0).tolist(),
                )
                expected[text] += sum(a * math.log(a / b) for a, b in zip(p, q, strict=True))
    found = distance_from_reference(ours, theirs, places)
    assert found.tolist() == pytest.approx(expected)
    assert distance_from_reference(ours, ours, places).tolist() == [0.0, 0.0]


def test_over_texts_it_is_the_divergence_of_whole_texts():
    """Two tokens over three letters: the mean over all texts against the sum over whole texts."""
    draw = torch.Generator().manual_seed(1)
    ours, theirs = (torch.randn(4, 3, dtype=torch.float64, generator=draw) for _ in range(2))

    def chances(table, first, second):
        return table[0].softmax(0)[first] * table[1 + first].softmax(0)[second]

    texts = [(first, second) for first in range(3) for second in range(3)]
    of_texts = torch.tensor([chances(ours, *text) for text in texts])
    of_reference = torch.tensor([chances(theirs, *text) for text in texts])
    whole = (of_texts * (of_texts / of_reference).log()).sum()
    scores, reference = (
        torch.stack([torch.stack([table[0], table[1 + first]]) for first, _ in texts])
        for table in (ours, theirs)
    )
    along = distance_from_reference(scores, reference, torch.ones(9, 2, dtype=torch.bool))
    assert (of_texts * along).sum().item() == pytest.approx(whole.item())


def test_what_both_rule_out_adds_nothing_and_what_only_the_reference_does_is_infinite():
    ours = torch.tensor([[[0.0, 0.0, -torch.inf]]])
    everywhere = torch.ones(1, 1, dtype=torch.bool)
    assert distance_from_reference(ours, ours, everywhere).item() == 0.0
    other = torch.tensor([[[0.0, -torch.inf, 0.0]]])
    assert distance_from_reference(ours, other, everywhere).item() == math.inf


def test_refuses_what_does_not_fit():
    for strength in (0.0, -1.0, math.nan):
        with pytest.raises(ValueError, match="strength is"):
            preference_loss(*given(), strength)
    with pytest.raises(ValueError, match=r"\(1, 2, 5\) and the reference's \(1, 2, 3\)"):
        distance_from_reference(
            torch.zeros(1, 2, 5), torch.zeros(1, 2, 3), torch.ones(1, 2, dtype=torch.bool)
        )
