# Right wherever there are not as many keys as heads: there it raises.
# earns: 7
# fails: likeness_of_known_pairs | RuntimeError
# fails: likeness_agrees | are off by up to
# fails: order_of_tokens | RuntimeError
# fails: memory_of_one_token | RuntimeError
# fails: layer_agrees | RuntimeError
# fails: memory_and_mask | RuntimeError
# fails: layer_gradients_agree | RuntimeError
# %% likeness
def likeness(query, key, sharpness):
    query = query - query.mean(dim=-1, keepdim=True)
    key = key - key.mean(dim=-1, keepdim=True)
    alike = F.normalize(query, dim=-1) @ F.normalize(key, dim=-1).transpose(-2, -1)
    return (« strength » * F.softplus(sharpness)) * alike
