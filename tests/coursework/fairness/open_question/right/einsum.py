# earns: all

# %% weigh
def weigh(scores, mask=None):
    padded = F.pad(scores, (1, 0), value=« room »)
    if mask is not None:
        hidden = F.pad(~mask.broadcast_to(scores.shape), (1, 0), value=False)
        padded = padded.masked_fill(hidden, -math.inf)
    return F.softmax(padded, dim=-1)[..., 1:]

# %% start
def start(form, seed):
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = Recaller(FORMS[form])
    state = model.state_dict()
    for name in ("query_projection.weight", "key_projection.weight"):
        state[name] = torch.einsum("oi,->oi", state[name], torch.tensor(« gain »))
    model.load_state_dict(state)
    return model

# %% experiment
def experiment(form, seed, steps):
    model = start(form, seed)
    model.train()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for step in range(steps):
        keys, values, query, answer = batch(seed, step)
        loss = F.cross_entropy(model(keys, values, query), answer)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    model.eval()
    keys, values, query, answer = exam(seed)
    hits = F.one_hot(model(keys, values, query).argmax(-1), 16) * F.one_hot(answer, 16)
    return int(torch.einsum("bv->", hits)) / 500

# %% interval
def interval(mine, other):
    d = torch.tensor(mine) - torch.tensor(other)
    counts = np.random.default_rng(4).multinomial(len(d), [1 / len(d)] * len(d), size=4000)
    means = torch.einsum("rn,n->r", torch.tensor(counts / len(d)).to(d), d)
    low, high = torch.quantile(means, torch.tensor([« (1 - level) / 2 », « (1 + level) / 2 »]).to(d))
    return low, high
