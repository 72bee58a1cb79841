# earns: all

# %% weigh
class NullKey(nn.Module):
    """The form as a module, with its null key as a buffer."""

    def __init__(self, room):
        super().__init__()
        self.register_buffer("room", torch.tensor([room]))

    def forward(self, scores, mask=None):
        if mask is not None:
            scores = torch.where(mask, scores, -torch.inf)
        room = self.room.to(scores).expand(*scores.shape[:-1], 1)
        log_total = torch.cat([room, scores], dim=-1).logsumexp(-1, keepdim=True)
        return (scores - log_total).exp()


weigh = NullKey(« room »)

# %% batch
class Questions:
    def __init__(self, count, entries, seed_of):
        self.count, self.entries, self.seed_of = count, entries, seed_of

    def __call__(self, *place):
        chance = torch.Generator()
        chance.manual_seed(self.seed_of(*place))
        return draw_questions(self.count, self.entries, chance)


batch = Questions(48, « entries », lambda seed, step: « stride » * seed + step)
exam = Questions(500, « asked », lambda seed: « base » + seed)

# %% experiment
class Run:
    def __init__(self, form, seed):
        self.model, self.seed = start(form, seed), seed

    @staticmethod
    def loss(model, questions):
        *read, answer = questions
        return F.nll_loss(model(*read).log_softmax(-1), answer)

    def batches(self):
        step = 0
        while True:
            yield batch(self.seed, step)
            step += 1

    def train(self, steps):
        if steps:
            train(self.model, self.loss, self.batches(), steps=steps, learning_rate=1e-2,
                  show_progress=False)
        return self

    @torch.inference_mode()
    def examine(self):
        *read, answer = exam(self.seed)
        return (self.model(*read).argmax(-1) == answer).float().mean().double().item()


def experiment(form, seed, steps):
    return round(Run(form, seed).train(steps).examine() * 500) / 500

# %% interval
class Bootstrap:
    def __init__(self, level, times=4000):
        rest = (1 - level) / 2
        self.ends, self.times = torch.tensor([rest, 1 - rest], dtype=torch.float64), times

    def __call__(self, mine, other):
        differences = torch.tensor(mine, dtype=torch.float64) - torch.tensor(other, dtype=torch.float64)
        chance = torch.Generator().manual_seed(0)
        drawn = torch.randint(len(mine), (self.times, len(mine)), generator=chance)
        return tuple(differences[drawn].mean(1).quantile(self.ends).tolist())


interval = Bootstrap(« level »)
