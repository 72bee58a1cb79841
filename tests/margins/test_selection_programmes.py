"""The convex programmes: by hand, by the conditions of optimality, and by another solver."""

import pytest
import torch
from scipy.optimize import linprog
from sklearn.svm import SVC
from softlookup.margins.selection_programmes import (
    comparisons,
    entrywise_max_margin,
    frobenius_max_margin,
    generalised_max_margin,
    is_separable,
    margins,
    nuclear_max_margin,
    numerical_rank,
    part_within,
    separations,
)
from softlookup.margins.token_selection import optimal_tokens, random_problems

INPUTS, TOKENS, WIDTH = 3, 5, 7


def random_constraints(seed, inputs=INPUTS, tokens=TOKENS, width=WIDTH):
    problem = random_problems(1, inputs, tokens, width, torch.Generator().manual_seed(seed))
    return separations(problem.tokens[0], problem.queries[0], optimal_tokens(problem)[0])


def nuclear(matrix):
    return torch.linalg.matrix_norm(matrix, ord="nuc")


def test_a_constraint_is_the_key_difference_times_the_query():
    tokens = torch.arange(2 * 3 * 5).reshape(2, 3, 5).double() ** 2
    queries = torch.arange(2 * 5).reshape(2, 5).double() + 1
    built = separations(tokens, queries, torch.tensor([2, 0]))
    assert built.shape == (4, 5, 5)
    W = torch.randn(5, 5, generator=torch.Generator().manual_seed(1)).double()
    by_hand = [
        (tokens[i, selected] - tokens[i, rival]) @ W @ queries[i]
        for i, selected, rival in ((0, 2, 0), (0, 2, 1), (1, 0, 1), (1, 0, 2))
    ]
    assert torch.allclose(margins(W, built), torch.stack(by_hand))


@pytest.mark.parametrize("programme", [frobenius_max_margin, nuclear_max_margin])
def test_one_rival_is_solved_by_hand(programme):
    """One constraint <A, W> >= 1 of rank one: both norms are least at A / |A|²."""
    difference, query = torch.tensor([3.0, 4.0]).double(), torch.tensor([0.0, 2.0]).double()
    only = torch.outer(difference, query)[None]
    assert torch.allclose(programme(only), only[0] / 100, atol=1e-6)


def test_two_queries_at_right_angles_are_two_machines():
    """Frobenius: the columns of W are two plain machines, here for one rival each."""
    one, two = torch.tensor([2.0, 0.0]).double(), torch.tensor([3.0, 4.0]).double()
    axes = torch.eye(2).double()
    both = torch.stack([torch.outer(one, axes[0]), torch.outer(two, axes[1])])
    expected = torch.stack([one / 4, two / 25], dim=1)
    assert torch.allclose(frobenius_max_margin(both), expected, atol=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_the_frobenius_solution_is_held_up_by_its_support(seed):
    """KKT: margins at least 1, and W a non-negative sum of the constraints whose margin is 1."""
    built = random_constraints(seed)
    W = frobenius_max_margin(built)
    found = margins(W, built)
    assert found.min() >= 1 - 1e-6
    support = built[found < 1 + 1e-5].flatten(1)
    assert 0 < len(support) < len(built)
    multipliers = torch.linalg.lstsq(support.T, W.flatten()[:, None], driver="gelsd").solution[:, 0]
    assert torch.allclose(support.T @ multipliers, W.flatten(), atol=1e-5)
    assert multipliers.min() >= -1e-5


@pytest.mark.parametrize("seed", range(3))
def test_the_nuclear_solution_meets_its_bound_from_below(seed):
    """No W with margins of 1 is shorter: a non-negative sum of constraints shows it.

    For any a >= 0 whose sum of constraints has spectral norm 1, the nuclear norm of a feasible
    W is at least sum(a). At the solution the bound is met by sub-gradients; the Frobenius
    solution keeps the same constraints, so it cannot be below it either.
    """
    built = random_constraints(seed)
    W, frobenius = nuclear_max_margin(built), frobenius_max_margin(built)
    assert margins(W, built).min() >= 1 - 1e-6
    assert nuclear(W) <= nuclear(frobenius) - 1e-3
    assert frobenius.norm() <= W.norm() - 1e-3
    found = margins(W, built)
    support = built[found < 1 + 1e-4].flatten(1)
    left, singular, right = torch.linalg.svd(W)
    rank = int((singular > 1e-4 * singular[0]).sum())
    # On the spaces that W uses, the sum of constraints must be U Vᵀ.
    rows = torch.stack(
        [
            torch.cat(
                [
                    (left[:, :rank].T @ one.reshape(WIDTH, WIDTH)).flatten(),
                    (one.reshape(WIDTH, WIDTH) @ right[:rank].T).flatten(),
                ]
            )
            for one in support
        ]
    )
    wanted = torch.cat([right[:rank].flatten(), left[:, :rank].flatten()])
    multipliers = torch.linalg.lstsq(rows.T, wanted[:, None], driver="gelsd").solution[:, 0]
    assert torch.allclose(rows.T @ multipliers, wanted, atol=1e-3)
    assert multipliers.min() >= -1e-3
    assert multipliers.sum() == pytest.approx(nuclear(W).item(), rel=1e-3)


def test_the_nuclear_norm_is_half_the_squares_of_balanced_factors():
    W = nuclear_max_margin(random_constraints(5))
    left, singular, right = torch.linalg.svd(W)
    K, Q = left * singular.sqrt(), right.T * singular.sqrt()
    assert torch.allclose(K @ Q.T, W)
    assert (K.square().sum() + Q.square().sum()) / 2 == pytest.approx(nuclear(W).item())


def test_scikit_learn_finds_the_same_machine():
    """Mirrored points with mirrored labels leave the machine without an offset, as ours is."""
    built = random_constraints(7)
    points = torch.cat([built, -built]).flatten(1).numpy()
    machine = SVC(kernel="linear", C=1e6, tol=1e-8)
    machine.fit(points, [1] * len(built) + [-1] * len(built))
    expected = torch.tensor(machine.coef_).reshape(WIDTH, WIDTH)
    assert torch.allclose(frobenius_max_margin(built), expected, atol=1e-4)
    assert abs(machine.intercept_[0]) < 1e-6


@pytest.mark.parametrize("seed", range(3))
def test_another_solver_finds_the_least_largest_entry(seed):
    """The linear programme in 1 + width² unknowns: the bound t, and W between -t and t."""
    constraints = random_constraints(seed)
    rows, unit = constraints.flatten(1), torch.eye(WIDTH**2).double()
    bound = torch.ones(WIDTH**2, 1).double()
    held = torch.cat(
        [
            torch.cat([torch.zeros(len(rows), 1).double(), -rows], dim=1),
            torch.cat([-bound, unit], dim=1),
            torch.cat([-bound, -unit], dim=1),
        ]
    )
    limits = [-1.0] * len(rows) + [0.0] * (2 * WIDTH**2)
    least = [1.0] + [0.0] * WIDTH**2
    solved = linprog(least, A_ub=held.numpy(), b_ub=limits, bounds=[(None, None)] * len(least))
    found = entrywise_max_margin(constraints)
    assert margins(found, constraints).min() >= 1 - 1e-6
    assert found.abs().max().item() == pytest.approx(solved.fun, rel=1e-5)


def test_what_cannot_be_selected_is_said_so():
    """A token between its two rivals never has the highest score."""
    tokens = torch.tensor([[[0.0, 0.0], [1.0, 1.0], [-1.0, -1.0]]]).double()
    queries = torch.tensor([[1.0, 0.5]]).double()
    between, at_the_end = (separations(tokens, queries, torch.tensor([s])) for s in (0, 1))
    assert is_separable(at_the_end)
    assert not is_separable(between)
    for programme in (frobenius_max_margin, nuclear_max_margin):
        with pytest.raises(ValueError, match="no matrix keeps all 2 constraints"):
            programme(between)


@pytest.mark.parametrize("selected", [-1, TOKENS])
def test_a_token_that_does_not_exist_is_refused(selected):
    problem = random_problems(1, 2, TOKENS, WIDTH, torch.Generator().manual_seed(0))
    with pytest.raises(ValueError, match="expected numbers of tokens, 0 to 4"):
        separations(problem.tokens[0], problem.queries[0], torch.tensor([0, selected]))


def test_numerical_rank_counts_what_matters():
    singular = torch.diag(torch.tensor([5.0, 1.0, 4e-3]))
    assert numerical_rank(singular) == 2
    assert numerical_rank(singular, relative=1e-4) == 3
    assert numerical_rank(torch.stack([singular, torch.eye(3)])).tolist() == [2, 3]


def several_kept(seed):
    """A problem, and which tokens are kept: one or two in each input."""
    problem = random_problems(1, INPUTS, TOKENS, WIDTH, torch.Generator().manual_seed(seed))
    kept = torch.zeros(INPUTS, TOKENS, dtype=torch.bool)
    kept[0, 1] = kept[0, 3] = kept[1, 0] = kept[2, 2] = kept[2, 4] = True
    return problem.tokens[0], problem.queries[0], kept


def test_comparisons_are_by_hand_those_of_the_kept_tokens():
    tokens, queries, kept = several_kept(1)
    equal, apart = comparisons(tokens, queries, kept)
    W = torch.randn(WIDTH, WIDTH, generator=torch.Generator().manual_seed(2)).double()

    def gap(i, s, t):
        return (tokens[i, s] - tokens[i, t]) @ W @ queries[i]

    assert torch.allclose(margins(W, equal), torch.stack([gap(0, 3, 1), gap(2, 4, 2)]))
    beaten = [
        gap(i, s, t)
        for i, inside in enumerate([(1, 3), (0,), (2, 4)])
        for s in inside
        for t in range(TOKENS)
        if t not in inside
    ]
    assert torch.allclose(margins(W, apart), torch.stack(beaten))


def test_one_kept_token_an_input_is_the_plain_programme():
    problem = random_problems(1, INPUTS, TOKENS, WIDTH, torch.Generator().manual_seed(4))
    best = optimal_tokens(problem)[0]
    kept = torch.nn.functional.one_hot(best, TOKENS).bool()
    equal, apart = comparisons(problem.tokens[0], problem.queries[0], kept)
    plain = separations(problem.tokens[0], problem.queries[0], best)
    assert len(equal) == 0
    assert torch.equal(apart, plain)
    assert torch.allclose(generalised_max_margin(equal, apart), frobenius_max_margin(plain))


@pytest.mark.parametrize("seed", range(3))
def test_the_generalised_solution_tells_apart_and_is_made_of_what_holds_it(seed):
    """KKT: W is a sum of comparisons, with no negative share of those that are inequalities."""
    equal, apart = comparisons(*several_kept(seed))
    W = generalised_max_margin(equal, apart)
    assert margins(W, equal).abs().max() < 1e-6
    found = margins(W, apart)
    assert found.min() >= 1 - 1e-6
    # Of two kept tokens both stand at margin 1 against a rival; one of the two lines is enough.
    support = apart[found < 1 + 1e-5]
    inside = part_within(W, torch.cat([equal, support]))
    assert torch.allclose(inside, W, atol=1e-5)
    free = support - torch.stack([part_within(each, equal) for each in support])
    machine = frobenius_max_margin(free)
    assert torch.allclose(machine, W, atol=1e-4)


def test_an_input_that_keeps_nothing_is_refused():
    tokens, queries, kept = several_kept(0)
    kept[1] = False
    with pytest.raises(ValueError, match="an input keeps no token"):
        comparisons(tokens, queries, kept)


def test_a_part_within_is_a_projection():
    draw = torch.Generator().manual_seed(6)
    W, one, other = torch.randn(3, 5, 5, generator=draw, dtype=torch.float64)
    part = part_within(W, torch.stack([one, other, one]))
    assert torch.allclose(part_within(part, torch.stack([one, other])), part)
    for matrix in (one, other):
        assert ((W - part) * matrix).sum() == pytest.approx(0.0, abs=1e-12)
    assert torch.equal(part_within(W, W.new_zeros(0, 5, 5)), torch.zeros_like(W))
