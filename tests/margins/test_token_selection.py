"""One layer of attention that selects: its gradient, its descent, and where it is drawn."""

import pytest
import torch
from softlookup.layers.attention import attention
from softlookup.margins.selection_programmes import (
    frobenius_max_margin,
    nuclear_max_margin,
    separations,
)
from softlookup.margins.token_selection import (
    TokenSelection,
    cosine,
    descend,
    descend_factored,
    optimal_tokens,
    random_problems,
    selection_gradient,
    selection_loss,
    selection_weights,
    token_worths,
)

RUNS, INPUTS, TOKENS, WIDTH = 2, 3, 5, 7


@pytest.fixture
def generator():
    return torch.Generator().manual_seed(12)


@pytest.fixture
def problem(generator):
    return random_problems(RUNS, INPUTS, TOKENS, WIDTH, generator)


def draw(generator, *shape):
    return torch.randn(shape, generator=generator, dtype=torch.float64)


def test_the_random_problems_are_those_of_the_paper(problem):
    for vectors in (problem.tokens, problem.queries, problem.head):
        assert torch.allclose(vectors.norm(dim=-1), torch.ones(()).double())
    assert set(problem.labels.unique().tolist()) == {-1.0, 1.0}


def test_a_worth_is_the_signed_reading_of_one_token(problem):
    worths = token_worths(problem)
    for run in range(RUNS):
        for i in range(INPUTS):
            readings = [token @ problem.head[run] for token in problem.tokens[run, i]]
            expected = problem.labels[run, i] * torch.stack(readings)
            assert torch.allclose(worths[run, i], expected)
            assert optimal_tokens(problem)[run, i] == expected.argmax()


def test_the_layer_is_attention_with_factors_for_projections(problem, generator):
    K, Q = draw(generator, RUNS, WIDTH, 11), draw(generator, RUNS, WIDTH, 11)
    weights = selection_weights(problem, K @ Q.mT)
    for run in range(RUNS):
        query = 11**0.5 * problem.queries[run, :, None] @ Q[run]  # undoes the division
        tokens = problem.tokens[run]
        output, expected = attention(query, tokens @ K[run], tokens)
        assert torch.allclose(weights[run], expected[:, 0])
        signed = problem.labels[run] * (output[:, 0] @ problem.head[run])
        loss = torch.log1p(torch.exp(-signed)).mean()
        assert torch.allclose(selection_loss(problem, K @ Q.mT)[run], loss)


def test_the_gradient_is_that_of_autograd(problem, generator):
    W = draw(generator, RUNS, WIDTH, WIDTH).requires_grad_()
    (expected,) = torch.autograd.grad(selection_loss(problem, W).sum(), W)
    assert torch.allclose(selection_gradient(problem, W), expected, atol=1e-14)


def test_the_gradient_survives_a_saturated_softmax():
    """Weights of 1e-174: the difference that autograd takes is lost in rounding, ours is not."""
    tokens = torch.tensor([[[1.0, 0.0], [-1.0, 0.0]]], dtype=torch.float64)
    one = torch.ones(1, dtype=torch.float64)
    problem = TokenSelection(tokens, torch.eye(2).double()[:1], one, torch.eye(2).double()[0])
    W = torch.diag(torch.tensor([200.0, 0.0], dtype=torch.float64))
    small = torch.exp(torch.tensor(-400.0, dtype=torch.float64))
    expected = -torch.sigmoid(torch.tensor(-1.0).double()) * small * 2 * 2
    assert selection_gradient(problem, W)[0, 0] == pytest.approx(
        expected.item(), rel=1e-12, abs=0.0
    )
    further = descend(problem, W, [1])[0]
    assert torch.allclose(further, W + torch.diag(torch.tensor([0.1, 0.0]).double()))


def test_plain_descent_takes_the_gradient_and_normalised_its_direction(problem, generator):
    start = draw(generator, RUNS, WIDTH, WIDTH)
    gradient = selection_gradient(problem, start)
    kept = descend(problem, start, [0, 1], step_size=0.3, normalised=False)
    assert torch.equal(kept[0], start)
    assert torch.allclose(kept[1], start - 0.3 * gradient)
    (normalised,) = descend(problem, start, [1], step_size=0.3)
    assert torch.allclose(
        (normalised - start).flatten(1).norm(dim=1), torch.full((2,), 0.3).double()
    )
    assert torch.allclose(cosine(start - normalised, gradient), torch.ones(2).double())


def test_what_is_recorded_on_the_way_is_what_shorter_runs_end_with(problem, generator):
    start = draw(generator, RUNS, WIDTH, WIDTH)
    kept = descend(problem, start, [3, 7, 11])
    assert torch.equal(kept[1], descend(problem, start, [7])[0])
    factored = descend_factored(problem, start, start.mT, [3, 7, 11])
    assert torch.equal(factored[1], descend_factored(problem, start, start.mT, [7])[0])


@pytest.mark.parametrize("penalty", [0.0, 0.03])
def test_a_step_of_the_factors_is_that_of_autograd(problem, generator, penalty):
    K = draw(generator, RUNS, WIDTH, 11).requires_grad_()
    Q = draw(generator, RUNS, WIDTH, 11).requires_grad_()
    loss = selection_loss(problem, K @ Q.mT).sum() + penalty * (K.square().sum() + Q.square().sum())
    steps = [0.2 * g / g.norm(dim=(1, 2), keepdim=True) for g in torch.autograd.grad(loss, (K, Q))]
    expected = (K - steps[0]) @ (Q - steps[1]).mT
    (got,) = descend_factored(problem, K.detach(), Q.detach(), [1], 0.2, penalty)
    assert torch.allclose(got, expected)


@pytest.mark.parametrize("record", [[], [3, 1], [2, 2], [-1, 4]])
def test_a_record_out_of_order_is_refused(problem, record):
    start = torch.zeros(RUNS, WIDTH, WIDTH, dtype=torch.float64)
    with pytest.raises(ValueError, match="expected ascending numbers of steps"):
        descend(problem, start, record)
    with pytest.raises(ValueError, match="expected ascending numbers of steps"):
        descend_factored(problem, start, start, record)


def test_the_cosine_ignores_size_and_knows_direction(generator):
    matrix = draw(generator, 5, 7)
    assert cosine(matrix, 3 * matrix) == pytest.approx(1.0)
    assert cosine(matrix, -matrix) == pytest.approx(-1.0)
    assert cosine(1e-200 * matrix, matrix) == pytest.approx(1.0)


@pytest.mark.parametrize("size", [1e-300, 1e-310, 1e-320])
def test_a_normalised_step_has_its_length_for_as_long_as_a_gradient_can_be_held(problem, size):
    start = torch.zeros(RUNS, WIDTH, WIDTH, dtype=torch.float64)
    (W,) = descend(problem, start, [1], 0.3, gradient_of=lambda problem, W: size * (1.0 + 0.0 * W))
    assert torch.allclose(torch.linalg.matrix_norm(W), torch.tensor(0.3).double())
    (W,) = descend(problem, start, [1], 0.3, gradient_of=lambda problem, W: 0.0 * W)
    assert torch.equal(W, start)


def constraints_of(problem, run, selected):
    return separations(problem.tokens[run], problem.queries[run], selected[run])


def test_trained_weights_point_to_the_widest_margin_each_in_its_norm(generator):
    problem = random_problems(3, 5, 5, 11, generator)
    start, other = (0.1 * draw(generator, 3, 11, 11) for _ in "WK")
    steps = [1500]
    (W,), (KQ,) = (
        descend(problem, start, steps),
        descend_factored(problem, start, other, steps, penalty=2.2e-16),
    )
    for trained, programme, least in (
        (W, frobenius_max_margin, 0.99),
        (KQ, nuclear_max_margin, 0.98),
    ):
        selected = selection_weights(problem, trained).argmax(-1)
        for run in range(3):
            solution = programme(constraints_of(problem, run, selected))
            assert cosine(trained[run], solution) > least


def test_shapes_labels_and_dtypes_that_do_not_fit_are_refused(problem):
    tokens, queries, labels, head = problem.tokens, problem.queries, problem.labels, problem.head
    with pytest.raises(ValueError, match="neither 1 nor -1"):
        TokenSelection(tokens, queries, labels * 0.5, head)
    with pytest.raises(ValueError, match="1 tokens; expected at least 2"):
        TokenSelection(tokens[:, :, :1], queries, labels, head)
    with pytest.raises(ValueError, match="queries has dtype"):
        TokenSelection(tokens, queries.float(), labels, head)
