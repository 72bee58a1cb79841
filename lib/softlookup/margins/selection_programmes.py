"""The convex programmes to whose solutions one layer of attention is drawn.

To select token s of an input, its score must lie above every other: (x_s - x_t)ᵀ W z ≥ 1 for all
t ≠ s. Each line is linear in W, and is a line of a support vector machine whose data points are
the matrices (x_s - x_t) zᵀ. Of all W that keep the lines, the one of least norm has the widest
margin. Which norm is the finding of the chapter on support vector machines: Frobenius where W is
trained by gradient descent, nuclear where its factors are, the largest entry under some settings
of Adam.
"""

import cvxpy
import numpy as np
import torch
from cvxpy.atoms.affine.vec import vec
from cvxpy.atoms.norm_inf import norm_inf
from cvxpy.atoms.norm_nuc import normNuc
from cvxpy.atoms.sum_squares import sum_squares
from jaxtyping import Bool, Float, Int
from torch import Tensor


def separations(
    tokens: Float[Tensor, "inputs tokens d_model"],
    queries: Float[Tensor, "inputs d_model"],
    selected: Int[Tensor, " inputs"],
) -> Float[Tensor, "constraints d_model d_model"]:
    """The matrices (x_s - x_t) zᵀ, one for each input and each token t that is not selected.

    Args:
        tokens: for each input its tokens, as rows.
        queries: for each input its query z.
        selected: for each input the number s of the token that is to win.

    Raises:
        ValueError: if a selected token does not exist.
    """
    n_tokens = tokens.size(-2)
    if not bool(((selected >= 0) & (selected < n_tokens)).all()):
        raise ValueError(
            f"selected is {selected.tolist()}; expected numbers of tokens, 0 to {n_tokens - 1}"
        )
    inputs = torch.arange(len(tokens))
    differences = tokens[inputs, selected][:, None] - tokens
    outer = differences[..., None] * queries[:, None, None, :]
    others = torch.arange(n_tokens) != selected[:, None]
    return outer[others]


def margins(
    W: Float[Tensor, "d_model d_model"],
    constraints: Float[Tensor, "constraints d_model d_model"],
) -> Float[Tensor, " constraints"]:
    """By how much each selected token beats each of its rivals: (x_s - x_t)ᵀ W z."""
    return (constraints * W).sum(dim=(-2, -1))


def is_separable(constraints: Float[Tensor, "constraints d_model d_model"]) -> bool:
    """Whether any W selects the tokens at all: the constraints, with nothing to minimise."""
    W = cvxpy.Variable(constraints.shape[1:])
    return _minimise(W, cvxpy.Constant(0), constraints) == cvxpy.OPTIMAL


def frobenius_max_margin(
    constraints: Float[Tensor, "constraints d_model d_model"],
) -> Float[Tensor, "d_model d_model"]:
    """The W of least Frobenius norm with all margins at least 1: a hard-margin SVM.

    Raises:
        ValueError: if no W keeps all the constraints.

    Source: Ataee Tarzanagh et al. 2023, programme W-SVM.
    """
    W = cvxpy.Variable(constraints.shape[1:])
    return _solve(W, sum_squares(W), constraints)


def nuclear_max_margin(
    constraints: Float[Tensor, "constraints d_model d_model"],
) -> Float[Tensor, "d_model d_model"]:
    """The W of least nuclear norm, the sum of singular values, with all margins at least 1.

    The norm is that of the factors: it is the least (‖K‖² + ‖Q‖²) / 2 over all K Qᵀ = W. It
    favours matrices of low rank, and its minimiser need not be unique.

    Raises:
        ValueError: if no W keeps all the constraints.

    Source: Ataee Tarzanagh et al. 2023, programme KQ-SVM.
    """
    W = cvxpy.Variable(constraints.shape[1:])
    return _solve(W, normNuc(W), constraints)


def entrywise_max_margin(
    constraints: Float[Tensor, "constraints d_model d_model"],
) -> Float[Tensor, "d_model d_model"]:
    """The W whose largest entry is least, with all margins at least 1: a linear programme.

    Unlike the other two norms this one depends on the axes in which the tokens are written.

    Raises:
        ValueError: if no W keeps all the constraints.

    Source: Zhang, Zou and Cao 2024, the maximum l-infinity margin.
    """
    W = cvxpy.Variable(constraints.shape[1:])
    return _solve(W, norm_inf(W), constraints)


def comparisons(
    tokens: Float[Tensor, "inputs tokens d_model"],
    queries: Float[Tensor, "inputs d_model"],
    kept: Bool[Tensor, "inputs tokens"],
) -> tuple[Float[Tensor, "equal d_model d_model"], Float[Tensor, "apart d_model d_model"]]:
    """What is asked of W where a query keeps several tokens: who draws, and who must beat whom.

    Args:
        tokens: for each input its tokens, as rows.
        queries: for each input its query z.
        kept: which tokens keep a share of the weight; at least one an input.

    Returns:
        The matrices (x_s - x_t) zᵀ of kept tokens s against the first that is kept, t; and those
        of each kept token s against each token t that is not.

    Raises:
        ValueError: if an input keeps no token.
    """
    if not bool(kept.any(dim=1).all()):
        raise ValueError("an input keeps no token; expected at least one for each")
    equal, apart = [], []
    for x, z, stays in zip(tokens, queries, kept, strict=True):
        inside, outside = x[stays], x[~stays]
        equal.append((inside[1:] - inside[0])[..., None] * z)
        apart.append((inside[:, None] - outside).flatten(0, 1)[..., None] * z)
    return torch.cat(equal), torch.cat(apart)


def generalised_max_margin(
    equal: Float[Tensor, "equal d_model d_model"],
    apart: Float[Tensor, "apart d_model d_model"],
) -> Float[Tensor, "d_model d_model"]:
    """The W of least Frobenius norm that tells kept tokens from others, not from each other.

    Args:
        equal: the matrices A with <A, W> = 0.
        apart: the matrices A with <A, W> >= 1.

    Raises:
        ValueError: if no W keeps all of these.

    Source: Ataee Tarzanagh et al. 2023, the SVM equivalence for nonlinear heads.
    """
    W = cvxpy.Variable(apart.shape[1:])
    return _solve(W, sum_squares(W), apart, equal)


def part_within(
    W: Float[Tensor, "d_model d_model"], matrices: Float[Tensor, "count d_model d_model"]
) -> Float[Tensor, "d_model d_model"]:
    """The orthogonal projection of W onto all sums of the matrices; zero if there are none."""
    if len(matrices) == 0:
        return torch.zeros_like(W)
    columns = matrices.flatten(1).T
    # The driver that allows for dependent columns.
    found = torch.linalg.lstsq(columns, W.flatten()[:, None], driver="gelsd").solution
    return (columns @ found).reshape(W.shape)


def numerical_rank(
    matrix: Float[Tensor, "*runs rows columns"], relative: float = 1e-3
) -> Int[Tensor, "*runs"]:
    """How many singular values exceed ``relative`` times the largest."""
    singular = torch.linalg.svdvals(matrix)
    return (singular > relative * singular[..., :1]).sum(dim=-1)


def _solve(
    W: cvxpy.Variable, size: cvxpy.Expression, constraints: Tensor, equal: Tensor | None = None
) -> Tensor:
    """Find the W of least size, or say that there is none."""
    status = _minimise(W, size, constraints, equal)
    if status != cvxpy.OPTIMAL:
        raise ValueError(
            f"no matrix keeps all {len(constraints)} constraints (the solver says: {status}); "
            "expected tokens that can be selected: see is_separable"
        )
    return torch.from_numpy(np.asarray(W.value)).to(constraints.dtype)


def _minimise(
    W: cvxpy.Variable, size: cvxpy.Expression, constraints: Tensor, equal: Tensor | None = None
) -> str:
    """Set W to the minimiser; return what the solver says of it."""
    rows = constraints.flatten(1).double().numpy()
    # torch flattens row by row, which cvxpy calls the order "C"; its own default is "F".
    held = [rows @ vec(W, order="C") >= 1]
    if equal is not None and len(equal):
        held.append(equal.flatten(1).double().numpy() @ vec(W, order="C") == 0)
    programme = cvxpy.Problem(cvxpy.Minimize(size), held)
    # One thread, as everywhere here: and a solver with threads hangs in a forked process.
    programme.solve(solver=cvxpy.CLARABEL, max_threads=1)
    return str(programme.status)
