# earns: all

# %% pieces
def pieces(text):
    result = []
    i = 0
    while i < len(text):
        j = i
        if text[i] == " " and i + 1 < len(text) and text[i + 1].isalpha():
            j = i + 1
        if text[j].isalpha():
            while j < len(text) and text[j].isalpha():
                j += 1
        elif text[j] in "0123456789":
            while j < len(text) and text[j] in "0123456789":
                j += 1
        else:
            j += 1
        result.append(text[i:j])
        i = j
    return result

# %% merges
def learn_merges(pieces, n_merges):
    corpus = []
    for piece in pieces:
        corpus.append([c for c in piece])
    result = []
    for _ in range(n_merges):
        counts = {}
        for word in corpus:
            for i in range(len(word) - 1):
                pair = (word[i], word[i + 1])
                if pair not in counts:
                    counts[pair] = 0
                counts[pair] += 1
        best = None
        for pair in counts:  # a dictionary remembers what came first
            if best is None or counts[pair] > counts[best]:
                best = pair
        if best is None or counts[best] < « least »:
            return result
        result.append(best)
        for w in range(len(corpus)):
            word = corpus[w]
            new = []
            i = 0
            while i < len(word):
                if i + 1 < len(word) and word[i] == best[0] and word[i + 1] == best[1]:
                    new.append(word[i] + word[i + 1])
                    i += 2
                else:
                    new.append(word[i])
                    i += 1
            corpus[w] = new
    return result

# %% encode
def encode(pieces, merges):
    known = []
    for a, b in merges:
        known.append(a + b)
    out = []
    for piece in pieces:
        i = 0
        while i < len(piece):
            best = piece[i]
            for token in known:
                if len(token) > len(best) and piece[i:].startswith(token):
                    best = token
            out.append(best)
            i += len(best)
    return out

# %% split
def split(n_characters):
    use = ["t"] * n_characters
    for i in range(n_characters):
        if i // « block » % « period » == « place - 1 »:
            use[i] = "h"
    for i in range(n_characters):
        if use[i] == "h":
            if i == 0 or use[i - 1] != "h":
                for j in range(max(0, i - « gap »), i):
                    use[j] = "g"
            if i + 1 < n_characters and i + 1 - i // « block » * « block » == « block »:
                for j in range(i + 1, min(n_characters, i + 1 + « gap »)):
                    if use[j] == "t":
                        use[j] = "g"
    result = []
    for which in "th":
        spans = []
        for i in range(n_characters):
            if use[i] == which:
                if spans and spans[-1][1] == i:
                    spans[-1][1] = i + 1
                else:
                    spans.append([i, i + 1])
        result.append(spans)
    return result

# %% loss
def loss(logits, targets):
    total = 0.0
    weight_sum = 0.0
    V = logits.shape[-1]
    for b in range(targets.shape[0]):
        for t in range(targets.shape[1]):
            logp = F.log_softmax(logits[b, t], dim=0)
            y = targets[b, t]
            s = -« 1 - smoothing » * logp[y]
            s = s - « smoothing » / (V - 1) * (logp.sum() - logp[y])
            w = min(1.0, (t + 1) / « early »)
            total = total + w * s
            weight_sum += w
    return total / weight_sum

# %% schedule
def schedule(step, steps):
    if step < « warmup »:
        return (step + 1) / « warmup »
    p = (step + 1 - « warmup ») / (steps - « warmup »)
    if p <= 0.6:
        return 1.0
    return 1 - (p - 0.6) * (1 - « floor ») / (1 - 0.6)

# %% sampling
def next_probabilities(logits):
    rows = []
    for row in logits:
        p = torch.softmax(row, 0)
        stays = [i for i in range(len(p)) if p[i] >= « threshold » * max(p)]
        e = torch.zeros(len(p))
        for i in stays:
            e[i] = torch.exp((row[i] - row.max()) / « temperature »)
        rows.append(e / e.sum())
    return torch.stack(rows)

# %% bits
def bits_per_character(model, passages, tokens):
    total, characters = 0.0, 0
    for passage in passages:
        ids = [tokens.index(t) for t in passage]
        for i in range(« skip », len(ids)):
            before = ids[max(0, i - « context ») : i]
            logits = model(torch.tensor([before]))[0, -1]
            total -= math.log2(torch.softmax(logits, 0)[ids[i]].item())
            characters += len(passage[i])
    return total / characters

# %% training
def train_gpt(text, steps, seed, d_model=48, n_layers=2):
    # The loss is too slow with loops; for training the same in one go.
    def fast(model, batch):
        x, y = batch
        logp = model(x).log_softmax(-1)
        right = logp.gather(2, y.unsqueeze(2)).squeeze(2)
        s = -« 1 - smoothing » * right - « smoothing » / (logp.shape[2] - 1) * (logp.sum(2) - right)
        w = torch.tensor([min(1.0, (t + 1) / « early ») for t in range(y.shape[1])])
        return (s * w).sum() / (w.sum() * len(y))

    parts = []
    for a, b in split(len(text))[0]:
        parts.append(pieces(text[a:b]))
    everything = []
    for part in parts:
        everything += part
    merges = learn_merges(everything, « n_merges »)
    vocab = vocabulary(text, merges)
    index = {}
    for i in range(len(vocab)):
        index[vocab[i]] = i
    ids = []
    for part in parts:
        ids.append([index[t] for t in encode(part, merges)])
    model = new_model(len(vocab), seed, d_model, n_layers)
    train(model, fast, windows(ids, 16, seed), steps=steps, learning_rate=1e-2,
          schedule=schedule, show_progress=False)
    return dict(model=model, merges=merges, vocabulary=vocab)
