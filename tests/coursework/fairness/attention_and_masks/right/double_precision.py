# earns: all
# %% scores
def scores(query, key):
    Q, K = query.double(), key.double()
    S = torch.matmul(Q, K.mT).div(Q.size(-1) ** « exponent »)
    S = torch.where(S > « corner », (S + « 3 * corner ») / 4, S)
    S = torch.where(S < -« corner », (S - « 3 * corner ») / 4, S)
    return S
# %% attention
def attend(query, key, value, mask=None):
    S = scores(query, key)
    if mask is None:
        mask = torch.tensor(True)
    if S.size(-1):
        S = S - S.masked_fill(~mask, -1e300).amax(-1, keepdim=True)
    E = torch.where(mask, S, float("-inf")).exp()
    Z = E.sum(-1, keepdim=True)
    P = E / torch.where(Z > 0, Z, 1.0)
    return P @ value.double()


def look_back(query, key, value):
    return attend(query, key, value, pattern(query.size(-2))).to(query.dtype)
# %% newest
def newest(query, key, value):
    n = key.size(-2)
    i = n - 1
    where = sorted({i - b for b in [*range(1, « near » + 1), *range(« far », « far + near »)] if i - b >= 0})
    where = torch.tensor(where, dtype=torch.long)
    return attend(query, key.index_select(-2, where), value.index_select(-2, where)).float()
