# Right wherever there are not as many keys as heads: there it raises.
# earns: 14
# fails: likeness_of_known_pairs | RuntimeError
# fails: likeness_agrees | are off by up to
# %% likeness
def likeness(query, key, sharpness):
    query = query - query.mean(dim=-1, keepdim=True)
    key = key - key.mean(dim=-1, keepdim=True)
    alike = F.normalize(query, dim=-1) @ F.normalize(key, dim=-1).transpose(-2, -1)
    return (« strength » * F.softplus(sharpness)) * alike
