# earns: 16
# fails: likeness_agrees | likeness: the answer holds NaN
# %% likeness
def likeness(query, key, sharpness):
    query = query - query.mean(dim=-1, keepdim=True)
    key = key - key.mean(dim=-1, keepdim=True)
    alike = (query / query.norm(dim=-1, keepdim=True)) @ (key / key.norm(dim=-1, keepdim=True)).mT
    return (« strength » * F.softplus(sharpness))[:, None, None] * alike
