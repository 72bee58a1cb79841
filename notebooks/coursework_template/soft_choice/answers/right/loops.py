# earns: all
# %% weights
def weights(scores):
    flat = scores.reshape(-1, scores.shape[-1])
    rows = []
    for row in flat:
        powers = torch.stack([torch.tensor(« base »).pow(score - row.max()) for score in row])
        rows.append(powers / powers.sum())
    return torch.stack(rows).reshape(scores.shape)
