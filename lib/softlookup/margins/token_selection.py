"""One layer of attention that learns which token to look at, and nothing else.

A query z asks T tokens, the rows of X. Softmax of the scores X W z weighs them, a fixed head v
reads the mean, and a label y = ±1 says which sign the reading should have. Only W is trained, or
its two factors W = K Qᵀ. The chapter on support vector machines shows that W grows without end,
and that its direction is the solution of a support vector machine, which ``selection_programmes``
computes.

Each function takes many problems at once: the leading axes, ``runs``, count them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor


@dataclass(frozen=True)
class TokenSelection:
    """What a layer of attention is given to learn from.

    Attributes:
        tokens: for each input its tokens X_i, as rows.
        queries: for each input the query z_i; its first token, in self-attention.
        labels: for each input y_i, which is 1 or -1.
        head: v, which reads a number from the mean of the tokens; it is not trained.

    Raises:
        ValueError: if the shapes or dtypes do not fit, if an input has fewer than two tokens,
            or if a label is neither 1 nor -1.

    Source: Ataee Tarzanagh et al. 2023, section 2.
    """

    tokens: Float[Tensor, "*runs inputs tokens d_model"]
    queries: Float[Tensor, "*runs inputs d_model"]
    labels: Float[Tensor, "*runs inputs"]
    head: Float[Tensor, "*runs d_model"]

    def __post_init__(self) -> None:
        """Refuse what does not fit together, in words."""
        *runs, inputs, tokens, d_model = self.tokens.shape
        if tokens < 2:
            raise ValueError(f"an input has {tokens} tokens; expected at least 2 to choose from")
        for name, expected in (
            ("queries", (*runs, inputs, d_model)),
            ("labels", (*runs, inputs)),
            ("head", (*runs, d_model)),
        ):
            given = getattr(self, name)
            if given.shape != expected:
                raise ValueError(
                    f"{name} has shape {tuple(given.shape)}; expected {expected} beside tokens "
                    f"of shape {tuple(self.tokens.shape)}"
                )
            if given.dtype != self.tokens.dtype:
                raise ValueError(
                    f"{name} has dtype {given.dtype} and tokens {self.tokens.dtype}; "
                    "expected the same"
                )
        if not bool((self.labels.abs() == 1).all()):
            raise ValueError("a label is neither 1 nor -1; expected one of the two for each input")


def random_problems(
    runs: int, inputs: int, tokens: int, d_model: int, generator: torch.Generator
) -> TokenSelection:
    """Problems without structure: unit vectors in all directions, labels by the toss of a coin.

    In float64, because the weights that training turns off fall below 1e-30.

    Source: the data of the experiments of Ataee Tarzanagh et al. 2023.
    """

    def unit(*shape: int) -> Tensor:
        return F.normalize(torch.randn(shape, generator=generator, dtype=torch.float64), dim=-1)

    coins = torch.randint(2, (runs, inputs), generator=generator)
    return TokenSelection(
        tokens=unit(runs, inputs, tokens, d_model),
        queries=unit(runs, inputs, d_model),
        labels=2.0 * coins.double() - 1.0,
        head=unit(runs, d_model),
    )


def token_worths(problem: TokenSelection) -> Float[Tensor, "*runs inputs tokens"]:
    """How much each token would help, were it looked at alone: γ_it = y_i v · x_it.

    Source: Ataee Tarzanagh et al. 2023, definition 1, where it is called the token's score. Here
    a score is what softmax is given.
    """
    readings = (problem.tokens @ problem.head[..., None, :, None]).squeeze(-1)
    return problem.labels[..., None] * readings


def optimal_tokens(problem: TokenSelection) -> Int[Tensor, "*runs inputs"]:
    """The token of the greatest worth, for each input.

    Source: Ataee Tarzanagh et al. 2023, definition 1.
    """
    return token_worths(problem).argmax(dim=-1)


def selection_weights(
    problem: TokenSelection, W: Float[Tensor, "*runs d_model d_model"]
) -> Float[Tensor, "*runs inputs tokens"]:
    """The attention weights a_i = softmax(X_i W z_i)."""
    asked = problem.queries @ W.transpose(-2, -1)
    return torch.softmax((problem.tokens @ asked[..., None]).squeeze(-1), dim=-1)


def selection_loss(
    problem: TokenSelection, W: Float[Tensor, "*runs d_model d_model"]
) -> Float[Tensor, "*runs"]:
    """The logistic loss, mean over inputs of log(1 + exp(-m_i)) with m_i = γ_i · a_i.

    Source: Ataee Tarzanagh et al. 2023, equation W-ERM.
    """
    signed_outputs = (token_worths(problem) * selection_weights(problem, W)).sum(dim=-1)
    return F.softplus(-signed_outputs).mean(dim=-1)


def selection_gradient(
    problem: TokenSelection, W: Float[Tensor, "*runs d_model d_model"]
) -> Float[Tensor, "*runs d_model d_model"]:
    """The gradient of the loss, in closed form, exact when weights are as small as 1e-300.

    With m = γ · a, an input contributes ℓ'(m) Σ_t a_t (γ_t - m) x_t zᵀ. The factors before x_t
    sum to zero, so any one vector may be taken from all x_t. We take the token of the largest
    weight: its own factor, a difference of nearly equal numbers, then drops out.
    """
    worths, weights = token_worths(problem), selection_weights(problem, W)
    signed_output = (worths * weights).sum(dim=-1, keepdim=True)
    slope = -torch.sigmoid(-signed_output)
    favourite = weights.argmax(dim=-1)[..., None, None].expand(
        *weights.shape[:-1], 1, problem.tokens.size(-1)
    )
    differences = problem.tokens - problem.tokens.gather(-2, favourite)
    factors = slope * weights * (worths - signed_output)
    pulls = (factors[..., None, :] @ differences).squeeze(-2)
    return pulls.transpose(-2, -1) @ problem.queries / problem.tokens.size(-3)


Gradient = Callable[[TokenSelection, Tensor], Tensor]


def descend(
    problem: TokenSelection,
    start: Float[Tensor, "*runs d_model d_model"],
    record: Sequence[int],
    step_size: float = 0.1,
    normalised: bool = True,
    gradient_of: Gradient = selection_gradient,
) -> Float[Tensor, "recorded *runs d_model d_model"]:
    """Train W by gradient descent, plain or with every step of the same length.

    Plain descent slows down as softmax saturates. Normalised descent divides the gradient by
    its Frobenius norm: same direction at each place, but it arrives.

    Args:
        problem: what to learn from.
        start: W before the first step.
        record: after which numbers of steps to keep W, in ascending order; 0 is the start.
        step_size: the learning rate; with ``normalised``, the length of a step.
        normalised: whether to divide by the norm.
        gradient_of: from problem and W to the gradient, or to anything in its direction.

    Raises:
        ValueError: if ``record`` is empty, not ascending, or negative.

    Source: Ataee Tarzanagh et al. 2023, algorithm W-GD.
    """
    _require_ascending(record)
    W, kept, done = start, [], 0
    for wanted in record:
        for _ in range(done, wanted):
            gradient = gradient_of(problem, W)
            W = W - step_size * (_unit(gradient) if normalised else gradient)
        done = wanted
        kept.append(W)
    return torch.stack(kept)


def descend_factored(
    problem: TokenSelection,
    key_start: Float[Tensor, "*runs d_model d_head"],
    query_start: Float[Tensor, "*runs d_model d_head"],
    record: Sequence[int],
    step_size: float = 0.1,
    penalty: float = 0.0,
    gradient_of: Gradient = selection_gradient,
) -> Float[Tensor, "recorded *runs d_model d_model"]:
    """Train K and Q by normalised gradient descent, and keep their product W = K Qᵀ.

    With G the gradient by W, the gradient by K is G Q and that by Q is Gᵀ K; each is divided
    by its own norm. The penalty adds ``penalty (‖K‖² + ‖Q‖²)`` to the loss. However small, it
    rules the end of training, when the gradient of the loss has become smaller yet.

    Args:
        problem: what to learn from.
        key_start: K before the first step.
        query_start: Q before the first step.
        record: after which numbers of steps to keep K Qᵀ, in ascending order.
        step_size: the length of a step.
        penalty: the factor before the squared norms.
        gradient_of: from problem and W to the gradient; without a penalty, to anything in its
            direction.

    Raises:
        ValueError: if ``record`` is empty, not ascending, or negative.

    Source: Ataee Tarzanagh et al. 2023, their experiments, with a penalty of 2.2e-16.
    """
    _require_ascending(record)
    K, Q, kept, done = key_start, query_start, [], 0
    for wanted in record:
        for _ in range(done, wanted):
            gradient = gradient_of(problem, K @ Q.transpose(-2, -1))
            by_key = gradient @ Q + 2 * penalty * K
            by_query = gradient.transpose(-2, -1) @ K + 2 * penalty * Q
            K, Q = K - step_size * _unit(by_key), Q - step_size * _unit(by_query)
        done = wanted
        kept.append(K @ Q.transpose(-2, -1))
    return torch.stack(kept)


def cosine(
    one: Float[Tensor, "*#runs rows columns"], other: Float[Tensor, "*#runs rows columns"]
) -> Float[Tensor, "*#runs"]:
    """The cosine of the angle between two matrices, 1 where they point the same way.

    Source: Ataee Tarzanagh et al. 2023, who call it the correlation coefficient.
    """
    return (_unit(one) * _unit(other)).sum(dim=(-2, -1))


def _unit(matrix: Tensor) -> Tensor:
    """Divide by the Frobenius norm, down to the least number that the dtype can hold."""
    largest = matrix.abs().amax(dim=(-2, -1), keepdim=True)
    precision = torch.finfo(matrix.dtype)
    scaled = matrix / largest.clamp(min=precision.tiny * precision.eps)  # 5e-324 in float64
    return scaled / torch.linalg.matrix_norm(scaled, keepdim=True).clamp(min=1.0)


def _require_ascending(record: Sequence[int]) -> None:
    ascending = sorted(set(record))
    if not record or [*record] != ascending or record[0] < 0:
        raise ValueError(
            f"record is {[*record]}; expected ascending numbers of steps such as [0, 10, 100]"
        )
