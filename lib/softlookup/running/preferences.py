"""Preferences: of two answers the better one is told, and the model learns from the choice alone.

Direct preference optimisation needs no model of the judge. Its loss compares how far the model has
moved from a reference, the model as it was: for the chosen answer it should have moved up, against
the rejected one. The chapter on answers turns its strength, and measures how far a model goes.
"""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor


def implicit_rewards(
    log_probabilities: Float[Tensor, " batch"],
    reference: Float[Tensor, " batch"],
    strength: float,
) -> Float[Tensor, " batch"]:
    """What an answer would have to be worth, so that this model were the best: β log(π / π_ref).

    Args:
        log_probabilities: of whole answers, by the model.
        reference: of the same answers, by the reference.
        strength: the price β of moving away from the reference.

    Raises:
        ValueError: if the strength is not positive.

    Source: Rafailov et al. 2023, equation 5, without the term that all answers to a question share.
    """
    if not strength > 0:
        raise ValueError(f"strength is {strength}; expected a positive number")
    return strength * (log_probabilities - reference)


def preference_loss(
    chosen: Float[Tensor, " batch"],
    rejected: Float[Tensor, " batch"],
    reference_chosen: Float[Tensor, " batch"],
    reference_rejected: Float[Tensor, " batch"],
    strength: float,
) -> Float[Tensor, ""]:
    """The surprise at the choices, if an answer wins with probability σ(gap of the rewards).

    Args:
        chosen: the model's log-probabilities of the chosen answers.
        rejected: of the rejected ones.
        reference_chosen: the reference's log-probabilities of the chosen answers.
        reference_rejected: of the rejected ones.
        strength: the price β of moving away from the reference: the smaller, the further a model
            has to move for the same reward.

    Returns:
        The mean over pairs, in nats; log 2 where the model is the reference.

    Raises:
        ValueError: if the strength is not positive.

    Source: Rafailov et al. 2023, equation 7.
    """
    for_chosen = implicit_rewards(chosen, reference_chosen, strength)
    for_rejected = implicit_rewards(rejected, reference_rejected, strength)
    return -F.logsigmoid(for_chosen - for_rejected).mean()


def distance_from_reference(
    logits: Float[Tensor, "batch length vocab_size"],
    reference_logits: Float[Tensor, "batch length vocab_size"],
    places: Bool[Tensor, "batch length"],
) -> Float[Tensor, " batch"]:
    """The Kullback–Leibler divergence of a model from its reference, along texts.

    At each place all next tokens count, and not only the one that came. On texts that the model
    itself has drawn, the mean over the batch estimates without bias the divergence between the two
    distributions over whole texts.

    Args:
        logits: what the model says at each place about the next token.
        reference_logits: what the reference says.
        places: where the next token belongs to the answer.

    Returns:
        For each text, the sum over its places of KL(model ‖ reference), in nats.

    Raises:
        ValueError: if the two models' logits differ in shape.
    """
    if logits.shape != reference_logits.shape:
        raise ValueError(
            f"the logits have shape {tuple(logits.shape)} and the reference's "
            f"{tuple(reference_logits.shape)}; expected the same"
        )
    ours, theirs = logits.log_softmax(dim=-1), reference_logits.log_softmax(dim=-1)
    # A token that both rule out adds nothing; one that the reference alone rules out, infinitely.
    terms = torch.where(ours == -torch.inf, 0.0, ours.exp() * (ours - theirs))
    return terms.sum(dim=-1).masked_fill(~places, 0.0).sum(dim=1)
