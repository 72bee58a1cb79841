# earns: all

# %% +
torch.set_default_dtype(torch.float64)

# %% weigh
def weigh(scores, mask=None):
    scores = scores.double()
    allowed = torch.ones_like(scores) if mask is None else mask.double().expand_as(scores)
    top = torch.clamp(scores.detach().amax(-1, keepdim=True), min=« room »)
    parts = torch.exp(scores - top) * allowed
    return parts / (parts.sum(-1, keepdim=True) + torch.exp(« room » - top))

# %% interval
def interval(mine, other):
    d = np.subtract(mine, other)
    found = scipy.stats.bootstrap(
        (d,), np.mean, n_resamples=4000, method="percentile", confidence_level=« level »,
        random_state=np.random.RandomState(1),
    )
    return found.confidence_interval

# %% decide
def decide(low, high):
    low, high, margin = np.float64(low), np.float64(high), np.float64(« margin »)
    lines = {
        "better": (low > 0) & (high > margin),
        "worse": (high < 0) & (low < -margin),
        "equal": (-margin <= low) & (high <= margin),
        "open": True,
    }
    return next(word for word, fits in lines.items() if fits)
