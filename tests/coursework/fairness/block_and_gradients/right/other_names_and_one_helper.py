# earns: all
# %% norm
def normed(t, gamma=1.0, du=None):
    """The norm, and with du its gradients as well."""
    n = t.size(-1) // « norm_rule.groups »
    idx = torch.arange(t.size(-1))
    owner = « "idx // n" if norm_rule.arrangement == "runs" else "idx % " ~ norm_rule.groups »
    # A matrix that takes, for each feature, the mean over its group.
    M = (owner[:, None] == owner[None, :]).to(t) / n
    C = « "M" if norm_rule.centre == "group" else "torch.full_like(M, 1 / t.size(-1))" »
    c = t - t @ C
    s = ((c.abs() ** « norm_rule.power ») @ M + « norm_rule.epsilon ») ** (1 / « norm_rule.power »)
    z = c / s
    if du is None:
        return z * gamma
    v = du * gamma
    dc = (v - torch.copysign(z.abs() ** « norm_rule.power - 1 », z) * ((v * z) @ M)) / s
    return dc - dc @ C, torch.einsum("btd,btd->d", du, z)


def norm(tokens, gamma):
    return normed(tokens, gamma)
# %% norm_gradient
norm_gradient = lambda tokens, gamma, du: normed(tokens, gamma, du)
# %% gradient_by_parts
def gradient_by_parts(Js, g):
    # Multiply out the polynomial (I + t s J) … (I + t s J) g, coefficient by coefficient of t.
    coefficients = {0: g}
    for J in list(Js)[::-1]:
        new = dict(coefficients)
        for degree, vector in coefficients.items():
            new[degree + 1] = new.get(degree + 1, 0) + « block_rule.scale » * (J.T @ vector)
        coefficients = new
    return torch.stack([coefficients[k] for k in range(len(Js) + 1)])
