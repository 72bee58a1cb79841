import pytest
import torch
import torch.nn.functional as F
from softlookup.course.exercises.probes import draw
from softlookup.course.exercises.relu_share_slips import name_shares, shares
from softlookup.course.exercises.verdict import Mistake

SCORES, MASK = draw(3, 7, 11, seed=15), draw(3, 7, 11, seed=16) > -0.5
SCORES[..., 3], MASK[..., 3] = SCORES[..., 3].abs() + 0.1, True
SCORES[..., 4, :] /= 20
KEPT = F.relu(SCORES) * MASK


def test_what_is_right_is_not_named():
    name_shares(shares(KEPT), SCORES, MASK)
    name_shares(shares(KEPT).float().double(), SCORES, MASK)


@pytest.mark.parametrize(
    ("got", "words"),
    [
        (shares(F.leaky_relu(SCORES) * MASK), "below zero"),
        (shares(F.softplus(SCORES) * MASK), "a ReLU leaves zero there"),
        (shares(KEPT.sqrt()), "not in proportion"),
        (shares(KEPT) * 0.7, "sum to 0.7 up to 0.7"),
        (KEPT / (KEPT.sum(-1, keepdim=True) + 0.25), "you add 0.25 to the sum"),
        (shares(KEPT) + 1e-3 * ~MASK, "forbidden keys have weight"),
        (KEPT / F.relu(SCORES).norm(dim=-1, keepdim=True), "and not to one"),
        (F.normalize(KEPT.square(), dim=-1), "there are two mistakes"),
    ],
)
def test_weights_are_told_in_what_they_differ(got, words):
    with pytest.raises(Mistake, match=words):
        name_shares(torch.as_tensor(got), SCORES, MASK)
