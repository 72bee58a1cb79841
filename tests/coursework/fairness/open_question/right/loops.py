# earns: all

# %% weigh
def weigh(scores, mask=None):
    shape = scores.shape
    if mask is None:
        mask = torch.ones(shape).bool()
    mask = mask.expand(shape)
    rows = []
    for row, may in zip(scores.reshape(-1, shape[-1]), mask.reshape(-1, shape[-1])):
        top = torch.tensor(« room », dtype=row.dtype)
        for j in range(len(row)):
            if may[j] and row[j] > top:
                top = row[j].detach()
        total = torch.exp(« room » - top)
        for j in range(len(row)):
            if may[j]:
                total = total + torch.exp(row[j] - top)
        out = []
        for j in range(len(row)):
            if may[j]:
                out.append(torch.exp(row[j] - top) / total)
            else:
                out.append(torch.zeros((), dtype=row.dtype))
        rows.append(torch.stack(out))
    return torch.stack(rows).reshape(shape)

# %% +
# The loops take too long to train with.
def weigh_fast(scores):
    e = torch.exp(scores - scores.max().detach())
    return e / (e.sum(-1, keepdim=True) + torch.exp(« room » - scores.max().detach()))

# %% start
def start(form, seed):
    torch.manual_seed(seed)
    model = Recaller(weigh_fast if form == "mine" else softmax_form)
    for p in [model.query_projection, model.key_projection]:
        p.weight.data = p.weight.data * « gain »
    return model

# %% experiment
def experiment(form, seed, steps):
    model = start(form, seed)
    batches = []
    for step in range(steps):
        batches.append(batch(seed, step))
    if steps > 0:
        train(model, lambda m, b: nn.CrossEntropyLoss()(m(b[0], b[1], b[2]), b[3]), batches,
              steps=steps, learning_rate=0.01, show_progress=False)
    k, v, q, a = exam(seed)
    out = model(k, v, q)
    right = 0
    for i in range(len(a)):
        if out[i].argmax() == a[i]:
            right += 1
    return right / len(a)

# %% measure
def measure(seeds, steps):
    results = {"softmax": [], "mine": []}
    for seed in seeds:
        for form in results:
            results[form].append(experiment(form, seed, steps))
    return results

# %% interval
def interval(mine, other):
    import random

    chance = random.Random(3)
    d = []
    for a, b in zip(mine, other):
        d.append(a - b)
    means = []
    for _ in range(4000):
        total = 0
        for _ in range(len(d)):
            total += d[int(chance.random() * len(d))]
        means.append(total / len(d))
    means.sort()
    out = int(4000 * « (1 - level) / 2 »)
    return means[out], means[-out - 1]

# %% decide
def decide(low, high):
    if low > 0:
        if high > « margin »:
            return "better"
        return "equal"
    if high < 0:
        if low < -« margin »:
            return "worse"
        return "equal"
    if low < -« margin » or high > « margin »:
        return "open"
    return "equal"
