# earns: all

# %% +
def runde(zahl, stellen=3):
    """For my own eyes."""
    return round(float(zahl), stellen)

# %% sampling
def wahrscheinlichkeiten(logits, T=« temperature », schwelle=« threshold »):
    p = F.softmax(logits, dim=-1)
    p = p * (p / p.max(dim=-1, keepdim=True).values >= schwelle)
    p = p ** (1 / T)
    return F.normalize(p, p=1, dim=-1)


next_probabilities = wahrscheinlichkeiten
print([runde(p) for p in next_probabilities(torch.tensor([[1.0, 2.0, -3.0]]))[0]])

# %% training
def train_gpt(text, steps, seed, d_model=48, n_layers=2):
    abschnitte = [text[von:bis] for von, bis in split(len(text))[0]]
    stuecke = list(map(pieces, abschnitte))
    paare = learn_merges(sum(stuecke, []), « n_merges »)
    zeichen = vocabulary(text, paare)
    nummern = [[zeichen.index(z) for z in encode(s, paare)] for s in stuecke]
    modell = new_model(len(zeichen), seed, d_model, n_layers)

    def verlust(m, stapel):
        lesen, antworten = stapel
        return loss(m(lesen), antworten)

    verlauf = train(
        modell, verlust, windows(nummern, 16, seed),
        steps=steps, learning_rate=0.01, schedule=schedule, show_progress=False,
    )
    return {"model": modell, "merges": paare, "vocabulary": zeichen, "losses": list(verlauf.losses)}

# %% +
versuch = train_gpt(chronicle(5000), 5, 1)
print(runde(versuch["losses"][0]), runde(versuch["losses"][-1]))

# %% written markdown
Mein Text ist die Chronik.
