# earns: all

# %% pieces
class Pieces:
    """Cuts with one expression, made once."""

    expression = re.compile(r"(?: ?[^\W\d_]+)|(?:[0-9]+)|(?:.)", re.DOTALL)

    def __call__(self, text):
        return [match.group() for match in self.expression.finditer(text)]


pieces = Pieces()

# %% loss
class SmoothedLoss(torch.nn.Module):
    def __init__(self, smoothing, early):
        super().__init__()
        self.smoothing, self.early = smoothing, early

    def forward(self, logits, targets):
        vocab = logits.shape[-1]
        # cross_entropy spreads its share over all tokens: so much over all is ε over the others.
        share = self.smoothing * vocab / (vocab - 1)
        each = F.cross_entropy(
            logits.flatten(0, 1), targets.flatten(), reduction="none", label_smoothing=share
        ).view(targets.shape)
        place = torch.arange(1, targets.shape[1] + 1, dtype=logits.dtype)
        weight = torch.minimum(place / self.early, torch.ones(()))
        return (each @ weight).sum() / (weight.sum() * len(targets))


loss = SmoothedLoss(« smoothing », « early »)

# %% schedule
class Schedule:
    def __init__(self, warmup, floor):
        self.warmup, self.floor = warmup, floor

    def __call__(self, step, steps):
        rise = (step + 1) / self.warmup
        p = (step + 1 - self.warmup) / (steps - self.warmup)
        return min(rise, 1.0, 1 - (1 - self.floor) * (p - 0.6) / 0.4)


schedule = Schedule(warmup=« warmup », floor=« floor »)

# %% bits
class Ruler:
    def __init__(self, model, tokens):
        self.model, self.ids = model, dict(zip(tokens, range(len(tokens))))

    @torch.inference_mode()
    def bits(self, passage):
        ids = torch.tensor([self.ids[token] for token in passage])
        found = 0.0
        for place in range(« skip », len(ids)):
            read = ids[:place][-« context »:]
            found += F.cross_entropy(self.model(read[None])[0, -1], ids[place]).item()
        return found / math.log(2)


def bits_per_character(model, passages, tokens):
    ruler = Ruler(model, tokens)
    scored = sum(len(token) for passage in passages for token in passage[« skip »:])
    return sum(ruler.bits(passage) for passage in passages) / scored
