# earns: all

# %% split
def split(n_characters):
    place = torch.arange(n_characters)
    held = place // « block » % « period » == « place - 1 »
    near = held.clone()
    for start in range(« (place - 1) * block », n_characters, « block * period »):
        near[max(0, start - « gap ») : start + « block + gap »] = True

    def spans(chosen):
        edges = torch.diff(chosen.int(), prepend=torch.zeros(1).int(), append=torch.zeros(1).int())
        starts, ends = (edges == 1).nonzero()[:, 0], (edges == -1).nonzero()[:, 0]
        return torch.stack([starts, ends], dim=1).tolist()

    return spans(~near), spans(held)

# %% loss
def loss(logits, targets):
    lp = torch.log_softmax(logits, 2)
    onehot = F.one_hot(targets, logits.size(2)).to(lp)
    aim = onehot * « 1 - smoothing » + (1 - onehot) * « smoothing » / (logits.size(2) - 1)
    w = ((1 + torch.arange(targets.size(1))) / « early »).clamp(max=1)
    return -(aim * lp * w[:, None]).sum() / w.sum() / targets.size(0)

# %% schedule
def schedule(step, steps):
    p = torch.tensor((step + 1 - « warmup ») / (steps - « warmup »), dtype=torch.float64)
    down = 1 - « 1 - floor » * torch.relu(p - 0.6) / 0.4
    return torch.minimum(torch.tensor((step + 1) / « warmup »), down).item()

# %% sampling
def next_probabilities(logits):
    order = logits.argsort(-1, descending=True)
    ranked = logits.gather(-1, order)
    stays = ranked >= ranked[..., :1] + math.log(« threshold »)
    p = torch.where(stays, ((ranked - ranked[..., :1]) / « temperature »).exp(), 0.0)
    return torch.zeros_like(logits).scatter(-1, order, p / p.sum(-1, keepdim=True))

# %% bits
@torch.no_grad()
def bits_per_character(model, passages, tokens):
    lookup = {t: i for i, t in enumerate(tokens)}
    bits, chars = 0, 0
    for passage in filter(lambda p: len(p) > « skip », passages):
        ids = torch.tensor(list(map(lookup.__getitem__, passage)))
        heads = [F.pad(ids[max(0, n - « context ») : n], (0, max(0, « context » - n))) for n in range(« skip », len(ids))]
        ends = torch.tensor([min(n, « context ») - 1 for n in range(« skip », len(ids))])
        # What stands behind a causal model's place does not matter, so padding does no harm.
        logits = model(torch.stack(heads))[torch.arange(len(ends)), ends]
        bits += F.nll_loss(logits.log_softmax(-1), ids[« skip »:], reduction="sum") / math.log(2)
        chars += sum(map(len, passage[« skip »:]))
    return bits / chars
