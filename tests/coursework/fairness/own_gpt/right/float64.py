# earns: all

# %% +
import numpy as np

torch.set_default_dtype(torch.float64)

# %% loss
def loss(logits, targets):
    logits = logits.double()
    target = torch.full_like(logits, « smoothing » / (logits.shape[-1] - 1))
    target.scatter_(-1, targets.unsqueeze(-1), « 1 - smoothing »)
    surprise = torch.einsum("btv,btv->bt", target, -logits.log_softmax(-1))
    weights = torch.tensor(np.minimum(1, np.arange(1, targets.shape[1] + 1) / « early »))
    return torch.einsum("bt,t->", surprise, weights) / (len(targets) * weights.sum())

# %% schedule
def schedule(step, steps):
    corners = [0, « warmup », « warmup » + 0.6 * (steps - « warmup »), steps]
    return float(np.interp(step + 1, corners, [0.0, 1.0, 1.0, « floor »]))

# %% sampling
def next_probabilities(logits):
    seen = logits.double().numpy()
    seen = np.exp(seen - seen.max(axis=1, keepdims=True))
    kept = np.where(seen >= « threshold », seen ** (1 / « temperature »), 0)
    return torch.from_numpy(kept / kept.sum(axis=1, keepdims=True))

# %% bits
def bits_per_character(model, passages, tokens):
    surprises, characters = [], []
    for passage in passages:
        ids = np.array([tokens.index(token) for token in passage])
        for place in range(« skip », len(ids)):
            read = torch.from_numpy(ids[max(place - « context », 0) : place])
            logits = model(read[None]).detach().numpy()[0, -1]
            surprises.append(np.logaddexp.reduce(logits) - logits[ids[place]])
            characters.append(len(passage[place]))
    return np.sum(surprises) / np.log(2) / np.sum(characters)
