"""The seven forms of self-attention: what each promises, with and without a mask."""

import math

import pytest
import torch
import torch.nn.functional as F
from softlookup.alternatives import weightings
from softlookup.layers.attention import attention
from torch.nn.functional import scaled_dot_product_attention

FORMS = [
    weightings.softmax_weights,
    weightings.sigmoid_weights,
    weightings.relu_weights,
    weightings.normalized_relu_weights,
    weightings.positive_linear_weights,
    weightings.linear_weights,
    weightings.mean_weights,
]
SHARES = [
    weightings.softmax_weights,
    weightings.normalized_relu_weights,
    weightings.positive_linear_weights,
    weightings.mean_weights,
]
every_form = pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)


def drawn(*shape, seed=15):
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


@pytest.fixture
def query():
    return drawn(3, 5, 7, 13)


@pytest.fixture
def key():
    return drawn(3, 5, 11, 13, seed=16)


@pytest.fixture
def mask():
    """Every query may look at one key at least, and no two rows are alike in number."""
    allowed = torch.rand(7, 11, generator=torch.Generator().manual_seed(17)) < 0.5
    allowed[:, 4] = True
    return allowed


def test_softmax_is_that_of_attention(query, key, mask):
    for each in (None, mask):
        _, expected = attention(query, key, drawn(3, 5, 11, 2), each)
        assert torch.allclose(weightings.softmax_weights(query, key, each), expected)


def test_softmax_is_that_of_torch(query, key, mask):
    value = drawn(3, 5, 11, 17, seed=18)
    expected = scaled_dot_product_attention(query, key, value, attn_mask=mask)
    assert torch.allclose(weightings.softmax_weights(query, key, mask) @ value, expected)


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (weightings.sigmoid_weights, lambda s, n: 1 / (1 + n * math.exp(-s))),
        (weightings.relu_weights, lambda s, n: max(s, 0.0) / n),
        (weightings.linear_weights, lambda s, n: s / math.sqrt(n)),
        (weightings.mean_weights, lambda s, n: 1 / n),
    ],
    ids=["sigmoid", "relu", "linear", "mean"],
)
def test_a_weight_without_competition_by_hand(form, expected, query, key, mask):
    weights = form(query, key, mask)
    for i in range(7):
        n = int(mask[i].sum())
        for j in range(11):
            score = float(query[2, 3, i] @ key[2, 3, j]) / math.sqrt(13)
            right = expected(score, n) if mask[i, j] else 0.0
            assert weights[2, 3, i, j].item() == pytest.approx(right, rel=1e-12, abs=1e-15)


def test_normalized_relu_by_hand():
    query = torch.tensor([[1.0]])
    key = torch.tensor([[3.0], [-2.0], [1.0]])
    expected = torch.tensor([[0.75, 0.0, 0.25]])
    assert torch.allclose(weightings.normalized_relu_weights(query, key, None), expected)


def test_positive_linear_is_linear_attention_bracketed_the_other_way(query, key):
    value = drawn(3, 5, 11, 17, seed=18)
    features_q, features_k = F.elu(query) + 1, F.elu(key) + 1
    memory = features_k.transpose(-2, -1) @ value
    total = features_q @ features_k.sum(dim=-2, keepdim=True).transpose(-2, -1)
    got = weightings.positive_linear_weights(query, key, None) @ value
    assert torch.allclose(got, features_q @ memory / total)


@pytest.mark.parametrize("form", SHARES, ids=lambda form: form.__name__)
def test_shares_sum_to_one(form, query, key, mask):
    for each in (None, mask):
        weights = form(query, key, each)
        sums = weights.sum(dim=-1)
        assert (weights >= 0).all()
        # A row of normalised ReLU may have no score above zero: then it is empty.
        assert torch.allclose(sums[sums > 0], torch.ones_like(sums[sums > 0]))


@every_form
def test_a_masked_key_is_as_if_it_were_not_there(form, query, key, mask):
    weights = form(query, key, mask)
    for i in range(7):
        alone = form(query[..., i : i + 1, :], key[..., mask[i], :], None)
        assert torch.allclose(weights[..., i : i + 1, :][..., mask[i]], alone)
        assert (weights[..., i, :][..., ~mask[i]] == 0).all()


@every_form
def test_a_query_that_may_look_nowhere_gets_zeros_and_clean_gradients(form, query, key, mask):
    mask[2] = False
    query.requires_grad_()
    key.requires_grad_()
    weights = form(query, key, mask)
    assert (weights[..., 2, :] == 0).all()
    # The mean depends on neither; then there is no gradient to be looked at.
    if weights.requires_grad:
        (weights**2).sum().backward()
        for leaf in (query, key):
            assert leaf.grad is None or leaf.grad.isfinite().all()


def test_a_row_of_normalized_relu_without_a_positive_score_is_empty_and_has_no_gradient():
    query = torch.ones(1, 1, requires_grad=True)
    key = torch.tensor([[-1.0], [-3.0]])
    weights = weightings.normalized_relu_weights(query, key, None)
    weights.sum().backward()
    assert (weights == 0).all()
    assert (query.grad == 0).all()


@every_form
def test_precision_is_kept(form, query, key):
    single = form(query.float(), key.float(), None)
    double = form(query, key, None)
    assert single.dtype == torch.float32
    assert double.dtype == torch.float64
    assert torch.allclose(single.double(), double, atol=1e-5)


@every_form
def test_keys_in_another_order_are_weights_in_another_order(form, query, key):
    order = torch.randperm(11, generator=torch.Generator().manual_seed(19))
    assert torch.allclose(form(query, key[..., order, :], None), form(query, key, None)[..., order])


def test_linear_forms_have_the_rank_of_the_width_and_softmax_has_not():
    query, key = drawn(31, 5), drawn(31, 5, seed=20)
    for form in (weightings.linear_weights, weightings.positive_linear_weights):
        assert torch.linalg.matrix_rank(form(query, key, None)) == 5
    assert torch.linalg.matrix_rank(weightings.softmax_weights(query, key, None)) > 20


@every_form
def test_widths_that_differ_are_refused(form, query):
    with pytest.raises(ValueError, match="query has width 13 and key has width 12"):
        form(query, drawn(3, 5, 11, 12), None)


@every_form
def test_a_mask_of_numbers_is_refused(form, query, key, mask):
    with pytest.raises(ValueError, match=r"expected torch\.bool, True where a query may look"):
        form(query, key, mask.double())
