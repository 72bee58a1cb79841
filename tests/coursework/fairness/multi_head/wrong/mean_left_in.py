# The cosine, where the term asks for the correlation.
# earns: 14
# fails: likeness_of_known_pairs | the mean of a vector counts
# fails: likeness_agrees | are off by up to
# %% likeness
def likeness(query, key, sharpness):
    alike = F.normalize(query, dim=-1) @ F.normalize(key, dim=-1).transpose(-2, -1)
    return (« strength » * F.softplus(sharpness))[:, None, None] * alike
